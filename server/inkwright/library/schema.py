"""What a profile file may say, before it is a profile. A key that is not given is not set."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from inkwright.domain.conversation import Effort, Locale
from inkwright.domain.profile import Hint, Mode, Output, ProfileKind, QuickAction, Scope
from inkwright.domain.proposal import FindingCode

# Words that skill packs of other tools use for ours.
_OUTPUTS = {"note": "report", "diagnostics": "report"}
LONGEST = 20
"""Times the passage that an answer may be long at most, whatever a profile allows."""
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*")


def in_every_language(texts: Mapping[Locale, str]) -> dict[Locale, str]:
    """Where a language has no text, the one that there is stands in: nobody who reads one finds nothing."""
    there = next((text for text in texts.values() if text), "")
    return {locale: texts.get(locale) or there for locale in get_args(Locale)}


def _localised(value: Any) -> Any:
    """One string stands for every language."""
    return dict.fromkeys(get_args(Locale), value) if isinstance(value, str) else value


def _output(value: Any) -> Any:
    return _OUTPUTS.get(value, value) if isinstance(value, str) else value


def _effort(value: Any) -> Any:
    return "off" if value is False else value  # YAML 1.1 reads a bare `off` as false


def _pair(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _length(value: tuple[float, float] | None) -> tuple[float, float] | None:
    if value is not None and not 0 <= value[0] <= 1 <= value[1] <= LONGEST:
        raise ValueError(f"two numbers, from 0 to 1 and from 1 to {LONGEST}")
    return value


Localised = Annotated[
    dict[Locale, str], BeforeValidator(_localised), Field(min_length=1), AfterValidator(in_every_language)
]
Id = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$")]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class QuickActionFile(_Strict):
    label: Localised
    message: Localised


class HintFile(_Strict):
    words: Annotated[list[Annotated[str, Field(min_length=1)]], Field(min_length=1)]
    text: Localised


class ProfileFile(_Strict):
    """The front matter of a profile file. `order` places it in menus, small numbers first."""

    id: Id | None = None
    kind: ProfileKind | None = None
    extends: Id | None = None
    order: int = 100
    label: Localised | None = None
    description: Localised | None = None
    icon: Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")] = ""
    color: Annotated[str, Field(pattern=r"^#[0-9a-fA-F]{6}$")] = ""
    quick_actions: list[QuickActionFile] = []
    hints: list[HintFile] = []
    tools: list[str] = []
    rounds: Annotated[int, Field(ge=0, le=1000)] = 0
    seconds: Annotated[int, Field(ge=0, le=86_400)] = 0
    calls: Annotated[int, Field(ge=0, le=1000)] = 50
    parallel: bool = True
    mode: Mode = "react"
    output: Annotated[Output, BeforeValidator(_output)] = "report"
    scope: Scope = "chapter"
    model: str = ""
    effort: Annotated[Effort | None, BeforeValidator(_effort)] = None
    pipeline: str = ""
    length: Annotated[tuple[float, float] | None, BeforeValidator(_pair), AfterValidator(_length)] = None
    allows: list[FindingCode] = []

    def given(self) -> dict[str, Any]:
        """The profile's fields that the file sets, as the domain has them."""
        out: dict[str, Any] = {name: getattr(self, name) for name in self.model_fields_set}
        for name in ("id", "kind", "extends", "order"):
            out.pop(name, None)
        for name in ("label", "description"):
            if out.get(name, "") is None:
                del out[name]
        if "quick_actions" in out:
            out["quick_actions"] = tuple(QuickAction(q.label, q.message) for q in self.quick_actions)
        if "hints" in out:
            out["hints"] = tuple(Hint(tuple(h.words), h.text) for h in self.hints)
        if "tools" in out:
            out["tools"] = tuple(dict.fromkeys(self.tools))
        if "allows" in out:
            out["allows"] = tuple(dict.fromkeys(self.allows))
        return out


class StepFile(_Strict):
    name: Id
    label: Localised | None = None
    tools: list[str] = []
    rounds: Annotated[int, Field(ge=1, le=100)] = 1
    each: Literal["batch", "chapter"] = "batch"
    passage: bool = True


class PipelineFile(_Strict):
    """The front matter of a pipeline file. Its body holds an instruction under `## NAME` for each step."""

    id: Id | None = None
    order: int = 100
    label: Localised | None = None
    description: Localised | None = None
    steps: Annotated[list[StepFile], Field(min_length=1, max_length=20)]


def from_skill(meta: Mapping[str, Any]) -> dict[str, Any]:
    """The front matter of a `SKILL.md` under our keys; what we have no use for is left out.

    A name that gives no id, a Chinese one say, sets none: the folder's name is the id then.
    """
    name = str(meta.get("name", ""))
    out = {key: meta[key] for key in ("scope", "output", "tools") if key in meta}
    out |= {"kind": "ability", "label": name}
    if id_ := "-".join(_NAME.findall(name.lower()))[:64]:
        out["id"] = id_
    if "description" in meta:
        out["description"] = str(meta["description"])
    if meta.get("model") not in (None, "default"):
        out["model"] = meta["model"]
    if "reasoning" in meta:
        out["effort"] = meta["reasoning"]
    return out

"""What may be written in a file of the library: its keys, and the words that a key takes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import get_args

from pydantic import BaseModel

from inkwright.domain.conversation import Effort
from inkwright.domain.profile import Mode, Output, ProfileKind, Scope
from inkwright.domain.proposal import FindingCode
from inkwright.library.folder import Entry
from inkwright.library.registry import Library
from inkwright.library.schema import HintFile, PipelineFile, ProfileFile, QuickActionFile, StepFile

_FLAG = ("true", "false")
_WORDS: Mapping[str, Sequence[str]] = {
    "kind": get_args(ProfileKind),
    "mode": [mode for mode in get_args(Mode) if mode != "pipeline"],
    "output": get_args(Output),
    "scope": get_args(Scope),
    "effort": get_args(Effort),
    "parallel": _FLAG,
    "passage": _FLAG,
    "each": ("batch", "chapter"),
    "allows": get_args(FindingCode),
}
_INNER: Mapping[str, type[BaseModel]] = {
    "quick_actions": QuickActionFile,
    "hints": HintFile,
    "steps": StepFile,
}
_LANGUAGES = ("label", "description", "message", "text")


def keys(entry: Entry, present: Collection[str]) -> list[str]:
    """The keys that a file may have and does not have yet."""
    fields = PipelineFile.model_fields if entry.kind == "pipeline" else ProfileFile.model_fields
    return [key for key in fields if key not in present]


def values(entry: Entry, key: str, parent: str, library: Library, tools: Collection[str]) -> list[str]:
    """The words for the value of a key; in a list of tables their keys."""
    if key in _INNER and not parent:
        return [f"{name}: " for name in _INNER[key].model_fields]
    if key == "tools":
        return sorted(tools)
    if key == "extends":
        kind = "domain" if entry.kind == "domain" else "ability"
        return [id_ for one, id_ in library.profiles if one == kind]
    if key == "pipeline":
        return [one.id for one in library.pipelines()]
    if key in _LANGUAGES:
        return []
    return list(_WORDS.get(key, ()))

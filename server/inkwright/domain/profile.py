"""Profiles: data that defines an ability or a domain, and what the two make together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from inkwright.domain.conversation import Effort, Locale
from inkwright.domain.proposal import FindingCode

ProfileKind = Literal["ability", "domain"]
Output = Literal["edit", "insert", "report", "cards", "summary"]
Scope = Literal["selection", "scene", "chapter", "book"]
Mode = Literal["react", "pipeline", "single"]

Localised = Mapping[Locale, str]
"""One text for every language of ours."""


@dataclass(frozen=True, slots=True)
class QuickAction:
    """A label for a menu and the message it stands for."""

    label: Localised
    message: Localised


@dataclass(frozen=True, slots=True)
class Hint:
    """An extra paragraph of prompt for messages that carry one of `words` (matched without case)."""

    words: tuple[str, ...]
    text: Localised


@dataclass(frozen=True, slots=True)
class PipelineStep:
    """One step of a pipeline, as its file has it: a loop of `rounds` with `tools` and nothing else.

    `each` says whether it is taken once for every batch of a long chapter or once at the end. A step
    without `passage` sees only what the steps before it came to.
    """

    name: str
    label: Localised
    instruction: Localised
    tools: tuple[str, ...] = ()
    rounds: int = 1
    each: Literal["batch", "chapter"] = "batch"
    passage: bool = True


@dataclass(frozen=True, slots=True)
class Pipeline:
    """A fixed sequence of steps over one chapter."""

    id: str
    label: Localised
    description: Localised
    steps: tuple[PipelineStep, ...]
    origin: str = "builtin"


@dataclass(frozen=True, slots=True)
class Profile:
    """One ability or domain. `rounds`, `seconds` and `calls` of 0 set no limit.

    `length` is how long an edit may come out, as shares of the passage: least and most; one that may be
    under half leaves things out, one that may be over twice adds some. `allows` are the findings that are
    what the ability is for: the guard does not hold them against a hunk.
    """

    id: str
    kind: ProfileKind
    label: Localised
    description: Localised
    prompt: Localised
    icon: str = ""
    color: str = ""
    quick_actions: tuple[QuickAction, ...] = ()
    hints: tuple[Hint, ...] = ()
    tools: tuple[str, ...] = ()
    rounds: int = 0
    seconds: int = 0
    calls: int = 50
    parallel: bool = True
    mode: Mode = "react"
    output: Output = "report"
    scope: Scope = "chapter"
    model: str = ""
    effort: Effort | None = None
    pipeline: str = ""
    length: tuple[float, float] | None = None
    allows: tuple[FindingCode, ...] = ()
    origin: str = "builtin"


@dataclass(frozen=True, slots=True)
class EffectiveProfile:
    """An ability in a domain: the prompt parts in order, the union of tools, the larger budgets.

    `origins` names for each field where its value came from. `ability_matched` is False when the
    asked ability is unknown and writing stood in.
    """

    ability: str
    domain: str
    locale: Locale
    label: str
    domain_prompt: str
    ability_prompt: str
    hints: tuple[str, ...]
    tools: tuple[str, ...]
    rounds: int
    seconds: int
    calls: int
    parallel: bool
    mode: Mode
    output: Output
    scope: Scope
    model: str = ""
    effort: Effort | None = None
    pipeline: str = ""
    length: tuple[float, float] | None = None
    allows: tuple[FindingCode, ...] = ()
    ability_matched: bool = True
    origins: Mapping[str, str] = field(default_factory=dict)

"""The resolved settings that the house works with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from inkwright.domain import keys
from inkwright.domain.conversation import Locale
from inkwright.domain.diagnostic import Severity, Switches
from inkwright.domain.errors import Fault
from inkwright.domain.manuscript import CountRule
from inkwright.domain.model import OFFLINE, ModelProfile


@dataclass(frozen=True, slots=True)
class Checks:
    """Offline checks; with `unopened` an editor may have those of files that are not open, too.

    `severity` re-ranks rules by id; `off` is the same as `disabled`. With `harper` English paragraphs are shown to
    Harper too, where it is installed. `only_keys`: nothing is looked for but keys.
    """

    enabled: bool = True
    disabled: tuple[str, ...] = ()
    severity: Mapping[str, Severity | Literal["off"]] = field(default_factory=dict)
    unopened: bool = True
    harper: bool = False
    only_keys: bool = False

    def within(self, book: Switches) -> Checks:
        """With what a book says of its own checks, which holds wherever the book is.

        A book may be a stranger's: whether keys are looked for is not its choice.
        """
        return replace(
            self,
            disabled=(*self.disabled, *(code for code in book.off if code not in keys.CODES)),
            severity={
                **self.severity,
                **{code: rank for code, rank in book.severity.items() if code not in keys.CODES},
            },
            only_keys=self.only_keys or not book.enabled,
        )

    @property
    def off(self) -> frozenset[str]:
        """The rules that the writer switched off, either way."""
        return frozenset({*self.disabled, *(code for code, rank in self.severity.items() if rank == "off")})


@dataclass(frozen=True, slots=True)
class Settings:
    """What the writer chose. `locale` None follows the client or the system.

    `model` is the name of the default among `models`, which hold the offline engine last and are
    never empty; `abilities` names the model of an ability that has one of its own. A name that was chosen in
    either and that no run can use is in `refused` with the reason: no other model takes its place. `window` is how many characters of a passage one request of a long edit carries at
    most. `max_tokens` ends a run that used more; no request goes out
    that would bring a run over `max_cost_per_run`, or a day's runs of all books over `max_cost_per_day`, in
    `currency` (ISO 4217; '' is that of each model's price); 0 sets no limit. `hover`, `completion`, `code_lens`
    (on changes that wait), `chapter_lens`, `thread_lens`, `semantic_tokens`, `inlay_hints`, `links`, `highlights` and
    `folding` are the switches of the visible aids. With `memory` off nothing is remembered and no
    memory goes along. Books in `trusted_folders` may bring profiles of
    their own.
    """

    locale: Locale | None = None
    model: str = OFFLINE.id
    models: tuple[ModelProfile, ...] = (OFFLINE,)
    abilities: Mapping[str, str] = field(default_factory=dict)
    refused: Mapping[str, Fault] = field(default_factory=dict)
    window: int = 6_000
    max_tokens: int = 0
    max_cost_per_run: float = 0
    max_cost_per_day: float = 0
    currency: str = ""
    count: CountRule = "mixed"
    checks: Checks = Checks()
    hover: bool = True
    completion: bool = True
    code_lens: bool = True
    chapter_lens: bool = True
    thread_lens: bool = True
    semantic_tokens: bool = True
    inlay_hints: bool = False
    links: bool = True
    highlights: bool = True
    folding: bool = True
    memory: bool = True
    trusted_folders: tuple[Path, ...] = ()

    def profile(self, name: str = "") -> ModelProfile | None:
        """The model of this name ('' means the default); None when no model has it, as of one that is refused."""
        wanted = name or self.model
        return next((m for m in self.models if m.id == wanted), None)

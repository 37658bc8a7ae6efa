"""What a check says of a place in a text, the other places it is about, and what can be done."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

from inkwright.domain.cards import NewCard
from inkwright.domain.params import Params
from inkwright.domain.text import Span, TextEdit

Severity = Literal["error", "warning", "information", "hint"]


@dataclass(frozen=True, slots=True)
class Switches:
    """What a book says of its checks: codes and families that are `off`, severities of others; `enabled` False:
    none of them."""

    enabled: bool = True
    off: tuple[str, ...] = ()
    severity: Mapping[str, Severity] = field(default_factory=dict)


Find = Callable[[str], Span | None]
"""Where something stands in a text, None where it does not. Pure and quick."""

Rewrite = Callable[[str], Sequence[TextEdit]]
"""Edits of a text as it stands, none where they are not possible any more. Pure and quick."""


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that a diagnostic is about: `place` in the text of the file `path` of the book.

    A function is asked when the place is shown, with the text as it then is; a place that is not found is
    the file's first line. `code` and `params` are its sentence.
    """

    path: str
    place: Span | Find
    code: str
    params: Params = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Change:
    """Edits of one file of the book; `path` '' is the document that was checked.

    That one's edits are for the text that was checked, many of them or another file's are asked for when they are
    made.
    """

    path: str
    edits: tuple[TextEdit, ...] | Rewrite

    def shift(self, by: int) -> Change:
        if self.path or not isinstance(self.edits, tuple):
            return self
        return Change("", tuple(edit.shift(by) for edit in self.edits))


@dataclass(frozen=True, slots=True)
class Fix:
    """One thing that can be done: files that change, or a card that is made. `code` and `params` are its title.

    A preferred one is what a writer almost always means.
    """

    code: str
    params: Params = field(default_factory=dict)
    changes: tuple[Change, ...] = ()
    card: NewCard | None = None
    preferred: bool = False

    def shift(self, by: int) -> Fix:
        return replace(self, changes=tuple(change.shift(by) for change in self.changes))


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """`code` is the rule's id; the rule's own data, or the locales, hold the message in both languages.

    `fix`, when there is one, replaces a span that no other fix of the same file overlaps. `fixes` are
    further offers, of which a writer takes one; nothing makes them unasked.
    """

    span: Span
    severity: Severity
    code: str
    params: Params = field(default_factory=dict)
    fix: TextEdit | None = None
    related: tuple[Related, ...] = ()
    fixes: tuple[Fix, ...] = ()

    def shift(self, by: int) -> Diagnostic:
        """The same, `by` characters further on in its text."""
        if by == 0:
            return self
        return Diagnostic(
            self.span.shift(by),
            self.severity,
            self.code,
            self.params,
            None if self.fix is None else self.fix.shift(by),
            self.related,
            tuple(fix.shift(by) for fix in self.fixes),
        )


class Said(NamedTuple):
    """What is said of one stretch of a text, with places from its beginning: the character `at`, where `line` begins.

    `lasting`: while the stretch stands as it stood, it is the very same diagnostics that are said of it again.
    """

    found: Sequence[Diagnostic]
    at: int = 0
    line: int = 0
    lasting: bool = False


def placed(said: Iterable[Said]) -> list[Diagnostic]:
    """All diagnostics with their places in the whole text, by place."""
    found = [one.shift(part.at) for part in said for one in part.found]
    return sorted(found, key=lambda one: (one.span.start, one.span.end))

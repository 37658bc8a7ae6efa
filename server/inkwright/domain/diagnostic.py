"""What a check says of a place in a text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from inkwright.domain.text import Span, TextEdit

Severity = Literal["error", "warning", "information", "hint"]


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """`code` is the rule's id; the rule's own data holds the message in both languages.

    `fix`, when there is one, replaces a span that no other fix of the same file overlaps.
    """

    span: Span
    severity: Severity
    code: str
    params: Mapping[str, str | int | float] = field(default_factory=dict)
    fix: TextEdit | None = None

"""Offline proofreading by rules."""

from __future__ import annotations

from inkwright.checks.checking import CheckCache, about, check, fix_all, hints, message, said
from inkwright.checks.rules import Rule, by_id, families

__all__ = [
    "CheckCache",
    "Rule",
    "about",
    "by_id",
    "check",
    "families",
    "fix_all",
    "hints",
    "message",
    "said",
]

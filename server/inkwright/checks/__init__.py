"""Offline proofreading by rules."""

from __future__ import annotations

from inkwright.checks.checking import CheckCache, check, fix_all, hints, message
from inkwright.checks.rules import Rule, by_id, families

__all__ = ["CheckCache", "Rule", "by_id", "check", "families", "fix_all", "hints", "message"]

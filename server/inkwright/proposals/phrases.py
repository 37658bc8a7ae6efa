"""Recognising what a model says about a rewrite, as opposed to the rewrite."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

_MARKS = " \t\u3000\u00a0*_#>`~【】[]=-—"


@dataclass(frozen=True, slots=True)
class Phrases:
    """One pattern per kind of line; those down to `revised` are for whole lines."""

    notes: re.Pattern[str]
    closers: re.Pattern[str]
    openers: re.Pattern[str]
    originals: re.Pattern[str]
    revised: re.Pattern[str]
    labels: re.Pattern[str]
    before: re.Pattern[str]
    after: re.Pattern[str]
    refusals: re.Pattern[str]


@cache
def phrases() -> Phrases:
    table = tomllib.loads((files("inkwright.proposals") / "phrases.toml").read_text("utf-8"))
    return Phrases(**{kind: re.compile("|".join(f"(?:{p})" for p in table[kind]), re.I) for kind in table})


def bare(line: str) -> str:
    """A line without the Markdown marks around it."""
    return line.strip(_MARKS)


def is_line(pattern: re.Pattern[str], line: str) -> bool:
    return pattern.fullmatch(bare(line)) is not None

"""The rules as data: one TOML file per family under `families/`, read once and checked as it is read."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, Literal, get_args

from inkwright.checks import classes
from inkwright.domain.conversation import Locale
from inkwright.domain.diagnostic import Severity

Scope = Literal["zh", "en", "any"]


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule. `message` may name {found}, {better} and what its method adds.

    `examples` pair a faulty text with its repaired form ('' where the rule only points); `sound`
    lists texts that the rule must leave alone. `safe` lets a mere information be repaired unasked.
    """

    id: str
    family: str
    severity: Severity
    scope: Scope
    message: Mapping[Locale, str]
    options: Mapping[str, Any] = field(default_factory=dict)
    safe: bool = False
    examples: tuple[tuple[str, str], ...] = ()
    sound: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Family:
    """One file of rules with the method that finds their hits, and the tables the method reads."""

    id: str
    method: str
    rules: tuple[Rule, ...]
    tables: Mapping[str, Any]


@cache
def families() -> tuple[Family, ...]:
    """All families in the order of their file names, which is the order of precedence."""
    folder = files("inkwright.checks") / "families"
    found = [
        _family(
            entry.name.removesuffix(".toml").lstrip("0123456789-"), tomllib.loads(entry.read_text("utf-8"))
        )
        for entry in sorted(folder.iterdir(), key=lambda e: e.name)
        if entry.name.endswith(".toml")
    ]
    ids = [rule.id for family in found for rule in family.rules]
    twice = {i for i in ids if ids.count(i) > 1}
    if twice:
        raise ValueError(f"rule ids stand twice: {sorted(twice)}")
    return tuple(found)


@cache
def by_id() -> Mapping[str, Rule]:
    return {rule.id: rule for family in families() for rule in family.rules}


def pattern(source: str) -> re.Pattern[str]:
    """A rule's expression with `%NAME%` replaced by the character class of that name."""
    return re.compile(re.sub(r"%([A-Z]+)%", lambda m: classes.TABLE[m[1]], source), re.MULTILINE)


_OWN = {"id", "severity", "scope", "zh", "en", "safe", "examples", "sound"}


def _family(name: str, data: dict[str, Any]) -> Family:
    scope = data.pop("scope", "any")
    method = data.pop("method")
    rows = data.pop("rule")
    rules = []
    for row in rows:
        if row["severity"] not in get_args(Severity):
            raise ValueError(f"{row['id']}: unknown severity {row['severity']}")
        rules.append(
            Rule(
                id=row["id"],
                family=name,
                severity=row["severity"],
                scope=row.get("scope", scope),
                message={"zh": row["zh"], "en": row["en"]},
                options={k: v for k, v in row.items() if k not in _OWN},
                safe=row.get("safe", False),
                examples=tuple((e[0], e[1] if len(e) > 1 else "") for e in row["examples"]),
                sound=tuple(row.get("sound", ())),
            )
        )
    return Family(name, method, tuple(rules), data)

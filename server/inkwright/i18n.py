"""Sentences for people, in zh and en, from `locales/<locale>/<room>.toml`: one flat table of codes each.

Every room keeps its sentences in a file of its own name; a code stands in one file only.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any, get_args

from inkwright.domain.conversation import Locale
from inkwright.domain.errors import Fault

LOCALES: tuple[Locale, ...] = get_args(Locale)

# A path, a name or a server's words may hold line ends and other control characters.
_BREAKS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


@cache
def catalogue(locale: Locale) -> dict[str, str]:
    """All codes of a locale with their templates (`str.format` fields)."""
    out: dict[str, str] = {}
    folder = Path(__file__).with_name("locales") / locale
    for entry in sorted(folder.iterdir(), key=lambda e: e.name):
        if entry.name.endswith(".toml"):
            out |= tomllib.loads(entry.read_text("utf-8"))
    return out


def tr(code: str, locale: Locale, params: Mapping[str, object] | None = None) -> str:
    """The sentence for `code`; a code without one is shown as itself, a missing field as `{field}`.

    Several words are listed with the locale's comma, none is a dash. `{count:# word|# words}` is the first of the two
    for one and the second for any other number, with the number for its #; of three the first is for zero. Only
    sentences of ours are templates: a code may be made from a name that a model or a file gave.
    """
    template = catalogue(locale).get(code)
    if template is None:
        return code
    shown = {
        name: (listed(value, locale) or "–") if isinstance(value, tuple) else value
        for name, value in (params or {}).items()
    }
    fields = _Fields(shown)
    return _Counting().vformat(template, (), fields) if "|" in template else template.format_map(fields)


def listed(words: Iterable[str], locale: Locale) -> str:
    """Words with the locale's comma between them."""
    return catalogue(locale)["list_comma"].join(words)


def render(fault: Fault, locale: Locale) -> str:
    """A fault as one line: what happened and what to do, then the upstream detail if there is one."""
    text = tr(fault.code, locale, fault.params)
    return _BREAKS.sub(" ", f"{text} ({fault.detail})" if fault.detail else text)


def pick(language: str) -> Locale:
    """Our locale for a language tag as clients and systems write it (`zh-CN`, `en_US.UTF-8`, '')."""
    return "zh" if language.lower().replace("_", "-").startswith("zh") else "en"


class _Counting(Formatter):
    def format_field(self, value: Any, format_spec: str) -> str:
        if "|" not in format_spec:
            return format(value, format_spec)
        *none, one, many = format_spec.split("|")
        if value in (1, "1"):
            return one.replace("#", str(value))
        chosen = none[0] if none and value in (0, "0") else many
        return chosen.replace("#", str(value))


class _Fields(dict[str, object]):
    def __missing__(self, key: str) -> str:
        return "{" + key + "}"

"""What tools say to a model, in a table per language beside this file."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from inkwright.domain.conversation import Locale
from inkwright.domain.templates import render


def line(name: str, locale: Locale, /, **params: object) -> str:
    """A line with its fields filled."""
    return render(_table(locale)["lines"][name], **params)


def description(tool: str, locale: Locale) -> str:
    return str(_table(locale)["tools"][tool])


def parameter(name: str, locale: Locale) -> str:
    return str(_table(locale)["parameters"][name])


def kinds() -> Mapping[str, str]:
    """The words for each card type, of both languages, case-folded."""
    return {
        word.casefold(): kind
        for locale in ("zh", "en")
        for kind, words in _table(locale)["kinds"].items()
        for word in (kind, *words)
    }


@cache
def _table(locale: str) -> dict[str, Any]:
    return tomllib.loads((files(__name__) / f"{locale}.toml").read_text("utf-8"))

"""The runtime's own words to a model, as files beside this one: prose in .md, single lines in a table."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

from inkwright.domain.conversation import Locale
from inkwright.domain.templates import render


def prose(name: str, locale: Locale, /, **params: object) -> str:
    """The text of `<locale>/<name>.md` with its fields filled; without its final newline."""
    return render(_file(locale, f"{name}.md").strip(), **params)


def line(name: str, locale: Locale, /, **params: object) -> str:
    """A line of `<locale>/lines.toml` with its fields filled."""
    return render(_lines(locale)[name], **params)


@cache
def _file(locale: Locale, name: str) -> str:
    return (files(__name__) / locale / name).read_text("utf-8")


@cache
def _lines(locale: Locale) -> dict[str, str]:
    return {key: str(value) for key, value in tomllib.loads(_file(locale, "lines.toml")).items()}

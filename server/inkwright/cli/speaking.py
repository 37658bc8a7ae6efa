"""The words of Python's own parser of arguments in the writer's language."""

from __future__ import annotations

import argparse
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from inkwright.domain.conversation import Locale

ONE, SEVERAL = "_", "ngettext"
"""What `argparse` calls for each of its words when it says it."""


def told(parser: argparse.ArgumentParser, locale: Locale) -> argparse.ArgumentParser:
    """The same parser, with what its commands and options do in this language; what has no words stays."""
    if locale != "en":
        _tell(parser, _table("help_zh.toml"))
    return parser


def _tell(parser: argparse.ArgumentParser, words: Mapping[str, str]) -> None:
    parser.description = words.get(parser.description or "", parser.description)
    for action in parser._actions:  # noqa: SLF001 - there is no other way to them
        rows: list[argparse.Action] = [action]
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001
            rows += action._choices_actions  # noqa: SLF001
            for inner in {id(one): one for one in action.choices.values()}.values():
                _tell(inner, words)
        for row in rows:
            row.help = words.get(row.help or "", row.help)


def _table(name: str) -> dict[str, str]:
    found: dict[str, str] = tomllib.loads(Path(__file__).with_name(name).read_text("utf-8"))
    return found


@contextmanager
def speaking(locale: Locale) -> Iterator[None]:
    """What `argparse` says within, it says in this language; a word that is not known as it has it."""
    if locale == "en":
        yield
        return
    words = _table("argparse_zh.toml")
    before = {name: getattr(argparse, name) for name in (ONE, SEVERAL)}
    setattr(argparse, ONE, lambda said: words.get(said, said))
    setattr(
        argparse, SEVERAL, lambda one, more, n: words.get(one if n == 1 else more, one if n == 1 else more)
    )
    try:
        yield
    finally:
        for name, value in before.items():
            setattr(argparse, name, value)

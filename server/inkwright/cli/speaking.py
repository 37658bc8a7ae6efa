"""The words of Python's own parser of arguments in the writer's language."""

from __future__ import annotations

import argparse
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from inkwright.domain.conversation import Locale

ONE, SEVERAL = "_", "ngettext"
"""What `argparse` calls for each of its words when it says it."""


@contextmanager
def speaking(locale: Locale) -> Iterator[None]:
    """What `argparse` says within, it says in this language; a word that is not known as it has it."""
    if locale == "en":
        yield
        return
    words: dict[str, str] = tomllib.loads(Path(__file__).with_name("argparse_zh.toml").read_text("utf-8"))
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

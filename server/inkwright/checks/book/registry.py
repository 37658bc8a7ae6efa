"""The checks that there are: every module of the packages that has CODES."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Protocol, cast

from inkwright.checks.book.page import Page
from inkwright.domain.diagnostic import Diagnostic
from inkwright.manuscript.overview import Overview

PACKAGES = ("inkwright.checks.book", "inkwright.checks.continuity")


class Check(Protocol):
    """One check. `find` gives the diagnostics of the document `page` in its book, with spans of its text.

    It is called with every pause in the typing and in a thread. What hangs on a single paragraph is asked
    for through `page.each`, which remembers; all else must cost little: no walk over the text.
    """

    CODES: frozenset[str]

    def find(self, book: Overview, page: Page) -> Iterable[Diagnostic]: ...


@cache
def checks() -> tuple[Check, ...]:
    """All checks, by the names of their modules."""
    modules = [module for package in PACKAGES if find_spec(package) for module in _modules(package)]
    found = [cast(Check, module) for module in modules if hasattr(module, "CODES")]
    every = [code for check in found for code in check.CODES]
    if twice := {code for code in every if every.count(code) > 1}:
        raise ValueError(f"codes stand in two checks: {sorted(twice)}")
    return tuple(found)


def _modules(package: str) -> list[ModuleType]:
    path = import_module(package).__path__
    return [import_module(f"{package}.{name}") for name in sorted(m.name for m in pkgutil.iter_modules(path))]

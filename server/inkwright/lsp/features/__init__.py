"""What the server does for an editor: one file per feature, each with `register(ls)`.

A feature is added by adding its file. Its module is imported before `initialize` is answered, so it
imports nothing but LSP's types; what it needs from the engine it imports when it is called.
"""

from __future__ import annotations

import pkgutil
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inkwright.lsp.session import Session


def names() -> list[str]:
    return sorted(module.name for module in pkgutil.iter_modules(__path__))


def register(ls: Session) -> None:
    """Registers every feature; a method or command registered twice is an error."""
    for name in names():
        import_module(f"{__name__}.{name}").register(ls)

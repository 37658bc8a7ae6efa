"""Diagnostics: the client asks for them where it can, else they are pushed; never both."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TYPE_CHECKING

from lsprotocol import types as t

from inkwright.lsp.checking import Checking
from inkwright.lsp.pushing import Pushing

if TYPE_CHECKING:
    from pathlib import Path

    from inkwright.lsp.pulling import Pulling
    from inkwright.lsp.session import Session
    from inkwright.lsp.wire import Json

OPTIONS = t.DiagnosticOptions(
    inter_file_dependencies=True, workspace_diagnostics=True, identifier="inkwright"
)


def register(ls: Session) -> None:
    ls.checks = Checking(ls)
    way = Way(ls)
    ls.checks.changed, ls.checks.cleared, ls.checks.rested = way.changed, way.clear, way.rest
    ls.feature(t.TEXT_DOCUMENT_DIAGNOSTIC, OPTIONS)(lambda params: way.document(params))
    ls.feature(t.WORKSPACE_DIAGNOSTIC)(lambda params: way.workspace(params))


class Way:
    """How the client gets its diagnostics, which is known once it has said what it can."""

    def __init__(self, ls: Session) -> None:
        self._ls = ls
        self._pushing = Pushing(ls)
        self._pulling: Pulling | None = None

    def changed(self, root: Path | None) -> None:
        if self._ls.client.can.pull:
            self._pull().changed(root)
        else:
            self._pushing.changed(root)

    def clear(self, key: str) -> None:
        self._pushing.clear(key)

    def rest(self, key: str, seconds: float) -> None:
        if not self._ls.client.can.pull:
            self._pushing.rest(key, seconds)

    def document(self, params: t.DocumentDiagnosticParams) -> Awaitable[Json]:
        return self._pull().document(params)

    def workspace(self, params: t.WorkspaceDiagnosticParams) -> Awaitable[Json]:
        return self._pull().workspace(params)

    def _pull(self) -> Pulling:
        if self._pulling is None:
            from inkwright.lsp.pulling import Pulling

            self._pulling = Pulling(self._ls)
        return self._pulling

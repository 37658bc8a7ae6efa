"""Quick fixes: what a diagnostic offers, as literal edits of the documents and files as they stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from inkwright.lsp.diagnosed import Sources, wire
from inkwright.lsp.naming_places import around

if TYPE_CHECKING:
    from inkwright.domain.diagnostic import Change, Diagnostic, Fix
    from inkwright.domain.text import TextEdit
    from inkwright.lsp.session import Session
    from inkwright.lsp.still import Still
    from inkwright.workspace import OpenBook

QUICK_FIX = "quickfix"

Action = dict[str, Any]


class Fixing:
    """The quick fixes of one document. A file that another tool keeps for itself, or that cannot be written, or
    whose places are others for the client, is never edited: what would need that is not offered.
    """

    def __init__(self, ls: Session, still: Still, book: OpenBook | None) -> None:
        self._ls = ls
        self._still = still
        self._book = book
        self._sources = Sources(ls, book)
        self._path = "" if book is None or still.path is None else book.relative(still.path)

    @property
    def locked(self) -> bool:
        """Whether the document itself is to be left alone."""
        return not self._ls.client.can.can_edit(self._still.text) or (
            bool(self._path) and self._locked(self._path)
        )

    async def of(self, found: Sequence[Diagnostic], most: int) -> list[Action]:
        """The actions for diagnostics of the document, at most `most`."""
        out: list[Action] = []
        for one in found:
            if len(out) >= most:
                break
            if one.fix is None and not one.fixes:
                continue
            told = await wire(self._ls, self._still, (one,), self._book)
            if one.fix is not None and not self.locked:
                out.append(self._own(one, one.fix, told))
            offers = [(fix, await self._action(fix)) for fix in one.fixes]
            more = ((fix, action) for fix, action in offers if action is not None)
            out += ({**action, "isPreferred": fix.preferred, "diagnostics": told} for fix, action in more)
        return out[:most]

    def _own(self, one: Diagnostic, fix: TextEdit, told: list[Action]) -> Action:
        """The fix of a rule of proofreading."""
        from inkwright.checks import checking, keys

        left, right = around(self._still.text, fix.span)
        old, new = (left + part + right for part in (fix.span.of(self._still.text), fix.new))
        tr = self._ls.tr
        title = tr("action_fix", before=old, after=new) if new else tr("action_fix_remove", before=old)
        if one.code in (keys.IN_BOOK_FILE, keys.IN_FRONT_MATTER):  # the text that goes must not be shown
            title = tr("action_remove_key", name=one.params.get("name", "NAME"))
        return {
            "title": title,
            "kind": QUICK_FIX,
            "isPreferred": one.code not in checking.hints(),
            "diagnostics": told,
            "edit": self._edit([(self._still, [fix])], title),
        }

    async def _action(self, fix: Fix) -> Action | None:
        title = self._ls.tr(fix.code, **fix.params)
        if fix.card is not None:
            return self._card(fix, title)
        edits: list[tuple[Still, Sequence[TextEdit]]] = []
        for change in fix.changes:
            made = await self._made(change)
            if made is None:
                return None
            edits.append(made)
        return {"title": title, "kind": QUICK_FIX, "edit": self._edit(edits, title)}

    def _card(self, fix: Fix, title: str) -> Action | None:
        """The server makes the file, so that the book knows of it at once, whether files are watched or not."""
        assert fix.card is not None
        if self._book is None or self._book.index is None:
            return None
        argument = {"uri": self._still.uri, "name": fix.card.title, "type": fix.card.type}
        command = {"title": title, "command": "inkwright.createCard", "arguments": [argument]}
        return {"title": title, "kind": QUICK_FIX, "command": command}

    async def _made(self, change: Change) -> tuple[Still, Sequence[TextEdit]] | None:
        """The document or file of a change with its edits; None where it cannot be made."""
        own = not change.path or change.path == self._path
        if (own and self.locked) or (not own and self._locked(change.path)):
            return None
        still = self._still if own else await self._sources.of(change.path)
        if still is None or not self._ls.client.can.can_edit(still.text):
            return None
        edits = change.edits if isinstance(change.edits, tuple) else tuple(change.edits(still.text))
        return (still, edits) if edits else None

    def _locked(self, path: str) -> bool:
        index = self._book.index if self._book is not None else None
        return index is not None and bool(index.locked(path) or index.readonly(path))

    def _edit(self, edits: Sequence[tuple[Still, Sequence[TextEdit]]], label: str) -> dict[str, Any]:
        from inkwright.lsp.changes import Changes, Row

        def rows(still: Still, made: Sequence[TextEdit]) -> Iterator[Row]:
            return (Row(still.range(edit.span, self._ls.encoding), edit.new) for edit in made)

        by_uri: dict[str, list[Row]] = {}
        for still, made in edits:
            by_uri.setdefault(still.uri, []).extend(rows(still, made))
        versions = {still.uri: still.version for still, _ in edits}
        return Changes(by_uri, versions).wire(self._ls.client.can, label, "")

"""Writing a card through the editor that has it open, else into its file."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inkwright.abilities.pens import Edit
    from inkwright.lsp.session import Session
    from inkwright.workspace import OpenBook

ATTEMPTS = 3
"""How often an edit is made anew because the writer typed while it was on its way."""


class OpenPen:
    """An `abilities.facts.Pen`."""

    def __init__(self, ls: Session, book: OpenBook) -> None:
        self._ls = ls
        self._book = book

    async def change(self, file: str, edit: Edit) -> bool:
        """False when the client refuses. Raises `InkwrightError`: client_cannot_edit_card, lone_cr, what `FilePen.change`
        does."""
        from inkwright.abilities.pens import FilePen
        from inkwright.domain.errors import InkwrightError
        from inkwright.lsp.edits import workspace_edit
        from inkwright.proposals.decide import landed

        ls, path = self._ls, self._book.root / file
        for _ in range(ATTEMPTS):
            if (document := ls.documents.at(path)) is None:
                return await FilePen(self._book).change(file, edit)
            if reason := self._book.files.locked(file):
                raise InkwrightError(f"readonly_{reason}", path=file)
            if not ls.client.can.apply_edit:
                raise InkwrightError("client_cannot_edit_card", path=file)
            still = document.still()
            still.editable(ls.client.can)
            edits = list(edit(still.text))
            if not edits:
                return True
            label = ls.tr("edit_facts")
            wire = workspace_edit(still, edits, ls.encoding, ls.client.can, label)
            if await ls.client.apply(label, wire):
                return True
            if still.current:
                return False
            now = ls.documents.at(path)
            if now is not None and landed(still.text, edits, now.text()):
                return True
        return False

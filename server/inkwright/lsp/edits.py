"""Edits as the client takes them: versioned, annotated where it can show that, in its own spelling."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from inkwright.lsp.convert import plain

if TYPE_CHECKING:
    from inkwright.domain.text import Encoding, TextEdit
    from inkwright.lsp.client import Capabilities
    from inkwright.lsp.still import Still

ANNOTATION = "inkwright"


def workspace_edit(
    still: Still, edits: Iterable[TextEdit], encoding: Encoding, can: Capabilities, label: str
) -> dict[str, Any]:
    """A WorkspaceEdit for one document as it stood: bound to its version where the client has that."""
    rows: list[dict[str, Any]] = [
        {"range": plain(still.lines.range(edit.span, encoding)), "newText": edit.new} for edit in edits
    ]
    if not can.document_changes:
        return {"changes": {still.uri: rows}}
    if can.annotations:
        rows = [{**row, "annotationId": ANNOTATION} for row in rows]
    document = {"uri": still.uri, "version": still.version}
    out: dict[str, Any] = {"documentChanges": [{"textDocument": document, "edits": rows}]}
    if can.annotations:
        out["changeAnnotations"] = {ANNOTATION: {"label": label, "needsConfirmation": False}}
    return out

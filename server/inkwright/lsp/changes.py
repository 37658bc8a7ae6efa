"""One edit over many files: versioned, what is sure apart from what is not, a file's new name with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from inkwright.lsp.convert import plain

if TYPE_CHECKING:
    from inkwright.domain.text import Range
    from inkwright.lsp.client import Capabilities

SURE = "inkwright.sure"


@dataclass(frozen=True, slots=True)
class Row:
    """A place and its new text. `group` is '' where it is sure, else the label of what it waits with."""

    where: Range
    new: str
    group: str = ""


@dataclass(frozen=True, slots=True)
class Changes:
    """`rows` by URI in order, `versions` of the documents that are open, `files` as pairs of old and new URI."""

    rows: Mapping[str, Sequence[Row]]
    versions: Mapping[str, int | None]
    files: Sequence[tuple[str, str]] = field(default=())

    def wire(self, can: Capabilities, label: str, why: str) -> dict[str, Any]:
        """A WorkspaceEdit. What is not sure is in it only for a client that asks its user first.

        `label` names the sure part; `why` is said of each of the other groups.
        """
        if not can.document_changes:
            return {"changes": {uri: rows for uri, all_ in self.rows.items() if (rows := _rows(all_, {}))}}
        ids: dict[str, str] = {}
        if can.annotations:
            groups = dict.fromkeys(row.group for all_ in self.rows.values() for row in all_)
            ids = {group: f"inkwright.review.{i}" if group else SURE for i, group in enumerate(groups)}
            ids[""] = SURE
        edits: list[dict[str, Any]] = [
            {"textDocument": {"uri": uri, "version": self.versions.get(uri)}, "edits": rows}
            for uri, all_ in self.rows.items()
            if (rows := _rows(all_, ids))
        ]
        for old, new in self.files:
            moved = {
                "kind": "rename",
                "oldUri": old,
                "newUri": new,
                "options": {"overwrite": False, "ignoreIfExists": False},
            }
            edits.append({**moved, "annotationId": SURE} if ids else moved)
        out: dict[str, Any] = {"documentChanges": edits}
        if ids:
            out["changeAnnotations"] = {
                ident: {"label": group, "needsConfirmation": True, "description": why}
                if group
                else {"label": label, "needsConfirmation": False}
                for group, ident in ids.items()
            }
        return out


def _rows(rows: Sequence[Row], ids: Mapping[str, str]) -> list[dict[str, Any]]:
    """Without `ids` only what is sure."""
    if not ids:
        return [{"range": plain(row.where), "newText": row.new} for row in rows if not row.group]
    return [{"range": plain(row.where), "newText": row.new, "annotationId": ids[row.group]} for row in rows]

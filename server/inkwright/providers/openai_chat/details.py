"""`reasoning_details`, as routers send them: pieces of blocks that must go back as whole ones."""

from __future__ import annotations

from typing import Any

_GROWING = ("text", "summary", "data")


class Details:
    """Pieces in, blocks out: pieces of one type and index are one block."""

    def __init__(self) -> None:
        self.all: list[dict[str, Any]] = []

    @property
    def opaque(self) -> bool:
        """Whether there is more in them than text, so that text alone would not do."""
        return any(block.get("signature") or block.get("data") for block in self.all)

    def add(self, pieces: Any) -> None:
        for piece in pieces if isinstance(pieces, list) else ():
            if not isinstance(piece, dict):
                continue
            last = self.all[-1] if self.all else {}
            if self.all and all(last.get(key) == piece.get(key) for key in ("type", "index")):
                self._join(last, piece)
            else:
                self.all.append(dict(piece))

    def _join(self, block: dict[str, Any], piece: dict[str, Any]) -> None:
        for key, value in piece.items():
            before = block.get(key)
            if key in _GROWING and isinstance(value, str) and isinstance(before, str):
                block[key] = before + value
            elif value is not None:
                block[key] = value

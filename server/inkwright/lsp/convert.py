"""LSP's positions to the house's and back."""

from __future__ import annotations

from typing import Any

from lsprotocol import types as t

from inkwright.domain.text import Position, Range


def position_in(place: t.Position) -> Position:
    return Position(place.line, place.character)


def range_in(where: t.Range) -> Range:
    return Range(position_in(where.start), position_in(where.end))


def range_out(where: Range) -> t.Range:
    return t.Range(
        start=t.Position(line=where.start.line, character=where.start.character),
        end=t.Position(line=where.end.line, character=where.end.character),
    )


def plain(where: Range) -> dict[str, Any]:
    """A range as JSON."""
    return {
        "start": {"line": where.start.line, "character": where.start.character},
        "end": {"line": where.end.line, "character": where.end.character},
    }

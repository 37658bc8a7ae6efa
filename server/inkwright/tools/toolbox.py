"""The tools of one run, behind the runtime's port."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from inkwright.domain.conversation import Locale, ToolSpec
from inkwright.domain.errors import InkwrightError
from inkwright.domain.facts import FactTaker
from inkwright.domain.ports import BookView, CardMaker, Summaries, ToolResult
from inkwright.domain.text import Snapshot
from inkwright.i18n import render
from inkwright.tools import book, chapters, notes, outlines, pieces
from inkwright.tools import cards as world
from inkwright.tools import facts as facts_
from inkwright.tools.desk import Desk, Refused
from inkwright.tools.registry import MAKES_CARDS, PROPOSES_FACTS, Tool, register, spec
from inkwright.tools.texts import line

_logger = logging.getLogger(__name__)
_SHOWN = 3
TOOLS = register(
    (*chapters.TOOLS, *pieces.TOOLS, *outlines.TOOLS, *world.TOOLS, *book.TOOLS, *notes.TOOLS, *facts_.TOOLS)
)
"""Every tool there is, by name."""


class Tools:
    """The tools, bound to one book and to the chapter as the run found it.

    `view` is None for a document without a book. Which tools a run may call is its profile's matter;
    without `cards`, where a new card would go, none that makes one is there at all, and without `facts`
    none that proposes any.
    """

    def __init__(
        self,
        view: BookView | None,
        snapshot: Snapshot,
        locale: Locale,
        *,
        cards: CardMaker | None = None,
        summaries: Summaries | None = None,
        facts: FactTaker | None = None,
    ) -> None:
        nowhere = {MAKES_CARDS: cards is None, PROPOSES_FACTS: facts is None}
        self._tools = {
            name: tool for name, tool in TOOLS.items() if not any(nowhere.get(tag) for tag in tool.tags)
        }
        self._desk = Desk(view, snapshot, locale, cards, facts, summaries)
        self._locale = locale

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._tools)

    def specs(self, names: Sequence[str]) -> tuple[ToolSpec, ...]:
        out: list[ToolSpec] = []
        for name in dict.fromkeys(names):
            tool = self._tools.get(name)
            if tool is not None:
                out.append(spec(tool, self._locale))
            elif name not in TOOLS:
                _logger.warning("a profile names a tool that does not exist: %.60r", name)
        return tuple(out)

    def parallel(self, name: str) -> bool:
        tool = self._tools.get(name)
        return tool is not None and tool.reads

    async def call(self, name: str, arguments: Mapping[str, Any] | None, raw: str = "") -> ToolResult:
        tool = self._tools.get(name)
        if tool is None:
            return ToolResult(line("unknown", self._locale, name=name[:100]), ok=False)
        if arguments is None:
            return self._wrong(tool, "arguments_not_object", _json_fault(raw))
        try:
            values = tool.parameters.model_validate(dict(arguments))
        except ValidationError as exc:
            return self._wrong(tool, "arguments_wrong", _detail(exc))
        try:
            return ToolResult(await tool.execute(self._desk, values))
        except Refused as exc:
            return ToolResult(str(exc), ok=False)
        except InkwrightError as exc:
            # A card that the disk refuses is not made by asking again.
            fault = exc.fault if MAKES_CARDS in tool.tags else None
            return ToolResult(render(exc.fault, self._locale), ok=False, fault=fault)

    def _wrong(self, tool: Tool, code: str, detail: str) -> ToolResult:
        schema = json.dumps(spec(tool, self._locale).parameters, ensure_ascii=False)
        return ToolResult(line(code, self._locale, detail=detail, schema=schema), ok=False)


def _json_fault(raw: str) -> str:
    """Why a raw string is no JSON object."""
    try:
        value = json.loads(raw)
    except json.JSONDecodeError as exc:
        return f"{exc.msg}, column {exc.pos + 1} of {len(raw)}"
    except (ValueError, RecursionError) as exc:  # a number too long, too deep a nesting
        return type(exc).__name__
    return type(value).__name__


def _detail(exc: ValidationError) -> str:
    errors = exc.errors(include_url=False)
    return "; ".join(
        f"{'.'.join(map(str, e['loc']))}: {e['msg']} ({str(e['input'])[:60]!r})" for e in errors[:_SHOWN]
    )

"""A document as it stood when a message came: what is typed later does not reach into it."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from inkwright.domain.text import Lines, Position, Range, Span

if TYPE_CHECKING:
    from inkwright.domain.text import Encoding
    from inkwright.lsp.documents import Document
    from inkwright.manuscript.markdown import Document as Parsed


class Still:
    """`version` is the client's, None for a file that is not open. `path` is None without a file."""

    def __init__(
        self, uri: str, path: Path | None, version: int | None, text: str, live: Document | None = None
    ) -> None:
        self.uri = uri
        self.path = path
        self.version = version
        self.text = text
        self._live = live
        self._edits = 0 if live is None else live.edits
        self._near: tuple[int, Parsed] | None = None

    @property
    def current(self) -> bool:
        """Whether nothing has been typed since."""
        return self._live is not None and self._live.edits == self._edits

    @cached_property
    def lines(self) -> Lines:
        return Lines(self.text)

    @cached_property
    def parsed(self) -> Parsed:
        from inkwright.manuscript.markdown import scan

        return scan(self.text)

    @cached_property
    def _plain(self) -> bool:
        """Whether nothing in the text may reach beyond its paragraph; False too where that would have to be looked for."""
        return self._live is not None and self.current and not self._live.buffer.reaches

    def near(self, offset: int) -> Parsed:
        """The parts round one place: a key must not cost the whole chapter."""
        from inkwright.manuscript.markdown import near

        if "parsed" in self.__dict__:
            return self.parsed
        if self._near is None or self._near[0] != offset:
            self._near = offset, near(self.text, offset, plain=self._plain)
        return self._near[1]

    def between(self, where: Span) -> Parsed:
        """The parts that a stretch touches, and maybe more."""
        from inkwright.manuscript.markdown import between

        return self.parsed if "parsed" in self.__dict__ else between(self.text, where, plain=self._plain)

    def range(self, span: Span, encoding: Encoding) -> Range:
        """Where a span stands; while nothing is typed at the cost of its lines, not of the text."""
        if self._live is not None and self.current:
            return self._live.buffer.range(span, encoding)
        return self.lines.range(span, encoding)

    def span(self, where: tuple[int, int, int, int], encoding: Encoding) -> Span:
        """The span of an LSP range; a reversed one is turned round."""
        a, b, c, d = where
        return self.lines.span(Range(Position(a, b), Position(c, d)), encoding)

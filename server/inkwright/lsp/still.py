"""A document as it stood when a message came: what is typed later does not reach into it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from inkwright.domain.text import Lines, Position, Range, Span

if TYPE_CHECKING:
    from inkwright.domain.text import Encoding
    from inkwright.lsp.client import Capabilities
    from inkwright.lsp.documents import Document
    from inkwright.manuscript.frontmatter import FrontMatter
    from inkwright.manuscript.markdown import Document as Parsed


class Still:
    """`version` is the client's, None for a file that is not open. `path` is None without a file.

    What is known of the text is kept; two threads may find it out twice, and nobody waits for another.
    """

    def __init__(
        self, uri: str, path: Path | None, version: int | None, text: str, live: Document | None = None
    ) -> None:
        self.uri = uri
        self.path = path
        self.version = version
        self.text = text
        self.live = live
        self._edits = 0 if live is None else live.edits
        self._lines: Lines | None = None
        self._parsed: Parsed | None = None
        self._head: FrontMatter | None = None
        self._reaches: bool | None = None
        self._stretch: tuple[Span, Span | None] | None = None
        self._part: tuple[Span, Parsed] | None = None

    @property
    def current(self) -> bool:
        """Whether nothing has been typed since."""
        return self.live is not None and self.live.edits == self._edits

    @property
    def known(self) -> bool:
        """Whether all of it has been read."""
        return self._parsed is not None

    @property
    def lines(self) -> Lines:
        if self._lines is None:
            self._lines = Lines(self.text)
        return self._lines

    @property
    def parsed(self) -> Parsed:
        if self._parsed is None:
            from inkwright.manuscript.markdown import scan

            self._parsed = scan(self.text)
        return self._parsed

    def near(self, offset: int) -> Parsed:
        """The parts round one place: a key must not cost the whole chapter."""
        return self.between(Span(offset, offset))

    def between(self, where: Span) -> Parsed:
        """The parts that a stretch touches, and maybe more."""
        stretch = self._alone(where)
        if stretch is None:
            return self.parsed
        if self._part is None or self._part[0] != stretch:
            from inkwright.manuscript.markdown import part

            self._part = stretch, part(self.text, stretch, self._front)
        return self._part[1]

    def apart(self, where: Span) -> bool:
        """Whether the parts that a stretch touches can be told without reading all the text, or it has been read."""
        return self._parsed is not None or self._alone(where) is not None

    def editable(self, can: Capabilities) -> None:
        """Raises `InkwrightError` lone_cr where an edit would change other places of the client's document."""
        from inkwright.domain.errors import InkwrightError

        if not can.can_edit(self.text):
            raise InkwrightError("lone_cr", path=self.uri if self.path is None else self.path.name)

    def range(self, span: Span, encoding: Encoding) -> Range:
        """Where a span stands; while nothing is typed at the cost of its lines, not of the text."""
        if self.live is not None and self.current:
            return self.live.buffer.range(span, encoding)
        return self.lines.range(span, encoding)

    def span(self, where: tuple[int, int, int, int], encoding: Encoding) -> Span:
        """The span of an LSP range; a reversed one is turned round."""
        a, b, c, d = where
        return self.lines.span(Range(Position(a, b), Position(c, d)), encoding)

    def _alone(self, where: Span) -> Span | None:
        """The stretch round a place that can be read by itself; None where all is read, or has to be."""
        if self._parsed is not None:
            return None
        if self._stretch is None or self._stretch[0] != where:
            from inkwright.manuscript.markdown import alone

            self._stretch = where, alone(self.text, where, self._front, plain=self._plain)
        return self._stretch[1]

    @property
    def _front(self) -> FrontMatter:
        if self._head is None:
            from inkwright.manuscript import frontmatter

            self._head = frontmatter.read(self.text)
        return self._head

    @property
    def _plain(self) -> bool:
        """Whether nothing in the text may reach beyond its paragraph; False too where that would have to be looked for."""
        if self._reaches is None:
            self._reaches = self.live is None or not self.current or self.live.buffer.reaches
        return not self._reaches

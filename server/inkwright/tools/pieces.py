"""The tool that takes a chapter apart."""

from __future__ import annotations

import asyncio
from typing import Annotated

from pydantic import Field

from inkwright.domain.text import Span
from inkwright.manuscript import segments
from inkwright.tools.chapters import head
from inkwright.tools.desk import Desk, Refused, one_line, shorten
from inkwright.tools.plain import Plain
from inkwright.tools.registry import Parameters, Tool
from inkwright.tools.texts import line

_PREVIEWS = 60
_PREVIEW_CHARS = 40
_ENOUGH = 26_000
"""Characters of one answer: what is longer would be cut."""


class Split(Parameters):
    chapter_id: str
    max_chars: Annotated[int, Field(ge=100, le=20_000)] = segments.MAX_CHARS
    start: Annotated[int, Field(ge=1, alias="from")] = 1


async def split_chapter(desk: Desk, args: Split) -> str:
    """The segments are those that a pipeline's batches are made of."""
    path = desk.find(args.chapter_id)
    read = await desk.read(path)
    texts = await asyncio.to_thread(_segments, read, args.max_chars)
    count = len(texts)
    if args.start > count:
        raise Refused(line("segment_range", desk.locale, start=args.start, size=args.max_chars, count=count))
    shown, chars = 0, 0
    for _, text in texts[args.start - 1 : args.start - 1 + segments.MOST]:
        chars += len(text)
        if shown and chars > _ENOUGH:
            break
        shown += 1
    last = args.start - 1 + shown
    out = [
        head(desk, path, len(read.text)),
        line("segments", desk.locale, count=count, size=args.max_chars, first=args.start, last=last),
        line("segments_next", desk.locale, next=last + 1)
        if last < count
        else line("segments_last", desk.locale),
    ]
    for index, (span, text) in enumerate(texts[args.start - 1 : last], args.start):
        top = line("segment", desk.locale, **{"index": index, "from": span.start, "to": span.end})
        out.append(f"\n{top}\n{text or line('segment_empty', desk.locale)}")
    if last < count:
        out.append("\n" + line("previews", desk.locale))
        for index, (_, text) in enumerate(texts[last : last + _PREVIEWS], last + 1):
            out.append(f"{index}. {shorten(one_line(text), _PREVIEW_CHARS)}")
        if (more := count - last - _PREVIEWS) > 0:
            out.append(line("previews_more", desk.locale, count=more))
    return "\n".join(out)


def _segments(read: Plain, max_chars: int) -> list[tuple[Span, str]]:
    """The places of the segments in the document and what a reader sees of each; one for an empty text."""
    body = Span(read.body_start, len(read.raw))
    spans = segments.within(read.raw, body, max_chars) or [body]
    return [(span, read.between(span)) for span in spans]


TOOLS = (Tool("split_chapter", Split, split_chapter, frozenset({"book.read"})),)

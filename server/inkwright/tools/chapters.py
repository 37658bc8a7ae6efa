"""Tools that read chapters."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from inkwright.domain.manuscript import Chapter
from inkwright.tools.desk import Desk, Refused, one_line, shorten
from inkwright.tools.gists import Gist, gist, told
from inkwright.tools.registry import Parameters, Tool
from inkwright.tools.texts import line

OPENING = 500
"""Characters that stand for a summary where the author wrote none."""
LONG = 28_000
"""From here on a whole chapter is told to be read in pieces."""
_SYNOPSIS = 120


class OfChapter(Parameters):
    chapter_id: str


class Chunk(Parameters):
    chapter_id: str
    chunk_index: Annotated[int, Field(ge=0)] = 0
    chunk_size: Annotated[int, Field(ge=100, le=20_000)] = 2000


class Listing(Parameters):
    start: Annotated[int, Field(ge=1, alias="from")] = 1
    count: Annotated[int, Field(ge=1, le=1000)] = 200


async def read_chapter(desk: Desk, args: OfChapter) -> str:
    path = desk.find(args.chapter_id)
    read = await desk.read(path)
    out = [head(desk, path, len(read.text))]
    if about := await gist(desk, desk.chapter(path)):
        out.append(line(about.kind, desk.locale, text=about.text))
    if len(read.text) > LONG:
        out.append(line("long", desk.locale))
    out.append(line("offsets", desk.locale))
    return "\n".join(out) + "\n\n" + read.marked(0, len(read.text))


async def read_chapter_summary(desk: Desk, args: OfChapter) -> str:
    path = desk.find(args.chapter_id)
    read = await desk.read(path)
    return f"{head(desk, path, len(read.text))}\n{await told(desk, path, OPENING)}"


async def read_chapter_chunk(desk: Desk, args: Chunk) -> str:
    path = desk.find(args.chapter_id)
    read = await desk.read(path)
    size, index = args.chunk_size, args.chunk_index
    count = max(1, -(-len(read.text) // size))
    if index >= count:
        raise Refused(line("chunk_range", desk.locale, index=index, size=size, count=count, last=count - 1))
    start = index * size
    end = min(start + size, len(read.text))
    top = line(
        "chunk",
        desk.locale,
        **{
            "title": desk.title(path),
            "id": path or "current",
            "index": index,
            "count": count,
            "start": start,
            "end": end,
            "from": read.offset(start),
            "to": read.offset(end),
        },
    )
    more = index + 1 < count
    foot = line("chunk_next", desk.locale, index=index + 1) if more else line("chunk_last", desk.locale)
    return f"{top}{_later(desk, path)}\n{foot}\n{line('offsets', desk.locale)}\n\n{read.marked(start, end)}"


async def list_book_chapters(desk: Desk, args: Listing) -> str:
    chapters = desk.chapters()
    total = len(chapters)
    if not total:
        return line("chapters_none", desk.locale)
    if args.start > total:
        raise Refused(line("out_of_range", desk.locale, start=args.start, total=total))
    shown = chapters[args.start - 1 : args.start - 1 + args.count]
    last = args.start + len(shown) - 1
    top = line("chapters", desk.locale, total=total, first=args.start, last=last)
    abouts = [await gist(desk, chapter) for chapter in shown]
    rows = [
        _row(desk, place, chapter, about)
        for place, (chapter, about) in enumerate(zip(shown, abouts, strict=True), args.start)
    ]
    here = desk.place()
    if here is not None and here + 2 <= last:
        rows.insert(max(0, here + 2 - args.start), line("from_here", desk.locale))
    if any(about.kind == "unreadable" for about in abouts):
        rows.append(line("unreadable", desk.locale))
    return "\n".join([top, *rows])


def _row(desk: Desk, place: int, chapter: Chapter, about: Gist) -> str:
    rule = desk.view.book.count if desk.view else "mixed"
    mark = line("stale_mark", desk.locale) if about.kind == "stale" else ""
    fields = [
        place,
        chapter.path,
        chapter.number if chapter.number is not None else "-",
        one_line(chapter.title),
        one_line(chapter.volume) or "-",
        getattr(chapter.counts, rule),
        one_line(chapter.meta.get("status") or "-"),
        mark + shorten(one_line(about.text), _SYNOPSIS) or "-",
    ]
    return " | ".join(map(str, fields))


def head(desk: Desk, path: str, chars: int) -> str:
    """What every reading of a chapter begins with."""
    top = line("chapter", desk.locale, title=desk.title(path), id=path or "current", chars=chars)
    return top + _later(desk, path)


def _later(desk: Desk, path: str) -> str:
    return "\n" + line("later", desk.locale) if desk.later(path) else ""


_READ = frozenset({"book.read"})

TOOLS = (
    Tool("read_chapter", OfChapter, read_chapter, _READ),
    Tool("read_chapter_summary", OfChapter, read_chapter_summary, _READ),
    Tool("read_chapter_chunk", Chunk, read_chapter_chunk, _READ),
    Tool("list_book_chapters", Listing, list_book_chapters, _READ),
)

"""Tools that read outlines. An outline is what the author plans: it is shown whole, and called a plan."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from inkwright.domain.text import Span
from inkwright.manuscript import fields, sentences
from inkwright.manuscript.markdown import Document, scan
from inkwright.tools import plans
from inkwright.tools.chapters import OfChapter, head
from inkwright.tools.desk import Desk, one_line, shorten
from inkwright.tools.plain import Plain
from inkwright.tools.registry import Parameters, Tool
from inkwright.tools.texts import line

_ROW_CHARS = 400
_ENOUGH = 24_000
"""Characters of all rows together; those nearest to the run's chapter are kept."""
_FIRST_CHARS = 120
_SCENES = 100


class Nothing(Parameters):
    pass


async def read_book_outline(desk: Desk, _: Nothing) -> str:
    if (found := await plans.of_book(desk)) is not None:
        path, text = found
        return f"{line('outline_file', desk.locale, id=path)}\n\n{await plans.shown(text)}"
    rows: list[str] = []
    near = 0
    here = desk.place()
    for place, chapter in enumerate(desk.chapters()):
        outline = plans.written(chapter.meta.get("outline"))
        if outline:
            said = shorten(outline, _ROW_CHARS)
            rows.append(f"{place + 1}. {one_line(chapter.title)} ({chapter.path})\n{said}")
            near = len(rows) - 1 if here is None or place <= here else near
    if not rows:
        return line("outline_none", desk.locale)
    first, last = _nearest(rows, near)
    out = [line("outline_chapters", desk.locale, count=len(rows))]
    if last - first < len(rows):
        out.append(line("outline_cut", desk.locale, before=first, after=len(rows) - last))
    return "\n\n".join([*out, *rows[first:last]])


def _nearest(rows: Sequence[str], near: int) -> tuple[int, int]:
    """The stretch of rows round `near` that is not too long together."""
    first, last, size = near, near + 1, len(rows[near])
    while first > 0 or last < len(rows):
        back = first > 0 and (last == len(rows) or near - first <= last - near)
        size += len(rows[first - 1 if back else last])
        if size > _ENOUGH:
            break
        first, last = (first - 1, last) if back else (first, last + 1)
    return first, last


async def read_chapter_outline(desk: Desk, args: OfChapter) -> str:
    path = desk.find(args.chapter_id)
    read = await desk.read(path)
    out = [head(desk, path, len(read.text))]
    document = await asyncio.to_thread(scan, read.raw)
    meta = fields.canonical(document.frontmatter.meta, "chapter.keys")
    chapter = desk.chapter(path)
    if outline := plans.written(meta.get("outline")):
        out.append(line("outline", desk.locale, text=outline))
    elif chapter is not None and (found := await plans.of_chapter(desk, chapter)) is not None:
        out.append(line("outline_from", desk.locale, id=found[0], text=await plans.shown(found[1])))
    else:
        rows = await asyncio.to_thread(_derived, read, document)
        out.append(line("outline_derived", desk.locale))
        out += rows[:_SCENES] or [line("segment_empty", desk.locale)]
        if len(rows) > _SCENES:
            out.append(line("previews_more", desk.locale, count=len(rows) - _SCENES))
    return "\n".join(out)


def _derived(read: Plain, document: Document) -> list[str]:
    """The headings and scenes of a chapter in order, each with its first sentence."""
    titles = [(h.span.start, h.span.end, f"{'#' * h.level} {one_line(h.title)}: ") for h in document.headings]
    breaks = [(b.start, b.end, "* ") for b in document.scene_breaks]
    marks = sorted([(read.body_start, read.body_start, "* "), *titles, *breaks])
    ends = [*(start for start, *_ in marks[1:]), len(read.raw)]
    out: list[str] = []
    for (_, after, mark), end in zip(marks, ends, strict=True):
        text = read.between(Span(after, end)).strip()
        first = sentences.split(text[: 4 * _FIRST_CHARS])
        said = shorten(one_line(first[0].of(text)), _FIRST_CHARS) if first else ""
        if said or mark != "* ":
            out.append(f"{mark}{said}")
    return out


_READ = frozenset({"book.read"})

TOOLS = (
    Tool("read_book_outline", Nothing, read_book_outline, _READ),
    Tool("read_chapter_outline", OfChapter, read_chapter_outline, _READ),
)

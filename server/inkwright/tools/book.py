"""The book at a glance."""

from __future__ import annotations

from inkwright.domain.errors import InkwrightError
from inkwright.i18n import render
from inkwright.tools.desk import Desk, one_line, shorten
from inkwright.tools.gists import told
from inkwright.tools.registry import Parameters, Tool
from inkwright.tools.texts import line

RECENT = 5
RECENT_CHARS = 300
CARD_CHARS = 200


class Nothing(Parameters):
    pass


async def get_book_context(desk: Desk, _: Nothing) -> str:
    chapters, locale = desk.chapters(), desk.locale
    book = desk.view.book if desk.view else None
    title = one_line(book.title) if book else desk.title(desk.snapshot.path)
    kind = (book.type if book else "") or line("unset", locale)
    out = [line("book", locale, title=title, type=kind, count=len(chapters))]
    place = desk.place()
    end = len(chapters) if place is None else place + 1
    if recent := chapters[max(0, end - RECENT) : end]:
        rows = [line("recent", locale)]
        for number, chapter in enumerate(recent, end - len(recent) + 1):
            try:
                gist = shorten(one_line(await told(desk, chapter.path, RECENT_CHARS)), RECENT_CHARS + 30)
            except InkwrightError as exc:
                gist = render(exc.fault, locale)
            rows.append(f"{number}. {one_line(chapter.title)} ({chapter.path})\n   {gist}")
        out.append("\n".join(rows))
    if cards := desk.so_far():
        rows = [line("cards", locale, count=len(cards))]
        rows += [f"- {shorten(one_line(text), CARD_CHARS)}" for text in await desk.described(cards)]
        out.append("\n".join(rows))
    return "\n\n".join(out)


TOOLS = (Tool("get_book_context", Nothing, get_book_context, frozenset({"book.read"})),)

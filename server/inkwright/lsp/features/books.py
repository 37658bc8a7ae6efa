"""The book as clients see it: createBook, getBook, updateBook, stats."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from inkwright.lsp.arguments import Arguments

if TYPE_CHECKING:
    from inkwright.domain.manuscript import Chapter
    from inkwright.lsp.session import Session
    from inkwright.manuscript.index import BookIndex
    from inkwright.workspace import OpenBook

FIELDS = ("title", "author", "language", "type", "count", "model")

Given = Mapping[str, Any]


def register(ls: Session) -> None:
    ls.command("inkwright.createBook")(create_book)
    ls.command("inkwright.getBook")(get_book)
    ls.command("inkwright.updateBook")(update_book)
    ls.command("inkwright.stats")(stats)


async def create_book(ls: Session, given: Given, _token: object) -> dict[str, Any]:
    """Makes the folder of `uri` a book of its own; on one that is a book already it changes nothing.

    With `sample` the sample book, in `language` or the client's, is put there first: the folder must be empty.
    """
    from inkwright.lsp import uris

    args = Arguments("inkwright.createBook", given)
    uri, fields = args.text("uri"), args.given(*FIELDS)
    if args.flag("sample"):
        await _sample(uri, fields.pop("language", ls.locale))
    book, _ = await _book(ls, uri)
    path = uris.path(uri)
    assert path is not None
    book = await (await ls.studio()).workspace.adopt(path, fields)
    ls.books.forget()
    return _fields(book)


async def get_book(ls: Session, given: Given, _token: object) -> dict[str, Any]:
    """The shape of `index --json`, each chapter with its `status` ('' for none), the book's `revision`, and `owned`.

    `next` is what the next chapter would be called: '' where chapters have no numbers.
    """
    from inkwright.abilities import shapes
    from inkwright.manuscript import chapterfile

    args = Arguments("inkwright.getBook", given)
    book, index = await _book(ls, args.text("uri"))
    out = shapes.index(index, ls.locale)
    out["revision"] = book.book.revision
    out["owned"] = book.book.owned
    out["next"] = chapterfile.following(index.chapters(), book.book.language or ls.locale)
    return out


async def update_book(ls: Session, given: Given, _token: object) -> dict[str, Any]:
    """Changes the fields that are given; with a `revision` that is not the book's it changes nothing."""
    args = Arguments("inkwright.updateBook", given)
    book, _ = await _book(ls, args.text("uri"))
    studio = await ls.studio()
    await studio.workspace.update(book, args.given(*FIELDS), args.whole("revision"))
    ls.checks.again()
    return _fields(book)


async def stats(ls: Session, given: Given, _token: object) -> dict[str, Any]:
    """{uri, days?, brief?} → counts of the book, of each chapter, and of what was written today.

    `document` is the row of the chapter that `uri` names, null for none. `days` adds what was gained on each of
    the last days on which something was; `brief` leaves out the rows of the chapters.
    """
    from inkwright.abilities import shapes, spent
    from inkwright.domain.manuscript import Counts
    from inkwright.lsp import uris

    args = Arguments("inkwright.stats", given)
    uri, days = args.text("uri"), args.whole("days")
    book, index = await _book(ls, uri)
    await book.note_counts()
    chapters = index.chapters()
    ids = await book.state.chapters.ids()
    written = await book.state.daily_counts.written(time.strftime("%Y-%m-%d"))

    def row(chapter: Chapter) -> dict[str, Any]:
        return {
            "path": chapter.path,
            "title": chapter.title,
            "counts": shapes.counts(chapter.counts),
            "today": shapes.counts(written.get(ids.get(chapter.path, ""), Counts())),
        }

    path = uris.path(uri)
    named = "" if path is None or not path.is_relative_to(book.root) else book.relative(path)
    out: dict[str, Any] = {
        "root": str(book.root),
        "type": book.book.type,
        "rule": book.book.count,
        "book": shapes.counts(sum((c.counts for c in chapters), Counts())),
        "today": shapes.counts(sum(written.values(), Counts())),
        "document": next((row(one) for one in chapters if one.path == named), None),
    }
    if not args.flag("brief"):
        out["chapters"] = [row(chapter) for chapter in chapters]
    if days is not None:
        history = await book.state.daily_counts.days(spent.since(days))
        out["history"] = [{"day": day, "counts": shapes.counts(gained)} for day, gained in history.items()]
    return out


async def _sample(uri: str, language: str) -> None:
    """Raises `InkwrightError`: demo_folder_taken, demo_folder_unwritable, book_needs_folder."""
    import asyncio

    from inkwright.domain.errors import InkwrightError
    from inkwright.library import sample_book
    from inkwright.lsp import uris

    path = uris.path(uri)
    if path is None:
        raise InkwrightError("book_needs_folder", uri=uri)
    await asyncio.to_thread(sample_book.copy, "zh" if language.startswith("zh") else "en", path)


async def _book(ls: Session, uri: str) -> tuple[OpenBook, BookIndex]:
    book = await ls.books.at(uri)
    index = book.files
    await book.ready()
    return book, index


def _fields(book: OpenBook) -> dict[str, Any]:
    from inkwright.abilities import shapes

    return {**shapes.book(book.book), "revision": book.book.revision, "owned": book.book.owned}

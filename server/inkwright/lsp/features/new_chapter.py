"""createChapter: a new chapter behind the last one."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from inkwright.lsp.arguments import Arguments

if TYPE_CHECKING:
    from inkwright.lsp.session import Session

COMMAND = "inkwright.createChapter"


def register(ls: Session) -> None:
    ls.command(COMMAND)(create)


async def create(ls: Session, given: Mapping[str, Any], _token: object) -> dict[str, str]:
    """{uri, title} → {uri}: a new file with the title as its heading; one that exists is never overwritten.

    It goes to the folder of the last chapter. `getBook` says in `next` what the next chapter would be called.
    """
    from inkwright.domain.errors import InkwrightError
    from inkwright.domain.text import encodable
    from inkwright.manuscript import chapterfile

    args = Arguments(COMMAND, given)
    book = await ls.books.at(args.text("uri"))
    index = book.files
    await book.ready()
    if index.layout != "plain":
        raise InkwrightError("chapter_other_layout", layout=index.layout)
    title, chapters = encodable(args.text("title")), index.chapters()
    folder = chapterfile.folder_for(chapters, index.fields.chapters)
    order = chapterfile.order_for(chapters, folder)
    path = await asyncio.to_thread(chapterfile.create, book.root, folder, title, order)
    # Our own file: the index learns of it now, whether the client watches files or not.
    await index.file_changed(book.relative(path))
    ls.checks.again()
    return {"uri": ls.documents.uri(path)}

"""What is remembered for a book: listMemories, addMemory, updateMemory, deleteMemory, clearMemories."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from inkwright.lsp.arguments import Arguments

if TYPE_CHECKING:
    from inkwright.lsp.session import Session
    from inkwright.workspace import OpenBook

PAGE = 50
MAX_PAGE = 500

Given = Mapping[str, Any]


def register(ls: Session) -> None:
    ls.command("inkwright.listMemories")(list_memories)
    ls.command("inkwright.addMemory")(add_memory)
    ls.command("inkwright.updateMemory")(update_memory)
    ls.command("inkwright.deleteMemory")(delete_memory)
    ls.command("inkwright.clearMemories")(clear_memories)


async def list_memories(ls: Session, given: Given, _token: object) -> dict[str, Any]:
    """{uri?, ability?, type?, limit?, cursor?} → {memories, next}: newest first; `next` is null after the last page.

    Those of all abilities are among those of any one.
    """
    from inkwright.memory import shape
    from inkwright.memory.remember import known_type

    args = Arguments("inkwright.listMemories", given)
    limit = max(1, min(args.whole("limit") or PAGE, MAX_PAGE))
    before = args.cursor("cursor")
    ability, kind = args.maybe("ability"), args.maybe("type")
    found = [
        memory
        for book in await _books(ls, args.maybe("uri"))
        for memory in await book.state.memories.list(
            limit + 1, before, ability=ability, kind=kind and known_type(kind)
        )
    ]
    found.sort(key=lambda memory: (-memory.created_at, memory.id))
    page = found[:limit]
    following = f"{page[-1].created_at!r}|{page[-1].id}" if len(found) > limit else None
    return {"memories": [shape.memory(memory) for memory in page], "next": following}


async def add_memory(ls: Session, given: Given, _token: object) -> dict[str, Any]:
    """{uri, content, type?, ability?, pinned?} → the memory; one that says the same already is renewed."""
    from inkwright.memory import remember, shape

    args = Arguments("inkwright.addMemory", given)
    book = await ls.books.at(args.text("uri"))
    added = await remember.add(
        book.state.memories,
        args.text("content"),
        kind=args.maybe("type") or "preference",
        ability=args.maybe("ability"),
        pinned=args.flag("pinned"),
    )
    return shape.memory(added)


async def update_memory(ls: Session, given: Given, _token: object) -> dict[str, Any]:
    """{id, uri?, content?, type?, ability?, pinned?, revision?} → the memory as it is then."""
    from inkwright.memory import remember, shape

    args = Arguments("inkwright.updateMemory", given)
    fields = args.given("content", "type", "ability")
    pinned = args.flag("pinned") if given.get("pinned") is not None else None
    ident, revision = args.text("id"), args.whole("revision")
    changed = await remember.edit(
        (await _book_of(ls, args, ident)).state.memories,
        ident,
        content=fields.get("content"),
        kind=fields.get("type"),
        ability=fields.get("ability"),
        pinned=pinned,
        revision=revision,
    )
    return shape.memory(changed)


async def delete_memory(ls: Session, given: Given, _token: object) -> dict[str, bool]:
    """{id, uri?, revision?} → {deleted}"""
    args = Arguments("inkwright.deleteMemory", given)
    ident, revision = args.text("id"), args.whole("revision")
    await (await _book_of(ls, args, ident)).state.memories.delete(ident, revision)
    return {"deleted": True}


async def clear_memories(ls: Session, given: Given, _token: object) -> dict[str, int]:
    """{uri, ability?, type?} → {cleared}: how many were deleted, pinned ones among them.

    The client asks the writer first.
    """
    from inkwright.memory.remember import known_type

    args = Arguments("inkwright.clearMemories", given)
    book = await ls.books.at(args.text("uri"))
    ability, kind = args.maybe("ability"), args.maybe("type")
    cleared = await book.state.memories.clear(ability=ability, kind=kind and known_type(kind))
    return {"cleared": cleared}


async def _books(ls: Session, uri: str) -> list[OpenBook]:
    return [await ls.books.at(uri)] if uri else await ls.books.everywhere()


async def _book_of(ls: Session, args: Arguments, ident: str) -> OpenBook:
    """The book that has the memory. Raises `InkwrightError`: memory_unknown."""
    from inkwright.domain.errors import InkwrightError

    for book in await _books(ls, args.maybe("uri")):
        if await book.state.memories.get(ident) is not None:
            return book
    raise InkwrightError("memory_unknown", memory=ident)

"""`inkwright memories`: what is remembered for a book, to be seen, changed, and brought over from elsewhere."""

from __future__ import annotations

import argparse
import asyncio
import math
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inkwright.cli.confirm import agreed, somebody
from inkwright.cli.context import EXIT_CANCELLED, EXIT_DONE, EXIT_USAGE, Context, Subparsers, folder_of
from inkwright.domain.errors import Fault

if TYPE_CHECKING:
    from inkwright.domain.memory import Memory
    from inkwright.workspace import OpenBook

MOST = 1_000_000
"""Memories in a list."""


def add_parser(commands: Subparsers) -> None:
    parser = commands.add_parser("memories", help="what is remembered for a book")
    actions = parser.add_subparsers(
        dest="action", required=True, metavar="list|add|edit|pin|unpin|delete|clear|import"
    )
    listing = actions.add_parser("list", help="the newest memories of a book")
    listing.add_argument("--limit", type=int, default=50)
    listing.add_argument("--cursor", metavar="NEXT", help="where the page before ended")
    adding = actions.add_parser("add", help="remember a sentence")
    adding.add_argument("content", metavar="TEXT")
    adding.add_argument("--pin", action="store_true", help="never pruned, always brought along")
    editing = actions.add_parser("edit", help="change a memory")
    editing.add_argument("id", metavar="ID")
    editing.add_argument("--content", metavar="TEXT")
    editing.add_argument(
        "--revision", type=int, metavar="N", help="only if it still is the one of this number"
    )
    for name, text in (
        ("pin", "keep a memory for good"),
        ("unpin", "let it be pruned again"),
        ("delete", "forget it"),
    ):
        actions.add_parser(name, help=text).add_argument("id", metavar="ID")
    clearing = actions.add_parser("clear", help="delete all memories, or those of an ability or a type")
    importing = actions.add_parser("import", help="bring over a TimeWrite agent_memory.db or time_write.db")
    importing.add_argument("file", metavar="FILE", type=Path)
    importing.add_argument(
        "--book", metavar="ID", default="", help="which of the file's books, by id or title"
    )
    for action in (listing, adding, editing, clearing):
        action.add_argument("--type", metavar="TYPE", help="preference, decision or lesson")
        action.add_argument("--ability", metavar="ABILITY")
    for action in actions.choices.values():
        action.add_argument("dir", metavar="DIR", type=Path, nargs="?", default=Path())
        action.add_argument("--json", action="store_true", help="one JSON object instead of text")
        action.add_argument("--yes", action="store_true", help="do not ask")


async def run(args: argparse.Namespace, context: Context) -> int:
    if args.action == "edit" and args.content is None and not args.dir.exists():
        meant = Fault("option_meant", {"given": str(args.dir), "option": "--content"})
        return context.fail(meant, EXIT_USAGE)
    folder = folder_of(args.dir)
    if args.action == "edit" and all(value is None for value in (args.content, args.type, args.ability)):
        return context.fail(Fault("nothing_to_edit", {"fields": "--content, --type, --ability"}), EXIT_USAGE)
    if args.action in ("clear", "import") and not args.yes and not somebody(context):
        return context.fail(Fault("memories_confirm"), EXIT_USAGE)
    async with context.studio([folder]) as studio:
        book = await studio.workspace.book(folder)
        action = {"list": _list, "clear": _clear, "import": _import, "delete": _delete}.get(
            args.action, _change
        )
        return await action(args, context, book)


async def _list(args: argparse.Namespace, context: Context, book: OpenBook) -> int:
    from inkwright.memory import shape
    from inkwright.memory.remember import known_type

    limit = min(max(1, args.limit), MOST)
    kind = known_type(args.type) if args.type else ""
    before = _cursor(args.cursor)
    if args.cursor and before is None:
        return context.fail(Fault("usage", {"message": f"--cursor {args.cursor}"}), EXIT_USAGE)
    found = await book.state.memories.list(limit + 1, before, ability=args.ability or "", kind=kind)
    page = found[:limit]
    following = f"{page[-1].created_at!r}|{page[-1].id}" if len(found) > limit else None
    if context.json:
        context.emit({"memories": [shape.memory(one) for one in page], "next": following})
        return EXIT_DONE
    if not page:
        context.note(context.tr("memories_none"))
    for one in page:
        context.say(_line(one, context))
    return EXIT_DONE


async def _change(args: argparse.Namespace, context: Context, book: OpenBook) -> int:
    from inkwright.memory import remember, shape

    memories = book.state.memories
    if args.action == "add":
        changed = await remember.add(
            memories,
            args.content,
            kind=args.type or "preference",
            ability=args.ability or "",
            pinned=args.pin,
        )
    elif args.action == "edit":
        changed = await remember.edit(
            memories,
            args.id,
            content=args.content,
            kind=args.type,
            ability=args.ability,
            revision=args.revision,
        )
    else:
        changed = await remember.edit(memories, args.id, pinned=args.action == "pin")
    if context.json:
        context.emit(shape.memory(changed))
    else:
        context.say(_line(changed, context))
    return EXIT_DONE


async def _delete(args: argparse.Namespace, context: Context, book: OpenBook) -> int:
    await book.state.memories.delete(args.id)
    return _said(context, {"deleted": True}, context.tr("memory_deleted", memory=args.id))


async def _clear(args: argparse.Namespace, context: Context, book: OpenBook) -> int:
    from inkwright.memory.remember import known_type

    ability, kind = args.ability or "", known_type(args.type) if args.type else ""
    counts = await book.state.memories.counts()
    due = sum(
        number
        for (of, type_), number in counts.items()
        if (not ability or of == ability) and (not kind or type_ == kind)
    )
    if due and not args.yes and not await agreed(context, context.tr("memories_clear_ask", count=due)):
        return context.fail(Fault("memories_kept"), EXIT_CANCELLED)
    cleared = await book.state.memories.clear(ability=ability, kind=kind)
    return _said(context, {"cleared": cleared}, context.tr("memories_cleared", count=cleared))


async def _import(args: argparse.Namespace, context: Context, book: OpenBook) -> int:
    from inkwright.memory import legacy
    from inkwright.store.legacy_memories import regular
    from inkwright.workspace import absolute

    # Nobody is asked about a file that is not there.
    await asyncio.to_thread(regular, absolute(args.file))
    ask = context.tr("memories_import_ask", path=args.file)
    if not args.yes and not await agreed(context, ask):
        return context.fail(Fault("memories_kept"), EXIT_CANCELLED)
    done = await legacy.import_file(
        book.state.memories, absolute(args.file), title=book.book.title, book=args.book
    )
    code = f"memories_import_{done.skipped}" if done.skipped else "memories_imported"
    said = context.tr(code, path=args.file, count=done.count, left=done.left)
    return _said(context, {"imported": done.count, "left": done.left, "skipped": done.skipped or None}, said)


def _said(context: Context, value: dict[str, Any], sentence: str) -> int:
    if context.json:
        context.emit({**value, "message": sentence})
    else:
        context.say(sentence)
    return EXIT_DONE


def _line(one: Memory, context: Context) -> str:
    when = datetime.fromtimestamp(one.updated_at).strftime("%Y-%m-%d %H:%M")
    kind = context.tr(f"memory_type_{one.type}")
    pin = "*" if one.pinned else " "
    return f"{one.id}  {when}  {pin} {kind}  {one.ability or '-':9}  {' '.join(one.content.split())}"


def _cursor(given: str | None) -> tuple[float, str] | None:
    created, _, last = (given or "").partition("|")
    try:
        at = float(created)
    except ValueError:
        return None
    return (at, last) if last and math.isfinite(at) else None

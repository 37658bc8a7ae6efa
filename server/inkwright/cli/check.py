"""`inkwright check`: the offline diagnostics of files, as text, JSON or SARIF."""

from __future__ import annotations

import argparse
import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inkwright.cli.context import EXIT_DONE, EXIT_FAILED, EXIT_FINDINGS, Context, Subparsers
from inkwright.domain.errors import Fault, InkwrightError
from inkwright.domain.manuscript import Problem
from inkwright.i18n import tr

if TYPE_CHECKING:
    from inkwright.abilities.studio import Studio
    from inkwright.domain.diagnostic import Diagnostic

BOOK_FILE = "book.toml"
TEXTS = (".md", ".markdown", ".txt", ".nwd")
"""What a person writes in: cards that are tables of a program's are no text to proofread."""
MANY = 20
SHOWN = 5
"""Of more than `MANY` findings of one code in one file only the first `SHOWN` are lines of their own."""
LEFT_ALONE = frozenset(
    {
        "link_outside",
        "decisions_conflict",
        "decisions_bad_line",
        "decisions_unreadable",
        "decisions_too_large",
    }
)
"""Problems of a folder that leave nothing unchecked which is part of it."""


def add_parser(commands: Subparsers) -> None:
    parser = commands.add_parser("check", help="proofread files; exit 1 if any has an error or warning")
    parser.add_argument("paths", metavar="PATH", type=Path, nargs="+")
    parser.add_argument("--format", choices=("text", "json", "sarif"), default="text")
    parser.add_argument("--json", action="store_true", help="the same as --format json")
    parser.add_argument(
        "--intended", action="store_true", help="list what was called intended, check nothing"
    )
    parser.add_argument(
        "--forget",
        metavar="ID",
        action="append",
        default=[],
        help="take such a decision back; may be repeated",
    )
    parser.add_argument(
        "--all", action="store_true", help="every finding, also of a kind that a file is full of"
    )
    parser.add_argument(
        "--in-book",
        action="store_true",
        help="pass over a PATH that is neither Markdown nor a book's own text",
    )


async def run(args: argparse.Namespace, context: Context) -> int:
    """A PATH that cannot be read ends the check; a file inside a folder is told of, and the rest goes on."""
    from inkwright.manuscript import walk
    from inkwright.workspace import absolute

    if args.intended or args.forget:
        return await _decided(args, context)
    given = [absolute(p) for p in args.paths]
    folders = [path for path in given if path.is_dir()]
    files: dict[Path, dict[str, Any]] = {}
    problems: list[Problem] = []
    beside = [absolute(Path())] if args.in_book else []  # what a repository holds without a mark is one book
    async with context.studio([*folders, *beside]) as studio:
        for path in given:
            if path not in folders:
                if args.in_book and not await _of_book(studio, path):
                    continue
                files[path] = await _checked(studio, path, context)
                continue
            listing = await asyncio.to_thread(walk.scan, path)
            problems += [problem for problem in listing.problems if problem.code != "book_inside"]
            for inner in (path / name for name in sorted(listing.bounds.inner)):  # asked for with the folder
                if inner not in folders:
                    given.append(inner)
                    folders.append(inner)
            own = [path / BOOK_FILE] if await asyncio.to_thread((path / BOOK_FILE).is_file) else []
            texts = {*(path / name for name in listing.files), *await _texts(studio, path)}
            if not texts and not listing.problems:
                context.notice(Fault("no_chapter", {"path": _shown(path)}))
            for file in [*own, *sorted(texts)]:
                if file in files:
                    continue
                try:
                    checked = await _checked(studio, file, context)
                    if file.name != BOOK_FILE or checked["diagnostics"]:  # it is no part of the manuscript
                        files[file] = checked
                except InkwrightError as error:
                    problems.append(Problem(_shown(file), 0, error.fault.code, error.fault.params))
        for book in studio.workspace.open_books():
            if book.index is not None:
                problems += (await studio.findings.intentions.of(book.root))[1]
    return _report(args, list(files.values()), problems, context)


async def _decided(args: argparse.Namespace, context: Context) -> int:
    """What was called intended in the books of the paths; those that are named are taken back."""
    from inkwright.abilities import shapes
    from inkwright.workspace import absolute

    given = [absolute(p) for p in args.paths]
    known: dict[str, Any] = {}
    problems: list[Problem] = []
    removed = 0
    async with context.studio([path for path in given if path.is_dir()]) as studio:
        for path in given:
            root = (await studio.workspace.book(path)).files.root
            found, wrong = await studio.findings.intentions.of(root)
            known |= {one.id: one for one in found}
            problems += wrong
            removed += await studio.findings.intentions.remove(root, args.forget)
    for ident in args.forget:
        if ident not in known:
            raise InkwrightError("intended_unknown", id=ident)
    told = [shapes.problem(problem, context.locale) for problem in problems]
    if context.json:
        left = [shapes.intended(one) for one in known.values() if one.id not in args.forget]
        context.emit({"intended": left, "removed": removed, "problems": told})
        return EXIT_DONE
    if args.forget:
        context.say(tr("intended_forgotten", context.locale, {"count": removed}))
    elif not known:
        context.say(tr("intended_none", context.locale))
    else:
        for one in known.values():
            place = one.path or tr("intended_everywhere", context.locale)
            context.row(f"{one.id}  {one.code}  {place}  {one.text}")
    for problem in told:
        context.line(f"inkwright: {problem['message']}")
    return EXIT_DONE


async def _checked(studio: Studio, path: Path, context: Context) -> dict[str, Any]:
    from inkwright.abilities import profile_files, relating, shapes

    book, snapshot = await studio.workspace.snapshot(path)
    if snapshot.readonly == "binary":
        raise InkwrightError("file_binary", path=str(path))
    await book.ready()
    found: Sequence[Diagnostic] | None = await profile_files.review(studio, book, path, snapshot.text)
    if found is None:
        found = await studio.findings.of(
            snapshot.text, book, book_file=path.name == BOOK_FILE, path=snapshot.path
        )
    related = [
        [(replace(place, path=_shown(book.root / place.path)), where) for place, where in row]
        for row in await relating.places(book, found)
    ]
    return await asyncio.to_thread(
        shapes.checked, _shown(path), snapshot.text, found, related, context.locale
    )


async def _texts(studio: Studio, folder: Path) -> set[Path]:
    """The chapters and cards that the book of a folder has in it, whatever their files are called."""
    book = await studio.workspace.book(folder)
    await book.ready()
    files = {
        *(chapter.path for chapter in book.files.chapters()),
        *(card.file for card in book.files.cards()),
    }
    paths = (book.root / name for name in files if name.lower().endswith(TEXTS))
    return {path for path in paths if path.is_relative_to(folder)}


async def _of_book(studio: Studio, path: Path) -> bool:
    """Whether a file is Markdown, or a chapter or card of a book all the same."""
    from inkwright.manuscript import walk

    if walk.is_text(path.name) or not await asyncio.to_thread(path.is_file):
        return True  # or it is told of as missing
    return path in await _texts(studio, path.parent)


def _report(
    args: argparse.Namespace, files: list[dict[str, Any]], problems: Sequence[Problem], context: Context
) -> int:
    from inkwright.abilities import shapes

    told = [shapes.problem(problem, context.locale) for problem in problems]
    if context.json:
        context.emit({"files": files, "problems": told})
    elif args.format == "sarif":
        from inkwright.checks import checking
        from inkwright.cli import sarif

        context.emit(sarif.log(files, told, lambda code: checking.about(code, context.locale)))
    else:
        _text(context, files, MANY if not args.all else 0)
    for problem in told:
        place = "" if Path(problem["path"]).name in problem["message"] else f"{problem['path']}: "
        context.line(f"inkwright: {place}{problem['message']}")
    if any(problem["code"] not in LEFT_ALONE for problem in told):
        return EXIT_FAILED
    alarms = any(d["severity"] in ("error", "warning") for f in files for d in f["diagnostics"])
    return EXIT_FINDINGS if alarms else EXIT_DONE


def _shown(path: Path) -> str:
    try:
        return path.relative_to(Path.cwd()).as_posix()
    except ValueError:
        return path.as_posix()


def _text(context: Context, files: list[dict[str, Any]], many: int) -> None:
    """Lines of findings; of a code with more than `many` (0: no limit) in one file the first few and a count."""
    kinds: Counter[str] = Counter()
    for file in files:
        counts = Counter(found["code"] for found in file["diagnostics"])
        kinds += counts
        long = {code for code, count in counts.items() if many and count > many}
        seen: Counter[str] = Counter()
        for found in file["diagnostics"]:
            seen[found["code"]] += 1
            if found["code"] not in long or seen[found["code"]] <= SHOWN:
                _line(context, file["path"], found)
        for code in sorted(long):
            more = context.tr("check_more", count=counts[code] - SHOWN, rule=code)
            context.row(f"{file['path']}: {more}")
    if kinds.total() > many > 0:
        listed = context.tr("list_comma").join(f"{code} {count}" for code, count in kinds.most_common())
        context.line(context.tr("check_kinds", count=kinds.total(), files=len(files), kinds=listed))


def _line(context: Context, path: str, found: dict[str, Any]) -> None:
    place = found["range"]["start"]
    fix = "" if found["fix"] is None else f"  -> {found['fix']['newText']!r}"
    severity = context.tr(f"severity_{found['severity']}")
    context.row(
        f"{path}:{place['line'] + 1}:{place['character'] + 1}: "
        f"{severity}: {found['message']} [{found['code']}]{fix}"
    )
    for related in found.get("related", ()):
        line = related["range"]["start"]["line"] + 1
        context.row(f"  {related['path']}:{line}: {related['message']}")

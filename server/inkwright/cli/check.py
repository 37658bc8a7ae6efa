"""`inkwright check`: the offline diagnostics of files, as text, JSON or SARIF."""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inkwright import __version__
from inkwright.cli.context import EXIT_DONE, EXIT_FAILED, EXIT_FINDINGS, Context, Subparsers
from inkwright.domain.errors import InkwrightError
from inkwright.domain.manuscript import Problem

if TYPE_CHECKING:
    from inkwright.abilities.studio import Studio

LEVEL = {"error": "error", "warning": "warning", "information": "note", "hint": "none"}
BOOK_FILE = "book.toml"
LEFT_ALONE = frozenset({"link_outside"})
"""Problems of a folder that leave nothing unchecked which is part of it."""


def add_parser(commands: Subparsers) -> None:
    parser = commands.add_parser("check", help="proofread files; exit 1 if any has an error or warning")
    parser.add_argument("paths", metavar="PATH", type=Path, nargs="+")
    parser.add_argument("--format", choices=("text", "json", "sarif"), default="text")
    parser.add_argument("--json", action="store_true", help="the same as --format json")


async def run(args: argparse.Namespace, context: Context) -> int:
    """A PATH that cannot be read ends the check; a file inside a folder is told of, and the rest goes on."""
    from inkwright.manuscript import walk
    from inkwright.workspace import absolute

    given = [absolute(p) for p in args.paths]
    folders = [path for path in given if path.is_dir()]
    files: dict[Path, dict[str, Any]] = {}
    problems: list[Problem] = []
    async with context.studio(folders) as studio:
        for path in given:
            if path not in folders:
                files[path] = await _checked(studio, path, context)
                continue
            listing = await asyncio.to_thread(walk.scan, path)
            problems += [problem for problem in listing.problems if problem.code != "book_inside"]
            for inner in (path / name for name in sorted(listing.bounds.inner)):  # asked for with the folder
                if inner not in folders:
                    given.append(inner)
                    folders.append(inner)
            own = [path / BOOK_FILE] if await asyncio.to_thread((path / BOOK_FILE).is_file) else []
            for file in [*own, *(path / name for name in sorted(listing.files))]:
                if file in files:
                    continue
                try:
                    checked = await _checked(studio, file, context)
                    if file.name != BOOK_FILE or checked["diagnostics"]:  # it is no part of the manuscript
                        files[file] = checked
                except InkwrightError as error:
                    problems.append(Problem(_shown(file), 0, error.fault.code, error.fault.params))
    return _report(args.format, list(files.values()), problems, context)


async def _checked(studio: Studio, path: Path, context: Context) -> dict[str, Any]:
    from inkwright.abilities import relating, shapes

    book, snapshot = await studio.workspace.snapshot(path)
    if snapshot.readonly == "binary":
        raise InkwrightError("file_binary", path=str(path))
    await book.ready()
    found = await studio.diagnose(snapshot.text, book, book_file=path.name == BOOK_FILE, path=snapshot.path)
    related = [
        [(replace(place, path=_shown(book.root / place.path)), where) for place, where in row]
        for row in await relating.places(book, found)
    ]
    return await asyncio.to_thread(
        shapes.checked, _shown(path), snapshot.text, found, related, context.locale
    )


def _report(form: str, files: list[dict[str, Any]], problems: Sequence[Problem], context: Context) -> int:
    from inkwright.abilities import shapes

    told = [shapes.problem(problem, context.locale) for problem in problems]
    if context.json:
        context.emit({"files": files, "problems": told})
    elif form == "sarif":
        context.say(json.dumps(_sarif(files), ensure_ascii=False))
    else:
        _text(context, files)
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


def _text(context: Context, files: list[dict[str, Any]]) -> None:
    for file in files:
        for found in file["diagnostics"]:
            place = found["range"]["start"]
            fix = "" if found["fix"] is None else f"  -> {found['fix']['newText']!r}"
            context.say(
                f"{file['path']}:{place['line'] + 1}:{place['character'] + 1}: "
                f"{found['severity']}: {found['message']} [{found['code']}]{fix}"
            )
            for related in found.get("related", ()):
                line = related["range"]["start"]["line"] + 1
                context.say(f"  {related['path']}:{line}: {related['message']}")


def _sarif(files: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "inkwright", "version": __version__, "rules": _rules(files)}},
                "columnKind": "utf16CodeUnits",
                "results": [
                    {
                        "ruleId": found["code"],
                        "level": LEVEL[found["severity"]],
                        "message": {"text": found["message"]},
                        "locations": [_location(file["path"], found["range"])],
                        **_related(found),
                    }
                    for file in files
                    for found in file["diagnostics"]
                ],
            }
        ],
    }


def _related(found: dict[str, Any]) -> dict[str, Any]:
    places = [
        {**_location(related["path"], related["range"]), "message": {"text": related["message"]}}
        for related in found.get("related", ())
    ]
    return {"relatedLocations": places} if places else {}


def _rules(files: list[dict[str, Any]]) -> list[dict[str, str]]:
    return [{"id": code} for code in sorted({d["code"] for f in files for d in f["diagnostics"]})]


def _location(path: str, where: dict[str, Any]) -> dict[str, Any]:
    from urllib.parse import quote

    start, end = where["start"], where["end"]
    return {
        "physicalLocation": {
            "artifactLocation": {"uri": quote(path)},
            "region": {
                "startLine": start["line"] + 1,
                "startColumn": start["character"] + 1,
                "endLine": end["line"] + 1,
                "endColumn": end["character"] + 1,
            },
        }
    }

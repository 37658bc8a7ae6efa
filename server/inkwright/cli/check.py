"""`inkwright check`: the offline diagnostics of files, as text, JSON or SARIF."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from inkwright import __version__
from inkwright.cli.context import EXIT_DONE, EXIT_FINDINGS, Context, Subparsers
from inkwright.domain.errors import Fault, InkwrightError

LEVEL = {"error": "error", "warning": "warning", "information": "note", "hint": "none"}


def add_parser(commands: Subparsers) -> None:
    parser = commands.add_parser("check", help="proofread files; exit 1 if any has an error or warning")
    parser.add_argument("paths", metavar="PATH", type=Path, nargs="+")
    parser.add_argument("--format", choices=("text", "json", "sarif"), default="text")
    parser.add_argument("--json", action="store_true", help="the same as --format json")


async def run(args: argparse.Namespace, context: Context) -> int:
    from inkwright.abilities import shapes
    from inkwright.workspace import absolute

    files: list[dict[str, Any]] = []
    async with context.studio() as studio:
        for path in [absolute(p) for p in args.paths]:
            if not path.exists():
                raise InkwrightError("file_missing", path=str(path))
            for file in _files(path, context):
                book, snapshot = await studio.workspace.snapshot(file)
                if snapshot.readonly == "binary":
                    raise InkwrightError("file_binary", path=str(file))
                await book.ready()
                found = await studio.diagnose(snapshot.text, book)
                files.append(shapes.checked(_shown(file), snapshot.text, found, context.locale))
    form = "json" if context.json else args.format
    if form == "json":
        context.emit({"files": files})
    elif form == "sarif":
        context.say(json.dumps(_sarif(files), ensure_ascii=False))
    else:
        _text(context, files)
    alarms = any(d["severity"] in ("error", "warning") for f in files for d in f["diagnostics"])
    return EXIT_FINDINGS if alarms else EXIT_DONE


def _files(path: Path, context: Context) -> Iterator[Path]:
    """The file itself, or the Markdown files of a folder; what a walk could not read is said."""
    if not path.is_dir():
        yield path
        return
    from inkwright.manuscript import walk

    listing = walk.scan(path)
    for problem in listing.problems:
        context.notice(Fault(problem.code, dict(problem.params)))
    for name in sorted(listing.files):
        yield path / name


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
                    }
                    for file in files
                    for found in file["diagnostics"]
                ],
            }
        ],
    }


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

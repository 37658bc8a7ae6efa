"""`inkwright doctor`: Python, database, index, models, secrets: each ok, or what to do."""

from __future__ import annotations

import argparse
import platform
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from inkwright import __version__
from inkwright.cli.context import EXIT_DONE, EXIT_FAILED, Context, Subparsers
from inkwright.domain.errors import Fault, InkwrightError
from inkwright.i18n import render

if TYPE_CHECKING:
    from inkwright.abilities.studio import Studio


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the report; `fault` is None when all is well."""

    name: str
    text: str
    fault: Fault | None = None


def add_parser(commands: Subparsers) -> None:
    parser = commands.add_parser("doctor", help="check the installation, and a book's data")
    parser.add_argument("dir", metavar="DIR", type=Path, nargs="?", default=Path())
    parser.add_argument("--json", action="store_true", help="one JSON object instead of text")


async def run(args: argparse.Namespace, context: Context) -> int:
    from inkwright.workspace import absolute

    folder = absolute(args.dir)
    notices: list[Fault] = []
    studio = await context.build(editor=None, locale=context.locale, folders=[folder], notify=notices.append)
    try:
        findings = [_python(), *await _book(studio, folder, context), *_models(studio, context)]
    finally:
        await studio.close()
    findings += [Check("notice", "", fault) for fault in notices]
    if context.json:
        context.emit({"ok": not _faulty(findings), "checks": [_shape(f, context) for f in findings]})
    else:
        for found in findings:
            mark = "ok  " if found.fault is None else "FAIL"
            text = found.text if found.fault is None else render(found.fault, context.locale)
            context.say(f"{mark} {found.name:9} {text}")
    return EXIT_FAILED if _faulty(findings) else EXIT_DONE


def _python() -> Check:
    text = f"inkwright {__version__}, Python {platform.python_version()}, {sys.platform}"
    return Check("python", text)


async def _book(studio: Studio, folder: Path, context: Context) -> list[Check]:
    try:
        book = await studio.workspace.book(folder)
        await book.ready()
        await book.state.runs.list(limit=1)
    except InkwrightError as error:
        return [Check("database", "", error.fault)]
    out = [Check("database", str(book.state.database.path))]
    index = book.index
    if index is not None:
        totals = context.tr("index_totals", chapters=len(index.chapters()), cards=len(index.cards()))
        out.append(Check("index", totals))
        out += [Check("index", "", Fault(p.code, {"path": p.path, **p.params})) for p in index.problems]
    return out


def _models(studio: Studio, context: Context) -> list[Check]:
    out: list[Check] = []
    for profile in studio.settings.models:
        chosen = " *" if profile.id == studio.settings.model else ""
        if profile.offline:
            out.append(Check("model", f"{profile.id}{chosen}: {context.tr('model_offline')}"))
        elif studio.models.configured(profile):
            out.append(Check("model", f"{profile.id}{chosen}: {profile.model} @ {profile.host}"))
        else:
            ref = profile.key.ref if profile.key else ""
            out.append(Check("secret", "", Fault("key_missing_for", {"model": profile.id, "ref": ref})))
    return out


def _faulty(findings: list[Check]) -> bool:
    return any(f.fault is not None for f in findings)


def _shape(found: Check, context: Context) -> dict[str, object]:
    fault = found.fault
    return {
        "name": found.name,
        "ok": fault is None,
        "message": found.text if fault is None else render(fault, context.locale),
        "code": None if fault is None else fault.code,
    }

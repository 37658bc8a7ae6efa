"""`inkwright doctor`: Python, database, index, models, secrets: each ok, or what to do."""

from __future__ import annotations

import argparse
import asyncio
import platform
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from inkwright import __version__, intake
from inkwright.cli.context import EXIT_DONE, EXIT_FAILED, Context, Subparsers, folder_of
from inkwright.domain.errors import Fault, InkwrightError
from inkwright.domain.manuscript import Problem
from inkwright.i18n import render

if TYPE_CHECKING:
    from inkwright.abilities.studio import Studio
    from inkwright.providers.discovery import Found


SHOWN = 10
"""How many problems of a book are listed."""
REMARKS = ("profile_remark", "profiles_untrusted")
"""Notices that tell of nothing broken."""


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the report; `code` is '' when all is well. One that does not fail is a remark on a book."""

    name: str
    text: str
    code: str = ""
    fails: bool = False


def add_parser(commands: Subparsers) -> None:
    parser = commands.add_parser("doctor", help="check the installation, and a book's data")
    parser.add_argument("dir", metavar="DIR", type=Path, nargs="?", default=Path())
    parser.add_argument("--json", action="store_true", help="one JSON object instead of text")


async def run(args: argparse.Namespace, context: Context) -> int:
    from inkwright import workspace

    folder = folder_of(args.dir)
    notices: list[Fault] = []
    async with context.studio([folder], notices.append) as studio:
        await asyncio.to_thread(studio.load)
        findings = [_python(), *await _book(studio, folder, context)]
        findings += await asyncio.to_thread(_models, studio, context)
        findings += [_found(one, context) for one in await studio.models.discover()]
        findings += await asyncio.to_thread(_kept_in_book, folder, context)
        if studio.settings.checks.harper:
            wrong = await studio.findings.english.trial()
            findings += [_fault("harper", wrong, context) if wrong else _harper(context)]
    # What the index has to say is said with it.
    findings += [_notice(fault, context) for fault in notices if fault.code not in workspace.REMARKS]
    well = not any(found.fails for found in findings)
    if context.json:
        context.emit({"ok": well, "checks": [_shape(found) for found in findings]})
    else:
        for found in findings:
            mark = "FAIL" if found.fails else "note" if found.code else "ok  "
            context.say(f"{mark} {found.name:9} {found.text}")
    return EXIT_DONE if well else EXIT_FAILED


def _python() -> Check:
    text = f"inkwright {__version__}, Python {platform.python_version()}, {sys.platform}"
    return Check("python", text)


async def _book(studio: Studio, folder: Path, context: Context) -> list[Check]:
    try:
        book = await studio.workspace.book(folder)
        await book.ready()
        await book.state.runs.list(limit=1)
    except InkwrightError as error:
        return [_fault("database", error.fault, context)]
    await studio.library(book)  # what there is to say of profiles comes as notices
    index = book.files
    totals = context.tr("index_totals", chapters=len(index.chapters()), cards=len(index.cards()))
    return [
        Check("database", str(book.state.database.path)),
        Check("index", totals),
        Check("layout", index.layout),
        *_problems("index", index.problems, context),
    ]


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
            missing = Fault("key_missing_for", {"model": profile.id, "ref": ref})
            out.append(_fault("secret", missing, context))
        if profile.key is not None and studio.models.configured(profile):
            out.append(_secret(studio, profile.key.ref, context))
    return list(dict.fromkeys(out))


def _secret(studio: Studio, ref: str, context: Context) -> Check:
    """Whether a key can be read and be one; its value goes nowhere. May wait for a keyring."""
    kind, _, name = ref.partition(":")
    found = studio.models.secrets.resolve(ref)
    if isinstance(found, Fault):
        return _fault("secret", found, context)
    return Check(
        "secret", context.tr("doctor_secret_ok", name=name, where=context.tr(f"secret_where_{kind}"))
    )


def _harper(context: Context) -> Check:
    return Check("harper", context.tr("doctor_harper"))


def _found(one: Found, context: Context) -> Check:
    row = one.provider
    return Check("model", context.tr("doctor_found", label=row.label, endpoint=row.endpoint), "doctor_found")


def _kept_in_book(folder: Path, context: Context) -> list[Check]:
    """What `book.toml` has that it should not; a file that can't be read is the index's matter."""
    from inkwright.checks import checking, keys
    from inkwright.manuscript import bookfile

    try:
        text = intake.read(folder / bookfile.NAME, bookfile.MAX_SIZE).decode("utf-8-sig")
    except (OSError, ValueError):
        return []
    found = keys.in_book_file(text)
    return [
        Check("secret", checking.message(one, context.locale), one.code, fails=one.severity == "error")
        for one in found
    ]


def _notice(fault: Fault, context: Context) -> Check:
    if fault.code in REMARKS:
        return Check("profiles", render(fault, context.locale), fault.code)
    return _fault("notice", fault, context)


def _fault(name: str, fault: Fault, context: Context) -> Check:
    return Check(name, render(fault, context.locale), fault.code, fails=True)


def _problems(name: str, problems: Sequence[Problem], context: Context) -> list[Check]:
    from inkwright.abilities import shapes

    told = [shapes.problem(problem, context.locale) for problem in problems]
    shown = [Check(name, f"{p['path']}:{p['line'] + 1}: {p['message']}", p["code"]) for p in told[:SHOWN]]
    if len(told) > SHOWN:
        more = context.tr("doctor_more", count=len(told) - SHOWN)
        shown.append(Check(name, more, "doctor_more"))
    return shown


def _shape(found: Check) -> dict[str, object]:
    return {
        "name": found.name,
        "ok": not found.fails,
        "message": found.text,
        "code": found.code or None,
    }

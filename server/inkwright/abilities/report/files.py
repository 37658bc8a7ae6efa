"""The report as files: the page, and the heat map beside it."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from urllib.parse import quote

from inkwright import intake
from inkwright.abilities.report.figures import Report
from inkwright.abilities.report.heat import heat_map
from inkwright.abilities.report.page import MAIN_CAST, MARK, page
from inkwright.domain.conversation import Locale
from inkwright.domain.errors import InkwrightError
from inkwright.manuscript import files

SVG_MARK = "<svg "


def free(path: Path) -> None:
    """Raises `InkwrightError`: report_exists, when a file stands there, or where its picture goes, that is no report.

    Blocks, as `write` does.
    """
    for file, mark in ((path, MARK), (_picture(path), SVG_MARK)):
        try:
            if intake.head(file, len(mark)) != mark.encode():
                raise InkwrightError("report_exists", path=str(file))
        except FileNotFoundError:
            continue
        except OSError as error:
            raise InkwrightError("report_unwritable", path=str(file), error=error.strerror or "") from error


def write(report: Report, path: Path, locale: Locale, now: datetime) -> None:
    """Writes the page to `path`, with links to the chapters from there, and its picture beside it.

    An earlier report is written over. Raises `InkwrightError`: report_exists, report_unwritable.
    """
    free(path)
    svg = heat_map(report, report.cast[:MAIN_CAST], locale)
    picture = quote(_picture(path).name) if svg else ""
    to = links(Path(report.book.root), path.parent)
    text = page(report, locale, now=now, to=to, picture=picture)
    _put(path, text)
    if svg:
        _put(_picture(path), svg)


def links(root: Path, folder: Path) -> Callable[[str], str]:
    """How a page in a folder links to a file of the book: relatively, since a Markdown preview follows no `file:`."""

    def to(name: str) -> str:
        try:
            return quote(Path(os.path.relpath(root / name, folder)).as_posix())
        except ValueError:  # another drive
            return (root / name).as_uri()

    return to


def _picture(path: Path) -> Path:
    return path.with_name(path.name + ".svg")


def _put(path: Path, text: str) -> None:
    part = files.unfinished(path)
    try:
        part.write_text(text, encoding="utf-8", errors="replace", newline="\n")
        part.replace(path)
    except OSError as error:
        raise InkwrightError("report_unwritable", path=str(path), error=error.strerror or "") from error
    finally:
        part.unlink(missing_ok=True)

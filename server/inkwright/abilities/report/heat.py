"""Who is where, as a small picture: a row for each of the cast, a column for each chapter or stretch of them."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from unicodedata import east_asian_width
from xml.sax.saxutils import escape, quoteattr

from inkwright.abilities.report.figures import CastRow, Report, stretches
from inkwright.domain.conversation import Locale
from inkwright.i18n import tr

COLUMNS = 60
_CELL, _LABEL, _TOP, _CHARACTER = 14, 130, 26, 7
_WIDE = 17
"""Latin letters that a label has room for; a Han character takes two."""
# XML 1.0 has no characters for these.
_CONTROL = dict.fromkeys(
    [*range(0x09), 0x0B, 0x0C, *range(0x0E, 0x20), 0xFFFE, 0xFFFF, *range(0xD800, 0xE000)]
)


def heat_map(report: Report, cast: Sequence[CastRow], locale: Locale) -> str:
    """An SVG with a title, a description and a title on each cell; '' for nobody.

    It has its own ground, so that it can be read on a dark page too.
    """
    if not cast or not report.chapters:
        return ""
    columns = stretches(len(report.chapters), COLUMNS)
    sums = [[sum(row.mentions.get(at, 0) for at in column) for column in columns] for row in cast]
    most = max(max(row) for row in sums)
    width = _LABEL + _CELL * len(columns) + 10
    height = _TOP + _CELL * len(cast) + 10
    title = tr("report_heat_title", locale, {"title": report.book.title})
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    name = f'role="img" aria-label={quoteattr(_clean(title))}'
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {name} font-family="sans-serif" font-size="11">',
        f"<title>{_text(title)}</title>",
        f"<desc>{_text(tr('report_heat_about', locale, {'most': most}))}</desc>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
    ]
    for number, column in enumerate(columns):
        if number % 10 == 0 or len(columns) <= 10:
            x = _LABEL + _CELL * number
            out.append(f'<text x="{x}" y="{_TOP - 8}" fill="#555555">{column.start + 1}</text>')
    for line, (row, counts) in enumerate(zip(cast, sums, strict=True)):
        y = _TOP + _CELL * line
        out.append(
            f'<text x="{_LABEL - 8}" y="{y + 11}" text-anchor="end" fill="#222222">{_text(_short(row.name))}</text>'
        )
        for number, (column, count) in enumerate(zip(columns, counts, strict=True)):
            out.append(_cell(report, row.name, column, count, most, _LABEL + _CELL * number, y))
    return "\n".join([*out, "</svg>"]) + "\n"


def _cell(report: Report, name: str, column: range, count: int, most: int, x: int, y: int) -> str:
    place = f'x="{x}" y="{y}" width="{_CELL - 1}" height="{_CELL - 1}"'
    if not count:
        return f'<rect {place} fill="#eef1f4"/>'
    where = report.chapters[column.start].title if len(column) == 1 else f"{column.start + 1}–{column.stop}"
    strength = 0.2 + 0.8 * sqrt(count / most)
    about = _text(f"{name} · {where}: {count}")
    return f'<rect {place} fill="#1f5fa8" fill-opacity="{strength:.2f}"><title>{about}</title></rect>'


def _short(name: str) -> str:
    """A name that fits its place."""
    room = _WIDE
    for at, char in enumerate(name):
        room -= 2 if east_asian_width(char) in "WF" else 1
        if room < 0:
            return name[:at] + "…"
    return name


def _clean(text: str) -> str:
    return " ".join(text.translate(_CONTROL).split())


def _text(text: str) -> str:
    return escape(_clean(text))

"""The author's outlines: files of the usual names, sections of them, and what chapters say of themselves."""

from __future__ import annotations

import asyncio
import tomllib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cache, partial
from importlib.resources import files
from pathlib import PurePosixPath

from inkwright.domain.errors import InkwrightError
from inkwright.domain.manuscript import Chapter
from inkwright.manuscript import cards, fields, naming
from inkwright.manuscript.markdown import Document, Paragraph, near, scan
from inkwright.tools.desk import Desk


async def of_book(desk: Desk) -> tuple[str, str] | None:
    """The path and text of the book's outline file: at the root, in a usual folder, or above the run's
    chapter. None for none. Raises `InkwrightError` for one that cannot be read."""
    table = _table()
    above = [f"{folder}/" for folder in PurePosixPath(desk.snapshot.path).parents if folder.name]
    folders = [*table["folders"], *above]
    return await _first(desk, [f"{folder}{name}" for folder in folders for name in table["book"]])


async def of_chapter(desk: Desk, chapter: Chapter) -> tuple[str, str] | None:
    """The path and text of a chapter's own outline file, or of its section in its volume's or the book's.

    Files that cannot be read are passed over: the chapter itself can still be taken apart.
    """
    table, number = _table(), chapter.number
    if number is None or chapter.kind != "main":
        return None
    volume = naming.parse(chapter.volume.rpartition("/")[2]).number
    path = PurePosixPath(chapter.path)
    above = ["", *(f"{folder}/" for folder in path.parents if folder.name)]
    beside = [str(path.with_name(name.replace("{stem}", path.stem))) for name in table["beside"]]
    named = [_named(name, n=number) for name in table["chapter"]]
    with suppress(InkwrightError):
        own = await _first(desk, [*beside, *(f"{folder}{name}" for folder in above for name in named)])
        if own is not None:
            return own
    names = [] if volume is None else [_named(name, v=volume) for name in table["volume"]]
    names = [f"{folder}{name}" for folder in above for name in names]
    for look in (partial(_first, desk, names), partial(of_book, desk)):
        with suppress(InkwrightError):
            found = await look()
            if found is not None and (section := await asyncio.to_thread(_section, found[1], number)):
                return found[0], section
    return None


def written(value: object) -> str:
    """An `outline` of the front matter, whatever its author made of it: a text, a list, a table."""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, list | tuple):
        return "\n".join(f"- {item}" for item in map(fields.text, value) if item)
    if isinstance(value, Mapping):
        return "\n".join(f"- {key}: {fields.text(inner)}" for key, inner in value.items())
    return fields.text(value)


async def shown(text: str) -> str:
    """An outline as a model reads it: headings and lists stay, comments and front matter don't."""
    return await asyncio.to_thread(lambda: _lines(text, scan(text).paragraphs))


def _lines(text: str, paragraphs: Iterable[Paragraph]) -> str:
    out: list[str] = []
    for paragraph in paragraphs:
        said = "".join(span.of(text) for span in paragraph.prose).strip()
        if not said:
            continue
        if paragraph.kind == "heading":
            out.append(f"{'#' * paragraph.level} {said}")
        elif paragraph.kind == "list":
            first = paragraph.prose[0].start
            line = text[max(text.rfind("\n", 0, first), text.rfind("\r", 0, first)) + 1 : first]
            out.append(f"{' ' * (len(line) - len(line.lstrip()))}- {said}")
        else:
            out.append(said)
    return "\n".join(out)


def _section(text: str, number: int) -> str:
    """What stands below the heading of chapter `number`, down to the next heading of its level."""
    document = scan(text)
    span = _below(document, number)
    return "" if span is None else _lines(text, document.paragraphs[span[0] : span[1]])


def _below(document: Document, number: int) -> tuple[int, int] | None:
    start = level = None
    for index, paragraph in enumerate(document.paragraphs):
        if paragraph.kind != "heading":
            continue
        if start is not None and level is not None and paragraph.level <= level:
            return start, index
        if start is None:
            title = next(h.title for h in document.headings if h.span.start == paragraph.span.start)
            said = naming.read(title)
            if said.sure and said.kind == "main" and said.number == number and not _volume(title):
                start, level = index, paragraph.level
    return None if start is None else (start, len(document.paragraphs))


def _volume(title: str) -> bool:
    return any(unit in title.split("章")[0] for unit in "卷部篇") and "章" not in title


async def _first(desk: Desk, paths: Iterable[str]) -> tuple[str, str] | None:
    """The first of these files that is there. With none, raises what is wrong with one that cannot be read."""
    if desk.view is None:
        return None
    wrong: InkwrightError | None = None
    for path in dict.fromkeys(paths):
        try:
            text = await desk.view.text(path)
        except InkwrightError as exc:
            wrong = wrong if exc.fault.code == "file_missing" else wrong or exc
            continue
        if text.strip() and not _hidden(text):
            return path, text
    if wrong is not None:
        raise wrong
    return None


def _hidden(text: str) -> bool:
    """Whether a file says that no model may see it, as a card does."""
    card, _ = cards.read("", text, near(text, 0))
    return card.ai == "never"


def _named(name: str, **numbers: int) -> str:
    for key, number in numbers.items():
        for digits in ("", 2, 3, 4):
            name = name.replace(f"{{{key}{digits}}}", f"{number:0{digits or 1}d}")
    return name


@cache
def _table() -> Mapping[str, list[str]]:
    return tomllib.loads((files("inkwright.tools") / "outlines.toml").read_text("utf-8"))

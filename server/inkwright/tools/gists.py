"""What a chapter is about, as far as it is known: the author's synopsis, else the summary that was made."""

from __future__ import annotations

from dataclasses import dataclass

from inkwright.domain.errors import StorageError
from inkwright.domain.manuscript import Chapter
from inkwright.tools.desk import Desk, shorten
from inkwright.tools.texts import line


@dataclass(frozen=True, slots=True)
class Gist:
    """`kind` is the line that says whose words these are; `none` has no text, nor has `unreadable`."""

    kind: str
    text: str = ""

    def __bool__(self) -> bool:
        return bool(self.text)


async def gist(desk: Desk, chapter: Chapter | None) -> Gist:
    """Never fails: that the summaries cannot be read is said and costs nothing else."""
    if chapter is None:
        return Gist("none")
    if synopsis := str(chapter.meta.get("synopsis") or "").strip():
        return Gist("summary", synopsis)
    if desk.summaries is None or desk.view is None:
        return Gist("none")
    try:
        stored = await desk.summaries.summary(chapter.path)
    except StorageError:
        return Gist("unreadable")
    if stored is None or not stored.text.strip():
        return Gist("none")
    fresh = stored.digest == desk.view.digest(chapter.path)
    return Gist("derived" if fresh else "stale", stored.text.strip())


async def told(desk: Desk, path: str, opening: int) -> str:
    """The gist of a chapter in a line; with none, its first `opening` characters, said to be that."""
    found = await gist(desk, desk.chapter(path))
    if found:
        return line(found.kind, desk.locale, text=found.text)
    read = await desk.read(path)
    start = line("opening", desk.locale, text=shorten(read.text, opening))
    return f"{line('unreadable', desk.locale)}\n{start}" if found.kind == "unreadable" else start

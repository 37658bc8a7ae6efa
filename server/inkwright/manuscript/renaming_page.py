"""The page of the places that a rename left to the writer. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from inkwright.manuscript.renaming_gather import Touched

MOST = 2_000
"""Places that a page lists."""


def render(
    touched: Sequence[Touched], title: str, lead: str, more: Callable[[int], str], link: Callable[[str], str]
) -> str:
    """Markdown: the names first, each with how often it stands, then every place. `more` says how many are not
    listed, `link` gives the URI of a path."""
    out = [f"# {title}", "", lead, ""]
    names = Counter(
        (edit.change.old, edit.change.new)
        for one in touched
        for edit in one.edits
        if not edit.sure and edit.change is not None
    )
    out += [f"- {_code(old)} → {_code(new)}: {count:,}" for (old, new), count in names.most_common()]
    out += [""] if names else []
    left = MOST
    count = 0
    for one in touched:
        waiting = [edit for edit in one.edits if not edit.sure]
        count += len(waiting)
        rows = waiting[:left]
        left -= len(rows)
        if rows:
            out += [f"## {one.path}", ""]
        for edit in rows:
            line = edit.where.start.line + 1
            out.append(f"- [{line}]({link(one.path)}#L{line}) {_code(edit.shown)} → {_code(edit.edit.new)}")
        if rows:
            out.append("")
    if count > MOST:
        out += [more(count - MOST), ""]
    return "\n".join(out)


def _code(text: str) -> str:
    """Text in which nothing is a mark."""
    return f"`` {text} ``" if "`" in text else f"`{text}`"

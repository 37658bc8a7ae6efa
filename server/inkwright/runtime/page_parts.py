"""Pieces of the context page: cells, links, fences, and the sentence for a part's reason."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from inkwright.domain.conversation import Locale
from inkwright.domain.memory import Memory
from inkwright.domain.run import Part
from inkwright.i18n import tr

Link = Callable[[str], str]
"""The URI of a path in the book, '' for none."""

_IN_URI = str.maketrans({char: f"%{ord(char):02X}" for char in " ()<>|\\\t\r\n"})
_IN_NAME = str.maketrans({char: f"\\{char}" for char in "\\[]"})


def no_link(_: str) -> str:
    return ""


def cell(text: str) -> str:
    """A text on one line that ends no cell and opens no code."""
    return " ".join(text.split()).replace("|", "\\|").replace("`", "'")


def source(path: str, link: Link) -> str:
    """A path as a link, or as it is where there is nothing to link to."""
    uri = link(path) if path else ""
    if not uri:
        return cell(path)
    return f"[{cell(path.translate(_IN_NAME))}]({uri.translate(_IN_URI)})"


def code_block(text: str) -> str:
    """A text in a fence that is longer than any run of ticks in it."""
    longest, run = 2, 0
    for char in text:
        run = run + 1 if char == "`" else 0
        longest = max(longest, run)
    ticks = "`" * (longest + 1)
    return f"{ticks}text\n{text}\n{ticks}"


def reason(part: Part, locale: Locale) -> str:
    """The sentence for a part's reason; a reason without one (a profile's id, say) as it is."""
    code = f"reason_{part.reason}"
    text = tr(code, locale, part.params)
    return part.reason if text == code else text


def known(content: str, memories: Sequence[Memory], locale: Locale) -> str:
    """Why a memory goes along, as far as it is still known."""
    found = next((memory for memory in memories if memory.content == content), None)
    if found is None:
        return tr("reason_memories", locale)
    why = tr(f"reason_memory_{found.type}", locale)
    return f"{why} ({tr('reason_memory_pinned', locale)})" if found.pinned else why

"""`<think>…</think>` at the head of an answer is reasoning; anywhere else the tags are text."""

from __future__ import annotations

from typing import Literal

from inkwright.domain.conversation import Reasoning, Text

OPEN, CLOSE = "<think>", "</think>"


class ThinkSplitter:
    """Pieces of an answer in, cut anywhere; text and reasoning out.

    White space before the opening tag and right after the closing one belongs to neither.
    """

    def __init__(self) -> None:
        self._place: Literal["head", "inside", "after", "text"] = "head"
        self._held = ""

    def feed(self, piece: str) -> list[Text | Reasoning]:
        out: list[Text | Reasoning] = []
        text = self._held + piece
        self._held = ""
        if self._place == "head":
            start = text.lstrip()
            if start.startswith(OPEN):
                self._place = "inside"
                text = start.removeprefix(OPEN)
            elif OPEN.startswith(start):
                self._held = text
                return out
            else:
                self._place = "text"
        if self._place == "inside":
            thought, tag, text = text.partition(CLOSE)
            if tag:
                self._place = "after"
            else:
                keep = _overlap(thought, CLOSE)
                self._held = thought[len(thought) - keep :]
                thought = thought[: len(thought) - keep]
            if thought:
                out.append(Reasoning(thought))
        if self._place == "after":
            text = text.lstrip()
            if text:
                self._place = "text"
        if self._place == "text" and text:
            out.append(Text(text))
        return out

    def end(self) -> list[Text | Reasoning]:
        """What was held back: a tag that never became whole is what it looks like."""
        held, self._held = self._held, ""
        if not held:
            return []
        return [Reasoning(held) if self._place == "inside" else Text(held)]


def _overlap(text: str, tag: str) -> int:
    """How many last characters of `text` are the beginning of `tag`."""
    for size in range(min(len(text), len(tag) - 1), 0, -1):
        if text.endswith(tag[:size]):
            return size
    return 0

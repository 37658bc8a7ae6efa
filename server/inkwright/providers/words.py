"""The text and the reasoning of an answer, put together from the pieces of any wire."""

from __future__ import annotations

from inkwright.domain.conversation import Reasoning, Text
from inkwright.providers.characters import Joiner
from inkwright.providers.think import ThinkSplitter


class Words:
    """Pieces in, events out: sound characters, and a leading `<think>` block as reasoning."""

    def __init__(self) -> None:
        self._text, self._thought = Joiner(), Joiner()
        self._think = ThinkSplitter()
        self.said = False
        """True once any text came, whatever it turns out to be."""

    def feed(self, text: str = "", thought: str = "") -> list[Text | Reasoning]:
        out: list[Text | Reasoning] = []
        if thought and (piece := self._thought.feed(thought)):
            out.append(Reasoning(piece))
        if text:
            self.said = True
            out += self._think.feed(self._text.feed(text))
        return out

    def end(self) -> list[Text | Reasoning]:
        """What was held back."""
        out: list[Text | Reasoning] = []
        if rest := self._thought.end():
            out.append(Reasoning(rest))
        out += self._think.feed(self._text.end())
        out += self._think.end()
        return out


def length(events: list[Text | Reasoning]) -> int:
    """How many characters of text are in `events`."""
    return sum(len(event.text) for event in events if isinstance(event, Text))

"""`a` or `an`, by the sound that follows, as far as the spelling tells it for sure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from inkwright.checks.hits import Hit
from inkwright.checks.piece import Piece
from inkwright.checks.rules import Family, Rule

_ARTICLE = re.compile(
    r"(?P<x>[Aa](?<![\w'’.&/*-].)n?)(?:[ \t]+|[ \t]*(?:\r\n|\n|\r))(?P<quote>[“‘\"']?)(?P<word>[A-Za-z0-9][\w'’-]*)"
)
_SENTENCE = re.compile(r"(?:\A|[.!?:;—–…\n\r][\"”’')]*|[“‘\"'(])\s*\Z")


def finders(family: Family) -> tuple[Articles, ...]:
    table = family.tables["sounds"]

    def words(name: str, flags: int = re.IGNORECASE) -> re.Pattern[str]:
        return re.compile("|".join(table[name]), flags)

    return (
        Articles(
            family.rules[0],
            frozenset("aA"),
            words("vowel"),
            words("consonant"),
            words("unsure", 0),
            frozenset(table["never"]),
        ),
    )


@dataclass(slots=True)
class Articles:
    rule: Rule
    triggers: frozenset[str]
    vowel: re.Pattern[str]
    consonant: re.Pattern[str]
    unsure: re.Pattern[str]
    never: frozenset[str]

    @property
    def scope(self) -> str:
        return self.rule.scope

    def find(self, piece: Piece) -> Iterable[Hit]:
        if "a" not in piece.words and "an" not in piece.words:
            return
        for match in _ARTICLE.finditer(piece.text):
            article, word = match["x"], match["word"]
            if article == "AN" or (article == "A" and not _SENTENCE.search(piece.text[: match.start()][-6:])):
                continue
            wanted = self._wanted(word)
            if wanted and wanted != article.lower():
                better = "A" + wanted[1:] if article[0] == "A" else wanted
                yield Hit(*match.span("x"), self.rule.id, self.rule.severity, better, {"word": word})

    def _wanted(self, word: str) -> str:
        """The article that `word` asks for; '' when its spelling does not say."""
        if word.lower() in self.never or (len(word) > 1 and word.isupper()):
            return ""
        if self.vowel.fullmatch(word):
            return "an"
        if self.consonant.fullmatch(word):
            return "a"
        if self.unsure.fullmatch(word):
            return ""
        return "an" if word[0] in "aeiouAEIOU" else "a"

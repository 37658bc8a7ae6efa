"""How often cards are mentioned, kept by card: the same as counting it out anew."""

from __future__ import annotations

from array import array

from hypothesis import given
from hypothesis import strategies as st

from inkwright.manuscript.leaf import Found
from inkwright.manuscript.tallies import Tallies

ORDER = [f"{n}.md" for n in range(6)]
MENTIONS = st.dictionaries(st.sampled_from("甲乙丙丁"), st.integers(1, 9), max_size=4)


def found(mentions: dict[str, int]) -> Found:
    return Found("v", tuple(mentions), array("I", mentions.values()))


@given(
    st.lists(MENTIONS, min_size=len(ORDER), max_size=len(ORDER)),
    st.lists(st.tuples(st.integers(0, len(ORDER) - 1), MENTIONS), max_size=8),
)
def test_after_every_change(book: list[dict[str, int]], changes: list[tuple[int, dict[str, int]]]) -> None:
    """In reading order, with first, last, sum and single chapters; a card that nobody mentions has nothing."""
    tallies = Tallies(ORDER, map(found, book))
    for place, mentions in [(0, book[0]), *changes]:
        tallies.put(ORDER[place], found(book[place]), found(mentions))
        book[place] = mentions
        for card in "甲乙丙丁戊":
            expected = {path: row[card] for path, row in zip(ORDER, book, strict=True) if card in row}
            tally = tallies.of(card)
            assert list(tally.counts().items()) == list(expected.items())
            assert (len(tally), tally.total, list(tally)) == (
                len(expected),
                sum(expected.values()),
                [*expected],
            )
            assert {path: tally[path] for path in ORDER if path in tally} == expected
            assert not tally or (tally.first, tally.last) == (next(iter(expected)), [*expected][-1])

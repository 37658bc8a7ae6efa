"""What two texts share, and the stretches that are kept by it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hypothesis import example, given
from hypothesis import strategies as st

from inkwright.manuscript.ends import common
from inkwright.manuscript.stretches import Stretches

LINES = st.lists(
    st.sampled_from(["他走过渡口。", "A line.", "", "　　天黑了。", "\r", "```", "😀"]), max_size=30
)
TEXTS = LINES.map("\n\n".join)


@dataclass(frozen=True)
class Plain:
    text: str
    reaches: bool = False


class Row(Stretches[Plain]):
    """`read` are the texts that were made stretches of."""

    def __init__(self) -> None:
        super().__init__(size=20)
        self.read: list[str] = []

    def made(self, texts: Iterable[str], old: Sequence[Plain]) -> list[Plain]:
        found = list(texts)
        self.read += found
        return [Plain(text) for text in found]


@given(st.text("ab"), st.text("ab"))
@example("a" * 70_000 + "b" + "a" * 70_000, "a" * 70_000 + "a" * 70_000)
@example("a" * 200_000, "a" * 200_000)
def test_the_beginning_and_the_end_that_two_texts_share(old: str, new: str) -> None:
    """As much of the beginning as there is, then as much of the end as is left, and not one character more."""
    head, tail = common(old, new)
    assert old[:head] == new[:head]
    assert old[len(old) - tail :] == new[len(new) - tail :]
    most = min(len(old), len(new))
    assert head + tail <= most
    assert head == most or old[head] != new[head]
    assert head + tail == most or old[len(old) - tail - 1] != new[len(new) - tail - 1]


@given(st.lists(TEXTS, min_size=2, max_size=5))
def test_stretches_follow_any_texts(texts: list[str]) -> None:
    """Put together they are the text, whatever it was before."""
    row = Row()
    for text in texts:
        row.follow(text)
        assert "".join(one.text for one in row.row) == text
        assert [at for at, _ in row.starts()] == [
            sum(len(one.text) for one in row.row[:i]) for i in range(len(row.row))
        ]


def test_an_edit_reads_the_stretch_that_it_touches() -> None:
    """Of forty paragraphs one is edited: what is read is less than four of them; of the same text nothing is."""
    text = "他走过渡口，天黑了，雨停了，谁也没有说话，只听见水声。\n\n" * 40
    row = Row()
    row.follow(text)
    before = len(row.read)
    row.follow(text[:500] + "慢慢地" + text[500:])
    assert 0 < sum(map(len, row.read[before:])) < 120
    before = len(row.read)
    row.follow(row.text)
    assert len(row.read) == before


@given(st.lists(TEXTS, min_size=2, max_size=5), st.data())
def test_what_few_stretches_have_is_made_of_those_that_are_new(texts: list[str], data: st.DataObject) -> None:
    """Whatever the document becomes, and whenever it is asked for: what each stretch gives and where that begins,
    nothing of those that give nothing, and no stretch looked at twice."""

    row = Row()
    seen: list[Plain] = []

    def halt(stretch: Plain) -> int:
        seen.append(stretch)
        return stretch.text.count("天")

    for text in texts:
        row.follow(text)
        if data.draw(st.booleans()):
            wanted = [(at, one.text.count("天")) for at, one in row.starts()]
            assert row.few("天", 1, halt) == [(at, count) for at, count in wanted if count]
    assert len({id(one) for one in seen}) == len(seen)


def test_what_hangs_on_something_else_is_made_anew() -> None:
    """With another `on` nothing that was made before is given."""
    row = Row()
    row.follow("天\n\n地\n\n" * 20)
    assert row.few("count", 1, lambda one: one.text.count("天")) != []
    assert row.few("count", 2, lambda one: 0) == []

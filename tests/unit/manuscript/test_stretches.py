"""What two texts share, and the stretches that are kept by it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from inkwright.manuscript import borders
from inkwright.manuscript.borders import reaching
from inkwright.manuscript.ends import common
from inkwright.manuscript.markdown import scan
from inkwright.manuscript.stretches import Stretches

LINES = st.lists(
    st.sampled_from(["他走过渡口。", "A line.", "", "　　天黑了。", "\r", "```", "😀"]), max_size=30
)
TEXTS = LINES.map("\n\n".join)


PIECES = st.sampled_from(
    [
        "他走过渡口。\n\n",
        "```\n",
        "~~~\n",
        "```\n码\n```\n\n",
        "````\n",
        "<!-- ",
        "-->",
        "<!-- 倒叙 -->\n\n",
        "%%",
        "%%注%%\n\n",
        "***\n\n",
        "## 雨\n\n",
        "> 引。\n\n",
        "\u3000\u3000天黑了。\n\n",
        "\n",
        "\n\n",
        "a `<!--` b\n\n",
        "    x\n\n",
        "`",
        "[a]",
        "]: x",
        "[^1]: 注\n\n",
        "来了[^1]。\n\n",
        "[^",
        "[x]: y\n",
        "[a][x]\n\n",
        "\r\n",
        "- 一\n",
        "  ```\n",
    ]
)


@dataclass(frozen=True)
class Plain:
    text: str

    @property
    def reaches(self) -> bool:
        return reaching(self.text)


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


def test_footnotes_make_no_stretch_of_the_whole() -> None:
    """Nothing else hangs on what a footnote says; on what a link is called the whole text does."""
    part = "他走过渡口[^1]，天黑了，雨停了，谁也没有说话，只听见水声。\n\n[^1]: 渡口在城南。\n\n"
    text = part * 40
    row = Row()
    row.follow(text)
    at = text.index("谁也", 500)
    before = len(row.read)
    row.follow(text[:at] + "慢慢地" + text[at:])
    assert 0 < sum(map(len, row.read[before:])) < 300
    assert borders.alone(text, at, 0) is not None
    row.follow(text + "[渡口]: http://a.b\n")
    assert len(row.row) == 1


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


@given(st.lists(PIECES, max_size=40).map("".join), st.data())
def test_stretches_read_by_themselves_are_the_document(text: str, data: st.DataObject) -> None:
    """After any edits, of fences and comments that are opened or closed too: the paragraphs, headings, breaks and
    comments of the stretches are those of the whole text."""
    row = Row()
    for _ in range(6):
        row.follow(text)
        whole = scan(text)
        parts = [(at, scan(one.text)) for at, one in row.starts()]
        assert [(p.kind, p.span.shift(at)) for at, part in parts for p in part.paragraphs] == [
            (p.kind, p.span) for p in whole.paragraphs
        ]
        assert [c.shift(at) for at, part in parts for c in part.comments] == list(whole.comments)
        assert [b.shift(at) for at, part in parts for b in part.scene_breaks] == list(whole.scene_breaks)
        assert [(h.title, h.span.shift(at)) for at, part in parts for h in part.headings] == [
            (h.title, h.span) for h in whole.headings
        ]
        at = data.draw(st.integers(0, len(text)))
        end = min(len(text), at + data.draw(st.sampled_from([0, 0, 0, 1, 5, 60])))
        text = text[:at] + data.draw(PIECES) + text[end:]


def test_what_is_opened_and_closed_in_a_stretch_costs_that_stretch() -> None:
    """With a closed comment, fence or remark in every paragraph an edit reads no more than without; one that is opened
    and not closed may reach anywhere, and all is read."""
    for opens, mark in (("<!--", "<!-- 倒叙 -->"), ("%%", "%%注%%"), ("```", "```\n码\n```")):
        text = f"他走过渡口，天黑了，雨停了，谁也没有说话。\n\n{mark}\n\n" * 40
        row = Row()
        row.follow(text)
        before = len(row.read)
        row.follow(text[:484] + "慢慢地" + text[484:])
        assert 0 < sum(map(len, row.read[before:])) < 160
        text = "他走过渡口，天黑了，雨停了，谁也没有说话。\n\n" * 40 + f"{mark}\n\n"
        row.follow(text)
        before = len(row.read)
        row.follow(text[:484] + f"\n\n{opens}\n\n" + text[484:])
        assert sum(map(len, row.read[before:])) > len(text) / 2


def test_a_text_that_could_not_be_read_is_no_text_that_was_followed() -> None:
    """After a fault in one the stretches of the next one are all there is of it."""

    class Failing(Row):
        fails = False

        def made(self, texts: Iterable[str], old: Sequence[Plain]) -> list[Plain]:
            if self.fails:
                raise RecursionError
            return super().made(texts, old)

    row = Failing()
    row.follow("天\n\n地\n\n" * 20)
    row.fails = True
    with pytest.raises(RecursionError):
        row.follow("天\n\n玄\n\n" * 20)
    row.fails = False
    row.follow("天\n\n玄\n\n" * 20)
    assert "".join(one.text for one in row.row) == "天\n\n玄\n\n" * 20

"""What a writer called intended: found again after edits, never answering more than it was said of."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkwright.checks import checking, intended
from inkwright.checks.intended import Decided, Intended
from inkwright.domain.diagnostic import Diagnostic, placed

TEXT = "他说，一但下雨，他就走。\n\n她说，一但天晴，她才来。\n"


def _found(text: str) -> list[Diagnostic]:
    return checking.check(text, language="zh", names=())


def _left(text: str, *decisions: Intended, path: str = "一.md") -> list[str]:
    return [text[one.span.start - 3 : one.span.end + 2] for one in _without(text, Decided(decisions), path)]


def _without(text: str, decided: Decided, path: str = "一.md") -> list[Diagnostic]:
    said = checking.said(text, language="zh", names=())
    return placed(intended.without(said, text, path, decided))


def test_here_is_here() -> None:
    """Of two equal places the one that was meant is silent, the other is not."""
    second = intended.of(_found(TEXT)[1], TEXT, "一.md")
    assert _left(TEXT, second) == ["他说，一但下雨"]


@pytest.mark.parametrize(
    "edited",
    [
        "开头多了一段。\n\n" + TEXT,
        TEXT.replace("她说", "那个女人说"),
        TEXT.replace("天晴，她才来", "天晴，谁也不知道她会不会来"),
        TEXT.replace("\n", "\r\n"),
    ],
)
def test_it_finds_its_place_again(edited: str) -> None:
    """After edits before it, on either side of it, and on a machine with other line ends."""
    second = intended.of(_found(TEXT)[1], TEXT, "一.md")
    assert _left(edited, second) == ["他说，一但下雨"]


def test_another_place_is_another_place() -> None:
    """The same word somewhere else is not what was meant, nor is it in another file."""
    first = intended.of(_found(TEXT)[0], TEXT, "一.md")
    other = "山那边传来消息：一但城破，满门抄斩。"
    assert len(_left(other, first)) == 1
    assert len(_left(other, first, path="二.md")) == 1


def test_a_passage_that_moves_to_another_file_takes_its_decision_along() -> None:
    """Enough of what stands around it says so."""
    first = intended.of(_found(TEXT)[0], TEXT, "一.md")
    assert _left(TEXT, first, path="二.md") == ["她说，一但天晴"]


def test_everywhere_is_everywhere() -> None:
    """In every file, however often; another code and another text are not meant."""
    everywhere = intended.of(_found(TEXT)[0], TEXT, "一.md", everywhere=True)
    assert _left(TEXT, everywhere, path="二.md") == []
    assert _left("我知道他以经走了。", everywhere) == ["知道他以经走了"]


def test_however_many_decisions_there_are_a_place_finds_its_own() -> None:
    """A file from the internet may hold thousands on the same words: of those whose place is another the latest are
    looked at, and no more."""
    first, second = (intended.of(one, TEXT, "一.md") for one in _found(TEXT))
    others = [Intended(first.code, first.text, f"{n}.md", "甲", "乙") for n in range(20_000)]
    assert _left(TEXT, first, second, *others) == []
    assert _left("开头" + TEXT[3:], *others, first) == ["她说，一但天晴"]


def test_one_decision_answers_one_diagnostic() -> None:
    """A passage that is pasted again is asked about again."""
    first = intended.of(_found(TEXT)[0], TEXT, "一.md")
    doubled = TEXT.split("\n")[0] + "\n\n" + TEXT.split("\n")[0] + "\n"
    assert len(_left(doubled, first)) == 1


def test_a_pet_word_is_intended_wherever_it_comes_first() -> None:
    """What a chapter does too often has no place of its own."""
    text = "他突然停下。\n\n她突然哭了。\n\n灯突然灭了。\n\n门突然开了。\n\n他突然懂了。\n\n风突然停了。"
    (found,) = _found(text)
    decision = intended.of(found, text, "一.md")
    assert _without("她突然笑了。\n\n" + text, Decided([decision])) == []


def test_a_file_in_any_state_loses_nothing() -> None:
    """Doubled lines count once, a merge counts from both sides, other kinds and broken lines are left, and named."""
    a, b = Intended("a", "甲"), Intended("b", "乙", "一.md", "前", "后")
    lines = [
        "<<<<<<< HEAD",
        intended.line(a),
        "=======",
        intended.line(b),
        ">>>>>>> other",
        intended.line(a),
        '{"kind": "merged", "names": []}',
        "{broken",
        '{"kind": "intended", "code": 3}',
        "[]",
        "",
    ]
    found, problems = intended.read(lines, "decisions.jsonl")
    assert found == (a, b)
    assert [(one.code, one.line) for one in problems] == [
        ("decisions_conflict", 0),
        ("decisions_bad_line", 7),
        ("decisions_bad_line", 8),
        ("decisions_bad_line", 9),
    ]


@given(st.tuples(*[st.text(max_size=12)] * 4), st.text(min_size=1, max_size=8))
def test_a_line_is_read_as_it_was_written(rest: tuple[str, str, str, str], code: str) -> None:
    """Whatever the text holds it stays one line, and comes back."""
    text, path, before, after = rest
    decision = Intended(code, text, path, before, after) if path else Intended(code, text)
    line = intended.line(decision)
    assert "\n" not in line
    assert "\r" not in line
    json.loads(line)
    assert intended.read([line], "d")[0] == (decision,)


def test_decisions_are_put_together_once() -> None:
    """What they answer hangs on no text before: the same ones are asked of one text after the other."""
    one, everywhere = intended.of(_found(TEXT)[1], TEXT, "一.md"), Intended("zh-misspelled", "一但")
    here = Decided([one, one])
    for _ in range(2):
        assert len(_without(TEXT, here)) == 1
    assert _without(TEXT, Decided([one, everywhere])) == []

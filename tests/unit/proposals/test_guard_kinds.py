"""The guard, kind by kind: what is told, how, and what an ability may bring about."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkwright.domain.cards import Card, Match
from inkwright.domain.proposal import Finding
from inkwright.domain.text import Span, TextEdit, apply
from inkwright.i18n import tr
from inkwright.proposals import negation, opposites
from inkwright.proposals.change import Change
from inkwright.proposals.guard import Guard
from inkwright.proposals.names import Names
from inkwright.proposals.numbers import numbers
from inkwright.proposals.rewrite import edits
from inkwright.proposals.speakers import lines

CARDS = Names(
    [
        Card("a.md", "林夏", "character", "character", ("小夏",)),
        Card("b.md", "周衡", "character", "character", ("老周",)),
        Card("c.md", "渡口镇", "location", "location"),
        Card("d.md", "Will", "character", "character", (), match=Match("exact")),
        Card("e.md", "Tom", "character", "character", ("Tommy",)),
    ]
)


def findings(base: str, new: str, **given: object) -> list[Finding]:
    changes = edits(base, new)
    guard = Guard(base, CARDS, after=apply(base, changes), **given)  # type: ignore[arg-type]
    return [finding for change in changes for finding in guard.findings(change)]


def codes(base: str, new: str, **given: object) -> list[str]:
    return [finding.code for finding in findings(base, new, **given)]


@pytest.mark.parametrize(
    ("base", "new", "wanted"),
    [
        ("林夏走了。", "小夏走了。", []),
        ("周衡看着林夏。林夏笑了。", "周衡看着林夏。她笑了。", ["name_lost"]),
        ("林夏到了渡口镇。林夏坐下。", "林夏到了渡口镇。她坐下。", []),
        ("林夏打了周衡一下。", "周衡打了林夏一下。", ["name_swapped"]),
        ("Tom knew that Will had a will.", "Tommy knew that Will had a will.", []),
        ("He saw the ship come in.", "He saw the ship of Mandrake come in.", ["name_added"]),
    ],
)
def test_names(base, new, wanted):
    """An alias is the name; a pronoun will do while nobody else is in play; a place is no person."""
    assert codes(base, new) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("三点半，3:30，三点三十分", ["3:30", "3:30", "3:30"]),
        ("half past three, quarter to four, ten past five", ["3:30", "3:45", "5:10"]),
        ("1.5万，一万五千，15,000", ["15000", "15000", "15000"]),
        ("two hundred and thirty-four, a thousand, three million", ["234", "1000", "3000000"]),
        ("三十两银子，十千米，二百零五", ["30", "10", "205"]),
        ("三五个人", ["三五"]),
        ("on May 3rd and the third of May", ["3", "3"]),
        ("the third time, the 3rd time, three times", ["3rd", "3rd", "3"]),
    ],
)
def test_numbers_by_value(text, wanted):
    """What is written in many ways is one number."""
    assert numbers(text) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("林夏说：“走。”", ["林夏"]),
        ("“走。”林夏低声说。", ["林夏"]),
        ("林夏看着周衡，说：“走。”", ["林夏"]),
        ("听完，周衡道，“走。”她没动。", ["周衡"]),
        ("周衡站着。“走。”", [""]),
        ('"Go," said Tom. Will said, "No."', ["Tom", "Will"]),
        ('"Go," he said to Tom.', ["he"]),
        ("“走，”周衡说，“快走。”", ["周衡", "周衡"]),
        ("他知道。“走。”他知道林夏要来。", [""]),
    ],
)
def test_speakers(text, wanted):
    """Before a line or behind it; the nearest clause that has a name; no tag, no speaker."""
    assert [line.shown for line in lines(text, CARDS.find)] == wanted


def test_a_finding_names_what_was_lost_in_both_languages():
    """The sentence says what stood there and what stands there now."""
    (number,) = findings("他等了三天。", "他等了五天。")
    assert tr(number.code, "zh", number.params).startswith("数字“三”变成“五”。")
    assert tr(number.code, "en", number.params).startswith("The number 三 became 五.")
    (negation,) = findings("他没有去。", "他去了。")
    assert tr(negation.code, "zh", negation.params).startswith("否定没有了：“他没有去” → “他去了”。")


def test_a_finding_stands_on_the_hunk_that_has_the_fault():
    """Of many changed sentences only the one that lost something is held back."""
    base = "".join(f"第{n}天，他慢慢地走了很远的路，谁也没有遇见。" for n in range(20, 40))
    changes = edits(base, base.replace("慢慢地", "缓缓").replace("第31天", "第13天"))
    guard = Guard(base, CARDS)
    held = [change for change in changes if guard.findings(change)]
    assert len(changes) == 20
    assert [("第13天" in change.new) for change in held] == [True]


def test_what_an_ability_is_for_is_not_held_against_it():
    """A profile's `allows` are left out, the others stay; bounds below half let sentences go."""
    base = "“我跟你说过很多很多次了，不要去那里。”林夏说。她等了三天。"
    new = "“说过很多次了，不要去那里。”林夏说。她等了两天。"
    assert codes(base, new) == ["quote_changed", "number_changed"]
    assert codes(base, new, allows=("quote_changed",)) == ["number_changed"]
    long = "天黑得很早，街上的铺子一家接一家地上了门板，只剩下桥头的那盏灯还亮着。他走了。"
    assert codes(long, "他走了。") == ["length_less"]
    assert codes(long, "他走了。", length=(0.15, 1.05)) == []


def test_a_name_may_leave_a_sentence_but_not_the_passage_when_a_text_is_cut():
    """An ability that leaves things out may not leave out a person."""
    base = "林夏来了。\n\n林夏坐下来，看着周衡。\n\n周衡笑了。"
    assert codes(base, "林夏来了。\n\n她坐下来。\n\n周衡笑了。", length=(0.15, 1.05)) == []
    assert codes(base, "林夏来了。\n\n她坐下来。\n\n有人笑了。", length=(0.15, 1.05)) == [
        "name_lost",
        "name_lost",
    ]


PIECES = (
    *"林夏周衡说道没有不去了三十3,.。，：“”\"'「」*_[]()|#`<>-%^! \n\r\t她他我第点半万两𠮷\u0301",
    *("Tom ", "Will ", "not ", "never ", "n't ", "said ", "<!--", "[[", "]]", "May ", "third ", "half past "),
)
TEXT = st.lists(st.sampled_from(PIECES), max_size=50).map("".join)


@given(TEXT)
def test_the_same_text_has_no_finding(text):
    """An edit that changes nothing loses nothing."""
    guard = Guard(text, CARDS)
    assert guard.findings(TextEdit(Span(0, len(text)), text)) == ()


@given(TEXT, TEXT, st.data())
def test_the_guard_never_raises(base, new, data):
    """Any edit of any text gets its findings, each of them a sentence."""
    start = data.draw(st.integers(0, len(base)))
    end = data.draw(st.integers(start, len(base)))
    for length in (None, (0.1, 1.0), (0.9, 5.0)):
        guard = Guard(base, CARDS, after=new, length=length)
        for finding in guard.findings(TextEdit(Span(start, end), new)):
            assert tr(finding.code, "zh", finding.params) != finding.code


@given(TEXT, TEXT)
def test_judging_does_not_depend_on_the_other_hunks(a, b):
    """A guard gives one edit the same findings whatever it judged before."""
    base = f"林夏说：“好。”{a}\n\n{b}周衡没有去。"
    edit = TextEdit(Span(0, 9), "周衡说：“好。”")
    fresh = Guard(base, CARDS).findings(edit)
    used = Guard(base, CARDS)
    used.findings(TextEdit(Span(len(base) - 6, len(base)), "去了。"))
    assert used.findings(edit) == fresh


@pytest.mark.parametrize(
    ("base", "new", "wanted"),
    [
        ("掌柜的答应了。", "掌柜的拒绝了。", ["meaning_reversed"]),
        ("掌柜的没有答应。", "掌柜的拒绝了。", []),
        ("掌柜的没有答应。", "掌柜的没有拒绝。", ["meaning_reversed"]),
        ("The dog was alive.", "The dog was dead.", ["meaning_reversed"]),
        ("The dog was not alive.", "The dog was dead.", []),
        ("The dog was alive.", "They buried what was dead of the harvest.", []),
        ("他差点死了。", "他死了。", ["negation_lost"]),
        ("他差点没摔倒。", "他险些摔倒。", []),
        ("He never failed to write.", "He always wrote.", []),
        ("He failed to write.", "He wrote.", ["negation_lost"]),
    ],
)
def test_a_denial_is_known_without_a_not(base, new, wanted):
    """Words that deny or say the contrary count as a negator does, and two of them as none."""
    assert codes(base, new) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("半个时辰", ["0.5"]),
        ("等了半天，到半夜", []),
        ("两个半小时", ["2.5"]),
        ("三年半", ["3.5"]),
        ("大半年", []),
        ("half an hour", ["0.5"]),
        ("an hour and a half", ["1.5"]),
        ("half a dozen men", ["6"]),
        ("half past three", ["3:30"]),
        ("half open", []),
        ("half of the men", ["0.5"]),
    ],
)
def test_a_half_is_a_number_where_it_measures(text, wanted):
    """With a unit or of a whole; not in 半天, 半夜 or `half open`."""
    assert numbers(text) == wanted


def test_an_amount_may_be_told_in_a_smaller_unit():
    """Half an hour is thirty minutes, and no twenty."""
    assert codes("他等了半个小时。", "他等了三十分钟。") == []
    assert codes("他等了半个小时。", "他等了二十分钟。") == ["number_changed"]
    assert codes("It took an hour and a half.", "It took ninety minutes.") == []
    assert codes("It took half an hour.", "It took an hour.") == ["number_lost"]


def test_a_contrary_is_told_in_both_languages():
    """The sentence holds both clauses."""
    (found,) = findings("He refused to go.", "He agreed to go.")
    assert "He refused to go" in tr(found.code, "en", found.params)
    assert "He agreed to go" in tr(found.code, "zh", found.params)


def test_a_large_hunk_is_read_clause_by_clause(monkeypatch: pytest.MonkeyPatch) -> None:
    """A passage written wholly anew costs a reading of its clauses, not one of each clause beside every other."""
    old = "".join(f"第{i}个人说话时左边有人走了，也许明天会来的。" for i in range(100))
    new = "".join(f"他们从右手出现，而且一定是在昨日{i}点离开了。" for i in range(100))
    read, clauses = negation.read, negation.clauses(old + new)
    asked: list[str] = []
    monkeypatch.setattr(negation, "read", lambda text, other: asked.append(text) or read(text, other))
    assert not list(opposites.judged(Change(old, new, ("", ""), ("", ""), 0)))
    assert 0 < len(asked) <= 3 * len(clauses)

"""The list of facts in a card: one more, one less, and every other character as it was."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkwright.domain.cards import Fact
from inkwright.domain.errors import InkwrightError
from inkwright.domain.text import apply
from inkwright.manuscript import factlist, frontmatter

TOWN = Fact("所在", "青石镇", "第三章 雪夜", "", "他到了: 青石镇 #1")
AGE = Fact("age", "001", "ch 1", "ch 2", "thirty")
ROWS = (
    "{i}- key: 所在{n}{i}  value: 青石镇{n}{i}  from: 第三章 雪夜{n}"
    '{i}  quote: "他到了: 青石镇 #1"{n}{i}- key: age{n}{i}  value: "001"{n}{i}  from: ch 1{n}{i}  until: ch 2{n}'
    "{i}  quote: thirty{n}"
)


def rows(indent="  ", eol="\n"):
    return ROWS.format(i=indent, n=eol)


@pytest.mark.parametrize(
    ("card", "out"),
    [
        ("正文\n", f"---\nfacts:\n{rows()}---\n正文\n"),
        ("\ufeff# 林夏\r\n", f"\ufeff---\r\nfacts:\r\n{rows(eol=chr(13) + chr(10))}---\r\n# 林夏\r\n"),
        ("---\nname: a # b\n---\n", f"---\nname: a # b\nfacts:\n{rows()}---\n"),
        ("---\nname: a\n...\n正文", f"---\nname: a\nfacts:\n{rows()}...\n正文"),
        ("---\n---\n", f"---\nfacts:\n{rows()}---\n"),
        ("---\nfacts: []\nai: never\n---\n", f"---\nfacts:\n{rows()}ai: never\n---\n"),
        ("---\nfacts: # none\nai: never\n---\n", f"---\nfacts: # none\n{rows()}ai: never\n---\n"),
        ("---\nfacts: ~\n---\n", f"---\nfacts:\n{rows()}---\n"),
        (
            "---\nfacts:\n- key: a\n  value: 'b' # c\n# d\nname: x\n---\n",
            f"---\nfacts:\n- key: a\n  value: 'b' # c\n{rows('')}# d\nname: x\n---\n",
        ),
        (
            "---\n事实:\n    - 键: a\n      值: >\n        b\n        c\n\n名字: x\n---\n",
            f"---\n事实:\n    - 键: a\n      值: >\n        b\n        c\n\n{rows('    ')}名字: x\n---\n",
        ),
        (
            "---\nfacts:\r\n  - {key: a, value: b}\r\n---\n",
            (
                '---\nfacts:\r\n  - {key: a, value: b}\r\n  - {key: 所在, value: 青石镇, from: 第三章 雪夜, quote: "他到了: 青石镇 #1"}\n'
                '  - {key: age, value: "001", from: ch 1, until: ch 2, quote: thirty}\n---\n'
            ),
        ),
        (
            "---\nfacts: [{key: a, value: b}, ] # c\n---\n",
            (
                '---\nfacts: [{key: a, value: b}, {key: 所在, value: 青石镇, from: 第三章 雪夜, quote: "他到了: 青石镇 #1"}, '
                '{key: age, value: "001", from: ch 1, until: ch 2, quote: thirty}, ] # c\n---\n'
            ),
        ),
    ],
)
def test_two_more(card, out):
    """Written as the list is written; what is read back is what was there and the two."""
    assert apply(card, factlist.add(card, (TOWN, AGE))) == out
    assert [entry.fact for entry in factlist.entries(out)][-2:] == [TOWN, AGE]


@pytest.mark.parametrize(
    "card",
    [
        "---\nfacts: {key: a, value: b}\n---\n",
        "---\nfacts: alive\n---\n",
        "---\nfacts:\n  -\n    key: a\n---\n",
        "---\nname: a\nname: b\n---\n",
        "---\nname: [a\n---\n",
    ],
)
def test_what_is_not_sure_is_left_to_the_writer(card):
    """An error that names the key; never a guess."""
    with pytest.raises(InkwrightError, match="frontmatter_by_hand"):
        factlist.add(card, (TOWN,))


@pytest.mark.parametrize("eol", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(
    "card",
    [
        "---\nname: a\nfacts:\n  - key: a\n    value: b\n# c\nz: 1\n---\nbody\n",
        "---\nfacts:\n- {key: a, value: b}\nz: 1\n---\n",
        "---\nfacts: [{key: a, value: b}]\n---\n",
        "---\nfacts:\n  - key: a\n    value: |\n      b\n---\n",
    ],
)
def test_taken_out_again_the_card_is_what_it_was(card, eol):
    """In whatever order; the last one leaves an empty list."""
    card = card.replace("\n", eol)
    out = apply(card, factlist.add(card, (TOWN, AGE)))
    for order in ((TOWN, AGE), (AGE, TOWN)):
        text = out
        for fact in order:
            text = apply(text, factlist.remove(text, fact))
        assert text == card
    (first,) = [entry.fact for entry in factlist.entries(card)]
    text = apply(card, factlist.remove(card, first))
    assert frontmatter.read(text).meta["facts"] == []
    assert factlist.remove(card, TOWN) == []


WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20).map(str.strip)


@given(
    st.lists(st.tuples(WORDS.filter(bool), WORDS.filter(bool), WORDS, WORDS, WORDS), min_size=1, max_size=3),
    st.sampled_from(
        ["正文", "---\nfacts: []\n---\n正文", "---\r\nfacts:\r\n  - {key: a, value: b}\r\nz: 1\r\n---\r\n"]
    ),
)
def test_whatever_the_words_are(said, card):
    """They come back to the letter, the rest is as it was, and all can be taken out; or nothing is done."""
    facts = [Fact(*row) for row in said]
    try:
        out = apply(card, factlist.add(card, facts))
    except InkwrightError:
        return
    rows = frontmatter.read(out).meta["facts"][-len(facts) :]
    assert [(row["key"], row["value"], row.get("quote", "")) for row in rows] == [
        (fact.key, fact.value, fact.quote) for fact in facts
    ]
    assert out[frontmatter.read(out).body_start :] == card[frontmatter.read(card).body_start :]

"""When two sentences say the same, and what a new memory makes of the old ones."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkwright.memory.alike import contrary, gist, merge, same
from inkwright.memory.extract import draft


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("我喜欢短句，少用形容词", "我喜欢短句，少用形容词。"),
        ("我喜欢短句，少用形容词", "我还是喜欢短句，少用一点形容词！"),
        ("我喜欢短句，少用形容词", "少用形容词，我喜欢短句"),
        ("我喜欢短句，少用形容词", "我喜欢短句子，少用形容词"),
        ("我喜欢短句", "我偏好短句"),
        ("I like short sentences.", "I really prefer short sentences!"),
        ("I prefer short sentences", "Short sentences, please."),
        ("我决定用第一人称", "确认：用第一人称。"),
        ("我喜欢ＡＢＣ的文风", "我喜欢abc的文风"),
    ],
)
def test_the_same_said_again(old, new):
    """Other fillers, marks, widths, and another order of clauses change nothing."""
    assert same(gist(old), gist(new))
    assert same(gist(new), gist(old))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("我喜欢短句", "我不喜欢短句"),
        ("我喜欢短句", "我喜欢长句"),
        ("多用形容词", "少用形容词"),
        ("我希望林晚在对话里的台词尽量短一点", "我希望周衡在对话里的台词尽量短一点"),
        ("对话里的台词不要超过十个字", "对话里的台词不要超过二十个字"),
        ("对话里的台词不要超过 10 个字", "对话里的台词不要超过 100 个字"),
        ("I like short sentences", "I don't like short sentences"),
        ("I want fewer adjectives in the opening", "I want more adjectives in the opening"),
        ("Mara survives the flood", "Tobin survives the flood"),
    ],
)
def test_something_else_is_not_the_same(old, new):
    """A negation, a name, a number, an opposite."""
    assert not same(gist(old), gist(new))


@pytest.mark.parametrize(
    ("old", "new", "denies"),
    [
        ("我喜欢短句", "我不喜欢短句", True),
        ("多用形容词", "少用形容词", True),
        ("我不要倒叙", "我讨厌倒叙", False),
        ("I like short sentences", "I don't like short sentences", True),
        ("我喜欢短句", "我不喜欢长句", False),
        ("我喜欢短句", "我喜欢短句", False),
    ],
)
def test_a_contrary_denies_the_same_thing(old, new, denies):
    """One negation more or less, and all else equal."""
    assert contrary(gist(old), gist(new)) is denies


def test_said_again_the_old_row_takes_the_new_words(make):
    """The id stays; in another ability it counts for all; a pinned one keeps its words."""
    old = make("我喜欢短句，少用形容词", "1")
    again = draft("preference", "polish", ["我还是喜欢短句，少用形容词。"])
    ((changed,), left) = merge(again, (old,))
    assert left is None
    assert (changed.id, changed.content, changed.ability) == ("1", "我还是喜欢短句，少用形容词。", "polish")
    ((everywhere,), _) = merge(replace(again, ability="writing"), (old,))
    assert everywhere.ability == ""
    ((pinned,), _) = merge(again, (replace(old, pinned=True),))
    assert pinned.content == old.content


def test_what_is_new_in_a_message_is_a_memory_of_its_own(make):
    """Of three sentences one is known, one is said twice, one is new."""
    old = make("我喜欢短句。\n希望对话多。", "1")
    said = draft("preference", "polish", ["希望对话多！", "我喜欢留白。", "我喜欢留白！"])
    ((changed,), left) = merge(said, (old,))
    assert changed.content == "我喜欢短句。\n希望对话多！"
    assert left is not None
    assert left.content == "我喜欢留白。"
    assert left.keywords == ("欢留", "留白")


def test_a_contrary_changes_nothing(make):
    """Both stand: what the writer said is not deleted by a guess."""
    denial = draft("preference", "polish", ["我不喜欢短句"])
    assert merge(denial, (make("我喜欢短句"),)) == ((), denial)


SENTENCES = st.lists(
    st.text(alphabet="我不喜欢少多用短长句abc don't12，。！", min_size=1, max_size=20)
    .map(str.strip)
    .filter(bool),
    min_size=1,
    max_size=4,
)


@given(SENTENCES)
def test_saying_it_all_again_adds_nothing(lines):
    """Whatever was kept the first time is found the second time, and a third time nothing changes any more."""
    said = draft("preference", "polish", lines)
    _, kept = merge(said, ())
    assert kept is not None
    known = replace(kept, id="1")
    changed, left = merge(said, (known,))
    assert left is None
    again, left = merge(said, changed)
    assert left is None
    assert again == changed

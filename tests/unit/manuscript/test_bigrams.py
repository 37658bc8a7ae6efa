"""One tokenizer for the search and for the keywords of memories."""

from __future__ import annotations

import sys

from hypothesis import given
from hypothesis import strategies as st

from inkwright.manuscript.bigrams import LONGEST, grams, tokens
from inkwright.manuscript.folding import fold, folded

TEXT = st.text(
    st.sampled_from(
        list("林晚女剑客々〇𠀀𰀀カー한글aAbÉéßſİσςΣ'’９Ａ_- 。，\n\r\ud800\0e\u0301ᄀ\u1161\uf900")
    ),
    max_size=40,
)


def test_a_name_is_found_inside_a_longer_run() -> None:
    """The pairs of 女剑客 are all among those of 冷静的女剑客."""
    assert tokens("冷静的女剑客。") == ["冷静", "静的", "的女", "女剑", "剑客", "客"]
    assert grams("女剑客") == {"女剑", "剑客"} < grams("冷静的女剑客")


def test_scripts_part_and_words_keep_accents_and_apostrophes() -> None:
    """Words are lower-case; full-width letters and curly apostrophes are the plain ones."""
    assert tokens("It’s Café, ＡＢ１５ iPhone15 'x' _emph_ 第3章") == [
        "it's",
        "café",
        "ab15",
        "iphone15",
        "x",
        "emph",
        "第",
        "3",
        "章",
    ]
    assert tokens("ガンダム 한국어 𠀀𠀁") == [
        "ガン",
        "ンダ",
        "ダム",
        "ム",
        "한국",
        "국어",
        "어",
        "𠀀𠀁",
        "𠀁",
    ]


def test_what_is_written_in_two_ways_is_one() -> None:
    """Composed and decomposed accents, either sigma, either case."""
    assert tokens("cafe\u0301") == tokens("CAFÉ") == ["café"]
    assert tokens("ΟΔΟΣ") == tokens("οδος") == tokens("οδοσ")


def test_no_word_is_endless() -> None:
    """A word of a megabyte counts by its beginning."""
    assert tokens("x" * 1_000_000) == ["x" * LONGEST]


@given(TEXT, TEXT)
def test_any_text_gives_tokens_that_can_be_written_down(text: str, more: str) -> None:
    """No token holds white space, a surrogate or nothing; a gram is a token of a text that holds it."""
    for token in tokens(text):
        assert token
        assert not any(c.isspace() for c in token)
        token.encode()
    assert grams(text) <= set(tokens(text))
    assert set(tokens(text)) <= set(tokens(f"{text} {more}"))


@given(st.one_of(TEXT, st.text()))
def test_folding_is_done_once_and_leads_back(text: str) -> None:
    """Twice folded is once folded, and every character stems from a place in the text, in order."""
    once, places = folded(text)
    assert once == fold(text) == fold(once)
    if places is None:
        assert len(once) == len(text)
    else:
        assert len(places) == len(once) + 1
        assert list(places) == sorted(places)
        assert places[-1] == len(text)


def test_folding_never_moves_a_composed_character() -> None:
    """No character of Unicode becomes two, but for those that composing parts."""
    for code in range(sys.maxunicode + 1):
        letter = chr(code)
        once, places = folded(letter)
        assert places is not None or len(once) == 1, hex(code)
        assert fold(once) == once, hex(code)

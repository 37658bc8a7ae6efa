"""What a text is about, with and without a segmenter."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

from inkwright.memory import keywords as module
from inkwright.memory.keywords import MOST, keywords


@pytest.fixture
def segmenter(monkeypatch: pytest.MonkeyPatch):
    """Puts a segmenter where `rjieba` would be found, or none."""

    def put(cut):
        monkeypatch.setitem(sys.modules, "rjieba", cut and SimpleNamespace(cut=cut))
        module._segmenter.cache_clear()

    yield put
    module._segmenter.cache_clear()


def test_chinese_overlaps_at_all(segmenter):
    """女剑客 is found in 冷静的女剑客 by its pairs; what stands in every wish is no keyword."""
    segmenter(None)
    assert set(keywords("女剑客")) <= set(keywords("我希望有一个冷静的女剑客"))
    assert not {"希望", "一个", "静的", "的女"} & set(keywords("我希望有一个冷静的女剑客"))


def test_english_words_meet_in_singular_and_plural(segmenter):
    """Case and plural make no difference; function words are none."""
    segmenter(None)
    assert keywords("Short Sentences, please") == ("short", "sentence")
    assert keywords("a short sentence") == ("short", "sentence")
    assert keywords("the glass is his") == ("glass",)


def test_a_segmenter_takes_pairs_away_and_adds_none(segmenter):
    """Pairs across two words go; what was made without it still meets what is made with it."""
    segmenter(None)
    without = keywords("短句少用形容词")
    segmenter(lambda text: ["短句", "少用", "形容词"])
    assert keywords("短句少用形容词") == ("短句", "少用", "形容", "容词")
    assert set(keywords("短句少用形容词")) < set(without)


def test_there_are_only_so_many():
    """A long text has its first ones, each once."""
    text = "".join(chr(0x4E00 + number) for number in range(500)) * 2
    assert len(set(keywords(text))) == len(keywords(text)) == MOST

"""What a selection grows to."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkwright.manuscript import markdown, selection, sentences


def ladder(text, piece):
    return [span.of(text) for span in selection.ladder(text, markdown.scan(text), text.index(piece))]


ZH = "# 渡口\n\n林夏到的时候，船已经走了。她没有动。\n\n“再等等。天黑了，‘他’会来的。”周衡说，“走吧。”\n\n***\n\n第二场。\n"
EN = "# The Ferry\n\nMara waited, her hands cold. “It’s late,” said Tobin; “don’t stay. Go home.” She didn’t.\n"


def test_chinese_prose():
    """Clause, sentence, paragraph, scene, section, text."""
    assert ladder(ZH, "船已") == [
        "船已经走了。",
        "林夏到的时候，船已经走了。",
        "林夏到的时候，船已经走了。她没有动。",
        ZH[ZH.index("林夏") : ZH.index("\n\n***")],
        ZH.rstrip(),
        ZH,
    ]


def test_chinese_dialogue():
    """Inside a quotation its own sentences; then the quotation, the sentence round it, the paragraph."""
    assert ladder(ZH, "天黑")[:6] == [
        "天黑了",
        "天黑了，‘他’会来的。",
        "再等等。天黑了，‘他’会来的。",
        "“再等等。天黑了，‘他’会来的。”",
        "“再等等。天黑了，‘他’会来的。”周衡说，“走吧。”",
        ZH[ZH.index("林夏") : ZH.index("\n\n***")],
    ]
    assert ladder(ZH, "他’")[:3] == ["他", "‘他’", "天黑了，‘他’会来的。"]


def test_english():
    """An apostrophe closes nothing; sentences and clauses of English."""
    assert ladder(EN, "her hands")[:3] == [
        "her hands cold.",
        "Mara waited, her hands cold.",
        EN[EN.index("Mara") :].rstrip(),
    ]
    assert ladder(EN, "Go")[:3] == ["Go home.", "don’t stay. Go home.", "“don’t stay. Go home.”"]
    assert ladder(EN, "t stay")[0] == "don’t stay."


@pytest.mark.parametrize("text", ["", "\n", "---\ntitle: 甲\n---\n", "“没有收尾", "甲" * 5000])
def test_odd_texts(text):
    """Empty texts, front matter alone, quotations without end."""
    assert selection.ladder(text, markdown.scan(text), 0)


@given(st.text(alphabet=st.sampled_from("“”‘’「」\"a'。，, .\n#*甲"), max_size=60), st.data())
def test_each_step_is_wider(text, data):
    """Each stretch holds the place and the one before, and is another."""
    offset = data.draw(st.integers(0, len(text)))
    found = selection.ladder(text, markdown.scan(text), offset)
    for narrow, wide in pairwise(found):
        assert wide.start <= narrow.start
        assert narrow.end <= wide.end
        assert wide != narrow
    assert all(span.start <= offset <= span.end for span in found)


def test_a_sentence_of_a_line_without_end_is_looked_for_nearby(monkeypatch):
    """Only the sentences near the place are told apart, and the answer is that of a short line."""
    lengths = []
    split = sentences.split
    monkeypatch.setattr(sentences, "split", lambda text: lengths.append(len(text)) or split(text))
    one = "林夏走了，他说：“走吧。别等。”他到了。"
    text = one * 5_000
    at = len(one) * 2_500 + one.index("别") + 1
    steps = [span.of(text) for span in selection.ladder(text, markdown.scan(text), at)]
    short = [
        span.of(one * 3)
        for span in selection.ladder(one * 3, markdown.scan(one * 3), len(one) + one.index("别") + 1)
    ]
    assert steps[:-1] == short[:-1]
    assert max(lengths) <= 2 * selection.REACH


def test_marks_that_nothing_closes_do_not_hide_what_is_near():
    """Behind thousands of opened quotations, and before as many closed ones, the quotation here is found."""
    text = "“" * 2_000 + "「好。」" + "』" * 2_000
    assert "「好。」" in ladder(text, "好")

"""Where sentences end."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkwright.manuscript.sentences import split


def sentences(text: str) -> list[str]:
    return [span.of(text).strip() for span in split(text)]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("“走吧。”他说。", ["“走吧。”他说。"]),
        ("“你来了！”“嗯。”林晚笑了。", ["“你来了！”", "“嗯。”", "林晚笑了。"]),
        ("他停下——“谁？”——没有人。", ["他停下——“谁？”", "——没有人。"]),
        ("“走吧。”林晚秋低声道，“天黑了。”", ["“走吧。”林晚秋低声道，“天黑了。”"]),
        ("他走了……很久。", ["他走了……很久。"]),
        ("他走了…… 天黑了。", ["他走了……", "天黑了。"]),
        ("“我……”“你什么？”", ["“我……”", "“你什么？”"]),
        ("真的？！真的。", ["真的？！", "真的。"]),
        ("此开卷第一回也．作者自云。", ["此开卷第一回也．", "作者自云。"]),
        ("（他没有来。）她走了。", ["（他没有来。）", "她走了。"]),
        ("Mr. Bennet made no answer. He left.", ["Mr. Bennet made no answer.", "He left."]),
        ("It cost 3.14 e.g. here. Done", ["It cost 3.14 e.g. here.", "Done"]),
        ("“Do you?” cried his wife. No.", ["“Do you?” cried his wife.", "No."]),
        ('"Wait!" "Why?" He ran.', ['"Wait!"', '"Why?"', "He ran."]),
        ("Wait... and then. J. R. Smith came.", ["Wait... and then.", "J. R. Smith came."]),
        ("one line\nwrapped here. Two.", ["one line\nwrapped here.", "Two."]),
        ("第一行\n\n第二行", ["第一行", "第二行"]),
        ("第一行\n　　第二行", ["第一行", "第二行"]),
        ("", []),
        (" \n\n ", [""]),
        ("。。。", ["。。。"]),
        ("没有句号", ["没有句号"]),
    ],
)
def test_cases(text: str, parts: list[str]) -> None:
    """Closing quotes stay with their sentence, who spoke stays with what was said, abbreviations end nothing."""
    assert sentences(text) == parts


@given(
    st.text(alphabet=st.sampled_from('林说道。！？…．.”“’"』」) —\n\r\u3000aMr\u2028\U0001f60b'), max_size=40)
)
def test_the_sentences_are_the_text(text: str) -> None:
    """They tile it: none is empty, none overlaps, nothing is left out."""
    found = split(text)
    assert "".join(span.of(text) for span in found) == text
    assert all(len(span) for span in found)
    assert all(not span.of(text).isspace() for span in found) or text.isspace()


def test_a_long_line_without_any_end() -> None:
    """A million characters without a full stop are one sentence, and a million full stops are soon done."""
    assert len(split("林" * 1_000_000)) == 1
    assert len(split(". " * 500_000)) == 500_000
    assert len(split("“" * 500_000 + "”" * 500_000)) == 1


def test_a_stranger_s_run_of_dots_costs_its_length():
    """It ends no sentence where something stands right behind it, and nobody waits to know."""
    text = "." * 100_000 + "x"
    assert sentences(text) == [text]

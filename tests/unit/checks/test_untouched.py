"""What no rule may touch: code, addresses, numbers, front matter, marks, comments, names, other languages."""

from __future__ import annotations

import pytest

from inkwright.checks import checking


def _fixed(text: str, *, language: str = "", names: tuple[str, ...] = ()) -> str:
    return checking.fix_all(text, checking.check(text, language=language, names=names))


@pytest.mark.parametrize(
    "kept",
    [
        '---\ntitle: 一但,下雨．\nnote: "他说"\n---\n',
        "```\n他走了,,坐下．\n```\n",
        '~~~py\nprint("一但")\n~~~\n',
        "<!-- 一但,,下雨． -->\n",
        "%% 一但,,下雨． %%\n",
        "[//]: # (一但,下雨)\n",
        "`一但,下雨`\n",
        "http://例.com/一但,下雨\n",
        "[他](一但,下雨.md)\n",
        "![他](图,一但.png)\n",
        "a@b.com, 3,000 12:30 3.14 ３．１４ 1.2.3\n",
        "&nbsp;&amp;\n",
        "他笑了\\!\n",
        "***\n",
        "- [ ] 待办\n",
        "| 甲 | 乙 |\n| --- | --- |\n| 丙 | 丁 |\n",
    ],
)
def test_what_is_not_prose_stays(kept: str) -> None:
    """Protected text alone has no fix, and stays as it is beside faults that are repaired."""
    assert _fixed(kept) == kept
    assert _fixed(f"{kept}\n他走了．\n") == f"{kept}\n他走了。\n"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("一但来了。", "一但"),
        ("王一但来了。", "王一但"),
        ("列王．记下来了。", "列王．记"),
        ("的的来了。", "的的"),
        ("He saw Teh and the door.", "Teh"),
        ("Thethe the the band was in it.", "the the"),
    ],
)
def test_a_name_of_a_card_is_never_touched(text: str, name: str) -> None:
    """Where a card's name stands no rule has a say, though without the card it would."""
    assert _fixed(text, language="" if not text.isascii() else "en", names=(name,)) == text
    assert _fixed(text, language="" if not text.isascii() else "en") != text


def test_a_latin_name_protects_no_longer_word() -> None:
    """A card called Al does not protect "alot"."""
    assert _fixed("He took alot of the salt.", names=("al", "Al")) == "He took a lot of the salt."


@pytest.mark.parametrize(
    "text",
    [
        "Nous nous sommes vus , et vous vous êtes tu !",
        "Die die das sagten, sind nicht an der Tür.",
        "彼は「行こう」と言った。「でも,雨だ」と彼女は答えた。わたしはそこにいた.",
        "그는 말했다,그녀는 듣지 않았다.",
        "Он сказал , что он он.",
    ],
)
def test_other_languages_are_left_alone(text: str) -> None:
    """A paragraph in neither Chinese nor English raises nothing, whatever the book's language."""
    for language in ("", "zh", "fr"):
        assert checking.check(text, language=language, names=()) == []


@pytest.mark.parametrize(
    "text",
    [
        "她沉默了……很久。\n\n　　“走吧。”\n",
        "林夏说：“Hello, world！”他走了3步。",
        "「你来了？」「嗯。」",
        "“他说‘通灵’是什么？”她问。",
        "他——我的兄长——来了！！什么？！",
        "“这是第一段。\n\n“这是第二段。”",
        "《红楼梦》（上）、【系统】任务开始。",
        "看看，了了解，是是非非，高高兴兴，试一试，想想，的的确确，不了了之。",
        "2019—2020年，下午3:00，3.14，1,000元。",
        "If he had had any idea that that man was in, he would go.",
        "\"I was there,\" he said. 'Tis the season; it's the dogs' bowl.",
        "He waited . . . and then -- at last -- the door was shut.",
        "",
        "\n",
        "\ufeff他走了。",
        "😋𠮷",
    ],
)
def test_sound_prose_raises_nothing(text: str) -> None:
    """Well-set text in both languages has no diagnostic at all."""
    assert checking.check(text, language="", names=()) == []


@pytest.mark.parametrize("eol", ["\n", "\r\n", "\r"])
def test_line_ends_and_the_final_newline_survive(eol: str) -> None:
    """Faults at the ends of lines are repaired up to the line end and no further."""
    text = eol.join(["他走了.", "", "你好 ,世界  ", "", "At the", "the end of the the day", "", '“走吧."'])
    repaired = _fixed(text, language="zh")
    assert repaired == eol.join(
        ["他走了。", "", "你好，世界  ", "", "At the", "end of the day", "", "“走吧。”"]
    )


def test_lone_surrogates_and_odd_separators_are_plain_characters() -> None:
    """U+2028, form feeds and lone surrogates break neither lines nor the checks."""
    text = "他走了\u2028．\x0c\ud800，，坐下．"
    assert _fixed(text, language="zh") == "他走了\u2028．\x0c\ud800，坐下。"


def test_ten_thousand_names_and_a_long_line() -> None:
    """A paragraph of a hundred thousand characters among ten thousand names is checked in one go."""
    names = tuple(f"名{chr(0x4E00 + i)}{chr(0x5E00 + i % 999)}" for i in range(10_000))
    text = "他走了，她没动．他笑了。" * 12_500
    found = checking.check(text, language="zh", names=names)
    assert len(found) == 12_500
    assert checking.fix_all(text, found) == text.replace("．", "。")

"""Analysis and research: figures that can be checked, quotations that stand in the text."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from inkwright.domain.cards import Card, Fact
from inkwright.domain.conversation import Locale, ModelRequest, Task, Text
from inkwright.domain.text import Lines, Span
from inkwright.i18n import LOCALES, catalogue
from inkwright.manuscript.markdown import scan
from inkwright.offline import measures, terms
from inkwright.offline.model import OfflineModel

ONE = "# 渡口\n\n林夏到的时候，船已经走了。林夏坐下。林夏看着河水。\n\n***\n\n“再等等。”周衡说。“我**不等**了。”\n"
TWO = "# 旧信\n\n周衡拆开旧信，信里说的是林夏。\n\n<!-- 秘密：林夏已死 -->\n"
CARDS = (
    Card(
        "cards/林夏.md",
        "林夏",
        "character",
        "character",
        ("小夏",),
        "药铺学徒。",
        facts=(Fact("左臂", "受伤", "第一章"),),
    ),
    Card("cards/周衡.md", "周衡", "character", "character"),
    Card("cards/暗桩.md", "暗桩", "character", "character", ai="never", summary="不可外传"),
    Card("cards/旧渡口.md", "旧渡口", "location", "location", private="地下有密室"),
)


@pytest.fixture
def ask(shelf: Callable[..., Any]) -> Callable[..., Any]:
    """One answer about the small book."""

    async def ask(ability: str, message: str = "", path: str = "一.md", locale: Locale = "zh") -> str:
        view = shelf({"一.md": ONE, "二.md": TWO}, CARDS)
        task = Task(ability, "novel", locale, message, view.texts.get(path, ""), path)
        stream = OfflineModel(view).stream(ModelRequest((), task=task))
        return "".join([event.text async for event in stream if isinstance(event, Text)])

    return ask


async def test_analysis_counts_what_is_there(ask: Callable[..., Any]) -> None:
    """Sentences, dialogue, openings and mentions are those of the chapter, each with its line."""
    report = await ask("analysis")
    assert "第 1–7 行" in report
    assert "2 段，5 句" in report
    assert "从第 3 行起连续 3 句都以“林夏”开头" in report
    assert "| 林夏 | character | 3 | 3 | 3 | 1 (×3) |" in report
    assert "| 周衡 | character | 1 | 7 | 7 | 2 (×1) |" in report


async def test_analysis_sets_chapters_side_by_side(ask: Callable[..., Any]) -> None:
    """With chapters before it the chapter is compared with them."""
    report = await ask("analysis", path="二.md")
    assert re.search(r"\| 一 \| \d+ \|", report)
    assert re.search(r"\| 二 \| \d+ \|", report)


async def test_research_quotes_verbatim_with_sources(ask: Callable[..., Any]) -> None:
    """Every quotation stands in its chapter at its line; cards are named with their files."""
    report = await ask("research", "林夏和“旧信”有什么关系？")
    assert "`cards/林夏.md`" in report
    quotations = re.findall(r"((?:> .*\n)+)\n—— `(.+?)` 第 (\d+) 行", report)
    assert quotations
    for quotation, path, line in quotations:
        text = {"一.md": ONE, "二.md": TWO}[path]
        said = "\n".join(part.removeprefix("> ") for part in quotation.rstrip("\n").split("\n"))
        assert said in text
        assert said.split("\n")[0] in Lines(text).line(int(line) - 1)


async def test_nothing_hidden_is_shown(ask: Callable[..., Any]) -> None:
    """Cards that no model may see, private fields and comments are in no report."""
    for ability, message in [
        ("research", "暗桩、林夏"),
        ("research", "列出全部设定"),
        ("research", "本章与设定的冲突"),
        ("analysis", ""),
    ]:
        report = await ask(ability, message, path="二.md")
        for hidden in ("不可外传", "密室", "已死"):
            assert hidden not in report
    assert "`cards/暗桩.md`" not in await ask("research", "暗桩")


async def test_all_settings_are_listed_by_kind(ask: Callable[..., Any]) -> None:
    """A question about everything gives every card with its source, its count and the unmentioned ones."""
    report = await ask("research", "列出本书已有的全部设定")
    assert "| 林夏 | 小夏 | 药铺学徒。 | cards/林夏.md | 4 | 一.md |" in report
    assert "从未提到：旧渡口" in report


async def test_a_conflict_is_laid_side_by_side(ask: Callable[..., Any]) -> None:
    """Cards that the chapter mentions stand beside what it says; judging is left to the writer."""
    report = await ask("research", "检查本章内容与世界卡片的冲突")
    assert "左臂：受伤（第一章 至 …）" in report
    assert "> 林夏到的时候，船已经走了。" in report


async def test_what_is_not_found_is_named_as_a_gap(ask: Callable[..., Any]) -> None:
    """A subject that no chapter has is said to be missing, in both languages."""
    assert "“青铜灯”：各章正文中没有找到" in await ask("research", "“青铜灯”")
    assert "“青铜灯”: not found in the chapters" in await ask("research", "“青铜灯”", locale="en")


async def test_what_comes_near_is_quoted_where_nothing_is_found(ask: Callable[..., Any]) -> None:
    """A question whose words stand nowhere as they are asked finds the sentence that holds most of them."""
    report = await ask("research", "“船不在渡口已经走了”")
    assert "各章正文中没有找到" in report
    near = report[report.index("最接近的句子") :]
    assert "> 林夏到的时候，船已经走了。" in near
    assert "—— `一.md`" in near
    assert "最接近的句子" not in await ask("research", "“魑魅魍魉”")


async def test_what_speaks_of_both_comes_first(ask: Callable[..., Any]) -> None:
    """Of two subjects the sentences with both stand before those with one."""
    report = await ask("research", "林夏和“船”")
    quoted = re.findall(r"((?:> .*\n)+)\n—— ", report)
    both = ["林夏" in one and "船" in one for one in quoted]
    assert True in both
    assert both == sorted(both, reverse=True)


def test_both_locales_have_the_same_sentences() -> None:
    """Every sentence of the reports exists in both languages with the same fields."""
    fields = re.compile(r"\{([a-z_]+)[:}]")
    codes = [{c for c in catalogue(locale) if c.startswith("offline_")} for locale in LOCALES]
    assert codes[0] == codes[1]
    for code in codes[0]:
        zh, en = (set(fields.findall(catalogue(locale)[code])) for locale in LOCALES)
        assert zh == en


def test_measures_of_a_passage_are_those_of_the_passage() -> None:
    """Only the part inside the span is measured, marks and comments not at all."""
    taken = measures.take(ONE, scan(ONE), Span(ONE.index("“再"), len(ONE)))
    assert [s.text for s in taken.sentences] == ["“再等等。”周衡说。", "“我不等了。”"]
    assert taken.dialogue == pytest.approx(12 / 16, abs=0.1)
    assert sum(taken.buckets) == 2


def test_even_sentences_and_silences_are_found() -> None:
    """Six sentences of one length in a row are a stretch; so are eight paragraphs without a voice."""
    text = "\n\n".join(["他慢慢地走到了门口。"] * 9)
    taken = measures.take(text, scan(text), Span(0, len(text)))
    assert [(r.first, r.count) for r in measures.even(taken.sentences)] == [(0, 9)]
    assert [(r.first, r.count) for r in measures.silences(taken.blocks)] == [(0, 9)]
    assert measures.repeats(taken.sentences, ())[0].word == "慢慢"


@pytest.mark.parametrize(
    ("message", "cards", "searched"),
    [
        ("林夏第一次出现在哪里？", ["林夏"], []),
        ("小夏和周衡的关系", ["林夏", "周衡"], []),
        ("请列出全部设定", [], []),
        ("“青铜灯”在哪一章？", [], ["青铜灯"]),
        ("List all settings of this book", [], []),
        ("Where is the bronze lamp mentioned?", [], ["bronze", "lamp"]),
    ],
)
def test_a_question_is_read_for_names_and_words(message: str, cards: list[str], searched: list[str]) -> None:
    """Names of cards, quoted words and what is left of the question are searched for, asking words are not."""
    question = terms.read(message, CARDS)
    assert [card.name for card in question.cards] == cards
    assert list(question.terms) == searched

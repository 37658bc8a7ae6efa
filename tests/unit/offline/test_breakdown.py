"""The breakdown pipeline by rule: segments, key sentences, cards; every quotation is the text itself."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inkwright.domain.cards import CARD_TYPES, Card
from inkwright.domain.conversation import (
    Finished,
    Locale,
    Message,
    ModelRequest,
    Task,
    Text,
    ToolCall,
    ToolSpec,
)
from inkwright.domain.text import Span
from inkwright.i18n import LOCALES, tr
from inkwright.manuscript.markdown import scan
from inkwright.manuscript.segments import batches
from inkwright.offline import cast, keys, prose
from inkwright.offline.model import OfflineModel
from inkwright.tools.texts import line

PATH = "第一章 雨夜.md"
TOOL = ToolSpec("create_note_card", "", {})
STORY = """# 第一章 雨夜

林夏赶到旧渡口的时候，最后一班船已经走了。雨从傍晚开始下，到现在还没有停的意思。

“再等等吧。”周衡说。

整个临江镇，只有周衡会在雨天不打伞。周衡是镇上药铺老板的儿子，比她大三岁，走路有点跛。他为人沉默寡言，却从不说谎。

“你怎么来了？”林夏问。

周衡从怀里掏出一封信。林夏接过信，手指微微发抖。沈先生三年前离开临江镇，把一盏青铜灯交给了她。青铜灯一直放在阁楼上。

第二天清晨，雨停了。林夏早早来到旧渡口，手里提着那盏青铜灯。周衡跟在她身后，一言不发。

“沈先生！”林夏喊道。沈先生看见青铜灯，眼神忽然变得很悲伤。沈先生说：“你没有点亮它。”

世人只道灯火好，不知灯下守夜难。

长夜守灯人未老，灯前白发已三千。
"""
ESSAY = """# 第二章

所谓刻意练习，是指在明确目标下、能得到及时反馈的练习。很多人以为重复一万小时就能成为专家，这是一个误区。

舒适区是指一个人不需要努力就能完成的任务范围。因此，只有走出舒适区，才能真正进步。

首先，要把大目标拆成小目标。其次，练习时必须全神贯注。总之，没有反馈的练习是无效的。
"""


@pytest.fixture
def play(shelf: Callable[..., Any]) -> Callable[..., Any]:
    """One step on one text: what it says and what it calls."""

    async def play(
        step: str,
        text: str = STORY,
        locale: Locale = "zh",
        *,
        cards: Sequence[Card] = (),
        passage: str | None = None,
        offset: int = 0,
        messages: tuple[Message, ...] = (),
        tools: tuple[ToolSpec, ...] = (TOOL,),
        products: tuple[tuple[str, str], ...] = (),
        language: str = "zh-CN",
    ) -> tuple[str, tuple[ToolCall, ...]]:
        view = shelf({PATH: text, "二.md": "林夏死了。"}, tuple(cards), language)
        task = Task(
            "analysis",
            "breakdown",
            locale,
            "",
            text if passage is None else passage,
            PATH,
            offset,
            step,
            products,
        )
        events = [e async for e in OfflineModel(view).stream(ModelRequest(messages, tools, task))]
        assert isinstance(events[-1], Finished)
        assert events[-1].fault is None
        assert (events[-1].finish == "tool_calls") == bool(events[-1].tool_calls)
        return "".join(e.text for e in events if isinstance(e, Text)), events[-1].tool_calls

    return play


def _quotes(markdown: str) -> list[str]:
    rows = [row for row in markdown.split("\n") if row.startswith("> ")]
    return [row.removeprefix("> ") for row in rows]


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("step", ["split", "distil", "cards"])
async def test_every_step_says_that_it_is_rules(step: str, locale: Locale, play: Callable[..., Any]) -> None:
    """The first line says who wrote this; no placeholder is left in it."""
    said, _ = await play(step, locale=locale)
    assert said.startswith(tr(f"offline_rules_{step}", locale))
    assert "offline_" not in said
    assert "{" not in said


async def test_segments_say_where_they_stand_and_who_is_in_them(play: Callable[..., Any]) -> None:
    """A segment has its heading, its lines, its size, whom it names, and how it ends."""
    said, _ = await play("split")
    assert "### 第 1 段：第一章 雨夜" in said
    assert "第 1–" in said
    for name in ("林夏 ×", "周衡 ×", "旧渡口 ×", "青铜灯 ×"):
        assert name in said
    assert "第二天清晨" in said
    assert "末句：“长夜守灯人未老" in said


async def test_key_sentences_are_verbatim(play: Callable[..., Any]) -> None:
    """What is distilled stands in the chapter to the letter, under the names that it is about."""
    said, _ = await play("distil")
    quotes = _quotes(said)
    assert 0 < len(quotes) <= 3
    assert all(quote in STORY for quote in quotes)
    assert "**林夏" in said


async def test_cards_are_about_people_places_things_and_events(play: Callable[..., Any]) -> None:
    """A few cards of known types, each with content that names its subject, a verbatim quotation and tags."""
    _, calls = await play("cards")
    made = {call.arguments["title"]: call.arguments for call in calls}
    assert len(calls) == len(made) <= 6
    assert made["周衡"]["card_type"] == "character"
    assert made["周衡"]["quote"].startswith("周衡是镇上药铺老板的儿子")
    assert "沉默寡言" in made["周衡"]["content"]
    assert made["旧渡口"]["card_type"] == "location"
    assert made["第一章：经过"]["card_type"] == "timeline"
    assert "**第二天清晨**" in made["第一章：经过"]["content"]
    assert made["诗词：世人只道灯火好"]["card_type"] == "misc"
    for call in calls:
        assert call.name == "create_note_card"
        assert json.loads(call.raw) == call.arguments
        assert call.arguments["card_type"] in CARD_TYPES
        assert call.arguments["quote"] in STORY
        assert "离线规则" in call.arguments["tags"]
    assert len({call.id for call in calls}) == len(calls)


async def test_an_exposition_gives_its_terms_and_claims(play: Callable[..., Any]) -> None:
    """Without people the cards are what is defined and what is claimed."""
    _, calls = await play("cards", ESSAY)
    titles = [call.arguments["title"] for call in calls]
    assert titles == ["刻意练习", "舒适区", "第一章：要点"]
    assert all(call.arguments["quote"] in ESSAY for call in calls)
    assert "总之，没有反馈的练习是无效的。" in calls[2].arguments["content"]


@pytest.mark.parametrize("text", ["# 第一章\n", "好。\n", "嗯，是的。\n\n没有了。\n"])
async def test_a_batch_without_anything_worth_a_card_says_so(text: str, play: Callable[..., Any]) -> None:
    """No call is made and the answer says why."""
    said, calls = await play("cards", text)
    assert not calls
    assert tr("offline_cards_none", "zh") in said


async def test_the_same_text_gives_the_same_cards(play: Callable[..., Any]) -> None:
    """A second run asks for the same, also when the book has the cards of the first."""
    _, first = await play("cards")
    made = [
        Card(
            f"cards/{call.arguments['title']}.md",
            call.arguments["title"],
            call.arguments["card_type"],
            call.arguments["card_type"],
            fields={"source": PATH},
            body=f"\n{call.arguments['content']}\n\n> {call.arguments['quote']}\n",
        )
        for call in first
    ]
    assert (await play("cards"))[1] == first
    assert (await play("cards", cards=made))[1] == first


SCRIPT = """
import sys
from inkwright.domain.conversation import Task
from inkwright.offline import draft, reading
from inkwright.offline.desk import Desk
text = sys.stdin.buffer.read().decode()
found = reading.read(Desk(None), Task("analysis", "breakdown", "zh", "", text), text)
print([ascii(found.scored.scores), ascii(found.cast.entities), ascii(draft.draft(found, "zh"))])
"""


def test_every_process_makes_the_same_cards() -> None:
    """The order in which a process keeps its sets is no part of the answer, to the last bit of a score."""
    text = STORY.encode() * 3
    told = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            input=text,
            capture_output=True,
            check=True,
            timeout=60,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2", "77")
    }
    assert len(told) == 1
    assert b"NewCard" in told.pop()


async def test_a_card_that_was_edited_since_is_left_alone(play: Callable[..., Any]) -> None:
    """What an earlier run made of this chapter and somebody changed is named and not made again."""
    _, first = await play("cards")
    edited = Card("cards/周衡.md", "周衡", "character", "character", fields={"source": PATH}, body="我写的。")
    said, calls = await play("cards", cards=[edited])
    assert [c.arguments["title"] for c in calls] == [
        c.arguments["title"] for c in first if c.arguments["title"] != "周衡"
    ]
    assert "- 周衡 — `cards/周衡.md`" in said


async def test_a_card_from_elsewhere_is_complemented(play: Callable[..., Any]) -> None:
    """Somebody who has a card by the writer or from another chapter gets one that says which chapter it is of."""
    for card in (
        Card("cards/周衡.md", "周衡", "character", "character"),
        Card("cards/周衡.md", "周衡", "character", "character", fields={"source": "零.md"}),
        Card("cards/阿衡.md", "阿衡", "character", "character", ("周衡",)),
    ):
        _, calls = await play("cards", cards=[card])
        titles = [call.arguments["title"] for call in calls]
        assert f"{card.name}（第一章）" in titles
        assert "周衡" not in titles


async def test_a_hidden_card_is_neither_doubled_nor_named(play: Callable[..., Any]) -> None:
    """Of somebody whose card no model may see, no card is made and nothing is said."""
    hidden = Card("cards/秘.md", "周衡", "character", "character", ("影子",), ai="never", summary="内鬼")
    said, calls = await play("cards", cards=[hidden])
    assert all("周衡" not in call.arguments["title"] for call in calls)
    told = said + json.dumps([call.arguments for call in calls], ensure_ascii=False)
    for word in ("cards/秘.md", "影子", "内鬼"):
        assert word not in told


async def test_nothing_of_other_chapters_or_comments_is_in_it(play: Callable[..., Any]) -> None:
    """Later chapters and comments give neither words nor quotations."""
    text = STORY.replace("雨停了。", "雨停了。<!-- 林夏其实是沈先生的女儿，今年十九岁。 -->", 1)
    for step in ("split", "distil", "cards"):
        said, calls = await play(step, text)
        told = said + json.dumps([call.arguments for call in calls], ensure_ascii=False)
        assert "女儿" not in told
        assert "死了" not in told


async def test_without_the_tool_nothing_is_called(play: Callable[..., Any]) -> None:
    """A run that may not make cards says what they would have been."""
    said, calls = await play("cards", tools=())
    assert not calls
    assert tr("offline_cards_not_offered", "zh") in said
    assert "- 周衡" in said


@pytest.mark.parametrize("locale", LOCALES)
async def test_the_answers_of_the_tool_are_told_card_by_card(
    locale: Locale, play: Callable[..., Any]
) -> None:
    """Made, there already, a candidate, refused in fields, failed: each under what it is, in order."""
    results = [
        line("card_made", locale, title="甲", path="cards/甲.md"),
        line("card_there", locale, title="乙", path="cards/乙.md"),
        line("candidate_made", locale, title="丙", id="c1"),
        json.dumps(
            {"error": {"code": "quote_not_verbatim", "message": "引文不在本章里"}}, ensure_ascii=False
        ),
        "boom",
    ]
    calls = tuple(
        ToolCall(f"k{i}", "create_note_card", {"title": title}) for i, title in enumerate("甲乙丙丁戊")
    )
    messages = (
        Message("user", "x"),
        Message("assistant", "", calls),
        *(Message("tool", text, tool_call_id=f"k{i}") for i, text in enumerate(results)),
    )
    said, more = await play("cards", locale=locale, messages=messages)
    assert not more
    made, there, failed = (
        said.index(tr(f"offline_cards_{kind}", locale, {"count": count}))
        for kind, count in (("made", 2), ("there", 1), ("failed", 2))
    )
    assert made < said.index("- 甲 — `cards/甲.md`") < said.index("- 丙") < there
    assert "c1" not in said
    assert there < said.index("- 乙 — `cards/乙.md`") < failed
    assert failed < said.index("- 丁 — 引文不在本章里") < said.index("- 戊 — boom")


async def test_batches_of_a_long_chapter_make_no_two_cards_of_one_name(play: Callable[..., Any]) -> None:
    """What a batch before has had a card of gets none again, or one that says from where on it is."""
    body = STORY.split("\n", 2)[2]
    text = "# 第一章 雨夜\n\n" + body * 40
    titles: list[str] = []
    for batch in batches(text, Span(0, len(text)), 2000, 3):
        passage = batch.of(text)
        _, calls = await play("cards", text, passage=passage, offset=batch.start)
        titles += [call.arguments["title"] for call in calls if call.arguments["card_type"] != "misc"]
        assert all(call.arguments["quote"] in passage for call in calls)
    assert "周衡" in titles
    assert len([t for t in titles if t in ("周衡", "林夏", "旧渡口", "第一章：经过")]) == len(
        {t for t in titles if t in ("周衡", "林夏", "旧渡口", "第一章：经过")}
    )


async def test_hard_wrapped_english_is_quoted_line_for_line(play: Callable[..., Any]) -> None:
    """A quotation over line ends keeps them, CRLF included; the content flows."""
    text = (
        "Mr. Harland was a tall man of forty, proud and\r\nreserved. Mr. Harland said nothing. Eleanor\r\n"
        'laughed. "You are late," said Eleanor. The next morning\r\nMr. Harland left Wexbridge, and Eleanor went\r\n'
        "with him to Wexbridge. Eleanor came back from Wexbridge alone.\r\n"
    )
    _, calls = await play("cards", text, "en", language="en")
    card = next(call.arguments for call in calls if call.arguments["title"] == "Mr. Harland")
    assert card["quote"] in text
    assert "proud and\r\nreserved" in card["quote"]
    assert "proud and reserved" in card["content"]
    assert card["content"].startswith("**Who:** Mr. Harland was a tall man")


WORDS = [
    "林夏说：“", "”", "。", "，", "姓陈，名远，字伯川", "第二天，", "在旧渡口", "一盏青铜灯", "\n\n", "\n", "> ", "- ",
    "**", "<!--", "-->", "%%", "\ud800", "\u202e", "\x00", "é", "Mr. Ash said ", "at Ash Hall", " ", "所谓熵，是指无序的程度。",
    "$E=mc^2$", "例1：", "```\n", "| a |", "# 一\n", "\r\n", "．", "她为人寡言。", "F=ma",
]  # fmt: skip


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None)
@given(
    text=st.lists(st.sampled_from(WORDS), min_size=1, max_size=80).map("".join),
    domain=st.sampled_from(["breakdown", "note"]),
)
async def test_any_text_is_played_to_its_end(text: str, domain: str, shelf: Callable[..., Any]) -> None:
    """Whatever stands in it: no step fails, calls fit the tool, and quotations are parts of the text."""
    model = OfflineModel(shelf({PATH: text}))
    names = (
        ("split", "distil", "cards") if domain == "breakdown" else ("organise", "concepts", "cards", "quiz")
    )
    task = Task("analysis", domain, "zh", "", text, PATH)
    products: tuple[tuple[str, str], ...] = ()
    for name in names:
        step = replace(task, step=name, products=products, passage="" if name == "quiz" else text)
        events = [e async for e in model.stream(ModelRequest((), (TOOL,), step))]
        assert events[-1].fault is None
        said = "".join(e.text for e in events if isinstance(e, Text))
        assert said
        products += ((name, said),)
        for call in events[-1].tool_calls:
            assert call.arguments["quote"] in text
            assert call.arguments["quote"].strip()
            assert 0 < len(call.arguments["title"]) <= 100
            assert 0 < len(call.arguments["content"]) <= 4000


async def test_the_cards_are_the_same_in_an_editor_of_another_language(play: Callable[..., Any]) -> None:
    """A card is written in the language of its book: another locale asks for the same cards to the letter,
    and says what it does in its own words."""
    said_zh, zh = await play("cards", locale="zh")
    said_en, en = await play("cards", locale="en")
    assert zh
    assert [call.arguments for call in zh] == [call.arguments for call in en]
    assert said_zh != said_en


@pytest.mark.parametrize(
    ("text", "empty"),
    [
        ("雨村道：“正是．", True),
        ("故曰“贾雨村”云云．", True),
        ('故曰"贾雨村"云云．', True),
        ("雨村笑道：“妙极，妙极！”", True),
        ("“是了，是了。”贾雨村说。", True),
        ("雨村道：“明日便起身进京．", False),
        ("贾雨村走上了那条熟悉的小道。", False),
        ("贾雨村姓贾名化，表字时飞。", False),
        ("贾雨村寄居在葫芦庙里。", False),
    ],
)
def test_a_speech_tag_or_a_call_is_no_key_sentence(text: str, empty: bool) -> None:
    """Who speaks, a name and a word of agreement carry no point; a short plain sentence does."""
    card = Card("rc.md", "贾雨村", "character", "character", aliases=("雨村",))
    assert _bare(text, "zh", card) is empty


@pytest.mark.parametrize(
    ("text", "empty"),
    [
        ("“Yes, indeed, of course!” said Elizabeth warmly.", True),
        ("“Oh, certainly,” cried Elizabeth.", True),
        ("“He left for London this morning,” said Elizabeth.", False),
        ("Elizabeth said nothing of the letter.", False),
    ],
)
def test_an_english_call_is_no_key_sentence(text: str, empty: bool) -> None:
    """The same in English."""
    assert _bare(text, "en", Card("e.md", "Elizabeth", "character", "character")) is empty


def _bare(text: str, language: Locale, card: Card) -> bool:
    found = prose.read(text, scan(text), Span(0, len(text)))
    (sentence,) = found.sentences
    return keys.bare(sentence, cast.read(text, "", language, (card,)), language)


async def test_what_carries_no_point_is_not_distilled(play: Callable[..., Any]) -> None:
    """However often its name comes back, and at the head of a paragraph."""
    text = """# 第一回

故曰"贾雨村"云云．

贾雨村在葫芦庙里寄居，每日卖文作字为生．

雨村道：“正是．
"""
    said, _ = await play(
        "distil", text, cards=(Card("rc.md", "贾雨村", "character", "character", aliases=("雨村",)),)
    )
    assert _quotes(said) == ["贾雨村在葫芦庙里寄居，每日卖文作字为生．"]


async def test_a_verse_is_whole_where_prose_goes_on_behind_it(play: Callable[..., Any]) -> None:
    """Its last couplet stands at the head of a paragraph that is no verse: it is of it, the prose is not."""
    verse = [
        "世人都晓神仙好，惟有功名忘不了！",
        "古今将相在何方？荒冢一堆草没了．",
        "世人都晓神仙好，只有儿孙忘不了！",
        "痴心父母古来多，孝顺儿孙谁见了？",
    ]
    text = STORY + "\n周衡念道：\n\n" + "\n\n".join(verse) + "林夏听了，便迎上来问他满口说些什么．\n"
    _, made = await play("cards", text)
    (card,) = (call.arguments for call in made if (call.arguments or {})["title"].startswith("诗词"))
    assert card is not None
    rows = card["content"].split("\n")
    assert [row.strip() for row in rows if row.strip() in verse] == verse
    assert "林夏听了" not in card["content"]

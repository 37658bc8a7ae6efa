"""Facts by rule: forms that tell one, and sentences that only look like it."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from inkwright.domain.cards import Card
from inkwright.domain.conversation import Finished, Message, ModelRequest, Task, Text, ToolSpec
from inkwright.offline import facts
from inkwright.offline.desk import Desk
from inkwright.offline.model import OfflineModel


def card(name, kind, *aliases, **more):
    return Card(f"cards/{name}.md", name, kind, kind, aliases, **more)


CARDS = (
    card("林夏", "character", "小夏"),
    card("周衡", "character"),
    card("青石镇", "location"),
    card("铜牌", "item"),
    card("无名", "character", ai="never"),
    card("Mara Voss", "character", "Mara"),
    card("Tobin", "character", "Mr. Hale"),
    card("Ferry Town", "location"),
    card("brass key", "item"),
)


class View:
    def __init__(self, cards=CARDS):
        self.book = SimpleNamespace(language="")
        self._cards = cards

    def cards(self):
        return self._cards

    def chapters(self):
        return ()


def found(text, locale="zh"):
    task = Task("facts", "novel", locale, passage=text)
    return [(t.name, t.key, t.value) for t in facts.find(Desk(View()), task, text)]


TELLS = [
    ("周衡终于死了。", ("周衡", "status", "死")),
    ("周衡死在了灯塔里。", ("周衡", "status", "死")),
    ("周衡死在青石镇。", ("周衡", "status", "死")),
    ("那年冬天，周衡病逝于床上。", ("周衡", "status", "死")),
    ("船夫一刀杀死周衡，转身就走。", ("周衡", "status", "死")),
    ("周衡被船夫一刀砍死于马下。", ("周衡", "status", "死")),
    ("小夏独自回到青石镇，天已经黑了。", ("林夏", "location", "青石镇")),
    ("林夏从袖中取出铜牌，放在桌上。", ("铜牌", "owner", "林夏")),
    ("周衡把铜牌交给了林夏。", ("铜牌", "owner", "林夏")),
    ("周衡将铜牌递给林夏，", ("铜牌", "owner", "林夏")),
    ("铜牌落到周衡手里。", ("铜牌", "owner", "周衡")),
    ("林夏今年二十三岁，还没有出过镇子。", ("林夏", "age", "二十三岁")),
    ("林夏出生在江边的小屋，", ("林夏", "birth", "江边的小屋")),
    ("林夏的右手只有四根手指。", ("林夏", "appearance", "右手只有四根手指")),
    ("周衡瞎了一只眼。", ("周衡", "appearance", "瞎了一只眼")),
    ("林夏这才得知周衡已经走了。", ("林夏", "knows", "周衡已经走了")),
    ("周衡是林夏的哥哥。", ("周衡", "relations", "林夏的哥哥")),
    ("Mara had died in the night.", ("Mara Voss", "status", "dead")),
    ("The smugglers killed Tobin at the ford.", ("Tobin", "status", "dead")),
    ("Mr.\nHale returned to\nFerry Town the same evening.", ("Tobin", "location", "Ferry Town")),
    ("Mara quietly pocketed the old brass key.", ("brass key", "owner", "Mara Voss")),
    ("Tobin gave the brass key to Mara.", ("brass key", "owner", "Mara Voss")),
    ("The brass key belonged to Tobin.", ("brass key", "owner", "Tobin")),
    ("Mara was only twenty-three years old.", ("Mara Voss", "age", "twenty-three")),
    ("Mara was born in the year of the flood.", ("Mara Voss", "birth", "in the year of the flood")),
    ("Tobin had lost his left hand.", ("Tobin", "appearance", "had lost his left hand")),
    ("Mara’s eyes were grey as slate.", ("Mara Voss", "appearance", "eyes were grey as slate")),
    ("Mara learned that Tobin had sold the boat.", ("Mara Voss", "knows", "Tobin had sold the boat")),
    ("Tobin was Mara’s elder brother.", ("Tobin", "relations", "Mara’s elder brother")),
]


@pytest.mark.parametrize(("text", "fact"), TELLS, ids=[t[:18] for t, _ in TELLS])
def test_a_sentence_that_tells_a_fact(text, fact):
    """One fact, of the right card, under the right key."""
    assert found(text, "en" if text.isascii() or "’" in text else "zh") == [fact]


@pytest.mark.parametrize(
    "text",
    [
        "如果周衡死了，她怎么办？",
        "她以为周衡死了。",
        "周衡没有死去。",
        "周衡险些丧命。",
        "“周衡死了。”船夫说。",
        "她梦见周衡死了。",
        "林夏为周衡而死的心都有。",
        "林夏想去青石镇。",
        "林夏明天要回到青石镇，",
        "林夏没有回到青石镇。",
        "林夏二十三岁那年来过。",
        "比林夏大三岁的人都走了。",
        "林夏不敢握着铜牌。",
        "无名死了。",
        "船夫死了。",
        "She thought Mara was dead.",
        "If Tobin died, nobody would know.",
        "“Tobin died,” said the boy.",
        "Mara would never return to Ferry Town.",
        "Tobin died of laughing at it.",
        "Mara wanted to buy it; Tobin might have held the brass key.",
        "Maranda had died.",
    ],
)
def test_a_sentence_that_only_looks_like_it(text):
    """What is said, dreamt, feared, denied or planned, and whoever has no card that may be shown."""
    assert found(text) == []


def test_the_last_place_and_the_last_hand_hold():
    """A chapter has one place for somebody at its end; two deaths told are one."""
    text = "林夏回到青石镇。林夏取出铜牌，把铜牌交给了周衡。周衡死了。后来人人知道周衡死了。"
    assert found(text) == [
        ("林夏", "location", "青石镇"),
        ("铜牌", "owner", "周衡"),
        ("周衡", "status", "死"),
    ]


def test_every_quotation_stands_in_the_text():
    """To the letter, with the line ends that the chapter has."""
    text = "".join(f"{t}\n\n" for t, _ in TELLS)
    for told in facts.find(Desk(View()), Task("facts", "novel", "zh", passage=text), text):
        assert told.quote in text


async def test_the_model_calls_the_tool_and_counts_what_became_of_it():
    """First the calls, then one sentence; without the tool it says why it cannot propose."""
    text = "周衡终于死了。\n\n林夏独自回到青石镇。\n"
    task = Task("facts", "novel", "zh", passage=text)
    tool = ToolSpec("propose_fact", "", {})

    async def play(messages, tools):
        said, calls = "", ()
        async for event in OfflineModel(View()).stream(
            ModelRequest(messages=messages, tools=tools, task=task)
        ):
            if isinstance(event, Text):
                said += event.text
            elif isinstance(event, Finished):
                calls = event.tool_calls
        return said, calls

    said, calls = await play((Message("user", text),), (tool,))
    assert [dict(call.arguments)["card"] for call in calls] == ["周衡", "林夏"]
    assert "“周衡终于死了。”" in said
    answers = (
        Message("assistant", said, tool_calls=calls),
        Message("tool", "已留给作者决定：周衡，status：死。", tool_call_id=calls[0].id),
        Message("tool", '{"error": {"message": "x"}}', tool_call_id=calls[1].id),
    )
    told, more = await play(answers, (tool,))
    assert more == ()
    assert "等你接受：1 条" in told
    assert "没有保留：1 条" in told
    said, calls = await play((Message("user", text),), ())
    assert calls == ()
    assert "2 条" in said

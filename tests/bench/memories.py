"""What it costs to find the memories for a run in a book that has far more than the caps allow."""

from __future__ import annotations

import random
import time
from pathlib import Path

from inkwright.domain.memory import Memory, MemoryType
from inkwright.memory.keywords import keywords
from inkwright.memory.recall import recall
from inkwright.store.state import State

ABILITIES = ("writing", "analysis", "research", "polish")
TYPES: tuple[MemoryType, ...] = ("preference", "decision", "lesson")
WHO = ["林晚", "周衡", "沈砚", "顾迟", "阿九", "苏棠", "陆鸣", "江雪", "老秦", "方渡"]
WHAT = [
    "对话",
    "心理",
    "景色",
    "打斗",
    "回忆",
    "开头",
    "结尾",
    "动作",
    "神态",
    "伏笔",
    "节奏",
    "称呼",
    "方言",
    "天气",
    "衣着",
    "饮食",
    "旧事",
    "梦境",
    "书信",
    "独白",
]
HOW = [
    "短句",
    "长句",
    "白描",
    "比喻",
    "口语",
    "文言",
    "冷峻",
    "温柔",
    "克制",
    "热烈",
    "留白",
    "排比",
    "倒叙",
    "插叙",
    "第一人称",
    "第三人称",
]
WHERE = ["渡口", "药铺", "城楼", "雪夜", "茶馆", "山寺", "码头", "客栈", "书院", "荒村", "江边", "集市"]
MESSAGES = (
    "把渡口这一段改成短句",
    "林晚在雪夜的独白要克制，多用白描，少用比喻",
    "结尾的书信用文言写，称呼改成沈砚",
)


async def measured(root: Path, count: int, turns: int) -> list[float]:
    """CPU milliseconds of each recall among `count` memories; nothing is stamped."""
    root.mkdir(parents=True)
    state = await State.open(root)
    try:
        await state.memories.fill(_memories(count))
        out: list[float] = []
        for turn in range(turns * len(MESSAGES)):
            began = time.process_time()
            found = await recall(state.memories, "polish", MESSAGES[turn % len(MESSAGES)], stamp=False)
            out.append((time.process_time() - began) * 1000)
            assert len(found) == 10
        return out
    finally:
        await state.close()


def _memories(count: int) -> list[Memory]:
    draw = random.Random(7)
    now = time.time()
    out = []
    for number in range(count):
        said = f"我希望{draw.choice(WHO)}在{draw.choice(WHERE)}的{draw.choice(WHAT)}用{draw.choice(HOW)}，第{number}稿起。"
        out.append(
            Memory(
                f"{number:032x}",
                ABILITIES[number % 4],
                TYPES[number % 3],
                said,
                keywords(said),
                created_at=now - count + number,
                updated_at=now - count + number,
            )
        )
    return out

"""The rules give the same answer in every process: a run that is killed goes on in another one."""

from __future__ import annotations

import os
import subprocess
import sys

PLAY = """
import asyncio, sys
from inkwright.domain.conversation import ModelRequest, Task, Text, ToolSpec
from inkwright.offline.model import ANSWERERS, OfflineModel

STORY = [
    "庙旁住着一家乡宦，姓甄，名费，字士隐。嫡妻封氏，情性贤淑，深明礼义。",
    "因这甄士隐{}禀性恬淡，不以功名为念，每日只以观花修竹、酌酒吟诗为乐，倒是神仙一流人品。",
    "一日，士隐{}在书房闲坐，忽见隔壁葫芦庙内寄居的一个穷儒走了出来，姓贾名化，别号雨村。",
    "雨村见了士隐{}，忙施礼陪笑。士隐笑道：“适因小女啼哭，引他出来作耍。”",
    "半夜里葫芦庙中起了火，士隐{}家也烧成一片瓦砾场了。",
]
NOTES = [
    "加速度是指速度的变化率{}，单位是米每二次方秒。", "牛顿第二定律{}：F = ma，其中 m 是质量，a 是加速度。",
    "例题{}：质量为二千克的物体受十牛的力，求加速度。解：a = F / m = 5。", "注意：公式{}只在惯性系中成立。",
]

def text(lines):
    return "\\n\\n".join(lines[n % len(lines)].format("甲乙丙丁"[n % 4]) for n in range(90)) + "\\n"

async def said(ability, domain, step, words):
    products = {"breakdown": (("split", "一"), ("distil", "二")), "note": (("organise", "一"), ("concepts", "二"))}
    task = Task(ability, domain, "zh", "士隐和雨村", words, "", 0, step, products.get(domain, ()))
    tools = (ToolSpec("create_note_card", "", {}),)
    async for event in OfflineModel(None).stream(ModelRequest((), tools, task)):
        print(event.text if isinstance(event, Text) else (event.finish, event.tool_calls), end="")

async def all_of_it():
    for ability in sorted(ANSWERERS):
        await said(ability, "novel", "", text(STORY))
    for step in ("split", "distil", "cards"):
        await said("breakdown", "breakdown", step, text(STORY))
    for step in ("organise", "concepts", "cards", "quiz"):
        await said("note", "note", step, text(NOTES))

sys.stdout.reconfigure(encoding="utf-8")
asyncio.run(all_of_it())
"""


def test_no_answer_depends_on_the_order_of_a_set() -> None:
    """Every ability and step, with the strings of each process hashed in another way."""
    answers = set()
    for seed in ("0", "1", "2"):
        env = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run([sys.executable, "-c", PLAY], env=env, capture_output=True, check=True)
        answers.add(done.stdout)
    assert len(answers) == 1
    assert "create_note_card" in answers.pop().decode("utf-8")

"""The page that shows what a model saw."""

from __future__ import annotations

from inkwright.domain.conversation import ToolSpec, Usage
from inkwright.domain.errors import Fault
from inkwright.domain.memory import Memory
from inkwright.domain.run import Part, RunEnded, StepRecord, ToolRecord
from inkwright.runtime import context_page
from inkwright.runtime.opening import opening
from inkwright.runtime.scripted import ScriptedModel
from inkwright.runtime.stage import of_window, stages

READ = ToolSpec("read_chapter", "读", {"type": "object"})
CARD = Part("card", "林夏,船家女。", "card_in_passage", {"name": "林夏", "count": 3}, source="cards/林夏.md")


def test_every_part_has_its_reason_and_size(ask, now):
    """Passage, card and message are shown with why they are there; the total is a sum."""
    page = context_page.render(ask(context=[[CARD]]), "zh", now=now)
    for piece in ("第一段。", "林夏,船家女。", "正文中出现 3 次：林夏", "cards/林夏.md", "看看节奏", "合计"):
        assert piece in page


def test_what_was_cut_is_said(ask, now):
    """A part that was left out stands in the table with how much is missing."""
    dropped = Part("card", "", "too_many_cards", {"name": "甲"}, cut=77, source="cards/甲.md")
    page = context_page.render(ask(context=[[dropped]]), "zh", now=now)
    assert "略去 77 字" in page
    assert "卡片已满" in page


def test_the_houses_prompts_are_listed_without_their_text(ask, now):
    """Prompts never leave the server: name and size are shown, the words are not."""
    page = context_page.render(ask(), "en", now=now)
    assert "ABILITY" not in page
    assert "DOMAIN" not in page
    assert "HINT" not in page
    assert "ability prompt" in page


def test_memories_and_history_are_shown(ask, now):
    """What goes along of the past is part of what the model saw."""
    request = ask(request={"memories": ("喜欢短句",), "history": (("旧问", "旧答"),)})
    page = context_page.render(request, "zh", now=now)
    assert "喜欢短句" in page
    assert "旧问" in page


def test_windows_are_shown_one_by_one(ask, now):
    """A long edit has a part of the page for each window."""
    page = context_page.render(ask("甲一", "乙二", output="edit"), "en", now=now)
    assert page.index("Part 1 of 2") < page.index("甲一") < page.index("Part 2 of 2") < page.index("乙二")


def test_manuscript_text_cannot_end_its_fence(ask, now):
    """Text with fences of its own stays inside a longer one."""
    page = context_page.render(ask("```\n# 假标题\n````"), "zh", now=now)
    assert "`````text\n```\n# 假标题\n````\n`````" in page


def test_the_page_shows_what_a_small_model_is_sent(ask, now):
    """Where the model's context is short, the page has the parts that were left out as the prompt has."""
    cards = [Part("card", "卡" * 300, "card_always", {"name": f"甲{i}"}) for i in range(12)]
    request = ask(context=[cards], request={"context_window": 3000})
    page = context_page.render(request, "zh", now=now)
    sent = opening(request, of_window(request, request.windows[0]), now).messages[-1].content
    assert 0 < page.count("卡" * 300) == sent.count("卡" * 300) < 12
    assert "略去 300 字" in page


def test_notices_are_on_the_page(ask, now):
    """What the writer should know of the run is said there too."""
    ended = RunEnded("completed", "finished", "好。", Usage(), notices=(Fault("run_context_cut"),))
    assert "略去了一部分" in context_page.render(ask(), "zh", now=now, ended=ended)


def test_a_tools_name_is_the_models_word_and_shapes_no_page(ask, now):
    """A call by any name, braces, line ends and Markdown in it, is one item of the list."""
    names = ("{", "a\n# Heading\n", "{0.x}", "`|" * 3)
    calls = tuple(ToolRecord(str(n), name, None, "raw\n# x", "", False, 0.1) for n, name in enumerate(names))
    step = StepRecord("run-1", 0, 0, 1, "h", 10, "", "tool_calls", None, 0.2, calls=calls)
    page = context_page.render(ask(), "en", now=now, steps=(step,))
    assert not [line for line in page.split("\n") if line.startswith(("# Heading", "# x"))]
    assert sum(line.startswith("- tool_") for line in page.split("\n")) == len(names)


def test_an_ended_run_shows_calls_usage_and_cost(ask, now):
    """Tool calls with how they went, and what it all cost."""
    call = ToolRecord("1", "read_chapter", {"chapter_id": "a|b"}, "", "章", True, 0.1)
    step = StepRecord("run-1", 0, 0, 1, "h", 10, "", "tool_calls", None, 0.2, calls=(call,))
    ended = RunEnded("completed", "finished", "好。", Usage(120, 34, cost=0.5))
    specs = (ToolSpec("read_chapter", "读", {"type": "object"}),)
    page = context_page.render(ask(), "zh", now=now, tools=specs, steps=(step,), ended=ended)
    assert "读取章节" in page
    assert "a\\|b" in page
    assert "120 + 34" in page
    assert "0.5" in page


def test_sources_are_links(ask, now):
    """Where the caller knows a path's address, card and chapter can be opened from the page."""
    odd = Part("card", "x", "card_always", {"name": "a"}, source="cards/a [1]|b.md")
    page = context_page.render(ask(context=[[odd]]), "en", now=now, link=lambda path: f"file:///b/{path}")
    assert "[a.md](file:///b/a.md)" in page
    assert "[cards/a \\[1\\]\\|b.md](file:///b/cards/a%20[1]%7Cb.md)" in page
    page = context_page.render(ask(context=[[odd]]), "en", now=now)
    assert "](" not in page
    assert "cards/a [1]\\|b.md" in page


def test_each_memory_has_its_reason(ask, now):
    """One line for each: its kind where it is still known, pinned or over the share."""
    request = ask(request={"memories": ("喜欢短句", "决定用第一人称", "早已删去", "长" * 2000)})
    known = (
        Memory("1", "", "preference", "喜欢短句", pinned=True),
        Memory("2", "", "decision", "决定用第一人称"),
    )
    page = context_page.render(request, "zh", now=now, memories=known)
    rows = [row for row in page.split("\n") if row.startswith("| ")]
    assert next(row for row in rows if "喜欢短句" in row).split(" | ")[1] == "作者的偏好 (已置顶)"
    assert "作者的决定" in next(row for row in rows if "决定用第一人称" in row)
    assert "作者说过的偏好与决定" in next(row for row in rows if "早已删去" in row)
    assert "超出记忆的份额" in next(row for row in rows if "长" * 50 in row)


def test_older_turns_are_on_the_page(ask, now):
    """The summary of the conversation with how many turns it stands for and what is missing of them."""
    history = tuple((f"第{n}问。" + "再问" * 100, "答" * 3000) for n in range(9))
    page = context_page.render(ask(request={"history": history}), "zh", now=now)
    assert "更早的 4 轮对话按规则摘出" in page
    assert "最近 5 轮照原样带上" in page
    row = next(row for row in page.split("\n") if row.startswith("| 此前对话的摘要"))
    assert "略去" in row
    row = next(row for row in page.split("\n") if row.startswith("| 此前对话 |"))
    assert "略去" in row


def test_a_pipeline_before_it_runs(pipe, now):
    """For each step: its order by size, passage, tools, and the products that are to come."""
    page = context_page.render(pipe("甲段", "乙段", count=4), "zh", now=now, tools=(READ,))
    sections = page.split("\n## ")
    titles = [section.split("\n")[0] for section in sections[1:]]
    assert titles[0] == "各步骤共有的部分"
    assert titles[1] == "1/7 拆分（第 1/2 批）"
    assert titles[7] == "7/7 出题"
    assert "流水线: breakdown" in page
    assert "ORDER OF" not in page
    assert "read_chapter" in sections[2]
    assert "read_chapter" not in sections[3]
    fifth = sections[6]
    assert "到时会带上这一步的产物：4/7 拆分（第 2/2 批）" in fifth
    assert fifth.count("到时会带上") == 1
    assert sections[8].count("到时会带上") == 6
    assert page.count("\n甲段\n") == page.count("\n乙段\n") == 1
    assert page.count("还没有开始") == 7


async def test_a_pipeline_after_it_ran(pipe, play, now):
    """What each step saw of the earlier ones, how each ended, and what was cut."""
    request = pipe()
    script = ["清" * 7000, ["半", Fault("model_x", kind="timeout")]]
    ended = (await play(request, ScriptedModel(script)))[-1]
    page = context_page.render(request, "zh", now=now, ended=ended)
    sections = page.split("\n## ")
    assert "状态: 完成" in sections[2]
    assert "状态: 只完成一部分" in sections[3]
    assert "前面的步骤：1/3 拆分 (略去" in sections[3]
    assert "状态: 还没有开始" in sections[4]


async def test_the_page_has_what_each_step_was_sent(pipe, play, now):
    """The sizes on the page are those of the messages that went."""
    request = pipe("甲段", "乙段", count=4, memories=("喜欢短句",))
    model = ScriptedModel([f"答{n}" for n in range(7)])
    ended = (await play(request, model))[-1]
    for at, sent in zip(stages(request, ended.steps), model.requests, strict=True):
        assert opening(request, at, now).messages == sent.messages


def test_a_single_shot_is_offered_nothing(ask, now):
    """Its page names no tool, whatever the profile lists."""
    page = context_page.render(ask(mode="single"), "zh", now=now, tools=(READ,))
    assert "read_chapter" not in page
    assert "read_chapter" in context_page.render(ask(), "zh", now=now, tools=(READ,))

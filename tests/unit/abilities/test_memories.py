"""What the writer says in one run goes along with the next."""

from __future__ import annotations

from dataclasses import replace

from inkwright.domain.conversation import ToolCall
from inkwright.domain.model import ModelProfile
from inkwright.library import libraries
from inkwright.memory.remember import add, edit
from inkwright.runtime.scripted import ScriptedModel, Turn
from inkwright.store import locations

MODEL = ModelProfile(id="m", endpoint="http://example.com/v1", model="m")
"""What rules answer teaches nothing: for what answers teach it takes a model."""
SAID = "我喜欢短句，少用形容词。"


def prompt(model: ScriptedModel) -> str:
    return model.requests[-1].messages[0].content


async def test_a_preference_is_in_the_next_prompt_and_on_its_page(stage) -> None:
    """Said in one run, there in the next; said again it is one; deleted it is gone."""
    model = stage.plays("好。", "好。", "好。", "好。")
    await stage.studio.run(await stage.ask("writing", message=SAID), lambda _: None)
    await stage.studio.run(await stage.ask("writing", message="下一章写什么"), lambda _: None)
    assert "喜欢短句" in prompt(model)
    page = await stage.studio.context(await stage.ask("writing", message="再下一章"))
    assert "喜欢短句" in page.read_text("utf-8")
    await stage.studio.run(await stage.ask("writing", message=SAID), lambda _: None)
    book = await stage.studio.workspace.book(stage.chapter)
    await stage.studio._behind.done()
    (memory,) = await book.state.memories.list()
    assert memory.type == "preference"
    await book.state.memories.delete(memory.id)
    await stage.studio.run(await stage.ask("writing", message="再写"), lambda _: None)
    assert "喜欢短句" not in prompt(model)


async def test_nothing_is_remembered_of_a_quick_action_an_edit_or_a_partial_run(stage) -> None:
    """Our own words, manuscript, and what broke off teach nothing."""
    stage.studio.settings = replace(stage.studio.settings, model="m", models=(MODEL,))
    ability = (await stage.studio.library()).ability("polish")
    assert ability is not None
    ready = ability.quick_actions[0].message["zh"]
    stage.plays("林夏建议大家注意安全。\n\n她数了数铜钱，一共十七枚。\n\n“再等等。”周衡说。\n", ())
    edit = await stage.studio.run(await stage.ask("polish", message=ready), lambda _: None)
    assert edit.status == "completed"
    partial = await stage.studio.run(await stage.ask("writing", message=SAID), lambda _: None)
    assert partial.status != "completed"
    await stage.studio._behind.done()
    book = await stage.studio.workspace.book(stage.chapter)
    assert await book.state.memories.list() == ()


async def test_the_ready_words_of_a_kind_of_book_are_ours_too(stage, tmp_path) -> None:
    """Whichever profile brought the quick action."""
    folder = tmp_path / "profiles" / "domains"
    folder.mkdir(parents=True)
    action = f"[{{label: 短句, message: {SAID}}}]"
    (folder / "diary.md").write_text(f"---\nkind: domain\nquick_actions: {action}\n---\n日记。\n", "utf-8")
    stage.studio.libraries = libraries.Libraries(tmp_path / "profiles")
    stage.plays("好。")
    result = await stage.studio.run(await stage.ask("writing", message=SAID), lambda _: None)
    assert result.status == "completed"
    await stage.studio._behind.done()
    book = await stage.studio.workspace.book(stage.chapter)
    assert await book.state.memories.list() == ()


async def test_what_tools_read_of_the_book_teaches_nothing(stage) -> None:
    """A report that repeats a chapter which a tool read gives no lesson; its own advice does."""
    stage.studio.settings = replace(stage.studio.settings, model="m", models=(MODEL,))
    warned = "老船夫提醒大家注意水下的暗桩。"
    (stage.root / "第000章 暗桩.md").write_text(f"---\nsynopsis: 过河\n---\n{warned}\n", "utf-8")
    book = await stage.studio.workspace.book(stage.chapter)
    await book.ready()
    await book.files.file_changed("第000章 暗桩.md")
    read = ToolCall("c1", "read_chapter", {"chapter_id": "第000章 暗桩.md"}, "")
    stage.plays(Turn([read]), f"{warned}建议把开头的节奏放慢。")
    result = await stage.studio.run(await stage.ask("analysis", message="看看"), lambda _: None)
    assert result.status == "completed"
    await stage.studio._behind.done()
    (step, _) = await book.state.runs.steps(result.request_id)
    assert warned[:-1] in step.calls[0].result
    (memory,) = await book.state.memories.list()
    assert memory.content == "建议把开头的节奏放慢。"


async def test_with_memory_off_nothing_goes_along_and_nothing_is_kept(stage) -> None:
    """The writer's switch."""
    book = await stage.studio.workspace.book(stage.chapter)
    await add(book.state.memories, "我喜欢长句。", pinned=True)
    stage.studio.settings = replace(stage.studio.settings, memory=False)
    model = stage.plays("好。")
    await stage.studio.run(await stage.ask("writing", message=SAID), lambda _: None)
    await stage.studio._behind.done()
    assert "喜欢长句" not in prompt(model)
    assert len(await book.state.memories.list()) == 1


async def test_a_page_before_a_run_leaves_no_trace(stage) -> None:
    """Looking at what would go along stamps no memory."""
    book = await stage.studio.workspace.book(stage.chapter)
    memory = await add(book.state.memories, "我喜欢长句。", pinned=True)
    await stage.studio.context(await stage.ask("writing", message="写"))
    (same,) = await book.state.memories.list()
    assert same.last_hit_at is None
    await edit(book.state.memories, memory.id, pinned=False)


async def test_memories_that_came_with_a_folder_need_its_trust(stage) -> None:
    """In a workspace that its client calls untrusted what lies in the book's own folder reaches no prompt,
    and that is said; once it is trusted it goes along."""
    model = stage.plays("好。", "好。", "好。")
    locations.make_home(stage.root)
    book = await stage.studio.workspace.book(stage.chapter)
    await add(book.state.memories, SAID, ability="writing")
    stage.studio._trusted = False
    held = await stage.studio.run(await stage.ask("writing", message="下一章写什么"), lambda _: None)
    assert "喜欢短句" not in prompt(model)
    assert [notice.code for notice in held.notices] == ["memories_untrusted"]
    stage.studio._trusted = True
    run = await stage.studio.run(await stage.ask("writing", message="再下一章"), lambda _: None)
    assert "喜欢短句" in prompt(model)
    assert run.notices == ()

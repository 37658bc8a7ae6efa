"""The one-turn actions through the studio: one request, no tools, the lowest effort, and what each gives."""

from __future__ import annotations

import pytest

from inkwright.config import Settings
from inkwright.domain.conversation import ToolCall
from inkwright.domain.model import OFFLINE, ModelProfile
from inkwright.domain.run import RunEvent
from inkwright.domain.text import Span, TextEdit, apply
from inkwright.library import libraries
from inkwright.runtime.scripted import Turn

CHAPTER = (
    "林夏到的时候，船已经走了，水面上只剩一道慢慢合拢的白痕，像谁拿指甲在绸子上划了一下。\n\n"
    "她把药箱放在石阶上，数了数剩下的铜钱，一共十七枚，一旦天黑，渡口就再也没有船了。\n"
)
SHORT = "林夏到时，船已走了，水面只剩一道白痕。\n\n她数了数铜钱，十七枚，天黑就没有船了。"
LONG = (
    CHAPTER.replace("船已经走了，", "船已经走了，岸边的人也都散了，只有卖茶的老人还在收他的旧棚子，")
    .replace("在绸子上划了一下。", "在绸子上划了一下，划过去，又自己慢慢地抹平了，什么都没有留下来。")
    .replace("放在石阶上，", "放在石阶上，蹲下来，从袖袋里摸出那只旧布袋，把钱倒在掌心，一枚一枚地数，")
    .replace("再也没有船了。", "再也没有船了，这是这个渡口多少年的老规矩，谁来求情都没有用处的。")
)
LONG += "\n风从江心吹过来，带着水腥气。" * 8


def ignore(_: RunEvent) -> None:
    pass


@pytest.fixture
def stage(stage):
    stage.chapter.write_text(CHAPTER, "utf-8")
    model = ModelProfile(
        id="thinker", endpoint="http://127.0.0.1:9", model="t", efforts=("off", "low", "high")
    )
    stage.studio.settings = Settings(model="thinker", models=(model, OFFLINE))
    return stage


MODES = (
    ("edit", "react"),
    ("edit", "pipeline"),
    ("insert", "react"),
    ("summary", "react"),
    ("cards", "single"),
)
TOOLBOX = "continue shorten expand describe-senses tighten-dialogue change-tone name-suggestions title-suggestions summary"


@pytest.mark.parametrize("type_", ["novel", "breakdown", "note"])
@pytest.mark.parametrize("ability", TOOLBOX.split())
async def test_one_turn_without_tools_in_every_book(stage, ability, type_):
    """At the lowest effort, in every kind of book."""
    (stage.root / "book.toml").write_text(f'type = "{type_}"\n', "utf-8")
    model = stage.plays(CHAPTER.replace("慢慢", "缓缓"))
    result = await stage.studio.run(await stage.ask(ability), ignore)
    (request,) = model.requests
    assert (request.tools, request.effort) == ((), "off")
    assert (result.status, result.fault) == ("completed", None)


OWN = """---
kind: ability
label: {id}
output: {output}
mode: {mode}
scope: chapter
tools: [read_chapter, create_note_card]
---
照做。
"""


@pytest.mark.parametrize("type_", ["novel", "breakdown", "note"])
@pytest.mark.parametrize(
    "ability",
    [*TOOLBOX.split(), "polish", *(f"own-{out}-{mode}" for out, mode in MODES)],
)
async def test_what_is_no_report_makes_no_card(stage, tmp_path, ability, type_):
    """In no kind of book, whatever a user's profile names among its tools, and though the model calls
    for a card in every turn: no file, no candidate."""
    for output, mode in MODES:
        folder = tmp_path / "profiles"
        folder.mkdir(exist_ok=True)
        text = OWN.format(id="own", output=output, mode=mode)
        (folder / f"own-{output}-{mode}.md").write_text(text, "utf-8")
    stage.studio.libraries = libraries.Libraries(tmp_path / "profiles")
    (stage.root / "book.toml").write_text(f'type = "{type_}"\n', "utf-8")
    arguments = {"card_type": "item", "title": "铜钱", "content": "十七枚。", "quote": "一共十七枚"}
    model = stage.plays(*[Turn([ToolCall("c", "create_note_card", arguments, "")])] * 5, CHAPTER)
    result = await stage.studio.run(await stage.ask(ability), ignore)
    assert result.ability == ability
    assert model.requests
    assert all(spec.name != "create_note_card" for request in model.requests for spec in request.tools)
    assert list((stage.root / "cards").iterdir()) == [stage.root / "cards" / "林夏.md"]
    assert (result.cards, result.candidates) == ((), ())
    book = await stage.studio.workspace.book(stage.chapter)
    assert await book.state.candidates.list(()) == ()


@pytest.mark.parametrize(
    ("ability", "answer", "status"),
    [
        ("shorten", SHORT, "completed"),
        ("polish", SHORT, "failed"),
        ("expand", SHORT, "failed"),
        ("expand", LONG, "completed"),
        ("polish", LONG, "failed"),
        ("shorten", LONG, "failed"),
    ],
)
async def test_the_length_that_the_ability_allows(stage, ability, answer, status):
    """Half as long is a rewrite where shortening was asked for, twice as long where expanding was."""
    stage.plays(Turn([answer]))
    result = await stage.studio.run(await stage.ask(ability), ignore)
    assert result.status == status, result.fault
    if status == "failed":
        assert result.stop_reason == "no_rewrite"
        assert result.proposal is None
    else:
        edits = [TextEdit(h.span, h.after) for h in result.proposal.hunks]
        assert apply(CHAPTER, edits).split() == answer.split()


async def test_to_continue_is_one_hunk_behind_the_passage(stage):
    """What stands there stays as it is."""
    first = CHAPTER.index("\n")
    stage.plays("天黑了。")
    result = await stage.studio.run(await stage.ask("continue", span=Span(0, first)), ignore)
    (hunk,) = result.proposal.hunks
    assert (hunk.span, hunk.before) == (Span(first, first), "")
    assert hunk.after.strip() == "天黑了。"


@pytest.mark.parametrize("ability", ["name-suggestions", "title-suggestions", "summary"])
async def test_what_is_no_edit_proposes_nothing(stage, ability):
    """The answer is the text."""
    stage.plays("一、渡口")
    result = await stage.studio.run(await stage.ask(ability), ignore)
    assert (result.text, result.proposal) == ("一、渡口", None)


async def test_a_quick_action_is_its_message(stage):
    """It reaches the model as the author's words."""
    tone = (await stage.studio.library()).ability("change-tone")
    model = stage.plays(CHAPTER)
    await stage.studio.run(
        await stage.ask("change-tone", message=tone.quick_actions[1].message["zh"]), ignore
    )
    assert "紧张、急促" in model.requests[0].messages[-1].content
    assert tone.prompt["zh"] in model.requests[0].messages[0].content

"""Reading an answer: every form that models answer in, and what is no rewrite at all."""

import json
import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkwright.domain.errors import Fault
from inkwright.domain.text import apply
from inkwright.proposals.answer import Rewrite, read_answer

PASSAGE = "　　林夏到的时候，船已经走了。她站在渡口，看着江水发呆。\r\n\r\n　　“再等等。”周衡说。他看了看表，三点十分。\r\n"
ANSWER = "林夏赶到时，船已经走了。她站在渡口，看着江水发呆。\n\n“再等等。”周衡说。他看了看表，三点十分。"
WANTED = PASSAGE.replace("林夏到的时候", "林夏赶到时")

ENGLISH = (
    "The boat had gone when Mara came down the steps. She stood there and looked at the water.\n\n"
    "“Wait,” said Tobin. He looked at his watch: ten past three.\n"
)
ENGLISH_ANSWER = (
    "The boat was gone when Mara came down the steps. She stood there and looked at the water.\n\n"
    "“Wait,” said Tobin. He looked at his watch: ten past three."
)
ENGLISH_WANTED = ENGLISH.replace("had gone", "was gone")


@pytest.mark.parametrize(
    "answer",
    [
        ANSWER,
        "\n\n" + ANSWER + "\n\n\n",
        "　　" + ANSWER.replace("\n\n", "\r\n\r\n　　") + "\r\n",
        ANSWER.replace("\n\n", "\n"),
        f"```\n{ANSWER}\n```",
        f"```markdown\n{ANSWER}\n```\n",
        f"```markdown\n{ANSWER}",
        f"好的，以下是润色后的文本：\n\n{ANSWER}",
        f"好的。\n\n{ANSWER}",
        f"润色后：{ANSWER}",
        f"**润色后：**\n\n{ANSWER}",
        f"### 润色后的文本\n\n{ANSWER}\n\n### 修改说明\n\n1. 第一句更简洁。\n2. 其余未动。",
        f"{ANSWER}\n=== 修改说明 ===\n- 第一句更简洁",
        f"{ANSWER}\n\n=== 修改说明 ===\n",
        f"{ANSWER}\n\n---\n\n**修改说明：**\n- 第一句更简洁",
        f"{ANSWER}\n\n修改说明：第一句更简洁。",
        f"{ANSWER}\n\n希望这能帮到你！如果还需要调整，请告诉我。",
        f"修改说明：\n1. 第一句更简洁\n\n{ANSWER}",
        f"修改说明：\n1. 第一句更简洁\n\n润色后：\n{ANSWER}",
        f"原文：\n\n{PASSAGE}\n润色后：\n\n{ANSWER}",
        f"好的，以下是润色后的文本：\n\n```\n{ANSWER}\n```\n\n主要修改：\n- 第一句更简洁",
        f"<passage>\n{ANSWER}\n</passage>",
        f"=== 正文 ===\n{ANSWER}",
        f"<think>想一想。</think>\n{ANSWER}",
        f"{ANSWER}\n\n{ANSWER}",
        f"{ANSWER}\n\n{ANSWER}\n\n{ANSWER}",
        f"{PASSAGE}\n\n{ANSWER}",
        f"版本一：\n\n{ANSWER}\n\n版本二：\n\n{ANSWER.replace('发呆', '出神')}",
        f"{ANSWER}\n\n| 原文 | 修改 |\n|---|---|\n| 到的时候 | 赶到时 |",
        f"{ANSWER}\n\n我主要精简了第一句的表达，其余保持不变。",
        "原文：林夏到的时候，船已经走了。她站在渡口，看着江水发呆。\n修改后："
        + ANSWER.replace("\n\n", "\n\n原文：“再等等。”周衡说。他看了看表，三点十分。\n修改后："),
        "> " + ANSWER.replace("\n\n", "\n>\n> "),
        "好的：\n\n> " + ANSWER.replace("\n\n", "\n>\n> "),
        json.dumps({"text": ANSWER}, ensure_ascii=False),
        "```json\n" + json.dumps({"original": PASSAGE, "revised": ANSWER, "notes": "第一句"}) + "\n```",
        json.dumps(ANSWER.split("\n\n")),
        f"「{ANSWER}」",
    ],
)
def test_the_rewrite_is_found(answer):
    """Bare, fenced, labelled, with notes before or after: the same rewrite, in the passage's own white space."""
    found = read_answer(PASSAGE, answer)
    assert isinstance(found, Rewrite)
    assert found.text == WANTED
    assert len(found.edits) == 1


@pytest.mark.parametrize(
    "answer",
    [
        ENGLISH_ANSWER,
        f"Here is the polished version:\n\n{ENGLISH_ANSWER}",
        f"Sure! Here's the revised passage:\n\n{ENGLISH_ANSWER}\n\nLet me know if you'd like further changes.",
        f"**Revised:**\n{ENGLISH_ANSWER}\n\n**Changes made:**\n- tense of the first sentence",
        f"{ENGLISH_ANSWER}\n=== Notes ===\nTense of the first sentence.",
        f"{ENGLISH_ANSWER}\n\nNotes:\n1. tense",
        f"```text\n{ENGLISH_ANSWER}\n```\nI've corrected the tense of the first sentence.",
        f"Original:\n\n{ENGLISH}\nRevised:\n\n{ENGLISH_ANSWER}",
        "\n\n".join(textwrap.fill(part, 50) for part in ENGLISH_ANSWER.split("\n\n")),
        f'"{ENGLISH_ANSWER}"',
        f"{ENGLISH_ANSWER}\n\n{ENGLISH_ANSWER}",
        f"Option 1:\n\n{ENGLISH_ANSWER}\n\nOption 2:\n\n{ENGLISH_ANSWER.replace('ten', 'five')}",
    ],
)
def test_the_rewrite_is_found_in_english(answer):
    """The same in English."""
    found = read_answer(ENGLISH, answer)
    assert isinstance(found, Rewrite)
    assert found.text == ENGLISH_WANTED


def test_notes_are_kept():
    """What the model said about its changes is not lost."""
    found = read_answer(PASSAGE, f"{ANSWER}\n=== 修改说明 ===\n- 第一句更简洁\n- 其余未动\n")
    assert isinstance(found, Rewrite)
    assert found.notes == "- 第一句更简洁\n- 其余未动"


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("", "empty"),
        (" \n\n", "empty"),
        ("```\n```", "empty"),
        ("抱歉，我无法帮助你完成这个请求。", "chat"),
        ("作为一个人工智能助手，我不能改写这样的内容。", "chat"),
        ("请提供需要润色的文本。", "chat"),
        ("这段文字已经很好，无需修改。", None),
        ("I'm sorry, but I can't help with that.", "chat"),
        ("好的，请问你想让我怎么润色这段文字？", None),
        (
            "周衡走进大殿，四下无人，只有烛火摇曳。他拔出长剑，剑身映出一张苍老的脸，那是他自己。\n\n“你终于来了。”身后有人说。",
            "other_text",
        ),
        ("林夏赶到时，船已经走了。她站在渡口，看着江水发呆。", "too_short"),
        ("林夏赶到时，船已经走了。她站在渡口，看着江水发呆。\n\n“再等等。”周衡", None),
        ("原文：林夏到的时候，船已经走了。\n修改：林夏赶到时，船已经走了。", None),
        ("<html><body><h1>502 Bad Gateway</h1></body></html>", None),
        ("The boat had gone when Lin Xia came. She stood at the ferry and looked at the river.", None),
        (ANSWER + "\n\n" + "第二天清晨，雾气还没有散去，渡口又来了许多人。" * 8, "too_long"),
    ],
)
def test_no_rewrite(answer, reason):
    """A refusal, chat, another text, half of the passage, nothing: never becomes a proposal."""
    found = read_answer(PASSAGE, answer)
    assert isinstance(found, Fault)
    assert found.code == "no_rewrite"
    assert reason is None or found.params["reason"] == reason


def test_an_unchanged_answer_is_a_rewrite_without_edits():
    """A model that finds nothing to change has answered."""
    assert read_answer(PASSAGE, PASSAGE) == Rewrite(PASSAGE, "", ())


def test_a_free_rewrite_is_a_rewrite():
    """Every word may change as long as the passage is still the passage."""
    passage = "他很生气地走了出去，把门重重地关上。外面下着雨，他没有带伞，就这样走进了雨里。"
    answer = "他怒气冲冲地走出门，砰地一声把门摔上。外头正下着雨，他连伞也没带，便一头扎进了雨中。"
    found = read_answer(passage, answer)
    assert isinstance(found, Rewrite)
    assert found.text == answer


def test_a_short_sentence_may_change_wholly():
    """Chance rules short texts: a rewrite of five characters is not refused for being unlike."""
    found = read_answer("她很高兴。", "她喜不自胜。")
    assert isinstance(found, Rewrite)
    assert found.text == "她喜不自胜。"


def test_the_passages_own_fence_and_notes_are_text():
    """What looks like talk but stands in the passage is the passage's."""
    passage = "```\n口令：开门\n```\n\n说明：这是他留下的纸条。\n\n---\n\n好的，他想。\n"
    found = read_answer(passage, passage.replace("纸条", "字条"))
    assert isinstance(found, Rewrite)
    assert found.text == passage.replace("纸条", "字条")


@pytest.mark.parametrize(
    "passage",
    [
        "风很大。\n\n雨也很大。\n\n风很大。\n\n雨也很大。\n",
        "原文：一朵花。\n修改：一枝花。\n",
        "“走吧。”\n\n“好。”\n",
        "> 他来了。\n>\n> 他走了。\n",
        "| 甲 | 乙 |\n|---|---|\n| 一 | 二 |\n",
        '{"name": "Rose"}\n',
        "“他来了，说：‘好。’”\n",
        "版本一：\n\n他来了。\n\n版本二：\n\n他来了呀。\n",
    ],
)
def test_a_form_that_the_passage_has_itself_is_its_own(passage):
    """Refrains, pairs, quotations, tables and JSON of the writer's are text like any other."""
    assert read_answer(passage, passage) == Rewrite(passage, "", ())
    found = read_answer(passage, passage.rstrip("\n") + "\n=== 修改说明 ===\n没有。")
    assert isinstance(found, Rewrite)
    assert found.text == passage


def test_text_around_the_passage_is_not_taken_in():
    """A model that repeats the lines before and after adds nothing by it."""
    before, after = "天色将晚。\n\n", "\n江上起了雾。\n"
    found = read_answer(PASSAGE, f"天色将晚。\n\n{ANSWER}\n\n江上起了雾。", before=before, after=after)
    assert isinstance(found, Rewrite)
    assert found.text == WANTED


def test_markdown_marks_stay():
    """Headings, lists and quotations keep their marks when the model drops or changes them."""
    passage = "## 第二节\n\n> 他说他要走。\n\n- 一把旧的伞\n- 一封旧的信\n"
    found = read_answer(passage, "第二节\n\n他说，他要走。\n\n* 一把旧伞\n* 一封旧信")
    assert isinstance(found, Rewrite)
    assert found.text == "## 第二节\n\n> 他说，他要走。\n\n- 一把旧伞\n- 一封旧信\n"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("final", ["", "end", "end end"])
@pytest.mark.parametrize("indent", ["", "　　", "    "])
def test_white_space_is_the_passages_own(end, final, indent):
    """Line ends, indentation and the final newline stay whatever the model makes of them."""
    passage = indent + ("一" + end + end).join(["他走了很远的路。", indent + "他又走了回来。"])
    passage += final.replace("end", end).replace(" ", "")
    found = read_answer(passage, "他走了很远的路程。一\n\n\n他又走了回来。\n\n")
    assert isinstance(found, Rewrite)
    assert found.text == passage.replace("路", "路程")


@given(st.text(max_size=200), st.text(max_size=200))
def test_any_answer_is_read(passage, answer):
    """No text in any answer makes the reader fail, and its edits make its text."""
    found = read_answer(passage, answer)
    if isinstance(found, Rewrite):
        assert apply(passage, list(found.edits)) == found.text


LONG = (
    "林夏到的时候，船已经走了。水面上只剩一道慢慢合拢的白痕，像谁拿指甲在绸子上划了一下。"
    "她把药箱放在石阶上，数了数剩下的铜钱，一共十七枚。一旦天黑，渡口就再没有船了。\n\n"
    "她没有回头，也知道那是周衡。这个镇子上，只有周衡会在雨天不打伞，也只有他会这样慢慢地走路。\n"
)
SHORTENED = "林夏到时，船已走了，水面只剩一道白痕。她数了数铜钱，十七枚。\n\n她没有回头，也知道是周衡。"
EXPANDED = (
    "林夏到的时候，船已经走了。她站在最后一级石阶上，喘着气，药箱的带子勒进肩头，勒得生疼。"
    "水面上只剩一道慢慢合拢的白痕，像谁拿指甲在绸子上划了一下，划过去，又自己抹平了。"
    "她把药箱放在石阶上，蹲下来，从袖袋里摸出那只旧布袋，把里面的铜钱倒在掌心，一枚一枚地数。"
    "数了两遍，都是一样，一共十七枚。风从江心吹过来，带着水腥气，把她额前的湿发吹到一边去。"
    "天色一点一点地暗下去。一旦天黑，渡口就再没有船了，这是老规矩，谁来求情也没有用的。\n\n"
    "身后的石阶上响起脚步声，不紧不慢，踩在水洼里，一下，又一下，像是数着什么似的走下来。"
    "她没有回头，也知道那是周衡。这个镇子上，只有周衡会在雨天不打伞，也只有他会这样慢慢地走路，"
    "好像天底下没有一件事情值得他快上半步，好像那封信、那条船、那个夜晚，全都可以再等一等。"
)


@pytest.mark.parametrize(
    ("answer", "length", "reason"),
    [
        (SHORTENED, (0.2, 1.0), None),
        (SHORTENED, None, "too_short"),
        (SHORTENED, (0.5, 1.0), "too_short"),
        (EXPANDED, (0.9, 5.0), None),
        (EXPANDED, None, "too_long"),
        (EXPANDED, (0.9, 1.5), "too_long"),
    ],
)
def test_how_long_a_rewrite_may_be_is_the_profiles_matter(answer, length, reason):
    """Much shorter or longer than usual is a rewrite where it is what was asked for, and only there."""
    read = read_answer(LONG, answer, length=length)
    if reason is None:
        assert isinstance(read, Rewrite)
        assert apply(LONG, list(read.edits)).replace("\n", "") == answer.replace("\n", "")
    else:
        assert read == Fault("no_rewrite", {"reason": reason})


@pytest.mark.parametrize("length", [(0.1, 1.0), (0.9, 5.0), (0.1, 5.0)])
@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("抱歉，我无法处理这段内容。", "chat"),
        ("第二天清晨，雾气还没有散去，集市上又来了许多卖菜的人，吵吵嚷嚷，没有谁肯先走。" * 3, "other_text"),
        (LONG[: LONG.index("她把药箱")], "cut_off"),
    ],
)
def test_wide_bounds_let_nothing_else_pass(length, answer, reason):
    """A refusal, another text and a mere first part stay what they are, whatever length is allowed."""
    read = read_answer(LONG, answer, length=length)
    assert isinstance(read, Fault)
    assert read.params["reason"] in (reason, "too_short")


@pytest.mark.parametrize(
    "line",
    [
        "=" * 300_000 + "x",
        "x" + "=" * 300_000,
        "== notes" + " " * 300_000 + "x",
        "[" * 150_000 + "】" * 150_000,
    ],
)
def test_a_long_ruler_costs_its_length(line):
    """A run of signs that begins like a separator or a frame and is none is no work of hours."""
    found = read_answer("他走了。\n\n天亮了。", f"好的。\n\n{line}\n\n他走了。\n\n天快亮了。")
    assert isinstance(found, Rewrite)


@pytest.mark.parametrize("line", ["=== 正文 ===", "======", "【【【正文】】】", "--- " + "字" * 38 + " ---"])
def test_a_frame_around_the_text_is_no_part_of_it(line):
    """Rulers with a short title, and rulers alone."""
    found = read_answer("他走了。\n\n天亮了。", f"{line}\n\n他走了。\n\n天快亮了。")
    assert isinstance(found, Rewrite)
    assert found.text == "他走了。\n\n天快亮了。"

"""What of the past goes along."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from inkwright.domain.conversation import Message, ToolCall
from inkwright.domain.tokens import estimate
from inkwright.runtime.cuts import cut
from inkwright.runtime.history import MESSAGE_CHARS, earlier, shrink
from inkwright.runtime.scripted import ScriptedModel


def test_whole_turns_only():
    """Ten messages at most, always from a user's on, 2,000 characters each with a marker."""
    turns = [(f"问{i}", "答" * 3000) for i in range(9)]
    made = earlier(turns, "zh")
    assert [m.role for m in made] == ["user", "assistant"] * 5
    assert made[0].content == "问4"
    assert all(len(m.content) <= MESSAGE_CHARS for m in made)
    assert "省略" in made[1].content


async def test_history_stands_between_system_and_user(ask, play):
    """Earlier turns come before the new message, and before no tool call of their own."""
    model = ScriptedModel(["好。"])
    await play(ask(request={"history": (("甲", "乙"),)}), model)
    assert [m.role for m in model.requests[0].messages] == ["system", "user", "assistant", "user"]


@given(st.integers(0, 12_000), st.integers(40, 3_000))
def test_cut_keeps_its_limit_and_its_word(length, limit):
    """A cut text is within the limit, begins as the text does, and counts what is missing."""
    text = "木" * length
    made = cut(text, limit, "zh")
    assert len(made) <= limit
    if length <= limit:
        assert made == text
    else:
        assert f"省略 {length - made.count('木')} 个字符" in made


def rounds(sizes):
    out = [Message("system", "s"), Message("user", "u")]
    for number, size in enumerate(sizes):
        id_ = str(number)
        out += [
            Message("assistant", "", (ToolCall(id_, "read_chapter", {}),)),
            Message("tool", "字" * size, tool_call_id=id_),
        ]
    return out


@given(st.lists(st.integers(0, 400), max_size=6), st.integers(0, 1000))
def test_shrink_keeps_every_pair_and_the_newest(sizes, limit):
    """Messages keep their number and ids; the oldest results go first; the newest turn is whole."""
    before = rounds(sizes)
    after = shrink(before, limit, "zh")
    assert [(m.role, m.tool_call_id, m.tool_calls) for m in after] == [
        (m.role, m.tool_call_id, m.tool_calls) for m in before
    ]
    assert after[-2:] == before[-2:]
    changed = [i for i, (a, b) in enumerate(zip(after, before, strict=True)) if a != b]
    size = sum(estimate(m.content) for m in before)
    assert bool(changed) <= (size > limit)
    untouched = [
        i for i, m in enumerate(after) if m.role == "tool" and m == before[i] and len(m.content) > 30
    ]
    assert all(c < u for c in changed for u in untouched)

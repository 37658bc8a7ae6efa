"""Speech that is parted by who says it: one speech where one person speaks, and never two persons' made one."""

from __future__ import annotations

import pytest

from inkwright.domain.cards import Card
from inkwright.domain.text import Span, TextEdit
from inkwright.proposals import speakers
from inkwright.proposals.change import Change
from inkwright.proposals.guard import Guard
from inkwright.proposals.names import Names
from inkwright.proposals.parting import by_one

CARDS = Names(
    Card(f"{name}.md", name, "character", "character") for name in ("林夏", "周衡", "Mara", "Tobin")
)


@pytest.mark.parametrize(
    ("base", "new"),
    [
        (
            "“I will go.” Mara turned. “I will stay,” Tobin said.",
            "“I will go. I will stay,” Mara said. Tobin turned.",
        ),
        ("“谁？”他问。“我。”门外的人答。", "“谁？我。”他问门外的人。"),
        ("“走吧。我留下。”林夏说，周衡看着她。", "“走吧。”林夏说。“我留下。”周衡看着她。"),
        ("“走吧。我留下。”林夏说，老人看着她。", "“走吧。”林夏说。“我留下。”老人看着她。"),
        ("“谁？”“我。”林夏说。", "“谁？我。”林夏说。"),
        ("“Go,” said the old man. “I will stay,” said the boy.", "“Go. I will stay,” said the old man."),
        ("“Go. I will stay,” said the old man.", "“Go,” said the old man. “I will stay,” said the boy."),
        ("“走。”林夏的哥哥说。“我留下。”林夏说。", "“走。我留下。”林夏说。"),
        ("“走。”老人说。“我留下。”掌柜的说。", "“走。我留下。”老人说。"),
        ("“Go,” he said. “I will stay,” she said.", "“Go. I will stay,” he said."),
        ("“走。”林夏说。\n\n“我留下。”", "“走。我留下。”林夏说。"),
        ("“走吧。”林夏说。“我留下。”", "“走吧。我留下。”周衡说。"),
    ],
)
def test_two_speakers_are_never_made_one(base: str, new: str) -> None:
    """A name, a pronoun or any other word for somebody; between the quotations, or beside the last."""
    assert not by_one(base, new, CARDS.find)
    assert not by_one(new, base, CARDS.find)
    found = {finding.code for finding in Guard(base, CARDS).findings(TextEdit(Span(0, len(base)), new))}
    assert "quote_changed" in found


@pytest.mark.parametrize(
    ("base", "new"),
    [
        ("“走吧，我留下，”林夏说。", "“走吧，”林夏说，“我留下。”"),
        ("“走吧，”林夏说，“我留下。”", "“走吧，我留下。”林夏说。"),
        ("“走吧，”林夏说，“我留下。”周衡没有动。", "“走吧，我留下。”林夏说。周衡没有动。"),
        ("“走吧，”林夏对周衡说，“我留下。”", "“走吧，我留下。”林夏对周衡说。"),
        ("“I will go,” Mara said. “Wait here.”", "“I will go. Wait here,” Mara said."),
        ("“I will go. Wait here,” said the old man.", "“I will go,” the old man said. “Wait here.”"),
        ("“I will go. Wait here,” said the old man.", "“I will go,” said the old man quietly. “Wait here.”"),
        ("“走吧，我留下。”老人低声说。", "“走吧，”老人说，“我留下。”"),
        ("林夏说：“走吧，我留下。”", "“走吧，”林夏说，“我留下。”"),
        ("“I will go,” he said. “Wait here.”", "“I will go. Wait here,” he said."),
        ("“I will go,” said Mara, “and you stay.”", "Mara said, “I will go and you stay.”"),
    ],
)
def test_who_speaks_may_stand_in_the_middle_of_a_speech_or_beside_it(base: str, new: str) -> None:
    """Whether it is parted or joined; who is spoken to is no speaker, nor is he who only acts behind it."""
    assert by_one(base, new, CARDS.find)
    assert by_one(new, base, CARDS.find)
    assert Guard(base, CARDS).findings(TextEdit(Span(0, len(base)), new)) == ()


def test_changed_lines_are_paired_with_those_near_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """A long dialogue written anew costs a reading of the lines around each, not of all of them."""
    asked: list[str] = []
    monkeypatch.setattr(speakers, "ratio", lambda old, new: asked.append(old) or 0.0)
    old, new = ("".join(f"“{mark}{n}”他说。" for n in range(600)) for mark in ("走", "来"))
    change = Change(old, new + "“好。”", ("", ""), (old, new + "“好。”"), 0)
    assert not list(speakers.judged(change, CARDS.find))
    assert 0 < len(asked) <= 100 * 600

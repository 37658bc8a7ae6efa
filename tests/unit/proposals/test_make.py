"""From the answers of a run to a proposal."""

from typing import get_args

import inkwright.i18n as i18n
from inkwright.domain.proposal import FindingCode
from inkwright.domain.text import Snapshot, Span, TextEdit, apply
from inkwright.proposals.make import make
from inkwright.proposals.windows import windows

HEAD = "---\ntitle: 渡口\n---\n"
BODY = (
    "# 渡口\r\n\r\n　　林夏到的时候，船已经走了。她看着江水发呆。\r\n\r\n"
    "　　“再等等。”周衡说。他看了看表，三点十分。\r\n\r\n　　天渐渐地黑了下来，风很大。"
)
TEXT = HEAD + BODY


def snapshot(text: str = TEXT) -> Snapshot:
    return Snapshot("file:///a/%E6%B8%A1.md", "渡.md", 7, text)


def whole(text: str = TEXT) -> Span:
    return Span(0, len(text))


def test_a_proposal_is_bound_to_its_snapshot():
    """Version, base text, span and whole new text are kept; hunks applied to the base give that text."""
    pieces = windows(TEXT, whole(), 40)
    assert len(pieces) > 1
    answers = [p.text.replace("林夏到的时候", "林夏赶到时").replace("渐渐地", "渐渐") for p in pieces]
    made = make("run-1", snapshot(), whole(), pieces, answers, ["林夏", "周衡"], created_at=5.0)
    proposal = made.proposal
    assert proposal is not None
    assert (proposal.run_id, proposal.version, proposal.base, proposal.span) == ("run-1", 7, TEXT, whole())
    assert proposal.text == TEXT.replace("林夏到的时候", "林夏赶到时").replace("渐渐地", "渐渐")
    assert apply(TEXT, [TextEdit(h.span, h.after) for h in proposal.hunks]) == proposal.text
    assert [h.index for h in proposal.hunks] == [0, 1]
    assert all(h.before == h.span.of(TEXT) and not h.findings for h in proposal.hunks)


def test_the_text_of_a_selection_is_the_selection():
    """`text` is the passage with the hunks in it, not the file."""
    at = TEXT.index("　　“再等等")
    span = Span(at, TEXT.index("\r\n\r\n　　天"))
    pieces = windows(TEXT, span, 1000)
    made = make("r", snapshot(), span, pieces, [pieces[0].text.replace("看了看表", "看看表")])
    assert made.proposal is not None
    assert made.proposal.text == span.of(TEXT).replace("看了看表", "看看表")


def test_an_unchanged_answer_proposes_nothing():
    """No hunks, no proposal, no fault."""
    pieces = windows(TEXT, whole(), 1000)
    made = make("r", snapshot(), whole(), pieces, [pieces[0].text])
    assert (made.proposal, made.fault, made.missing) == (None, None, ())


def test_a_refused_window_leaves_the_others():
    """One window's chat spoils only that window, and is told."""
    pieces = windows(TEXT, whole(), 40)
    answers = [p.text.replace("渐渐地", "渐渐") for p in pieces]
    answers[0] = "抱歉，我无法完成。"
    made = make("r", snapshot(), whole(), pieces, answers)
    assert list(made.refused) == [0]
    assert made.fault is not None
    assert made.fault.code == "no_rewrite"
    assert made.proposal is not None
    assert made.proposal.text == TEXT.replace("渐渐地", "渐渐")


def test_windows_without_an_answer_are_named():
    """A run that ended early keeps what it has."""
    pieces = windows(TEXT, whole(), 40)
    answers: list[str | None] = [None] * len(pieces)
    answers[-1] = pieces[-1].text.replace("渐渐地", "渐渐")
    made = make("r", snapshot(), whole(), pieces, answers)
    assert made.missing == tuple(range(len(pieces) - 1))
    assert made.proposal is not None
    assert len(made.proposal.hunks) == 1


def test_a_changed_name_is_found():
    """The guard's findings stand on the hunk."""
    pieces = windows(TEXT, whole(), 1000)
    made = make("r", snapshot(), whole(), pieces, [pieces[0].text.replace("林夏", "林霞")], ["林夏"])
    assert made.proposal is not None
    assert [f.code for h in made.proposal.hunks for f in h.findings] == ["name_lost"]


def test_notes_of_all_windows_are_kept():
    """Each window's notes come in order."""
    pieces = windows(TEXT, whole(), 40)
    answers = [f"{p.text}\n=== 修改说明 ===\n第{p.index}段" for p in pieces]
    made = make("r", snapshot(), whole(), pieces, answers)
    assert made.notes == tuple(f"第{p.index}段" for p in pieces)


def test_a_giant_paragraph_in_windows_comes_together():
    """Windows that meet in the middle of a line give hunks that do not overlap."""
    text = "".join(f"第{n}天他走了很远很远的路。" for n in range(60))
    pieces = windows(text, whole(text), 100)
    made = make(
        "r", snapshot(text), whole(text), pieces, [p.text.replace("很远很远", "很远") for p in pieces]
    )
    assert made.proposal is not None
    assert made.proposal.text == text.replace("很远很远", "很远")
    assert len(made.proposal.hunks) == 60


def test_findings_have_sentences():
    """Each code that the guard gives is a sentence in both languages."""
    for code in (*get_args(FindingCode), "no_rewrite"):
        for locale in i18n.LOCALES:
            assert i18n.tr(code, locale) != code

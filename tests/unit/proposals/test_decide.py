"""Accepting and rejecting: states in, edits and states out."""

import pytest

from inkwright.domain.errors import InkwrightError
from inkwright.domain.proposal import Finding, Hunk, Proposal
from inkwright.domain.text import Span, TextEdit, apply
from inkwright.proposals.decide import accept, before, pending, reject

BASE = "甲来了。乙走了。丙笑了。"


def proposal() -> Proposal:
    hunks = (
        Hunk(0, Span(0, 4), "甲来了。", "甲到了。"),
        Hunk(1, Span(4, 8), "乙走了。", "他走了。", (Finding("name_lost", {"name": "乙"}),)),
        Hunk(2, Span(8, 12), "丙笑了。", "丙乐了。"),
    )
    edits = [TextEdit(h.span, h.after) for h in hunks]
    return Proposal("p", "r", "file:///a.md", "a.md", 1, BASE, Span(0, 12), apply(BASE, edits), hunks)


def test_accept_all_leaves_what_has_findings():
    """Without a choice the hunks with findings stay pending."""
    found = accept(proposal(), BASE)
    assert (found.applied, found.stale, found.rejected) == ((0, 2), (), ())
    assert apply(BASE, list(found.edits)) == "甲到了。乙走了。丙乐了。"
    assert pending(found.proposal) == (1,)
    assert not found.done


def test_a_hunk_with_findings_is_taken_by_name():
    """Chosen by its index it is accepted like any other."""
    found = accept(proposal(), BASE, [1])
    assert apply(BASE, list(found.edits)) == "甲来了。他走了。丙笑了。"


def test_a_second_accept_gives_the_first_result():
    """The same again answers the same and writes nothing."""
    first = accept(proposal(), BASE)
    text = apply(BASE, list(first.edits))
    again = accept(first.proposal, text)
    assert (again.applied, again.stale, again.rejected) == (first.applied, first.stale, first.rejected)
    assert again.edits == ()


def test_a_touched_hunk_is_stale_for_good():
    """Typed over, it is named; asked again later, it is still stale."""
    found = accept(proposal(), BASE.replace("甲来了", "甲又来了"))
    assert (found.applied, found.stale) == ((2,), (0,))
    assert accept(found.proposal, BASE, [0]).stale == (0,)


def test_what_stands_in_the_text_is_accepted_and_not_written_again():
    """An edit that was made and never written down: accepting it anew answers so, and changes nothing."""
    text = BASE.replace("甲来了", "甲到了")
    found = accept(proposal(), text)
    assert (found.applied, found.stale) == ((0, 2), ())
    assert apply(text, list(found.edits)) == "甲到了。乙走了。丙乐了。"


def test_accept_all_names_only_what_it_decided():
    """What was accepted, rejected or stale before is no part of the verdict on the rest."""
    first = accept(proposal(), BASE, [0])
    found = accept(first.proposal, apply(BASE, list(first.edits)))
    assert (found.applied, found.stale, found.rejected) == ((2,), (), ())
    again = accept(found.proposal, apply(BASE, [*first.edits, *found.edits]))
    assert (again.applied, again.edits) == ((0, 2), ())
    stale = accept(proposal(), BASE.replace("甲来了", "甲又来了"), [0])
    found = reject(stale.proposal)
    assert (found.applied, found.stale, found.rejected) == ((), (), (2,))


def test_rejecting_writes_nothing():
    """A rejected hunk is decided: it gives no edit afterwards."""
    found = reject(proposal(), [0])
    assert (found.edits, found.rejected) == ((), (0,))
    after = accept(found.proposal, BASE)
    assert (after.applied, after.rejected, len(after.edits)) == ((2,), (), 1)
    assert reject(accept(found.proposal, BASE, [1, 2]).proposal).done


def test_an_unknown_hunk_is_a_fault():
    """An index that is not there is a mistake of the caller, in words."""
    with pytest.raises(InkwrightError) as caught:
        accept(proposal(), BASE, [7])
    assert caught.value.fault.code == "hunk_unknown"


def test_an_edit_that_was_made_is_seen_though_the_writer_typed_since():
    """Whether edits landed is read from the text: all of them there, with typing elsewhere; else not."""
    from inkwright.domain.text import Span, TextEdit, apply
    from inkwright.proposals.decide import landed

    text = "雨下得很大。他走了。\n\n她来了。天黑了。\n"
    edits = [TextEdit(Span(6, 10), "他离开了。"), TextEdit(Span(16, 20), "天色暗了。")]
    made = apply(text, edits)
    assert landed(text, edits, made)
    assert landed(text, edits, "题记。\n\n" + made + "尾。")
    assert not landed(text, edits, text)
    assert not landed(text, edits, "题记。\n\n" + text)
    assert not landed(text, edits, apply(text, edits[:1]))


def test_what_a_text_was_before_some_of_what_was_accepted():
    """Also where the writer has typed beside it since; not where the new words are changed."""
    done = accept(proposal(), BASE, [0, 1, 2])
    text = apply(BASE, list(done.edits))
    assert before(done.proposal, [0, 1, 2], text) == BASE
    assert before(done.proposal, [2], text) == "甲到了。他走了。丙笑了。"
    assert before(done.proposal, [0], f"序。{text}") == "序。甲来了。他走了。丙乐了。"
    assert before(done.proposal, [0], text.replace("甲到", "甲早到")) is None

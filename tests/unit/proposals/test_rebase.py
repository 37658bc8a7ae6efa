"""Hunks find their place again in a text that was typed in; what was touched is stale, never misplaced."""

import itertools
from dataclasses import dataclass, replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from inkwright.domain.proposal import Hunk, Proposal
from inkwright.domain.text import Span, TextEdit, apply
from inkwright.proposals import matching
from inkwright.proposals.decide import accept, with_states
from inkwright.proposals.rebase import rebase
from inkwright.proposals.rewrite import edits


def proposal(base: str, changes: list[TextEdit]) -> Proposal:
    hunks = tuple(Hunk(i, e.span, e.span.of(base), e.new) for i, e in enumerate(changes))
    return Proposal(
        "p", "r", "file:///a.md", "a.md", 1, base, Span(0, len(base)), apply(base, changes), hunks
    )


def made(base: str, new: str) -> Proposal:
    return proposal(base, edits(base, new))


BASE = "雨下得很大。他走了。\n\n她来了。天黑了。\n\n船已经开走了。\n"
NEW = "雨下得很大。他离开了。\n\n她来了。天色暗了。\n\n船早已开走了。\n"


def test_an_unchanged_text_needs_no_search():
    """In the text it was made from each hunk stands where it stood."""
    found = rebase(made(BASE, NEW), BASE)
    assert found.stale == ()
    assert {i: span.of(BASE) for i, span in found.placed.items()} == {
        0: "他走了。",
        1: "天黑了。",
        2: "船已经开走了。",
    }


def test_typing_elsewhere_moves_hunks():
    """A paragraph above and a word beside: every hunk moves along."""
    current = "题记。\n\n" + BASE.replace("她来了。", "她终于来了。").replace("雨下得很大。", "雨下得大。")
    found = rebase(made(BASE, NEW), current)
    assert found.stale == ()
    assert [span.of(current) for span in found.placed.values()] == ["他走了。", "天黑了。", "船已经开走了。"]


def test_a_touched_hunk_is_stale_and_the_others_are_not():
    """Typing in one hunk's text drops that hunk alone."""
    current = BASE.replace("天黑了", "天全黑了")
    found = rebase(made(BASE, NEW), current)
    assert found.stale == (1,)
    assert [span.of(current) for span in found.placed.values()] == ["他走了。", "船已经开走了。"]


def test_a_hunk_whose_text_went_is_stale():
    """A deleted paragraph takes its hunks along."""
    found = rebase(made(BASE, NEW), BASE.replace("她来了。天黑了。\n\n", ""))
    assert found.stale == (1,)


def test_an_emptied_buffer_makes_all_stale():
    """Nothing is inserted into an empty text."""
    assert rebase(made(BASE, NEW), "").stale == (0, 1, 2)


def test_one_of_two_equal_sentences_was_deleted():
    """Which of two copies is left cannot be known: stale, not a guess."""
    base = "甲说。好的好的。好的好的。乙说。"
    change = proposal(base, [TextEdit(Span(3, 8), "好啊。")])
    assert rebase(change, "甲说。好的好的。乙说。").stale == (0,)


def test_repeated_text_far_away_is_no_hindrance():
    """A line that stands many times is still found when its surroundings say which one it is."""
    base = "".join(f"“是。”\n第{n}次他这样答。\n" for n in range(40))
    at = base.index("“是。”", base.index("第20次"))
    change = proposal(base, [TextEdit(Span(at, at + 4), "“好。”")])
    current = "序。\n" + base.replace("第3次", "第三次").replace("第30次", "第三十次")
    assert rebase(change, current).placed == {0: Span(at + 3, at + 7)}


def test_a_paragraph_cut_and_pasted_elsewhere_is_found():
    """A hunk's text that was moved past other text is where it was moved to."""
    base = "他在渡口等了整整一天。\n天黑了。\n下雨了。\n"
    change = proposal(base, [TextEdit(Span(0, 11), "他在渡口等了一天。")])
    current = "天黑了。\n下雨了。\n他在渡口等了整整一天。\n"
    assert rebase(change, current).placed == {0: Span(10, 21)}


def test_two_hunks_never_change_places():
    """When the texts of two hunks were swapped, at most one of them is placed."""
    base = "他在渡口等了整整一天。\n她在山上等了整整一夜。\n"
    change = proposal(base, [TextEdit(Span(0, 11), "甲。"), TextEdit(Span(12, 23), "乙。")])
    found = rebase(change, "她在山上等了整整一夜。\n他在渡口等了整整一天。\n")
    assert len(found.placed) == 1
    assert len(found.stale) == 1


def test_an_insertion_needs_both_its_neighbours():
    """A hunk that only inserts stands between the characters that it stood between, or nowhere."""
    base = "甲来了。\n\n乙走了。\n"
    change = proposal(base, [TextEdit(Span(4, 4), "\n\n丙笑了。")])
    assert rebase(change, "序。\n\n" + base + "尾。").placed == {0: Span(8, 8)}
    assert rebase(change, "甲来了！\n\n乙走了。\n").stale == (0,)
    assert rebase(change, "甲来了。丁也来了。\n\n乙走了。\n").stale == (0,)


def test_accepted_hunks_are_expected_in_the_text():
    """After one hunk was accepted the others are found beside its new text, also after more typing."""
    change = made(BASE, NEW)
    after = with_states(change, {1: "accepted"})
    current = BASE.replace("天黑了。", "天色暗了。")
    found = rebase(after, current)
    assert found.stale == ()
    assert [span.of(current) for span in found.placed.values()] == ["他走了。", "船已经开走了。"]
    typed = "序。\n" + current
    assert [span.of(typed) for span in rebase(after, typed).placed.values()] == ["他走了。", "船已经开走了。"]


def test_an_accepted_hunk_that_was_undone_hinders_no_other():
    """Undo in the editor takes an accepted hunk back; the pending ones still find their places."""
    found = rebase(with_states(made(BASE, NEW), {0: "accepted"}), BASE)
    assert [span.of(BASE) for span in found.placed.values()] == ["天黑了。", "船已经开走了。"]


def test_only_the_asked_hunks_are_placed():
    """A caller that asks for some hunks hears of those alone."""
    found = rebase(made(BASE, NEW), BASE.replace("天黑了", "天全黑了"), (0, 1))
    assert (tuple(found.placed), found.stale) == ((0,), (1,))


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_hunk_of_many_lines_moves_as_one(end):
    """A hunk over several paragraphs is found when text above and below changed."""
    base = end.join(["序章在此。", "第一段在这里。", "第二段在这里。", "第三段在这里。", "尾声在此。"])
    start = base.index("第一段")
    change = proposal(base, [TextEdit(Span(start, base.index(end + "尾声")), "合成一段。")])
    current = base.replace("序章", "序言").replace("尾声", "结尾")
    (place,) = rebase(change, current).placed.values()
    assert place.of(current) == change.hunks[0].before


# -- random typing -----------------------------------------------------------------------------


@dataclass
class Tracked:
    """Where a hunk stands while somebody types, known from the typing itself."""

    start: int
    end: int
    touched: bool = False

    def typed(self, at: int, gone: int, came: int) -> None:
        end = at + gone
        if self.start == self.end:
            self.touched |= at <= self.start <= end
        else:
            self.touched |= (at < self.end and self.start < end) if gone else self.start < at < self.end
        if end <= self.start and not (gone == 0 and at == self.start == self.end):
            self.start += came - gone
            self.end += came - gone


def typing(data, text: str, tracked: list[Tracked], letters: str, most: int = 4) -> str:
    for _ in range(data.draw(st.integers(1, most))):
        at = data.draw(st.integers(0, len(text)))
        gone = data.draw(st.integers(0, min(6, len(text) - at)))
        came = data.draw(st.text(st.sampled_from(letters), min_size=0 if gone else 1, max_size=6))
        for one in tracked:
            one.typed(at, gone, len(came))
        text = text[:at] + came + text[at + gone :]
    return text


@st.composite
def unlike(draw) -> list[list[str]]:
    """Paragraphs of sentences of which no two are equal."""
    count = itertools.count(1)
    lengths = draw(st.lists(st.integers(1, 4), min_size=1, max_size=6))
    return [[f"第{next(count)}句" + "话" * draw(st.integers(0, 5)) + "。" for _ in range(n)] for n in lengths]


@given(unlike(), st.data())
def test_untouched_hunks_land_right_and_touched_ones_are_stale(base_paragraphs, data):
    """Random base, random rewrite, random typing: each untouched hunk is where it went, each touched one is stale."""
    base = "\n\n".join("".join(p) for p in base_paragraphs) + "\n"
    new = "\n\n".join(
        "".join(s.replace("。", "改。") if data.draw(st.booleans()) else s for s in p)
        for p in base_paragraphs
    )
    change = made(base, new)
    assume(change.hunks)
    tracked = [Tracked(hunk.span.start, hunk.span.end) for hunk in change.hunks]
    current = typing(data, base, tracked, "xyz \n")
    found = rebase(change, current)
    for hunk, one in zip(change.hunks, tracked, strict=True):
        if one.touched:  # what was left may read as it did before: `甲乙。丙乙。` without `乙。丙`
            assert hunk.index in found.stale or hunk.before in current
        else:
            assert found.placed.get(hunk.index) == Span(one.start, one.end)


@given(st.text(st.sampled_from("ab。\n"), min_size=1, max_size=40), st.data())
def test_in_repetitive_text_nothing_is_misplaced(base, data):
    """Where everything looks alike a hunk may be stale, but a placed one keeps order, distance and its own text."""
    cuts = sorted(data.draw(st.lists(st.integers(0, len(base)), min_size=2, max_size=6, unique=True)))
    changes = [TextEdit(Span(a, b), "X") for a, b in itertools.pairwise(cuts)][::2]
    change = proposal(base, changes)
    current = typing(data, base, [], "ab。\n")
    found = rebase(change, current)
    assert sorted([*found.placed, *found.stale]) == [hunk.index for hunk in change.hunks]
    for index, span in found.placed.items():
        assert span.of(current) == change.hunks[index].before
    for a, b in itertools.pairwise([found.placed[i] for i in sorted(found.placed)]):
        assert a.end <= b.start


@given(st.text(st.sampled_from("ab。\n"), min_size=1, max_size=40), st.data())
def test_after_one_change_a_placed_hunk_is_where_it_went(base, data):
    """One insertion or one deletion in a repetitive text: an untouched hunk is placed right or not at all."""
    a = data.draw(st.integers(0, len(base) - 1))
    b = data.draw(st.integers(a + 1, len(base)))
    change = proposal(base, [TextEdit(Span(a, b), "X")])
    one = Tracked(a, b)
    at = data.draw(st.integers(0, len(base)))
    if data.draw(st.booleans()):
        came = data.draw(st.text(st.sampled_from("ab。\n"), min_size=1, max_size=6))
        one.typed(at, 0, len(came))
        current = base[:at] + came + base[at:]
    else:
        gone = data.draw(st.integers(0, len(base) - at))
        assume(gone)
        one.typed(at, gone, 0)
        current = base[:at] + base[at + gone :]
    place = rebase(change, current).placed.get(0)
    if place is not None and not one.touched:
        assert place == Span(one.start, one.end)
    if place is not None:
        assert place.of(current) == base[a:b]


@given(unlike(), st.data())
def test_accepting_in_turns_gives_the_whole(base_paragraphs, data):
    """Hunks accepted one after the other, in any order, end in the same text as all at once."""
    base = "\n\n".join("".join(p) for p in base_paragraphs) + "\n"
    new = "\n\n".join("".join(s.replace("。", "改。") for s in p) for p in base_paragraphs)
    change = made(base, new)
    current = base
    for index in data.draw(st.permutations(range(len(change.hunks)))):
        span = rebase(change, current).placed[index]
        current = apply(current, [TextEdit(span, change.hunks[index].after)])
        change = with_states(change, {index: "accepted"})
    assert current == change.text


def test_ten_megabytes_are_searched_in_linear_time():
    """A hunk in a line of millions of characters is found after typing at both ends."""
    base = "".join(f"第{n}句话在这里。" for n in range(300_000))
    at = base.index("第150000句")
    change = proposal(base, [TextEdit(Span(at, at + 12), "X")])
    current = "起" + base + "终"
    assert rebase(change, current).placed == {0: Span(at + 1, at + 13)}
    assert rebase(replace(change), current[:500] + "插" + current[500:]).placed == {0: Span(at + 2, at + 14)}


def test_a_long_text_with_many_hunks_is_no_different(monkeypatch):
    """The short cuts for long texts place the same hunks at the same places."""
    base = "".join(f"第{n}句话在这里，他说了很久。" + ("\n" if n % 7 == 0 else "") for n in range(3000))
    new = base.replace("说了很久", "说了许久")
    change = made(base, new)
    current = "起\n" + base.replace("第1500句话", "第1500句新话").replace("第2999句", "第末句") + "终"
    plain = rebase(change, current)
    monkeypatch.setattr(matching, "_COSTLY", 0)
    monkeypatch.setattr(matching, "_LARGE", 0)
    assert rebase(change, current) == plain
    assert plain.stale == (1500, 2999)


# -- what stands already -----------------------------------------------------------------------


def taken(change: Proposal, which: set[int]) -> str:
    """The base with the edits of some hunks in it, of which nobody wrote down that they were accepted."""
    return apply(change.base, [TextEdit(h.span, h.after) for h in change.hunks if h.index in which])


def test_what_the_text_holds_already_is_neither_waiting_nor_stale():
    """An editor took the edit, and the server ended before it wrote that down: the hunk stands; undone, it waits."""
    change = made(BASE, NEW)
    current = taken(change, {1})
    found = rebase(change, current)
    assert (tuple(found.placed), found.stale, found.standing) == ((0, 2), (), (1,))
    typed = "序。\n" + current.replace("她来了。", "她终于来了。")
    assert rebase(change, typed).standing == (1,)
    assert rebase(change, BASE).standing == ()


def test_who_types_something_else_has_decided_otherwise():
    """A new text that is not to the letter the proposed one makes its hunk stale as before."""
    found = rebase(made(BASE, NEW), BASE.replace("天黑了。", "天色暗下来了。"))
    assert (found.stale, found.standing) == ((1,), ())


@pytest.mark.parametrize(
    ("before", "after"),
    [("灯亮了。", "灯亮了。又灭了。"), ("灯亮了。又灭了。", "灯亮了。"), ("", "灯亮了。"), ("灯亮了。", "")],
)
def test_a_longer_text_that_holds_the_other_is_told_apart(before, after):
    """Nothing is put into a text twice, and nothing that waits is taken for done, whichever holds the other."""
    base = f"这是很久以前的一个夜里。\n\n甲走进屋子。{before}乙站在门外，谁也没有说话。\n\n过了很久，丙坐了下来。\n"
    change = proposal(base, [TextEdit(Span(20, 20 + len(before)), after)])
    for text in (base, base.replace("丙坐", "丙也坐"), "序。\n" + base):
        assert tuple(rebase(change, text).placed) == (0,)
        assert rebase(change, text).standing == ()
    done = taken(change, {0})
    for text in (done, done.replace("丙坐", "丙也坐"), "序。\n" + done):
        assert rebase(change, text).placed == {}
        assert rebase(change, text).standing == (0,)


@given(unlike(), st.data())
def test_each_hunk_stands_or_waits_whichever_of_them_were_taken(base_paragraphs, data):
    """Any of the hunks in the text, and something typed above: those stand, the others wait where they are."""
    base = "\n\n".join("".join(p) for p in base_paragraphs) + "\n"
    new = "\n\n".join("".join(s.replace("。", "改。") for s in p) for p in base_paragraphs)
    change = made(base, new)
    which = data.draw(st.sets(st.sampled_from([hunk.index for hunk in change.hunks])))
    current = data.draw(st.sampled_from(["", "序。\n\n"])) + taken(change, which)
    found = rebase(change, current)
    assert (set(found.standing), found.stale) == (which, ())
    rest = [TextEdit(span, change.hunks[i].after) for i, span in found.placed.items()]
    assert apply(current, rest).removeprefix("序。\n\n") == change.text


def near(kinds: list[str]) -> Proposal:
    """Hunks of each kind with a few characters between them; no text stands twice."""
    base, changes = "", []
    for number, kind in enumerate(kinds):
        mark = chr(0x5000 + number)
        old = {"insert": "", "cut": f"{mark}灯灭了。"}.get(kind, f"{mark}灯亮。")
        new = {
            "insert": f"{mark}船到了。",
            "cut": "",
            "longer": old + f"{mark}又灭了。",
            "shorter": f"{mark}灯",
        }
        base += f"{chr(0x6000 + number)}夜，"
        changes.append(TextEdit(Span(len(base), len(base) + len(old)), new.get(kind, f"{mark}天黑。")))
        base += old
    return proposal(base + "末。\n", changes)


@given(
    st.lists(st.sampled_from(["insert", "cut", "longer", "shorter", "other"]), min_size=1, max_size=12),
    st.data(),
)
def test_of_hunks_close_to_each_other_none_is_made_twice_or_lost(kinds, data):
    """Whichever of them the text has; asked of all or of one alone, the answer is the same."""
    change = near(kinds)
    everyone = range(len(kinds))
    which = data.draw(st.sets(st.sampled_from(everyone)))
    current = taken(change, which)
    found = rebase(change, current)
    assert (set(found.standing), found.stale) == (which, ())
    rest = [TextEdit(span, change.hunks[i].after) for i, span in found.placed.items()]
    assert apply(current, rest) == change.text
    for one in everyone:
        decision = accept(change, current, [one])
        assert (decision.applied, decision.stale) == ((one,), ())
        assert apply(current, list(decision.edits)) == taken(change, which | {one})


def test_what_was_typed_close_to_it_puts_nothing_in_twice():
    """An addition that the text has is not made again because the words beside it are others now."""
    base = "这是很久以前的一个夜里。\n\n甲走进屋子。灯亮了。乙站在门外。\n"
    at = base.index("灯亮了。")
    change = proposal(base, [TextEdit(Span(at, at + 4), "灯亮了。又灭了。")])
    current = taken(change, {0}).replace("乙站在", "乙又站在")
    assert accept(change, current).edits == ()

"""From a new text to the fewest edits, paragraph by paragraph and sentence by sentence."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from inkwright.domain.text import EOL, apply
from inkwright.proposals.blocks import is_wrapped, read
from inkwright.proposals.rewrite import edits

SENTENCES = ["他走了。", "她来了。", "雨下得很大。", "“再等等。”", "天黑了！", "谁？", "船已经走了。"]

paragraph = st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=5).map("".join)
paragraphs = st.lists(paragraph, min_size=1, max_size=7)
breaks = st.sampled_from(["\n", "\n\n", "\r\n\r\n", "\r", "\n\n\u3000\u3000"])


def cores(text: str) -> list[str]:
    return [block.span.of(text) for block in read(text, wrapped=False)]


def pairs(base: str, new: str) -> list[tuple[str, str]]:
    return [(edit.span.of(base), edit.new) for edit in edits(base, new)]


def test_a_sentence_is_a_hunk():
    """Only the sentence that changed is replaced."""
    base = "雨下得很大。他走了。天黑了。\n\n她来了。\n"
    assert pairs(base, base.replace("他走了", "他离开了")) == [("他走了。", "他离开了。")]


def test_neighbouring_sentences_are_hunks_of_their_own():
    """Two changed sentences side by side can be judged apart."""
    base = "雨下得实在是很大。他慢慢地走了出去。天黑了。"
    new = "雨下得很大。他慢慢走了出去。天黑了。"
    assert pairs(base, new) == [
        ("雨下得实在是很大。", "雨下得很大。"),
        ("他慢慢地走了出去。", "他慢慢走了出去。"),
    ]


def test_a_new_paragraph_brings_its_break_and_indentation():
    """An insertion alone leaves a well-formed text."""
    base = "　　他走了。\r\n\r\n　　她来了。\r\n"
    (edit,) = edits(base, "他走了。\n\n雨下得很大。\n\n她来了。")
    assert apply(base, [edit]) == "　　他走了。\r\n\r\n　　雨下得很大。\r\n\r\n　　她来了。\r\n"
    assert len(edit.span) == 0


def test_a_paragraph_that_went_takes_one_break_with_it():
    """A deletion alone leaves a well-formed text, at the beginning, in the middle and at the end."""
    base = "他走了。\n\n她来了。\n\n天黑了！\n"
    for gone in ("他走了。", "她来了。", "天黑了！"):
        left = [core for core in cores(base) if core != gone]
        found = edits(base, "\n\n".join(left))
        assert apply(base, found) == "\n\n".join(left) + "\n"


def test_a_heading_keeps_its_mark_to_itself():
    """What comes before a heading does not become one, and a heading that goes takes its mark along."""
    base = "# 渡口\n\n他走了。\n"
    assert apply(base, edits(base, "天黑了！\n\n# 渡口\n\n他走了。")) == "天黑了！\n\n# 渡口\n\n他走了。\n"
    assert apply(base, edits(base, "他走了。")) == "他走了。\n"


def test_paragraphs_joined_and_split():
    """Joining two paragraphs takes only the break; splitting one brings only a break."""
    base = "雨下得很大。他走了。\n\n她来了。天黑了。\n"
    joined = "雨下得很大。他走了。她来了。天黑了。\n"
    assert pairs(base, joined) == [("\n\n", "")]
    assert pairs(joined, base) == [("", "\n\n")]


def test_hard_wrapped_prose_is_not_rewrapped():
    """In prose with the lines of a page only the changed sentence changes, however the answer is wrapped."""
    base = (
        "Mr. Bennet was so odd a mixture of quick parts, sarcastic humour,\r\nreserve, and caprice, that the\r\n"
        "experience of three and twenty years had been insufficient to make his\r\nwife understand his character. "
        "Her mind was less difficult to develop.\r\n\r\nShe was a woman of mean understanding and little\r\ninformation.\r\n"
    )
    assert is_wrapped(base)
    new = (
        base.replace("\r\n\r\n", "|")
        .replace("\r\n", " ")
        .replace("|", "\n\n")
        .replace("less difficult", "less hard")
    )
    assert pairs(base, new) == [
        ("Her mind was less difficult to develop.", "Her mind was less hard to develop.")
    ]


def test_every_full_stop_of_an_old_edition():
    """A rule that touches every sentence gives a hunk for each, none of them over a paragraph's border."""
    base = "　　列位看官：你道此书从何而来？说起根由虽近荒唐，细按则深有趣味．待在下将此来历注明，方使阅者了然不惑．\n\n　　原来女娲氏炼石补天．"
    found = edits(base, base.replace("．", "。"))
    assert len(found) == 3
    assert apply(base, found) == base.replace("．", "。")


@given(paragraphs, paragraphs, breaks, breaks)
def test_all_edits_make_the_new_text(old, new, here, there):
    """All accepted, every paragraph of the answer stands there, and nothing else."""
    base, answer = here.join(old), there.join(new)
    found = edits(base, answer)
    assert cores(apply(base, found)) == cores(answer)


@given(paragraphs, paragraphs, breaks)
def test_edits_are_ordered_and_apart(old, new, here):
    """Edits come by place, never overlap, change something, and an insertion touches no other."""
    base = here.join(old)
    found = edits(base, "\n\n".join(new))
    for edit in found:
        assert edit.span.of(base) != edit.new
    for a, b in itertools.pairwise(found):
        assert a.span.end <= b.span.start
        if not len(a.span) or not len(b.span):
            assert a.span.end < b.span.start


@given(paragraphs, st.data(), breaks)
def test_where_paragraphs_pair_off_no_edit_crosses_a_border(old, data, here):
    """As many paragraphs as before, each like its own: no hunk has a line end in it."""
    new = [data.draw(st.sampled_from([text, text + "他又走了。", text.replace("了", "")])) for text in old]
    base = here.join(old)
    if any(a != b and cores(base).count(a) > 1 for a, b in zip(old, new, strict=True)):
        return
    for edit in edits(base, "\n".join(new)):
        assert not EOL.search(edit.span.of(base))
        assert not EOL.search(edit.new)


@given(paragraphs, paragraphs, breaks, st.data())
def test_any_choice_of_edits_is_well_formed(old, new, here, data):
    """Whatever is accepted, no paragraph runs into another, no blank line is doubled, no end is lost."""
    base = here.join(old) + "\n"
    found = edits(base, "\n\n".join(new))
    chosen = [edit for edit in found if data.draw(st.booleans())]
    result = apply(base, chosen)
    ends = {
        "".join(EOL.findall(result[a.span.end : b.span.start]))
        for a, b in itertools.pairwise(read(result, wrapped=False))
    }
    want = "".join(EOL.findall(here))
    allowed = {want} if len(old) > 1 else {want, "\n\n"}
    assert ends <= allowed
    assert result.endswith("\n")
    known = set(SENTENCES)
    for core in cores(result):
        rest = core
        for sentence in sorted(known, key=len, reverse=True):
            rest = rest.replace(sentence, "")
        assert rest == ""


@given(st.text(st.sampled_from("甲乙。！ \n\r\u3000\u2028ab.#>-1“”😀"), max_size=120), st.text(max_size=120))
def test_any_two_texts(base, new):
    """Edits of any two texts can be applied, and white space around the passage stays."""
    result = apply(base, edits(base, new))
    blocks = read(base, wrapped=is_wrapped(base))
    if blocks:
        head = base[: blocks[0].span.start - len(blocks[0].lead)]
        assert result.startswith(head)
        assert result.endswith(base[blocks[-1].span.end :])

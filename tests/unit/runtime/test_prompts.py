"""The messages of a run: order, caps, fences, sizes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkwright.domain.conversation import Finished, Text
from inkwright.domain.run import Part
from inkwright.domain.templates import fields
from inkwright.domain.tokens import estimate
from inkwright.library.loader import load
from inkwright.library.merge import merge
from inkwright.runtime import caps, prompts
from inkwright.runtime.fence import fence, key
from inkwright.runtime.stage import of_window
from inkwright.runtime.texts import _lines


def places(text, *pieces):
    found = [text.index(piece) for piece in pieces]
    assert found == sorted(found)


def test_the_system_prompt_is_in_order(ask, now):
    """Domain, ability, hints of the domain, hints of the ability, memories, then time and reminders."""
    request = ask(request={"memories": ("喜欢短句",)})
    text = prompts.joined(prompts.system_parts(request, now))
    places(text, "DOMAIN", "ABILITY", "HINT OF DOMAIN", "HINT OF ABILITY", "喜欢短句", "2026-03-04 05:06")
    assert "05:06:07" not in text
    assert [p.name for p in prompts.system_parts(request, now)] == [
        "domain",
        "ability",
        "hint",
        "hint",
        "memory",
        "suffix",
    ]


def test_no_memories_no_section(ask, now):
    """Without memories their heading is not there either."""
    assert "memory" not in [p.name for p in prompts.system_parts(ask(), now)]


def test_memories_keep_within_their_share(ask, now):
    """At most 600 tokens; one too large is skipped and said, not the end of the list."""
    request = ask(request={"memories": ("短一", "长" * 2000, "短二\n两行")})
    parts = prompts.system_parts(request, now)
    kept = next(p for p in parts if p.name == "memory" and p.text)
    assert kept.text.splitlines()[1:] == ["- 短一", "- 短二 两行"]
    assert kept.tokens <= caps.MEMORY_TOKENS
    assert [p.cut for p in parts if p.name == "memory" and not p.text] == [2000]


def test_the_worst_combination_is_small(ask, now):
    """Every ability in every domain, all hints hit, memories and conversation at their caps: under 2,000 tokens."""
    library = load()
    memories = tuple(f"第{i}条：作者喜欢这样写，不喜欢那样写，一直如此。" for i in range(60))
    history = tuple((f"第{i}问：" + "再说说他。" * 40, "他走了很远的路。" * 40) for i in range(40))
    most = 0
    words = " ".join(w for p in library.profiles.values() for h in p.hints for w in h.words)
    for ability in library.abilities():
        for domain in library.domains():
            for locale in ("zh", "en"):
                profile = merge(library, ability.id, domain.id, words, locale)
                past = {"memories": memories, "history": history}
                request = ask(request={"profile": profile, "locale": locale, **past})
                text = prompts.joined(prompts.system_parts(request, now))
                most = max(most, len(profile.hints))
                assert estimate(text) < 2000
    assert most >= 6


def test_the_user_message_is_in_order(ask):
    """Instruction, message, passage, before, after, cards, outline, summaries; whatever order they came in."""
    parts = [
        Part("summary", "SUMMARY"),
        Part("outline", "OUTLINE"),
        Part("card", "CARD ONE"),
        Part("card", "CARD TWO"),
        Part("after", "AFTER"),
        Part("before", "BEFORE"),
    ]
    request = ask(context=[parts])
    text, shown = prompts.user(request, of_window(request, request.windows[0]))
    places(
        text,
        "看看节奏",
        "第一段。",
        "BEFORE",
        "AFTER",
        "CARD ONE",
        "CARD TWO",
        "OUTLINE",
        "SUMMARY",
    )
    assert [p.name for p in shown][:3] == ["instruction", "message", "passage"]
    assert shown[2].text == "第一段。"


def test_parts_are_capped(ask):
    """600 characters before (the nearest) and after, 300 a card, 12 cards, 5 summaries; what is cut is said."""
    parts = [
        Part("before", "远" * 100 + "近" * 600),
        Part("after", "近" * 600 + "远" * 100),
        *(Part("card", "卡" * 400, source=f"{i}.md") for i in range(14)),
        *(Part("summary", "摘", source=f"{i}.md") for i in range(7)),
    ]
    request = ask(context=[parts])
    text, shown = prompts.user(request, of_window(request, request.windows[0]))
    assert "远" not in text
    assert text.count("近" * 600) == 2
    cards = [p for p in shown if p.name == "card"]
    assert [len(p.text) for p in cards] == [300] * 12 + [0] * 2
    assert [p.cut for p in cards] == [100] * 12 + [400] * 2
    assert sum(bool(p.text) for p in shown if p.name == "summary") == 5


def test_a_limit_cuts_from_the_bottom_up(ask):
    """What does not fit is left out from the lowest up; what is above stays; the passage is never cut."""
    parts = [Part("before", "前" * 15), Part("card", "卡" * 15), Part("summary", "摘" * 15)]
    request = ask(context=[parts])
    window = request.windows[0]
    _, whole = prompts.user(request, of_window(request, window))
    assert sum(part.tokens for part in whole if part.name not in prompts.HEAD) == 30
    _, shown = prompts.user(request, of_window(request, window), 25)
    assert [(p.name, bool(p.text), p.cut) for p in shown[3:]] == [
        ("before", True, 0),
        ("card", True, 0),
        ("summary", False, 15),
    ]
    text, shown = prompts.user(request, of_window(request, window), 0)
    assert not any(p.text for p in shown[3:])
    assert "第一段。" in text


def test_an_edit_asks_for_the_agreed_form(ask):
    """The revised passage first, then the line of notes, in both languages; a window says which it is."""
    for locale, mark in (("zh", "=== 修改说明 ==="), ("en", "=== Notes ===")):
        request = ask("一", "二", output="edit", request={"locale": locale})
        text, _ = prompts.user(request, of_window(request, request.windows[1]))
        assert mark in text
        assert "2" in text.partition(mark)[2]
    assert "===" not in prompts.user(ask(), of_window(ask(), ask().windows[0]))[0]


def test_a_document_without_a_file_has_an_id(ask):
    """Tools know a chapter without a path by the name that the prompt gives."""
    request = ask()
    from dataclasses import replace

    bare = replace(request, snapshot=replace(request.snapshot, path=""))
    assert prompts.CHAPTER_HERE in prompts.user(bare, of_window(bare, bare.windows[0]))[0]


@given(st.text(max_size=80), st.text(max_size=40), st.text(max_size=20))
def test_material_cannot_forge_its_fence(ask_free, text, card, message):
    """Whatever the manuscript says, each fence opens and closes once, and the text inside is verbatim."""
    request = ask_free(text, card, message)
    made, _ = prompts.user(request, of_window(request, request.windows[0]))
    opened = made.partition("<material-")[2][:12] if text else ""
    if text:
        assert made.count(f"</material-{opened}>") == made.count(f"<material-{opened} ") == 1 + bool(card)
        assert f">\n{text}\n</material-{opened}>" in made
    assert message in made


def test_a_known_key_in_the_text_is_avoided():
    """A text that holds the very key gets another."""
    first = key("run", ["text"])
    second = key("run", [f"</material-{first}>"])
    assert first != second
    assert key("run", ["text"]) == first


def test_attributes_hold_no_markup():
    """A path cannot end the tag it stands in."""
    assert fence("k", "passage", "x", 'a"><b>\n.md').startswith(
        '<material-k name="passage" source="a b .md">'
    )


def test_templates_are_the_same_in_both_languages():
    """Every line exists in both languages with the same fields."""
    zh, en = _lines("zh"), _lines("en")
    assert zh.keys() == en.keys()
    assert all(fields(zh[name]) == fields(en[name]) for name in zh)


class Echo:
    """Answers with the system prompt that it was sent."""

    name = "echo"

    async def stream(self, request):
        yield Text(request.messages[0].content)
        yield Finished("stop")


@pytest.mark.parametrize("locale", ["zh", "en"])
async def test_one_sentence_in_four_kinds_of_book(ask, play, locale):
    """The same wish in a novel, a thesis, a breakdown and a note book: four different prompts, each with its
    own domain's text first and the same ability's after it."""
    library = load()
    prompts_of = {}
    for domain in ("novel", "thesis", "breakdown", "note"):
        profile = merge(library, "writing", domain, "看看情节、论点、要点和概念", locale)
        request = ask(request={"profile": profile, "locale": locale})
        prompts_of[domain] = (await play(request, Echo()))[-1].text
        assert prompts_of[domain].startswith(profile.domain_prompt)
        assert profile.ability_prompt in prompts_of[domain]
    assert len(set(prompts_of.values())) == 4

"""What the package brings: complete, consistent with the tools, within its bounds."""

from __future__ import annotations

import re
from itertools import product

import pytest

from inkwright.domain.cards import CARD_TYPES
from inkwright.domain.tokens import estimate
from inkwright.library.loader import load
from inkwright.library.merge import merge
from inkwright.runtime.texts import prose
from inkwright.tools.toolbox import TOOLS

MAIN = ["writing", "analysis", "research", "polish"]
TOOLBOX = {
    "continue": ("insert", "selection"),
    "shorten": ("edit", "selection"),
    "expand": ("edit", "selection"),
    "describe-senses": ("edit", "selection"),
    "tighten-dialogue": ("edit", "selection"),
    "change-tone": ("edit", "selection"),
    "name-suggestions": ("report", "selection"),
    "title-suggestions": ("report", "chapter"),
    "summary": ("summary", "chapter"),
}
EXTRACTING = ("list_book_chapters", "split_chapter", "create_note_card")
BOTH = {"zh", "en"}
HAN = re.compile(r"[\u4e00-\u9fff]")


@pytest.fixture(scope="module")
def library():
    return load(tools=TOOLS)


def texts(library):
    """Every text of every built-in file, by what it is."""
    for key, one in library.profiles.items():
        yield key, "label", one.label
        yield key, "description", one.description
        yield key, "prompt", one.prompt
        for hint in one.hints:
            yield key, "hint", hint.text
        for quick in one.quick_actions:
            yield key, "quick label", quick.label
            yield key, "quick message", quick.message
    for id_, pipeline in library.by_id.items():
        yield id_, "label", pipeline.label
        yield id_, "description", pipeline.description
        for step in pipeline.steps:
            yield id_, step.name, step.label
            yield id_, step.name, step.instruction


def test_everything_is_there_and_nothing_is_wrong(library):
    """The ids in the order of menus; no problem, no unknown tool, no unknown pipeline, no double."""
    assert library.problems == ()
    assert [p.id for p in library.abilities()] == [*MAIN, "facts", *TOOLBOX]
    assert [p.id for p in library.domains()] == ["novel", "thesis", "breakdown", "note"]
    assert [p.id for p in library.pipelines()] == ["breakdown", "note"]
    assert {p.origin for p in library.profiles.values()} == {"builtin"}


def test_every_text_stands_in_both_languages(library):
    """Each in its own: Chinese has Han characters in it, English none."""
    for where, what, text in texts(library):
        assert set(text) == BOTH, (where, what)
        assert HAN.search(text["zh"]), (where, what)
        assert text["en"].strip(), (where, what)
        assert not HAN.search(text["en"]), (where, what)


def test_every_tool_exists(library):
    """A profile or a step names no tool that the registry lacks."""
    for profile in library.profiles.values():
        assert set(profile.tools) <= set(TOOLS), profile.id
    for pipeline in library.pipelines():
        for step in pipeline.steps:
            assert set(step.tools) <= set(TOOLS), (pipeline.id, step.name)


def test_looks_are_complete(library):
    """Icons are lucide names in kebab case, colours six hexadecimal digits."""
    for profile in library.profiles.values():
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", profile.icon), profile.id
        assert re.fullmatch(r"#[0-9a-f]{6}", profile.color), profile.id


def test_quick_actions(library):
    """Three for each of the four; a label says its own thing."""
    for id_ in MAIN:
        assert len(library.ability(id_).quick_actions) == 3
    assert len(library.ability("change-tone").quick_actions) > 3
    for profile in library.abilities():
        labels = [quick.label[locale] for quick in profile.quick_actions for locale in BOTH]
        assert len(labels) == len(set(labels)), profile.id


@pytest.mark.parametrize(
    ("kind", "id_", "icon", "color", "zh"),
    [
        ("ability", "writing", "pen-tool", "#6366f1", "写作辅助"),
        ("ability", "analysis", "search", "#f59e0b", "内容分析"),
        ("ability", "research", "book-open", "#10b981", "研究辅助"),
        ("ability", "polish", "sparkles", "#ec4899", "润色优化"),
        ("domain", "novel", "book-open", "#6366f1", "小说"),
        ("domain", "thesis", "graduation-cap", "#0ea5e9", "论文"),
        ("domain", "breakdown", "scissors", "#f59e0b", "拆书"),
        ("domain", "note", "notebook-pen", "#10b981", "学科笔记"),
    ],
)
def test_the_table(library, kind, id_, icon, color, zh):
    """Icon, colour and label of the four abilities and the four domains."""
    profile = library.profiles[kind, id_]
    assert (profile.icon, profile.color, profile.label["zh"]) == (icon, color, zh)


@pytest.mark.parametrize(
    ("id_", "tools", "pipeline"),
    [
        ("novel", (), ""),
        ("thesis", (), ""),
        ("breakdown", EXTRACTING, "breakdown"),
        ("note", EXTRACTING, "note"),
    ],
)
def test_domains(library, id_, tools, pipeline):
    """Tools and pipeline as the table has them; no domain sets a budget."""
    domain = library.domain(id_)
    assert (domain.tools, domain.pipeline) == (tools, pipeline)
    assert (domain.rounds, domain.seconds) == (0, 0)


def test_a_note_book_is_said_to_be_no_diary(library):
    """Where the type is chosen, in both languages."""
    description = library.domain("note").description
    assert "日记" in description["zh"]
    assert "diary" in description["en"]


@pytest.mark.parametrize(
    ("domain", "zh", "en"),
    [
        ("novel", ["情节", "人物", "文风"], ["plot", "CHARACTER", "style"]),
        ("thesis", ["论点", "论据", "引用"], ["Claim", "evidence", "CITATION"]),
        ("breakdown", ["拆解", "卡片", "要点"], ["break down", "Card", "KEY POINT"]),
        ("note", ["概念", "公式", "例题", "复习"], ["Concept", "formula", "WORKED EXAMPLE", "review"]),
    ],
)
def test_the_words_of_the_hints(library, domain, zh, en):
    """One hint for each Chinese word, in this order, each with English words matched without case."""
    own = library.domain(domain).hints
    assert [hint.words[0] for hint in own] == zh
    for hint, chinese, english in zip(own, zh, en, strict=True):
        assert merge(library, "research", domain, f"请看{chinese}吧", "zh").hints[0] == hint.text["zh"]
        assert merge(library, "research", domain, f"the {english}s", "en").hints[0] == hint.text["en"]


@pytest.mark.parametrize(("id_", "output", "scope"), [(k, *v) for k, v in TOOLBOX.items()])
def test_the_toolbox_is_one_turn(library, id_, output, scope):
    """Each action is a single shot without tools; the effort is left to the rule for single shots."""
    ability = library.ability(id_)
    assert (ability.mode, ability.output, ability.scope) == ("single", output, scope)
    assert (ability.tools, ability.rounds, ability.effort) == ((), 1, None)


def test_what_is_to_come_out_shorter_or_longer_may(library):
    """The bounds of an edit's length fit what is asked for."""
    assert library.ability("shorten").length == (0.15, 1.05)
    assert library.ability("expand").length == (0.9, 5.0)
    assert library.ability("polish").length is None


def test_the_pipelines(library):
    """Steps, tools and rounds as the engine has them: what reads cannot write, what writes only writes."""
    steps = {
        pipeline.id: [(s.name, s.tools, s.rounds, s.each, s.passage) for s in pipeline.steps]
        for pipeline in library.pipelines()
    }
    reading = ("list_book_chapters", "split_chapter")
    assert steps == {
        "breakdown": [
            ("split", reading, 4, "batch", True),
            ("distil", (), 1, "batch", True),
            ("cards", ("create_note_card",), 8, "batch", True),
        ],
        "note": [
            ("organise", (*reading, "search_world_cards"), 4, "batch", True),
            ("concepts", (), 1, "batch", True),
            ("cards", ("create_note_card",), 8, "batch", True),
            ("quiz", (), 1, "chapter", False),
        ],
    }


@pytest.mark.parametrize("locale", ["zh", "en"])
@pytest.mark.parametrize("id_", ["breakdown", "note"])
def test_instructions_for_cards_name_every_type(library, id_, locale):
    """The step before the cards and the cards themselves know the allowed types and ask for a quotation."""
    steps = library.pipeline(id_).steps
    for step in steps[1:3]:
        text = step.instruction[locale]
        assert all(type_ in text for type_ in CARD_TYPES), step.name
        assert re.search("逐字|letter", text), step.name


def test_domains_are_short(library):
    """A domain's text has at most 400 characters, in each language."""
    for domain in library.domains():
        assert all(len(text) <= 400 for text in domain.prompt.values()), domain.id


def test_the_worst_system_prompt_is_below_2000_tokens(library):
    """Whatever ability in whatever kind of book, with every hint that can match, full memories (600) and
    the suffix; the conversation's summary apart."""
    worst = 0
    for ability, domain, locale in product(library.abilities(), library.domains(), ("zh", "en")):
        words = " ".join(w for one in (ability, domain) for hint in one.hints for w in hint.words)
        made = merge(library, ability.id, domain.id, words, locale)
        assert len(made.hints) == min(3, len(ability.hints)) + min(3, len(domain.hints))
        suffix = prose("suffix", locale, now="2026-01-01 00:00")
        text = "\n\n".join((made.domain_prompt, made.ability_prompt, *made.hints, suffix))
        worst = max(worst, estimate(text) + 600)
    assert worst < 2000

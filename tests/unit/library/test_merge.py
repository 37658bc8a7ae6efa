"""Ability × domain, and what stands in for the unknown."""

from __future__ import annotations

import logging

import pytest

from inkwright.domain.profile import Hint, Profile
from inkwright.library.loader import load
from inkwright.library.merge import hints, merge
from inkwright.library.registry import Library

BOTH = {"zh": "字", "en": "word"}


def profile(id_, kind="ability", **fields):
    base = {"label": BOTH, "description": BOTH, "prompt": {"zh": f"{id_} 提示", "en": f"{id_} prompt"}}
    return Profile(id=id_, kind=kind, **(base | fields))


def library(*profiles):
    """The built-in library with more in it."""
    return Library(dict(load().profiles) | {(p.kind, p.id): p for p in profiles})


@pytest.fixture(scope="module")
def builtin():
    return load()


@pytest.mark.parametrize(
    ("ability", "rounds", "seconds", "output", "tools"),
    [
        (
            "writing",
            5,
            300,
            "report",
            "read_chapter_summary read_chapter_chunk list_book_chapters search_world_cards get_book_context",
        ),
        (
            "analysis",
            10,
            480,
            "report",
            "read_chapter read_chapter_chunk list_book_chapters search_world_cards get_book_context",
        ),
        (
            "research",
            20,
            600,
            "report",
            "read_chapter_summary list_book_chapters search_world_cards get_book_context",
        ),
        ("polish", 3, 240, "edit", "read_chapter read_chapter_chunk get_book_context"),
    ],
)
def test_the_four_abilities(builtin, ability, rounds, seconds, output, tools):
    """Budgets, output and tools, in order, as the engine's table says."""
    made = merge(builtin, ability, "novel", "", "zh")
    assert (made.rounds, made.seconds, made.calls, made.output) == (rounds, seconds, 50, output)
    assert " ".join(made.tools) == tools
    assert made.ability_matched
    assert (made.ability, made.domain) == (ability, "novel")


def test_an_unknown_ability_falls_back_by_aspect(builtin):
    """Writing's prompt and tools, none of its hints, 15 rounds and 600 s, and it is said."""
    known = merge(builtin, "writing", "novel", "大纲和冲突", "zh")
    made = merge(builtin, "nope", "novel", "大纲和冲突", "zh")
    assert made.ability_prompt == known.ability_prompt
    assert made.tools == known.tools
    assert known.hints
    assert made.hints == ()
    assert (made.rounds, made.seconds) == (15, 600)
    assert not made.ability_matched
    assert made.origins["rounds"] == "fallback"


def test_an_unknown_ability_keeps_the_domains_hints(builtin):
    """The hints match independently: the book is still a novel."""
    made = merge(builtin, "nope", "novel", "情节", "zh")
    assert made.hints == merge(builtin, "research", "novel", "情节", "zh").hints != ()


@pytest.mark.parametrize("domain", ["breakdown", "note"])
def test_polish_and_the_toolbox_keep_their_mode_in_every_book(builtin, domain):
    """Polishing a note makes no cards: no built-in ability runs a pipeline by itself."""
    for ability in builtin.abilities():
        made = merge(builtin, ability.id, domain, "卡片", "zh")
        assert made.mode == ability.mode != "pipeline"
        assert made.pipeline == domain
        assert made.output == ability.output


def test_an_ability_that_has_a_tool_gets_it_once(builtin):
    """`list_book_chapters` comes from the domain only where the ability lacks it, and behind its own."""
    writing, polish = (merge(builtin, id_, "note", "", "zh").tools for id_ in ("writing", "polish"))
    assert writing.count("list_book_chapters") == 1
    assert writing[-2:] == ("split_chapter", "create_note_card")
    assert polish[-3:] == ("list_book_chapters", "split_chapter", "create_note_card")


@pytest.mark.parametrize("domain", ["thesis", "breakdown", "note"])
def test_an_unknown_ability_in_every_domain(builtin, domain):
    """Writing's prompt and tools with the domain's, the domain's hints alone, the wide budget."""
    words = " ".join(hint.words[0] for hint in builtin.domain(domain).hints)
    known, made = (merge(builtin, id_, domain, f"{words} 大纲", "zh") for id_ in ("writing", "nope"))
    assert made.tools == known.tools
    assert made.hints == known.hints[:3]
    assert (made.rounds, made.seconds, made.ability_matched) == (15, 600, False)


def test_length_is_the_abilitys(builtin):
    """Carried into what a run is settled by; an unknown ability has none."""
    assert merge(builtin, "shorten", "note", "", "zh").length == (0.15, 1.05)
    assert merge(builtin, "shorten", "note", "", "zh").origins["length"] == "ability shorten (builtin)"
    assert merge(builtin, "nope", "note", "", "zh").length is None


@pytest.mark.parametrize("domain", ["sonnet", "Novel", "novel ", "小说"])
def test_an_unknown_domain_is_novel_with_a_warning(builtin, caplog, domain):
    """A word that no loaded domain has, another case included, is a novel, and the log says so."""
    with caplog.at_level(logging.WARNING):
        made = merge(builtin, "polish", domain, "", "zh")
    assert made.domain == "novel"
    assert domain in caplog.text


def test_an_unset_domain_is_novel_silently(builtin, caplog):
    """'' means novel, without a warning."""
    with caplog.at_level(logging.WARNING):
        assert merge(builtin, "polish", "", "", "zh").domain == "novel"
    assert caplog.text == ""


def test_tools_are_a_union_in_order():
    """The ability's first, then the domain's new ones."""
    lib = library(
        profile("a", tools=("x", "y")),
        profile("d", "domain", tools=("y", "z", "w")),
    )
    assert merge(lib, "a", "d", "", "zh").tools == ("x", "y", "z", "w")


def test_budgets_are_the_larger():
    """Rounds and seconds are the larger of the two; a domain that sets none constrains nothing."""
    lib = library(
        profile("a", rounds=5, seconds=300, calls=7),
        profile("none", "domain"),
        profile("more", "domain", rounds=9, seconds=100),
    )
    made = merge(lib, "a", "none", "", "zh")
    assert (made.rounds, made.seconds, made.calls) == (5, 300, 7)
    made = merge(lib, "a", "more", "", "zh")
    assert (made.rounds, made.seconds, made.calls) == (9, 300, 7)
    assert made.origins["rounds"] == "domain more (builtin)"
    assert made.origins["seconds"] == "ability a (builtin)"
    assert merge(lib, "nope", "more", "", "zh").rounds == 15


@pytest.mark.parametrize(
    ("fields", "mode"),
    [
        ({"output": "edit"}, "react"),
        ({"output": "insert"}, "react"),
        ({"output": "report"}, "react"),
        ({"output": "cards", "scope": "chapter"}, "pipeline"),
        ({"output": "cards", "scope": "selection"}, "react"),
        ({"output": "cards", "scope": "chapter", "mode": "single"}, "single"),
        ({"output": "edit", "scope": "chapter", "mode": "pipeline"}, "react"),
        ({"output": "summary", "scope": "chapter", "mode": "single"}, "single"),
    ],
)
def test_mode(fields, mode):
    """Only an ability of chapter scope whose output is cards runs the domain's pipeline: edit, insert,
    report and single shot keep their own mode in every book."""
    lib = library(profile("a", **fields), profile("d", "domain", mode="pipeline", pipeline="split"))
    made = merge(lib, "a", "d", "", "zh")
    assert (made.mode, made.pipeline) == (mode, "split")
    assert made.origins["mode"] == ("domain d (builtin)" if mode == "pipeline" else "ability a (builtin)")
    novel = merge(lib, "a", "novel", "", "zh")
    assert (novel.mode, novel.pipeline) == ("single" if fields.get("mode") == "single" else "react", "")


def test_hints_in_table_order_at_most_three():
    """Plain substrings, without case; table order decides; three per profile, the domain's first."""
    table = tuple(Hint((w, w.upper()), {"zh": w, "en": w}) for w in ("ab", "cd", "ef", "gh"))
    lib = library(profile("a", hints=table), profile("d", "domain", hints=table[::-1]))
    made = merge(lib, "a", "d", "xxGHefCDabxx", "en")
    assert made.hints == ("gh", "ef", "cd", "ab", "cd", "ef")
    assert hints(profile("a", hints=table), "", "zh") == ()


@pytest.mark.parametrize(
    ("ability", "words", "domain"),
    [
        ("writing", "大纲 情节 对话 冲突 角色", "novel"),
        ("analysis", "文风 连贯 伏笔 节奏", "novel"),
        ("research", "设定 世界观 关系 校验", "novel"),
        ("polish", "语法 文笔 风格 对话", "novel"),
        ("writing", "outline plot dialogue conflict character", "novel"),
        ("analysis", "style continuity foreshadowing PACE", "novel"),
        ("research", "Setting worldbuilding relations verify", "novel"),
        ("polish", "grammar prose style dialogue", "novel"),
    ],
)
def test_each_keyword_has_its_hint(builtin, ability, words, domain):
    """Every keyword of the table, Chinese and English, brings a hint of its ability."""
    own = {text for hint in builtin.ability(ability).hints for text in hint.text.values()}
    for word in words.split():
        assert own & set(merge(builtin, ability, domain, f"请看看{word}吧", "zh").hints), word


def test_the_domains_keywords_have_hints(builtin):
    """情节 人物 文风 bring the novel's hints, and so do their English words."""
    own = {text for hint in builtin.domain("novel").hints for text in hint.text.values()}
    for word in ("情节", "人物", "文风", "plot", "Character", "STYLE"):
        assert own & set(merge(builtin, "research", "", word, "zh").hints), word


def test_every_part_has_an_origin(builtin):
    """The debug view can say where each part came from."""
    origins = merge(builtin, "polish", "novel", "情节和对话", "zh").origins
    assert origins["ability_prompt"] == "ability polish (builtin)"
    assert origins["domain_prompt"] == "domain novel (builtin)"
    assert origins["hints"] == "domain novel (builtin) + ability polish (builtin)"
    assert origins["tools"] == "ability polish (builtin)"

"""Sentences for people, from codes and fields that may hold anything."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import inkwright
from inkwright.domain.errors import Fault
from inkwright.i18n import LOCALES, catalogue, pick, render, tr


@pytest.mark.parametrize("code", ["tool_{", "reason_{0}", "part_{x.__class__}", "no_such_code", "", "}{"])
def test_a_code_without_a_sentence_is_shown_as_it_is(code):
    """Even one with braces in it: a model may call a tool by any name."""
    assert tr(code, "zh", {"x": 1}) == code


def test_a_field_without_a_value_is_shown_by_its_name():
    """A sentence is never lost for a parameter that somebody forgot."""
    assert "{path}" in tr("no_folder", "en")


@pytest.mark.parametrize(
    ("locale", "shown"), [("zh", "数字“3、5”变成“–”。"), ("en", "The number 3, 5 became –.")]
)
def test_words_are_listed_as_the_language_does(locale, shown):
    """Each has a comma of its own; nothing is a dash."""
    said = tr("number_changed", locale, {"before": ("3", "5"), "after": ()})
    assert said.startswith(shown)


@pytest.mark.parametrize(
    ("count", "shown"),
    [(0, "0 chapters, 2 cards"), (1, "1 chapter, 2 cards"), ("1,001", "1,001 chapters, 2 cards")],
)
def test_a_count_has_its_word_in_the_number(count, shown):
    """One of a thing is no plural."""
    assert tr("index_totals", "en", {"chapters": count, "cards": 2}) == shown


@pytest.mark.parametrize(
    ("counts", "english", "chinese"),
    [
        ((2, 0, 0, 0), "2 wait for you to accept them.", "2 条等你接受。"),
        ((0, 3, 0, 0), "none is new; 3 are known already.", "没有新的；3 条已经有了。"),
        (
            (1, 1, 0, 1),
            "1 waits for you to accept it; 1 is known already; 1 is about a name without a card.",
            "1 条等你接受；1 条已经有了；1 条说的是没有卡片的名字。",
        ),
    ],
)
def test_what_there_is_none_of_is_not_counted_out(counts, english, chinese):
    """A sentence has words of its own for none, or leaves them out."""
    params = dict(zip(("found", "known", "dropped", "unknown"), counts, strict=True))
    assert tr("facts_report", "en", params).endswith(f": {english}")
    assert tr("facts_report", "zh", params).endswith(f"：{chinese}")


def test_what_is_said_of_a_count_has_its_number_too():
    """Verbs and pronouns go with it; the number is said once."""
    one, more = (tr("rename_left_out", "en", {"count": count, "files": ("a.md",)}) for count in (1, 2))
    assert one.startswith("1 file that names the card cannot be written and was left out: a.md.")
    assert more.startswith("2 files that name the card cannot be written and were left out: a.md.")


COUNTED = re.compile(
    r"\{(?:count|chapters|cards|files|places|requests|chars|words|sentences|paragraphs)\} [a-z]+s\b"
)


def test_no_english_sentence_has_a_plural_for_one():
    """A field that counts carries both words; these never count one."""
    never_one = {
        "card_too_many_names",
        "offline_even_sentences",
        "offline_same_opening",
        "offline_silence",
        "step_stopped",
    }
    never_one |= {"store_recovered", "store_recovered_partly", "walk_cut"}
    assert {code for code, text in catalogue("en").items() if COUNTED.search(text)} <= never_one


COMMA = re.compile(r"""["'][、，] ?["']\s*\.join|["'][、，]["'] if """)


def test_no_module_joins_with_a_comma_of_one_language():
    """What is listed in a sentence is given as a list, and joined where its language is known."""
    found = [
        f"{path.name}: {line.strip()}"
        for path in Path(inkwright.__file__).parent.rglob("*.py")
        for line in path.read_text("utf-8").splitlines()
        if COMMA.search(line)
    ]
    # A list in a front matter goes on with the comma that it has.
    assert found == ['frontedits.py: gap = "、" if "、" in node.value else ", "']


@given(st.text(max_size=20), st.text(max_size=20))
def test_a_fault_is_one_line(path, detail):
    """Whatever stands in its fields and in what a server said; braces in them are text."""
    for locale in LOCALES:
        line = render(Fault("no_folder", {"path": f"a{{x}}{path}\n"}, detail=detail), locale)
        assert len(line.splitlines()) == 1
        assert "a{x}" in line


def test_every_sentence_can_be_filled():
    """No template of ours has a field that `format_map` would trip over."""
    for locale in LOCALES:
        for code in catalogue(locale):
            assert tr(code, locale, {})


@pytest.mark.parametrize(
    ("language", "locale"),
    [("zh-CN", "zh"), ("zh_TW.UTF-8", "zh"), ("ZH", "zh"), ("en_US.UTF-8", "en"), ("C", "en"), ("", "en")],
)
def test_a_language_tag_picks_a_locale(language, locale):
    """As clients and systems write it; English for what we do not have."""
    assert pick(language) == locale

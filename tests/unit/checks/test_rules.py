"""The rules are data, and so are their tests: every example of every rule runs here."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from inkwright.checks import checking, rules
from inkwright.checks.rules import Rule

RULES = tuple(rules.by_id().values())


def _language(rule: Rule) -> str:
    return rule.scope if rule.scope in ("zh", "en") else ""


def _examples() -> Iterator[object]:
    for rule in RULES:
        for i, (faulty, repaired) in enumerate(rule.examples):
            yield pytest.param(rule, faulty, repaired, id=f"{rule.id}-{i}")


def _sound() -> Iterator[object]:
    for rule in RULES:
        for i, text in enumerate(rule.sound):
            yield pytest.param(rule, text, id=f"{rule.id}-{i}")


@pytest.mark.parametrize(("rule", "faulty", "repaired"), list(_examples()))
def test_a_rule_finds_its_examples_and_repairs_them(rule: Rule, faulty: str, repaired: str) -> None:
    """A faulty example is pointed at under the rule's id, its fix gives the repaired text, and that is the end of it."""
    found = checking.check(faulty, language=_language(rule), names=())
    assert rule.id in [one.code for one in found]
    if repaired:
        assert checking.fix_all(faulty, found) == repaired
        again = checking.check(repaired, language=_language(rule), names=())
        assert [one.code for one in again if one.fix] == []


@pytest.mark.parametrize(("rule", "text"), list(_sound()))
def test_a_rule_leaves_sound_text_alone(rule: Rule, text: str) -> None:
    """A sound example raises no alarm at all, of this rule or of any other."""
    found = checking.check(text, language=_language(rule), names=())
    assert [one.code for one in found if one.code == rule.id or one.severity in ("error", "warning")] == []


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_is_complete(rule: Rule) -> None:
    """Every rule has a message in both languages, faulty and sound examples, and fills its message's fields."""
    assert rule.examples
    assert rule.sound
    for faulty, _ in rule.examples:
        for one in checking.check(faulty, language=_language(rule), names=()):
            for locale in ("zh", "en"):
                said = checking.message(one, locale)
                assert said
                assert "{" not in said


def test_a_rule_that_is_turned_off_is_silent() -> None:
    """A rule is turned off by its id, a whole family by the family's."""
    text = '他走了,,坐下。“走吧。"她没动．'
    found = {one.code for one in checking.check(text, language="zh", names=())}
    assert {"zh-full-stop", "zh-quote-mixed"} <= found
    off = checking.check(text, language="zh", names=(), disabled=("zh-full-stop",))
    assert "zh-full-stop" not in {one.code for one in off}
    family = rules.by_id()["zh-quote-mixed"].family
    off = checking.check(text, language="zh", names=(), disabled=(family,))
    assert "zh-quote-mixed" not in {one.code for one in off}


def test_there_are_more_than_a_hundred_wrong_words_and_none_is_right() -> None:
    """The table of wrong words is large, and no right form holds a wrong one."""
    table = next(f for f in rules.families() if f.id == "zh-words").tables["words"]
    assert len(table) > 100
    wrong = {row[0] for row in table}
    for row in table:
        text = f"于是，{row[1]}。"
        assert [
            o.code for o in checking.check(text, language="zh", names=()) if o.code == "zh-misspelled"
        ] == []
    assert wrong.isdisjoint(row[1] for row in table)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", f"It was an {'A' * 200}é thing."),
        ("en", f"Tobin{' ' * 50_000}x went on."),
        ("zh", f"他走了{'.' * 50_000}x"),
        ("zh", f"他走了{'-' * 50_000}x"),
        ("zh", f"他走了{'…' * 50_000}x"),
    ],
)
def test_a_stranger_s_run_of_one_character_costs_its_length(language: str, text: str) -> None:
    """A chapter from the internet: nobody waits for the checks of it, and no fix lies outside it."""
    for one in checking.check(text, language=language, names=()):
        assert 0 <= one.span.start < one.span.end <= len(text)

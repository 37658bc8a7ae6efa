"""The cache: an edit rechecks the paragraph that it touched."""

from __future__ import annotations

import pytest

from inkwright.checks import checking
from inkwright.checks.checking import CheckCache
from inkwright.checks.engine import Engine


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paragraphs that the rules really looked at."""
    looked: list[str] = []
    real = Engine.hits

    def hits(engine: Engine, masked: str) -> object:
        looked.append(masked)
        return real(engine, masked)

    monkeypatch.setattr(Engine, "hits", hits)
    return looked


def test_a_keystroke_rechecks_one_paragraph(seen: list[str]) -> None:
    """Of a hundred paragraphs one is looked at again, though all behind it have moved."""
    cache = CheckCache()
    paragraphs = [f"第{i}段，他走了。" for i in range(100)]
    checking.check("\n\n".join(paragraphs), language="zh", names=(), cache=cache)
    assert len(seen) == 100
    seen.clear()
    paragraphs[3] += "她没动．"
    found = checking.check("\n\n".join(paragraphs), language="zh", names=(), cache=cache)
    assert seen == [paragraphs[3]]
    assert [one.code for one in found] == ["zh-full-stop"]


@pytest.mark.parametrize(
    ("names", "language", "disabled"),
    [(("一但",), "zh", ()), ((), "en", ()), ((), "zh", ("zh-misspelled",))],
)
def test_other_names_languages_or_rules_begin_afresh(
    names: tuple[str, ...], language: str, disabled: tuple[str, ...]
) -> None:
    """A new card, another language or a rule turned off is obeyed at once."""
    cache = CheckCache()
    text = "一但下雨，他就走。"
    assert len(checking.check(text, language="zh", names=(), cache=cache)) == 1
    now = checking.check(text, language=language, names=names, disabled=disabled, cache=cache)
    assert now == checking.check(text, language=language, names=names, disabled=disabled)


def test_the_cache_forgets_what_is_gone(seen: list[str]) -> None:
    """Two passes later a paragraph that left the text is looked at anew: memory does not grow with edits."""
    cache = CheckCache()
    for text in ("甲来了。", "乙来了。", "丙来了。", "甲来了。"):
        checking.check(text, language="zh", names=(), cache=cache)
    assert seen == ["甲来了。", "乙来了。", "丙来了。", "甲来了。"]

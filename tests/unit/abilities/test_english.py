"""Harper behind its switch: a process of its own, silent where it is not installed or fails."""

from __future__ import annotations

from pathlib import Path

import pytest

from inkwright.abilities import english
from inkwright.abilities.english import English
from inkwright.domain.errors import Fault

FAKE = """
from enum import Enum
class SuggestionKind(Enum):
    REPLACE = 0
class S:
    def __init__(self, text): self.kind, self.replacement_text = SuggestionKind.REPLACE, text
class Span:
    def __init__(self, a, b): self.start, self.end = a, b
class Lint:
    def __init__(self, a, b): self.span, self.message, self.suggestions = Span(a, b), "Use `have`.", [S("have")]
class Linter:
    def __init__(self): self.words = []
    def clear_words(self): self.words = []
    def import_words(self, words): self.words += words
    def lint(self, text):
        text.encode()
        if "Zorblax" in text and "Zorblax" not in self.words: return [Lint(0, 1)]
        if "die" in text: raise SystemExit(1)
        at = text.find(" of ")
        return [Lint(at + 1, at + 3)] if at >= 0 else []
"""


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in by Harper's name, found by this process and by those that it starts."""
    (tmp_path / "harper.py").write_text(FAKE, "utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.syspath_prepend(str(tmp_path))


async def test_without_it_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """And no process is started; the writer is told once why."""
    monkeypatch.setattr(english.importlib.util, "find_spec", lambda _: None)
    told: list[Fault] = []
    ours = English(told.append)
    for _ in range(2):
        assert await ours.find("He should of known it was the end.", "en", ()) == []
    assert told == [Fault("harper_missing")]


async def test_english_paragraphs_are_shown_to_it(installed: None) -> None:
    """Places are those of the document; Han is never shown; what was seen is not asked for again."""
    text = "他走了 of 。\n\n𠮷 He should of known it was the end.\n"
    ours = English()
    try:
        (found,) = await ours.find(text, "", ())
        assert (found.code, found.severity, found.span.of(text)) == ("harper", "hint", "of")
        assert [edit.new for edit in found.fixes[0].changes[0].edits] == ["have"]
        assert await ours.find("\n" + text, "", ())
    finally:
        await ours.close()


async def test_the_names_are_kept_once(installed: None) -> None:
    """However many paragraphs are seen with them: a book has many names, and each key makes another paragraph."""
    ours = English()
    try:
        for number in range(20):
            names = (f"Fred {word}" for word in ("Jones", "Smith"))
            assert await ours.find(f"He should of known it was the end{'s' * number}.", "en", names)
        assert len(ours._known) == 1
    finally:
        await ours.close()


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


GOOD = "He should of known it was the end."
POISON = "He was there to die, and it was the end of it."


async def test_a_process_that_ends_is_told_of_once_and_asked_again_later(installed: None) -> None:
    """It is not started over and over; a paragraph that it cannot stand costs the others nothing for good."""
    told: list[Fault] = []
    clock = Clock()
    ours = English(told.append, clock)
    try:
        assert await ours.find(f"{POISON}\n\n{GOOD}", "en", ()) == []
        assert await ours.find(GOOD, "en", ()) == []
        assert [fault.code for fault in told] == ["harper_failed"]
        clock.now += english.REST
        assert await ours.find(f"{POISON}\n\n{GOOD}", "en", ()) == []
        clock.now += english.REST
        assert await ours.find(f"{POISON}\n\n{GOOD}", "en", ()) == []  # twice as long by now
        clock.now += english.REST
        (found,) = await ours.find(f"{POISON}\n\n{GOOD}", "en", ())
        assert found.span.start > len(POISON)
        assert len(await ours.find(GOOD, "en", ())) == 1
        assert [fault.code for fault in told] == ["harper_failed"]
    finally:
        await ours.close()


async def test_a_silent_process_is_told_of(installed: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer that does not come in time; then it comes, and is taken."""
    told: list[Fault] = []
    clock = Clock()
    ours = English(told.append, clock)
    try:
        with monkeypatch.context() as hurried:
            hurried.setattr(english, "WAIT", 0.0)
            assert await ours.find(GOOD, "en", ()) == []
        clock.now += english.REST
        assert len(await ours.find(GOOD, "en", ())) == 1
        assert [fault.code for fault in told] == ["harper_failed"]
    finally:
        await ours.close()


async def test_half_a_character_is_shown_as_none(installed: None) -> None:
    """A lone surrogate, as a client may send one, leaves places where they are."""
    told: list[Fault] = []
    ours = English(told.append)
    try:
        text = f"Oh \ud800 dear. {GOOD}"
        (found,) = await ours.find(text, "en", ())
        assert found.span.of(text) == "of"
        assert told == []
    finally:
        await ours.close()


async def test_the_names_of_one_book_are_none_of_another(installed: None) -> None:
    """Both are read by the same process: what is a name here is a slip there."""
    ours = English()
    text = "He knew that Zorblax was there at the end."
    try:
        assert await ours.find(text, "en", ["Zorblax"]) == []
        assert len(await ours.find(text, "en", ["Fred"])) == 1
        assert len(await ours.find(text, "en", ())) == 1
    finally:
        await ours.close()


async def test_a_trial(installed: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Says whether it answers, and what is missing."""
    ours = English()
    try:
        assert await ours.trial() is None
    finally:
        await ours.close()
    monkeypatch.setattr(english.importlib.util, "find_spec", lambda _: None)
    assert await English().trial() == Fault("harper_missing")


async def test_a_book_brings_no_code(
    installed: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An editor starts us in the folder of the book: a module that lies there by a known name is not imported."""
    book = tmp_path / "book"
    book.mkdir()
    for name in ("harper", "json"):
        (book / f"{name}.py").write_text(f"open({str(book / 'ran')!r}, 'w')", "utf-8")
    monkeypatch.chdir(book)
    ours = English()
    try:
        assert await ours.find("He should of known it was the end.", "en", ())
        assert not (book / "ran").exists()
    finally:
        await ours.close()

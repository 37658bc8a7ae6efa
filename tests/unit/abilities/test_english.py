"""Harper behind its switch: a process of its own, silent where it is not installed or fails."""

from __future__ import annotations

from pathlib import Path

import pytest

from inkwright.abilities import english
from inkwright.abilities.english import English

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
    def import_words(self, words): pass
    def lint(self, text):
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
    """And no process is started."""
    monkeypatch.setattr(english.importlib.util, "find_spec", lambda _: None)
    assert await English().find("He should of known it was the end.", "en", ()) == []


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


async def test_a_process_that_ends_is_no_fault(installed: None) -> None:
    """From then on nothing is said; it is not started over and over."""
    ours = English()
    assert await ours.find("He was there to die, and it was the end of it.", "en", ()) == []
    assert await ours.find("He should of known it was the end.", "en", ()) == []
    await ours.close()


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

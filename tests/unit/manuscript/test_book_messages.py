"""Every code that the book room gives has a sentence in both languages that takes its parameters."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import inkwright

PACKAGE = Path(inkwright.__file__).parent
ROOM = (
    "bookfile",
    "walk",
    "cards",
    "cardfile",
    "cardname",
    "chapterfile",
    "leaf",
    "catalogue",
    "reading",
    "index",
    "query",
)


def test_every_code_has_a_sentence() -> None:
    """The codes in the source and the sentences in both catalogues are the same set."""
    files = [PACKAGE / "manuscript" / f"{name}.py" for name in ROOM]
    files += sorted((PACKAGE / "manuscript" / "layouts").glob("*.py"))
    source = "".join(file.read_text("utf-8") for file in files)
    codes = set(
        re.findall(
            r'"((?:file|folder|root|link|name|walk|book|order|card|chapter|query|project)_[a-z_0-9]+)"',
            source,
        )
    ) - {
        "card_type",
        "project_name",
        "project_info",
        "chapter_number",
        "chapter_path",
    }
    for locale in ("zh", "en"):
        table = tomllib.loads((PACKAGE / "locales" / locale / "book.toml").read_text("utf-8"))
        assert set(table) == codes
        assert all(text.rstrip()[-1] in ".。" for text in table.values())

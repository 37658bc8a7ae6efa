"""Every sentence stands in both languages, and every code has a sentence."""

from __future__ import annotations

import re
import string
import tomllib
from pathlib import Path

import pytest

from inkwright import i18n

PACKAGE = Path(i18n.__file__).parent
LOCALES = PACKAGE / "locales"
ROOMS = sorted({file.name for file in LOCALES.glob("*/*.toml")})
HAN = re.compile(r"[\u4e00-\u9fff]")


def sentences(locale: str, room: str) -> dict[str, str]:
    return tomllib.loads((LOCALES / locale / room).read_text("utf-8"))


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name is not None}


def worded(template: str) -> bool:
    """Whether anything but fields, marks and code stands in a template."""
    return any(char.isalpha() for text, *_ in string.Formatter().parse(template) for char in text)


@pytest.mark.parametrize("room", ROOMS)
def test_the_same_codes_and_fields(room):
    """A room's zh and en files have the same codes, each with the same fields, none empty."""
    zh, en = sentences("zh", room), sentences("en", room)
    assert set(zh) == set(en)
    assert {code for code in zh if fields(zh[code]) != fields(en[code])} == set()
    assert all(text.strip() for text in [*zh.values(), *en.values()])


@pytest.mark.parametrize("room", ROOMS)
def test_each_language_is_its_own(room):
    """Chinese sentences have Han characters in them, English ones have none."""
    assert [
        code for code, text in sentences("zh", room).items() if worded(text) and not HAN.search(text)
    ] == []
    assert [code for code, text in sentences("en", room).items() if HAN.search(text)] == []


@pytest.mark.parametrize("locale", ["zh", "en"])
def test_a_code_stands_once(locale):
    """No code stands in two rooms."""
    codes = [code for room in ROOMS for code in sentences(locale, room)]
    assert len(codes) == len(set(codes)) == len(i18n.catalogue(locale))


RAISED = re.compile(
    r"""\b(?:Fault|InkwrightError|StorageError|ModelError|Problem|Finding|tr)\(\s*["']([a-z][a-z0-9_]*)["']"""
)


def test_every_code_that_is_raised_has_a_sentence():
    """What the sources name as a fault, a finding or a text is in the catalogue."""
    known = i18n.catalogue("en")
    missing = {
        f"{file.relative_to(PACKAGE)}: {code}"
        for file in PACKAGE.rglob("*.py")
        for code in RAISED.findall(file.read_text("utf-8"))
        if code not in known
    }
    assert missing == set()

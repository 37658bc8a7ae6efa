"""A key in a book is told of, whatever the book says of its checks: it may be a stranger's."""

from __future__ import annotations

import json

import pytest

from inkwright.config import Checks
from inkwright.domain.diagnostic import Switches

KEYED = "---\ntitle: 渡口\napi_key: abcdefgh1234\n---\n他说，一但下雨，他就走。\n"
IN_BOOK = 'api_key = "abcdefgh1234"\nendpoint = "https://h/v1"\n'
CODES = ("key_in_front_matter", "key_in_book_file", "endpoint_in_book_file")
LINES = ("api_key: abcdefgh1234", 'api_key = "abcdefgh1234"', 'endpoint = "https://h/v1"')


async def _told(stage):
    """(code, severity) of the chapter and of `book.toml`."""
    stage.chapter.write_bytes(KEYED.encode())
    book, _ = await stage.studio.workspace.snapshot(stage.chapter)
    await book.ready()
    assert book.files is not None
    found = await stage.studio.findings.of(KEYED, book, path=stage.chapter.name)
    found += await stage.studio.findings.of(IN_BOOK, book, path="book.toml", book_file=True)
    return [(one.code, one.severity) for one in found]


KEPT = [("key_in_front_matter", "error"), ("key_in_book_file", "error"), ("endpoint_in_book_file", "warning")]


@pytest.mark.parametrize(
    ("said", "other"),
    [
        ("", True),
        ("[checks]\nenabled = false\n", False),
        (f"[checks]\ndisabled = {json.dumps([*CODES, 'zh-misspelled'])}\n", False),
        ("[checks.severity]\n" + "".join(f'{code} = "hint"\n' for code in CODES), True),
    ],
)
async def test_no_switch_of_the_book_hushes_a_key(stage, said, other):
    """Nor does it rank one lower; its other checks are as it says."""
    (stage.root / "book.toml").write_text(said, "utf-8")
    told = await _told(stage)
    assert [row for row in told if row[0] in CODES] == KEPT
    assert ("zh-misspelled" in [code for code, _ in told]) is other


async def test_no_decision_answers_a_key(stage):
    """A book can bring decisions along; those on keys say nothing."""
    (stage.root / ".inkwright").mkdir(exist_ok=True)
    rows = [{"kind": "intended", "code": code, "text": text} for code in CODES for text in (*LINES, "一但")]
    rows.append({"kind": "intended", "code": "zh-misspelled", "text": "一但"})
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    (stage.root / ".inkwright/decisions.jsonl").write_text(lines, "utf-8")
    assert await _told(stage) == KEPT


def test_the_writer_can_switch_it_off():
    """In settings of their own, which no book reaches."""
    assert set(CODES) <= Checks(disabled=CODES).within(Switches(enabled=False)).off

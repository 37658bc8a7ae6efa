"""`inkwright threads`."""

from __future__ import annotations

import json
from pathlib import Path

BOOK = Path(__file__).parents[2] / "workspaces" / "duanshui"


def test_the_ledger_of_a_book(call):
    """As text and as JSON: each thread with its chapters, and what has come of it."""
    status, out, _ = call("threads", BOOK, "--json")
    assert status == 0
    assert [(row["name"], row["state"], len(row["paid"])) for row in json.loads(out)["threads"]] == [
        ("断桨", "unpaid", 0),
        ("旧信", "paid", 1),
    ]
    status, out, _ = call("threads", BOOK)
    assert status == 0
    assert "断桨" in out
    assert "第四章" in out


def test_a_book_without_threads(call, tmp_path):
    """It says how to name some."""
    (tmp_path / "一.md").write_text("雨。", "utf-8")
    status, out, _ = call("threads", tmp_path)
    assert status == 0
    assert "<!--" in out

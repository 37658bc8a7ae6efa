"""`inkwright report` through the front door."""

from __future__ import annotations

import json


def test_a_page_of_a_folder_that_has_no_book_toml(call, book):
    """Markdown on stdout in the locale's language; nothing is written into the book."""
    before = sorted(path for path in book.rglob("*"))
    status, out, err = call("report", book)
    assert status == 0
    assert out.startswith("<!-- inkwright report -->\n# 《书》的报告\n")
    assert "[渡口](%E7%AC%AC001%E7%AB%A0.md)" in out
    assert "林夏" in out
    assert err == ""
    assert sorted(path for path in book.rglob("*")) == before


def test_the_figures_as_json(call, book):
    """The same as an object: counts, scenes, cast by path, checks by code."""
    status, out, _ = call("report", book, "--json")
    assert status == 0
    found = json.loads(out)
    assert [row["path"] for row in found["chapters"]] == ["第001章.md", "第002章.md"]
    assert found["totals"]["chapters"] == 2
    assert found["totals"]["length"] == sum(row["counts"]["mixed"] for row in found["chapters"])
    assert [(row["name"], row["chapters"]) for row in found["cast"]] == [("林夏", {"第001章.md": 1})]
    assert {row["severity"] for row in found["checks"]} & {"error", "warning"}
    assert sum(found["chapters"][0]["diagnostics"].values()) == sum(row["count"] for row in found["checks"])


def test_without_checks(call, book):
    """Faster, and the page says so."""
    _, out, _ = call("report", book, "--no-checks", "--json")
    assert json.loads(out)["checks"] is None
    _, page, _ = call("report", book, "--no-checks")
    assert "这次没有检查。" in page


def test_a_file_with_its_picture(call, book, tmp_path):
    """Links lead from the file to the chapters; stdout stays empty."""
    out = tmp_path / "报告" / "r.md"
    out.parent.mkdir()
    status, said, told = call("report", book, "--out", out)
    assert (status, said) == (0, "")
    assert "r.md" in told
    text = out.read_text("utf-8")
    assert "(r.md.svg)" in text
    assert "(../%E4%B9%A6/%E7%AC%AC001%E7%AB%A0.md)" in text
    assert (out.parent / "r.md.svg").read_text("utf-8").startswith("<svg ")


def test_nothing_but_a_report_is_written_over(call, book):
    """A chapter named as the report's file stays, before anything is read, and the line says what to do."""
    chapter = book / "第002章.md"
    before = chapter.read_bytes()
    status, _, err = call("report", book, "--out", chapter)
    assert status == 3
    assert "没有覆盖" in err
    assert chapter.read_bytes() == before
    assert not (book / "第002章.md.svg").exists()


def test_an_empty_folder_and_no_folder(call, tmp_path):
    """An empty book is a page that says what to do; a folder that is not there is a fault."""
    status, out, _ = call("report", tmp_path)
    assert status == 0
    assert "这里没有章节" in out
    status, out, _ = call("report", tmp_path / "nowhere", "--json")
    assert status != 0
    assert json.loads(out)["error"]["code"] == "no_folder"


def test_a_file_that_cannot_be_written(call, book, tmp_path):
    """The fault names the place and the reason."""
    status, _, err = call("report", book, "--out", tmp_path / "no" / "where.md")
    assert status == 3
    assert "where.md" in err


def test_a_page_in_the_book_is_no_chapter(call, book):
    """Written among the chapters it counts for nothing, and the next one takes its place."""
    _, first, _ = call("report", book, "--json")
    assert call("report", book, "--out", book / "全书.md")[0] == 0
    assert call("report", book, "--out", book / "全书.md")[0] == 0
    _, second, _ = call("report", book, "--json")
    assert json.loads(second)["chapters"] == json.loads(first)["chapters"]

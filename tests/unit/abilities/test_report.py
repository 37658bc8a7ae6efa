"""The report: its figures from a real book, its page and its picture safe and readable anywhere."""

from __future__ import annotations

import base64
import re
from datetime import UTC, datetime
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkwright.abilities.report import files, page
from inkwright.abilities.report.figures import CastRow, ChapterRow, CodeRow, Report, stretches
from inkwright.abilities.report.heat import COLUMNS, heat_map
from inkwright.abilities.report.measuring import measured
from inkwright.abilities.report.page import MAIN_CAST, MARK
from inkwright.abilities.report.writing import plain
from inkwright.domain.errors import InkwrightError
from inkwright.domain.manuscript import Book, Counts, Problem
from inkwright.i18n import LOCALES
from inkwright.manuscript.ledger import Row as Thread

NOW = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)
SVG = "{http://www.w3.org/2000/svg}"


def book_of(
    count: int, *, title: str = "渡口", cast: int = 2, codes: tuple[CodeRow, ...] = (), checked: bool = True
) -> Report:
    chapters = tuple(
        ChapterRow(
            f"第{n}章.md",
            f"第{n}章",
            "卷一" if n <= count // 2 else "卷二",
            n,
            Counts(100 * n, 100 * n, 110 * n, 100 * n),
            (60 * n, 40 * n),
            30 * n,
            {"warning": n % 3},
        )
        for n in range(1, count + 1)
    )
    people = tuple(
        CastRow(f"cards/{n}.md", f"人物{n}", dict.fromkeys(range(0, count, n + 1), n + 1))
        for n in range(cast)
    )
    return Report(Book("/b", title), "mixed", chapters, people, (), codes, (), checked)


def rendered(report: Report, **more: object) -> str:
    return page.page(report, "zh", now=NOW, **more)  # type: ignore[arg-type]


def picture(page: str) -> ET.Element:
    assert re.search(r"!\[[^\n]*\]\[heat-map\]", page)
    (data,) = re.findall(r"(?m)^\[heat-map\]: data:image/svg\+xml;base64,([A-Za-z0-9+/=]+)$", page)
    return ET.fromstring(base64.b64decode(data))


@pytest.mark.parametrize(
    ("text", "scenes", "spoken"),
    [
        ("# 一\n\n他来了。\n\n***\n\n“走。”他说。", (4, 3), 4),
        ('---\ntitle: A\n---\nShe went. "Go," he said.', (5,), 5),
        ("没有话。", (3,), 0),
        ("“他说‘走’了。”", (4,), 9),
        ("", (), 0),
    ],
)
def test_scenes_and_what_is_spoken(text, scenes, spoken):
    """Scenes by the book's rule; a quotation in a quotation counts once; front matter does not."""
    assert measured(text, "mixed") == (scenes, spoken)


@pytest.mark.parametrize("locale", LOCALES)
def test_the_page_has_every_part(locale):
    """Counts, pace, chapters, cast, threads, checks, each under its heading, with no code left in it."""
    report = book_of(5, codes=(CodeRow("zh-words", "warning", 3, "“一但”应为“一旦”。"),))
    text = page.page(report, locale, now=NOW, to=lambda path: f"../{path}")
    assert text.startswith(MARK)
    assert len(re.findall(r"(?m)^## ", text)) == 6
    assert "report_" not in text
    assert "1,500" in text  # all of it
    assert "[第5章](../第5章.md)" in text
    assert "30 %" in text
    assert "`zh-words`" in text
    assert text.endswith("\n")
    assert "\n\n\n" not in text


def test_an_empty_book_says_what_to_do():
    """No tables of nothing, and no picture."""
    text = rendered(Report(Book("/b", "空"), "mixed", (), (), (), (), (), True))
    assert "chapters" in text
    assert "|" not in text
    assert "![" not in text


def test_three_thousand_chapters_have_a_readable_page():
    """Every chapter has its row; the picture and the cast's table go by stretches; the cast is the main one."""
    report = book_of(3000, cast=40)
    text = rendered(report)
    assert text.count("\n| 3000 |") == 1
    cast_table = text[text.index("### ") :].split("\n\n")[1]
    assert len(cast_table.split("\n")) <= 2 + 60
    svg = picture(text)
    rows = [t for t in svg.iter(f"{SVG}text") if t.get("text-anchor") == "end"]
    assert len(rows) == MAIN_CAST
    assert len(list(svg.iter(f"{SVG}rect"))) == 1 + MAIN_CAST * COLUMNS
    assert f"另有 {40 - MAIN_CAST} 张卡片" in text
    assert len(text) < 600_000


def test_the_picture_can_be_read_without_being_seen():
    """A role, a name, a description, and on each place that is not empty who is how often where."""
    svg = ET.fromstring(heat_map(book_of(3), book_of(3).cast, "en"))
    assert svg.get("role") == "img"
    assert svg.get("aria-label") == "Who is in which chapter of 渡口"
    assert svg.findtext(f"{SVG}title") == svg.get("aria-label")
    assert svg.findtext(f"{SVG}desc")
    titles = [title.text for rect in svg.iter(f"{SVG}rect") for title in rect.iter(f"{SVG}title")]
    assert titles == [
        "人物0 · 第1章: 1",
        "人物0 · 第2章: 1",
        "人物0 · 第3章: 1",
        "人物1 · 第1章: 2",
        "人物1 · 第3章: 2",
    ]
    assert not list(svg.iter(f"{SVG}script"))


NASTY = "a|b](javascript:x)<script>alert(1)</script>&amp;*_`\r\n# x\x00\ud800 ![i](u)"


def test_names_and_titles_are_text():
    """Whatever a book or a card is called, the page stays a page and the picture a picture."""
    report = Report(
        Book("/b", NASTY),
        "mixed",
        (ChapterRow("a.md", NASTY, NASTY, None, Counts(3, 3, 3, 3), (3,), 0, {"error": 1}),),
        (CastRow("c.md", NASTY, {0: 2}),),
        (Thread(NASTY, "open", (0,), due_said=NASTY),),
        (CodeRow("x", "error", 1, NASTY),),
        (Problem(NASTY, 0, "file_missing", {"path": NASTY}),),
        True,
    )
    text = rendered(report)
    assert "<script" not in text
    assert "](javascript" not in text.replace("\\](", "")
    text.encode("utf-8")
    for line in text.split("\n"):
        if line.startswith("|"):
            assert len(re.findall(r"(?<!\\)\|", line)) in (3, 4, 5, 6, 7, 9)
    assert picture(text).findtext(f"{SVG}title")


@given(st.text(max_size=40), st.integers(1, 200))
def test_any_name_makes_a_picture(name, count):
    """The picture is well-formed XML for every name and every number of chapters."""
    report = book_of(count, title=name)
    svg = heat_map(report, (CastRow("c.md", name, {0: 1, count - 1: 7}),), "zh")
    svg = svg.encode("utf-8").decode("utf-8")
    assert ET.fromstring(svg).tag == f"{SVG}svg"


@given(st.text(max_size=60))
def test_text_of_others_is_one_line_without_marks(text):
    """No line end, no tag, no cell's border comes out of it."""
    line = plain(text)
    assert "\n" not in line
    assert "\r" not in line
    assert "<" not in line
    assert not re.search(
        r"(?<!\\)(?:\\\\)*[|\[\]`*]",
        line.replace("\\|", "")
        .replace("\\[", "")
        .replace("\\]", "")
        .replace("\\`", "")
        .replace("\\*", "")
        .replace("\\\\", ""),
    )


@given(st.integers(1, 4000), st.integers(1, 60))
def test_stretches_cover_every_chapter_once(count, most):
    """In order, at most so many, none empty."""
    columns = stretches(count, most)
    assert len(columns) <= most
    assert [at for column in columns for at in column] == list(range(count))
    assert all(columns)


def test_a_report_is_written_over_a_report_and_over_nothing_else(tmp_path):
    """The page and its picture; a chapter of the same name is left as it is."""
    report, out = book_of(4), tmp_path / "全书 报告.md"
    for _ in range(2):
        files.write(report, out, "zh", NOW)
    text = out.read_text("utf-8")
    assert f"]({'%E5%85%A8%E4%B9%A6%20%E6%8A%A5%E5%91%8A.md.svg'})" in text
    assert ET.parse(tmp_path / "全书 报告.md.svg").getroot().tag == f"{SVG}svg"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["全书 报告.md", "全书 报告.md.svg"]
    chapter = tmp_path / "第一章.md"
    chapter.write_text("# 一\n\n林夏来了。\n", "utf-8")
    with pytest.raises(InkwrightError) as caught:
        files.write(report, chapter, "zh", NOW)
    assert caught.value.fault.code == "report_exists"
    assert chapter.read_text("utf-8") == "# 一\n\n林夏来了。\n"
    (tmp_path / "x.md.svg").write_text("mine", "utf-8")
    with pytest.raises(InkwrightError):
        files.write(report, tmp_path / "x.md", "zh", NOW)
    assert not (tmp_path / "x.md").exists()

"""Chapter numbers that stand twice or are missing."""

from __future__ import annotations

import pytest

from inkwright.checks.book import numbers


def chapters(*given: int, folder: str = "") -> dict[str, str]:
    return {f"{folder}第{n}章.md": f"# 第{n}章 名{n}\n\n好。\n" for n in given}


async def test_a_number_that_stands_twice_is_told_on_both(write):
    """On the title, with the other chapter as the related place."""
    book = await write({**chapters(1, 2, 3), "第2章-改.md": "---\ntitle: 第二章 改\n---\n\n好。\n"})
    (one,) = book.say("第2章.md")
    assert (one.code, one.span.of(book.text("第2章.md"))) == ("chapter_number_doubled", "第2章 名2")
    assert book.related(one) == [("第2章-改.md", "第二章 改")]
    (other,) = book.say("第2章-改.md")
    assert book.related(other) == [("第2章.md", "第2章 名2")]


@pytest.mark.parametrize(
    ("files", "told"),
    [
        (chapters(1, 2, 4, 5), {"第4章.md": "3"}),
        (chapters(1, 2, 3, 7), {"第7章.md": "4–6"}),
        (chapters(1, 2, 3, 4), {}),
        (chapters(5, 6, 7), {}),
        (chapters(1, 5, 9, 14), {}),
        (chapters(1, 9), {}),
        ({**chapters(1, 2, 3, folder="卷01/"), **chapters(1, 2, 3, folder="卷02/")}, {}),
        ({**chapters(1, 2, 3, folder="卷01/"), **chapters(4, 5, folder="卷02/")}, {}),
        ({**chapters(1, 2, 3, folder="卷01/"), **chapters(5, 6, folder="卷02/")}, {"卷02/第5章.md": "4"}),
        ({**chapters(1, 2), "序章.md": "# 序章\n", "番外一.md": "# 番外一\n"}, {}),
    ],
)
async def test_gaps(write, files, told):
    """A gap is told of on the chapter after it, in books that are numbered through, by volume or over all."""
    book = await write(files)
    found = {path: one.params.get("missing") for path in files for one in book.say(path)}
    assert found == told


async def test_a_project_that_orders_its_chapters_is_left_alone(write):
    """Where a project says the order, numbers say nothing."""
    scenes = {f"scenes/{n}.md": "好。\n" for n in ("01 甲", "02 乙", "09 丙", "10 丁")}
    index = "---\nlongform:\n  format: scenes\n  title: 书\n  sceneFolder: scenes\n  scenes:\n"
    book = await write(
        {**scenes, "Index.md": index + "".join(f"    - {p[7:-3]}\n" for p in scenes) + "---\n"}
    )
    assert [book.say(path) for path in scenes] == [[], [], [], []]


async def test_the_book_is_walked_once_for_all_its_chapters(write, monkeypatch):
    """However many chapters are asked about, each step from number to number is looked at once or twice."""
    files = chapters(*range(1, 41))
    book = await write(files)
    steps = []
    real = numbers._follows
    monkeypatch.setattr(numbers, "_follows", lambda a, b: bool(steps.append(b.path)) or real(a, b))
    assert not [one for path in files for one in book.say(path, numbers.DOUBLED, numbers.MISSING)]
    assert len(steps) <= 2 * len(files)

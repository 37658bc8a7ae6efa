"""Reading order over folders."""

from __future__ import annotations

import random

import pytest

from inkwright.manuscript import ordering


def order(paths: list[str], **orders: object) -> list[str]:
    shuffled = random.Random(7).sample(paths, len(paths))
    placed = {
        path: ordering.placed(path.rpartition("/")[2].removesuffix(".md"), "", orders.get(path))
        for path in shuffled
    }
    return ordering.reading_order(placed)


@pytest.mark.parametrize(
    "paths",
    [
        [
            "序章.md",
            "第一卷/序.md",
            "第一卷/第1章.md",
            "第一卷/第2章.md",
            "第二卷/第1章.md",
            "第十卷/第1章.md",
            "尾声.md",
        ],
        ["卷01/第0001章.md", "卷01/第0100章.md", "卷02/第0101章.md"],
        ["Part I/Chapter 1.md", "Part II/Chapter 1.md", "Part X/Chapter 1.md"],
        ["上部/第1章.md", "中部/第1章.md", "下部/第1章.md"],
        ["风起/第1章.md", "风起/第2章.md", "云涌/第3章.md", "云涌/第4章.md"],
        [
            "0-Part_One/0-Chapter_1/0-Scene.md",
            "0-Part_One/1-Chapter_2/0-Scene.md",
            "1-Part_Two/0-Chapter_3/0-Scene.md",
        ],
        ["第1卷 a/第1章.md", "第1卷 b/第1章.md"],
    ],
)
def test_folders(paths: list[str]) -> None:
    """Volumes by their names; numbering may restart in each or run through the book."""
    assert order(paths) == paths


def test_a_heading_numbers_a_file_without_a_number() -> None:
    """A file whose name says nothing stands where its heading says."""
    placed = {
        "归人.md": ordering.placed("归人", "第二章 归人", None),
        "渡口.md": ordering.placed("渡口", "第一章 渡口", None),
        "旧信.md": ordering.placed("旧信", "1984", None),
    }
    assert ordering.reading_order(placed) == ["渡口.md", "归人.md", "旧信.md"]


def test_order_sorts_within_its_folder() -> None:
    """`order` moves a chapter among its siblings and not into another volume."""
    paths = ["第一卷/b.md", "第一卷/a.md", "第二卷/第1章.md"]
    assert order(paths, **{"第一卷/b.md": 1, "第一卷/a.md": "2"}) == paths

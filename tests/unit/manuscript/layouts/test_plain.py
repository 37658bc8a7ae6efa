"""The plain layout: what a file is by its place."""

from __future__ import annotations

import pytest

from inkwright.manuscript.layouts import PLAIN, Place
from inkwright.manuscript.layouts.globs import Glob


@pytest.mark.parametrize(
    ("path", "role", "type_"),
    [
        ("第1章.md", "chapter", ""),
        ("第一卷/第1章.md", "chapter", ""),
        ("characters/林夏.md", "card", "character"),
        ("People/x.md", "card", "character"),
        ("cards/characters/x.md", "card", "character"),
        ("cards/x.md", "card", "misc"),
        ("设定/角色/林夏.md", "card", "character"),
        ("设定集/主角卡.md", "card", "misc"),
        ("01_角色/林夏.md", "card", "character"),
        ("势力/x.md", "card", "faction"),
        ("世界观/x.md", "card", "misc"),
        ("地点/x.md", "card", "location"),
        ("世界书/x.md", "card", "misc"),
        ("settings/x.md", "card", "location"),
        ("notes/threads.md", "other", ""),
        ("大纲/第1卷-详细大纲.md", "other", ""),
        ("追踪/上下文.md", "other", ""),
        ("README.md", "other", ""),
        ("大纲.md", "other", ""),
        ("notes/characters/x.md", "card", "character"),
        ("人物.md", "card", "character"),
        ("cards/Places.md", "card", "location"),
        ("notes/characters.md", "other", ""),
        ("world.md", "chapter", ""),
    ],
)
def test_places(path: str, role: str, type_: str) -> None:
    """The nearest known folder decides, in English and Chinese, with or without a number before it."""
    place = PLAIN.plan([path])[path]
    assert (place.role, place.type) == (role, type_)


def test_the_manuscripts_folder_is_no_volume() -> None:
    """Volumes are the folders below the manuscript's own."""
    paths = [
        "manuscript/a.md",
        "正文/第一卷/第1章.md",
        "manuscript/Part I/Chapter 1/01.md",
        "第二卷/第1章.md",
    ]
    assert [PLAIN.plan(paths)[p].volume for p in paths] == ["", "第一卷", "Part I/Chapter 1", "第二卷"]


def test_outside_the_manuscript_only_what_is_named_so() -> None:
    """Where a folder holds the manuscript, a file beside it is a chapter only if its name says so."""
    found = PLAIN.plan(["正文/第1章.md", "序章.md", "ideas.md"])
    assert {p: found[p].role for p in found} == {
        "正文/第1章.md": "chapter",
        "序章.md": "chapter",
        "ideas.md": "other",
    }
    assert PLAIN.plan(["ideas.md"])["ideas.md"].role == "chapter"


def test_globs_of_the_author_decide() -> None:
    """Where the author named the files, no folder name and no front matter changes what they are."""
    found = PLAIN.plan(
        ["text/1/a.md", "notes/b.md", "x/c.md", "characters/d.md"], ["text/**/*.md", "notes"], ["x/*.md"]
    )
    assert found["text/1/a.md"] == Place("chapter", volume="1", fixed=True)
    assert found["notes/b.md"] == Place("chapter", volume="", fixed=True)
    assert found["x/c.md"] == Place("card", "misc", fixed=True)
    assert found["characters/d.md"] == Place("other", fixed=True)


@pytest.mark.parametrize(
    ("pattern", "path", "hit"),
    [
        ("*.md", "a.md", True),
        ("*.md", "x/a.md", False),
        ("**/*.md", "a.md", True),
        ("**/*.md", "x/y/a.md", True),
        ("x/**", "x/y/a.md", True),
        ("manuscript", "manuscript/y/a.md", True),
        ("./manuscript/", "manuscript/a.md", True),
        ("第?章.md", "第一章.md", True),
        ("[a-c].md", "b.md", True),
        ("[!a-c].md", "b.md", False),
        ("[z-a].md", "b.md", False),
        ("[", "[", True),
        ("a+b.md", "a+b.md", True),
        ("x\\*.md", "x/a.md", True),
    ],
)
def test_globs(pattern: str, path: str, hit: bool) -> None:
    """The usual wildcards; a pattern that makes no sense is a plain name."""
    assert Glob(pattern).matches(path) is hit

"""A small project of each tool: its chapters in order, their titles, its cards, and not a byte of it changed."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from inkwright.manuscript.index import BookIndex

SAMPLES = Path(__file__).parents[3] / "workspaces"


@dataclass(frozen=True)
class Sample:
    """`chapters` are (path, title, volume); `cards` are name → (type, aliases); `layout` as the index names it."""

    layout: str
    title: str
    chapters: list[tuple[str, str, str]]
    cards: dict[str, tuple[str, tuple[str, ...]]]
    mentioned: dict[str, int] = field(default_factory=dict)


EXPECTED = {
    "novelwriter": Sample(
        "novelwriter",
        "The Ferry",
        [
            ("content/1e17daca5f3e2.nwd", "The Ferry", ""),
            ("content/fe17daca5f3e0.nwd", "Chapter One", "Part One"),
            ("content/0e17daca5f3e1.nwd", "The Ferry", "Part One"),
        ],
        {
            "Mara Venn": ("character", ("Mara",)),
            "Tobin": ("character", ()),
            "Old Landing": ("location", ("OldLanding",)),
        },
        {"Mara Venn": 1, "Tobin": 1, "Old Landing": 1},
    ),
    "manuskript": Sample(
        "manuskript",
        "The Ferry",
        [
            ("outline/0-Part_One/0-The_Ferry.md", "The Ferry", "Part One"),
            ("outline/0-Part_One/2----_--.md", "第二章 雨夜", "Part One"),
            ("outline/0-Part_One/10-Rope.md", "Rope", "Part One"),
        ],
        {
            "Mara": ("character", ()),
            "Tobin": ("character", ()),
            "The missed boat": ("plot", ()),
            "Old Landing": ("Places", ()),
            "The Bell": ("world", ()),
        },
        {"Mara": 3, "Tobin": 1, "Old Landing": 1},
    ),
    "longform": Sample(
        "longform",
        "The Ferry",
        [
            ("scenes/Steps.md", "Steps", ""),
            ("scenes/Rope.md", "Rope", ""),
            ("scenes/Rope, continued.md", "Rope, continued", ""),
        ],
        {"Mara": ("character", ("Mara Venn",))},
        {"Mara": 1},
    ),
    "storyline": Sample(
        "storyline",
        "The Ferry",
        [
            ("Scenes/03 - Before.md", "Before", ""),
            ("Scenes/02 - Rope.md", "Rope", ""),
            ("Scenes/01 - Steps.md", "Steps", ""),
            ("Scenes/Loose.md", "Loose", ""),
        ],
        {
            "Mara": ("character", ("the girl",)),
            "Tobin": ("character", ()),
            "Old Landing": ("location", ()),
            "The Bell": ("Bells", ()),
        },
        {"Mara": 2, "Tobin": 1, "Old Landing": 1},
    ),
    "inkos": Sample(
        "inkos",
        "渡口",
        [
            ("books/ferry/chapters/0001_渡口.md", "第1章 渡口", ""),
            ("books/ferry/chapters/0002_旧信.md", "旧信", ""),
        ],
        {
            "林夏": ("character", ("小夏", "林姑娘")),
            "周衡": ("character", ()),
            "世界": ("misc", ()),
            "当前状态": ("misc", ()),
        },
        {"林夏": 2, "周衡": 1},
    ),
    "webnovel": Sample(
        "webnovel-writer",
        "渡口",
        [
            ("正文/第1卷/第007章-归人.md", "归人", "第1卷"),
            ("正文/第1卷/第010章.md", "第十章 旧信", "第1卷"),
            ("正文/第2卷/第0011章-雨夜.md", "雨夜", "第2卷"),
        ],
        {"林夏": ("character", ()), "周衡": ("character", ("周叔",)), "力量体系": ("misc", ())},
        {"林夏": 2, "周衡": 1},
    ),
    "webnovel-v8": Sample(
        "webnovel-writer",
        "webnovel-v8",
        [("定稿/卷01/0001-渡口.md", "渡口", "卷01"), ("定稿/卷02/0002-旧信.md", "旧信", "卷02")],
        {"林夏": ("character", ("小夏",)), "周衡": ("character", ())},
        {"林夏": 1, "周衡": 1},
    ),
    "oh-story": Sample(
        "oh-story",
        "渡口",
        [("渡口/正文/第001章_渡口.md", "渡口", ""), ("渡口/正文/第002章_旧信.md", "旧信", "")],
        {"林夏": ("character", ("小夏",)), "周衡": ("character", ()), "渡口会": ("faction", ())},
        {"林夏": 1, "周衡": 1},
    ),
    "novel-writer": Sample(
        "novel-writer",
        "渡口",
        [
            ("stories/001-渡口/chapters/chapter-001.md", "第1章 渡口", ""),
            ("stories/001-渡口/chapters/chapter-002.md", "第2章 旧信", ""),
        ],
        {"林夏": ("character", ("小夏",)), "周衡": ("character", ()), "渡口镇": ("misc", ())},
        {"林夏": 1, "周衡": 1},
    ),
    "agent-kit": Sample(
        "long-novel-agent-kit",
        "渡口",
        [
            ("chapters/001.md", "渡口", ""),
            ("chapters/002.md", "旧信", ""),
            ("chapters/last.md", "尾声", ""),
        ],
        {"林夏": ("character", ("小夏",)), "周衡": ("character", ()), "失信的船夫": ("debt", ())},
        {"林夏": 2, "周衡": 1},
    ),
    "andrea": Sample(
        "andrea-novel-helper",
        "andrea",
        [("第一卷/第1章.md", "第1章", "第一卷"), ("第一卷/第2章.txt", "第2章", "第一卷")],
        {
            "林夏": ("character", ("小夏",)),
            "渡口会": ("势力", ()),
            "周衡": ("character", ("周叔", "老周")),
            "阿青": ("character", ()),
        },
        {"林夏": 1, "周衡": 1, "阿青": 1},
    ),
    "novel-generator": Sample(
        "ai-novel-generator",
        "novel-generator",
        [
            ("chapters/chapter_1.txt", "渡口", ""),
            ("chapters/chapter_2.txt", "旧信", ""),
            ("chapters/chapter_10.txt", "chapter_10", ""),
        ],
        {
            "林夏": ("character", ()),
            "周衡": ("character", ()),
            "小说设定": ("misc", ()),
            "核心种子": ("misc", ()),
            "角色动力学": ("misc", ()),
        },
        {"林夏": 2, "周衡": 1},
    ),
}


def state(root: Path) -> dict[str, tuple[bytes, int]]:
    return {
        str(file.relative_to(root)): (file.read_bytes(), file.stat().st_mtime_ns)
        for file in root.rglob("*")
        if file.is_file() and ".git/" not in f"{file}/"
    }


@pytest.fixture
def sample(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A copy of a sample, as a repository with nothing uncommitted."""
    root = tmp_path / request.param
    shutil.copytree(SAMPLES / request.param, root)
    for command in (["init", "-q"], ["add", "-A", "-f"], ["commit", "-q", "-m", "all"]):
        name = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "core.autocrlf=false"]
        subprocess.run(["git", *name, *command], cwd=root, check=True)
    return root


@pytest.mark.parametrize("sample", EXPECTED, indirect=True)
async def test_a_project_opens_as_it_is(sample: Path, tmp_path: Path, opened) -> None:
    """Chapters, order, titles, volumes, cards, aliases, mentions; from the store the same; git sees no change."""
    expected, before = EXPECTED[sample.name], state(sample)
    for _ in range(2):
        index: BookIndex = await opened(sample, tmp_path / "index.db")
        assert index.layout == expected.layout
        assert index.book.title == expected.title
        assert [(c.path, c.title, c.volume) for c in index.chapters()] == expected.chapters
        assert {card.name: (card.type, card.aliases) for card in index.cards()} == expected.cards
        counts = {card.name: sum(index.card_counts(card.path).values()) for card in index.cards()}
        assert {name: n for name, n in counts.items() if n} == expected.mentioned
        assert index.problems == ()
        for chapter in index.chapters():
            text = await index.text(chapter.path)
            for mention in index.mentions(chapter.path):
                card = index.card(mention.card)
                assert card is not None
                assert mention.span.of(text) in card.names
        for card in index.cards():
            assert index.card(card.path) == card
            assert card.names[0] in (await index.text(card.path)) or card.name in card.file or not card.within
        assert await index.search("渡口") is not None
        await index.close()
    assert state(sample) == before
    said = subprocess.run(
        ["git", "status", "--porcelain", "--ignored"], cwd=sample, check=True, capture_output=True
    )
    assert said.stdout == b""


def fields(index: BookIndex, path: str) -> dict[str, object]:
    found = index.chapter(path)
    assert found is not None
    return dict(found.meta)


async def test_fields_go_by_our_names(opened) -> None:
    """What scenes say of themselves is the same field whatever tool wrote it."""
    index = await opened(SAMPLES / "novelwriter")
    found = fields(index, "content/0e17daca5f3e1.nwd")
    assert (found["pov"], found["characters"], found["location"]) == ("Mara", ["Tobin", "Mara"], "OldLanding")
    assert (found["synopsis"], found["status"]) == ("Mara misses the boat.", "Draft")
    assert fields(index, "content/1e17daca5f3e2.nwd")["compile"] == "false"
    index = await opened(SAMPLES / "manuskript")
    found = fields(index, "outline/0-Part_One/0-The_Ferry.md")
    assert (found["pov"], found["synopsis"]) == ("Mara", "Mara misses the boat.")
    index = await opened(SAMPLES / "storyline")
    found = fields(index, "Scenes/02 - Rope.md")
    assert (found["date"], found["mode"], found["target"], found["story_order"]) == (
        "Day 2",
        "flashback",
        900,
        1,
    )
    index = await opened(SAMPLES / "inkos")
    assert fields(index, "books/ferry/chapters/0001_渡口.md")["status"] == "approved"


async def test_headers_and_comments_do_not_count(opened) -> None:
    """Headers, `@` lines, comments and layout commands are no prose."""
    index = await opened(SAMPLES / "novelwriter")
    scene = index.chapter("content/0e17daca5f3e1.nwd")
    assert scene is not None
    heading, prose = 2, 13 + 3
    assert scene.counts.mixed == heading + prose
    index = await opened(SAMPLES / "manuskript")
    scene = index.chapter("outline/0-Part_One/0-The_Ferry.md")
    assert scene is not None
    assert scene.counts.mixed == 10


async def test_what_a_tool_has_finished_or_makes_itself_is_left_alone(opened) -> None:
    """Finished chapters, generated files and a project that is being written have a reason not to be written."""
    index = await opened(SAMPLES / "webnovel-v8")
    assert index.locked("定稿/卷01/0001-渡口.md") == "finished"
    assert index.locked("世界书/人物档案/林夏.md") == ""
    index = await opened(SAMPLES / "oh-story")
    assert index.locked("渡口/追踪/上下文.md") == "generated"
    assert index.locked("渡口/正文/第001章_渡口.md") == ""


async def test_fields_of_cards(opened) -> None:
    """A person's part in the story is no type of card; unknown fields stay; the place in the file is known."""
    index = await opened(SAMPLES / "andrea")
    cards = {card.name: card for card in index.cards()}
    lin, zhou = cards["林夏"], cards["周衡"]
    assert (lin.fields["role"], lin.summary, lin.fields["priority"], lin.line) == ("主角", "药铺学徒", 10, 2)
    assert (zhou.fields["role"], zhou.fields["affiliation"], zhou.fields["口头禅"]) == (
        "配角",
        "渡口会",
        "再等等",
    )
    assert cards["渡口会"].kind == "faction"
    index = await opened(SAMPLES / "manuskript")
    mara = index.card("characters/0-Mara.txt")
    assert mara is not None
    assert (mara.summary, mara.fields["Motivation"]) == (
        "A ferryman's daughter who speaks slowly.",
        "To cross.",
    )

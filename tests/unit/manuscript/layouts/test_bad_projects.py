"""Projects that are broken, half written, huge or hostile: a problem that names the place, and the rest works."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from inkwright.manuscript.index import BookIndex
from inkwright.manuscript.layouts import ground, records

SAMPLES = Path(__file__).parents[3] / "workspaces"


@pytest.fixture
def copied(tmp_path: Path) -> Callable[[str], Path]:
    def copied(name: str) -> Path:
        return Path(shutil.copytree(SAMPLES / name, tmp_path / name))

    return copied


def told(index: BookIndex) -> list[tuple[str, str, int]]:
    return [(problem.code, problem.path, problem.line) for problem in index.problems]


CUT = [
    ("novelwriter", "nwProject.nwx", "chapters"),
    ("inkos", "books/ferry/chapters/index.json", ""),
    ("inkos", "books/ferry/book.json", ""),
    ("webnovel", ".webnovel/state.json", ""),
    ("agent-kit", ".novel-agent/characters.json", "cards"),
    ("agent-kit", ".novel-agent/manifest.json", ""),
    ("andrea", "novel-helper/character-gallery.json5", "cards"),
    ("novel-writer", "spec/tracking/character-state.json", "cards"),
    ("manuskript", "world.opml", "cards"),
]


@pytest.mark.parametrize(("name", "path", "lost"), CUT)
async def test_a_half_written_file(copied, opened, name: str, path: str, lost: str) -> None:
    """A file that was cut off while it was written is named; chapters and cards of other files are there."""
    whole: BookIndex = await opened(SAMPLES / name)
    root = copied(name)
    data = (root / path).read_bytes()
    (root / path).write_bytes(data[: len(data) // 2])
    index: BookIndex = await opened(root)
    assert told(index)[0][:2] == ("project_file_bad", path)
    if lost != "chapters":
        assert [c.path for c in index.chapters()] == [c.path for c in whole.chapters()]
    assert {c.name for c in index.cards()} <= {c.name for c in whole.cards()} | {"主角卡"}
    if not lost:
        assert len(index.cards()) == len(whole.cards())
    assert whole.layout == index.layout


@pytest.mark.parametrize("data", [b"", b"\xff\xfe\x00", b"[" * 100_000, b"null", b"3", b"\x00" * 50])
@pytest.mark.parametrize(("name", "path", "lost"), CUT)
async def test_rubbish(copied, opened, name: str, path: str, lost: str, data: bytes) -> None:
    """Whatever stands in such a file, the book opens."""
    root = copied(name)
    (root / path).write_bytes(data)
    index: BookIndex = await opened(root)
    assert lost == "chapters" or index.chapters()
    assert all(problem.path for problem in index.problems)


async def test_the_place_of_a_mistake(copied, opened) -> None:
    """A line that cannot be read is named by its number; the other lines count."""
    root = copied("agent-kit")
    listed = root / ".novel-agent/chapters.jsonl"
    listed.write_text('{"chapter": 2}\nnot json\n{"chapter": 1}\n', "utf-8")
    index: BookIndex = await opened(root)
    assert ("project_file_bad", ".novel-agent/chapters.jsonl", 1) in told(index)
    assert [c.path for c in index.chapters()] == ["chapters/002.md", "chapters/001.md", "chapters/last.md"]
    root = copied("andrea")
    (root / "novel-helper/character-gallery.json5").write_text(
        "[\n  { name: '甲' },\n  { name '乙' },\n]", "utf-8"
    )
    index = await opened(root)
    assert ("project_file_bad", "novel-helper/character-gallery.json5", 2) in told(index)


@pytest.mark.parametrize(
    ("name", "path", "text"),
    [
        ("agent-kit", ".novel-agent/chapters.jsonl", '{"chapter": 1, "path": "../../out/secret.md"}\n'),
        ("agent-kit", ".novel-agent/chapters.jsonl", '{"chapter": 1, "path": "/etc/passwd"}\n'),
        ("agent-kit", ".novel-agent/chapters.jsonl", '{"chapter": 1, "path": "C:\\\\x.md"}\n'),
        ("oh-story", ".active-book", "../out\n"),
        ("longform", "Index.md", "---\nlongform:\n  scenes: ['../../out/secret']\n---\n"),
        ("longform", "Index.md", "---\nlongform:\n  sceneFolder: ../../out\n  scenes: [secret]\n---\n"),
    ],
)
async def test_paths_that_leave_the_book(
    copied, opened, tmp_path: Path, name: str, path: str, text: str
) -> None:
    """A path to somewhere else is named and not followed; nothing from outside is in the book."""
    (tmp_path / "out").mkdir()
    (tmp_path / "out/secret.md").write_text("secret", "utf-8")
    root = copied(name)
    (root / path).write_text(text, "utf-8")
    index: BookIndex = await opened(root)
    assert "project_path_outside" in {code for code, _, _ in told(index)}
    assert not any("secret" in chapter.path or ".." in chapter.path for chapter in index.chapters())


async def test_a_link_out_of_the_book(copied, opened, tmp_path: Path) -> None:
    """An index or a card file that is a link to somewhere else is not read."""
    outside = tmp_path / "outside.json"
    outside.write_text('{"外人": {}}', "utf-8")
    root = copied("agent-kit")
    (root / ".novel-agent/characters.json").unlink()
    (root / ".novel-agent/characters.json").symlink_to(outside)
    index: BookIndex = await opened(root)
    assert "外人" not in {card.name for card in index.cards()}
    assert ("link_outside", ".novel-agent/characters.json", 0) in told(index)


async def test_missing_and_double(copied, opened) -> None:
    """A scene that is not there, one that is listed twice, a chapter of the index without a file: each is named."""
    root = copied("longform")
    (root / "Index.md").write_text(
        "---\nlongform:\n  sceneFolder: scenes\n  scenes: [Rope, Gone, Rope, Steps]\n---\n", "utf-8"
    )
    index: BookIndex = await opened(root)
    assert [c.title for c in index.chapters()] == ["Rope", "Steps"]
    assert told(index) == [("project_names_missing", "Index.md", 0), ("project_names_twice", "Index.md", 0)]
    root = copied("inkos")
    (root / "books/ferry/chapters/0002_旧信.md").unlink()
    index = await opened(root)
    assert [c.title for c in index.chapters()] == ["第1章 渡口"]
    assert told(index) == [("project_names_missing", "books/ferry/chapters/index.json", 0)]
    root = copied("novelwriter")
    (root / "content/0e17daca5f3e1.nwd").unlink()
    index = await opened(root)
    assert told(index) == [("project_names_missing", "nwProject.nwx", 0)]


async def test_two_cards_of_one_name_in_a_file(copied, opened) -> None:
    """Both are there, each with a path of its own, and the name is told to be ambiguous."""
    root = copied("agent-kit")
    (root / ".novel-agent/characters.json").write_text('[{"name": "林夏"}, {"name": "林夏"}, {}, 3]', "utf-8")
    index: BookIndex = await opened(root)
    found = [card.path for card in index.cards() if card.name == "林夏"]
    assert found == [".novel-agent/characters.json#林夏", ".novel-agent/characters.json#林夏 2"]
    assert "name_ambiguous" in {code for code, _, _ in told(index)}


async def test_entities_are_refused(copied, opened) -> None:
    """A project file that defines entities is not read: it could make gigabytes of a kilobyte."""
    root = copied("novelwriter")
    bomb = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa">]><x>&a;</x>'
    (root / "nwProject.nwx").write_text(bomb, "utf-8")
    index: BookIndex = await opened(root)
    assert told(index)[0][:2] == ("project_file_bad", "nwProject.nwx")
    assert index.chapters() == ()


async def test_a_tree_in_a_ring(copied, opened) -> None:
    """Nodes that hang below each other, or below nothing, come after the others: no word is lost."""
    root = copied("novelwriter")
    file = root / "nwProject.nwx"
    text = file.read_text("utf-8")
    file.write_text(
        text.replace(
            'handle="a000000000002" parent="a000000000001"', 'handle="a000000000002" parent="a000000000002"'
        ),
        "utf-8",
    )
    index: BookIndex = await opened(root)
    assert [(c.path, c.volume) for c in index.chapters()] == [
        ("content/1e17daca5f3e2.nwd", ""),
        ("content/fe17daca5f3e0.nwd", ""),
        ("content/0e17daca5f3e1.nwd", ""),
    ]


async def test_a_huge_index_file(copied, opened, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond a size an index file is named and not read; the chapters come by their names."""
    monkeypatch.setattr(ground, "MAX_SIZE", 1_000)
    root = copied("inkos")
    (root / "books/ferry/chapters/index.json").write_text("[" + "0," * 1_000 + "0]", "utf-8")
    index: BookIndex = await opened(root)
    assert told(index) == [("project_file_large", "books/ferry/chapters/index.json", 0)]
    assert len(index.chapters()) == 2


@pytest.mark.parametrize("encoding", ["gb18030", "utf-16", "utf-8-sig"])
async def test_other_encodings(copied, opened, encoding: str) -> None:
    """Index files, cards and chapters in the encodings that people have are read."""
    for name, paths in {
        "novel-generator": ["Novel_directory.txt", "character_state.txt", "chapters/chapter_1.txt"],
        "inkos": ["books/ferry/book.json", "books/ferry/chapters/index.json"],
        "andrea": ["novel-helper/character-gallery.json5", "novel-helper/roles.md"],
        "oh-story": [".active-book"],
    }.items():
        whole: BookIndex = await opened(SAMPLES / name)
        root = copied(name)
        for path in paths:
            text = (root / path).read_text("utf-8")
            (root / path).write_bytes(text.encode(encoding))
        index: BookIndex = await opened(root)
        assert [c.title for c in index.chapters()] == [c.title for c in whole.chapters()], name
        assert [c.name for c in index.cards()] == [c.name for c in whole.cards()], name
        assert index.book.title == whole.book.title
        assert {problem.code for problem in index.problems} <= {"file_not_utf8"}


@pytest.mark.parametrize("eol", ["\r\n", "\r"])
async def test_other_line_ends(copied, opened, eol: str) -> None:
    """The same with the line ends of other systems."""
    for name in ("novelwriter", "manuskript", "longform", "storyline", "andrea", "novel-generator"):
        whole: BookIndex = await opened(SAMPLES / name)
        root = copied(name)
        for file in root.rglob("*"):
            if file.is_file():
                file.write_bytes(file.read_bytes().replace(b"\n", eol.encode()))
        index: BookIndex = await opened(root)
        assert [(c.title, c.volume, c.counts) for c in index.chapters()] == [
            (c.title, c.volume, c.counts) for c in whole.chapters()
        ], name
        assert [(c.name, c.aliases, c.line) for c in index.cards()] == [
            (c.name, c.aliases, c.line) for c in whole.cards()
        ], name


async def test_a_huge_file_of_cards(copied, opened, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond a size a file of cards is named and not read; the other cards are there."""
    monkeypatch.setattr(records, "MAX_LENGTH", 1_000)
    root = copied("andrea")
    (root / "novel-helper/character-gallery.json5").write_text("[" + "{name: 'x'}," * 200 + "]", "utf-8")
    index: BookIndex = await opened(root)
    assert told(index) == [("project_file_large", "novel-helper/character-gallery.json5", 0)]
    assert {card.name for card in index.cards()} == {"周衡", "阿青"}


async def test_a_project_that_is_being_written(copied, opened) -> None:
    """While a lock stands in a book of InkOS its files are read and not to be written."""
    root = copied("inkos")
    index: BookIndex = await opened(root)
    assert index.locked("books/ferry/chapters/0001_渡口.md") == ""
    (root / "books/ferry/.write.lock").write_text("1", "utf-8")
    await index.file_changed("books/ferry/.write.lock")
    assert index.locked("books/ferry/chapters/0001_渡口.md") == "locked"
    assert index.locked("books/ferry/story/story_bible.md") == "locked"
    (root / "books/ferry/.write.lock").unlink()
    await index.file_changed("books/ferry/.write.lock")
    assert index.locked("books/ferry/chapters/0001_渡口.md") == ""


async def test_an_archive_is_named(book: Path, write, opened) -> None:
    """A project in a single archive cannot be read in place, which is said; the folder is a plain book."""
    write("第1章.md", "林夏。")
    (book / "novel.msk").write_bytes(b"PK\x03\x04rest")
    index: BookIndex = await opened()
    assert told(index) == [("project_archive", "novel.msk", 0)]
    assert [c.path for c in index.chapters()] == ["第1章.md"]

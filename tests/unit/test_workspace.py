"""Books in use: found, adopted, edited; nothing is created uninvited, no file is half written."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from inkwright.domain.errors import InkwrightError
from inkwright.workspace import Workspace, write_text


@pytest.fixture
async def workspace(tmp_path: Path):
    root = tmp_path / "书 100%"
    (root / "卷一").mkdir(parents=True)
    (root / "卷一" / "第1章.md").write_text("# 一\n\n林夏来了。\n", "utf-8")
    space = Workspace([root])
    yield space
    await space.close()


def tree(root: Path) -> dict[str, bytes]:
    return {str(p.relative_to(root)): p.read_bytes() for p in sorted(root.rglob("*")) if p.is_file()}


async def test_opening_a_folder_changes_not_one_byte_of_it(workspace) -> None:
    """State and index lie in the user's own folders."""
    (root,) = workspace.folders
    before = tree(root)
    book = await workspace.book(root / "卷一" / "第1章.md")
    await book.ready()
    assert [c.path for c in book.files.chapters()] == ["卷一/第1章.md"]
    assert tree(root) == before
    assert not book.book.owned
    assert root not in book.state.database.path.parents


async def test_adopting_moves_the_data_in_and_a_second_time_changes_nothing(workspace) -> None:
    """`.inkwright/` holds both databases, `book.toml` the fields; metadata is known from both."""
    (root,) = workspace.folders
    book = await workspace.adopt(root, {"title": "渡口", "type": "novel"})
    await book.ready()
    assert book.book.owned
    assert (book.book.title, book.book.type) == ("渡口", "novel")
    assert (root / ".inkwright" / "inkwright.db").is_file()
    assert book.state.database.path == root / ".inkwright" / "inkwright.db"
    once = (root / "book.toml").read_bytes()
    await workspace.adopt(root, {"title": "别的"})
    assert (root / "book.toml").read_bytes() == once
    await workspace.close()
    again = await workspace.book(root)
    await again.ready()
    assert (again.book.title, again.book.revision) == ("渡口", book.book.revision)
    assert (root / ".inkwright" / "index.db").is_file()


async def test_metadata_without_a_book_file_is_kept_and_guarded_by_its_revision(workspace) -> None:
    """updateBook without book.toml goes to the database and makes no file."""
    (root,) = workspace.folders
    book = await workspace.book(root)
    await workspace.update(book, {"type": "thesis"}, book.book.revision)
    assert book.book.type == "thesis"
    assert not (root / "book.toml").exists()
    with pytest.raises(InkwrightError) as stale:
        await workspace.update(book, {"type": "novel"}, book.book.revision - 1)
    assert stale.value.fault.code == "revision_conflict"
    with pytest.raises(InkwrightError) as wrong:
        await workspace.update(book, {"count": "lines"})
    assert wrong.value.fault.code == "book_field_count"
    await workspace.close()
    assert (await workspace.book(root)).book.type == "thesis"


async def test_the_book_file_is_edited_in_place_and_its_values_win(workspace) -> None:
    """Comments and unknown keys stay; what it says is copied into the database."""
    (root,) = workspace.folders
    (root / "book.toml").write_text('# 我的书\ntitle = "旧名" # 暂定\nmood = "雨"\n', "utf-8")
    book = await workspace.book(root)
    await workspace.update(book, {"title": "新名"})
    text = (root / "book.toml").read_text("utf-8")
    assert "# 我的书" in text
    assert "# 暂定" in text
    assert 'mood = "雨"' in text
    assert book.book.title == "新名"
    stored = await book.state.books.get(book.state.book_id)
    assert stored.title == "新名"


async def test_writing_replaces_the_whole_file_and_keeps_its_mode_bom_and_link(tmp_path: Path) -> None:
    """A link stays a link, a BOM a BOM, and nothing is left beside the file."""
    real = tmp_path / "真.md"
    real.write_bytes(b"\xef\xbb\xbf" + "一\r\n二".encode())
    real.chmod(0o640)
    link = tmp_path / "链.md"
    link.symlink_to(real)
    await write_text(link, "一\r\n二", "一\r\n三")
    assert real.read_bytes() == b"\xef\xbb\xbf" + "一\r\n三".encode()
    assert link.is_symlink()
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["真.md", "链.md"]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ("改过了".encode(), "file_changed"),
        ("旧文字，国标编码的一句话。".encode("gb18030"), "readonly_document"),
    ],
)
async def test_a_file_that_changed_or_is_not_utf8_is_not_written(
    tmp_path: Path, data: bytes, code: str
) -> None:
    """The writer's bytes stay as they are."""
    path = tmp_path / "章.md"
    path.write_bytes(data)
    with pytest.raises(InkwrightError) as refused:
        await write_text(path, "原来的", "新的")
    assert refused.value.fault.code == code
    assert path.read_bytes() == data

"""Which books may bring profiles of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from inkwright.abilities.trust import Trust


@pytest.mark.parametrize(
    ("workspace", "folders", "trusted"),
    [
        (None, (), False),
        (None, ("shelf",), True),
        (None, ("shelf/book",), True),
        (None, ("shelf/book/manuscript",), False),
        (None, ("shelf/boo",), False),
        (None, ("elsewhere",), False),
        (None, ("elsewhere", "shelf"), True),
        (True, (), True),
        (False, (), False),
        (False, ("shelf",), False),
    ],
)
def test_who_says_so(tmp_path, workspace, folders, trusted):
    """A folder of the settings, or the client for its own folders; a client's no outweighs everything."""
    root = tmp_path / "shelf" / "book"
    root.mkdir(parents=True)
    trust = Trust(workspace, tuple(tmp_path / folder for folder in folders))
    assert trust.covers(root, [tmp_path / "shelf"]) == trusted


def test_a_client_vouches_for_its_own_folders_alone(tmp_path):
    """A file from outside the workspace is not trusted with it."""
    (tmp_path / "outside").mkdir()
    assert not Trust(True).covers(tmp_path / "outside", [tmp_path / "shelf"])
    assert not Trust(True).covers(tmp_path / "outside", [])


@pytest.mark.parametrize("link", ["book", "folder"])
def test_links_are_followed(tmp_path, link):
    """What counts is where a book really is, and where a trusted folder really is."""
    real, shelf = tmp_path / "real", tmp_path / "shelf"
    (real / "book").mkdir(parents=True)
    if link == "book":
        shelf.mkdir()
        (shelf / "book").symlink_to(real / "book")
        assert not Trust(None, (shelf,)).covers(shelf / "book", [])
        assert Trust(None, (real,)).covers(shelf / "book", [])
    else:
        shelf.symlink_to(real)
        assert Trust(None, (shelf,)).covers(real / "book", [])


def test_a_loop_of_links_is_not_trusted(tmp_path):
    """And is no crash."""
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    assert not Trust(None, (tmp_path / "shelf",)).covers(Path(tmp_path / "loop" / "book"), [])

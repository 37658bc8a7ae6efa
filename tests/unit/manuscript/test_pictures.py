"""Pictures: found where they are written, read only from inside the book, known by their first bytes."""

from __future__ import annotations

import os
import struct
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkwright.domain.errors import InkwrightError
from inkwright.domain.text import Span
from inkwright.manuscript import pictures

PNG = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", 640, 480) + b"\0" * 9
GIF = b"GIF89a" + struct.pack("<HH", 3, 2) + b"\0" * 8
JPEG = b"\xff\xd8\xff\xe0\x00\x04ab\xff\xc0\x00\x0b\x08" + struct.pack(">HH", 9, 16) + b"\0" * 9
WEBP = b"RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0" + b"\x1f\0\0" + b"\x0f\0\0"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    book = tmp_path / "book"
    (book / "一" / "img").mkdir(parents=True)
    (book / "一" / "img" / "map 1.png").write_bytes(PNG)
    (book / "cover.gif").write_bytes(GIF)
    (tmp_path / "secret.png").write_bytes(PNG)
    return book


def code(root: Path, target: str) -> str:
    with pytest.raises(InkwrightError) as raised:
        pictures.read(root, "一/a.md", target)
    return raised.value.fault.code


@pytest.mark.parametrize(
    ("text", "alt", "target"),
    [
        ("看![](x.png)图", "", "x.png"),
        ('![地\\]图](<a b.png> "题")', "地\\]图", "a b.png"),
        ("![a](a_(1).png 't')", "a", "a_(1).png"),
        ("[![a](b.png)](c)", "a", "b.png"),
    ],
)
def test_a_picture_is_found_where_it_is_written(text, alt, target):
    """Its alternative text and its file, as written."""
    (found,) = pictures.pictures(text)
    assert (found.alt.of(text), found.target) == (alt, target)
    assert found.span.of(text).startswith("![")
    assert pictures.at(text, Span(found.span.start, found.span.start)) == found
    assert pictures.at(text + "\n\n后", Span(len(text) + 2, len(text) + 3)) is None


@pytest.mark.parametrize("text", ["[a](b.png)", "![a] (b.png)", "![a\nb](c.png)", "![[wiki.png]]"])
def test_what_is_none(text):
    """A link, a break, another program's embed."""
    assert list(pictures.pictures(text)) == []


@given(st.text(alphabet="![](<>) \\\n'\"ax", max_size=300))
def test_any_text_is_searched(text):
    """Nothing overlaps, and everything that is found is there."""
    end = 0
    for found in pictures.pictures(text):
        assert found.span.start >= end
        assert found.span.start < found.alt.start <= found.alt.end < found.span.end
        end = found.span.end


@pytest.mark.parametrize(
    "target", ["img/map%201.png", "./img/map 1.png", "/一/img/map 1.png", "../一/img/map 1.png#x"]
)
def test_a_file_in_the_book_is_read(root, target):
    """From the chapter's folder, or from the root; the path is the one in the book."""
    found = pictures.read(root, "一/a.md", target)
    assert (found.path, found.image.mime, found.size) == ("一/img/map 1.png", "image/png", (640, 480))
    assert found.image.data == PNG


@pytest.mark.parametrize(
    "target",
    [
        "../../secret.png",
        "/../secret.png",
        "%2e%2e/%2e%2e/secret.png",
        "..\\..\\secret.png",
        "http://example.com/a.png",
        "https:a.png",
        "file:///etc/passwd",
        "data:image/png;base64,xx",
        "//host/a.png",
        "\\\\host\\a.png",
        "C:/a.png",
        "",
        "a%00.png",
    ],
)
def test_nothing_outside_is_read(root, target):
    """No address, no way up, no drive, no nothing."""
    assert code(root, target) == "picture_elsewhere"


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")
def test_a_link_out_of_the_book_is_not_followed(root, tmp_path):
    """Neither a file's nor a folder's; one that stays inside is fine."""
    (root / "一" / "out.png").symlink_to(tmp_path / "secret.png")
    (root / "一" / "folder").symlink_to(tmp_path)
    (root / "一" / "in.png").symlink_to(root / "cover.gif")
    (root / "一" / "loop.png").symlink_to(root / "一" / "loop.png")
    assert code(root, "out.png") == "picture_elsewhere"
    assert code(root, "folder/secret.png") == "picture_elsewhere"
    assert code(root, "loop.png") in ("file_missing", "file_denied")
    assert pictures.read(root, "一/a.md", "in.png").path == "cover.gif"


def test_what_is_no_picture_is_refused(root):
    """By its bytes, whatever it is called; a folder, a pipe, one that is too large."""
    (root / "一" / "text.png").write_text("<svg/>")
    (root / "一" / "big.png").write_bytes(PNG + b"\0" * pictures.LIMIT)
    assert code(root, "text.png") == "picture_unknown"
    assert code(root, "big.png") == "picture_too_large"
    assert code(root, "img") in ("file_denied", "file_not_regular")
    assert code(root, "none.png") == "file_missing"
    if hasattr(os, "mkfifo"):
        os.mkfifo(root / "一" / "pipe.png")
        assert code(root, "pipe.png") == "file_not_regular"


@pytest.mark.parametrize(
    ("data", "kind", "size"),
    [
        (PNG, "image/png", (640, 480)),
        (GIF, "image/gif", (3, 2)),
        (JPEG, "image/jpeg", (16, 9)),
        (WEBP, "image/webp", (32, 16)),
        (b"<svg xmlns=''/>", None, None),
        (b"", None, None),
    ],
)
def test_the_first_bytes_tell(data, kind, size):
    """Four kinds, and how large a picture is."""
    assert pictures.mime(data) == kind
    if kind:
        assert pictures.pixels(kind, data) == size


@given(st.sampled_from([PNG, GIF, JPEG, WEBP]), st.integers(0, 40), st.binary(max_size=30))
def test_a_broken_header_is_no_error(data, cut, rest):
    """What a file says of itself may be anything."""
    broken = data[:cut] + rest
    if kind := pictures.mime(broken):
        assert pictures.pixels(kind, broken) is None or len(pictures.pixels(kind, broken) or ()) == 2

"""Pictures in a chapter: where one is written, and its file, which must lie in the book."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from inkwright import intake
from inkwright.domain.conversation import Image
from inkwright.domain.errors import InkwrightError
from inkwright.domain.text import Span

LIMIT = 5_000_000
"""Bytes of a picture: the least that a vendor of vision models takes."""

_PICTURE = re.compile(
    r"!\[(?P<alt>(?:\\.|[^\]\\\r\n]){0,1000})\]"
    r"\(\s*(?:<(?P<framed>[^<>\r\n]*)>|(?P<bare>[^\s()<>]*(?:\([^\s()]*\)[^\s()<>]*)*))"
    r"(?:\s+(?:\"[^\"\r\n]*\"|'[^'\r\n]*'))?\s*\)"
)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//|\\\\")


@dataclass(frozen=True, slots=True)
class Picture:
    """`![alt](target)` in a text: all of it, its alternative text, and where it says that the file is."""

    span: Span
    alt: Span
    target: str


@dataclass(frozen=True, slots=True)
class Photo:
    """A picture's file: `path` in the book, `size` in pixels where its header says it."""

    path: str
    image: Image
    size: tuple[int, int] | None


def pictures(text: str) -> Iterator[Picture]:
    for match in _PICTURE.finditer(text):
        framed = match["framed"]
        target = match["bare"] if framed is None else framed
        yield Picture(Span(*match.span()), Span(*match.span("alt")), target)


def at(text: str, span: Span) -> Picture | None:
    """The first picture that a selection or a cursor touches."""
    return next((one for one in pictures(text) if one.span.touches(span)), None)


def read(root: Path, chapter: str, target: str) -> Photo:
    """The file that a picture of a chapter names, links followed. Blocks.

    Raises `InkwrightError`: picture_elsewhere (an address, or a place out of the book), file_missing,
    picture_too_large, picture_unknown (no PNG, JPEG, WebP or GIF, whatever its name), file_denied.
    """
    place = _place(root, chapter, target)
    try:
        real, home = place.resolve(), root.resolve()
        if not real.is_relative_to(home):
            raise InkwrightError("picture_elsewhere", path=target)
        data = _bytes(real, target)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise InkwrightError("file_missing", path=target) from error
    except (OSError, ValueError, RuntimeError) as error:
        said = error.strerror if isinstance(error, OSError) else str(error)
        raise InkwrightError("file_denied", path=target, error=said or "") from error
    kind = mime(data)
    if kind is None:
        raise InkwrightError("picture_unknown", path=target)
    return Photo(real.relative_to(home).as_posix(), Image(kind, data), pixels(kind, data))


def _place(root: Path, chapter: str, target: str) -> Path:
    """Where the file should be: from the chapter's folder, from the book's root after a `/`."""
    name = unquote(target.partition("#")[0].partition("?")[0]).replace("\\", "/")
    if not name or "\0" in name or _SCHEME.match(target.strip()) or _SCHEME.match(name):
        raise InkwrightError("picture_elsewhere", path=target)
    if name.startswith("/"):
        return root.joinpath(*PurePosixPath(name.lstrip("/")).parts)
    return root.joinpath(*PurePosixPath(chapter).parent.parts, *PurePosixPath(name).parts)


def _bytes(real: Path, target: str) -> bytes:
    try:
        return intake.read(real, LIMIT, follow=False)
    except intake.NotRegularError as error:
        raise InkwrightError("file_not_regular", path=target) from error
    except intake.TooLargeError as error:
        raise InkwrightError("picture_too_large", path=target, limit=LIMIT // 1_000_000) from error


def mime(data: bytes) -> str | None:
    """The type that the first bytes tell, whatever the file's name is."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if data.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if data.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif"
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return None


def pixels(kind: str, data: bytes) -> tuple[int, int] | None:
    """Width and height, None where the header does not say it."""
    try:
        match kind:
            case "image/png":
                return struct.unpack_from(">II", data, 16)
            case "image/gif":
                return struct.unpack_from("<HH", data, 6)
            case "image/jpeg":
                return _jpeg(data)
            case _:
                return _webp(data)
    except (struct.error, IndexError):
        return None


def _jpeg(data: bytes) -> tuple[int, int] | None:
    place = 2
    while data[place] == 0xFF:
        marker = data[place + 1]
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack_from(">HH", data, place + 5)
            return width, height
        place += 2 + int(struct.unpack_from(">H", data, place + 2)[0])
    return None


def _webp(data: bytes) -> tuple[int, int] | None:
    match data[12:16]:
        case b"VP8X":
            return 1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little")
        case b"VP8 ":
            width, height = struct.unpack_from("<HH", data, 26)
            return width & 0x3FFF, height & 0x3FFF
        case b"VP8L":
            bits = struct.unpack_from("<I", data, 21)[0]
            return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
        case _:
            return None

"""URIs at the border: one key for all spellings of a file, the client's own spelling in every answer."""

from __future__ import annotations

import os
import re
import unicodedata
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote, urlsplit

if TYPE_CHECKING:
    from inkwright.domain.errors import InkwrightError

DRIVE = re.compile(r"/[A-Za-z]:")
UNWRITABLE = re.compile("[\0\ud800-\udfff]")
"""What no file's name holds: such a URI is that of a document without a file."""


def local(uri: str, *, windows: bool = os.name == "nt") -> str | None:
    """The path of a file URI, percent-decoded, with a small drive letter; None for another scheme."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    if parts.scheme != "file":
        return None
    # Raw `?` and `#` are no query to a file: clients that don't encode them mean the character.
    path = unquote(
        parts.path
        + (f"?{parts.query}" if parts.query else "")
        + (f"#{parts.fragment}" if parts.fragment else "")
    )
    if not path or UNWRITABLE.search(path):
        return None
    if DRIVE.match(path):
        path = path[1].lower() + path[2:] if windows else f"/{path[1].lower()}{path[2:]}"
    if parts.netloc and parts.netloc != "localhost":
        path = f"//{unquote(parts.netloc)}{path}"
    return path.replace("/", "\\") if windows else path


def path(uri: str) -> Path | None:
    found = local(uri)
    return None if found is None else Path(found)


def closed(uri: str) -> InkwrightError:
    """Why nothing can be done with a document that is neither open nor a file: it has none yet, or none is there."""
    from inkwright.domain.errors import InkwrightError

    bare = uri.strip().rstrip("/").casefold() in ("", "file:")
    return InkwrightError("document_unnamed") if bare else InkwrightError("document_not_open", uri=uri)


@lru_cache(maxsize=1024)  # asked several times with every key that is typed
def key(uri: str) -> str:
    """Equal for every spelling of the same document: `%`-escapes, drive letter, composed or not."""
    found = local(uri, windows=False)
    return unicodedata.normalize("NFC", uri if found is None else f"file://{found}")


@lru_cache(maxsize=1024)
def from_path(place: Path) -> str:
    """The file URI of an absolute path."""
    text = place.as_posix()
    if text.startswith("//"):
        return f"file:{quote(text)}"
    if not text.startswith("/"):
        text = f"/{text[0].lower()}{text[1:]}"
    return f"file://{quote(text, safe='/:' if DRIVE.match(text) else '/')}"

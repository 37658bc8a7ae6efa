"""What layouts may look at: the files a walk saw, and their texts, bounded, never outside of the book."""

from __future__ import annotations

import json
import posixpath
import stat
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inkwright import intake
from inkwright.domain.manuscript import Problem
from inkwright.domain.text import SURROGATE, encodable
from inkwright.manuscript import encoding

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

MAX_SIZE = 16_000_000
"""Bytes of an index file that are read at most."""
_HEAD = 16_384


class Ground:
    """The files below `root`. `texts` are Markdown, `others` what else has a suffix that some tool writes.

    Blocks. What cannot be read as meant becomes one of `problems`, the answer then an empty one; `sources`
    are the files that were asked for.
    """

    def __init__(
        self, root: Path, texts: Collection[str], others: Collection[str], marks: Collection[str]
    ) -> None:
        self.root = root
        self.texts = texts
        self.others = others
        self.marks = marks
        self.problems: list[Problem] = []
        self.sources: set[str] = set()

    def has(self, path: str) -> bool:
        return path in self.others or path in self.texts

    def bases(self, name: str) -> list[str]:
        """The folders that a file of this path below them stands in, the outermost first."""
        tail = f"/{name}"
        found = [
            p for paths in (self.marks, self.others, self.texts) for p in paths if f"/{p}".endswith(tail)
        ]
        return sorted({p[: -len(name)].rstrip("/") for p in found}, key=lambda base: (base.count("/"), base))

    def inside(self, base: str, written: str) -> str | None:
        """A path that a project names, from the root on; None, with nothing said, for one that leaves the book."""
        plain = written.replace("\\", "/")
        if not plain or plain.startswith("/") or "\0" in plain or plain[1:2] == ":":
            return None
        found = posixpath.normpath(posixpath.join(base, plain))
        return None if found == ".." or found.startswith("../") else "" if found == "." else found

    def text(self, path: str, *, wanted: bool = True) -> str:
        """The text of an index file; '' when it is not there, not readable, no text or too large."""
        self.sources.add(path)
        try:
            if not stat.S_ISREG((self.root / path).lstat().st_mode):
                return ""
            data = intake.read(self.root / path, MAX_SIZE)
        except intake.TooLargeError:
            self.told(path, "project_file_large", limit=MAX_SIZE // 1_000_000)
            return ""
        except (FileNotFoundError, NotADirectoryError):
            if wanted:
                self.told(path, "project_file_missing")
            return ""
        except (OSError, ValueError) as error:
            said = error.strerror if isinstance(error, OSError) else str(error)
            self.told(path, "file_unreadable", error=said or "")
            return ""
        decoded = encoding.decode(data)
        if decoded.readonly == "binary":
            self.told(path, "project_file_bad", error="binary")
            return ""
        return decoded.text

    def head(self, path: str) -> str:
        """The beginning of a text, enough for a front matter; '' when it cannot be read."""
        try:
            data = intake.head(self.root / path, _HEAD)
        except (OSError, ValueError):
            return ""
        return data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")

    def json(self, path: str, *, wanted: bool = True) -> Any:
        """What a JSON file holds, None for one that holds nothing that can be read."""
        text = self.text(path, wanted=wanted)
        if not text.strip():
            return None
        try:
            return _loads(text)
        except (ValueError, RecursionError) as error:
            line = error.lineno - 1 if isinstance(error, json.JSONDecodeError) else 0
            self.told(path, "project_file_bad", line, error=str(error) or type(error).__name__)
            return None

    def rows(self, path: str) -> list[Mapping[str, Any]]:
        """The objects of a JSON Lines file; a line that is none is a problem of its own."""
        out: list[Mapping[str, Any]] = []
        for line, row in enumerate(self.text(path).split("\n")):
            if not row.strip():
                continue
            try:
                found = _loads(row)
            except (ValueError, RecursionError) as error:
                said = error.msg if isinstance(error, json.JSONDecodeError) else type(error).__name__
                self.told(path, "project_file_bad", line, error=said)
                continue
            if isinstance(found, dict):
                out.append(found)
        return out

    def xml(self, path: str) -> Element | None:
        """The root of an XML file, None for one that cannot be read. Entities of its own are refused."""
        return read_xml(path, self.text(path), self.problems)

    def told(self, path: str, code: str, line: int = 0, **params: str | int | float) -> None:
        """Notes that something could not be read as meant."""
        self.problems.append(Problem(path, line, code, {"path": path, **params}))


def _loads(text: str) -> Any:
    """A JSON value without halves of characters, which no other text can carry."""
    value = json.loads(text)
    plain = json.dumps(value, ensure_ascii=False) if "\\u" in text else ""
    return json.loads(encodable(plain)) if SURROGATE.search(plain) else value


def read_xml(path: str, text: str, problems: list[Problem]) -> Element | None:
    """The root element of a text, or None and a problem."""
    from xml.etree import ElementTree as ET

    if not text.strip():
        return None
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        problems.append(Problem(path, 0, "project_file_bad", {"path": path, "error": "DOCTYPE"}))
        return None
    try:
        return ET.fromstring(text.lstrip("\ufeff"))  # noqa: S314 - without entities of its own
    except ET.ParseError as error:
        line = max(error.position[0] - 1, 0)
        problems.append(Problem(path, line, "project_file_bad", {"path": path, "error": str(error)}))
    except (ValueError, RecursionError) as error:
        problems.append(Problem(path, 0, "project_file_bad", {"path": path, "error": str(error)}))
    return None

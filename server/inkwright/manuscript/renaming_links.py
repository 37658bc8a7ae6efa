"""Links as they are to be written when the file that they lead to has another path. Pure.

What stands in a writer's text stays readable: only what would end a link is escaped.
"""

from __future__ import annotations

import posixpath
import re
from urllib.parse import unquote

_SUFFIX = re.compile(r"\.(?:md|markdown|txt)\Z", re.IGNORECASE)
_ENDS_LINK = re.compile(r"[\s()<>#]|%(?=[0-9A-Fa-f]{2})")
_ENDS_ANGLED = re.compile(r"[<>\r\n#]|%(?=[0-9A-Fa-f]{2})")


def renamed(target: str, path: str) -> str:
    """The target of a `[[link]]` to a file that is now at `path` in the same folder: its last part follows."""
    head, slash, last = target.rpartition("/")
    return f"{head}{slash}{_named_so(last, path)}"


def moved(target: str, path: str) -> str:
    """The same for a file that may have gone to another folder: a path stays one, a bare name stays one."""
    folder = target.rpartition("/")[0]
    out = _named_so(target.rpartition("/")[2], path)
    return f"{posixpath.dirname(path)}/{out}".lstrip("/") if folder else out


def retargeted(written: str, path: str, *, angled: bool) -> str:
    """The path of a Markdown link to a file that is now at `path` in the same folder."""
    head, slash, _ = written.rpartition("/")
    return f"{head}{slash}{escaped(posixpath.basename(path), angled=angled)}"


def relative(written: str, path: str, here: str, *, angled: bool) -> str:
    """The path of a Markdown link from the file at `here` to `path`, rooted or relative as it was written."""
    if written.startswith("/"):
        return escaped(f"/{path}", angled=angled)
    out = posixpath.relpath(path, posixpath.dirname(here) or ".")
    dotted = written.startswith("./") and not out.startswith("../")
    return escaped(f"./{out}" if dotted else out, angled=angled)


def same(written: str, new: str) -> bool:
    """Whether two written paths are the same but for their escapes."""
    return posixpath.normpath(unquote(written)) == posixpath.normpath(unquote(new))


def escaped(path: str, *, angled: bool) -> str:
    """A path as it can stand in a link."""
    ends = _ENDS_ANGLED if angled else _ENDS_LINK
    return ends.sub(lambda m: "".join(f"%{byte:02X}" for byte in m.group().encode()), path)


def is_text(path: str) -> bool:
    """Whether a file is one of those that a writer's links stand in."""
    return bool(_SUFFIX.search(path))


def stem(path: str) -> str:
    """A file's name without the suffix of a text."""
    return _SUFFIX.sub("", posixpath.basename(path))


def _named_so(last: str, path: str) -> str:
    """The name of the file, with a suffix where `last` has one."""
    return posixpath.basename(path) if _SUFFIX.search(last) else stem(path)

"""Keys where none belongs: in `book.toml` and in a front matter, which go wherever the book goes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from inkwright.domain.diagnostic import Diagnostic
from inkwright.domain.keys import CODES, ENDPOINT, IN_BOOK_FILE, IN_FRONT_MATTER, is_key, looks_like_key
from inkwright.domain.text import Span, TextEdit
from inkwright.manuscript import bookfile, frontmatter

__all__ = ["CODES", "ENDPOINT", "IN_BOOK_FILE", "IN_FRONT_MATTER", "in_book_file", "in_front_matter"]

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r|\Z)")
_ENTRY = re.compile(r"""[ \t\ufeff]*(?:["']?([\w.-]+)["']?)[ \t]*[:=][ \t]*(.*)""", re.S)
_PLACES = frozenset({"endpoint", "baseurl", "apibase"})
_GENERAL = frozenset({"apikey", "key", "token", "secret", "password", "authorization"})


def in_front_matter(text: str) -> list[Diagnostic]:
    """A diagnostic for each line of a front matter that holds a key, with its removal as the fix."""
    if not text.startswith(("---", "\ufeff---")) or not (found := frontmatter.read(text)):
        return []
    return list(_keys(text, found.span, IN_FRONT_MATTER))


def in_book_file(text: str) -> list[Diagnostic]:
    """The same for a `book.toml`, and a warning where it says where a model is.

    For as much of one as is ever read.
    """
    text = text[: bookfile.MAX_SIZE]
    whole = Span(0, len(text))
    return sorted([*_keys(text, whole, IN_BOOK_FILE), *_endpoints(text)], key=lambda one: one.span.start)


def _keys(text: str, span: Span, code: str) -> Iterator[Diagnostic]:
    for line in _lines(text, span):
        written = line.of(text)
        name, value = _entry(written)
        if is_key(name, value) or (value and looks_like_key(written)):
            general = name.lower().replace("_", "").replace("-", "") in _GENERAL or not name
            yield _removal(text, line, "error", code, name="NAME" if general else name)


def _endpoints(text: str) -> Iterator[Diagnostic]:
    for line in _lines(text, Span(0, len(text))):
        name, value = _entry(line.of(text))
        place = name.lower().replace("_", "").replace("-", "") in _PLACES
        if place and value.startswith(("http://", "https://")) and not looks_like_key(value):
            yield _removal(text, line, "warning", ENDPOINT, key=name)


def _lines(text: str, span: Span) -> Iterator[Span]:
    at = span.start
    while at < span.end:
        found = _LINE.match(text, at)
        assert found is not None
        yield Span(at, found.end())
        at = found.end()


def _entry(line: str) -> tuple[str, str]:
    """The last part of the key and the value without quotes and comment; ('', '') for another line."""
    found = _ENTRY.match(line)
    if found is None:
        return "", ""
    value = found[2].strip()
    if value[:1] in ("'", '"'):
        quote = value[0]
        value = value[1:].partition(quote)[0]
    else:
        value = value.partition(" #")[0].strip()
    return found[1].rpartition(".")[2], value


def _removal(text: str, line: Span, severity: str, code: str, **params: str) -> Diagnostic:
    shown = Span(line.start, line.start + len(line.of(text).rstrip("\r\n")))
    fix = TextEdit(line, "")
    return Diagnostic(shown, "error" if severity == "error" else "warning", code, params, fix)

"""JSON5 as people write it by hand: comments, bare keys, both quotation marks, commas at the end. Pure."""

from __future__ import annotations

import re
from typing import Any

from inkwright.domain.text import encodable

MAX_DEPTH = 60

_SKIP = re.compile(r"(?:[\s\ufeff]++|//[^\n\r\u2028\u2029]*+|/\*[\s\S]*?\*/)*+")
_NAME = re.compile(r"[^\W\d][\w$\u200c\u200d]*|[$_][\w$]*")
_NUMBER = re.compile(r"[+-]?(?:0[xX][0-9a-fA-F]{1,16}|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,4})?|Infinity|NaN)")
_PLAIN = {'"': re.compile(r'[^"\\\n\r]*'), "'": re.compile(r"[^'\\\n\r]*")}
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}
_WORDS = {"true": True, "false": False, "null": None}


class Json5Error(ValueError):
    """What is wrong, and `offset`, where."""

    def __init__(self, said: str, offset: int) -> None:
        super().__init__(said)
        self.offset = offset


class Table(dict[str, Any]):
    """An object; `offset` is where it begins in the text."""

    offset: int = 0


def loads(text: str) -> Any:
    """The value of a JSON5 text; objects are `Table`. Raises `Json5Error`."""
    reader = _Reader(text)
    value = reader.value(0)
    reader.skip()
    if reader.at < len(text):
        raise Json5Error("something after the end", reader.at)
    return value


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def skip(self) -> str:
        """Goes to the next character that says something; '' at the end."""
        found = _SKIP.match(self.text, self.at)
        self.at = found.end() if found else self.at
        return self.text[self.at : self.at + 1]

    def value(self, depth: int) -> Any:
        if depth > MAX_DEPTH:
            raise Json5Error("nested too deep", self.at)
        first = self.skip()
        if first == "{":
            return self.table(depth)
        if first == "[":
            return self.row(depth)
        if first in ("'", '"'):
            return self.string(first)
        number = _NUMBER.match(self.text, self.at)
        if number is not None:
            self.at = number.end()
            return _number(number[0])
        word = _NAME.match(self.text, self.at)
        if word is not None and word[0] in _WORDS:
            self.at = word.end()
            return _WORDS[word[0]]
        raise Json5Error("a value is missing" if first else "cut off", self.at)

    def table(self, depth: int) -> Table:
        out = Table()
        out.offset = self.at
        self.at += 1
        while (first := self.skip()) != "}":
            if first in ("'", '"'):
                key = self.string(first)
            else:
                name = _NAME.match(self.text, self.at)
                if name is None:
                    raise Json5Error("a key is missing" if first else "cut off", self.at)
                key, self.at = name[0], name.end()
            self.expect(":")
            out[key] = self.value(depth + 1)
            if self.skip() != "}":
                self.expect(",")
        self.at += 1
        return out

    def row(self, depth: int) -> list[Any]:
        out: list[Any] = []
        self.at += 1
        while self.skip() != "]":
            out.append(self.value(depth + 1))
            if self.skip() != "]":
                self.expect(",")
        self.at += 1
        return out

    def expect(self, mark: str) -> None:
        if (found := self.skip()) != mark:
            raise Json5Error(f"{mark} is missing" if found else "cut off", self.at)
        self.at += 1

    def string(self, quote: str) -> str:
        start = self.at
        self.at += 1
        out: list[str] = []
        while True:
            plain = _PLAIN[quote].match(self.text, self.at)
            assert plain is not None
            out.append(plain[0])
            self.at = plain.end()
            here = self.text[self.at : self.at + 1]
            if here == quote:
                self.at += 1
                return encodable("".join(out))
            if here != "\\":
                raise Json5Error("a quotation mark is missing", start)
            out.append(self.escape())

    def escape(self) -> str:
        code = self.text[self.at + 1 : self.at + 2]
        self.at += 2
        if code in ("\n", "\u2028", "\u2029", "\r"):
            self.at += self.text.startswith("\n", self.at) and code == "\r"
            return ""
        if code in ("u", "x"):
            digits = self.text[self.at : self.at + (4 if code == "u" else 2)]
            self.at += len(digits)
            try:
                return chr(int(digits, 16))
            except ValueError:
                raise Json5Error("a bad escape", self.at) from None
        return _ESCAPES.get(code, code)


def _number(written: str) -> int | float:
    plain = written.lstrip("+")
    if "x" in plain.lower():
        return int(plain, 16)
    if plain.lstrip("-").isdecimal() and len(plain) < 20:
        return int(plain)
    return float(plain.replace("Infinity", "inf").replace("NaN", "nan"))

"""The YAML front matter of a file of the library: read, and where each of its keys stands."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from inkwright.domain.manuscript import Problem

MAX_CHARS = 100_000
_EOL = re.compile(r"\r\n|\r")
_FENCE = re.compile(r"\A---[ \t]*\n(.*?)^---[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)


class _Refused(Exception):  # noqa: N818
    """Sound YAML that no profile needs: an alias, which can explode, or a key that stands twice."""

    def __init__(self, said: str, line: int) -> None:
        super().__init__(said)
        self.said, self.line = said, line


class _Loader(yaml.CSafeLoader):
    """Refuses a key that stands twice."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen: set[Any] = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode) and key.value in seen:
                raise _Refused(f"{key.value} stands twice", key.start_mark.line)
            seen.add(key.value if isinstance(key, yaml.ScalarNode) else id(key))
        return super().construct_mapping(node, deep)


@dataclass(frozen=True, slots=True)
class Header:
    """`meta` is the front matter, read from `source`; `body` stands below it, from the zero-based line
    `below` on."""

    meta: Mapping[str, Any]
    source: str
    body: str
    below: int

    def line(self, *where: int | str) -> int:
        """The line of the file of the deepest key or item that `where` leads to."""
        node = compose(self.source)
        line = 0
        for step in where:
            if isinstance(node, yaml.MappingNode):
                entry = next(((k, v) for k, v in node.value if k.value == step), None)
                if entry is None:
                    break
                line, node = entry[0].start_mark.line, entry[1]
            elif isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
                node = node.value[step]
                line = node.start_mark.line
            else:
                break
        return 1 + line


def compose(source: str) -> yaml.Node | None:
    """The nodes of a front matter that has been found sound."""
    node: yaml.Node | None = yaml.compose(source, _Loader)
    return node


def split(text: str, path: str) -> Header | Problem:
    """A file's text as front matter and body, or what is wrong with it and on which line."""
    text = _EOL.sub("\n", text.removeprefix("\ufeff"))
    if len(text) > MAX_CHARS:
        return Problem(path, 0, "profile_too_long", {"limit": MAX_CHARS})
    match = _FENCE.match(text)
    if match is None:
        return Problem(path, 0, "profile_no_front_matter")
    try:
        if "*" in match[1]:
            _refuse_aliases(match[1])
        meta = yaml.load(match[1], _Loader)  # noqa: S506
    except _Refused as exc:
        return Problem(path, 1 + exc.line, "profile_bad_yaml", {"detail": exc.said})
    except yaml.YAMLError as exc:
        mark = getattr(exc, "problem_mark", None)
        said = str(getattr(exc, "problem", "") or "YAML")
        return Problem(path, 1 + (mark.line if mark else 0), "profile_bad_yaml", {"detail": said})
    except RecursionError:
        return Problem(path, 1, "profile_bad_yaml", {"detail": "nesting"})
    except ValueError as exc:  # a date that is none
        return Problem(path, 1, "profile_bad_yaml", {"detail": str(exc)})
    if not isinstance(meta, dict):
        return Problem(path, 1, "profile_no_front_matter")
    return Header(meta, match[1], text[match.end() :], text.count("\n", 0, match.end()))


def _refuse_aliases(source: str) -> None:
    for event in yaml.parse(source, _Loader):
        if isinstance(event, yaml.AliasEvent):
            raise _Refused("an alias", event.start_mark.line if event.start_mark else 0)

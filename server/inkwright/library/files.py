"""One profile file: YAML front matter, then the prompt, in one language or under `<!-- zh -->`, `<!-- en -->`."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import yaml
from pydantic import ValidationError

from inkwright.domain.conversation import Locale
from inkwright.domain.manuscript import Problem
from inkwright.library.schema import ProfileFile, from_skill

MAX_CHARS = 100_000
_EOL = re.compile(r"\r\n|\r")
_FENCE = re.compile(r"\A---[ \t]*\n(.*?)^---[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_LANGUAGE = re.compile(r"^<!--[ \t]*(zh|en)[ \t]*-->[ \t]*$", re.MULTILINE)


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
class Draft:
    """A file that was read and found sound. `fields` are what it sets itself."""

    path: str
    file: ProfileFile
    fields: Mapping[str, Any]
    prompt: Mapping[Locale, str]


def _refuse_aliases(source: str) -> None:
    for event in yaml.parse(source, _Loader):
        if isinstance(event, yaml.AliasEvent):
            raise _Refused("an alias", event.start_mark.line if event.start_mark else 0)


def read(text: str, path: str, *, skill: bool = False) -> Draft | Problem:
    """The draft that a file's text holds, or what is wrong with it and on which line."""
    text = _EOL.sub("\n", text.removeprefix("\ufeff"))
    if len(text) > MAX_CHARS:
        return Problem(path, 0, "profile_too_long", {"limit": MAX_CHARS})
    match = _FENCE.match(text)
    if match is None:
        return Problem(path, 0, "profile_no_front_matter")
    try:
        _refuse_aliases(match[1])
        node = yaml.compose(match[1], _Loader)
        meta = yaml.load(match[1], _Loader)  # noqa: S506
    except _Refused as exc:
        return Problem(path, 1 + exc.line, "profile_bad_yaml", {"detail": exc.said})
    except yaml.YAMLError as exc:
        mark = getattr(exc, "problem_mark", None)
        said = str(getattr(exc, "problem", "") or "YAML")
        return Problem(path, 1 + (mark.line if mark else 0), "profile_bad_yaml", {"detail": said})
    except RecursionError:
        return Problem(path, 1, "profile_bad_yaml", {"detail": "nesting"})
    if not isinstance(meta, dict):
        return Problem(path, 1, "profile_no_front_matter")
    try:
        file = ProfileFile.model_validate(from_skill(meta) if skill else meta)
    except ValidationError as exc:
        first = exc.errors(include_url=False)[0]
        where = first["loc"]
        field = ".".join(map(str, where))
        return Problem(
            path, 1 + _line(node, where), "profile_bad_field", {"field": field, "detail": first["msg"]}
        )
    return Draft(path, file, file.given(), _prompt(text[match.end() :]))


def _prompt(body: str) -> dict[Locale, str]:
    parts = _LANGUAGE.split(body)
    if len(parts) == 1:
        return {"zh": body.strip(), "en": body.strip()} if body.strip() else {}
    found: dict[Locale, str] = {}
    for locale, text in zip(parts[1::2], parts[2::2], strict=True):
        if text.strip():
            found["zh" if locale == "zh" else "en"] = text.strip()
    return found


def _line(node: yaml.Node | None, where: tuple[int | str, ...]) -> int:
    """The line in the front matter of the deepest key or item that `where` leads to."""
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
    return line

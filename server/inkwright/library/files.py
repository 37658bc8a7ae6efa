"""One profile file: YAML front matter, then the prompt, in one language or under `<!-- zh -->`, `<!-- en -->`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from inkwright.domain.conversation import Locale
from inkwright.domain.manuscript import Problem
from inkwright.library.faults import first
from inkwright.library.header import Header, split
from inkwright.library.schema import ProfileFile, from_skill

LANGUAGE = re.compile(r"^<!--[ \t]*(zh|en)[ \t]*-->[ \t]*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Draft:
    """A file that was read and found sound. `fields` are what it sets itself."""

    path: str
    file: ProfileFile
    fields: Mapping[str, Any]
    prompt: Mapping[Locale, str]
    header: Header


def read(text: str, path: str, *, skill: bool = False) -> Draft | Problem:
    """The draft that a file's text holds, or what is wrong with it and on which line."""
    header = split(text, path)
    if isinstance(header, Problem):
        return header
    try:
        file = ProfileFile.model_validate(from_skill(header.meta) if skill else header.meta)
    except ValidationError as error:
        return first(error, ProfileFile, header, path)
    return Draft(path, file, file.given(), _prompt(header.body), header)


def _prompt(body: str) -> dict[Locale, str]:
    parts = LANGUAGE.split(body)
    if len(parts) == 1:
        return {"zh": body.strip(), "en": body.strip()} if body.strip() else {}
    found: dict[Locale, str] = {}
    for locale, text in zip(parts[1::2], parts[2::2], strict=True):
        if text.strip():
            found["zh" if locale == "zh" else "en"] = text.strip()
    return found

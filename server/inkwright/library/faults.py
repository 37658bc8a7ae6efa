"""What a model of a front matter found wrong, as codes that have sentences of ours."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from pydantic import BaseModel, ValidationError

from inkwright.domain.manuscript import Problem
from inkwright.domain.params import Params
from inkwright.library.header import Header
from inkwright.library.schema import HintFile, PipelineFile, ProfileFile, QuickActionFile, StepFile

_NESTED: Mapping[int | str, type[BaseModel]] = {
    "quick_actions": QuickActionFile,
    "hints": HintFile,
    "steps": StepFile,
}
_PATTERNS = {"icon": "profile_wrong_icon", "color": "profile_wrong_color"}
_TYPES = {
    "string_type": "profile_wrong_text",
    "int_type": "profile_wrong_number",
    "int_parsing": "profile_wrong_number",
    "int_from_float": "profile_wrong_number",
    "float_type": "profile_wrong_number",
    "float_parsing": "profile_wrong_number",
    "bool_type": "profile_wrong_flag",
    "bool_parsing": "profile_wrong_flag",
    "list_type": "profile_wrong_list",
    "dict_type": "profile_wrong_texts",
    "model_type": "profile_wrong_mapping",
    "too_short": "profile_empty",
    "string_too_short": "profile_empty",
}
_LANGUAGES = "[key]"


@dataclass(frozen=True, slots=True)
class Wrong:
    """`where` leads to what is wrong, `key` whether that is the key itself; `near` is what was meant instead."""

    code: str
    where: tuple[int | str, ...]
    params: Params
    key: bool = False
    near: str = ""


def wrong(error: ValidationError, model: type[ProfileFile] | type[PipelineFile]) -> Iterator[Wrong]:
    """Everything, in the order in which the model found it."""
    for one in error.errors(include_url=False):
        yield _wrong(one["type"], tuple(one["loc"]), one.get("ctx", {}), one["msg"], model)


def first(
    error: ValidationError, model: type[ProfileFile] | type[PipelineFile], header: Header, path: str
) -> Problem:
    """The first thing, on its line; a key that is missing is most often one that is spelled wrong."""
    rows = [(one.code == "profile_missing_key", header.line(*one.where), one) for one in wrong(error, model)]
    found = min(rows, key=lambda row: row[:2])[2]
    told = {name: ", ".join(one) if isinstance(one, tuple) else one for name, one in found.params.items()}
    return Problem(path, header.line(*found.where), found.code, told)


def near(word: object, words: Mapping[str, Any] | list[str]) -> str:
    """The one of `words` that is like `word`, '' for none."""
    found = get_close_matches(str(word).strip().lower(), list(words), 1)
    return found[0] if found else ""


def _wrong(
    kind: str, where: tuple[int | str, ...], given: Mapping[str, Any], said: str, model: type[BaseModel]
) -> Wrong:
    name = where[-1] if where else ""
    field = ".".join(str(step) for step in where if step != _LANGUAGES)
    params: dict[str, str | int | float | tuple[str, ...]] = {"field": field}
    if where and name == _LANGUAGES:
        return Wrong("profile_unknown_language", where[:-1], {"language": str(where[-2])}, key=True)
    if kind == "extra_forbidden":
        inner = _NESTED.get(where[0], model) if len(where) > 1 else model
        like = near(name, list(inner.model_fields))
        code = "profile_unknown_key_near" if like else "profile_unknown_key"
        told: Params = {"key": str(name), "near": like, "keys": tuple(inner.model_fields)}
        return Wrong(code, where, told, key=True, near=like)
    if kind == "missing":
        if isinstance(name, int):
            return Wrong("profile_wrong_length", where[:-1], params)
        return Wrong("profile_missing_key", where[:-1], {"key": str(name)}, key=True)
    if kind == "literal_error":
        choices = re.findall(r"'([^']*)'", str(given.get("expected", "")))
        params["choices"] = tuple(choices)
        return Wrong("profile_wrong_choice", where, params)
    if kind == "string_pattern_mismatch":
        return Wrong(_PATTERNS.get(str(name), "profile_wrong_id"), where, params)
    if kind in ("greater_than_equal", "less_than_equal"):
        code = "profile_too_small" if kind == "greater_than_equal" else "profile_too_large"
        return Wrong(code, where, {**params, "limit": given.get("ge", given.get("le", 0))})
    if kind in _TYPES:
        return Wrong(_TYPES[kind], where, params)
    if "length" in where:
        return Wrong("profile_wrong_length", ("length",), {"field": "length"})
    return Wrong("profile_bad_field", where, {**params, "detail": said})

"""What is wrong with a file of the library, said where it stands: its own faults, and those that show beside the others."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

from pydantic import ValidationError

from inkwright.domain.diagnostic import Change, Diagnostic, Fix, Severity
from inkwright.domain.manuscript import Problem
from inkwright.domain.params import Params
from inkwright.domain.text import Span, TextEdit
from inkwright.library.faults import Wrong, near, wrong
from inkwright.library.folder import Entry
from inkwright.library.header import Header, split
from inkwright.library.loader import Layer, add
from inkwright.library.places import Places
from inkwright.library.schema import PipelineFile, ProfileFile, from_skill

_FIELDS = {
    "profile_twice": "id",
    "profile_of_book_replaces": "id",
    "profile_extends_unknown": "extends",
    "profile_extends_twice": "extends",
    "profile_pipeline_unknown": "pipeline",
}
"""The key that is to blame for what a file is beside the others."""
_SKILL = {"effort": "reasoning", "label": "name", "id": "name"}
"""What other tools call our keys."""


def review(
    text: str,
    entry: Entry,
    below: Layer,
    origin: str,
    folder: Path,
    tools: Collection[str] | None,
    within: Path | None = None,
) -> tuple[Diagnostic, ...]:
    """The diagnostics of a file of `folder` whose text is not saved yet, on top of the layers below it. Blocks.

    Of the files beside it those that links put outside of `within` are not read.
    """
    header = split(text, entry.path)
    if isinstance(header, Problem):
        return (_of(header, Places(text)),)
    places = Places(text, header)
    found: Iterator[Diagnostic]
    if faults := list(_faults(header, entry)):
        found = (_shown(one, places, text) for one in faults)
    else:
        layer = add(below, origin, folder, tools, {entry.path: text}, within)
        mine = [one for one in layer.problems[len(below.problems) :] if one.path == entry.path]
        found = _beside(mine, header, places, layer, tools)
    return tuple(sorted(found, key=lambda one: one.span))


def _faults(header: Header, entry: Entry) -> Iterator[Wrong]:
    """What the front matter says that none may say."""
    model = PipelineFile if entry.kind == "pipeline" else ProfileFile
    try:
        model.model_validate(from_skill(header.meta) if entry.kind == "skill" else header.meta)
    except ValidationError as error:
        for one in wrong(error, model):
            if entry.kind == "skill" and one.where and one.where[0] in _SKILL:
                where = (_SKILL[str(one.where[0])], *one.where[1:])
                yield Wrong(one.code, where, one.params, one.key, one.near)
            else:
                yield one


def _shown(one: Wrong, places: Places, text: str) -> Diagnostic:
    span = places.key(one.where) if one.key else places.value(one.where)
    like = one.near
    if one.code == "profile_wrong_choice":
        choices = one.params["choices"]
        like = near(span.of(text).strip("\"' "), list(choices) if isinstance(choices, tuple) else [])
    return _diagnostic(span, "error", one.code, one.params, like)


def _beside(
    problems: list[Problem],
    header: Header,
    places: Places,
    layer: Layer,
    tools: Collection[str] | None,
) -> Iterator[Diagnostic]:
    for one in problems:
        field = _FIELDS.get(one.code)
        if one.code == "profile_tools_unknown":
            yield from _tools(header, places, tools or ())
        elif field is None:
            yield _of(one, places)
        else:
            ids = {"extends": [id_ for _, id_ in layer.profiles], "pipeline": list(layer.pipelines)}.get(
                field
            )
            like = near(header.meta.get(field, ""), ids) if ids and one.code.endswith("_unknown") else ""
            severity: Severity = "warning" if one.code == "profile_pipeline_unknown" else "error"
            yield _diagnostic(places.value((field,)), severity, one.code, one.params, like)


def _tools(header: Header, places: Places, tools: Collection[str]) -> Iterator[Diagnostic]:
    steps = header.meta.get("steps")
    owners: list[tuple[tuple[int | str, ...], object]] = [(("tools",), header.meta.get("tools"))]
    for number, step in enumerate(steps if isinstance(steps, list) else ()):
        owners.append((("steps", number, "tools"), step.get("tools") if isinstance(step, dict) else None))
    for where, names in owners:
        for number, name in enumerate(names if isinstance(names, list) else ()):
            if name not in tools:
                span = places.value((*where, number))
                yield _diagnostic(
                    span, "warning", "profile_tool_unknown", {"tool": str(name)}, near(name, list(tools))
                )


def _of(one: Problem, places: Places) -> Diagnostic:
    return _diagnostic(places.line(one.line), "error", one.code, one.params)


def _diagnostic(span: Span, severity: Severity, code: str, params: Params, like: str = "") -> Diagnostic:
    fixes: tuple[Fix, ...] = ()
    if like:
        change = Change("", (TextEdit(span, like),))
        fixes = (Fix("profile_fix_near", {"near": like}, (change,), preferred=True),)
    return Diagnostic(span, severity, code, params, fixes=fixes)

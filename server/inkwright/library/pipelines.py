"""One pipeline file: the steps in front matter, below it an instruction under `## NAME` for each of them.

The instructions stand in one language, or in each under `<!-- zh -->`, `<!-- en -->`. Level-two headings
are names of steps and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pydantic import ValidationError

from inkwright.domain.conversation import Locale
from inkwright.domain.manuscript import Problem
from inkwright.domain.profile import Pipeline, PipelineStep
from inkwright.library.faults import first
from inkwright.library.files import LANGUAGE
from inkwright.library.header import Header, split
from inkwright.library.schema import PipelineFile, in_every_language

_STEP = re.compile(r"##(?!#)[ \t]*(.*?)[ \t#]*")


@dataclass(frozen=True, slots=True)
class PipelineDraft:
    """A file that was read and found sound; `header` knows where its keys stand."""

    path: str
    file: PipelineFile
    instructions: Mapping[str, Mapping[Locale, str]]
    header: Header

    def made(self, id_: str, origin: str) -> Pipeline:
        steps = tuple(
            PipelineStep(
                name=step.name,
                label=step.label or in_every_language({"en": step.name}),
                instruction=in_every_language(self.instructions[step.name]),
                tools=tuple(dict.fromkeys(step.tools)),
                rounds=step.rounds,
                each=step.each,
                passage=step.passage,
            )
            for step in self.file.steps
        )
        label = self.file.label or in_every_language({"en": id_})
        return Pipeline(id_, label, self.file.description or in_every_language({}), steps, origin)


@dataclass(frozen=True, slots=True)
class _Part:
    """What stands under one heading; `step` None: before any, `locale` None: before any language's mark."""

    step: str | None
    locale: Locale | None
    line: int
    text: str


def read(text: str, path: str) -> PipelineDraft | Problem:
    """The draft that a file's text holds, or what is wrong with it and on which line."""
    header = split(text, path)
    if isinstance(header, Problem):
        return header
    try:
        file = PipelineFile.model_validate(header.meta)
    except ValidationError as error:
        return first(error, PipelineFile, header, path)
    names = [step.name for step in file.steps]
    for index, name in enumerate(names):
        if name in names[:index]:
            line = header.line("steps", index, "name")
            return Problem(path, line, "pipeline_step_twice", {"step": name})
    instructions = _instructions(header, path, names)
    if isinstance(instructions, Problem):
        return instructions
    for index, name in enumerate(names):
        if not instructions[name]:
            line = header.line("steps", index, "name")
            return Problem(path, line, "pipeline_step_without_instruction", {"step": name})
    return PipelineDraft(path, file, instructions, header)


def _instructions(header: Header, path: str, names: list[str]) -> dict[str, dict[Locale, str]] | Problem:
    found: dict[str, dict[Locale, str]] = {name: {} for name in names}
    parts = list(_parts(header))
    marked = any(part.locale is not None for part in parts)
    for part in parts:
        if part.step is None or (marked and part.locale is None):
            if part.text or part.step is not None:
                return Problem(path, part.line, "pipeline_text_outside")
            continue
        if part.step not in found:
            params = {"step": part.step, "steps": ", ".join(names)}
            return Problem(path, part.line, "pipeline_step_unknown", params)
        texts = {part.locale: part.text} if part.locale else in_every_language({"en": part.text})
        for locale, text in texts.items():
            if locale in found[part.step]:
                return Problem(path, part.line, "pipeline_step_twice", {"step": part.step})
            if text:
                found[part.step][locale] = text
    return found


def _parts(header: Header) -> Iterator[_Part]:
    step: str | None = None
    locale: Locale | None = None
    begun, text = header.below, list[str]()

    def part() -> _Part:
        blank = 0 if step is not None else next((n for n, one in enumerate(text) if one.strip()), 0)
        return _Part(step, locale, begun + blank, "\n".join(text).strip())

    for number, line in enumerate(header.body.split("\n"), header.below):
        mark, heading = LANGUAGE.fullmatch(line), _STEP.fullmatch(line)
        if not mark and not heading:
            text.append(line)
            continue
        yield part()
        begun, text = (number + 1 if mark else number), []
        if mark:
            locale, step = ("zh" if mark[1] == "zh" else "en"), None
        elif heading:
            step = heading[1]
    yield part()

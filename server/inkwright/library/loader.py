"""Where profiles and pipelines come from, and which of two wins.

Built-in < user: a user's file of the same id takes the place of a built-in. A book may add an id and
never replace one. A file that cannot be used is a problem; the rest works.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from inkwright.domain.manuscript import Problem
from inkwright.domain.profile import Pipeline, Profile, ProfileKind
from inkwright.library.files import Draft
from inkwright.library.folder import Found, FoundPipeline, found_in
from inkwright.library.header import Header
from inkwright.library.registry import Library
from inkwright.library.schema import in_every_language

ROUNDS = 15
SECONDS = 600
"""The budget of an ability that names none."""

_Key = tuple[ProfileKind, str]
_Entry = tuple[int, Profile, bool]  # order, profile, whether it extends another


@dataclass(frozen=True, slots=True)
class Layer:
    """All that is known up to one source, those below it included."""

    profiles: Mapping[_Key, _Entry] = field(default_factory=dict)
    pipelines: Mapping[str, tuple[int, Pipeline]] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()

    def library(self) -> Library:
        profiles = sorted(self.profiles.items(), key=lambda item: (item[0][0], item[1][0], item[0][1]))
        pipelines = sorted(self.pipelines.items(), key=lambda item: (item[1][0], item[0]))
        return Library(
            {key: entry[1] for key, entry in profiles},
            self.problems,
            {id_: entry[1] for id_, entry in pipelines},
        )


def load(
    user_dir: Path | None = None, book_dir: Path | None = None, tools: Collection[str] | None = None
) -> Library:
    """The built-in profiles, those of a user's folder, and those that a trusted book's folder adds.

    A folder holds `*.md`, `abilities/*.md`, `domains/*.md`, `pipelines/*.md` and skill folders with a
    `SKILL.md`; one that does not exist is empty. `tools` are the names that a profile may use, None: any.
    Reads files: call it off the event loop.
    """
    layer = builtin(tools)
    for origin, folder in (("user", user_dir), ("book", book_dir)):
        if folder is not None:
            layer = add(layer, origin, folder, tools)
    return layer.library()


def builtin(tools: Collection[str] | None = None) -> Layer:
    """What the package brings."""
    return add(Layer(), "builtin", files("inkwright.library") / "builtin", tools)


def add(
    below: Layer,
    origin: str,
    folder: Traversable,
    tools: Collection[str] | None = None,
    instead: Mapping[str, str] | None = None,
    within: Path | None = None,
) -> Layer:
    """A source on top of those below it; `instead` are texts by path that are not saved yet. Blocks.

    Links that lead out of `within` are passed over; None: they are followed.
    """
    found = list(found_in(folder, instead, within))
    making = _Making(below, origin, tools)
    for one in found:
        if isinstance(one, Problem):
            making.problems.append(one)
    for one in found:
        if isinstance(one, FoundPipeline):
            making.take_pipeline(one)
    # Those that stand by themselves first, so that a neighbour may extend them.
    drafts = [one for one in found if isinstance(one, Found)]
    for draft in sorted(drafts, key=lambda one: one.draft.file.extends is not None):
        making.take(draft)
    return Layer(
        {**below.profiles, **making.profiles},
        {**below.pipelines, **making.pipelines},
        (*below.problems, *sorted(making.problems, key=lambda problem: (problem.path, problem.line))),
    )


class _Making:
    """One layer while it is read."""

    def __init__(self, below: Layer, origin: str, tools: Collection[str] | None) -> None:
        self.below, self.origin, self.tools = below, origin, tools
        self.profiles: dict[_Key, _Entry] = {}
        self.pipelines: dict[str, tuple[int, Pipeline]] = {}
        self.problems: list[Problem] = []

    def take(self, found: Found) -> None:
        draft = found.draft
        key = (found.kind, draft.file.id or found.stem)
        if self._refused(draft.path, key[1], key in self.profiles, key in self.below.profiles):
            return
        entry = self._resolve(key, draft)
        if isinstance(entry, Problem):
            self.problems.append(entry)
            return
        order, profile, extends = entry
        self._check_tools(draft.path, draft.header, ("tools",), profile.tools)
        if profile.pipeline and profile.pipeline not in {**self.below.pipelines, **self.pipelines}:
            params = {"pipeline": profile.pipeline}
            line = draft.header.line("pipeline")
            self.problems.append(Problem(draft.path, line, "profile_pipeline_unknown", params))
            profile = replace(profile, pipeline="")
        self.profiles[key] = (order, profile, extends)

    def take_pipeline(self, found: FoundPipeline) -> None:
        draft = found.draft
        id_ = draft.file.id or found.stem
        if self._refused(draft.path, id_, id_ in self.pipelines, id_ in self.below.pipelines):
            return
        for index, step in enumerate(draft.file.steps):
            self._check_tools(draft.path, draft.header, ("steps", index, "tools"), step.tools)
        self.pipelines[id_] = (draft.file.order, draft.made(id_, self.origin))

    def _refused(self, path: str, id_: str, twice: bool, known: bool) -> bool:
        if twice:
            self.problems.append(Problem(path, 0, "profile_twice", {"id": id_}))
        elif known and self.origin == "book":
            self.problems.append(Problem(path, 0, "profile_of_book_replaces", {"id": id_}))
        else:
            return False
        return True

    def _check_tools(
        self, path: str, header: Header, where: tuple[int | str, ...], names: Collection[str]
    ) -> None:
        unknown = [] if self.tools is None else [name for name in names if name not in self.tools]
        if unknown:
            params = {"tools": ", ".join(unknown)}
            self.problems.append(Problem(path, header.line(*where), "profile_tools_unknown", params))

    def _resolve(self, key: _Key, draft: Draft) -> _Entry | Problem:
        """The profile of a draft. It may extend one that itself extends none."""
        file = draft.file
        kind, id_ = key
        fields = dict(draft.fields)
        base: Profile | None = None
        order = file.order
        if file.extends is not None:
            entry = self.profiles.get((kind, file.extends)) or self.below.profiles.get((kind, file.extends))
            if entry is None:
                line = draft.header.line("extends")
                return Problem(draft.path, line, "profile_extends_unknown", {"id": file.extends})
            if entry[2]:
                line = draft.header.line("extends")
                return Problem(draft.path, line, "profile_extends_twice", {"id": file.extends})
            base = entry[1]
            if "order" not in file.model_fields_set:
                order = entry[0]
            inherited = {name: getattr(base, name) for name in Profile.__slots__}
            fields = inherited | fields
        elif kind == "ability":
            fields = {"rounds": ROUNDS, "seconds": SECONDS} | fields
        prompt = {**(base.prompt if base else {}), **draft.prompt}
        if not prompt:
            return Problem(draft.path, 0, "profile_no_prompt", {"id": id_})
        fields.setdefault("label", in_every_language({"en": id_}))
        fields.setdefault("description", in_every_language({}))
        fields |= {"id": id_, "kind": kind, "prompt": in_every_language(prompt), "origin": self.origin}
        return order, Profile(**fields), file.extends is not None

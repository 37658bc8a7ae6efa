"""What is in force, looked up by kind and id."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from inkwright.domain.manuscript import Problem
from inkwright.domain.profile import Pipeline, Profile, ProfileKind


@dataclass(frozen=True, slots=True)
class Library:
    """`profiles` in the order that menus show them. `problems` name files that could not be used, or not
    as they are; their paths are relative to the folder that the file was found in."""

    profiles: Mapping[tuple[ProfileKind, str], Profile]
    problems: tuple[Problem, ...] = ()
    by_id: Mapping[str, Pipeline] = field(default_factory=dict)
    """The pipelines."""

    def ability(self, id_: str) -> Profile | None:
        return self.profiles.get(("ability", id_))

    def domain(self, id_: str) -> Profile | None:
        return self.profiles.get(("domain", id_))

    def pipeline(self, id_: str) -> Pipeline | None:
        return self.by_id.get(id_)

    def abilities(self) -> tuple[Profile, ...]:
        return tuple(p for p in self.profiles.values() if p.kind == "ability")

    def domains(self) -> tuple[Profile, ...]:
        return tuple(p for p in self.profiles.values() if p.kind == "domain")

    def pipelines(self) -> tuple[Pipeline, ...]:
        return tuple(self.by_id.values())


def together(libraries: Iterable[Library]) -> Library:
    """What stands in any of them; of two with one id, the first one's."""
    profiles: dict[tuple[ProfileKind, str], Profile] = {}
    pipelines: dict[str, Pipeline] = {}
    for library in libraries:
        profiles |= {key: one for key, one in library.profiles.items() if key not in profiles}
        pipelines |= {id_: one for id_, one in library.by_id.items() if id_ not in pipelines}
    ordered = sorted(profiles.items(), key=lambda item: item[0][0])  # abilities first, else as they came
    return Library(dict(ordered), (), pipelines)

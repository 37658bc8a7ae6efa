"""The profiles in force, looked up by kind and id."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from inkwright.domain.manuscript import Problem
from inkwright.domain.profile import Profile, ProfileKind


@dataclass(frozen=True, slots=True)
class Library:
    """`profiles` in the order that menus show them. `problems` name files that could not be used;
    their paths are relative to the folder that the file was found in."""

    profiles: Mapping[tuple[ProfileKind, str], Profile]
    problems: tuple[Problem, ...] = ()

    def ability(self, id_: str) -> Profile | None:
        return self.profiles.get(("ability", id_))

    def domain(self, id_: str) -> Profile | None:
        return self.profiles.get(("domain", id_))

    def abilities(self) -> tuple[Profile, ...]:
        return tuple(p for p in self.profiles.values() if p.kind == "ability")

    def domains(self) -> tuple[Profile, ...]:
        return tuple(p for p in self.profiles.values() if p.kind == "domain")

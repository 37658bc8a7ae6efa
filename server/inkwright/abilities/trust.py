"""Which books may bring profiles of their own: what a stranger wrote must not become a prompt unasked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Trust:
    """`workspace` is the client's word on its folders: False trusts no book at all, None is no word.

    `folders` are those that the writer's own settings name.
    """

    workspace: bool | None = None
    folders: tuple[Path, ...] = ()

    def covers(self, root: Path, workspace: Sequence[Path]) -> bool:
        """Whether the book at `root` is trusted; links are followed to where they lead. Blocks."""
        if self.workspace is False:
            return False
        trusted = (*self.folders, *(workspace if self.workspace else ()))
        if not trusted:
            return False
        try:
            real = root.resolve()
            return any(real.is_relative_to(folder.resolve()) for folder in trusted)
        except (OSError, RuntimeError):  # a loop of links
            return False

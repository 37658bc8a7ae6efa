"""The names by which the projects of other tools are known, as far as a walk can see them."""

from __future__ import annotations

from collections.abc import Mapping

SUFFIXES = (".nwd", ".txt", ".json", ".json5", ".jsonl", ".nwx", ".opml", ".xml", ".msk")
"""What else than Markdown a project may consist of."""

SIGNS: Mapping[str, str] = {
    "nwProject.nwx": "novelwriter",
    "MANUSKRIPT": "manuskript",
    "inkos.json": "inkos",
    ".write.lock": "",
    ".webnovel": "webnovel",
    "作品契约": "webnovel",
    ".active-book": "oh_story",
    "_tracking-state.json": "oh_story",
    ".specify": "specify",
    ".novel-agent": "agent_kit",
    "novel-helper": "andrea",
    "anhproject.md": "andrea",
    "Novel_architecture.txt": "novel_generator",
    "Novel_directory.txt": "novel_generator",
}
"""Names of files and folders, hidden ones too, and the module that knows more; '' for one that only changes how a
project is read."""

ENDINGS: Mapping[str, str] = {".msk": "manuskript", ".json5": "andrea"}

ORDER = (
    "novelwriter",
    "manuskript",
    "longform",
    "storyline",
    "inkos",
    "webnovel",
    "oh_story",
    "specify",
    "agent_kit",
    "andrea",
    "novel_generator",
)
"""The modules in the order in which they are asked: the first that takes a file has it."""


def sign(path: str) -> bool:
    """Whether a path, or a folder that it lies in, is one of the names."""
    return any(part in SIGNS for part in path.split("/"))

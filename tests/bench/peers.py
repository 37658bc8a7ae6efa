"""The other Markdown servers: where they are found, how they are started, what they index a folder with."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Known:
    """A server that may be installed. `variable` names its program, else it is looked for on PATH as `program`.

    `index` are the arguments with which it reads a whole folder once, () when it cannot; `method` is what it
    is asked while typing.
    """

    name: str
    variable: str
    program: str
    serve: tuple[str, ...]
    index: tuple[str, ...] = ()
    method: str = "hover"


KNOWN = (
    Known("rumdl", "INKWRIGHT_BENCH_RUMDL", "rumdl", ("server",), ("check", "--no-cache", "--silent")),
    Known("panache", "INKWRIGHT_BENCH_PANACHE", "panache", ("lsp",), ("lint", "--no-cache")),
    Known(
        "vscode-markdown", "INKWRIGHT_BENCH_VSCODE_MARKDOWN", "vscode-markdown-languageserver", ("--stdio",)
    ),
)
"""The variable of a server in JavaScript may name its script: it is then run by node."""


@dataclass(frozen=True)
class Peer:
    name: str
    version: str
    serve: list[str]
    index: list[str]
    verb: str
    method: str


def find(environ: Mapping[str, str] = os.environ) -> tuple[list[Peer], list[str]]:
    """The peers that are there, and the names of those that are not."""
    there: list[Peer] = []
    missing: list[str] = []
    for known in KNOWN:
        program = environ.get(known.variable) or shutil.which(known.program)
        if not program:
            missing.append(f"{known.name} (on PATH as `{known.program}`, or by {known.variable})")
            continue
        command = ["node", program] if program.endswith(".js") else [program]
        index = [*command, *known.index] if known.index else []
        verb = known.index[0] if known.index else ""
        serve = [*command, *known.serve]
        there.append(Peer(known.name, _version(command), serve, index, verb, known.method))
    return there, missing


def _version(command: Sequence[str]) -> str:
    if command[0] == "node":
        return _package_version(command[1])
    done = subprocess.run(
        [*command, "--version"], capture_output=True, encoding="utf-8", timeout=30, check=False
    )
    return done.stdout.split()[-1] if done.stdout.split() else "?"


def _package_version(script: str) -> str:
    """Of the package that a script lies in."""
    for folder in Path(script).resolve().parents:
        if (folder / "package.json").is_file():
            return str(json.loads((folder / "package.json").read_text("utf-8")).get("version", "?"))
    return "?"

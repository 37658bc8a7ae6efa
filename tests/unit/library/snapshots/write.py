"""Writes `effective.json`: every effective profile of the built-in library, and of unknown ids."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any, get_args

from inkwright.domain.conversation import Locale
from inkwright.library.loader import load
from inkwright.library.merge import merge

UNKNOWN = "unknown"
SHOWN = (
    *("ability", "domain", "label", "tools", "rounds", "seconds", "calls", "parallel", "mode", "output"),
    *("scope", "model", "effort", "pipeline", "length", "ability_matched"),
)


def snapshot() -> dict[str, Any]:
    library = load()
    abilities = [*(one.id for one in library.abilities()), UNKNOWN]
    domains = [*(one.id for one in library.domains()), UNKNOWN]
    words = " ".join(word for one in library.profiles.values() for hint in one.hints for word in hint.words)
    out: dict[str, Any] = {}
    for ability in abilities:
        for domain in domains:
            for locale in get_args(Locale):
                made = merge(library, ability, domain, words, locale)
                plain = {name: getattr(made, name) for name in SHOWN}
                out[f"{ability} × {domain} ({locale})"] = {
                    "prompt": [text(made.domain_prompt), text(made.ability_prompt)],
                    "hints": list(made.hints),
                    **{
                        name: list(value) if isinstance(value, tuple) else value
                        for name, value in plain.items()
                    },
                    "origins": dict(made.origins),
                }
    return out


def text(prompt: str) -> str:
    """A prompt by its length and digest."""
    return f"{len(prompt)} characters, {hashlib.sha256(prompt.encode()).hexdigest()[:16]}"


if __name__ == "__main__":
    lines = [
        f"{json.dumps(key, ensure_ascii=False)}: {json.dumps(value, ensure_ascii=False)}"
        for key, value in snapshot().items()
    ]
    body = ",\n".join(lines)
    (Path(__file__).parent / "effective.json").write_text(f"{{\n{body}\n}}\n", "utf-8", newline="\n")

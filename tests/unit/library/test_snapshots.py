"""Every effective profile as it stands, so that a change to one is a change that somebody looked at.

After a change that is meant: `uv run python tests/unit/library/snapshots/write.py`.
"""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

HERE = Path(__file__).parent / "snapshots"


@pytest.fixture(scope="module")
def made():
    spec = importlib.util.spec_from_file_location("snapshots", HERE / "write.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.snapshot()


@pytest.fixture(scope="module")
def kept():
    return json.loads((HERE / "effective.json").read_text("utf-8"))


def test_the_combinations_are_all_there(made):
    """Four by four, unknown by known, known by unknown, both unknown; the toolbox in every kind of book."""
    main, domains = ("writing", "analysis", "research", "polish"), ("novel", "thesis", "breakdown", "note")
    for ability in (*main, "unknown"):
        for domain in (*domains, "unknown"):
            assert {f"{ability} × {domain} ({locale})" for locale in ("zh", "en")} <= set(made)
    assert len(made) % 10 == 0


def test_every_effective_profile_is_as_it_was(made, kept):
    """Prompts by size and digest; tools, hints, budget, mode, output and origins in full."""
    assert set(made) == set(kept)
    assert {key: value for key, value in made.items() if kept[key] != value} == {}

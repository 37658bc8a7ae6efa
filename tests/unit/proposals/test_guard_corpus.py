"""The guard over its corpus: every bad rewrite is told, and nearly no good one is."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

JUDGED = Path(__file__).parents[2] / "judged" / "guard.py"


@pytest.fixture(scope="module")
def corpus() -> ModuleType:
    spec = importlib.util.spec_from_file_location("judged_guard", JUDGED)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("part", ["bad", "heldout_bad", "fresh_bad", "second_bad", "third_bad", "sixth_bad"])
def test_every_bad_rewrite_is_caught_for_what_it_is(corpus, part):
    """The finding that names the fault is among those that are given."""
    judged = corpus.judged(part)
    assert len(judged) >= 20
    assert [(one.want, one.codes, one.new) for one in judged if not one.right] == []


def test_every_bad_rewrite_of_the_fourth_part_is_caught(corpus):
    """The guard has learnt from it; what it says of some is another thing than the fault's own name."""
    judged = corpus.judged("fourth_bad")
    assert [one.new for one in judged if not one.findings] == []
    assert sum(one.right for one in judged) >= 0.9 * len(judged)


def test_bad_rewrites_that_it_did_not_learn_from_are_caught(corpus):
    """Four in five at least."""
    judged = corpus.judged("fifth_bad")
    passed = [one.new for one in judged if not one.findings]
    assert len(passed) <= 0.2 * len(judged), passed


@pytest.mark.parametrize(
    "part",
    [
        "good",
        "heldout_good",
        "fresh_good",
        "second_good",
        "third_good",
        "fourth_good",
        "fifth_good",
        "sixth_good",
    ],
)
def test_good_rewrites_are_not_held_back(corpus, part):
    """At most two in a hundred."""
    judged = corpus.judged(part)
    held = [(one.codes, one.new) for one in judged if one.findings]
    assert len(held) <= 0.02 * len(judged), held


def test_the_corpus_is_large_enough(corpus):
    """Bad ones and good ones of every kind, and a part that was held out."""
    bad, good = (corpus.judged(part) + corpus.judged(f"heldout_{part}") for part in ("bad", "good"))
    assert len(bad) >= 60
    assert len(good) >= 60
    assert len({one.want for one in bad}) >= 25


def test_the_command_prints_the_table(corpus, capsys):
    """All parts, apart, with the share of good ones that were held back."""
    assert corpus.main([]) == 0
    printed = capsys.readouterr().out
    assert "held out" in printed
    assert printed.count("good rewrites held back: ") == 8

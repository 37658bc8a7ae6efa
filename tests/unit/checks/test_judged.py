"""The rules on sentences that were judged by hand; a third of them were written before the rules."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from inkwright.checks import rules

RUN = Path(__file__).parents[2] / "judged" / "run.py"


@pytest.fixture(scope="module")
def run() -> ModuleType:
    spec = importlib.util.spec_from_file_location("judged_run", RUN)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_a_rule_that_is_often_wrong_is_no_alarm(run: ModuleType) -> None:
    """An error or a warning is right nine times of ten, on all sentences together."""
    judged = run.judge()
    severity = {rule.id: rule.severity for rule in rules.by_id().values()}
    doubtful = {code for code, score in judged.rules.items() if score.precision < 0.9}
    assert {code: severity[code] for code in doubtful if severity[code] in ("error", "warning")} == {}


@pytest.mark.parametrize(
    ("part", "recall"),
    [
        ("tuned", 0.97),
        ("heldout", 0.9),
        ("second", 0.95),
        ("third", 0.84),
        ("fourth", 0.9),
        ("fifth", 0.4),
        ("sixth", 0.6),
    ],
)
def test_faults_are_found(run: ModuleType, part: str, recall: float) -> None:
    """What is found now is found tomorrow."""
    assert run.judge((part,)).recall >= recall


@pytest.mark.parametrize("part", ["tuned", "heldout", "second", "third", "fourth", "fifth"])
def test_alarms_are_right(run: ModuleType, part: str) -> None:
    """Of the errors and warnings of each part at most two in a hundred are wrong."""
    judged = run.judge((part,))
    severity = {rule.id: rule.severity for rule in rules.by_id().values()}
    alarms = [score for code, score in judged.rules.items() if severity[code] in ("error", "warning")]
    right, wrong = sum(s.right for s in alarms), sum(s.wrong for s in alarms)
    assert wrong <= 0.02 * (right + wrong)


def test_the_corpus_is_large(run: ModuleType) -> None:
    """Two hundred faulty sentences in Chinese, a hundred in English less what is held out, three hundred sound."""
    assert run.judge(languages=("zh",)).faults.total() >= 200
    assert run.judge(languages=("en",)).faults.total() >= 100
    assert run.judge().sound >= 300

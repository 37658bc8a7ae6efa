"""`inkwright demo`: what it says of the changes."""

from __future__ import annotations

import re

import pytest

from inkwright.i18n import tr


def test_the_counts_read_well(call, monkeypatch) -> None:
    """In English a count stands behind its noun: no "1 changes"; every change is either accepted or left."""
    monkeypatch.setenv("LC_ALL", "en_US.UTF-8")
    status, out, _ = call("demo", "--language", "en")
    assert status == 0
    applied, kept = map(int, re.search(r"Changes accepted: (\d+); .*: (\d+)\.", out).groups())
    assert applied > 0
    assert re.search(rf"changes left: {kept}\.", out)
    assert not re.search(r"\d changes\b", out)


@pytest.mark.parametrize("code", ["demo_applied", "demo_again", "action_accept_all", "action_reject_all"])
def test_one_change_is_not_some_changes(code) -> None:
    """Nor in the titles of an editor."""
    told = tr(code, "en", {"applied": 1, "kept": 1, "left": 1, "count": 1})
    assert "1" in told
    assert not re.search(r"\b1 (?:accepted )?changes\b", told)

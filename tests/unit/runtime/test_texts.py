"""The runtime's words, for models and for people."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files
from typing import get_args

import pytest

from inkwright.domain.run import StopReason
from inkwright.runtime.stops import fault_of, status_of

FIELD = re.compile(r"\{(\w+)[:}]")
LOCALES = files("inkwright") / "locales"
# Sentences of reasons that other rooms give with faults of their own.
ELSEWHERE = {"no_rewrite", "needs_model", "busy"}


def table(locale: str, room: str) -> dict[str, str]:
    return tomllib.loads((LOCALES / locale / f"{room}.toml").read_text("utf-8"))


@pytest.mark.parametrize("room", ["runtime", "tools", "library"])
def test_both_languages_say_the_same_things(room):
    """The same codes with the same fields in zh and en."""
    zh, en = table("zh", room), table("en", room)
    assert zh.keys() == en.keys()
    for code, text in zh.items():
        assert set(FIELD.findall(text)) == set(FIELD.findall(en[code])), code


def test_each_stop_reason_has_a_sentence():
    """Whatever stops a run can be said, in both languages."""
    for reason in get_args(StopReason):
        fault = fault_of(reason)
        if fault is not None and reason not in ELSEWHERE:
            assert fault.code in table("zh", "runtime")


def test_every_code_of_the_room_has_a_sentence():
    """A fault made anywhere in these rooms stands in a table."""
    for room in ("runtime", "library"):
        known = table("zh", room)
        for path in (files("inkwright") / room).iterdir():
            if path.name.endswith(".py"):
                for code in re.findall(r'Fault\("(\w+)"|Problem\([^"]*"(\w+)"', path.read_text("utf-8")):
                    assert (code[0] or code[1]) in known, (path.name, code)


def test_statuses():
    """Finished is completed; usable text is partial; the rest failed or was cancelled."""
    assert status_of("finished", "") == "completed"
    assert status_of("length", "x") == "partial"
    assert status_of("length", " \n") == "failed"
    assert status_of("no_rewrite", "x") == "failed"
    assert status_of("cancelled", "x") == "cancelled"

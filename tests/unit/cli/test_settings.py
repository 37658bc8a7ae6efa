"""`inkwright settings`: what can be set, for people and as JSON Schema."""

from __future__ import annotations

import json

from inkwright.config.load import KNOWN


def test_every_setting_is_shown(call, monkeypatch):
    """With its default and what it does, in the language of the writer."""
    status, out, err = call("settings")
    assert (status, err) == (0, "")
    assert {line.split()[0] for line in out.splitlines() if not line.startswith(" ")} == KNOWN
    assert "鼠标停在名字上时显示卡片" in out
    monkeypatch.setenv("LC_ALL", "en_US.UTF-8")
    assert "Show a card when" in call("settings")[1]


def test_the_schema(call):
    """One object, with types, choices, bounds and defaults."""
    status, out, _ = call("settings", "--json")
    assert status == 0
    rows = json.loads(out)["properties"]
    assert set(rows) == KNOWN
    assert (rows["window"]["minimum"], rows["window"]["default"]) == (500, 6000)
    assert rows["count"]["enum"] == ["mixed", "han", "word", "nonspace"]
    assert all(row["description"] for row in rows.values())

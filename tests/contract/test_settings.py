"""The settings that VS Code offers are those that the server reads, with the same values."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, get_args

import pytest

from inkwright import config
from inkwright.config.load import CHECK_KEYS, KNOWN
from inkwright.config.models import CLOCK_KEYS, FIELDS
from inkwright.domain.conversation import Locale
from inkwright.domain.diagnostic import Severity
from inkwright.domain.manuscript import CountRule
from inkwright.domain.model import Wire

EXTENSION = Path(__file__).parents[2] / "clients" / "vscode"


@pytest.fixture(scope="module")
def offered() -> dict[str, Any]:
    """The settings of the extension's manifest, without their section."""
    manifest = json.loads((EXTENSION / "package.json").read_text("utf-8"))
    properties = manifest["contributes"]["configuration"]["properties"]
    return {name.removeprefix("inkwright."): value for name, value in properties.items()}


def sent() -> set[str]:
    text = (EXTENSION / "src" / "settings.ts").read_text("utf-8")
    (listed,) = re.findall(r"SERVER_KEYS = \[(.*?)\]", text, re.S)
    return set(re.findall(r"'(\w+)'", listed))


def test_every_setting_of_the_server_is_offered_and_sent(offered):
    """No key of the server is missing in the client, and none is sent that the server does not know."""
    assert sent() == KNOWN
    assert set(offered) - sent() == {
        "server.path",
        "liveText",
        "openReview",
        "inlineChanges",
        "focus.zen",
        "statusBar",
        "goals.daily",
        "goals.session",
        "trace.server",
    }


def test_defaults_are_the_same(offered):
    """A box that nobody has touched shows what the server does; only what somebody sets is sent."""
    house = config.Settings()
    for key in sent() - {"locale", "model", "models", "abilities", "clocks", "checks", "trustedFolders"}:
        name = re.sub("[A-Z]", lambda found: f"_{found[0].lower()}", key)
        assert offered[key]["default"] == getattr(house, name), key


def test_every_setting_can_be_found_and_read(offered):
    """Each has a scope, a place of its own in the list, and no type that the settings page cannot show."""
    orders = [value["order"] for value in offered.values()]
    assert sorted(orders) == list(range(1, len(offered) + 1))
    for key, value in offered.items():
        assert value["scope"] in {"window", "machine", "machine-overridable"}, key
        assert isinstance(value["type"], str), key
        assert re.fullmatch(r"%setting\.[\w.]+%", value["markdownDescription"]), key
        if "enum" in value:
            told = value.get("enumDescriptions") or value.get("markdownEnumDescriptions")
            assert len(told) == len(value["enum"]), key


def test_choices_are_the_same(offered):
    """Where the server knows words, the client offers exactly those."""
    assert set(offered["locale"]["enum"]) == {"", *get_args(Locale)}
    assert set(offered["count"]["enum"]) == {*get_args(CountRule)}
    checks = offered["checks"]["properties"]
    assert set(checks) == CHECK_KEYS
    assert set(checks["severity"]["additionalProperties"]["enum"]) == {*get_args(Severity), "off"}
    assert set(offered["clocks"]["properties"]) == set(CLOCK_KEYS)
    fields = offered["models"]["additionalProperties"]["properties"]
    assert set(fields) == FIELDS
    assert set(fields["wire"]["enum"]) == set(get_args(Wire))


@pytest.mark.parametrize("ref", ["env:STUDIO_KEY", "keyring:studio", "sk-abcdefghijklmnop", ""])
def test_a_key_is_named_the_same_way(offered, ref):
    """The client's pattern lets pass exactly the places of a key that the server can read."""
    pattern = offered["models"]["additionalProperties"]["properties"]["key"]["pattern"]
    table = {"one": {"endpoint": "http://example.com/v1", "model": "m", "key": ref}}
    found = config.load({"STUDIO_KEY": "x"}, None, {"models": table}, ())
    profile = found.settings.profile("one")
    taken = profile is not None and profile.key is not None
    assert taken == bool(re.search(pattern, ref))


def test_bounds_are_the_same(offered):
    """What the client lets pass the server takes, and what it refuses is refused."""
    for key in ("window", "maxTokens", "maxCostPerRun", "maxCostPerDay"):
        for edge, outside in (("minimum", -1), ("maximum", 1)):
            if edge not in offered[key]:
                continue
            value = offered[key][edge]
            for number, fine in ((value, True), (value + outside, False)):
                found = config.load({}, None, {key: number}, ())
                assert (found.problems == ()) == fine, (key, number)

"""The settings that VS Code offers are those that the server reads, with the same values."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, get_args

import pytest

from inkwright import config
from inkwright.config import schema
from inkwright.config.load import CHECK_KEYS, KNOWN
from inkwright.config.models import CLOCK_KEYS, FIELDS
from inkwright.domain.conversation import Locale
from inkwright.domain.diagnostic import Severity
from inkwright.domain.manuscript import CountRule
from inkwright.domain.model import Wire
from inkwright.i18n import tr

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


def shape(value: Any) -> Any:
    """What a schema says of types and choices: no words for people, no bounds, choices in any order."""
    if isinstance(value, list):
        return [shape(one) for one in value]
    if not isinstance(value, dict):
        return value
    out = {
        name: shape(one) for name, one in value.items() if name in ("type", "items", "additionalProperties")
    }
    if "enum" in value:
        out["enum"] = sorted(map(str, value["enum"]))
    if "properties" in value:
        out["properties"] = {name: shape(one) for name, one in value["properties"].items()}
        out["additionalProperties"] = False
    return out


def bounds(value: Any, path: str = "") -> dict[str, float]:
    """Every least and most in a schema, by where it stands."""
    out = {f"{path}.{name}": value[name] for name in ("minimum", "maximum") if name in value}
    inner = {**value.get("properties", {})}
    if isinstance(value.get("additionalProperties"), dict):
        inner["*"] = value["additionalProperties"]
    for name, one in inner.items():
        out |= bounds(one, f"{path}.{name}")
    return out


@pytest.mark.parametrize("key", sorted(KNOWN))
def test_the_server_says_what_it_takes(offered, key):
    """The client's type, choices, default and bounds of a setting are those of the server's schema."""
    house = schema.properties()[key]
    desk = offered[key]
    # One level of clocks under a model is the server's to check.
    loose = {name: one for name, one in shape(desk).items() if name != "default"}
    tight = shape(house)
    for side in (loose, tight):
        inner = side.get("additionalProperties")
        if isinstance(inner, dict) and "properties" in inner:
            inner["properties"]["clocks"] = {"type": "object"}
    assert loose == tight
    assert desk["default"] == house["default"]
    known = bounds(house)
    assert {where: known.get(where) for where in bounds(desk)} == bounds(desk)


def test_the_schema_knows_every_setting():
    """And no other."""
    assert set(schema.properties()) == KNOWN


@pytest.mark.parametrize("key", sorted(KNOWN))
def test_the_schema_is_what_is_read(key):
    """A default is read without a complaint, and what the schema refuses is complained of."""
    row = schema.properties()[key]
    assert config.load({}, None, {key: row["default"]}, ()).problems == ()
    wrong: list[Any] = [[["x"]] if row["type"] != "array" else 7]
    wrong += [row[edge] + by for edge, by in (("minimum", -1), ("maximum", 1)) if edge in row]
    wrong += ["no such word"] if "enum" in row else []
    for value in wrong:
        assert config.load({}, None, {key: value}, ()).problems, (key, value)


@pytest.mark.parametrize(("locale", "file"), [("en", "package.nls.json"), ("zh", "package.nls.zh-cn.json")])
@pytest.mark.parametrize("key", sorted(KNOWN))
def test_the_words_are_the_servers(offered, key, locale: Locale, file):
    """What the settings page says begins with what the server says; links to other pages of the editor may stand in it."""
    texts = json.loads((EXTENSION / file).read_text("utf-8"))
    said = texts[offered[key]["markdownDescription"].strip("%")]
    said = re.sub(r"`#inkwright\.(\w+)#`", r"`\1`", said)
    said = re.sub(r" ?\[[^\]]*\]\(command:[^)]*\)", "", said)
    house = tr(schema.sentence(key), locale)
    last = house[-1]
    assert re.sub(r"[:：](?=[.。])", "", said).startswith(house.removesuffix(last).rstrip()), (said, house)


def test_what_a_neovim_user_is_shown_exists():
    """Each setting that the help sets as an example is one that the server reads."""
    help_ = (EXTENSION.parent / "neovim" / "doc" / "inkwright.txt").read_text("utf-8")
    named = {
        key
        for found in re.findall(r"\binkwright = \{([^{}]*)\}", help_)
        for key in re.findall(r"(\w+) =", found)
    }
    named |= {
        key
        for found in re.findall(r"settings = \{([^{}]*)\}", help_)
        for key in re.findall(r"(\w+) =", found)
    }
    assert named - {"inkwright"} <= KNOWN

"""The toolbox: schemas, dispatch, and what a model gets wrong."""

from __future__ import annotations

import json
import logging
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

from inkwright.domain.templates import fields
from inkwright.library.loader import load
from inkwright.tools.registry import Parameters, Tool, register, spec
from inkwright.tools.toolbox import TOOLS

SNAPSHOTS = Path(__file__).parent / "snapshots"


@pytest.mark.parametrize("locale", ["zh", "en"])
def test_every_schema(bind, cards, facts, locale):
    """All that a model is told of every tool, to the letter, and nothing that it could reach another book by.

    After a change that is meant, the file is replaced by what this test found (`seen`).
    """
    tools = bind(locale=locale, cards=cards, facts=facts)
    seen = {spec.name: [spec.description, spec.parameters] for spec in tools.specs(tools.names)}
    assert seen == json.loads((SNAPSHOTS / f"{locale}.json").read_text("utf-8"))
    assert set(seen) == set(TOOLS)


@pytest.mark.parametrize("locale", ["zh", "en"])
def test_every_tool_is_complete(locale):
    """A description, a label, a description of each parameter, a permission; and no text that no tool has."""
    table = tomllib.loads((files("inkwright.tools.texts") / f"{locale}.toml").read_text("utf-8"))
    specs = {name: spec(tool, locale) for name, tool in TOOLS.items()}
    parameters = {name for each in specs.values() for name in each.parameters["properties"]}
    assert set(table["tools"]) == set(TOOLS)
    assert set(table["parameters"]) == parameters
    labels = tomllib.loads((files("inkwright") / f"locales/{locale}/tools.toml").read_text("utf-8"))
    assert {key for key in labels if key.startswith("tool_")} == {f"tool_{name}" for name in TOOLS}
    assert all(tool.tags for tool in TOOLS.values())
    for each in specs.values():
        assert each.parameters["additionalProperties"] is False
        assert "book_id" not in each.parameters["properties"]
        assert '"title": "' not in json.dumps({**each.parameters, "properties": {}})


def test_both_languages_say_the_same_lines():
    """The same names, with the same fields."""
    tables = [
        tomllib.loads((files("inkwright.tools.texts") / f"{locale}.toml").read_text("utf-8"))["lines"]
        for locale in ("zh", "en")
    ]
    assert {k: fields(v) for k, v in tables[0].items()} == {k: fields(v) for k, v in tables[1].items()}


def test_a_tool_that_makes_cards_needs_a_place_for_them(bind, cards, caplog):
    """Without one it is not offered, and a profile that names it is not warned of; nor can it be called."""
    names = ["read_chapter", "create_note_card"]
    with caplog.at_level(logging.WARNING):
        assert [spec.name for spec in bind().specs(names)] == ["read_chapter"]
    assert caplog.text == ""
    assert "create_note_card" not in bind().names
    assert [spec.name for spec in bind(cards=cards).specs(names)] == names


async def test_a_tool_that_is_not_there_cannot_be_called(bind):
    result = await bind().call(
        "create_note_card", {"card_type": "misc", "title": "a", "content": "b", "quote": "雨"}
    )
    assert not result.ok
    assert "create_note_card" in result.text


def test_profiles_name_tools_that_exist():
    """Every tool that a built-in profile or pipeline lists is there."""
    library = load()
    for profile in library.profiles.values():
        assert set(profile.tools) <= set(TOOLS)
    for pipeline in library.pipelines():
        assert {tool for step in pipeline.steps for tool in step.tools} <= set(TOOLS)


def test_specs_keep_the_order_and_skip_the_unknown(bind, caplog):
    """In the order asked for, each once; an unknown name is skipped with a warning."""
    with caplog.at_level(logging.WARNING):
        specs = bind().specs(["get_book_context", "nope", "read_chapter", "get_book_context"])
    assert [spec.name for spec in specs] == ["get_book_context", "read_chapter"]
    assert "nope" in caplog.text


def test_a_name_stands_once():
    """The registry refuses duplicates."""

    async def run(desk, args):
        return ""

    tool = Tool("x", Parameters, run, frozenset())
    with pytest.raises(ValueError, match="twice"):
        register([tool, tool])


async def test_only_the_tools_that_make_something_write(bind, cards, facts):
    """All others may run side by side; an unknown one may not."""
    tools = bind(cards=cards, facts=facts)
    assert {name for name in tools.names if not tools.parallel(name)} == {"create_note_card", "propose_fact"}
    assert not tools.parallel("nope")
    assert not bind().parallel("create_note_card")


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("read_chapter", {}, "chapter_id"),
        ("read_chapter", {"chapter_id": ["a"]}, "chapter_id"),
        ("read_chapter", {"chapter_id": "current", "book_id": "other"}, "book_id"),
        ("read_chapter_chunk", {"chapter_id": "current", "chunk_size": 99}, "chunk_size"),
        ("read_chapter_chunk", {"chapter_id": "current", "chunk_size": 20001}, "chunk_size"),
        ("read_chapter_chunk", {"chapter_id": "current", "chunk_index": -1}, "chunk_index"),
        ("list_book_chapters", {"from": 0}, "from"),
        ("search_world_cards", {"query": ""}, "query"),
        ("split_chapter", {"chapter_id": "current", "max_chars": 99}, "max_chars"),
        ("split_chapter", {"chapter_id": "current", "from": 0}, "from"),
        ("read_book_outline", {"book_id": "other"}, "book_id"),
        ("read_chapter_outline", {}, "chapter_id"),
        ("create_note_card", {"card_type": "misc", "title": "a", "content": "b"}, "quote"),
        ("create_note_card", {"card_type": "misc", "path": "../x"}, "path"),
        ("nope", {}, "nope"),
    ],
)
async def test_wrong_arguments_are_told(bind, cards, name, arguments, said):
    """The result names the field that is wrong; it is never taken for something else."""
    result = await bind(cards=cards).call(name, arguments)
    assert not result.ok
    assert said in result.text
    assert cards.made == []


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        ('{"chapter_id": "a', "Unterminated string"),
        ("[1]", "list"),
        ("", "Expecting value"),
        ("null", "NoneType"),
        ("[" * 100_000, ""),
        ('{"chapter_id": ' + "9" * 5000 + "}", ""),
    ],
)
async def test_arguments_that_are_no_object(bind, raw, said):
    """Broken JSON is said to be that, with the form that is wanted."""
    result = await bind().call("read_chapter", None, raw)
    assert not result.ok
    assert said in result.text
    assert "chapter_id" in result.text


@pytest.mark.parametrize(
    "id_", ["9" * 5000, "٣" * 20, "²", "0" * 400, "../../etc/passwd", "/etc/passwd", "\0"]
)
async def test_an_id_that_means_no_chapter_is_told(bind, id_):
    """However long a number, wherever a path leads: no chapter of this book, and nothing is raised."""
    result = await bind().call("read_chapter", {"chapter_id": id_})
    assert not result.ok
    assert "root:" not in result.text


async def test_numbers_as_strings_are_understood(bind):
    """What can only be meant one way is taken so."""
    assert (await bind().call("read_chapter_chunk", {"chapter_id": "current", "chunk_index": "0"})).ok

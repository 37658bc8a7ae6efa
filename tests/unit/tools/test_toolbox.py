"""The toolbox: schemas, dispatch, and what a model gets wrong."""

from __future__ import annotations

import json
import logging

import pytest

from inkwright.library import load
from inkwright.tools.registry import Parameters, Tool, register

ID = {"type": "string"}

SCHEMAS = {
    "read_chapter": ({"chapter_id": ID}, ["chapter_id"]),
    "read_chapter_summary": ({"chapter_id": ID}, ["chapter_id"]),
    "read_chapter_chunk": (
        {
            "chapter_id": ID,
            "chunk_index": {"type": "integer", "minimum": 0, "default": 0},
            "chunk_size": {"type": "integer", "minimum": 100, "maximum": 20000, "default": 2000},
        },
        ["chapter_id"],
    ),
    "list_book_chapters": (
        {
            "from": {"type": "integer", "minimum": 1, "default": 1},
            "count": {"type": "integer", "minimum": 1, "maximum": 1000, "default": 200},
        },
        None,
    ),
    "search_world_cards": ({"query": {"type": "string", "minLength": 1, "maxLength": 500}}, ["query"]),
    "get_book_context": ({}, None),
}


def bare(parameters):
    """A schema without descriptions, which differ by language."""
    properties = {
        name: {key: value for key, value in field.items() if key != "description"}
        for name, field in parameters["properties"].items()
    }
    return {**parameters, "properties": properties}


@pytest.mark.parametrize("locale", ["zh", "en"])
def test_every_schema(bind, locale):
    """Each tool's parameters, exactly: no titles, no extras, nothing a model could reach another book by."""
    tools = bind(locale=locale)
    assert set(tools.names) == set(SCHEMAS)
    for spec in tools.specs(tools.names):
        properties, required = SCHEMAS[spec.name]
        expected = {"type": "object", "properties": properties, "additionalProperties": False}
        if required:
            expected["required"] = required
        assert bare(spec.parameters) == expected
        assert spec.description
        assert all(field["description"] for field in spec.parameters["properties"].values())
        assert '"title"' not in json.dumps(spec.parameters)


def test_profiles_name_tools_that_exist(bind):
    """Every tool that a built-in profile lists is there."""
    names = set(bind().names)
    for profile in load().profiles.values():
        assert set(profile.tools) <= names


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


async def test_all_tools_only_read(bind):
    """None of them writes, so that all may run side by side; an unknown one may not."""
    tools = bind()
    assert all(tools.parallel(name) for name in tools.names)
    assert not tools.parallel("nope")


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
        ("nope", {}, "nope"),
    ],
)
async def test_wrong_arguments_are_told(bind, name, arguments, said):
    """The result names the field that is wrong; it is never taken for something else."""
    result = await bind().call(name, arguments)
    assert not result.ok
    assert said in result.text


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

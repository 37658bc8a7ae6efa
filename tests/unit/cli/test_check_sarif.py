"""`inkwright check --format sarif`: a log that the standard's own schema accepts, whatever is found and wherever."""

from __future__ import annotations

import json
import shutil
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from jsonschema import Draft7Validator, FormatChecker

from inkwright.cli import sarif

ROOT = Path(__file__).parents[3]
FORMATS = {"uri", "uri-reference", "date-time"}


@cache
def _validator() -> Draft7Validator:
    schema = json.loads((ROOT / "tests/corpus/sarif/sarif-schema-2.1.0.json").read_text("utf-8"))
    return Draft7Validator(schema, format_checker=FormatChecker())


def _valid(log: dict[str, Any]) -> dict[str, Any]:
    wrong = [f"{error.json_path}: {error.message[:200]}" for error in _validator().iter_errors(log)]
    assert wrong == []
    run: dict[str, Any] = log["runs"][0]
    assert run["columnKind"] == "utf16CodeUnits"
    return run


def _places(value: Any) -> list[dict[str, Any]]:
    if isinstance(value, list):
        return [place for one in value for place in _places(one)]
    if not isinstance(value, dict):
        return []
    own = [value["physicalLocation"]] if "physicalLocation" in value else []
    return own + [place for one in value.values() for place in _places(one)]


def _at(result: dict[str, Any]) -> dict[str, Any]:
    place: dict[str, Any] = result["locations"][0]["physicalLocation"]
    return place


def test_the_schema_can_say_no() -> None:
    """It knows the formats of what it judges, and a log without a driver's name is none."""
    assert set(FormatChecker().checkers) >= FORMATS
    assert list(_validator().iter_errors({"version": "2.1.0", "runs": [{"tool": {"driver": {}}}]}))
    bad = {"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "a", "informationUri": "a b"}}}]}
    assert list(_validator().iter_errors(bad))


def test_nothing_found(call, book) -> None:
    """A log with no results, no rules and a successful invocation."""
    status, out, _ = call("check", book / "第002章.md", "--format", "sarif")
    run = _valid(json.loads(out))
    assert status == 0
    assert run["results"] == []
    assert run["invocations"] == [{"executionSuccessful": True, "toolExecutionNotifications": []}]


@pytest.mark.parametrize("locale", ["zh_CN.UTF-8", "en_GB.UTF-8"])
def test_both_languages_with_fixes_and_odd_names(call, book, monkeypatch, locale) -> None:
    """Names with blanks, per cent signs, hashes, brackets and emoji; columns count a surrogate pair as two."""
    monkeypatch.setenv("LC_ALL", locale)
    monkeypatch.chdir(book.parent)
    for name in ("第 3 章 #1 100%.md", "a[b]?😋.md", "x:y.md", "naïve 'q' & \"d\".md"):
        (book / name).write_text("# 三\n\n😋😋一但下雨，他就走。\n\n“走吧\n", "utf-8")
    (book / "ch04.md").write_text(
        "# Four\n\n😋 He went to the the door.\n\nThe dog wagged it's tail.\n", "utf-8"
    )
    status, out, _ = call("check", book, "--format", "sarif")
    run = _valid(json.loads(out))
    assert status == 1
    uris = {place["artifactLocation"]["uri"] for place in _places(run)}
    assert all(uri.isascii() for uri in uris)
    for uri in uris:
        assert (book.parent / unquote(uri)).is_file()
    misspelled = [result for result in run["results"] if result["ruleId"] == "zh-misspelled"]
    assert all("fixes" in result for result in misspelled)
    by_file = {
        unquote(_at(result)["artifactLocation"]["uri"]): _at(result)["region"] for result in misspelled
    }
    assert by_file["书/a[b]?😋.md"]["startColumn"] == 5
    (doubled,) = (result for result in run["results"] if result["ruleId"] == "en-doubled-word")
    assert _at(doubled)["region"]["startColumn"] == 15


def test_findings_with_two_places(call, tmp_path, monkeypatch) -> None:
    """What contradicts a card or another chapter: the other place is related, with a message and a number of its own."""
    shutil.copytree(ROOT / "tests/workspaces/duanshui", tmp_path / "小 说")
    monkeypatch.chdir(tmp_path)
    _, out, _ = call("check", "小 说", "--format", "sarif")
    run = _valid(json.loads(out))
    related = [result["relatedLocations"] for result in run["results"] if "relatedLocations" in result]
    assert related
    for row in related:
        assert [place["id"] for place in row] == list(range(1, len(row) + 1))
        assert all(place["message"]["text"] for place in row)
        assert all((tmp_path / unquote(place["artifactLocation"]["uri"])).is_file() for place in _places(row))


def test_what_could_not_be_checked(call, book) -> None:
    """A file that is no text is a notification of the tool, and the run has failed."""
    (book / "第003章.md").write_bytes(b"\x00\x01\x02\xff" * 100)
    status, out, _ = call("check", book, "--format", "sarif")
    run = _valid(json.loads(out))
    assert status == 3
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is False
    assert invocation["toolExecutionNotifications"][0]["message"]["text"]


@pytest.mark.parametrize(
    "path", ["C:/书/第 1 章.md", "/书/第 1 章.md", "../书/第 1 章.md", "书/第 1 章.md", "第:1章.md", "1:2.md"]
)
def test_every_path_is_a_reference(path) -> None:
    """Relative to the folder of the check, or from the root of a disk; a colon begins no scheme."""
    where = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
    found = {"range": where, "severity": "hint", "code": "zh-variant", "message": "x", "fix": None}
    problem = {"path": path, "line": 0, "code": "a", "message": "b"}
    run = _valid(sarif.log([{"path": path, "diagnostics": [found]}], [problem], lambda code: ("a", "b")))
    artifact = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert unquote(artifact["uri"]).endswith(path.removeprefix("C:/"))
    assert ("uriBaseId" in artifact) == (not path.startswith(("/", "C:")))

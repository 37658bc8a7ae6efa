"""What Python's own parser of arguments says, in the writer's language."""

from __future__ import annotations

import argparse
import re
import tomllib
from pathlib import Path

import pytest

from inkwright.cli import speaking
from inkwright.cli.main import parser


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (("index", "--nosuch"), "不认识的参数：--nosuch"),
        (("check",), "缺少参数：PATH"),
        (("check", ".", "--format", "x"), "没有 'x' 这一项"),
        (("check", "--forget"), "后面要有一个值"),
        (("run", "polish", "a.md", "--apply", "--apply-all"), "不能和"),
        (("usage", "--days", "x"), "不是合适的值"),
    ],
)
def test_what_is_wrong_is_said_in_chinese(call, argv, said) -> None:
    """Under a Chinese locale, and the parser is left as it was."""
    before = argparse._
    status, _, err = call(*argv)
    assert status == 2
    assert said in err
    assert argparse._ is before


def every(parser: argparse.ArgumentParser):
    """All sentences of a parser and of those below it."""
    yield parser.description
    for action in parser._actions:
        yield action.help
        if isinstance(action, argparse._SubParsersAction):
            yield from (one.help for one in action._choices_actions)
            for inner in action.choices.values():
                yield from every(inner)


def test_every_option_says_what_it_does_in_chinese() -> None:
    """No sentence of ours is left in English, and none in the table is nobody's."""
    ours = {said for said in every(parser()) if said and said != argparse.SUPPRESS}
    pythons = {"show this help message and exit"}
    table = tomllib.loads((Path(speaking.__file__).with_name("help_zh.toml")).read_text("utf-8"))
    assert ours - pythons == set(table)
    chinese = {said for said in every(speaking.told(parser(), "zh")) if said and said != argparse.SUPPRESS}
    assert [said for said in chinese - pythons if not re.search("[\u4e00-\u9fff]", said)] == []
    assert {said for said in every(speaking.told(parser(), "en")) if said} >= ours


def test_the_help_is_chinese_to_the_last_option(call, monkeypatch) -> None:
    """As it is printed, of the whole and of one command; English under an English locale."""
    out = call("--help")[1]
    assert "离线润色样书的一章" in out
    assert not re.search(r"\bshow\b", out)
    out = call("usage", "--help")[1]
    assert "最近 N 天；0 表示全部" in out
    monkeypatch.setenv("LC_ALL", "en_US.UTF-8")
    assert "the last N days" in call("usage", "--help")[1]


def test_the_help_has_chinese_headings(call, monkeypatch) -> None:
    """And English ones under an English locale."""
    out = call("check", "--help")[1]
    for word in ("用法：", "参数", "选项", "显示这份说明"):
        assert word in out
    monkeypatch.setenv("LC_ALL", "en_US.UTF-8")
    out = call("check", "--help")[1]
    assert "usage: " in out
    assert "options:" in out

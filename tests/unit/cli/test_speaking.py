"""What Python's own parser of arguments says, in the writer's language."""

from __future__ import annotations

import argparse

import pytest


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


def test_the_help_has_chinese_headings(call, monkeypatch) -> None:
    """And English ones under an English locale."""
    out = call("check", "--help")[1]
    for word in ("用法：", "参数", "选项", "显示这份说明"):
        assert word in out
    monkeypatch.setenv("LC_ALL", "en_US.UTF-8")
    out = call("check", "--help")[1]
    assert "usage: " in out
    assert "options:" in out

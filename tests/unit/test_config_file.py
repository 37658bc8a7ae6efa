"""The user's config.toml while it changes."""

from __future__ import annotations

import os

import pytest

from inkwright import config
from inkwright.config import UserFile
from inkwright.providers.catalog import providers

GOOD = 'model = "a"\n[models.a]\nendpoint = "http://127.0.0.1:1/v1"\nmodel = "x"\n'


def load(source: UserFile) -> config.Loaded:
    return config.load({}, source, None, providers())


@pytest.fixture
def source(tmp_path) -> UserFile:
    return UserFile(tmp_path / "config.toml")


def test_a_change_is_seen_and_what_stands_is_not_read_twice(source):
    """Made, changed within the same moment and to the same length, touched, gone."""
    load(source)
    assert not source.changed()
    source.path.write_text("window = 900\n", "utf-8")
    assert source.changed()
    assert load(source).settings.window == 900
    assert not source.changed()
    source.path.write_text("window = 800\n", "utf-8")
    assert source.changed()
    assert load(source).settings.window == 800
    os.utime(source.path)
    assert not source.changed()
    source.path.unlink()
    assert source.changed()
    assert load(source).settings.window == 6_000
    assert not source.changed()


@pytest.mark.parametrize("broken", [b"model =", b"\xff\xfe", b"#" * 1_000_001, None])
def test_what_cannot_be_used_leaves_what_was_good(source, broken):
    """It is said once that what was there before holds; set right, it is read; broken once more, it is said again."""
    source.path.write_text(GOOD, "utf-8")
    assert load(source).problems == ()
    for _ in range(2):
        if broken is None:
            source.path.unlink()
            source.path.mkdir()
        else:
            source.path.write_bytes(broken)
        assert source.changed()
        loaded = load(source)
        assert not source.changed()
        assert loaded.settings.profile().id == "a"
        (problem,) = loaded.problems
        assert problem.code.startswith("settings_kept_")
        if broken is None:
            source.path.rmdir()
        source.path.write_text(GOOD.replace('"x"', '"y"'), "utf-8")
        assert source.changed()
        loaded = load(source)
        assert (loaded.settings.profile().model, loaded.problems) == ("y", ())


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_in_its_place_is_waited_for_by_nobody(source):
    """It can't be read, and that is all."""
    os.mkfifo(source.path)
    assert [problem.code for problem in load(source).problems] == ["settings_unreadable"]
    assert not source.changed()

"""The user's config.toml while it changes."""

from __future__ import annotations

import os

import pytest

from inkwright import config
from inkwright.config import UserFile
from inkwright.providers.catalog import providers

GOOD = 'model = "a"\n[models.a]\nendpoint = "http://127.0.0.1:1/v1"\nmodel = "x"\n'

AGED = 1_000_000_000 * 10**9


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


@pytest.fixture
def meanwhile(monkeypatch) -> list:
    """What others do to the file, one thing at each pause of who reads it. It was written just now, or is `aged`."""
    steps: list = []
    monkeypatch.setattr("inkwright.intake.since", lambda time_ns: 0.0 if time_ns > AGED else 1e9)
    monkeypatch.setattr("inkwright.intake.time.sleep", lambda _: steps and steps.pop(0)())
    return steps


def aged(source: UserFile) -> None:
    """It was written long ago."""
    os.utime(source.path, ns=(AGED, AGED))


@pytest.mark.parametrize("first", ["emptied", "begun", "gone", "blank", "comment"])
def test_a_file_that_is_being_saved_is_waited_for(source, meanwhile, first):
    """Emptied or taken away first, filled in pieces: what a run goes by is the old one or the whole new one."""
    source.path.write_text(GOOD, "utf-8")
    aged(source)
    load(source)
    new = GOOD.replace('"x"', '"y"').replace('"a"', '"b"').replace("models.a", "models.b")

    def now(text: str | None) -> None:
        if text is None:
            source.path.unlink()
        else:
            source.path.write_text(text, "utf-8")

    now({"emptied": "", "begun": new[:13], "gone": None, "blank": " \n", "comment": "# 我的设置\n"}[first])
    meanwhile += [lambda: None] * 5 + [
        lambda: now(""),
        lambda: now(new[:13]),
        lambda: now(new),
        lambda: aged(source),
    ]
    assert source.changed()
    loaded = load(source)
    assert (loaded.settings.profile().id, loaded.settings.profile().model, loaded.problems) == ("b", "y", ())
    assert not source.changed()
    assert meanwhile == []


def test_a_new_server_waits_as_well(source, meanwhile):
    """Of a file that was emptied just now it does not say that nothing stands there."""
    source.path.write_bytes(b"")
    meanwhile += [lambda: source.path.write_text(GOOD, "utf-8")]
    assert load(source).settings.profile().id == "a"


def test_a_file_that_is_never_whole_is_waited_for_no_longer_than_a_save_takes(source, meanwhile):
    """What was there before holds, and the file is looked at again when it counts next."""
    source.path.write_text(GOOD, "utf-8")
    load(source)
    meanwhile += [lambda: source.path.write_bytes(b"\n" * (len(meanwhile) + 1))] * 1_000
    source.path.write_bytes(b"")
    loaded = load(source)
    assert (loaded.settings.profile().id, loaded.problems) == ("a", ())
    assert 0 < len(meanwhile) < 1_000
    meanwhile.clear()
    aged(source)
    assert source.changed()
    assert load(source).settings.profile().id == "offline"
    assert not source.changed()


def test_a_file_that_stays_empty_or_gone_is_so(source, meanwhile):
    """The writer took everything out."""
    for last in (b"", None):
        source.path.write_text(GOOD, "utf-8")
        load(source)
        if last is None:
            source.path.unlink()
        else:
            source.path.write_bytes(last)
            aged(source)
        assert source.changed()
        assert load(source).settings.profile().id == "offline"
        assert not source.changed()


def test_what_is_wrong_says_where_the_file_is(monkeypatch, tmp_path):
    """Its name alone does not: below the home folder it is short, elsewhere whole."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    folder = tmp_path / ".config" / "inkwright"
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text("model =", "utf-8")
    (problem,) = load(UserFile(folder / "config.toml")).problems
    assert problem.params["name"] == "~/.config/inkwright/config.toml"
    monkeypatch.setenv("HOME", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "elsewhere"))
    (problem,) = load(UserFile(folder / "config.toml")).problems
    assert problem.params["name"] == str(folder / "config.toml")

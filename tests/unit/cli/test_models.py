"""`inkwright models` and `inkwright secrets` through their front door."""

from __future__ import annotations

import io
import json

import pytest

CANARY = "sk-canary-0123456789abcdef"


@pytest.fixture
def config(home):
    folder = home / ".config" / "inkwright"
    folder.mkdir(parents=True)

    def write(text: str) -> None:
        (folder / "config.toml").write_text(text, "utf-8")

    return write


@pytest.fixture
def typed(monkeypatch):
    """What is piped into the command."""

    def put(text: str) -> None:
        monkeypatch.setattr("sys.stdin", io.StringIO(text))

    return put


def test_models_are_listed_with_what_is_known_of_them(call, config, monkeypatch) -> None:
    """The default is marked; a key is named by its place; nothing on the machine is asked."""
    config(
        'model = "a"\n[models.a]\nprovider = "deepseek"\n[models.b]\nendpoint = "http://127.0.0.1:9/v1"\nmodel = "x"\n'
    )
    monkeypatch.setenv("DEEPSEEK_API_KEY", CANARY)
    status, out, err = call("models", "list", "--json")
    listed = {one["id"]: one for one in json.loads(out)["models"]}
    assert (status, err) == (0, "")
    assert set(listed) == {"a", "b", "deepseek", "offline"}
    a, b = listed["a"], listed["b"]
    assert (a["default"], a["keyConfigured"], a["key"]) == (True, True, "env:DEEPSEEK_API_KEY")
    assert (a["wire"], a["model"], a["provider"], a["local"]) == (
        "openai",
        "deepseek-flash",
        "deepseek",
        False,
    )
    assert (b["local"], b["keyConfigured"], b["contextWindow"], b["price"]) == (True, True, None, None)
    assert "found" not in json.loads(out)
    _, text, _ = call("models", "list")
    assert text.startswith("* a ")
    assert CANARY not in out + text


def test_testing_a_model_says_what_is_wrong_in_the_writers_words(call, config) -> None:
    """Final address as typed plus the operation; exit 3; one line of what to do."""
    config('[models.a]\nendpoint = "http://127.0.0.1:9/my/path"\nmodel = "x"\n')
    status, out, err = call("models", "test", "a", "--json")
    found = json.loads(out)
    assert status == 3
    assert (found["works"], found["reachable"]) == (False, False)
    assert found["url"] == "http://127.0.0.1:9/my/path/chat/completions"
    assert found["error"]["message"] in err
    assert "启动" in err
    assert len(err.strip().split("\n")) == 1


def test_the_offline_engine_and_a_model_that_is_not_there(call) -> None:
    """The default without any settings works; another name is refused with those that exist."""
    assert call("models", "test")[0] == 0
    status, out, err = call("models", "test", "nobody", "--json")
    assert (status, json.loads(out)["error"]["code"]) == (3, "model_unknown")
    assert "offline" in err


def test_a_key_is_stored_listed_used_and_deleted(call, typed, home) -> None:
    """Its value is in the file that was asked for, and in nothing that is said."""
    said = ""
    typed(f" {CANARY}\r\n")
    status, out, err = call("secrets", "set", "deepseek", "--insecure-file")
    assert status == 0
    assert "不加保护" in out
    said += out + err
    status, out, err = call("secrets", "list", "--json")
    assert json.loads(out) == {"secrets": [{"name": "deepseek", "where": "file"}]}
    said += out + err
    _, out, err = call("models", "list", "--json")
    first = json.loads(out)["models"][0]
    assert (first["id"], first["default"], first["keyConfigured"]) == ("deepseek", True, True)
    said += out + err
    _, out, err = call("doctor", home)
    assert "deepseek" in out
    said += out + err
    holding = [path for path in home.rglob("*") if path.is_file() and CANARY.encode() in path.read_bytes()]
    assert [path.name for path in holding] == ["deepseek.key"]
    assert call("secrets", "delete", "deepseek")[0] == 0
    assert json.loads(call("secrets", "list", "--json")[1]) == {"secrets": []}
    status, out, _ = call("secrets", "delete", "deepseek", "--json")
    assert (status, json.loads(out)["error"]["code"]) == (3, "secret_unknown")
    assert CANARY not in said


def test_without_a_keyring_nothing_is_written_in_the_open(call, typed, home, monkeypatch) -> None:
    """It says what to do instead; no file is made unasked."""
    monkeypatch.setitem(__import__("sys").modules, "keyring", None)
    typed(CANARY)
    status, out, err = call("secrets", "set", "deepseek", "--json")
    assert (status, json.loads(out)["error"]["code"]) == (3, "keyring_absent")
    assert CANARY not in out + err
    assert not any(CANARY.encode() in p.read_bytes() for p in home.rglob("*") if p.is_file())


@pytest.mark.parametrize(
    ("argv", "code"),
    [
        (("set", "deepseek", CANARY), "secret_in_arguments"),
        (("set", CANARY), "secret_in_arguments"),
        (("delete", CANARY), "secret_in_arguments"),
        (("list", CANARY), "secret_in_arguments"),
        (("set", "../x"), "secret_name_invalid"),
        (("set", ""), "secret_name_invalid"),
        (("set", "deepseek", f"--value={CANARY}"), "usage"),
    ],
)
def test_a_key_among_the_arguments_is_refused_and_not_repeated(call, argv, code) -> None:
    """Exit 2, in words that say what has happened to it."""
    status, out, err = call("secrets", *argv, "--json")
    assert (status, json.loads(out)["error"]["code"]) == (2, code)
    assert CANARY not in out + err


@pytest.mark.parametrize("given", ["", " \n", "two words", "a\nb", "密钥"])
def test_what_is_no_key_is_not_stored(call, typed, given) -> None:
    """Named, never repeated."""
    typed(given)
    status, out, _ = call("secrets", "set", "x", "--insecure-file", "--json")
    assert (status, json.loads(out)["error"]["code"]) == (3, "key_malformed")
    assert json.loads(call("secrets", "list", "--json")[1]) == {"secrets": []}


def test_check_finds_a_key_in_book_toml_and_in_a_front_matter(call, book) -> None:
    """An error with the removal of its line as the fix; neither the report nor the fix has the key."""
    (book / "book.toml").write_text(f'title = "书"\r\napi_key = "{CANARY}"\r\n', "utf-8")
    (book / "第003章.md").write_text(f"---\ntitle: 三\ntoken: {CANARY}\n---\n# 三\n", "utf-8")
    status, out, err = call("check", book, "--json")
    assert status == 1
    files = {f["path"].rpartition("/")[2]: f["diagnostics"] for f in json.loads(out)["files"]}
    (in_book,) = files["book.toml"]
    (in_chapter,) = files["第003章.md"]
    assert (in_book["code"], in_book["severity"]) == ("key_in_book_file", "error")
    assert in_book["fix"] == {
        "range": {"start": {"line": 1, "character": 0}, "end": {"line": 2, "character": 0}},
        "newText": "",
    }
    assert in_chapter["code"] == "key_in_front_matter"
    assert CANARY not in out + err + call("check", book)[1]

"""Keys outside the environment: handed over, in the keyring, in a file of one's own."""

from __future__ import annotations

import os
import sys
import threading
import types

import pytest

from inkwright.domain.errors import Fault, InkwrightError
from inkwright.domain.model import KeyRef, in_clear
from inkwright.i18n import render
from inkwright.secrets import Secret, Secrets
from inkwright.secrets.keyrings import Keyring

KEY = "canary-0123456789"


class Backend:
    """A keyring in memory; it waits while `open` is not set."""

    priority = 5.0

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], str] = {}
        self.open = threading.Event()
        self.open.set()

    def get_password(self, service: str, name: str) -> str | None:
        self.open.wait()
        return self.kept.get((service, name))

    def set_password(self, service: str, name: str, value: str) -> None:
        self.kept[service, name] = value

    def delete_password(self, service: str, name: str) -> None:
        del self.kept[service, name]


@pytest.fixture
def ring(monkeypatch) -> Backend:
    backend = Backend()
    module = types.SimpleNamespace(get_keyring=lambda: backend)
    monkeypatch.setitem(sys.modules, "keyring", module)
    return backend


def code(found: Secret | Fault) -> str:
    assert isinstance(found, Fault)
    assert found.kind == "auth"
    for locale in ("zh", "en"):
        assert "{" not in render(found, locale)
    return found.code


class TestEditor:
    """In memory only."""

    def test_handed_over_used_and_forgotten(self):
        """With what was copied round it taken away; a second instance knows it as well."""
        first = Secrets({})
        assert first.hand_over("deepseek", f"\ufeff {KEY}\r\n") is None
        second = Secrets({}, first)
        assert second.resolve("editor:deepseek") == Secret(KEY)
        assert second.stored() == {"deepseek": "editor:deepseek"}
        assert second.redact(f"x {KEY}") == "x ***"
        assert second.forget("deepseek")
        assert not second.forget("deepseek")
        assert code(first.resolve("editor:deepseek")) == "key_missing_editor"
        assert "canary" not in repr(vars(second).keys())

    @pytest.mark.parametrize("value", ["", " ", "two words", "a\nb", "密钥", "a\x00b", "k" * 20_000])
    def test_what_is_no_key_is_refused(self, value):
        """And not kept."""
        secrets = Secrets({})
        fault = secrets.hand_over("x", value)
        assert code(fault) == "key_malformed"
        assert not secrets.configured("editor:x")


class TestKeyring:
    """Asked on a thread, with a time limit, and only when it is one."""

    def test_stored_and_found(self, ring, tmp_path):
        """Names are noted beside it: whether there is a key is known without asking it."""
        secrets = Secrets({}, folder=tmp_path / "keys")
        secrets.keyring.set("deepseek", KEY)
        secrets.files.note_keyring("deepseek", there=True)
        ring.open.clear()
        again = Secrets({}, folder=tmp_path / "keys", keyring=Keyring(0.05))
        assert again.configured("keyring:deepseek")
        assert again.stored() == {"deepseek": "keyring:deepseek"}
        ring.open.set()
        assert Secrets({}, folder=tmp_path / "keys").resolve("keyring:deepseek") == Secret(KEY)
        assert code(secrets.resolve("keyring:other")) == "key_missing_keyring"
        assert KEY not in (tmp_path / "keys" / "keyring.json").read_text()

    def test_one_that_waits_for_its_user_holds_nothing_up(self, ring):
        """A locked keyring is said to be locked; while it still waits no second thread is started."""
        secrets = Secrets({}, keyring=Keyring(0.05))
        ring.open.clear()
        assert code(secrets.resolve("keyring:x")) == "keyring_locked"
        assert code(secrets.resolve("keyring:x")) == "keyring_locked"
        assert [thread.name for thread in threading.enumerate()].count("keyring") == 1
        ring.open.set()

    def test_not_installed(self, monkeypatch):
        """The extra is named."""
        monkeypatch.setitem(sys.modules, "keyring", None)
        assert code(Secrets({}).resolve("keyring:x")) == "keyring_absent"

    @pytest.mark.parametrize(("module", "priority"), [("keyrings.alt.file", 2.0), ("keyring.backends.x", 0)])
    def test_one_that_keeps_nothing_secret_is_none(self, ring, monkeypatch, module, priority):
        """Plain files by another name, and what has no priority."""
        monkeypatch.setattr(Backend, "__module__", module)
        monkeypatch.setattr(Backend, "priority", priority)
        assert code(Secrets({}).resolve("keyring:x")) == "keyring_none"

    def test_of_several_the_first_real_one(self, ring, monkeypatch):
        """As the library's chain of backends gives them."""
        fail = type("Keyring", (), {"priority": 0, "__module__": "keyring.backends.fail"})()
        chain = types.SimpleNamespace(backends=[fail, ring])
        monkeypatch.setattr(sys.modules["keyring"], "get_keyring", lambda: chain)
        Keyring().set("x", KEY)
        assert ring.kept == {("inkwright", "x"): KEY}

    def test_its_own_failures(self, ring, monkeypatch):
        """Are named by their kind, without a word of theirs."""

        def broken(self, *_):
            raise RuntimeError(KEY)

        monkeypatch.setattr(Backend, "get_password", broken)
        fault = Secrets({}).resolve("keyring:x")
        assert code(fault) == "keyring_failed"
        assert "canary" not in repr(fault)


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")
class TestFiles:
    """Plain files, by the user's own wish."""

    def test_written_for_its_owner_alone(self, tmp_path):
        """Folder and file; read back by its bare name."""
        secrets = Secrets({}, folder=tmp_path / "keys")
        path = secrets.files.write("deepseek", KEY)
        assert path.stat().st_mode & 0o777 == 0o600
        assert path.parent.stat().st_mode & 0o777 == 0o700
        assert secrets.resolve("file:deepseek") == Secret(KEY)
        assert secrets.configured("file:deepseek")
        assert secrets.stored() == {"deepseek": "file:deepseek"}
        assert [file.name for file in path.parent.iterdir()] == ["deepseek.key"]
        assert secrets.files.delete("deepseek")
        assert not secrets.files.delete("deepseek")

    def test_what_a_killed_write_left_goes_with_the_next_one(self, tmp_path):
        """It holds a key; what another process may be writing at this moment stays."""
        secrets = Secrets({}, folder=tmp_path / "keys")
        folder = secrets.files.write("deepseek", KEY).parent
        for name in (".old12345.new", ".live1234.new"):
            (folder / name).write_text(KEY)
        os.utime(folder / ".old12345.new", (1_000_000_000, 1_000_000_000))
        secrets.files.write("deepseek", KEY)
        assert {file.name for file in folder.iterdir()} == {"deepseek.key", ".live1234.new"}

    def test_one_that_others_can_read_is_refused(self, tmp_path):
        """By its path as well."""
        path = tmp_path / "key"
        path.write_text(KEY)
        path.chmod(0o640)
        assert code(Secrets({}).resolve(f"file:{path}")) == "key_file_open"
        path.chmod(0o400)
        assert Secrets({}).resolve(f"file:{path}") == Secret(KEY)

    @pytest.mark.parametrize("mark", ["book.toml", ".git", ".inkwright"])
    def test_one_in_a_book_is_refused(self, tmp_path, mark):
        """It would go with the book; a link into one is one."""
        (tmp_path / "book" / "notes").mkdir(parents=True)
        (tmp_path / "book" / mark).mkdir()
        path = tmp_path / "book" / "notes" / "key"
        path.write_text(KEY)
        path.chmod(0o600)
        (tmp_path / "link").symlink_to(path)
        for name in (path, tmp_path / "link"):
            assert code(Secrets({}).resolve(f"file:{name}")) == "key_file_in_book"
        with pytest.raises(InkwrightError, match="key_file_in_book"):
            Secrets({}, folder=path.parent / "keys").files.write("x", KEY)

    @pytest.mark.parametrize("name", ["/nowhere/at/all", "nothing"])
    def test_missing(self, tmp_path, name):
        """Says how to make it."""
        assert code(Secrets({}, folder=tmp_path).resolve(f"file:{name}")) == "key_missing_file"


@pytest.mark.parametrize("value", [f"\ufeff{KEY}", f" {KEY}\r\n", f"{KEY}\ufeff "])
def test_what_was_copied_along_is_no_part_of_a_key(value):
    """A byte order mark, spaces and line ends round it."""
    assert Secrets({"K": value}).resolve("env:K") == Secret(KEY)


@pytest.mark.parametrize(
    ("endpoint", "clear"),
    [
        ("http://example.com/v1", True),
        ("http://8.8.8.8/v1", True),
        ("https://example.com/v1", False),
        ("http://127.0.0.1:8000", False),
        ("http://[::1]:8000", False),
        ("http://192.168.1.5:8000", False),
        ("http://studio.local:8000", False),
    ],
)
def test_what_can_be_read_on_the_way(endpoint, clear):
    """Plain http that leaves the house; a key is not sent there."""
    assert in_clear(endpoint) is clear


def test_a_vendors_key_goes_to_the_vendor_over_https_alone():
    """No other port, no plain http, no subdomain that is none."""
    key = KeyRef("env:K", ("api.deepseek.com", ".openai.azure.com"))
    for good in (
        "https://api.deepseek.com/v1",
        "https://API.deepseek.com:443",
        "https://me.openai.azure.com/x",
    ):
        assert key.goes_to(good), good
    for bad in (
        "http://api.deepseek.com",
        "https://api.deepseek.com:444",
        "https://xopenai.azure.com.evil",
        "https://api.deepseek.com.evil",
        "https://evil#api.deepseek.com",
        "nonsense",
        "",
    ):
        assert not key.goes_to(bad), bad

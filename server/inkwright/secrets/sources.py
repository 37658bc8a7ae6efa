"""From a reference to a key: environment, editor, keyring, file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from inkwright.domain.errors import Fault, InkwrightError
from inkwright.secrets.files import KeyFiles
from inkwright.secrets.keyrings import Keyring
from inkwright.secrets.redaction import redact
from inkwright.secrets.secret import MAX_KEY, Secret, sound, trimmed


class Secrets:
    """Looks references up and remembers what it handed out, so that `redact` can take it back.

    `env:NAME` is the variable NAME, else the content of the file that NAME_FILE points to; `editor:NAME`
    what an editor has handed over; `keyring:NAME` an entry of the system's keyring; `file:PATH` a file
    that only its owner can read, or by its bare name one of ours in `folder`. No value leaves it but as a
    `Secret`. `before` is the instance that this one takes the place of: what either of them hands out,
    both take back.
    """

    def __init__(
        self,
        environ: Mapping[str, str],
        before: Secrets | None = None,
        folder: Path | None = None,
        keyring: Keyring | None = None,
    ) -> None:
        self._environ = environ
        self._known: set[str] = set() if before is None else before._known  # noqa: SLF001 - of its own kind
        self._handed: dict[str, str] = {} if before is None else before._handed  # noqa: SLF001
        self.files = KeyFiles(folder)
        self.keyring: Keyring = keyring or (Keyring() if before is None else before.keyring)

    def __repr__(self) -> str:
        return "Secrets()"

    def stored(self) -> dict[str, str]:
        """The names of all keys outside the environment, each with the reference that is used. Blocks."""
        files = {name: f"file:{name}" for name in self.files.names()}
        ring = {name: f"keyring:{name}" for name in self.files.in_keyring()}
        return files | ring | {name: f"editor:{name}" for name in self._handed}

    def hand_over(self, name: str, value: str) -> Fault | None:
        """Takes a key from the editor: kept in memory only. A fault when no key looks like that."""
        value = trimmed(value)
        if not sound(value):
            return Fault("key_malformed", {"name": name}, kind="auth")
        self._known.add(value)
        self._handed[name] = value
        return None

    def forget(self, name: str) -> bool:
        """Whether there was a handed-over key of that name; it is not used any more."""
        return self._handed.pop(name, None) is not None

    def configured(self, ref: str) -> bool:
        """Whether something stands behind a reference; the value itself is not read. Blocks for a file."""
        kind, _, name = ref.partition(":")
        match kind:
            case "editor":
                return name in self._handed
            case "keyring":
                return name in self.files.in_keyring()
            case "file":
                return self.files.has(name)
            case _:
                return bool(self._variable(name) or self._variable(f"{name}_FILE"))

    def resolve(self, ref: str) -> Secret | Fault:
        """The key behind a reference; a `Fault` of kind auth when there is none that can be used.

        Blocks: a keyring for as long as `Keyring` lets it.
        """
        kind, _, name = ref.partition(":")
        try:
            match kind:
                case "editor":
                    value, missing = self._handed.get(name, ""), "key_missing_editor"
                case "keyring":
                    value, missing = self.keyring.get(name), "key_missing_keyring"
                case "file":
                    value, missing = self.files.read(name), "key_missing_file"
                case _:
                    value, missing = self._from_environment(name), "key_missing"
        except InkwrightError as error:
            return Fault(error.fault.code, error.fault.params, kind="auth")
        value = trimmed(value)
        if not value:
            return Fault(missing, {"name": name}, kind="auth")
        if not sound(value):
            return Fault("key_malformed", {"name": name}, kind="auth")
        self._known.add(value)
        return Secret(value)

    def redact(self, text: str) -> str:
        """`text` without any key handed out so far and without anything that looks like one."""
        return redact(text, tuple(self._known))

    def _from_environment(self, name: str) -> str:
        if value := self._variable(name):
            return value
        if not (path := self._variable(f"{name}_FILE")):
            return ""
        try:
            with Path(path).expanduser().open("rb") as file:
                return file.read(MAX_KEY).decode("utf-8-sig")
        except (OSError, ValueError, RuntimeError) as error:
            raise InkwrightError("key_file_unreadable", name=f"{name}_FILE") from error

    def _variable(self, name: str) -> str:
        return trimmed(self._environ.get(name, ""))

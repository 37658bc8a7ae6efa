"""The client's side of the world: documents, files, and what the server has not been told of yet."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from client import Client, Failed
from text import Text

KEPT = 60
"""Earlier states of a document: an answer may be of any that has been since its request."""
BOM = b"\xef\xbb\xbf"


class Document:
    def __init__(self, uri: str, path: Path | None, text: Text) -> None:
        self.uri = uri
        self.path = path
        self.version = 1
        self.text = text
        self.texts = {1: text}

    def become(self, text: Text, step: int = 1) -> None:
        self.version += step
        self.text = self.texts[self.version] = text
        for version in sorted(self.texts)[:-KEPT]:
            del self.texts[version]


class Desk:
    """`folder` holds the books; `roots` are the workspace folders in it."""

    def __init__(self, client: Client, folder: Path, roots: list[Path], encoding: str) -> None:
        self.client = client
        self.folder = folder
        self.roots = roots
        self.encoding = encoding
        self.documents: dict[str, Document] = {}
        self.files: dict[Path, Text] = {}
        self.marked: set[Path] = set()
        """Files that begin with a byte order mark."""
        self.unsaid: dict[Path, int] = {}
        """Files that have changed outside the editor, with the kind of the event to come."""
        self.tokens: dict[str, tuple[str, list[int]]] = {}
        self.watching = True
        self.past: dict[str, deque[Text]] = {}
        self.refusing = False
        self.alone = folder / "outside" / "随笔.md"
        """A file of no workspace folder; it stays open, so that it counts for the session as for a fresh server."""

    # Names

    def uri(self, path: Path) -> str:
        """The URI of a file: the spelling under which it is open, else the usual one."""
        document = self.at(path)
        return path.as_uri() if document is None else document.uri

    def path(self, uri: str) -> Path | None:
        parts = urlsplit(uri)
        return Path(unquote(parts.path)) if parts.scheme == "file" else None

    def at(self, path: Path) -> Document | None:
        return next((d for d in self.documents.values() if d.path == path), None)

    def spelled(self, path: Path, form: int) -> str:
        """One of the spellings of a file's URI that editors use."""
        usual = path.as_uri()
        if form == 1:
            return "file://" + str(path).replace("%", "%25").replace(" ", "%20").replace("#", "%23")
        return "file://" + quote(str(path), safe="/").replace("%E", "%e") if form == 2 else usual

    def states(self, uri: str) -> Iterator[Text]:
        """The texts that an answer about a document may be of."""
        path = self.path(uri)
        document = self.documents.get(uri) or (self.at(path) if path is not None else None)
        if document is not None:
            yield document.text
        if path is not None:
            uri = str(path)
            if path in self.files:
                yield self.files[path]
        yield from reversed(self.past.get(uri, ()))
        if document is not None:
            yield from reversed(document.texts.values())

    def _passed(self, name: str, text: Text) -> None:
        self.past.setdefault(name, deque(maxlen=KEPT)).append(text)

    # Files

    def write(self, path: Path, text: str, *, marked: bool | None = None) -> None:
        """A file as it is on the disk from now on; what has no UTF-8 becomes U+FFFD."""
        if path in self.files:
            self._passed(str(path), self.files[path])
        path.parent.mkdir(parents=True, exist_ok=True)
        valid = "".join("\ufffd" if 0xD800 <= ord(char) < 0xE000 else char for char in text)
        if marked is not None:
            (self.marked.add if marked else self.marked.discard)(path)
        if valid.startswith("\ufeff"):  # what is written is read without it
            self.marked.add(path)
            valid = valid[1:]
        path.write_bytes((BOM if path in self.marked else b"") + valid.encode())
        self.files[path] = Text(valid, self.encoding)

    def delete(self, path: Path) -> None:
        self._passed(str(path), self.files.pop(path))
        path.unlink()

    def outside(self, path: Path, kind: int) -> None:
        """Something else than the editor has changed a file."""
        before = self.unsaid.get(path)
        self.unsaid[path] = 2 if (before, kind) == (3, 1) else 1 if (before, kind) == (1, 2) else kind

    def tell(self, paths: list[Path] | None = None) -> None:
        """The server gets to know of files that have changed."""
        chosen = list(self.unsaid) if paths is None else [path for path in paths if path in self.unsaid]
        events = [{"uri": path.as_uri(), "type": self.unsaid.pop(path)} for path in chosen]
        if events and self.watching:
            self.client.notify("workspace/didChangeWatchedFiles", {"changes": events})

    # Documents

    def open(self, path: Path | None, uri: str, text: str) -> Document:
        document = self.documents[uri] = Document(uri, path, Text(text, self.encoding))
        item = {"uri": uri, "languageId": "markdown", "version": 1, "text": text}
        self.client.notify("textDocument/didOpen", {"textDocument": item})
        return document

    def change(self, document: Document, changes: list[dict[str, Any]], step: int = 1) -> None:
        text = document.text
        for change in changes:
            text = text.replaced(change.get("range"), change["text"])
        document.become(text, step)
        self._send(document, changes)

    def _send(self, document: Document, changes: list[dict[str, Any]]) -> None:
        item = {"uri": document.uri, "version": document.version}
        self.client.notify("textDocument/didChange", {"textDocument": item, "contentChanges": changes})

    def save(self, document: Document, *, text: bool) -> None:
        if document.path is not None:
            kind = 2 if document.path in self.files else 1
            self.write(document.path, document.text.text)
            self.outside(document.path, kind)
        params: dict[str, Any] = {"textDocument": {"uri": document.uri}}
        if text:
            params["text"] = document.text.text
        self.client.notify("textDocument/didSave", params)

    def close(self, document: Document) -> None:
        del self.documents[document.uri]
        self.tokens.pop(document.uri, None)
        self._passed(str(document.path) if document.path else document.uri, document.text)
        self.client.notify("textDocument/didClose", {"textDocument": {"uri": document.uri}})

    # Edits of the server's

    def apply(self, edit: dict[str, Any], *, confirm: bool = True) -> bool:
        """Makes a WorkspaceEdit, or refuses all of it: it is of another version, or a file is in the way.

        Raises `Failed` for one that cannot be of any state.
        """
        steps = edit.get("documentChanges")
        if steps is None:
            steps = [
                {"textDocument": {"uri": uri, "version": None}, "edits": rows}
                for uri, rows in edit.get("changes", {}).items()
            ]
        notes = edit.get("changeAnnotations", {})
        made: list[tuple[Document | Path, Text, list[dict[str, Any]]]] = []
        for step in steps:
            if "edits" not in step:
                old, new = self.path(step["oldUri"]), self.path(step["newUri"])
                if step["kind"] != "rename" or old is None or new is None:
                    raise Failed(f"an operation that nobody asked for: {step}")
                if old not in self.files or new.exists():
                    return False
                continue
            uri, version = step["textDocument"]["uri"], step["textDocument"].get("version")
            rows = [
                row
                for row in step["edits"]
                if confirm or not notes.get(row.get("annotationId"), {}).get("needsConfirmation")
            ]
            path = self.path(uri)
            document = self.documents.get(uri)
            if document is None and path is not None and self.at(path) is not None:
                return False  # another spelling: it was closed and opened again
            if document is not None:
                if "changes" in edit:  # it names no version: what does not fit any more is not made
                    try:
                        made.append((document, *document.text.edited(rows)))
                    except ValueError:
                        return False
                    continue
                if version != document.version:
                    return False
                made.append((document, *self._edited(document.text, rows, uri)))
                continue
            if version is not None or path not in self.files:
                return False  # closed, or deleted, while the edit was on its way
            if path in self.unsaid:
                return False  # the server cannot know what stands there now
            try:
                text, changes = self.files[path].edited(rows)
            except ValueError:
                if self.past.get(str(path)):
                    return False  # of the file as it was before
                raise
            made.append((path, text, changes))
        for target, text, changes in made:
            if isinstance(target, Path):
                self.write(target, text.text)
                self.outside(target, 2)
            elif changes:
                target.become(text)
                self._send(target, changes)
        for step in steps:
            if "edits" not in step:
                old, new = self.path(step["oldUri"]), self.path(step["newUri"])
                assert old is not None
                assert new is not None
                self.rename(old, new)
        return True

    def _edited(self, text: Text, rows: list[dict[str, Any]], uri: str) -> tuple[Text, list[dict[str, Any]]]:
        try:
            return text.edited(rows)
        except ValueError as error:
            raise Failed(f"an edit of {uri} in its very version: {error}") from None

    def rename(self, old: Path, new: Path, *, told: bool = True) -> None:
        """The file and its document get another name; the server is told as editors do."""
        text = self.files.pop(old)
        self._passed(str(old), text)
        new.parent.mkdir(parents=True, exist_ok=True)
        old.rename(new)
        self.files[new] = text
        if old in self.marked:
            self.marked.discard(old)
            self.marked.add(new)
        document = self.at(old)
        if document is not None:
            kept = document.text.text
            self.close(document)
            self.open(new, new.as_uri(), kept)
        if told:
            pair = {"oldUri": old.as_uri(), "newUri": new.as_uri()}
            self.client.notify("workspace/didRenameFiles", {"files": [pair]})
        self.outside(old, 3)
        self.outside(new, 1)

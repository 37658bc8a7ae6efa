"""One key for all spellings of a document."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkwright.lsp import uris


@pytest.mark.parametrize(
    "same",
    [
        ("file:///b/%E7%AC%AC1%E7%AB%A0.md", "file:///b/第1章.md", "file:///b/%e7%ac%ac1%e7%ab%a0.md"),
        ("file:///C:/b/a.md", "file:///c%3A/b/a.md", "file:///c:/b/a.md", "file:///C%3a/b/a.md"),
        ("file:///b/e\u0301.md", "file:///b/\u00e9.md", "file:///b/%C3%A9.md", "file:///b/e%CC%81.md"),
        ("file:///b/100%25.md", "file:///b/100%.md"),
        ("file:///b/a%23b%3Fc.md", "file:///b/a#b?c.md".replace("#b?c", "%23b%3fc")),
        ("file://localhost/b/a.md", "file:///b/a.md"),
        ("FILE:///b/a.md", "file:///b/a.md"),
    ],
)
def test_spellings_of_one_file(same):
    """Escapes, drive letters, composed characters and the host make no difference."""
    assert len({uris.key(uri) for uri in same}) == 1


def test_different_documents_stay_different():
    """A `%25` is a percent sign, not the start of an escape; schemes and hosts count."""
    found = [
        "file:///b/%2520.md",
        "file:///b/%20.md",
        "untitled:Untitled-1",
        "untitled:Untitled-2",
        "file://server/b/a.md",
        "vscode-vfs://github/b/a.md",
        "file:///b/a.md",
        "file:///B/a.md",
    ]
    assert len({uris.key(uri) for uri in found}) == len(found)


@pytest.mark.parametrize(
    ("uri", "windows", "expected"),
    [
        ("file:///b/%E7%AC%AC1.md", False, "/b/第1.md"),
        ("file:///C%3A/b/a.md", True, "c:\\b\\a.md"),
        ("file://server/share/a.md", True, "\\\\server\\share\\a.md"),
        ("untitled:Untitled-1", False, None),
        ("http://x/a.md", False, None),
        ("", False, None),
        ("file://[", False, None),
        ("file:///a%00b", False, None),
        ("file:///a?b#c", False, "/a?b#c"),
    ],
)
def test_paths(uri, windows, expected):
    """Only a file URI has a path; nonsense has none and raises nothing."""
    assert uris.local(uri, windows=windows) == expected


names = st.text(st.characters(exclude_characters="/\0", exclude_categories=("Cs",)), min_size=1, max_size=20)


@given(names.filter(lambda name: name not in {".", ".."}))
def test_a_path_comes_back(name):
    """From a path to its URI and back is the same path, whatever is in the name."""
    place = Path("/书") / name
    assert uris.path(uris.from_path(place)) == place


@given(st.text(max_size=40))
def test_any_text_has_a_key(text):
    """No URI that a client may send raises."""
    uris.key(text)
    uris.path(text)


@pytest.mark.parametrize("name", ["\ud800", "a\udfffb", "%00", "\0"])
def test_a_name_that_no_file_has(name):
    """Half of a character or a zero in it: the document has no file, and its URI is still a key."""
    uri = f"file:///b/{name}.md"
    assert uris.path(uri) is None
    assert uris.key(uri) == uris.key(uri)
    assert uris.path("file:///b/😀%F0%A0%AE%B7.md") == Path("/b/😀𠮷.md")

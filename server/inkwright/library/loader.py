"""Where profiles come from, and which of two wins.

Built-in < user: a user's file of the same id takes the place of a built-in. A book may add an id and
never replace one. A file that cannot be used is a problem; the rest works.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from inkwright.domain.manuscript import Problem
from inkwright.domain.profile import Profile, ProfileKind
from inkwright.library.files import MAX_CHARS, Draft, read
from inkwright.library.registry import Library
from inkwright.library.schema import in_every_language

ROUNDS = 15
SECONDS = 600
"""The budget of an ability that names none."""

_FOLDERS: dict[str, ProfileKind] = {"abilities": "ability", "domains": "domain"}
_Key = tuple[ProfileKind, str]
_Entry = tuple[int, Profile, bool]  # order, profile, whether it extends another
_Found = tuple[ProfileKind, Draft, str]  # kind, draft, the file's stem or the skill's folder


def load(user_dir: Path | None = None, book_dir: Path | None = None) -> Library:
    """The built-in profiles, those of a user's folder, and those that a trusted book's folder adds.

    A folder holds `*.md`, `abilities/*.md`, `domains/*.md` and skill folders with a `SKILL.md`; one
    that does not exist is empty. Reads files: call it off the event loop.
    """
    entries: dict[_Key, _Entry] = {}
    problems: list[Problem] = []
    sources: list[tuple[str, Traversable]] = [("builtin", files("inkwright.library") / "builtin")]
    sources += [(o, d) for o, d in (("user", user_dir), ("book", book_dir)) if d is not None]
    for origin, folder in sources:
        below = dict(entries)
        here: dict[_Key, _Entry] = {}
        drafts: list[_Found] = []
        for found in _read(folder):
            if isinstance(found, Problem):
                problems.append(found)
            else:
                drafts.append(found)
        # Those that stand by themselves first, so that a neighbour may extend them.
        for kind, draft, stem in sorted(drafts, key=lambda found: found[1].file.extends is not None):
            key = (kind, draft.file.id or stem)
            if key in here:
                problems.append(Problem(draft.path, 0, "profile_twice", {"id": key[1]}))
            elif origin == "book" and key in below:
                problems.append(Problem(draft.path, 0, "profile_of_book_replaces", {"id": key[1]}))
            else:
                entry = _resolve(key, draft, origin, below | here)
                if isinstance(entry, Problem):
                    problems.append(entry)
                else:
                    here[key] = entry
        entries |= here
    ordered = sorted(entries.items(), key=lambda item: (item[0][0], item[1][0], item[0][1]))
    return Library({key: entry[1] for key, entry in ordered}, tuple(problems))


def _resolve(key: _Key, draft: Draft, origin: str, known: dict[_Key, _Entry]) -> _Entry | Problem:
    """The profile of a draft. It may extend one that itself extends none."""
    file = draft.file
    kind, id_ = key
    fields = dict(draft.fields)
    base: Profile | None = None
    order = file.order
    if file.extends is not None:
        entry = known.get((kind, file.extends))
        if entry is None:
            return Problem(draft.path, 0, "profile_extends_unknown", {"id": file.extends})
        if entry[2]:
            return Problem(draft.path, 0, "profile_extends_twice", {"id": file.extends})
        base = entry[1]
        if "order" not in file.model_fields_set:
            order = entry[0]
        inherited = {name: getattr(base, name) for name in Profile.__slots__}
        fields = inherited | fields
    elif kind == "ability":
        fields = {"rounds": ROUNDS, "seconds": SECONDS} | fields
    prompt = {**(base.prompt if base else {}), **draft.prompt}
    if not prompt:
        return Problem(draft.path, 0, "profile_no_prompt", {"id": id_})
    fields.setdefault("label", in_every_language({"en": id_}))
    fields.setdefault("description", in_every_language({}))
    fields |= {"id": id_, "kind": kind, "prompt": in_every_language(prompt), "origin": origin}
    return order, Profile(**fields), file.extends is not None


def _read(folder: Traversable) -> Iterator[_Found | Problem]:
    for kind, path, entry, skill in _files(folder):
        try:
            with entry.open("rb") as stream:
                data = stream.read(4 * MAX_CHARS + 1)
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            yield Problem(path, 0, "profile_not_utf8")
            continue
        except OSError:
            yield Problem(path, 0, "profile_unreadable")
            continue
        draft = read(text, path, skill=skill)
        if isinstance(draft, Problem):
            yield draft
            continue
        stem = path.split("/")[0] if skill else entry.name.removesuffix(".md")
        yield draft.file.kind or kind, draft, stem


def _files(folder: Traversable) -> Iterator[tuple[ProfileKind, str, Traversable, bool]]:
    """Kind by folder, path in the folder, the file, and whether it is a skill of another tool."""
    for entry in _listed(folder):
        if entry.name.startswith("."):
            continue
        if _is_profile(entry):
            yield "ability", entry.name, entry, False
        elif entry.is_dir():
            kind = _FOLDERS.get(entry.name)
            inside = _listed(entry)
            for file in inside:
                name = f"{entry.name}/{file.name}"
                if kind is None and file.name == "SKILL.md":
                    yield "ability", name, file, True
                elif kind is not None and _is_profile(file):
                    yield kind, name, file, False


def _is_profile(entry: Traversable) -> bool:
    """A Markdown file, or a link by such a name: one that leads nowhere is to be named, not passed over."""
    dangling = isinstance(entry, Path) and entry.is_symlink() and not entry.exists()
    return entry.name.endswith(".md") and (dangling or entry.is_file())


def _listed(folder: Traversable) -> Iterable[Traversable]:
    try:
        return sorted(folder.iterdir(), key=lambda e: e.name)
    except OSError:
        return ()

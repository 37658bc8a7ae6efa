"""What is wrong with a file of the library while it is written: all of it, where it stands, with what was meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from inkwright.domain.conversation import Locale
from inkwright.i18n import catalogue, tr
from inkwright.library.libraries import Libraries

TOOLS = {"read_chapter", "search_world_cards"}


@pytest.fixture
def reviewed(tmp_path):
    """The diagnostics of a text at a path of the user's folder, or of a book's."""
    user, root = tmp_path / "profiles", tmp_path / "book"

    def review(text: str, path: str = "abilities/new.md", *, book: bool = False):
        folder = root / ".inkwright/profiles" if book else user
        return Libraries(user, tools=lambda: TOOLS).review(
            folder / path, text, root if book else None, trusted=True
        )

    return review


def shown(text: str, found) -> list[tuple[str, str]]:
    return [(one.code, one.span.of(text)) for one in found]


FAULTS = [
    ("lable: x\n", "profile_unknown_key_near", "lable", "label"),
    ("qwxz: x\n", "profile_unknown_key", "qwxz", ""),
    ("output: edits\n", "profile_wrong_choice", "edits", "edit"),
    ('output: "edits"\n', "profile_wrong_choice", '"edits"', "edit"),
    ("scope: [a]\n", "profile_wrong_choice", "[a]", ""),
    ("rounds: many\n", "profile_wrong_number", "many", ""),
    ("rounds: -1\n", "profile_too_small", "-1", ""),
    ("rounds: 4000\n", "profile_too_large", "4000", ""),
    ("parallel: maybe\n", "profile_wrong_flag", "maybe", ""),
    ("tools: read_chapter\n", "profile_wrong_list", "read_chapter", ""),
    ("tools: [read_chaptr]\n", "profile_tool_unknown", "read_chaptr", "read_chapter"),
    ("tools:\n  - read_chapter\n  - fly\n", "profile_tool_unknown", "fly", ""),
    ("icon: Book Open\n", "profile_wrong_icon", "Book Open", ""),
    ("color: red\n", "profile_wrong_color", "red", ""),
    ("label: { zh: 甲, fr: x }\n", "profile_unknown_language", "fr", ""),
    ("description: [a]\n", "profile_wrong_texts", "[a]", ""),
    (
        "quick_actions: [{ label: 😀, mesage: y, message: z }]\n",
        "profile_unknown_key_near",
        "mesage",
        "message",
    ),
    ("quick_actions:\n  - label: 甲\n", "profile_missing_key", "label: 甲", ""),
    ("quick_actions: [3]\n", "profile_wrong_mapping", "3", ""),
    ("hints: [{ words: [], text: a }]\n", "profile_empty", "[]", ""),
    ("length: [2, 3]\n", "profile_wrong_length", "[2, 3]", ""),
    ("extends: polsh\n", "profile_extends_unknown", "polsh", "polish"),
    ("extends: summary\nid: A B\n", "profile_wrong_id", "A B", ""),
    ("id: x\nid: y\n", "profile_bad_yaml", "id: y", ""),
]


@pytest.mark.parametrize(("lines", "code", "place", "near"), FAULTS)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_a_fault_stands_where_it_is_made(reviewed, lines, code, place, near, end, bom):
    """Its place is the key or the value, whatever the line ends; what was meant is offered."""
    text = bom + f"---\n# 说明 😀\n{lines}---\n写。\n".replace("\n", end)
    (one,) = reviewed(text)
    assert (one.code, one.span.of(text)) == (code, place)
    changed = [edit.new for fix in one.fixes for change in fix.changes for edit in change.edits]
    assert changed == ([near] if near else [])


def test_all_faults_are_told(reviewed):
    """Not the first alone, and in the order of the text."""
    text = "---\nrounds: x\ncolour: red\noutput: edits\n---\n写。\n"
    assert shown(text, reviewed(text)) == [
        ("profile_wrong_number", "x"),
        ("profile_unknown_key_near", "colour"),
        ("profile_wrong_choice", "edits"),
    ]


@pytest.mark.parametrize("locale", ["zh", "en"])
@pytest.mark.parametrize("lines", [row[0] for row in FAULTS])
def test_every_fault_has_a_sentence(reviewed, lines, locale: Locale):
    """In both languages, with everything filled in."""
    (one,) = reviewed(f"---\n{lines}---\n写。\n")
    said = tr(one.code, locale, one.params)
    assert one.code in catalogue(locale)
    assert said != one.code
    assert "Input should" not in said
    assert not {"{field}", "{key}", "{keys}", "{near}", "{choices}", "{limit}"} & set(said.split())


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        ("写。\n", "profile_no_front_matter", "写。"),
        ("", "profile_no_front_matter", ""),
        ("---\nlabel: [\n---\n写。\n", "profile_bad_yaml", "---"),
        ("---\nlabel: 甲\n---\n", "profile_no_prompt", "---"),
    ],
)
def test_a_file_that_is_none(reviewed, text, code, place):
    """Without a header, with one that cannot be read, without a prompt: told on a line that is there."""
    assert shown(text, reviewed(text)) == [(code, place)]


def test_an_id_that_is_taken(reviewed, tmp_path):
    """A book's may not be that of another one, a user's may; two files of one folder may not share one."""
    text = "---\nid: polish\n---\n写。\n"
    assert shown(text, reviewed(text, book=True)) == [("profile_of_book_replaces", "polish")]
    assert reviewed(text) == ()
    folder = tmp_path / "book/.inkwright/profiles/abilities"
    folder.mkdir(parents=True)
    (folder / "a.md").write_text("---\nid: mine\n---\nx\n")
    text = "---\nid: mine\n---\n写。\n"
    assert shown(text, reviewed(text, book=True)) == [("profile_twice", "mine")]
    assert reviewed(text, "abilities/a.md", book=True) == ()


def test_a_pipeline(reviewed):
    """Its steps, their tools, and what stands in its body."""
    text = "---\nsteps:\n  - name: one\n    tols: []\n    each: page\n---\n## one\n写。\n"
    assert shown(text, reviewed(text, "pipelines/p.md")) == [
        ("profile_unknown_key_near", "tols"),
        ("profile_wrong_choice", "page"),
    ]
    text = "---\nsteps:\n  - name: one\n    tools: [fly]\n---\n## two\n写。\n"
    assert shown(text, reviewed(text, "pipelines/p.md")) == [("pipeline_step_unknown", "## two")]
    text = "---\nsteps:\n  - name: one\n    tools: [fly]\n---\n## one\n写。\n"
    assert shown(text, reviewed(text, "pipelines/p.md")) == [("profile_tool_unknown", "fly")]


def test_a_domain_without_its_pipeline(reviewed):
    """It works without; what was meant is offered."""
    text = "---\npipeline: brekdown\n---\n写。\n"
    (one,) = reviewed(text, "domains/d.md")
    assert (one.severity, one.fixes[0].params) == ("warning", {"near": "breakdown"})


def test_a_skill_of_another_tool(reviewed):
    """Its own keys are not held against it; ours in it are looked at where they stand."""
    text = "---\nname: 甲\nlicense: MIT\nreasoning: much\n---\n写。\n"
    assert shown(text, reviewed(text, "甲/SKILL.md")) == [("profile_wrong_choice", "much")]


@pytest.mark.parametrize("path", ["a/b/c.md", ".hidden.md", "notes.txt", "x/readme.md", "abilities/.x.md"])
def test_other_files_are_none_of_ours(reviewed, path):
    """What no library reads is not looked at."""
    assert reviewed("写。", path) == ()


def test_what_is_built_in_has_no_fault(reviewed):
    """Every file of the package, read as if it were being written."""
    builtin = Path(__file__).parents[3] / "server/inkwright/library/builtin"
    for file in sorted(builtin.rglob("*.md")):
        said = Libraries(builtin).review(file, file.read_text("utf-8"), None, trusted=True)
        assert said == (), file.name

"""Profile files: built-in, user's, a book's; and the broken ones."""

from __future__ import annotations

import os

import pytest

from inkwright.library.loader import load

MINIMAL = "---\nid: {id}\n---\n{body}\n"


@pytest.fixture
def write(tmp_path):
    def write(path, text):
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode() if isinstance(text, str) else text)
        return tmp_path

    return write


def only(problems):
    (problem,) = problems
    return (problem.path, problem.line, problem.code)


def test_a_file_is_all_it_takes(write):
    """One new file adds an ability; id from the file's name, kind from the folder, one text for both languages."""
    folder = write("abilities/haiku.md", "---\nlabel: Haiku\ncolor: '#123456'\n---\nWrite a haiku.\n")
    write("domains/play.md", "---\n---\nA play.\n")
    library = load(folder)
    assert only(library.problems)[0] == "domains/play.md"
    haiku = library.ability("haiku")
    assert haiku.label == {"zh": "Haiku", "en": "Haiku"}
    assert haiku.prompt == {"zh": "Write a haiku.", "en": "Write a haiku."}
    assert haiku.origin == "user"


def test_a_text_in_one_language_stands_in_for_the_other(write):
    """Labels, descriptions, quick actions, hints and prompts: no client and no model finds one missing."""
    folder = write(
        "x.md",
        "---\nlabel: {zh: 我的}\ndescription: {en: Mine}\n"
        "quick_actions: [{label: {zh: 快}, message: {en: go}}]\n"
        "hints: [{words: [快], text: {zh: 提示}}]\n---\n<!-- zh -->\n提示词\n",
    )
    mine = load(folder).ability("x")
    (action,), (hint,) = mine.quick_actions, mine.hints
    texts = [mine.label, mine.description, action.label, action.message, hint.text, mine.prompt]
    assert [text["zh"] for text in texts] == ["我的", "Mine", "快", "go", "提示", "提示词"]
    assert all(text["en"] == text["zh"] for text in texts)


def test_an_ability_that_names_no_budget_has_one(write):
    """15 rounds and 600 s, as for an unknown ability; 0 in the file is the user's own word; a domain sets none."""
    folder = write("x.md", MINIMAL.format(id="x", body="x"))
    write("y.md", "---\nid: y\nrounds: 0\nseconds: 9\n---\ny\n")
    write("domains/d.md", MINIMAL.format(id="d", body="d"))
    library = load(folder)
    assert (library.ability("x").rounds, library.ability("x").seconds) == (15, 600)
    assert (library.ability("y").rounds, library.ability("y").seconds) == (0, 9)
    assert (library.domain("d").rounds, library.domain("d").seconds) == (0, 0)


def test_a_user_replaces_a_builtin(write):
    """The user's file of the same id and kind wins, and keeps no field of the other."""
    library = load(write("polish.md", MINIMAL.format(id="polish", body="Mine.")))
    polish = library.ability("polish")
    assert (polish.prompt["en"], polish.rounds, polish.tools) == ("Mine.", 15, ())
    assert library.problems == ()


def test_a_book_only_adds(write, tmp_path):
    """A book's profile with a new id is there; one with a known id is ignored and named."""
    write("book/haiku.md", MINIMAL.format(id="haiku", body="Theirs."))
    write("book/polish.md", MINIMAL.format(id="polish", body="Theirs."))
    library = load(None, tmp_path / "book")
    assert library.ability("haiku").origin == "book"
    assert library.ability("polish").origin == "builtin"
    assert only(library.problems) == ("polish.md", 0, "profile_of_book_replaces")


def test_the_same_id_of_another_kind_is_another_profile(write):
    """Look-up is by id and kind."""
    library = load(write("domains/polish.md", MINIMAL.format(id="polish", body="A domain.")))
    assert library.domain("polish").prompt["en"] == "A domain."
    assert library.ability("polish").origin == "builtin"


def test_extends_takes_field_by_field(write):
    """What the file says wins, all else comes from the base: prompt by language, order too."""
    folder = write("my.md", "---\nid: my\nextends: polish\nrounds: 7\n---\n<!-- en -->\nShort.\n")
    library = load(folder)
    mine, base = library.ability("my"), library.ability("polish")
    assert (mine.rounds, mine.seconds, mine.tools, mine.output) == (7, base.seconds, base.tools, "edit")
    assert mine.prompt == {"zh": base.prompt["zh"], "en": "Short."}
    assert mine.label == base.label
    assert mine.origin == "user"


def test_a_builtin_is_changed_by_extending_itself(write):
    """`id: polish, extends: polish` changes one field of the built-in."""
    library = load(write("polish.md", "---\nid: polish\nextends: polish\nrounds: 9\n---\n"))
    assert library.problems == ()
    assert (library.ability("polish").rounds, library.ability("polish").seconds) == (9, 240)


def test_extends_is_one_level(write):
    """A neighbour may be extended, whatever the order of files; one that itself extends may not."""
    folder = write("a.md", "---\nid: a\nextends: z\n---\n")
    write("z.md", MINIMAL.format(id="z", body="Base."))
    write("b.md", "---\nid: b\nextends: a\n---\n")
    write("c.md", "---\nid: c\nextends: nobody\n---\n")
    library = load(folder)
    assert library.ability("a").prompt["en"] == "Base."
    assert {(p.path, p.line, p.code) for p in library.problems} == {
        ("b.md", 2, "profile_extends_twice"),
        ("c.md", 2, "profile_extends_unknown"),
    }


def test_bodies_by_language(write):
    """A body is one text for both, or one for each under its mark; CRLF and a BOM are nothing special."""
    text = "\ufeff---\r\nid: x\r\n---\r\n<!-- zh -->\r\n中。\r\n\r\n<!-- en -->\r\nE.\r\n"
    assert load(write("x.md", text)).ability("x").prompt == {"zh": "中。", "en": "E."}


@pytest.mark.parametrize(
    ("text", "line", "code"),
    [
        ("no front matter", 0, "profile_no_front_matter"),
        ("---\n- a\n---\nx", 1, "profile_no_front_matter"),
        ("---\nid: x\nlabel: [\n---\nx", 3, "profile_bad_yaml"),
        ("---\nid: x\nid: y\n---\nx", 2, "profile_bad_yaml"),
        ("---\nid: &a x\nlabel: *a\n---\nx", 2, "profile_bad_yaml"),
        ("---\nid: x\ncolour: red\n---\nx", 2, "profile_unknown_key_near"),
        ("---\nid: x\ncolor: red\n---\nx", 2, "profile_wrong_color"),
        ("---\nid: x\nlength: [0.5]\n---\nx", 2, "profile_wrong_length"),
        ("---\nid: x\nlength: [2, 3]\n---\nx", 2, "profile_wrong_length"),
        ("---\nid: x\nlength: [0.5, 1000]\n---\nx", 2, "profile_wrong_length"),
        ("---\nid: x\nallows: [everything]\n---\nx", 2, "profile_wrong_choice"),
        ("---\nid: x\nlabel: 2024-99-99\n---\nx", 1, "profile_bad_yaml"),
        ("---\nid: x\nrounds: many\n---\nx", 2, "profile_wrong_number"),
        (
            "---\nid: x\n\nhints:\n  - words: [a]\n    text: b\n  - words: []\n    text: c\n---\nx",
            6,
            "profile_empty",
        ),
        ("---\nid: ../x\n---\nx", 1, "profile_wrong_id"),
        ("---\nid: x\nkind: thing\n---\nx", 2, "profile_wrong_choice"),
        ("---\nid: x\n---\n \n", 0, "profile_no_prompt"),
        (b"---\nid: x\n---\n\xd6\xd0", 0, "profile_not_utf8"),
        ("---\nid: x\n---\n" + "x" * 100_001, 0, "profile_too_long"),
        ("---\nid: x\nlabel: " + "[" * 1500 + "\n---\nx", 2, "profile_bad_yaml"),
    ],
)
def test_a_broken_file_is_named_and_the_rest_works(write, text, line, code):
    """File, line and what is wrong; every other profile is there."""
    folder = write("bad.md", text)
    write("good.md", MINIMAL.format(id="good", body="Fine."))
    library = load(folder)
    assert only(library.problems) == ("bad.md", line, code)
    assert library.ability("good")
    assert {p.id for p in library.abilities()} - {p.id for p in load().abilities()} == {"good"}


def test_two_of_one_id(write):
    """In one folder the first file of an id is used, and the second named."""
    folder = write("a.md", MINIMAL.format(id="x", body="A."))
    write("b.md", MINIMAL.format(id="x", body="B."))
    library = load(folder)
    assert library.ability("x").prompt["en"] == "A."
    assert only(library.problems) == ("b.md", 0, "profile_twice")


def test_a_missing_folder_is_empty(tmp_path):
    """No folder, no problem; neither are hidden files and other types."""
    (tmp_path / ".hidden.md").write_text("x")
    (tmp_path / "notes.txt").write_text("x")
    assert load(tmp_path / "nowhere", tmp_path).problems == ()


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_an_unreadable_file_is_named(write, tmp_path):
    """A file without permission is a problem, not a crash."""
    write("x.md", MINIMAL.format(id="x", body="x"))
    (tmp_path / "x.md").chmod(0)
    assert only(load(tmp_path).problems) == ("x.md", 0, "profile_unreadable")


def test_a_loop_of_links_is_named(tmp_path):
    """A file that links to itself is a problem, not a crash."""
    (tmp_path / "x.md").symlink_to(tmp_path / "x.md")
    assert only(load(tmp_path).problems) == ("x.md", 0, "profile_unreadable")


SKILL = """---
name: Polish Dialogue
description: Tighten dialogue. 精简对白。
scope: selection          # selection | scene | chapter | book
output: edit
tools: [search_world_cards, no_such_tool]
model: default
reasoning: off
license: MIT
---
Rewrite only the dialogue.
"""


def test_a_skill_with_a_chinese_name_is_known_by_its_folder(write):
    """Its label is the name, its id the folder's name."""
    library = load(write("tighten/SKILL.md", "---\nname: 精简对白\ndescription: d\n---\nBody.\n"))
    assert library.problems == ()
    assert library.ability("tighten").label["zh"] == "精简对白"


def test_a_skill_folder_of_other_tools(write):
    """`SKILL.md` in a folder of its own is an ability; what we have no use for is left out."""
    library = load(write("polish-dialogue/SKILL.md", SKILL))
    assert library.problems == ()
    skill = library.ability("polish-dialogue")
    assert (skill.scope, skill.output, skill.model, skill.effort) == ("selection", "edit", "", "off")
    assert skill.tools == ("search_world_cards", "no_such_tool")
    assert skill.description["zh"].startswith("Tighten")


def test_a_skill_that_is_no_file_is_passed_over(tmp_path):
    """A pipe by the name of a skill would be waited for without end."""
    (tmp_path / "pipe").mkdir()
    os.mkfifo(tmp_path / "pipe" / "SKILL.md")
    os.mkfifo(tmp_path / "other.md")
    assert load(tmp_path).problems == ()


def test_a_tool_that_is_not_there_is_a_warning(write):
    """The profile works; file, line and the names are told, once for a file."""
    folder = write("polish-dialogue/SKILL.md", SKILL)
    library = load(folder, tools={"search_world_cards", "read_chapter"})
    assert library.ability("polish-dialogue") is not None
    (problem,) = [p for p in library.problems if p.path.startswith("polish")]
    assert (problem.line, problem.code) == (5, "profile_tools_unknown")
    assert problem.params == {"tools": "no_such_tool"}


def test_a_domain_may_name_a_pipeline_that_is_there(write):
    """One of its neighbours or a built-in; one that is not there is told of, and the domain stands without."""
    folder = write("domains/a.md", "---\npipeline: mine\n---\nA.\n")
    write("domains/b.md", "---\nid: b\npipeline: note\n---\nB.\n")
    write("domains/c.md", "---\nid: c\npipeline: nope\n---\nC.\n")
    write("pipelines/mine.md", "---\nsteps: [{name: one}]\n---\n## one\nDo it.\n")
    library = load(folder)
    assert [library.domain(id_).pipeline for id_ in "abc"] == ["mine", "note", ""]
    assert only(library.problems) == ("domains/c.md", 2, "profile_pipeline_unknown")


def test_length_is_the_profiles_own(write):
    """Two shares of the passage, taken over by `extends`."""
    folder = write("x.md", "---\nid: x\noutput: edit\nlength: [0.1, 3]\n---\nx\n")
    write("y.md", "---\nid: y\nextends: x\n---\n")
    library = load(folder)
    assert library.ability("x").length == library.ability("y").length == (0.1, 3.0)
    assert library.ability("polish").length is None


def test_an_ability_names_the_findings_that_it_is_for(write):
    """Codes of the guard, each once, taken over by `extends`; the built-in abilities name theirs."""
    folder = write("x.md", "---\nid: x\noutput: edit\nallows: [quote_lost, quote_lost]\n---\nx\n")
    write("y.md", "---\nid: y\nextends: x\n---\n")
    library = load(folder)
    assert library.ability("x").allows == library.ability("y").allows == ("quote_lost",)
    assert library.ability("polish").allows == ()
    assert "paragraphs_lost" in library.ability("shorten").allows

"""Pipeline files: steps in front matter, instructions below; and the broken ones."""

from __future__ import annotations

import pytest

from inkwright.domain.profile import PipelineStep
from inkwright.library.loader import load

HEAD = "---\nsteps: [{name: one}, {name: two}]\n---\n"


@pytest.fixture
def write(tmp_path):
    def write(path, text):
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())
        return tmp_path

    return write


def test_a_file_is_all_it_takes(write):
    """Id from the file's name, defaults for what is not said, one text for both languages."""
    library = load(
        write("pipelines/mine.md", f"{HEAD}\n## one\n\nFirst.\n\n### Inside\n- a\n## two ##\nThen.\n")
    )
    assert library.problems == ()
    mine = library.pipeline("mine")
    assert (mine.id, mine.label["zh"], mine.origin) == ("mine", "mine", "user")
    text = "First.\n\n### Inside\n- a"
    assert mine.steps[0] == PipelineStep("one", {"zh": "one", "en": "one"}, {"zh": text, "en": text})
    assert mine.steps[1].instruction["en"] == "Then."
    assert [p.id for p in library.pipelines()] == ["breakdown", "note", "mine"]


def test_every_field(write):
    """What a step says is what it does."""
    library = load(
        write(
            "pipelines/x.md",
            "\ufeff---\r\nid: mine\r\norder: 1\r\nlabel: {zh: 我的, en: Mine}\r\ndescription: {zh: 说明}\r\nsteps:\r\n"
            "  - name: one\r\n    label: {zh: 一}\r\n    tools: [a, b, a]\r\n    rounds: 7\r\n"
            "    each: chapter\r\n    passage: false\r\n---\r\n"
            "<!-- zh -->\r\n## one\r\n做。\r\n<!-- en -->\r\n## one\r\nDo.\r\n",
        )
    )
    (step,) = library.pipeline("mine").steps
    assert (step.tools, step.rounds, step.each, step.passage) == (("a", "b"), 7, "chapter", False)
    assert step.label == {"zh": "一", "en": "一"}
    assert step.instruction == {"zh": "做。", "en": "Do."}
    assert library.pipelines()[0].id == "mine"


def test_a_language_without_an_instruction_takes_the_others(write):
    """No step is without a word in any language."""
    folder = write("pipelines/x.md", f"{HEAD}<!-- zh -->\n## one\n一\n## two\n二\n<!-- en -->\n## two\n2\n")
    one, two = load(folder).pipeline("x").steps
    assert one.instruction == {"zh": "一", "en": "一"}
    assert two.instruction == {"zh": "二", "en": "2"}


@pytest.mark.parametrize(
    ("text", "line", "code"),
    [
        ("nothing", 0, "profile_no_front_matter"),
        ("---\nsteps: []\n---\n", 1, "profile_empty"),
        ("---\nid: x\n---\n## one\nx\n", 1, "profile_missing_key"),
        ("---\nsteps:\n  - name: one\n    rounds: 0\n---\n## one\nx\n", 3, "profile_too_small"),
        ("---\nsteps:\n  - name: one\n    each: page\n---\n## one\nx\n", 3, "profile_wrong_choice"),
        ("---\nsteps:\n  - name: One!\n---\n## One!\nx\n", 2, "profile_wrong_id"),
        ("---\nsteps:\n  - name: one\n    tool: x\n---\n## one\nx\n", 3, "profile_unknown_key_near"),
        ("---\nsteps:\n  - name: one\n  - name: one\n---\n## one\nx\n", 3, "pipeline_step_twice"),
        ("---\nsteps: [{name: one}]\n---\n## one\nx\n\n## one\ny\n", 6, "pipeline_step_twice"),
        ("---\nsteps: [{name: one}]\n---\n## one\nx\n\n## Two\ny\n", 6, "pipeline_step_unknown"),
        ("---\nsteps: [{name: one}]\n---\n\nHello.\n## one\nx\n", 4, "pipeline_text_outside"),
        ("---\nsteps: [{name: one}]\n---\n## one\nx\n<!-- zh -->\n## one\ny\n", 3, "pipeline_text_outside"),
        ("---\nsteps: [{name: one}]\n---\n<!-- zh -->\n\ny\n## one\nx\n", 5, "pipeline_text_outside"),
        (
            "---\nsteps:\n  - name: one\n  - name: two\n---\n## one\nx\n",
            3,
            "pipeline_step_without_instruction",
        ),
        ("---\nsteps: [{name: one}]\n---\n## one\n \n", 1, "pipeline_step_without_instruction"),
        ("---\nsteps: [{name: one}]\n---\n", 1, "pipeline_step_without_instruction"),
    ],
)
def test_a_broken_file_is_named_and_the_rest_works(write, text, line, code):
    """File, line and what is wrong; every other pipeline is there."""
    folder = write("pipelines/bad.md", text)
    write("pipelines/good.md", "---\nsteps: [{name: one}]\n---\n## one\nx\n")
    library = load(folder)
    (problem,) = library.problems
    assert (problem.path, problem.line, problem.code) == ("pipelines/bad.md", line, code)
    assert library.pipeline("bad") is None
    assert library.pipeline("good") is not None


def test_a_user_replaces_a_builtin_and_a_book_only_adds(write, tmp_path):
    """The same rules as for profiles."""
    text = "---\nsteps: [{name: one}]\n---\n## one\nx\n"
    write("user/pipelines/note.md", text)
    write("book/pipelines/breakdown.md", text)
    write("book/pipelines/mine.md", text)
    library = load(tmp_path / "user", tmp_path / "book")
    assert [(p.id, p.origin) for p in library.pipelines()] == [
        ("breakdown", "builtin"),
        ("mine", "book"),
        ("note", "user"),
    ]
    (problem,) = library.problems
    assert (problem.path, problem.code) == ("pipelines/breakdown.md", "profile_of_book_replaces")


def test_two_of_one_id(write):
    """In one folder the first file of an id is used, and the second named."""
    folder = write("pipelines/a.md", "---\nid: x\nsteps: [{name: one}]\n---\n## one\nA\n")
    write("pipelines/b.md", "---\nid: x\nsteps: [{name: one}]\n---\n## one\nB\n")
    library = load(folder)
    assert library.pipeline("x").steps[0].instruction["en"] == "A"
    (problem,) = library.problems
    assert (problem.path, problem.code) == ("pipelines/b.md", "profile_twice")


def test_a_tool_that_is_not_there_is_a_warning_on_its_line(write):
    """The pipeline is there all the same."""
    folder = write(
        "pipelines/x.md",
        "---\nsteps:\n  - name: one\n    tools: [read_chapter, shell]\n---\n## one\nx\n",
    )
    library = load(folder, tools={"read_chapter"})
    assert library.pipeline("x") is not None
    (problem,) = [p for p in library.problems if p.path == "pipelines/x.md"]
    assert (problem.line, problem.code, problem.params) == (3, "profile_tools_unknown", {"tools": "shell"})

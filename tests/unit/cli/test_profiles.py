"""`profiles`: what there is, what two of them make, and whose book may bring its own."""

from __future__ import annotations

import json

import pytest

HAIKU = "---\nid: haiku\nlabel: 俳句\n---\n写一首俳句。\n"


@pytest.fixture
def owned(book):
    """The book with a profile of its own."""
    folder = book / ".inkwright" / "profiles"
    folder.mkdir(parents=True)
    (folder / "haiku.md").write_text(HAIKU, "utf-8")
    return book


def test_everything_is_listed_with_its_origin(call):
    """Abilities, domains, pipelines; no prompt and no instruction."""
    status, out, _ = call("profiles", "--json")
    listed = json.loads(out)
    assert status == 0
    assert [p["id"] for p in listed["profiles"] if p["kind"] == "domain"] == [
        "novel",
        "thesis",
        "breakdown",
        "note",
    ]
    assert {p["origin"] for p in [*listed["profiles"], *listed["pipelines"]]} == {"builtin"}
    assert [(p["id"], [s["name"] for s in p["steps"]]) for p in listed["pipelines"]] == [
        ("breakdown", ["split", "distil", "cards"]),
        ("note", ["organise", "concepts", "cards", "quiz"]),
    ]
    assert "prompt" not in out
    assert "instruction" not in out
    plain = call("profiles")[1]
    assert "pipeline breakdown" in plain


def test_an_effective_profile_is_explained_field_by_field(call):
    """Each field with where it came from; the pipeline with its steps."""
    _, out, _ = call(
        "profiles", "--explain", "polish", "--domain", "note", "--message", "公式与语法", "--json"
    )
    made = json.loads(out)
    assert made["tools"][-3:] == ["list_book_chapters", "split_chapter", "create_note_card"]
    assert (made["mode"], made["pipeline"], made["length"]) == ("react", "note", None)
    assert [s["name"] for s in made["steps"]] == ["organise", "concepts", "cards", "quiz"]
    assert made["steps"][3]["each"] == "chapter"
    assert all(step["instruction"] for step in made["steps"])
    origins = made["origins"]
    assert origins["tools"] == "ability polish (builtin) + domain note (builtin)"
    assert origins["hints"] == "domain note (builtin) + ability polish (builtin)"
    assert (origins["pipeline"], origins["steps"]) == ("domain note (builtin)", "pipeline note (builtin)")
    _, text, _ = call("profiles", "--explain", "polish", "--domain", "note")
    assert "<- domain note (builtin)" in text
    assert "- name: quiz" in text


def test_what_is_unknown_is_explained_by_what_stands_in(call):
    """The fall-backs are visible."""
    made = json.loads(call("profiles", "--explain", "nope", "--domain", "nope", "--json")[1])
    assert (made["ability"], made["domain"], made["abilityMatched"]) == ("writing", "novel", False)
    assert (made["rounds"], made["origins"]["rounds"]) == (15, "fallback")
    assert "steps" not in made


def test_a_books_own_are_listed_where_it_is_trusted(call, owned, monkeypatch):
    """Otherwise it is said, once, with what to do."""
    status, out, err = call("profiles", owned, "--json")
    assert status == 0
    assert "haiku" not in out
    assert err.count("trustedFolders") == 1
    monkeypatch.setenv("INKWRIGHT_TRUSTED_FOLDERS", str(owned.parent))
    status, out, err = call("profiles", owned, "--json")
    assert [p["origin"] for p in json.loads(out)["profiles"] if p["id"] == "haiku"] == ["book"]
    assert err == ""
    assert "haiku" not in call("profiles")[1]


def test_a_book_is_explained_in_its_own_domain(call, book):
    """`--domain` asks for another."""
    (book / "book.toml").write_text('type = "breakdown"\n', "utf-8")
    for argv, domain in (((), "breakdown"), (("--domain", "novel"), "novel")):
        made = json.loads(call("profiles", book, "--explain", "polish", *argv, "--json")[1])
        assert made["domain"] == domain


def test_the_doctor_tells_of_profiles_that_are_not_used(call, owned, home):
    """As a remark: nothing is broken. So is a tool that is not there."""
    folder = home / ".config" / "inkwright" / "profiles" / "theirs"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text("---\nname: theirs\ntools: [shell]\n---\nDo it.\n", "utf-8")
    status, out, _ = call("doctor", owned, "--json")
    checks = [c for c in json.loads(out)["checks"] if c["name"] == "profiles"]
    assert status == 0
    assert {c["code"] for c in checks} == {"profiles_untrusted", "profile_remark"}
    assert str(owned) in next(c["message"] for c in checks if c["code"] == "profiles_untrusted")
    assert "shell" in next(c["message"] for c in checks if c["code"] == "profile_remark")

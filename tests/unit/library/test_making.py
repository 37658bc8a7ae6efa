"""A new ability's file: a template that works as it is, under a name that is free."""

from __future__ import annotations

import pytest

from inkwright.domain.errors import InkwrightError
from inkwright.library import making
from inkwright.library.loader import load


@pytest.mark.parametrize("locale", ["zh", "en"])
@pytest.mark.parametrize("name", ["Tight", '他说："好"', "a: b # c", "{x}", "no", "- 1"])
def test_the_template_works(tmp_path, locale, name):
    """It is an ability of that name, without a problem."""
    name, id_ = making.identified(name, "", load())
    making.write(tmp_path, id_, making.template(name, id_, locale))
    library = load(tmp_path)
    assert library.problems == ()
    assert library.ability(id_).label[locale] == name
    assert library.ability(id_).origin == "user"


@pytest.mark.parametrize("id_", ["1", "1e5", "2024-02-30", "0x_", "0b_", "null", "yes", "y", "x-"])
def test_an_id_that_yaml_would_take_for_something_else_stays_as_it_is(tmp_path, id_):
    """Numbers, dates that there are not, words for true and false."""
    making.write(tmp_path, id_, making.template("Some name", id_, "en"))
    library = load(tmp_path)
    assert library.problems == ()
    assert library.ability(id_).id == id_


@pytest.mark.parametrize("locale", ["zh", "en"])
def test_every_line_that_waits_works_when_it_is_used(tmp_path, locale):
    """With the mark taken away from every field that the template offers, it still is one without a problem."""
    text = making.template("x", "x", locale)
    used = []
    for line in text.split("\n"):
        offered = line.startswith("# ") and (
            line.endswith(":") or ": " in line or line.startswith(("#   ", "# -"))
        )
        field = line[2:].split(":")[0].strip(" -").isidentifier()
        used.append(line[2:] if offered and field and not line.endswith(("：", "for you:")) else line)
    (tmp_path / "x.md").write_text("\n".join(used), "utf-8")
    library = load(tmp_path)
    assert library.problems == ()
    made = library.ability("x")
    assert made.quick_actions
    assert made.hints
    assert made.tools
    assert made.color == "#6366f1"


@pytest.mark.parametrize(
    ("name", "given", "id_"),
    [
        ("My Ability", "", "my-ability"),
        ("古风润色", "", "ability-1"),
        ("古风 Polish", "", "ability-1"),
        ("古风润色", "gufeng", "gufeng"),
        ("  x ", "", "x"),
        ("no", "", "no"),
        ("2024", "", "2024"),
    ],
)
def test_ids(name, given, id_):
    """From the name's letters, or numbered, or as given."""
    assert making.identified(name, given, load()) == (name.strip(), id_)


@pytest.mark.parametrize(
    ("name", "given", "code"),
    [
        ("", "", "profile_bad_name"),
        ("  ", "", "profile_bad_name"),
        ("a\nb", "", "profile_bad_name"),
        ("x" * 61, "", "profile_bad_name"),
        ("x", "../x", "profile_bad_id"),
        ("x", "X", "profile_bad_id"),
        ("x", "con", "profile_bad_id"),
        ("Polish", "", "profile_exists"),
        ("润色优化", "", "profile_exists"),
        ("x", "polish", "profile_exists"),
    ],
)
def test_names_that_cannot_be(name, given, code):
    """Each is refused with its own reason."""
    with pytest.raises(InkwrightError) as raised:
        making.identified(name, given, load())
    assert raised.value.fault.code == code


def test_numbers_go_on(tmp_path):
    """A second ability without Latin letters gets the next number."""
    making.write(tmp_path, "ability-1", making.template("甲", "ability-1", "zh"))
    assert making.identified("乙", "", load(tmp_path)) == ("乙", "ability-2")


def test_a_file_has_its_name_for_itself(tmp_path):
    """One that is broken, of another id or written in capitals is nobody's ability, and its name is taken all the same."""
    for name in ("ability-1.md", "Ability-2.md", "TIGHT.md"):
        making.write(tmp_path, name.removesuffix(".md"), "---\nid: [\n---\n")
    there = making.present(tmp_path)
    assert making.identified("乙", "", load(tmp_path), there) == ("乙", "ability-3")
    with pytest.raises(InkwrightError) as raised:
        making.identified("Tight", "", load(tmp_path), there)
    assert (raised.value.fault.code, raised.value.fault.params["id"]) == ("profile_exists", "tight")
    assert making.present(tmp_path / "none") == frozenset()


def test_a_file_is_never_overwritten(tmp_path):
    """One that is there stays as it is, whatever it is."""
    file = tmp_path / "abilities/x.md"
    file.parent.mkdir()
    file.write_text("mine")
    with pytest.raises(InkwrightError) as raised:
        making.write(tmp_path, "x", "new")
    assert raised.value.fault.code == "profile_exists"
    assert file.read_text() == "mine"


def test_a_place_that_cannot_be_written(tmp_path):
    """A file where the folder should be is told of."""
    (tmp_path / "abilities").write_text("")
    with pytest.raises(InkwrightError) as raised:
        making.write(tmp_path, "x", "new")
    assert raised.value.fault.code == "profile_unwritable"

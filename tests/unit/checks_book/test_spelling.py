"""Misspelt names: found where a hand slips, and nowhere else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkwright.checks.book import alike
from inkwright.checks.book.alike import Speller
from inkwright.checks.book.nearest import distance, nearest
from inkwright.domain.cards import Card

PEOPLE = {
    "cards/王熙凤.md": "---\ntype: character\naliases: [凤姐, 琏二奶奶]\n---\n",
    "cards/诸葛亮.md": "---\ntype: character\naliases: [孔明]\n---\n",
    "cards/长安城.md": "---\ntype: location\n---\n",
    "cards/Elizabeth.md": "---\ntype: character\nname: Elizabeth Bennet\naliases: [Julia]\n---\n",
}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("王熙风来了。", ["王熙风"]),
        ("王希凤与王凤熙。", ["王希凤", "王凤熙"]),
        ("王熙凤来了，凤姐笑。", []),
        ("王熙文来了。", []),
        ("诸葛靓来了，诸葛良也来了。", []),
        ("诸各亮来了。", ["诸各亮"]),
        ("他在长安成了亲。", []),
        ("她见Elizabeth Bennett来了。", ["Bennett"]),
        ("She saw Elizabeht and Miss Bennett there.", ["Elizabeht", "Bennett"]),
        ("The Bennets came, and Bennet's aunt, and Elizabeth’s.", []),
        ("Bonnet after bonnet was tried on by Miss Bonnet.", []),
        ("She saw Julie and Julio.", []),
        ("`王熙风` <!-- 王熙风 -->", []),
    ],
)
async def test_slips(write, text, told):
    """One character that sounds or looks alike, two that changed places, one letter: no more than that."""
    book = await write({**PEOPLE, "第1章.md": f"# 第1章\n\n{text}\n"})
    assert [piece for _, piece in book.told("第1章.md", "name_misspelt")] == told


async def test_a_name_that_stands_often_is_a_name(write):
    """What a chapter calls somebody again and again is no slip."""
    book = await write({**PEOPLE, "第1章.md": "# 第1章\n\n" + "王希凤来了。\n\n" * 5})
    assert book.say("第1章.md", "name_misspelt") == []


async def test_the_name_of_another_card_is_never_a_slip(write):
    """However near two names are, both are right."""
    both = {**PEOPLE, "cards/王熙风.md": "---\ntype: character\n---\n"}
    book = await write({**both, "第1章.md": "# 第1章\n\n王熙风与王熙凤。\n"})
    assert book.say("第1章.md", "name_misspelt") == []


LETTERS = st.text("abcdé凤风", max_size=6)


@given(LETTERS, LETTERS, st.integers(0, 3))
def test_the_distance_is_symmetric_and_limited(a, b, limit):
    """Zero only for the same, one for a swap of neighbours, never above the limit and one."""
    found = distance(a, b, limit)
    assert found == distance(b, a, limit) <= limit + 1
    assert (found == 0) == (a == b)
    assert abs(len(a) - len(b)) <= found or found == limit + 1


@given(st.text("abcdef", min_size=5, max_size=8), st.data())
def test_a_slip_of_one_letter_is_found(name, data):
    """Whatever letter within the name is changed, left out, doubled or swapped: the name is the nearest."""
    at = data.draw(st.integers(1, len(name) - 2))
    slips = [name[:at] + "x" + name[at + 1 :], name[:at] + name[at + 1 :], name[:at] + "x" + name[at:]]
    assert all(nearest(slip, [name, "zzzzz"]) == (name,) for slip in slips)
    speller = Speller([Card("a.md", name.capitalize(), "character", "character")])
    assert [slip.better for slip in speller.latin(f"saw {slips[0].capitalize()} there")] == [
        name.capitalize()
    ]


def test_what_stands_for_many_names_is_looked_at_once(monkeypatch):
    """Hundreds of names that differ in one character, over a long text, cost each different word one look a name."""
    names = tuple(f"林夏{chr(0x4E00 + i)}" for i in range(300))
    speller = Speller([Card("a.md", names[0], "character", "character", names[1:])])
    looks = []
    real = alike._is_slip
    monkeypatch.setattr(alike, "_is_slip", lambda found, name: looks.append(found) or real(found, name))
    text = "林夏说，" * 2000
    assert not list(speller.han(text))
    assert len(looks) <= len(names)

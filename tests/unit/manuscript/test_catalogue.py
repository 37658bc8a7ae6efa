"""What the catalogue answers hangs on what it was told, not on who asked when."""

from __future__ import annotations

from inkwright.domain.cards import Card
from inkwright.manuscript.catalogue import Catalogue
from inkwright.manuscript.layouts import Place
from inkwright.manuscript.leaf import Leaf


def leaf(name: str) -> Leaf:
    card = Card("a.md", name, "character", "character")
    return Leaf("a.md", "card", Place("card", "character"), name.encode(), card=card)


def test_a_question_for_the_cards_hides_no_new_name() -> None:
    """Cards that are asked for between a change and the dictionary that it calls for are in that dictionary."""
    catalogue = Catalogue()
    catalogue.put("a.md", leaf("周衡"))
    assert catalogue.refresh_dictionary()
    catalogue.put("a.md", leaf("林夏"))
    assert [card.name for card in catalogue.cards()] == ["林夏"]
    assert catalogue.refresh_dictionary()
    assert not catalogue.refresh_dictionary()
    assert catalogue.dictionary.touches("林夏来了。", frozenset({"林夏"}))

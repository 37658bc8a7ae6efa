"""Names that two cards have, and names in front matter that none has."""

from __future__ import annotations

from inkwright.manuscript import cards, frontmatter, markdown

LIN = "---\ntype: character\naliases: [小夏, 林姑娘]\n---\n药铺学徒。\n"


async def test_a_name_of_two_cards_is_told_on_both(write):
    """Each card says it, at the name itself, and points at the other one."""
    book = await write(
        {
            "cards/林夏.md": "---\ntype: character\n---\n# 林夏\n",
            "cards/旧/林夏.md": "---\ntype: character\nname: 林夏\n---\n",
        }
    )
    (one,) = book.say("cards/林夏.md", "card_name_doubled")
    assert (one.severity, one.span.of(book.text("cards/林夏.md"))) == ("warning", "林夏")
    assert book.related(one) == [("cards/旧/林夏.md", "林夏")]
    (other,) = book.say("cards/旧/林夏.md", "card_name_doubled")
    assert book.related(other) == [("cards/林夏.md", "林夏")]


async def test_an_alias_that_is_anothers_name(write):
    """It is a warning on the alias, and of two aliases an information: two people may be called the same."""
    book = await write(
        {
            "cards/林夏.md": LIN,
            "cards/小夏.md": "---\ntype: character\n---\n",
            "cards/周衡.md": "---\ntype: character\naliases:\n  - 林姑娘\n  - 阿衡\n---\n",
        }
    )
    text = book.text("cards/林夏.md")
    found = book.say("cards/林夏.md", "name_ambiguous")
    assert [(one.span.of(text), one.severity) for one in found] == [
        ("小夏", "warning"),
        ("林姑娘", "information"),
    ]
    assert book.related(found[1]) == [("cards/周衡.md", "林姑娘")]


async def test_an_ambiguous_alias_can_be_taken_out_of_either_card(write):
    """The fixes take out that alias and leave every other character of the card as it was."""
    book = await write(
        {
            "cards/林夏.md": LIN,
            "cards/周衡.md": "---\ntype: character\naliases:\n  - 林姑娘\n  - 阿衡\n---\n正文\n",
        }
    )
    (one,) = book.say("cards/林夏.md", "name_ambiguous")
    mine, theirs = (book.fixed("cards/林夏.md", fix) for fix in one.fixes)
    assert mine == {"cards/林夏.md": LIN.replace(", 林姑娘", "")}
    assert theirs == {"cards/周衡.md": "---\ntype: character\naliases:\n  - 阿衡\n---\n正文\n"}


async def test_unknown_names_in_front_matter(write):
    """A name without a card is told of where it stands; one that is nearly a name is a warning with it as the fix."""
    chapter = "---\npov: 林夏\ncharacters: [小夏, 周恒山, '[[陌生人]]', 众人]\nlocation: 渡口\n---\n# 第1章\n"
    book = await write(
        {
            "第1章.md": chapter,
            "cards/林夏.md": LIN,
            "cards/周衡山.md": "---\ntype: character\n---\n",
        }
    )
    assert book.told("第1章.md") == [("name_unknown_near", "周恒山"), ("name_unknown", "陌生人")]
    near, unknown = book.say("第1章.md")
    assert (near.severity, unknown.severity) == ("warning", "information")
    assert book.fixed("第1章.md", near.fixes[0]) == {"第1章.md": chapter.replace("周恒山", "周衡山")}
    assert near.fixes[0].preferred
    card = unknown.fixes[-1].card
    assert card is not None
    assert (card.title, card.type) == ("陌生人", "character")


async def test_a_book_without_cards_of_people_has_no_unknown_people(write):
    """Who keeps no cards is not told to make some."""
    book = await write({"第1章.md": "---\npov: 林夏\ncharacters: [周衡]\n---\n# 第1章\n\n好。\n"})
    assert book.say("第1章.md") == []


async def test_a_misspelt_name_becomes_an_alias_of_the_card(write):
    """The second offer writes into the card's own list, whatever key and form that has."""
    for head in ("aliases: [小夏]\n", "别名: 小夏\n", "aliases:\n  - 小夏\n", ""):
        text = f"---\ntype: character\n{head}---\n# 王熙凤\n"
        book = await write({"第1章.md": "# 第1章\n\n王熙风来了。\n", "cards/王熙凤.md": text})
        (one,) = book.say("第1章.md")
        assert one.code == "name_misspelt"
        made = book.fixed("第1章.md", one.fixes[1])["cards/王熙凤.md"]
        found = cards.read("", made, markdown.scan(made))[0]
        assert "王熙风" in found.aliases
        assert ("小夏" in found.aliases) == bool(head)
        assert made[frontmatter.read(made).body_start :] == "# 王熙凤\n"

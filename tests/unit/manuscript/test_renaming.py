"""A card's new name: what it means for its other names, and where one text changes."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkwright.domain.cards import Card, Match
from inkwright.domain.errors import InkwrightError
from inkwright.domain.text import Span, TextEdit, apply
from inkwright.manuscript import frontmatter, renaming, renaming_links, renaming_notes, renaming_text
from inkwright.manuscript.cardtext import card_digest, render_note
from inkwright.manuscript.links import Targets
from inkwright.manuscript.mentions import Dictionary
from inkwright.manuscript.renaming_places import Terms

PLAIN = Match()


def card(name, *aliases, path="", match=PLAIN):
    return Card(path or f"cards/{name}.md", name, "character", "character", aliases, match=match)


def changed(text, cards, new, *, old="", path="第一章.md", file="", all_=False):
    """The text after the rename of the first card: what is sure, with `all_` also what is not."""
    wish = renaming.wish(cards[0], old or cards[0].name, new, cards)
    terms = Terms(wish, Dictionary(cards), Targets(cards, (), ""), file)
    found = renaming_text.places(text, path, terms, card=path.startswith("cards/"))
    return apply(text, [TextEdit(place.span, place.new) for place in found if place.sure or all_])


def refusal(*args):
    with pytest.raises(InkwrightError) as error:
        renaming.wish(*args)
    return error.value.fault.code


@pytest.mark.parametrize(
    ("new", "code"),
    [
        ("", "card_name_empty"),
        (" \u3000", "card_name_empty"),
        ("——", "card_name_empty"),
        ("林\n秋", "card_name_line_break"),
        ("林\u2028秋", "card_name_line_break"),
        ("林\u0000秋", "card_name_control"),
        ("林\u202e秋", "card_name_control"),
        ("林\ud83d秋", "card_name_control"),
        ("林[秋", "card_name_markup"),
        ("林|秋", "card_name_markup"),
        ("../../林秋", "card_name_path"),
        ("林/秋", "card_name_path"),
        ("/林秋", "card_name_path"),
        ("~/林秋", "card_name_path"),
        ("林\\秋", "card_name_path"),
        ("C:\\林秋", "card_name_path"),
        (" .林秋", "card_name_path"),
        ("..", "card_name_empty"),
        ("林" * 101, "card_name_too_long"),
        ("周衡", "rename_taken"),
        ("老周", "rename_taken"),
        ("ANN", "rename_taken"),
    ],
)
def test_names_that_are_refused(new, code):
    """Each for its own reason; the names of other cards in any case, their aliases too."""
    cards = [card("林夏"), card("周衡", "老周"), card("Ann")]
    assert refusal(cards[0], "林夏", new, cards) == code


def test_a_name_may_become_its_own_in_another_case_or_an_own_alias():
    """Neither is taken by another card."""
    cards = [card("ann", "Nan")]
    assert renaming.wish(cards[0], "ann", "Ann", cards).new == "Ann"
    assert renaming.wish(cards[0], "ann", "  Nan ", cards).new == "Nan"


@pytest.mark.parametrize(
    ("name", "new", "aliases", "changes"),
    [
        ("林夏", "林秋", ["林夏姑娘"], [("林夏姑娘", "林秋姑娘", True)]),
        ("林夏", "林秋", ["小夏", "阿林"], [("小夏", "小秋", False)]),
        ("林夏", "周夏", ["林姑娘"], [("林姑娘", "周姑娘", False)]),
        (
            "王熙凤",
            "王熙鸾",
            ["熙凤", "凤姐", "琏二奶奶"],
            [("熙凤", "熙鸾", False), ("凤姐", "鸾姐", False)],
        ),
        ("欧阳锋", "洪七", ["西毒"], []),
        (
            "Fred Smith",
            "Frank Smith",
            ["Fred", "Freddy", "Old Fred"],
            [("Fred", "Frank", False), ("Old Fred", "Old Frank", False)],
        ),
        ("Ann", "Beth", ["Ann Lee", "Annie"], [("Ann Lee", "Beth Lee", True)]),
        ("白", "黑", ["白先生"], [("白先生", "黑先生", False)]),
    ],
)
def test_aliases_that_follow(name, new, aliases, changes):
    """Sure where they hold the whole name, to confirm where they share the part that changes, else untouched."""
    cards = [card(name, *aliases)]
    wish = renaming.wish(cards[0], name, new, cards)
    assert [(c.old, c.new, c.sure) for c in wish.changes[1:]] == changes


def test_an_alias_is_renamed_alone():
    """The card's name holds the alias, and waits for a word of the writer."""
    cards = [card("王熙凤", "熙凤", "凤姐")]
    assert changed("王熙凤笑，熙凤说，凤姐哭。", cards, "熙鸾", old="熙凤") == "王熙凤笑，熙鸾说，凤姐哭。"
    assert changed("王熙凤笑，熙凤说。", cards, "熙鸾", old="熙凤", all_=True) == "王熙鸾笑，熙鸾说。"


@pytest.mark.parametrize(
    ("cards", "new", "text", "sure"),
    [
        ([card("觉")], "悟", "他睡觉了。“觉”说。觉醒来。", "他睡觉了。“悟”说。觉醒来。"),
        ([card("白")], "黑", "白天，白说。明白。", "白天，黑说。明白。"),
        ([card("林夏")], "林秋", "林夏天天来。", "林秋天天来。"),
        ([card("林夏")], "林秋", "森林夏季干燥，林夏走了。", "森林夏季干燥，林秋走了。"),
        (
            [card("林夏", match=Match(exclude=("林夏天",)))],
            "林秋",
            "林夏天天来。林夏。",
            "林夏天天来。林秋。",
        ),
        (
            [card("Rose", match=Match("exact"))],
            "Lily",
            "Rose rose. Rose’s rose; “Rose”",
            "Lily rose. Lily’s rose; “Lily”",
        ),
        ([card("Will", match=Match("exact"))], "Bob", "He will ask Will.", "He will ask Bob."),
        ([card("Goblin")], "Orc", "goblins, Goblin’s, hobgoblin", "goblins, Orc’s, hobgoblin"),
        ([card("Ann")], "Beth", "Ann's, Ann’s, Anns, Annie, ann", "Beth's, Beth’s, Anns, Annie, ann"),
        ([card("𠮷野")], "木村", "😋𠮷野说。", "😋木村说。"),
        ([card("éva")], "Zoé", "e\u0301va et éva", "Zoé et Zoé"),
        ([card("Ann Lee")], "Beth Fox", "Ann\r\nLee and Ann Lee.", "Beth\r\nFox and Beth Fox."),
        ([card("林夏"), card("林夏天")], "林秋", "林夏天和林夏。", "林夏天和林秋。"),
        (
            [card("林夏")],
            "林秋",
            "`林夏` <!-- 林夏 -->\n\n```\n林夏\n```\n林夏",
            "`林夏` <!-- 林夏 -->\n\n```\n林夏\n```\n林秋",
        ),
    ],
)
def test_prose(cards, new, text, sure):
    """The cases of names in running text, each with its right value."""
    assert changed(text, cards, new) == sure


def test_what_is_not_sure_keeps_its_case():
    """Another case and a plural wait, and would be written as they stand."""
    text = "goblins, GOBLIN, Goblins"
    assert changed(text, [card("Goblin")], "Orc") == text
    assert changed(text, [card("Goblin")], "Orc", all_=True) == "orcs, ORC, Orcs"


def test_two_with_one_given_name():
    """A name that two cards have is never sure, wherever it stands; what only one can mean is."""
    cards = [card("Fred Smith", "Fred"), card("Fred Jones", "Fred")]
    text = "---\npov: Fred\ncharacters: [Fred Smith]\n---\nFred Smith met Fred Jones. “Fred!” said Fred. [[Fred]]"
    assert changed(text, cards, "Frank Smith") == text.replace("Fred Smith", "Frank Smith")
    done = changed(text, cards, "Frank Smith", all_=True)
    assert done == text.replace("Fred Jones", "_").replace("Fred", "Frank").replace("_", "Fred Jones")


def test_links():
    """The target of a link to the card follows, the anchor stays, what is shown waits; other targets stay."""
    cards = [card("林夏", "小夏", path="cards/xia.md"), card("周衡")]
    text = "[[林夏]] [[林夏#外貌]] [[ 林夏 |林夏她]] [[xia]] [[cards/xia|她]] [[周衡|林夏]] ![[林夏]] [[林夏的房间]] `[[林夏]]`"
    sure = "[[林秋]] [[林秋#外貌]] [[ 林秋 |林夏她]] [[xia]] [[cards/xia|她]] [[周衡|林夏]] ![[林秋]] [[林夏的房间]] `[[林夏]]`"
    assert changed(text, cards, "林秋") == sure
    assert "[[林夏]]" in changed(text, cards, "林秋", all_=True)  # the code
    assert "|林秋她]]" in changed(text, cards, "林秋", all_=True)


def test_links_to_the_file():
    """Where the file gets another name the path follows, readable, in its own sub-range; else nothing does."""
    cards = [card("林夏")]
    text = '[a](cards/林夏.md) [b](<cards/林夏.md#h>) [c](./cards/%E6%9E%97%E5%A4%8F.md "t") [d](http://x/林夏.md) [[cards/林夏]]\n\n[r]: cards/林夏.md\n'
    want = text.replace("cards/林夏", "cards/林 秋", 2).replace("%E6%9E%97%E5%A4%8F", "林%20秋")
    want = want.replace("(cards/林 秋.md)", "(cards/林%20秋.md)").replace("[[cards/林夏]]", "[[cards/林 秋]]")
    want = want.replace("[r]: cards/林夏", "[r]: cards/林%20秋")
    assert changed(text, cards, "林 秋", file="cards/林 秋.md") == want
    assert changed(text, cards, "林 秋") == text


@pytest.mark.parametrize(
    ("new", "front", "after"),
    [
        ("林秋", "pov: 林夏", "pov: 林秋"),
        ("林秋", "characters: [林夏, 周衡]", "characters: [林秋, 周衡]"),
        ("林秋", "出场人物: 林夏、周衡", "出场人物: 林秋、周衡"),
        ("林秋", 'characters: ["[[林夏]]", "[[林夏|她]]"]', 'characters: ["[[林秋]]", "[[林秋|她]]"]'),
        ("林秋", "title: 林夏之死 # 林夏", "title: 林秋之死 # 林夏"),
        ("林秋", "synopsis: >\n  林夏\n  等船", "synopsis: >\n  林秋\n  等船"),
        ("林秋", "林夏: x", "林夏: x"),
        ("林秋", "cover: img/林夏.png", "cover: img/林夏.png"),
        ("林秋", "source: 林夏.md", "source: 林夏.md"),
        ("A: b", "pov: 林夏", 'pov: "A: b"'),
        ("A: b", "pov: '林夏'", "pov: 'A: b'"),
        ("O'Neil", "pov: '林夏'", "pov: 'O''Neil'"),
        ('A "b"', 'pov: "林夏"', 'pov: "A \\"b\\""'),
        ("true", "pov: 林夏", 'pov: "true"'),
        ("A, b", "characters: [林夏]", "characters: [林夏]"),
        ("{a}", "title: 林夏之死", 'title: "{a}之死"'),
        ("林秋", "match: {exclude: [林夏天]}", "match: {exclude: [林夏天]}"),
    ],
)
def test_front_matter(new, front, after):
    """Values follow and read back as meant, whatever the name means to YAML; keys, paths and comments stay."""
    text = f"---\n{front}\n---\n正文。\n"
    out = changed(text, [card("林夏"), card("周衡")], new)
    assert out == f"---\n{after}\n---\n正文。\n"
    assert list(frontmatter.read(out).meta) == list(frontmatter.read(text).meta)


def test_crlf_and_a_mark_of_order():
    """Front matter with CRLF, and a text that an editor hands over with its byte order mark."""
    text = "\ufeff---\r\npov: 林夏\r\n---\r\n# 林夏\r\n\r\n林夏\u2028林夏\r\n"
    assert changed(text, [card("林夏")], "林秋") == text.replace("林夏", "林秋")


def test_the_own_file_of_a_name_that_two_have():
    """Its own name field and heading are sure, what else stands there is not."""
    cards = [card("林夏", path="cards/a.md"), card("林夏", path="cards/b.md")]
    text = "---\nname: 林夏\naliases: [林夏儿]\n---\n# 林夏\n\n林夏来了。\n"
    out = changed(text, cards, "林秋", path="cards/a.md")
    assert out == "---\nname: 林秋\naliases: [林夏儿]\n---\n# 林秋\n\n林夏来了。\n"
    assert changed(text, cards, "林秋", path="cards/b.md") == text


NAMES = ("林夏", "林夏天", "小夏", "周衡")
PIECES = st.sampled_from(
    [
        *NAMES,
        "夏天",
        "天",
        "，",
        "。\n",
        "\r\n\r\n",
        "# ",
        "😋",
        "[[林夏]]",
        "[[周衡|林夏]]",
        "`",
        "> ",
        "e\u0301",
        "---\n",
    ]
)


@given(st.lists(PIECES, max_size=40).map("".join), st.sampled_from(["林秋", "𠮷野", "A b", "O'x"]))
def test_any_text_changes_at_mentions_alone_and_back(text, new):
    """Every place is a whole mention of the name in the text as it was, and the inverse edits restore each character."""
    cards = [card("林夏", "小夏"), card("林夏天"), card("周衡")]
    wish = renaming.wish(cards[0], "林夏", new, cards)
    terms = Terms(wish, Dictionary(cards), Targets(cards, (), ""))
    found = renaming_text.places(text, "x.md", terms, card=False)
    ends = [0, *(place.span.end for place in found)]
    assert all(end <= place.span.start for end, place in zip(ends, found, strict=False))
    assert all(place.span.of(text) == "林夏" for place in found if place.sure)
    assert not any(text.startswith("林夏天", place.span.start) for place in found)
    done = apply(text, [TextEdit(place.span, place.new) for place in found])
    back, moved = [], 0
    for place in found:
        start = place.span.start + moved
        back.append(TextEdit(Span(start, start + len(place.new)), place.span.of(text)))
        moved += len(place.new) - len(place.span)
    assert apply(done, back) == text


@given(st.text(max_size=20), st.booleans())
def test_a_path_in_a_link_is_read_back(name, angled):
    """Whatever a file is called, the link that is written to it leads there."""
    name = name.replace("/", "").replace("\0", "").replace("\\", "").strip(" .\r\n\t") or "x"
    name = "".join(ch for ch in name if ch.isprintable())
    if not name or "\ud800" <= max(name) <= "\udfff":
        return
    path = unicodedata.normalize("NFC", f"卷/{name}.md")
    written = renaming_links.relative("./x.md", path, "a.md", angled=angled)
    text = f"[x](<{written}>)" if angled else f"[x]({written})"
    from inkwright.manuscript import links, markdown

    (found,) = [link for link in links.find(text, markdown.scan(text)) if link.kind == "path"]
    assert path in [unicodedata.normalize("NFC", one) for one in Targets((), (), "a.md").path(found)]


def test_what_a_card_was_made_from_is_told_by_its_file():
    """The digest of a made card, read back from a file that nobody edited."""
    from inkwright.domain.cards import NewCard

    for quote in ("他推开门。\n\n雨还在下。", ""):
        made = NewCard("character", "林 夏", "学徒。\n\n- 左手有疤", ("a",), quote, "第一章.md", "渡口")
        assert card_digest(renaming_notes.wish(render_note(made), "第一章.md")) == card_digest(made)


@pytest.mark.parametrize(
    ("old", "new", "text", "after"),
    [
        ("C_d", "E_f", r"C_d, C\_d met C_d.", r"E_f, E\_f met E_f."),
        ("*Star*", "Moon", r"*Star* and \*Star\* and *Star*", "Moon and Moon and Moon"),
        ("A.*b", "B.*c", "A.*b and A.*b", "B.*c and B.*c"),
        ("A.*b", "B*c", "A.*b and A.*b", r"B\*c and B\*c"),
        ("Kay", "K*", "*Kay* and **Kay**", r"*K\** and **K\***"),
        ("Kay", "C_d", "Kay and _Kay_", r"C\_d and _C\_d_"),
        ("Kay", "K*", "---\nsummary: Of Kay and others\n---\n", "---\nsummary: Of K* and others\n---\n"),
        ("K*", "Kay", "他说 *K* 来了，K*也走了。", "他说 *K* 来了，Kay也走了。"),
        ("K*", "Kay", "2*K*3, K* and K\\*.", "2*K*3, Kay and Kay."),
        ("K*", "Kay", "K*和K*都来了，K\\*没来。", "K*和K*都来了，Kay没来。"),
        ("K*", "Kay", "**K\\*** came, *K\\** left.", "**Kay** came, *Kay* left."),
        ("K*", "J*", "**K\\*** came, *K\\**, K*。", "**J\\*** came, *J\\**, J*。"),
        ("C_", "Day", "__C\\___ and _C\\__ and _C_", "__Day__ and _Day_ and _C_"),
        ("~~白", "黑", "~~白~~来了，\\~\\~白走了。", "~~白~~来了，黑走了。"),
        ("*Star", "Moon", "a *Star* and *Star and \\*Star", "a *Star* and Moon and Moon"),
    ],
)
def test_a_name_with_marks_is_renamed_as_it_is_written(old, new, text, after):
    """With a backslash before its marks where it had one, or where the new ones might be read as Markdown; where
    Markdown reads one of its marks as emphasis nothing changes, not even what is to be confirmed."""
    assert changed(text, [card(old)], new) == after
    assert changed(text, [card(old)], new, all_=True) == after


def test_a_rename_that_would_change_the_emphasis_beside_it_is_to_be_confirmed():
    """An underscore opens emphasis after a mark and not after a letter; other places of the name are sure."""
    text = r"K\*_x_ and K\*."
    assert changed(text, [card("K*")], "Kay") == r"K\*_x_ and Kay."
    assert changed(text, [card("K*")], "Kay", all_=True) == "Kay_x_ and Kay."
    assert changed(text, [card("K*")], "J*") == r"J\*_x_ and J\*."


MARKED = st.sampled_from(
    [
        *("K*", "K\\*", "C_d", "C\\_d", "*Star*", "\\*Star\\*", "~~白", "\\~\\~白"),
        *(
            "*",
            "**",
            "_",
            "__",
            "~~",
            "a",
            "来了",
            " ",
            "，",
            "。",
            ".",
            "\n",
            "\n\n",
            "- ",
            "`",
            "[",
            "](x.md)",
        ),
    ]
)


@given(
    st.lists(MARKED, max_size=24).map("".join),
    st.sampled_from([("K*", "J*"), ("C_d", "E_f"), ("*Star*", "*Moon*"), ("~~白", "~~黑")]),
)
def test_a_name_with_marks_there_and_back_gives_every_byte(text, names):
    """With backslashes or without: what a rename finds its way back finds too."""
    old, new = names
    done = changed(text, [card(old)], new, all_=True)
    assert changed(done, [card(new)], old, all_=True) == text


@given(
    st.lists(MARKED, max_size=24).map("".join),
    st.sampled_from(
        [("K*", "Kay"), ("K*", "J*"), ("C_d", "Dee"), ("*Star*", "Moon"), ("~~白", "黑"), ("a", "B*")]
    ),
)
def test_emphasis_around_a_name_outlives_its_rename(text, names):
    """Everything outside of the name stays, and of a pair of marks a name has both or none: by the commonest rules."""
    old, new = names
    wish = renaming.wish(card(old), old, new, [card(old)])
    terms = Terms(wish, Dictionary([card(old)]), Targets((), (), ""))
    found = renaming_text.places(text, "x.md", terms, card=False)
    assert all(renaming.spelled(place.span.of(text)).lower() == old.lower() for place in found)
    done = apply(text, [TextEdit(place.span, place.new) for place in found])
    back, moved = [], 0
    for place in found:
        start = place.span.start + moved
        assert renaming.spelled(done[start : start + len(place.new)]) in (new, new.lower())
        back.append(TextEdit(Span(start, start + len(place.new)), place.span.of(text)))
        moved += len(place.new) - len(place.span)
    assert apply(done, back) == text

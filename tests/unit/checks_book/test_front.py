"""Front matter: what is wrong, at the place where it is wrong."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inkwright.domain.text import apply
from inkwright.manuscript import fields, frontedits, frontmatter, frontmatter_edits

CARD = {"cards/林夏.md": "---\ntype: character\n---\n"}


@pytest.mark.parametrize("key", ["characters", "target", "threads", "date", "time", "order", "compile"])
async def test_a_stranger_s_value_costs_its_length(write, key):
    """A chapter from the internet: whatever stands in its front matter, nobody waits for the checks."""
    said = f"1 （{' ' * 100_000}b"
    text = f'---\n{key}: "{said}"\n---\n# 第1章\n\n好。\n'
    book = await write({**CARD, "第1章.md": text})
    assert {one.span.of(text) for one in book.say("第1章.md")} <= {key, said}


@pytest.mark.parametrize(
    ("head", "told"),
    [
        ("order: 3\ntarget: 3000\ncompile: false\ndate: 第三日\ntime: 黄昏\n", []),
        ("order: 十二\ntarget: 3,000字\ncompile: 否\ndate: 2024-02-29\ntime: '23:59'\n", []),
        ("order: 第三\n", [("order_not_number", "第三")]),
        ("target: 很多\n", [("front_not_number", "很多")]),
        ("字数目标: 很多\n", [("front_not_number", "很多")]),
        ("compile: maybe\n", [("front_not_yes_no", "maybe")]),
        ("date: 2023-02-29\n", [("front_date_impossible", "2023-02-29")]),
        ("date: 2023年13月1日\n", [("front_date_impossible", "2023年13月1日")]),
        ("time: '25:10'\n", [("front_time_impossible", "25:10")]),
        ("title: [甲, 乙]\n", [("front_not_text", "title")]),
        ("characters:\n  - {name: 林夏}\n", [("front_not_names", "characters")]),
        ("threads: [信, 船夫]\n", []),
        ("threads:\n  - {name: 信, state: 埋下}\n", []),
        ("threads:\n  - {name: 信, state: payed}\n", [("thread_state_unknown", "payed")]),
        ("charactors: 林夏\n", [("front_key_unlikely", "charactors")]),
        ("charcters: 林夏\n", [("front_key_unlikely", "charcters")]),
        ("weather: rain\nmood: dark\ntags: [x]\n", []),
        ("pov: [林夏\n", [("frontmatter_unreadable", "")]),
        ("title: 甲\ntitle: 乙\n", [("frontmatter_duplicate", "title: 乙")]),
    ],
)
async def test_chapters(write, head, told):
    """The place is the value, the key where the value has no single place, the spot where YAML gave up."""
    text = f"---\n{head}---\n# 第1章\n\n好。\n"
    book = await write({**CARD, "第1章.md": text})
    found = book.told("第1章.md")
    assert [code for code, _ in found] == [code for code, _ in told]
    for (_, place), (_, expected) in zip(found, told, strict=True):
        assert place == expected or not expected
    for one in book.say("第1章.md"):
        assert one.span.end <= text.rindex("---") + 3


@pytest.mark.parametrize("eol", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("The ferryman. One eye.---\ntype: character\nname: Tam\n---\n", True),
        ("The ferryman.\n---\ntype: character\nname: Tam\n---\n", True),
        ("\n\n---\n类型: 角色\n---\n船夫。\n", True),
        (" ---\nname: Tam\n---", True),
        ("She left.\n\n---\nName: Jin\nLevel: 3\n---\n\nHe sat up.\n", False),
        ("She left.\n\n---\nname: Jin\n---\n", False),
        ("# 第1章\n---\n林夏: 你来了？\n周衡: 来了。\n---\n", False),
        ("# 第1章\n\n---\n\n好。\n\n---\n", False),
        ("---\n---\ntype: character\n---\n", False),
        ("x---\n" + "type: character\n" * 41 + "---\n", False),
    ],
)
async def test_text_before_the_front_matter(write, text, told, eol):
    """Typed at the top of a file, so that nothing of the front matter counts; a block between scene breaks is a story's."""
    text = text.replace("\n", eol)
    for name in ("cards/Tam.md", "第1章.md"):
        found = (await write({name: text})).say(name)
        late = [one.span.of(text) for one in found if one.code == "frontmatter_late"]
        assert late == ["---"] * told


async def test_where_yaml_gives_up(write):
    """Line and column of the error, also behind CRLF and a BOM."""
    for start in ("", "\ufeff"):
        for eol in ("\n", "\r\n"):
            text = f'{start}---{eol}title: 甲{eol}pov: "林{eol}---{eol}# 第1章{eol}'
            book = await write({"第1章.md": text})
            (one,) = book.say("第1章.md")
            assert one.code == "frontmatter_unreadable"
            assert text.index("pov") < one.span.start <= one.span.end <= text.index("# 第1章")
            assert "\n" not in one.span.of(text)


@pytest.mark.parametrize(
    ("head", "told"),
    [
        ("aliases: [小夏]\nai: never\nmatch: {case: exact}\n", []),
        ("ai: whenever\n", [("card_bad_ai", "whenever")]),
        ("match: {case: loud}\n", [("card_bad_case", "loud")]),
        ("match: loud\n", [("card_bad_match", "loud")]),
        ("facts: yes\n", [("card_bad_facts", "yes")]),
        ("fact:\n  - {key: 生死, value: 死}\n", [("front_key_unlikely", "fact")]),
    ],
)
async def test_cards(write, head, told):
    """A card's own fields, at the value."""
    book = await write({"cards/林夏.md": f"---\ntype: character\n{head}---\n"})
    assert book.told("cards/林夏.md") == told


async def test_a_state_is_offered(write):
    """The nearest word for a state is the fix."""
    text = "---\nthreads:\n  - {name: 信, state: payed}\n---\n# 第1章\n"
    book = await write({"第1章.md": text})
    (one,) = book.say("第1章.md")
    assert book.fixed("第1章.md", one.fixes[0]) == {"第1章.md": text.replace("payed", "paid")}


@pytest.mark.parametrize(
    ("row", "code", "place", "fixed"),
    [
        ("{key: 生死, value: 死, from: 第99章}", "fact_chapter_missing", "第99章", "第9章"),
        ("{key: 生死, value: 死, from: 渡头}", "fact_chapter_missing", "渡头", "渡口"),
        ('{key: 生死, value: 死, until: "没有这章"}', "fact_chapter_missing", '"没有这章"', "第9章"),
        ("{key: 生死, value: 死, form: 第9章}", "fact_key_unlikely", "form", "from"),
        ("{key: 生死, valeu: 死, from: 第9章}", "fact_key_unlikely", "valeu", "value"),
        ("{key: 生死, value: 死, from: 第9章, until: 渡口}", "", "", ""),
        ("{key: 生死, value: 死, from: 第5章, note: 待定}", "", "", ""),
    ],
)
async def test_an_entry_of_facts(write, row, code, place, fixed):
    """A chapter that is not there and a key that is nearly one are told, with what was meant as the fix."""
    text = f"---\ntype: character\nfacts:\n  - {row}\n---\n"
    chapters = {f"第{n}章.md": f"# 第{n}章\n\n雨。\n" for n in (3, 9)}
    book = await write({"cards/林夏.md": text, "渡口.md": "---\norder: 1\n---\n# 渡口\n\n雨。\n", **chapters})
    path = "cards/林夏.md"
    assert book.told(path) == ([(code, place)] if code else [])
    for one in book.say(path):
        assert book.fixed(path, one.fixes[0]) == {path: text.replace(place, fixed)}


NAME = st.text(st.characters(categories=["L", "N"], include_characters=" ·'-"), min_size=1, max_size=8)
FORM = st.sampled_from(["[{}]", "flow", "block", "none", "null"])


def _card(form: str, names: list[str]) -> str:
    plain = [frontmatter_edits.plain(name) for name in names]
    body = {
        "flow": f"aliases: [{', '.join(plain)}]  # 别名\n",
        "block": "aliases:\n" + "".join(f"  - {name}\n" for name in plain) if plain else "aliases: []\n",
        "none": "",
        "null": "aliases:\n",
    }.get(form, f"aliases: [{', '.join(plain)}]\n")
    return f"---\ntype: character\n{body}tags: [x]\n---\n正文\n"


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(
    FORM,
    st.lists(NAME.map(str.strip).filter(lambda name: name[:1].isalnum()), max_size=4, unique=True),
    NAME.map(str.strip).filter(lambda name: name[:1].isalnum()),
)
def test_an_entry_put_into_a_list_and_taken_out_again(form, names, new):
    """It is there afterwards and everything else is as it was; what cannot be sure is not done at all."""
    text = _card(form, names)
    before = frontmatter.read(text).meta
    edits = frontedits.add(text, "aliases", new)
    if not edits:
        assert new in fields.texts(before.get("aliases")) or fields.texts(new) != (new,)
        return
    out = apply(text, list(edits))
    after = frontmatter.read(out)
    assert fields.texts(after.meta["aliases"]) == (*fields.texts(before.get("aliases")), new)
    assert {k: v for k, v in after.meta.items() if k != "aliases"} == {
        k: v for k, v in before.items() if k != "aliases"
    }
    back = frontedits.drop(out, "aliases", new)
    if back and names and form not in ("none", "null"):
        assert apply(out, list(back)) == text

"""Single sentences against the cards of a small book: what is told of, and what is left alone."""

from __future__ import annotations

import pytest

CARDS = {
    "沈默": ("角色", "{key: 眼睛, value: 灰色}"),
    "顾小满": ("角色", "{key: 头发, value: 黑色}", "{key: 知情, value: 账本, from: 第8章}"),
    "陆远": ("角色", "{key: 左手, value: 缺一根小指}", "{key: 右手, value: 断了, from: 第1章}"),
    "周衡": ("角色", "{key: 知情, value: 沈默是卧底, from: 第8章}"),
    "怀表": (
        "物品",
        "{key: 持有者, value: 沈默, until: 第2章}",
        "{key: 持有者, value: 顾小满, from: 第3章}",
    ),
    "铜铃": ("物品", "{key: 持有者, value: 沈默}", "{key: 持有者, value: 顾小满, from: 第3章}"),
    "Mara": ("character", "{key: eyes, value: grey}"),
    "Hale": ("character", "{key: eyes, value: blue-grey}"),
    "Ilse": ("character", "{key: eyes, value: blue}"),
    "Tobin": ("character", "{key: knows, value: ledger, from: 第8章}"),
}
LOOKS, LIMB, KNOWS, OWNER = (
    "continuity_looks",
    "continuity_limb",
    "continuity_knows",
    "continuity_not_owner",
)


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    import asyncio

    from inkwright.checks.book.engine import find
    from inkwright.manuscript.index import BookIndex

    root = tmp_path_factory.mktemp("book")
    (root / "cards").mkdir()
    (root / "manuscript").mkdir()
    for name, (kind, *facts) in CARDS.items():
        rows = "\n".join(f"  - {fact}" for fact in facts)
        text = f"---\ntype: {kind}\nname: {name}\nfacts:\n{rows}\n---\n"
        (root / "cards" / f"{name}.md").write_text(text, "utf-8")
    for number in range(1, 10):
        (root / "manuscript" / f"第{number}章.md").write_text("# x\n\n雨。\n", "utf-8")

    async def overview():
        index = await BookIndex.open(root)
        await index.build()
        view = index.overview()
        await index.close()
        return view

    book = asyncio.run(overview())

    def look(text):
        found = find(book, "manuscript/第3章.md", f"# x\n\n{text}\n")
        return [one for one in found if one.code.startswith("continuity_")]

    return look


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Mara's blue eyes shone.", LOOKS),
        ("Mara's eyes were blue.", LOOKS),
        ("Mara, her eyes green, smiled.", LOOKS),
        ("沈默眨了眨蓝眼睛。", LOOKS),
        ("沈默的蓝眼睛眨了眨。", LOOKS),
        ("沈默褐色的眼睛里全是血丝。", LOOKS),
        ("沈默抬起头，那双褐色的眼睛里全是血丝。", LOOKS),
        ("顾小满正在擦桌子，她的金色长发垂了下来。", LOOKS),
        ("顾小满正在擦桌子，她的金色长发披在肩上，像一匹缎子。", LOOKS),
        ("顾小满正在擦桌子，她那头金色的长发垂了下来。", LOOKS),
        ("沈默没有说话，他的绿眼睛很亮。", LOOKS),
        ("陆远用右手接过茶杯。", LIMB),
        ("顾小满早就知道账本的秘密。", KNOWS),
        ("顾小满心里清楚账本藏在哪儿。", KNOWS),
        ("周衡想，沈默是卧底。", KNOWS),
        ("周衡心想，沈默是卧底。", KNOWS),
        ("Tobin already knew about the ledger.", KNOWS),
        ("沈默从口袋里掏出怀表。", OWNER),
    ],
)
def test_a_fault_is_told(told, text, code):
    """What a card rules out is found, and nothing beside it."""
    assert [one.code for one in told(text)] == [code]


@pytest.mark.parametrize(
    "text",
    [
        "Mara's grey eyes shone.",
        "Mara's blue-grey eyes shone.",
        "Hale's grey eyes shone.",
        "Hale's blue eyes shone.",
        "沈默的灰蓝色眼睛眨了眨。",
        "沈默充血的眼睛里映着褐色的墙。",
        "沈默看着那只猫，黄色的眼睛在黑暗里发亮。",
        "沈默身边的狗叫了一声，沈默没动，狗褐色的眼睛盯着门口。",
        "沈默望着对面那个女人，碧绿的眼睛里没有一点笑意。",
        "Mara watched the cat, its yellow eyes bright.",
        "Mara had black eyes after the fight.",
        "Mara had a black eye.",
        "Mara had two black eyes and a split lip.",
        "陆远用左手端起茶杯。",
        "顾小满把账本放回抽屉。",
        "顾小满不知道账本的秘密。",
        "周衡想知道沈默是不是卧底。",
        "周衡想让沈默当卧底。",
        "顾小满想知道账本在哪里。",
        "沈默摇响铜铃。",
        "顾小满从口袋里掏出怀表。",
        "周衡从口袋里掏出怀表。",
        "沈默看见她那双褐色的眼睛。",
        "顾小满问沈默知不知道账本的事。",
        "灯光下，沈默的蓝眼睛眨了眨。",
        "顾小满把怀表递给沈默。沈默打开怀表看了看。",
    ],
)
def test_what_fits_is_left_alone(told, text):
    """Nothing is told where the card may be right."""
    assert [one.code for one in told(text)] == []

"""Chinese sentences that are told of for their grammar, and sound ones that only look like them."""

from __future__ import annotations

import pytest

from inkwright.checks import checking
from inkwright.checks.rules import families

GRAMMAR = {rule.id for family in families() if family.id == "zh-grammar" for rule in family.rules}


def found(text: str) -> list[tuple[str, str | None]]:
    """What is pointed at, and what is to stand there."""
    ones = checking.check(text, language="zh", names=())
    return [(one.span.of(text), one.fix.new if one.fix else None) for one in ones if one.code in GRAMMAR]


@pytest.mark.parametrize(
    "text",
    [
        "王子和公主幸福地生活在一起。",
        "他们快乐地生活着。",
        "她一个人艰难地生活了三年。",
        "你是否看见了什么？",
        "他是否在等什么？",
        "我看的几乎全是旧书。",
        "他看的连环画都发黄了。",
        "我吃的连盐都没有。",
        "最穷的连饭都吃不上。",
        "他们吃的、喝的让人眼红。",
        "路滑的站不住脚的地方，都撒了炉灰。",
        "黑的像炭一样，白的像雪一样。",
        "他忙的几乎全是闲事。",
        "好读书、与书为缘、与书为友。",
        "她会擀皮、和面。",
        "到场的有龙三（苗族）、和占钧。",
        "窗台上摆着一只小马。",
        "柜子里有一只大马。",
        "门口靠着一只汽车轮胎。",
        "桌上是一只自行车铃。",
        "盒子里有两只汽车。",
        "他捡起一颗桂树籽。",
        "他捡起一颗草籽。",
        "他捡起一颗老树的种子。",
        "院里有一棵星形的树。",
        "她一坐山路就晕。",
        "他手一偏，箭就脱了靶。",
        "他一坐桥头，风就大了。",
        "箭偏了一偏，没有射中。",
        "到场的有李四（汉族）、和平（白族）。",
        "院里种着一棵糖枫，一棵珠兰。",
        "就算他也来，所以我不怕。",
        "屋里只有他一个人，就可以放心说话。",
        "只有他一个人，就可以看家。",
        "几曾薄待过你？",
        "只要有钱，这才是好日子。",
        "墙上挂着一副眼镜和油画。",
    ],
)
def test_sound_sentences_are_left_alone(text: str) -> None:
    """地 before a verb, 的 for a thing, toys and parts, seeds, names, and conjunctions that answer each other."""
    assert found(text) == []
    assert [
        one.code for one in checking.check(text, language="zh", names=()) if one.severity == "warning"
    ] == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("哪怕输得精光，但是我不后悔。", ("但是", None)),
        ("只有等到天亮，就能看清对岸的灯塔。", ("就", "才")),
        ("孩子们跑的气喘吁吁。", ("的", "得")),
        ("路滑的站不住脚。", ("的", "得")),
        ("水黑的像墨一样。", ("的", "得")),
        ("河边停着一只马车，车夫在打瞌睡。", ("只", "辆")),
        ("那坐山很高。", ("坐", "座")),
        ("他看了一偏，走了。", ("偏", "遍")),
        ("院里有一颗老槐树。", ("颗", "棵")),
        ("一棵星星亮了。", ("棵", "颗")),
        ("桌上有茶、酒、和点心。", ("、", "")),
        ("你是否愿意跟我走吗？", ("是否愿意跟我走吗？", None)),
        ("那是最幸福地日子。", ("地", "的")),
    ],
)
def test_faulty_sentences_are_told_of(text: str, said: tuple[str, str | None]) -> None:
    """Each once, with what can be put there; nothing is offered that would need more to be changed."""
    assert found(text) == [said]

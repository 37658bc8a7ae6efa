"""The guard: what a hunk would lose or change is named, and nothing else is."""

import pytest

from inkwright.domain.text import Span, TextEdit
from inkwright.proposals.guard import Guard
from inkwright.proposals.names import Names
from inkwright.proposals.numbers import numbers
from inkwright.proposals.quotes import quotations
from inkwright.proposals.rewrite import edits

NAMES = ("林夏", "小夏", "林夏天", "周衡", "Rose", "Art", "Will")


def codes(base: str, new: str) -> list[str]:
    guard = Guard(base, Names.plain(NAMES))
    return [finding.code for edit in edits(base, new) for finding in guard.findings(edit)]


@pytest.mark.parametrize(
    ("base", "new", "wanted"),
    [
        ("他走了。", "他离开了。", []),
        ("林夏走了。", "她走了。", ["name_lost"]),
        ("她走了。", "林夏走了。", ["name_added"]),
        ("林夏走了。", "小夏走了。", ["name_lost", "name_added"]),
        ("林夏天天来。", "林夏天总来。", []),
        ("林夏笑了，林夏走了。", "林夏笑了，走了。", []),
        ("林夏笑了，走了。", "走了，林夏笑了。", []),
        ("Rose smiled at the start.", "Rose grinned at the start.", []),
        ("Art left at the start.", "He left at the start.", ["name_lost"]),
        ("He will come.", "He would come.", []),
        ("他走了三步。", "他走了几步。", ["number_lost"]),
        ("他走了三步。", "他走了3步。", []),
        ("他走了３步。", "他走了3步。", []),
        ("他走了三步。", "他走了五步。", ["number_changed"]),
        ("他看了一眼就走。", "他看了看就走。", []),
        ("他十分生气。", "他很生气。", []),
        ("等了十分钟才走。", "等了很久才走。", ["number_lost"]),
        ("第十二章在这里。", "第十三章在这里。", ["number_changed"]),
        ("万一下雨呢。", "如果下雨呢。", []),
        ("It took 1,200 men.", "It took 1200 men.", []),
        ("It took twenty men.", "It took thirty men.", ["number_changed"]),
        ("It took twenty men.", "It took 20 men.", []),
        ("It was the fifth floor.", "It was the sixth floor.", ["number_changed"]),
        ("It was the twenty-third.", "It was the 23rd.", []),
        ("It was the eightieth day.", "It was the 80th day.", []),
        ("First he sat; a second later he stood.", "He sat first, and stood a moment later.", []),
        ("他星期三来。", "他星期四来。", ["date_changed"]),
        ("他周三来。", "他周四来。", ["date_changed"]),
        ("他一周一次地来。", "他每周来一次。", []),
        ("老三走了。", "老四走了。", ["number_changed"]),
        ("老一辈人走了。", "老人们走了。", []),
        ("涨了百分之三十。", "涨了30%。", []),
        ("涨了百分之三。", "涨了百分之五。", ["number_changed"]),
        ("其中之一是他。", "他是其中一个。", []),
        ("他压得很低。", "他**压得**很低。", ["marks_changed"]),
        ("他*真的*很低。", "他真的很低。", ["marks_changed"]),
        ("见[这里](a.md)。", "见[这里](b.md)。", ["link_changed"]),
        ("他*真的*压的很低。", "他*真的*压得很低。", []),
        ("两人同时抬起头来。", "两人同时抬", ["sentence_cut"]),
        ("“走吧，走吧！”", "“走吧，走", ["quote_lost", "sentence_cut"]),
        ("They both looked up at once.", "They both looked", ["sentence_cut"]),
        ("# 旧的雨夜", "# 雨夜", []),
        ("“再等等。”他说。", "“再等等！”他说。", []),
        ("“再等等。”他说。", "「再等等。」他说。", []),
        ("“再等等。”他说。", "“再等一等。”他说。", ["quote_changed"]),
        ("“再等等。”他说。", "他让人再等等。", ["quote_lost"]),
        ('"Wait," he said.', "“Wait”, he said.", []),
        ('"Wait," he said.', '"Stay," he said.', ["quote_changed"]),
        ("“再等等。他说：“好。”", "“再等等。”他说：“好。”", []),
        ("It's Mara's boat.", "That's Mara's boat.", []),
        ("他走了。\n\n她来了。", "他走了。她来了。", ["paragraphs_lost"]),
        ("他走了。她来了。", "他走了。\n\n她来了。", ["paragraphs_added"]),
        ("他走了。\n\n她来了。", "他走了。\n\n她来了。\n\n天黑了。", ["paragraphs_added"]),
    ],
)
def test_findings(base, new, wanted):
    """Each row: what changed, and what the guard says of it."""
    assert codes(base, new) == wanted


def test_a_quotation_of_many_sentences_is_seen_whole():
    """A hunk in the middle of a long quotation is inside quotation marks though it has none itself."""
    base = "“雨下得很大。他不会来了。我们走吧。”她说。"
    assert codes(base, base.replace("他不会来了", "他来不了了")) == ["quote_changed"]
    assert codes(base, base.replace("很大。他", "很大！他")) == []


def test_a_hunk_is_judged_by_itself():
    """A name that goes from one hunk to its neighbour is lost if only the first is accepted; the second adds none."""
    base = "林夏慢慢地走了出去。外面的雨下得很大很大。"
    guard = Guard(base, Names.plain(NAMES))
    found = [
        guard.findings(edit)
        for edit in (
            TextEdit(Span(0, 10), "她慢慢走了出去。"),
            TextEdit(Span(10, 21), "外面的雨下得很大，林夏想。"),
        )
    ]
    assert [[finding.code for finding in each] for each in found] == [["name_lost"], []]


def test_a_finding_says_what():
    """The parameters name what was lost, in the words of the text."""
    guard = Guard("林夏等了三天，林夏走了。", Names.plain(NAMES))
    (name, number) = guard.findings(TextEdit(Span(0, 12), "她等了五天，走了。"))
    assert name.params == {"name": "林夏", "count": 2}
    assert number.params == {"before": ("三",), "after": ("五",)}


def test_numbers():
    """Every notation is read by its value; what only looks like a number is none."""
    assert numbers("一百零三人，十二天，３．５米，12:30，第一回，二〇二四年") == [
        "103",
        "12",
        "3.5",
        "12:30",
        "第1",
        "2024",
    ]
    assert numbers("一个人，四处，万一，三思，千万别，七上八下，乱七八糟") == []
    assert numbers("Two dozen men and one dog, twenty-one days, 3rd") == ["24", "21", "3rd"]


def test_quotations():
    """All marks, nested ones with their outer, apostrophes never; punctuation does not count."""
    assert quotations('“走吧，”他说，“天黑了。” 「嗯……」 "Go on!" it\'s ‘don’t’ now') == [
        "走吧",
        "天黑了",
        "嗯",
        "Goon",
        "dont",
    ]


@pytest.mark.parametrize(
    ("old", "new", "before", "after"),
    [
        ("第二章在这里。", "第三章在这里。", "第二", "第三"),
        ("他走了三步。", "他走了5步。", "三", "5"),
        ("等了１２分钟。", "等了十三分钟。", "12", "十三"),
        ("三点半走的。", "四点一刻走的。", "三点半", "四点一刻"),
        ("It was the fifth floor.", "It was the 6th floor.", "fifth", "6th"),
        ("It took twenty men.", "It took thirty-one men.", "twenty", "thirty-one"),
    ],
)
def test_numbers_are_told_as_they_stand(old, new, before, after):
    """A writer looks for the words of the text, not for their value."""
    guard = Guard(old, Names.plain(()))
    found = [one for edit in edits(old, new) for one in guard.findings(edit) if one.code == "number_changed"]
    assert [one.params for one in found] == [{"before": (before,), "after": (after,)}]

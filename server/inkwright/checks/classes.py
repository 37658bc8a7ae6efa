"""Character classes that the rules name; each stands inside `[...]` of a regular expression."""

from __future__ import annotations

from inkwright.manuscript.script import HAN, KANA

# What stands in a protected place (code, an address, a mark) while the rules look at a paragraph.
# No rule's expression matches it, and it is neither a letter nor a space.
MASK = "\ufffc"

OPENING = "“‘「『（《〈【〔"
CLOSING = "”’」』）》〉】〕"
STOPS = "。！？…"
PAUSES = "，、；："

# The characters that transliterated names are written with: between two of them a dot is a name dot.
NAMES = (
    "列阿埃艾爱安奥巴拜班保鲍贝比彼宾波伯布查达戴丹德登迪蒂顿多恩尔法菲费弗福夫冈戈格根哈海汉赫亨华霍基吉加简杰金卡凯坎康"
    "考柯科克肯库拉莱兰朗劳勒雷里利莉林琳伦罗洛玛马迈曼梅米莫姆娜纳南内妮尼诺欧帕佩皮普奇乔切琼让热日瑞萨塞森莎珊舍什史斯"
    "苏索塔泰坦汤特提托瓦威维温沃乌西希肖谢辛雅亚耶伊英尤约泽扎詹朱兹"
)

TABLE = {
    "HAN": HAN,
    "KANA": KANA,
    "OPEN": OPENING,
    "CLOSE": CLOSING,
    "STOP": STOPS,
    "PAUSE": PAUSES,
    "NAME": NAMES,
    "NUM": "〇零一二三四五六七八九十百千万两",
}

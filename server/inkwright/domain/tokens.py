"""The token estimate of the house. Every number of tokens that no model reported comes from here."""

from __future__ import annotations

import re

# Han with its extensions, kana, hangul, bopomofo, CJK punctuation and full-width forms.
_CJK = re.compile(
    "[\u1100-\u11ff\u2e80-\u303f\u3040-\u30ff\u3100-\u31ff\u3200-\u33ff\u3400-\u4dbf\u4e00-\u9fff"
    "\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\U00020000-\U0003ffff]+"
)
_UNIT = 21


def weigh(text: str) -> int:
    """The weight of a text in 21sts of a token: weights of pieces add up, estimates don't."""
    if text.isascii():
        return 6 * len(text)
    cjk = sum(map(len, _CJK.findall(text)))
    return 14 * cjk + 6 * (len(text) - cjk)


def tokens(weight: int) -> int:
    """The tokens of a sum of weights."""
    return weight // _UNIT


def estimate(text: str) -> int:
    """floor(CJK / 1.5 + other / 3.5), in whole numbers so that no rounding error creeps in."""
    return tokens(weigh(text))

"""Character classes of the scripts, for use inside `[...]` of a regular expression."""

from __future__ import annotations

# 々 〆 〇 and the Hangzhou numerals are Han by script; U+F900 and U+2F800 hold compatibility forms.
HAN = (
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3038-\u303b\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
KANA = "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9d"
HANGUL = "\u1100-\u11ff\u3131-\u318e\ua960-\ua97c\uac00-\ud7a3\ud7b0-\ud7fb"
CJK = HAN + KANA + HANGUL

# A pattern of its own: one letter of any script beyond Latin. Python compiles a class of all Han a
# hundred times as slowly, so that one is for where the difference matters.
BEYOND_LATIN = r"(?:(?![\x00-\u024f])\w)"

# Punctuation that is set in a CJK cell, and the typographic marks of Latin text.
CJK_PUNCTUATION = (
    "\u3001-\u3004\u3008-\u3020\u302a-\u3030\u3036\u3037\u303c-\u303f\u30a0\u30fb\ufe10-\ufe19\ufe30-\ufe6b"
    "\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\uffe0-\uffe6"
)
TYPOGRAPHIC = "\u00ab\u00b7\u00bb\u2010-\u2027\u2030-\u205e\u2e00-\u2e5d"

# Marks that belong to the letter before them and that `\w` does not know.
COMBINING = "\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"

SENTENCE_END = "。！？!?．｡…"
CLOSING = "”’」』）)】》〉〕］\\]\"'"

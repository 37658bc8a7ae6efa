"""What a card may be called, whoever makes it or renames it: its file and the links to it are called after it. Pure."""

from __future__ import annotations

import re

from inkwright.domain.errors import InkwrightError
from inkwright.manuscript.cards import MAX_NAME

_BREAK = re.compile("[\r\n\u0085\u2028\u2029]")
_HIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff"
    "\u00ad\u180e\u200b\u2060-\u2064\ufeff\ufffe\uffff]"
)
"""Control characters, and what has no shape: nobody could type the name, or tell it from the one without them."""
_MARKUP = re.compile(r"[\[\]|#]")
_PATH = re.compile(r"\.|.*[/\\]")
"""What stands between folders, or hides a file."""
_SPACE = re.compile(r"\s+")
_LIKE = str.maketrans("[]|#/\\", "［］｜＃／＼")


def checked(written: str) -> str:
    """A name that a writer typed, without the white space around it and more than one blank inside.

    Raises `InkwrightError`: card_name_empty, card_name_line_break, card_name_control, card_name_markup,
    card_name_path, card_name_too_long.
    """
    if _BREAK.search(written.strip()):
        raise InkwrightError("card_name_line_break")
    name = _SPACE.sub(" ", written).strip()
    if not any(ch.isalnum() for ch in name):
        raise InkwrightError("card_name_empty")
    if _HIDDEN.search(written):
        raise InkwrightError("card_name_control")
    if _MARKUP.search(name):
        raise InkwrightError("card_name_markup", name=name)
    if _PATH.match(name):
        raise InkwrightError("card_name_path", name=name)
    if len(name) > MAX_NAME:
        raise InkwrightError("card_name_too_long", limit=MAX_NAME)
    return name


def usable(name: str) -> bool:
    """Whether `checked` takes it as it stands."""
    try:
        return checked(name) == name
    except InkwrightError:
        return False


def tamed(written: str) -> str:
    """The name that `checked` takes and that is most like what a model wrote; '' where nothing of it is a name."""
    plain = _HIDDEN.sub("", _BREAK.sub(" ", written)).translate(_LIKE)
    name = _SPACE.sub(" ", plain).strip().lstrip(". ")[:MAX_NAME].strip()
    return name if any(ch.isalnum() for ch in name) else ""

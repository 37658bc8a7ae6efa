"""The guard's judgement of Markdown: what a reader of the page does not see, and a rewrite may not touch."""

from __future__ import annotations

import re
from collections.abc import Iterator

from inkwright.domain.proposal import Finding
from inkwright.proposals.change import Change, differences, listed

_KINDS = {
    "comment_changed": re.compile(r"<!--.*?(?:-->|\Z)|%%.*?(?:%%|\Z)|\[//\]: # \([^)\r\n]*\)", re.S),
    "code_changed": re.compile(
        r"(?P<ticks>`+)(?!`).*?(?<!`)(?P=ticks)(?!`)|^(?:```|~~~)[^\r\n]*", re.S | re.M
    ),
    "link_changed": re.compile(
        r"!?\[\[(?:[^\[\]|\r\n]+)(?=[\]|])|(?P<image>!)?(?<=\])\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s+\"[^\"]*\")?\)"
        r"|\[\^[^\[\]\s]+\]:?|!\[(?=[^\]]*\]\()|(?<=\])\[[^\[\]\r\n^]+\]|<(?:https?|mailto):[^<>\s]+>|https?://[^\s<>()\[\]，。！？；：、）》”]+"
    ),
    "marks_changed": re.compile(r"\*+|~~|==|(?<!\w)_+(?=\w)|(?<=\w)_+(?!\w)|</?[A-Za-z][^<>]*>|\[\[|\]\]|`"),
}
_HEADING = re.compile(r"(?:^|(?<=[\r\n]))[ ]{0,3}(#{1,6})[ \t]+(?=\S)")
_BREAK = re.compile(
    r"[ \t\u3000]*(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,}|⁂|#|※|[＊◇◆][＊◇◆ \t\u3000]*)[ \t\u3000]*"
)
_ANY = re.compile(r"[*_~=`<>\[\]#%]|://")


def is_break(line: str) -> bool:
    """True for a line that ends a scene."""
    return _BREAK.fullmatch(line) is not None


def judged(change: Change) -> Iterator[Finding]:
    """Comments, code, links and marks of the hunk itself; what belongs to one kind is not counted with the next."""
    old, new = change.old, change.new
    if not _ANY.search(old) and not _ANY.search(new):
        return
    lost, came = differences(_HEADING.findall(old), _HEADING.findall(new))
    if lost or came:
        yield Finding("heading_changed", {"before": listed(lost), "after": listed(came)})
    for code, pattern in _KINDS.items():
        old_marks, new_marks = (_found(pattern, text) for text in (old, new))
        lost, came = differences(old_marks, new_marks)
        if lost or came:
            yield Finding(code, {"before": listed(lost), "after": listed(came)})
        old, new = (pattern.sub(" ", text) for text in (old, new))
        if (lost or came) and code == "link_changed":
            old, new = (text.replace("[[", "").replace("]]", "") for text in (old, new))


def _found(pattern: re.Pattern[str], text: str) -> list[str]:
    lines = "\n".join(line for line in re.split(r"[\r\n]+", text) if not is_break(line))
    found = (match.group() for match in pattern.finditer(lines))
    return [
        "*" * len(one) if not one.strip("_") else one for one in found
    ]  # emphasis is the same in either mark

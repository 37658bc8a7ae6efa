"""What a key looks like, wherever one stands that should not."""

from __future__ import annotations

import re

IN_BOOK_FILE = "key_in_book_file"
IN_FRONT_MATTER = "key_in_front_matter"
ENDPOINT = "endpoint_in_book_file"
CODES = frozenset({IN_BOOK_FILE, IN_FRONT_MATTER, ENDPOINT})
"""What is said of a key in a book. The book itself has no say in it."""

SHAPES = re.compile(
    r"(?i:\bbearer\s+)[\w.~+/=-]{8,}"
    r"|\b(?:sk|pk|rk|gsk|xai|hf|nvapi|ghp|gho|ghs|github_pat|glpat)[-_][A-Za-z0-9_*.-]{12,}"
    r"|\bAIza[\w-]{30,}"
    r"|\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{5,}"
    r"|(?i:(?:x-)?(?:goog-)?api[-_]?key|access[-_]?token|password)[\"']?\s*[:=]\s*[\"']?[^\s\"'&,}]{8,}"
    r"|(?<=://)[^/\s:@]+:[^/\s@]+(?=@)"
)
"""Keys in the forms that vendors give them, and what is named as one."""

NAMES = frozenset(
    {"apikey", "accesstoken", "authtoken", "secretkey", "authorization", "xapikey", "xgoogapikey"}
)
DOUBTFUL = frozenset({"key", "token", "secret", "password"})
"""Words of ordinary stories too: what they name is a key only when it looks random."""

REFERENCE = re.compile(
    r"env:[A-Za-z_][A-Za-z0-9_]*|(?:keyring|editor):[A-Za-z0-9][A-Za-z0-9_.-]{0,63}|file:[^\x00-\x1f\x7f]+"
)
"""The places of a key that settings can name."""

_RANDOM = re.compile(r"(?=[!-~]*[0-9])(?=[!-~]*[A-Za-z])[!-~]{20,}")
_PLAIN = re.compile(r"[!-~]{8,}")


def looks_like_key(text: str) -> bool:
    """Whether something in a text has the form of a key."""
    return SHAPES.search(text) is not None


def names_key(name: str) -> bool:
    """Whether a setting of this name could only hold a key."""
    return _word(name) in NAMES | DOUBTFUL


def is_key(name: str, value: str) -> bool:
    """Whether a setting of this name holds a key, and not the name of its place."""
    value = value.strip()
    if REFERENCE.fullmatch(value) and not looks_like_key(value.partition(":")[2]):
        return False
    if looks_like_key(value):
        return True
    if _word(name) in NAMES:
        return _PLAIN.fullmatch(value) is not None
    return _word(name) in DOUBTFUL and _RANDOM.fullmatch(value) is not None


def _word(name: str) -> str:
    return name.lower().replace("_", "").replace("-", "")

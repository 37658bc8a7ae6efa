"""Harper on paragraphs of English, in a process of its own: `python -m inkwright.checks.harper`.

One JSON line in, {texts, words}, one out: for each text a list of [start, end, message, [suggestion, …]], places
in code points. `words` are names that are spelled right. Where Harper is not installed the process ends at once.
"""

from __future__ import annotations

import json
import sys
from typing import Any

MOST = 3
"""Suggestions of one finding."""


def main() -> int:
    try:
        import harper
    except ImportError:
        return 3
    linter = harper.Linter()
    known: list[str] = []
    for line in sys.stdin:
        asked = json.loads(line)
        if asked["words"] != known:  # the names of one book are no words of another
            known = asked["words"]
            linter.clear_words()
            linter.import_words(known)
        found = [[_row(one, harper) for one in linter.lint(text)] for text in asked["texts"]]
        sys.stdout.write(json.dumps(found) + "\n")
        sys.stdout.flush()
    return 0


def _row(one: Any, harper: Any) -> list[Any]:
    better = [s.replacement_text for s in one.suggestions if s.kind == harper.SuggestionKind.REPLACE]
    return [one.span.start, one.span.end, one.message, better[:MOST]]


if __name__ == "__main__":
    sys.exit(main())

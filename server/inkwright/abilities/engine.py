"""What only a run needs. Much hangs on it: it is imported off the loop, before the first run or in idle time."""

from __future__ import annotations

from inkwright.abilities import pages, remembering
from inkwright.abilities.gists import Gists
from inkwright.abilities.images import Describing
from inkwright.abilities.meanwhile import watched
from inkwright.abilities.requests import composed, keep_summary
from inkwright.abilities.settle import settle
from inkwright.runtime.runner import Runner

__all__ = [
    "Describing",
    "Gists",
    "Runner",
    "composed",
    "keep_summary",
    "pages",
    "remembering",
    "settle",
    "watched",
]

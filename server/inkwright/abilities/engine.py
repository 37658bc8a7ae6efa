"""What only a run needs. Much hangs on it: it is imported off the loop, before the first run or in idle time."""

from __future__ import annotations

from inkwright.abilities import pages
from inkwright.abilities.compose import Terms, compose
from inkwright.abilities.context import survey
from inkwright.abilities.settle import settle
from inkwright.library import merge
from inkwright.runtime.runner import Runner
from inkwright.tools import Tools

__all__ = ["Runner", "Terms", "Tools", "compose", "merge", "pages", "settle", "survey"]

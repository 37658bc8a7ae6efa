"""A book as a whole on one page: counts, pace, dialogue, cast, threads, checks."""

from inkwright.abilities.report.files import free, write
from inkwright.abilities.report.gather import gather
from inkwright.abilities.report.page import page
from inkwright.abilities.report.shape import shape

__all__ = ["free", "gather", "page", "shape", "write"]

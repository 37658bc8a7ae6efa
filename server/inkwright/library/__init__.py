"""Profiles as files that people can read: built-in < user; a book may only add."""

from inkwright.library.loader import load
from inkwright.library.merge import merge
from inkwright.library.registry import Library

__all__ = ["Library", "load", "merge"]

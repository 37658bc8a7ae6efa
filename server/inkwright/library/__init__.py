"""Profiles and pipelines as files that people can read: built-in < user; a book may only add."""

from inkwright.library.libraries import Libraries
from inkwright.library.loader import load
from inkwright.library.merge import merge
from inkwright.library.registry import Library

__all__ = ["Libraries", "Library", "load", "merge"]

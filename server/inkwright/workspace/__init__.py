"""Books in use, and their files on the disk."""

from inkwright.workspace.books import REMARKS, Workspace
from inkwright.workspace.disk import absolute, read_bytes, write_text
from inkwright.workspace.opened import OpenBook

__all__ = ["REMARKS", "OpenBook", "Workspace", "absolute", "read_bytes", "write_text"]

"""Inkwright: a language server for people who write books."""

from __future__ import annotations

__version__ = "0.1.0"

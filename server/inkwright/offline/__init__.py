"""The rule engine behind the port of a model: what can be done without one, and that it is rules."""

from __future__ import annotations

from inkwright.offline.model import OfflineModel

__all__ = ["OfflineModel"]

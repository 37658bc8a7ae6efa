"""What fills the sentence of a code where it is shown."""

from __future__ import annotations

from collections.abc import Mapping

Params = Mapping[str, str | int | float | tuple[str, ...]]
"""Several words are a tuple: each language has a comma of its own."""

"""Keys: where they come from, and how they stay out of everything that is written down."""

from __future__ import annotations

from inkwright.secrets.guarding import RedactingFilter, guard, redacted
from inkwright.secrets.redaction import redact
from inkwright.secrets.secret import MASK, Secret, sound, trimmed
from inkwright.secrets.sources import Secrets

__all__ = ["MASK", "RedactingFilter", "Secret", "Secrets", "guard", "redact", "redacted", "sound", "trimmed"]

"""Models over HTTP: the only room that speaks it. Nothing heavy is imported before a request."""

from __future__ import annotations

from inkwright.domain.model import ModelProfile
from inkwright.providers.model import HttpModel
from inkwright.secrets import Secrets

__all__ = ["HttpModel", "build"]


def build(profile: ModelProfile, secrets: Secrets) -> HttpModel:
    """The model of a profile that is not offline. Its owner closes it; nothing is opened before a request."""
    return HttpModel(profile, secrets)

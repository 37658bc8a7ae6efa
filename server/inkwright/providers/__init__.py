"""Models over HTTP: the only room that speaks it. Nothing heavy is imported before a request."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inkwright.domain.model import ModelProfile
    from inkwright.providers.answering import Answering as Answering
    from inkwright.providers.model import HttpModel as HttpModel
    from inkwright.secrets import Secrets


def load() -> None:
    """Imports what a request needs, so that its clocks measure the server alone. Blocks for a while."""
    import anyio  # noqa: F401
    import httpx  # noqa: F401


def build(profile: ModelProfile, secrets: Secrets) -> HttpModel:
    """The model of a profile that is not offline. Its owner closes it; nothing is opened before a request."""
    from inkwright.providers.model import HttpModel

    return HttpModel(profile, secrets)


def shared(profile: ModelProfile, secrets: Secrets) -> Answering:
    """The same with all that stands between runs and a model: turns, limits, retries, rest, answers in shape."""
    from inkwright.providers.answering import Answering
    from inkwright.providers.gateway import Gateway

    return Answering(profile, Gateway(profile, build(profile, secrets)))

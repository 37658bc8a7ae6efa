"""A model behind HTTP, as the `ChatModel` port wants it."""

from __future__ import annotations

from collections.abc import AsyncIterator

from inkwright.domain.conversation import Finished, ModelEvent, ModelRequest
from inkwright.domain.errors import Fault
from inkwright.domain.model import ModelProfile
from inkwright.secrets import Secrets


class HttpModel:
    """One configured model and the connections to it."""

    def __init__(self, profile: ModelProfile, secrets: Secrets) -> None:
        self._profile = profile
        self._secrets = secrets

    @property
    def name(self) -> str:
        return self._profile.id

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        yield Finished("error", fault=Fault("model_connection", kind="connection", retryable=True))

    async def close(self) -> None:
        """Close every connection. Streams must have ended."""

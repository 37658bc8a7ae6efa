"""The wires that exist, by name. Each is a package with `encode` and `decode` of the same shape."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from inkwright.domain.conversation import ModelRequest
from inkwright.domain.model import ModelProfile
from inkwright.domain.model import Wire as WireName
from inkwright.providers.reading import Answer
from inkwright.secrets import Secret


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A request as bytes. The headers may hold a key: not to be shown or logged."""

    url: str
    headers: Mapping[str, str]
    body: bytes

    def __repr__(self) -> str:
        return "Outgoing()"


@dataclass(frozen=True, slots=True)
class Wire:
    outgoing: Callable[[ModelProfile, ModelRequest, Secret | None], Outgoing]
    answer: Callable[[], Answer]


def wire(name: WireName) -> Wire:
    """The wire of a name, imported when it is asked for."""
    match name:
        case "openai":
            from inkwright.providers.openai_chat import decode, encode

            return Wire(
                lambda profile, request, key: Outgoing(
                    encode.url(profile), encode.headers(profile, key), encode.body(profile, request)
                ),
                decode.Answer,
            )

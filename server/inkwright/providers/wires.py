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
    url: Callable[[ModelProfile], str]
    headers: Callable[[ModelProfile, Secret | None], dict[str, str]]
    body: Callable[[ModelProfile, ModelRequest], bytes]
    answer: Callable[[], Answer]

    def outgoing(self, profile: ModelProfile, request: ModelRequest, key: Secret | None) -> Outgoing:
        return Outgoing(self.url(profile), self.headers(profile, key), self.body(profile, request))


def wire(name: WireName) -> Wire:
    """The wire of a name, imported when it is asked for."""
    match name:
        case "openai":
            from inkwright.providers.openai_chat import decode, encode

            return Wire(encode.url, encode.headers, encode.body, decode.Answer)
        case "anthropic":
            from inkwright.providers.anthropic_messages import decode as messages
            from inkwright.providers.anthropic_messages import encode as to_messages

            return Wire(to_messages.url, to_messages.headers, to_messages.body, messages.Answer)
        case "gemini":
            from inkwright.providers.gemini_generate import decode as candidates
            from inkwright.providers.gemini_generate import encode as to_contents

            return Wire(to_contents.url, to_contents.headers, to_contents.body, candidates.Answer)

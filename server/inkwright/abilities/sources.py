"""Where the studio has its models and its profiles from."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from inkwright.domain.model import ModelProfile
from inkwright.domain.ports import BookView, ChatModel

if TYPE_CHECKING:
    from inkwright.domain.diagnostic import Diagnostic
    from inkwright.domain.profile import Profile
    from inkwright.library.folder import Entry
    from inkwright.library.registry import Library
    from inkwright.providers.discovery import Found
    from inkwright.providers.health import Health
    from inkwright.providers.offering import Offered
    from inkwright.secrets import Secrets


class Models(Protocol):
    """Where models come from. One is made when it is first asked for; all are closed together."""

    def get(self, profile: ModelProfile, view: BookView | None) -> ChatModel: ...

    @property
    def secrets(self) -> Secrets: ...

    def configured(self, profile: ModelProfile) -> bool:
        """Whether the key that a model needs is there; its value is not read."""
        ...

    async def examine(self, profile: ModelProfile) -> Health:
        """Asks a model two short questions of our own, in bounded time."""
        ...

    async def discover(self) -> tuple[Found, ...]:
        """The model servers that answer on this machine. For requests only, never at a start."""
        ...

    async def offered(self, endpoint: str, key: str) -> Offered:
        """The models that an endpoint offers, asked with the key at a reference; '' is the one that belongs there."""
        ...

    async def close(self) -> None: ...


class Profiles(Protocol):
    """Where profiles come from: `library.Libraries`, or what stands for it."""

    def of(self, root: Path | None) -> Library:
        """The library of a trusted book, of none without one. Blocks."""
        ...

    def has_own(self, root: Path) -> bool:
        """Whether a book has profiles of its own, used or not. Blocks."""
        ...

    def known(self, ability: str) -> Profile | None:
        """An ability of any library that has been read, at once."""
        ...

    def look(self) -> bool:
        """Files may have changed just now. Whether any library has been read at all."""
        ...

    def folder(self, root: Path | None) -> Path | None:
        """Where the profiles of a book lie, of the user without one; it need not be there."""
        ...

    def entry(self, file: Path, root: Path | None) -> tuple[Path, Entry] | None:
        """The folder of profiles that a file lies in, and what it is there. Reads nothing."""
        ...

    def review(self, file: Path, text: str, root: Path | None, *, trusted: bool) -> tuple[Diagnostic, ...]:
        """What is wrong with a profile's file as it is being written; nothing outside of a book that is not trusted
        is read for it. Blocks."""
        ...

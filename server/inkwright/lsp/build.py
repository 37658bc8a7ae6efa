"""How a session comes by its studio."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from inkwright.abilities.studio import Studio
    from inkwright.config import UserFile
    from inkwright.domain.conversation import Locale
    from inkwright.domain.errors import Fault


class Build(Protocol):
    """Makes the studio, once `initialize` has been answered.

    `trusted` is the client's word on the books of its folders: whether their own profiles may be used.
    `editor` holds the client's settings, None when it gives none; `source` is the user's file as the studio before
    had it. `notify` and `progress` may be called
    from any thread. Nothing but this call may import the engine; it should do so off the loop.
    """

    def __call__(
        self,
        *,
        editor: Mapping[str, Any] | None,
        locale: Locale,
        folders: Sequence[Path],
        notify: Callable[[Fault], None],
        progress: Callable[[Path], Callable[[int, int], None]],
        trusted: bool | None,
        profiles_changed: Callable[[], None],
        source: UserFile | None,
    ) -> Awaitable[Studio]: ...

"""What Harper says of a text's English paragraphs: asked in its own process, remembered by paragraph.

Without `inkwright[harper]`, or when the process fails or takes too long, nothing is said.
"""

from __future__ import annotations

import asyncio
import importlib.util
import json
import sys
from collections.abc import Collection, Iterator
from contextlib import suppress
from itertools import chain
from typing import Any

from inkwright.checks import piece
from inkwright.checks.classes import MASK
from inkwright.domain.diagnostic import Change, Diagnostic, Fix
from inkwright.domain.text import Span, TextEdit
from inkwright.manuscript.markdown import scan

CODE = "harper"
WAIT = 20.0
"""Seconds for one answer: the first has to wait until the dictionary is there."""
KEPT = 5_000
"""Paragraphs whose findings are remembered."""
LINE = 1 << 24


class English:
    """One process for all books; one question at a time."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None
        self._lock = asyncio.Lock()
        self._known: dict[frozenset[str], dict[str, list[Any]]] = {}
        """What was found in paragraphs, by the words of names that it was found with."""
        self._failed = importlib.util.find_spec("harper") is None

    async def find(self, text: str, language: str, names: Collection[str]) -> list[Diagnostic]:
        """The findings in the English paragraphs of a text, as hints, none of which a name touches."""
        if self._failed:
            return []
        words = frozenset(word for name in names for word in name.split() if word.isascii())
        paragraphs = await asyncio.to_thread(lambda: list(_english(text, language)))
        async with self._lock:
            known = self._known.get(words, {})
            new = list(dict.fromkeys(m for _, m in paragraphs if m not in known))
            if new:
                answer = await self._ask({"texts": new, "words": sorted(words)})
                if answer is None:
                    return []
                if sum(map(len, self._known.values())) > KEPT:
                    self._known.clear()
                known = self._known.setdefault(words, {})
                known.update(zip(new, answer, strict=True))
            rows = [(start, masked, known.get(masked, [])) for start, masked in paragraphs]
        return list(chain.from_iterable(_found(start, masked, found) for start, masked, found in rows))

    async def close(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    async def _ask(self, asked: dict[str, Any]) -> list[list[Any]] | None:
        try:
            async with asyncio.timeout(WAIT):
                if self._process is None:
                    # -P: nothing is imported from the folder we were started in, which is often a book's.
                    self._process = await asyncio.create_subprocess_exec(
                        *(sys.executable, "-P", "-m", "inkwright.checks.harper"),
                        stdin=asyncio.subprocess.PIPE,
                        stdout=asyncio.subprocess.PIPE,
                        stderr=asyncio.subprocess.DEVNULL,
                        limit=LINE,
                    )
                process = self._process
                assert process.stdin is not None
                assert process.stdout is not None
                process.stdin.write(json.dumps(asked).encode() + b"\n")
                await process.stdin.drain()
                found = json.loads(await process.stdout.readline())
        except (OSError, ValueError, TimeoutError):
            self._failed = True
            await self.close()
            return None
        except asyncio.CancelledError:
            await self.close()  # an answer that nobody waited for would be taken for the next one's
            raise
        return found if isinstance(found, list) and len(found) == len(asked["texts"]) else None


def _english(text: str, language: str) -> Iterator[tuple[int, str]]:
    for paragraph in scan(text).paragraphs:
        if paragraph.prose and paragraph.kind not in ("code", "table"):
            masked = piece.mask(text, paragraph.span, paragraph.prose)
            if piece.look(masked, language.partition("-")[0].lower()).en and _latin(masked):
                yield paragraph.span.start, masked


def _latin(text: str) -> bool:
    letters = [char for char in text if char.isalpha()]
    return sum(map(str.isascii, letters)) >= 0.8 * len(letters)


def _found(start: int, masked: str, rows: list[Any]) -> Iterator[Diagnostic]:
    for a, b, said, better in rows:
        if MASK in masked[a:b] or not 0 <= a < b <= len(masked):
            continue
        span = Span(start + a, start + b)
        fixes = tuple(
            Fix("fix_replace", {"better": new}, (Change("", (TextEdit(span, new),)),)) for new in better
        )
        yield Diagnostic(span, "hint", CODE, {"said": said, "found": masked[a:b]}, fixes=fixes)

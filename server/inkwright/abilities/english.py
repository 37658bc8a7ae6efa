"""What Harper says of a text's English paragraphs: asked in its own process, remembered by paragraph.

Without `inkwright[harper]`, or when the process fails or takes too long, nothing is found, and the writer is told
why, once. After a failure it is asked again, later each time, and paragraph by paragraph: a single one that it
cannot stand costs nothing but itself.
"""

from __future__ import annotations

import asyncio
import importlib.util
import json
import sys
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any

from inkwright.checks import piece
from inkwright.checks.classes import MASK
from inkwright.domain.diagnostic import Change, Diagnostic, Fix
from inkwright.domain.errors import Fault
from inkwright.domain.text import SURROGATE, Span, TextEdit
from inkwright.manuscript.markdown import scan

CODE = "harper"
WAIT = 20.0
"""Seconds for one answer: the first has to wait until the dictionary is there."""
REST = 30.0
LONGEST = 1_800.0
"""Seconds without a question after a failure, twice as many after each further one, and at the most."""
TRIAL = "This is a sentence."
KEPT = 5_000
"""Paragraphs whose findings are remembered."""
LINE = 1 << 24


class English:
    """One process for all books; one question at a time. `tell` gets what the writer should know, each fault once."""

    def __init__(
        self, tell: Callable[[Fault], None] = lambda _: None, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._tell = tell
        self._now = now
        self._told: set[str] = set()
        self._rest = 0.0
        self._until = 0.0
        self._process: asyncio.subprocess.Process | None = None
        self._lock = asyncio.Lock()
        self._known: dict[frozenset[str], dict[str, list[Any]]] = {}
        """What was found in paragraphs, by the words of names that it was found with."""
        self._missing = importlib.util.find_spec("harper") is None

    async def find(self, text: str, language: str, names: Collection[str]) -> list[Diagnostic]:
        """The findings in the English paragraphs of a text, as hints, none of which a name touches."""
        if self._missing:
            self._say(Fault("harper_missing"))
            return []
        words = frozenset(word for name in names for word in name.split() if word.isascii())
        paragraphs = await asyncio.to_thread(lambda: list(_english(text, language)))
        async with self._lock:
            known = self._known.get(words, {})
            new = list(dict.fromkeys(m for _, m in paragraphs if m not in known))
            if new:
                if sum(map(len, self._known.values())) > KEPT:
                    self._known.clear()
                known = self._known.setdefault(words, {})
                await self._learn(known, new, sorted(words))
            rows = [(start, masked, known.get(masked, [])) for start, masked in paragraphs]
        return list(chain.from_iterable(_found(start, masked, found) for start, masked, found in rows))

    async def trial(self) -> Fault | None:
        """Whether it answers now; else why not."""
        if self._missing:
            return Fault("harper_missing")
        async with self._lock:
            return None if await self._ask([TRIAL], []) is not None else Fault("harper_failed")

    async def _learn(self, known: dict[str, list[Any]], new: Sequence[str], words: Sequence[str]) -> None:
        """Has paragraphs looked at, as far as that works now."""
        if self._now() < self._until:
            return
        alone = self._rest > 0
        parts = [[one] for one in new] if alone else [list(new)]
        for part in parts:
            answer = await self._ask(part, words)
            if answer is None:
                self._rest = min(LONGEST, self._rest * 2 or REST)
                self._until = self._now() + self._rest
                if alone:
                    known[part[0]] = []
                self._say(Fault("harper_failed"))
                return
            known.update(zip(part, answer, strict=True))
        self._rest = 0.0

    def _say(self, fault: Fault) -> None:
        if fault.code not in self._told:
            self._told.add(fault.code)
            self._tell(fault)

    async def close(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    async def _ask(self, texts: Sequence[str], words: Sequence[str]) -> list[list[Any]] | None:
        # Half of a surrogate pair is no text to others.
        asked = {"texts": [SURROGATE.sub("\ufffd", text) for text in texts], "words": list(words)}
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
                return _answer(await process.stdout.readline(), len(texts))
        except (OSError, ValueError, TimeoutError):
            await self.close()
            return None
        except asyncio.CancelledError:
            await self.close()  # an answer that nobody waited for would be taken for the next one's
            raise


def _answer(line: bytes, count: int) -> list[list[Any]]:
    """Raises `ValueError` for what is no answer to so many texts."""
    found = json.loads(line)
    if not isinstance(found, list) or len(found) != count:
        raise ValueError("not an answer to what was asked")
    return found


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

"""Plays a random editor session against a server process and holds every answer against a model of its own.

    python tests/lsp/session/play.py --messages 100000 --encoding utf-16 --editor vscode --seed 7

The same seed plays the same session. After a failure the session is made as short as it still fails, and
`--acts` plays what is left of it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Iterable
from itertools import count
from pathlib import Path

import acts
import checkpoint
import runs
from acts import Play
from client import Client, Failed
from desk import Desk
from words import NAMES, Words

from editors import EDITORS

ACTS = {
    acts.edit: 44,
    acts.burst: 3,
    acts.asking: 26,
    acts.cancelling: 4,
    acts.opening: 3,
    acts.closing: 2,
    acts.saving: 3,
    acts.outside: 2,
    acts.telling: 2,
    acts.moving: 0.6,
    acts.case: 0.2,
    acts.renaming: 1.2,
    acts.acting: 0.7,
    acts.noise: 1,
    runs.running: 0.8,
    runs.deciding: 0.6,
    runs.commanding: 2.5,
    runs.setting: 0.2,
}
WARM = 1_000
"""Messages after which the memory is what it should stay."""
GROWTH = 40_000
"""Kilobytes that a server may have grown by since: caches fill, and the heap has holes."""


def write_books(desk: Desk, words: Words) -> None:
    for root in desk.roots:
        (root / "cards").mkdir(parents=True)
        (root / "book.toml").write_text('title = "渡口"\n', "utf-8")
        for number, name in enumerate(NAMES[:8]):
            desk.write(root / f"cards/{name}.md", words.card(), marked=number == 1)
        for title in ("第一章", "第二章", "第三章"):
            desk.write(root / f"{title}.md", words.chapter(), marked=title == "第三章")
    desk.write(desk.alone, words.chapter())


async def begin(folder: Path, encoding: str, editor: str, seed: str) -> Play:
    client = await Client.start(folder / "home", folder / "cache")
    roots = [folder / "书 100%", folder / "second"]
    desk = Desk(client, folder, roots, encoding)
    desk.watching = editor == "vscode"
    write_books(desk, Words(random.Random(seed)))
    offered = await checkpoint.initialize(client, roots, encoding, editor)
    play = Play(desk, offered)
    play.strange = runs.strange(offered)
    client.on_request = lambda method, params: checkpoint.answer(play, method, params)
    client.on_notification = lambda method, params: checkpoint.hear(play, method, params)
    checkpoint.all_is_played(offered)
    desk.open(desk.alone, desk.alone.as_uri(), desk.files[desk.alone].text)
    return play


class Session:
    """`acts` are the numbers of the acts that are played: with None as many as `messages` takes."""

    def __init__(self, options: argparse.Namespace, numbers: Iterable[int] | None) -> None:
        self.options = options
        self.numbers = numbers
        self.played: list[int] = []
        self.tail: list[str] = []
        self.sent = 0
        self.memory: list[tuple[int, int]] = []

    async def play(self) -> None:
        """Raises `Failed`."""
        folder = Path(tempfile.mkdtemp(prefix="session-")).resolve()
        play = await begin(folder, self.options.encoding, self.options.editor, f"{self.options.seed}/book")
        try:
            await self._acts(play)
            if self.options.checkpoints:
                await checkpoint.compare(play, self.options.editor)
            self._weigh(play)
            self._flat()
            await play.client.quit()
        finally:
            self.sent = play.client.sent
            self.tail = [json.dumps(one, ensure_ascii=True)[:400] for one in play.client.tail]
            await play.client.kill()
            shutil.rmtree(folder, ignore_errors=True)

    async def _acts(self, play: Play) -> None:
        names, weights = list(ACTS), list(ACTS.values())
        every = self.options.checkpoint_every
        due = every
        for number in self.numbers if self.numbers is not None else count():
            if self.numbers is None and play.client.sent >= self.options.messages:
                return
            play.turn(f"{self.options.seed}/{number}")
            act = play.chance.choices(names, weights)[0]
            self.played.append(number)
            play.client.tail.append(f"act {number}: {act.__name__}")
            act(play)
            await play.client.settle(play.chance.choice((0, 2, 8, 20)))
            if number % 100 == 0:
                play.client.check_log()
                if play.client.sent >= WARM:
                    self._weigh(play)
            if play.client.sent >= due and self.options.checkpoints:
                due += every
                await checkpoint.compare(play, self.options.editor)
                print(f"{play.client.sent} messages, {play.client.resident()} KB", flush=True)

    def _weigh(self, play: Play) -> None:
        self.memory.append((play.client.sent, play.client.resident()))

    def _flat(self) -> None:
        """Raises `Failed` for memory that grew since the server was warm."""
        if len(self.memory) > 10:
            start = max(size for _, size in self.memory[: max(2, len(self.memory) // 5)])
            end = self.memory[-1][1]
            if end > start + GROWTH:
                raise Failed(
                    f"memory grew from {start} to {end} KB: {self.memory[:: len(self.memory) // 10]}"
                )


def trial(options: argparse.Namespace, numbers: Iterable[int] | None) -> tuple[Session, Failed | None]:
    session = Session(options, numbers)
    try:
        asyncio.run(session.play())
    except Failed as failure:
        return session, failure
    return session, None


def shrunk(
    options: argparse.Namespace, played: list[int], failure: Failed
) -> tuple[list[int], Failed, list[str]]:
    """Fewer acts that fail in the same way; at most `--shrink` seconds are spent on it."""
    until, kept, tail = time.monotonic() + options.shrink, list(played), []
    sign = str(failure)[:30]
    size = max(1, len(kept) // 2)
    while size and time.monotonic() < until:
        at = 0
        while at < len(kept) and time.monotonic() < until:
            fewer = kept[:at] + kept[at + size :]
            session, found = trial(options, fewer) if fewer else (None, None)
            if session is not None and found is not None and str(found)[:30] == sign:
                kept, failure, tail = session.played, found, session.tail
            else:
                at += size
        size //= 2
    return kept, failure, tail


def spans(numbers: list[int]) -> str:
    """1,2,3,7 as 1-3,7."""
    out: list[list[int]] = []
    for number in numbers:
        if out and out[-1][1] == number - 1:
            out[-1][1] = number
        else:
            out.append([number, number])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in out)


def numbered(given: str) -> list[int]:
    pairs = (part.partition("-") for part in given.split(","))
    return [number for a, _, b in pairs for number in range(int(a), int(b or a) + 1)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=1700)
    parser.add_argument("--encoding", choices=("utf-8", "utf-16", "utf-32"), default="utf-16")
    parser.add_argument("--editor", choices=tuple(EDITORS), default="vscode")
    parser.add_argument("--seed", default=None)
    parser.add_argument("--acts", default=None, help="only these, as in 3,7-9")
    parser.add_argument("--shrink", type=float, default=60.0, help="seconds for making a failure shorter")
    parser.add_argument("--checkpoint-every", type=int, default=5000)
    parser.add_argument("--no-checkpoints", dest="checkpoints", action="store_false")
    options = parser.parse_args()
    if options.seed is None:
        options.seed = str(random.SystemRandom().randrange(10**6))
    numbers = None if options.acts is None else numbered(options.acts)
    began = time.monotonic()
    session, failure = trial(options, numbers)
    took = time.monotonic() - began
    print(
        f"{session.sent} messages in {took:.0f} s, {len(session.played)} acts, {options.encoding}, {options.editor}, "
        f"seed {options.seed}; KB after so many messages: {session.memory[:: max(1, len(session.memory) // 8)]}"
    )
    if failure is None:
        return 0
    print(f"FAILED in act {session.played[-1:]}: {failure}", flush=True)
    tail = session.tail
    played, failure, shorter = shrunk(options, session.played, failure)
    print("\n".join((shorter or tail)[-60:]))
    print(f"FAILED: {failure}")
    again = f"--seed {options.seed} --encoding {options.encoding} --editor {options.editor}"
    print(f"python tests/lsp/session/play.py {again} --acts {spans(played)}")
    return 1


if __name__ == "__main__":
    sys.exit(main())

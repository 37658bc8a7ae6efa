"""What a check costs after an edit of one sentence, in a chapter of 10 KB and in one of 1 MB.

uv run python tests/judged/edits.py
"""

from __future__ import annotations

import statistics
import time

from inkwright.checks import checking
from inkwright.checks.checking import CheckCache

ZH = (
    "　　天亮以前，码头上只有两盏灯，雾从江面漫上来，把台阶一级一级吞了下去。林夏数到第{n}级时停了一停。",
    "　　“船还没有到，”守夜的老人说，“再等等吧，这样的天，谁也不敢开快。”",
    "　　她没有回答，把箱子放在脚边，账本压在最下面。第{n}封信她一直没有拆。",
)
EN = (
    "Before dawn there were two lamps on the quay, and the fog came up the steps one by one; she had counted {n}.",
    "“The boat is late,” said the watchman. “Nobody would dare to hurry on a night like this.”",
    "She did not answer, and set the case down by her feet. Letter number {n} was still unopened.",
)


def chapter(paragraphs: tuple[str, ...], size: int) -> str:
    """About `size` bytes of UTF-8."""
    out: list[str] = []
    length = 0
    while length < size:
        out.append(paragraphs[len(out) % len(paragraphs)].format(n=len(out)))
        length += len(out[-1].encode()) + 2
    return "\n\n".join(out)


def edit(paragraphs: tuple[str, ...], size: int, times: int = 40) -> float:
    """Median CPU seconds of the check after one more character in the middle."""
    text, cache = chapter(paragraphs, size), CheckCache()
    checking.check(text, language="", names=("林夏",), cache=cache)
    spent = []
    for _ in range(times):
        at = text.index("\n", len(text) // 2) - 3
        text = text[:at] + ("又" if paragraphs is ZH else "x") + text[at:]
        began = time.process_time()
        checking.check(text, language="", names=("林夏",), cache=cache)
        spent.append(time.process_time() - began)
    return statistics.median(spent)


def main() -> None:
    for name, paragraphs in (("zh", ZH), ("en", EN)):
        small, large = edit(paragraphs, 10_000), edit(paragraphs, 1_000_000)
        print(f"{name}: 10 KB {small * 1000:.2f} ms, 1 MB {large * 1000:.2f} ms, ratio {large / small:.2f}")


if __name__ == "__main__":
    main()

"""The judged sentences: what is wrong in them is found, what only looks wrong is left alone."""

from __future__ import annotations

import asyncio
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from inkwright.checks.book.engine import find
from inkwright.manuscript.index import BookIndex

CORPUS = Path(__file__).parents[2] / "corpus" / "continuity"
CARDS = tomllib.loads((CORPUS / "cards.toml").read_text("utf-8"))
NAMES = {"zh": "第{}章", "en": "Chapter {}"}


def _rows(language):
    for number, line in enumerate((CORPUS / f"{language}.txt").read_text("utf-8").strip().split("\n")):
        wrong, _, text = line.partition("| ")
        # A fault and the sentence beside it that looks like it are held out together.
        yield wrong.strip(), text, "held out" if number // 2 % 2 else "tuned"


@pytest.fixture(scope="module", params=["zh", "en"])
def judged(request, tmp_path_factory):
    root = tmp_path_factory.mktemp(request.param)
    language = request.param
    for name, (kind, facts) in CARDS[language].items():
        rows = "\n".join("  " + line for line in facts.split("\n"))
        (root / "cards").mkdir(exist_ok=True)
        (root / "cards" / f"{name}.md").write_text(
            f"---\ntype: {kind}\nname: {name}\nfacts:\n{rows}\n---\n", "utf-8"
        )
    (root / "manuscript").mkdir()
    for number in range(1, 10):
        (root / "manuscript" / f"{NAMES[language].format(number)}.md").write_text("# x\n\n雨。\n", "utf-8")

    async def overview():
        index = await BookIndex.open(root)
        await index.build()
        view = index.overview()
        await index.close()
        return view

    book = asyncio.run(overview())
    path = f"manuscript/{NAMES[language].format(5)}.md"
    out = []
    for wrong, text, group in _rows(language):
        codes = {
            one.code for one in find(book, path, f"# x\n\n{text}\n") if one.code.startswith("continuity_")
        }
        out.append((wrong, text, group, codes))
    return language, out


@pytest.mark.parametrize("group", ["tuned", "held out"])
def test_precision_and_recall(judged, group):
    """No more than one sound sentence in fifty is told of; of the faults at least nine in ten are found, held out
    at least eight."""
    language, rows = judged
    counts: Counter[str] = Counter()
    for wrong, text, of, codes in rows:
        if of != group:
            continue
        if wrong:
            counts["faults"] += 1
            counts["found"] += wrong in codes
            if wrong not in codes:
                print("missed:", wrong, text)
        else:
            counts["sound"] += 1
        if extra := codes - {wrong}:
            counts["false"] += 1
            print("false:", extra, text)
    precision = counts["found"] / (counts["found"] + counts["false"])
    recall = counts["found"] / counts["faults"]
    print(f"{language} {group}: {dict(counts)} precision {precision:.2f} recall {recall:.2f}")
    assert precision >= 0.98
    assert recall >= (0.9 if group == "tuned" else 0.8)

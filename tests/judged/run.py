"""Precision and recall of every rule on the judged sentences, and false alarms in whole novels.

    uv run python tests/judged/run.py [--part tuned|heldout|second|third|fourth|fifth|sixth] [--novels DIR] [--misses]

A diagnostic is right when it stands where a faulty sentence and its correction differ and, if it has a fix, that
fix makes the correction there; everywhere else it is a false alarm. A fault is found when a right diagnostic of any
rule stands on it. Faults without a correction are chapters that a rule has something to say of.
"""

from __future__ import annotations

import argparse
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path

from inkwright.checks import checking, rules
from inkwright.domain.diagnostic import Diagnostic

CORPUS = Path(__file__).parents[1] / "corpus" / "proofreading"
PARTS = ("tuned", "heldout", "second", "third", "fourth", "fifth", "sixth")
LANGUAGES = ("zh", "en")


@dataclass(slots=True)
class Score:
    right: int = 0
    wrong: int = 0

    @property
    def precision(self) -> float:
        return self.right / (self.right + self.wrong) if self.right + self.wrong else 1.0


@dataclass(slots=True)
class Judged:
    """Scores by rule; how many faults of a kind there are, and how many of them are found."""

    rules: dict[str, Score] = field(default_factory=dict)
    faults: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    misses: list[str] = field(default_factory=list)
    sound: int = 0

    @property
    def recall(self) -> float:
        return self.found.total() / self.faults.total()

    def score(self, one: Diagnostic, right: bool) -> None:
        score = self.rules.setdefault(one.code, Score())
        if right:
            score.right += 1
        else:
            score.wrong += 1


def judge(parts: tuple[str, ...] = PARTS, languages: tuple[str, ...] = LANGUAGES) -> Judged:
    out = Judged()
    for part in parts:
        for language in languages:
            table = tomllib.loads((CORPUS / f"{part}.{language}.toml").read_text("utf-8"))
            for kind, rows in table["faulty"].items():
                for text, right in rows:
                    _faulty(out, f"{language} {kind}", text, right, language)
            for kind, texts in table["sound"].items():
                for text in texts:
                    out.sound += 1
                    for one in checking.check(text, language=language, names=()):
                        out.score(one, False)
                        out.misses.append(f"false  {one.code} [{one.span.of(text)}] {kind}: {text!r}")
    return out


def _faulty(out: Judged, kind: str, text: str, right: str, language: str) -> None:
    found = checking.check(text, language=language, names=())
    out.faults[kind] += 1
    if not right:
        for one in found:
            out.score(one, True)
        hit = bool(found)
    else:
        hit = False
        for one in found:
            good = _right(one, text, right)
            hit = hit or good
            out.score(one, good)
            if not good:
                out.misses.append(f"false  {one.code} [{one.span.of(text)}] {kind}: {text!r}")
    out.found[kind] += hit
    if not hit:
        out.misses.append(f"missed {kind}: {text!r}")


def _right(one: Diagnostic, text: str, right: str) -> bool:
    fix = one.fix or next(
        (edit for offer in one.fixes for change in offer.changes for edit in change.edits), None
    )
    if fix is not None:
        repaired = text[: fix.span.start] + fix.new + text[fix.span.end :]
        before = SequenceMatcher(None, text, right, autojunk=False).ratio()
        return repaired == right or SequenceMatcher(None, repaired, right, autojunk=False).ratio() > before
    blocks = SequenceMatcher(None, text, right, autojunk=False).get_opcodes()
    return any(op != "equal" and a <= one.span.end and b >= one.span.start for op, a, b, _, _ in blocks)


def lines(judged: Judged) -> Iterator[str]:
    severity = {rule.id: rule.severity for rule in rules.by_id().values()}
    yield f"{'rule':28} {'severity':12} {'right':>5} {'wrong':>5} {'precision':>9}"
    for code, score in sorted(judged.rules.items()):
        yield f"{code:28} {severity[code]:12} {score.right:5} {score.wrong:5} {score.precision:9.2f}"
    yield ""
    yield f"{'kind of fault':28} {'faults':>6} {'found':>6} {'recall':>7}"
    for kind, count in sorted(judged.faults.items()):
        yield f"{kind:28} {count:6} {judged.found[kind]:6} {judged.found[kind] / count:7.2f}"
    alarms = [score for code, score in judged.rules.items() if severity[code] in ("error", "warning")]
    right, wrong = sum(s.right for s in alarms), sum(s.wrong for s in alarms)
    yield ""
    yield f"{judged.faults.total()} faulty and {judged.sound} sound; recall {judged.recall:.3f}"
    yield f"errors and warnings: {right} right, {wrong} wrong, precision {right / max(1, right + wrong):.3f}"


def novel(file: Path) -> Iterator[str]:
    text = file.read_text("utf-8", errors="replace")
    found = checking.check(text, language="", names=())
    counts = Counter((one.severity, one.code) for one in found)
    alarms = sum(count for (severity, _), count in counts.items() if severity in ("error", "warning"))
    per = 10_000 / max(1, len(text))
    yield f"{file.name}: {len(text):,} characters, {alarms * per:.2f} errors and warnings in 10,000"
    for (severity, code), count in sorted(counts.items(), key=lambda item: -item[1]):
        yield f"  {code:28} {severity:12} {count:6} {count * per:8.3f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--part", choices=PARTS, action="append")
    parser.add_argument("--novels", type=Path)
    parser.add_argument("--misses", action="store_true")
    args = parser.parse_args()
    for part in args.part or PARTS:
        judged = judge((part,))
        print(f"== {part}", *lines(judged), sep="\n")
        if args.misses:
            print(*judged.misses, sep="\n")
    if args.novels:
        for file in sorted(args.novels.glob("*.txt")):
            print(*novel(file), sep="\n")


if __name__ == "__main__":
    main()

"""The table of the guard over its corpus: `uv run python tests/judged/guard.py [--misses] [--tuned]`.

For each kind of fault: bad rewrites, those that were caught with the finding that had to be there, those caught with
another one; then the good rewrites that were held back. The other parts were written before the guard knew of them, and
are reported apart; what it made of them at first look stands at their heads.
"""

from __future__ import annotations

import sys
import tomllib
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from inkwright.domain.cards import Card, Match
from inkwright.domain.proposal import Finding
from inkwright.domain.text import apply
from inkwright.library.loader import load
from inkwright.library.registry import Library
from inkwright.proposals.guard import Guard
from inkwright.proposals.names import Names
from inkwright.proposals.rewrite import edits

HELD = 0.02
"""The largest share of good rewrites that may be held back; of the bad ones every one has to be caught."""
OPEN = ("fifth_",)
"""Parts of which some bad ones still pass."""
CORPUS = Path(__file__).parent.parent / "corpus" / "guard"


@dataclass(frozen=True)
class Judged:
    """A pair of the corpus with what the guard says of it. `want` is '' for a good rewrite."""

    want: str
    about: str
    base: str
    new: str
    findings: tuple[Finding, ...]

    @property
    def codes(self) -> list[str]:
        return [finding.code for finding in self.findings]

    @property
    def right(self) -> bool:
        if not self.want:
            return not self.findings
        return bool(self.findings) if self.want == "any" else self.want in self.codes


def names() -> Names:
    rows = tomllib.loads((CORPUS / "cards.toml").read_text("utf-8"))["card"]
    return Names(
        Card(
            path=f"cards/{row['name']}.md",
            name=row["name"],
            type=row["kind"],
            kind=row["kind"],
            aliases=tuple(row.get("aliases", ())),
            match=Match("exact" if row.get("exact") else "ignore"),
        )
        for row in rows
    )


def judged(part: str) -> list[Judged]:
    """Every pair of one file of the corpus (`bad`, `good`, and these with `heldout_`, `fresh_`, `second_`, `third_`, `fourth_`, `fifth_` or `sixth_` before)."""
    known, library = names(), load()
    rows = tomllib.loads((CORPUS / f"{part}.toml").read_text("utf-8"))["pairs"]
    return [_judged(row, known, library) for row in rows]


def _judged(row: dict[str, str], known: Names, library: Library) -> Judged:
    ability = library.ability(row.get("ability", "polish"))
    assert ability is not None
    base, new = row["base"], row["new"]
    changes = edits(base, new)
    guard = Guard(base, known, after=apply(base, changes), length=ability.length, allows=ability.allows)
    found = tuple(finding for change in changes for finding in guard.findings(change))
    return Judged(row.get("want", ""), row.get("about", ""), base, new, found)


def table(prefix: str) -> tuple[list[str], list[Judged], bool]:
    """The lines of one part, what was judged wrongly, and whether that is more than may be."""
    bad, good = judged(f"{prefix}bad"), judged(f"{prefix}good")
    rows: dict[str, list[Judged]] = defaultdict(list)
    for one in bad:
        rows[one.want].append(one)
    out = [f"{'finding':20} {'bad':>4} {'caught':>7} {'exactly':>8}"]
    for code, ones in sorted(rows.items()):
        caught = sum(bool(one.findings) for one in ones)
        out.append(f"{code:20} {len(ones):4} {caught:7} {sum(one.right for one in ones):8}")
    caught = sum(bool(one.findings) for one in bad)
    out.append(f"{'all':20} {len(bad):4} {caught:7} {sum(one.right for one in bad):8}")
    held = [one for one in good if one.findings]
    out.append(f"good rewrites held back: {len(held)} of {len(good)} ({100 * len(held) / len(good):.1f} %)")
    failed = (prefix not in OPEN and caught < len(bad)) or len(held) > HELD * len(good)
    return out, [one for one in (*bad, *good) if not one.right], failed


def main(args: list[str]) -> int:
    failed = False
    for prefix, title in (
        ("", "The corpus that the guard was tuned on"),
        ("heldout_", "The part that was held out"),
        ("fresh_", "The part on lexical denials and halves, written before the guard knew of them"),
        ("second_", "The part on how sure, how many, which side, before and after, more and less"),
        ("third_", "More of these, written after the guard had learnt from the second part"),
        ("fourth_", "Every kind in wording of its own, written by someone who had not read the guard"),
        ("fifth_", "Wording of its own again, written after the guard had learnt from the fourth part"),
        (
            "sixth_",
            "The part on who speaks, who of the family, words that changed places, and days, learnt from since",
        ),
    ):
        if prefix and "--tuned" in args:
            continue
        lines, misses, wrong = table(prefix)
        print(f"{title}\n" + "\n".join(lines) + "\n")
        failed |= wrong
        for one in misses if "--misses" in args else ():
            print(
                f"  want {one.want or 'nothing'} ({one.about}), said {[(f.code, dict(f.params)) for f in one.findings]}"
            )
            print(f"    - {one.base!r}\n    + {one.new!r}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""The rows of a benchmark and how they are printed."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Row:
    """One thing measured. `base` is what `value` is divided by; None compares the value itself."""

    what: str
    value: float | None
    unit: str
    base: float | None = None
    base_name: str = ""
    must: float | None = None
    aim: float | None = None
    note: str = ""

    @property
    def measured(self) -> float | None:
        """What the two limits are about: the ratio, or the value where there is no base."""
        if self.value is None or not self.base_name:
            return self.value
        return self.value / self.base if self.base else None


@dataclass
class Table:
    rows: list[Row] = field(default_factory=list)

    def add(self, row: Row) -> None:
        self.rows.append(row)

    def text(self) -> str:
        """For a terminal."""
        cells = self._cells()
        widths = [max(len(line[i]) for line in cells) for i in range(len(cells[0]))]
        lines = [
            "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
            for line in cells
        ]
        lines.insert(1, "-" * len(lines[0]))
        return "\n".join(lines)

    def markdown(self) -> str:
        """The same as a table of a Markdown file."""
        head, *rows = self._cells()
        lines = ["| " + " | ".join(line) + " |" for line in [head, ["---"] * len(head), *rows]]
        return "\n".join(line.replace("|   ", "| … ").replace("|  |", "| |") for line in lines)

    def _cells(self) -> list[list[str]]:
        cells = [["what", "ours", "compared with", "ratio", "must", "aim", "reached"]]
        for row in self.rows:
            versus = f"{row.base_name} {_number(row.base)}" if row.base_name else ""
            ratio = row.measured if row.base_name else None
            limit = " ×" if row.base_name else f" {row.unit}"
            cells.append(
                [
                    row.what,
                    f"{_number(row.value)} {row.unit}",
                    versus,
                    _number(ratio) if row.base_name else "",
                    "" if row.must is None else f"≤ {row.must:g}{limit}",
                    "" if row.aim is None else f"≤ {row.aim:g}{limit}",
                    _verdict(row) or row.note,
                ]
            )
        return cells


def _verdict(row: Row) -> str:
    measured = row.measured
    if measured is None:
        return f"not measured: {row.note}" if row.note else "not measured"
    if row.aim is not None and measured <= row.aim:
        return "aim"
    if row.must is not None:
        return "must" if measured <= row.must else "MISSED"
    return ""


def _number(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:.0f}" if value >= 100 else f"{value:.2f}" if value >= 0.1 else f"{value:.3f}"

"""The benchmark itself runs; what it measures is printed, never asserted."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.bench, pytest.mark.timeout(600)]


def test_the_benchmark_measures_every_row(tmp_path: Path) -> None:
    """On a small book every row that applies gets a value."""
    out = tmp_path / "rows.json"
    command = [sys.executable, str(Path(__file__).with_name("run.py")), "--smoke", "--json", str(out)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=590, check=False)
    assert done.returncode == 0, done.stderr
    print(done.stdout)
    rows = json.loads(out.read_text("utf-8"))
    missing = [row["what"] for row in rows if row["value"] is None and not row["note"]]
    assert not missing
    assert len(rows) >= 14

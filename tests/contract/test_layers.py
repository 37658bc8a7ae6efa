"""The house keeps its layers."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_calls_go_down_and_doors_are_kept():
    """import-linter finds every contract of pyproject.toml kept."""
    tool = Path(sys.executable).with_name("lint-imports")
    ran = subprocess.run([str(tool), "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr

"""What is installed is what stands in the source tree."""

from __future__ import annotations

import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "server" / "inkwright"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The names inside a freshly built wheel."""
    out = tmp_path_factory.mktemp("wheel")
    uv = shutil.which("uv")
    assert uv, "the project's front end is uv"
    ran = subprocess.run(
        [uv, "build", "--wheel", "--out-dir", str(out)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    (built,) = out.glob("*.whl")
    with zipfile.ZipFile(built) as archive:
        return set(archive.namelist())


def test_every_file_of_the_package_is_inside(wheel):
    """Code, prompts, schema, tables and the sample book: nothing is missing, nothing else comes along."""
    source = {
        f"inkwright/{file.relative_to(PACKAGE).as_posix()}"
        for file in PACKAGE.rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    inside = {name for name in wheel if ".dist-info/" not in name}
    assert inside == source
    assert {Path(name).suffix for name in inside} >= {".py", ".md", ".toml", ".sql", ".typed"}


def test_the_wheel_says_what_it_is(wheel):
    """The licence and the command come with it."""
    assert any(name.endswith("licenses/LICENSE") for name in wheel)
    assert any(name.endswith("entry_points.txt") for name in wheel)

"""What is installed is what stands in the source tree."""

from __future__ import annotations

import re
import shutil
import subprocess
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "server" / "inkwright"


def build(kind: str, out: Path) -> Path:
    uv = shutil.which("uv")
    assert uv, "the project's front end is uv"
    ran = subprocess.run(
        [uv, "build", kind, "--out-dir", str(out)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    (built,) = out.glob("inkwright-*")
    return built


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The names inside a freshly built wheel."""
    with zipfile.ZipFile(build("--wheel", tmp_path_factory.mktemp("wheel"))) as archive:
        return set(archive.namelist())


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The names inside a freshly built source archive, without its top folder."""
    with tarfile.open(build("--sdist", tmp_path_factory.mktemp("sdist"))) as archive:
        return {member.name.partition("/")[2] for member in archive if member.isfile()}


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


def test_the_source_archive_can_be_worked_with(sources):
    """The READMEs' commands and pictures, the tests and what they look at are there; nothing that was built is."""
    assert sources >= {"pyproject.toml", "uv.lock", ".ci/run", "LICENSE", "CHANGELOG.md"}
    for readme in ("README.md", "README.zh-CN.md"):
        linked = re.findall(r"\]\(([^):]+)\)", (ROOT / readme).read_text("utf-8"))
        assert linked
        assert {readme, *linked} <= sources
    for folder in ("server", "tests", "clients/neovim", "clients/vscode/src", "clients/vscode/test"):
        files = {
            file.relative_to(ROOT).as_posix() for file in (ROOT / folder).rglob("*") if file.suffix == ".py"
        }
        assert files <= sources
        assert any(name.startswith(f"{folder}/") for name in sources)
    built = re.compile(r"(^|/)(node_modules|out|__pycache__|\.venv|\.cache|test-results)/|\.(pyc|vsix|whl)$")
    assert [name for name in sources if built.search(name)] == []

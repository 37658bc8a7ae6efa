"""The Neovim plugin's code: formatted by StyLua, without a warning of luacheck, in modules that can be read at once."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

pytestmark = [pytest.mark.editors, pytest.mark.timeout(300)]

HERE = Path(__file__).parent
PLUGIN = HERE.parent.parent / "clients" / "neovim"
STYLUA = "@johnnymorganz/stylua@2.5.2"


def files() -> list[Path]:
    return [*sorted(PLUGIN.rglob("*.lua")), *sorted((HERE / "neovim").glob("*.lua"))]


@pytest.fixture(scope="session")
def stylua() -> Path:
    """The folder with the formatter, installed once per machine."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("needs npm")
    home = Path(os.environ.get("INKWRIGHT_EDITORS", Path.home() / ".cache" / "editors")) / "stylua"
    if not (home / "node_modules" / "@johnnymorganz" / "stylua").exists():
        home.mkdir(parents=True, exist_ok=True)
        (home / "package.json").write_text("{}", "utf-8")
        subprocess.run([npm, "install", "--silent", "--prefix", home, STYLUA], check=True)
    return home


def test_formatted(stylua: Path) -> None:
    """What StyLua would write is what stands there; `format.mjs --write` writes it."""
    done = subprocess.run(
        ["node", HERE / "neovim" / "format.mjs", *files()],
        env={**os.environ, "STYLUA_HOME": str(stylua)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_warning() -> None:
    """luacheck finds nothing."""
    luacheck = shutil.which("luacheck")
    if luacheck is None:
        pytest.skip("needs luacheck")
    done = subprocess.run(
        [luacheck, "--no-color", "-q", "."], cwd=PLUGIN, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_annotations(nvim: Path, environment: dict[str, str]) -> None:
    """Each public function and each option says its types, and what it says is what the code has."""
    done = subprocess.run(
        [nvim, "--clean", "--headless", "-n", "-l", HERE / "neovim" / "types.lua"],
        env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert re.search(r"^[1-9]\d* passed, 0 failed$", done.stdout + done.stderr, re.MULTILINE), (
        done.stdout + done.stderr
    )


def test_small_modules() -> None:
    """No module is longer than 350 lines."""
    long = {
        path.name: n
        for path in PLUGIN.rglob("*.lua")
        if (n := len(path.read_text("utf-8").splitlines())) > 350
    }
    assert not long

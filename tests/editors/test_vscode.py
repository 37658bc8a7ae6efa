"""The VS Code extension in a real workbench: inside its extension host, and through the user's eyes."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

pytestmark = [pytest.mark.editors, pytest.mark.timeout(900)]

HERE = Path(__file__).parent
REPO = HERE.parent.parent
EXTENSION = REPO / "clients" / "vscode"
RESULTS = REPO / "test-results" / "vscode"

CHAPTER = """\
---
title: 雨夜
---

# 第一章 雨夜

林晚秋推开门,雨还在下。她一但下了决心,就不会回头。

“你来了。”老人说,“坐吧.”他的的手在发抖。

窗外的灯一盏一盏地灭了。。她数到第7盏，才听见脚步声。

---

第二天，码头上以经没有人了。林晚秋把信折好，放进怀里...然后她笑了。
"""

BROKEN_DOWN = """\
# 拆书第一回

林晚秋推开门，雨还在下。她握着一把旧剑，剑鞘上刻着“不悔”二字。周衡说：“你终于来了。”

十年前，周衡在渡口救过她的命，又在同一个渡口卖了她的师父。她记得那一夜的灯，一盏一盏地灭了。

“你师父留下一封信。”周衡把信放在桌上，“他要你去青石镇，找一个姓沈的铁匠。”
"""

CARD = """\
---
type: character
name: 林晚秋
aliases: [晚秋]
---

剑客，说话很少。
"""


def run(log: str, *command: str | Path, cwd: Path = REPO, env: dict[str, str] | None = None) -> None:
    """Runs a command to its end; what it said is in `test-results`, and its end in the failure."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
    )
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / f"{log}.log").write_text(done.stdout, "utf-8")
    if done.returncode:
        pytest.fail(f"{log} ({done.returncode}): {command[0]}\n{done.stdout[-4_000:]}", pytrace=False)


@pytest.fixture(scope="session")
def vscode() -> Path:
    """A real VS Code, installed once per machine."""
    if sys.platform != "linux" or shutil.which("npm") is None:
        pytest.skip("needs Linux and npm")
    cache = Path(os.environ.get("INKWRIGHT_EDITORS", Path.home() / ".cache" / "editors"))
    run("install", "bash", HERE / "vscode" / "install.sh", cache / "vscode")
    return cache / "vscode"


@pytest.fixture(scope="session")
def node(vscode: Path) -> dict[str, str]:
    """An environment with the Node that came with VS Code: a distribution's is often too old for the tools."""
    return {**os.environ, "PATH": f"{vscode / 'node_modules' / '.bin'}{os.pathsep}{os.environ['PATH']}"}


@pytest.fixture(scope="session")
def extension(node: dict[str, str]) -> Path:
    """The extension's folder with its packages."""
    if not (EXTENSION / "node_modules" / ".package-lock.json").exists():
        run("npm-ci", "npm", "ci", "--no-audit", "--no-fund", "--prefer-offline", cwd=EXTENSION, env=node)
    return EXTENSION


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """A book whose path has a space, a percent sign and Chinese."""
    root = tmp_path / "书 100%"
    (root / "cards").mkdir(parents=True)
    (root / "第一章 雨夜.md").write_text(CHAPTER, "utf-8", newline="")
    (root / "cards" / "林晚秋.md").write_text(CARD, "utf-8", newline="")
    return root


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """A home of its own, with the program on the PATH and nothing configured."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("INKWRIGHT_", "XDG_")) and not name.endswith("_API_KEY")
    }
    home = tmp_path / "home"
    home.mkdir()
    path = f"{Path(sys.executable).parent}{os.pathsep}{kept['PATH']}"
    server = Path(sys.executable).parent / "inkwright"
    # The editor asks a login shell for the environment, as it does on a writer's machine.
    (home / ".profile").write_text(f'export PATH="{path}"\n', "utf-8")
    return {
        **kept,
        "HOME": str(home),
        "PATH": path,
        "SHELL": "/bin/bash",
        "LANG": "C.UTF-8",
        "INKWRIGHT_TEST_PROGRAM": str(server),
    }


def test_types_lint_and_unit_tests(extension: Path, node: dict[str, str]) -> None:
    """`npm run check` passes: tsc, eslint, the tests that need no editor."""
    run("check", "npm", "run", "--silent", "check", cwd=extension, env=node)


@pytest.mark.usefixtures("vsix")
def test_in_the_extension_host(
    vscode: Path, extension: Path, book: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    """Polish, review by hunk, cancel, typing meanwhile, restart: each case of host.cjs holds."""
    report = tmp_path / "report.json"
    run(
        "host",
        vscode / "node_modules" / ".bin" / "node24",
        HERE / "vscode" / "run_host.mjs",
        vscode,
        extension,
        book,
        report,
        env=environment,
    )
    outcome = json.loads(report.read_text("utf-8"))
    assert outcome["failed"] == []
    assert len(outcome["cases"]) >= 20


@pytest.fixture(scope="session")
def vsix(extension: Path, node: dict[str, str]) -> Path:
    """The package as a writer makes it, by the README's own command."""
    run("package", "npm", "run", "--silent", "package", cwd=extension, env=node)
    return extension / "inkwright.vsix"


PACKED = {
    "LICENSE.txt",
    "changelog.md",
    "l10n/bundle.l10n.zh-cn.json",
    "out/extension.js",
    "out/languageClient.js",
    "out/page.css",
    "out/page.js",
    "package.json",
    "package.nls.json",
    "package.nls.zh-cn.json",
    "readme.md",
    "snippets/markdown.json",
}

LOADED = """
const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const load = Module._load;
const get = (_, key) => key === Symbol.toPrimitive ? () => '' : thing();
const thing = () => new Proxy(function () {}, { get, construct: thing, apply: thing });
const sources = fs.readdirSync(process.argv[2]).map((file) => fs.readFileSync(path.join(process.argv[2], file), 'utf8'));
const names = sources.join('').matchAll(/\\bvscode\\.(\\w+)/g);
const api = Object.fromEntries(Array.from(names, ([, name]) => [name, thing()]));
Module._load = (name, ...rest) => name === 'vscode' ? api : load(name, ...rest);
const { activate } = require(process.argv[1] + '/out/extension.js');
if (typeof activate !== 'function') throw new Error('nothing to activate');
console.log(JSON.stringify(Object.keys(require.cache).map((file) => path.basename(file))));
"""


def test_the_package(vsix: Path, node: dict[str, str], tmp_path: Path) -> None:
    """Small, complete, made without a warning; what starts a server is not read before one is started."""
    said = (RESULTS / "package.log").read_text("utf-8")
    assert "WARN" not in said
    assert vsix.stat().st_size <= 400_000
    with zipfile.ZipFile(vsix) as packed:
        packed.extractall(tmp_path)
    root = tmp_path / "extension"
    names = {file.relative_to(root).as_posix() for file in root.rglob("*") if file.is_file()}
    media = {name for name in names if name.startswith("media/")}
    assert names - media == PACKED
    assert {Path(name).suffix for name in media} == {".md", ".png", ".svg", ".jpg"}
    shown = re.findall(r"\]\((media/[^)]+)\)", (root / "readme.md").read_text("utf-8"))
    assert len(shown) >= 3
    assert set(shown) <= media
    assert (root / "out" / "extension.js").stat().st_size <= 120_000
    loaded = subprocess.run(
        ["node", "-e", LOADED, root, EXTENSION / "src"], env=node, capture_output=True, text=True, check=True
    )
    assert json.loads(loaded.stdout) == ["extension.js"]


@pytest.fixture(scope="session")
def installed(vscode: Path, vsix: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of extensions with the package in it."""
    folder = tmp_path_factory.mktemp("extensions")
    run(
        "installed",
        vscode / "node_modules" / ".bin" / "node24",
        HERE / "vscode" / "install.mjs",
        vscode,
        vsix,
        folder,
    )
    return folder


@pytest.mark.parametrize(
    "stage",
    [
        "sidebar+review",
        "cancel+engine",
        "missing+trusted",
        "chinese+steps",
        "desk+ability",
        "walkthrough",
        "trouble",
        "wrong",
        "boxes+endpoint",
        "story",
        "panel+inline+two",
        "rough",
    ],
)
def test_as_a_writer_sees_it(
    vscode: Path, installed: Path, book: Path, environment: dict[str, str], stage: str
) -> None:
    """The packaged extension by mouse and keyboard; the screens are in `test-results/vscode`.

    A stage is one workbench, in which its scenes are played one after the other.
    """
    scenes = set(stage.split("+"))
    if scenes & {"engine", "steps", "two"}:
        (book / "第二章 渡口.md").write_text(BROKEN_DOWN, "utf-8", newline="")
    if scenes & {"engine", "steps"}:
        (book / "拆书").mkdir()
        (book / "拆书" / "book.toml").write_text('type = "breakdown"\n', "utf-8")
        (book / "拆书" / "拆书第一回.md").write_text(BROKEN_DOWN, "utf-8", newline="")
    if "inline" in scenes:
        (book / "第一章 雨夜.md").write_text(
            CHAPTER.replace("title: 雨夜", "title: 雨夜\ncharacters: [沈铁匠]"), "utf-8", newline=""
        )
    if "sidebar" in scenes:
        (book / "README.md").write_text("# 说明\n\n这不是一章。\n", "utf-8", newline="")
        (book / "第一章 雨夜.md").write_text(
            CHAPTER.replace("title:", "order: 1\ntitle:"), "utf-8", newline=""
        )
        for order, title in ((2, "渡口"), (3, "归途")):
            text = f"---\norder: {order}\n---\n\n# {title}\n\n林晚秋走了很远。\n"
            (book / f"{title}.md").write_text(text, "utf-8", newline="")
    if "story" in scenes:
        shutil.rmtree(book)
        book.mkdir()
    if "desk" in scenes:
        for volume, title, status in (
            ("01 江上", "渡口", "draft"),
            ("02 归途", "一个很长很长的章名在窄栏里", "revised"),
        ):
            (book / volume).mkdir()
            text = f"---\nstatus: {status}\n---\n\n# {title}\n\n晚秋走了很远。\n"
            (book / volume / f"{title}.md").write_text(text, "utf-8", newline="")
    if "endpoint" in scenes:
        (Path(environment["HOME"]) / ".config" / "inkwright").mkdir(parents=True)
    if "missing" in scenes:
        (Path(environment["HOME"]) / ".profile").unlink()
        environment["PATH"] = os.defpath
    run(
        stage,
        vscode / "node_modules" / ".bin" / "node24",
        HERE / "vscode" / "run_eyes.mjs",
        vscode,
        installed,
        book,
        RESULTS,
        stage,
        env=environment,
    )

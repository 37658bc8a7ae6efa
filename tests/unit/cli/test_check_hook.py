"""The hook, run by pre-commit itself over a repository with a book in it."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[3]
GOOD = "# 渡口\n\n林夏到的时候，船已经走了。\n"
BAD = "# 渡口\n\n一但下雨，船就不开。\n"


def _run(repo: Path, *command: str) -> subprocess.CompletedProcess[str]:
    env = os.environ | {
        "PRE_COMMIT_HOME": str(repo.parent / "pre-commit"),
        "LC_ALL": "zh_CN.UTF-8",
        "PYTHONUTF8": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_SYSTEM": os.devnull,
    }
    env |= {
        f"GIT_{who}_{what}": "a@b.example" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
    }
    for name in [name for name in env if name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE")]:
        del env[name]
    return subprocess.run(
        command, cwd=repo, env=env, check=False, capture_output=True, encoding="utf-8", timeout=110
    )


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """A repository with a book in a folder, and beside it what is none of a writer's."""
    folder = tmp_path / "仓库"
    (folder / "书").mkdir(parents=True)
    assert _run(folder, "git", "init", "-q").returncode == 0
    (folder / "书" / "第 001 章 渡口.md").write_text(GOOD, "utf-8")
    (folder / "requirements.txt").write_text("一但下雨\n", "utf-8")
    (folder / "tool.py").write_text("# 一但下雨，船就不开。\n", "utf-8")
    (folder / "书" / "封面.png").write_bytes(b"\x89PNG\x00\x01\x02" * 50)
    return folder


def _commits(repo: Path, *hook: str) -> None:
    """Good chapters pass; a bad one stops the commit with its finding; only what is committed is looked at."""
    assert _run(repo, "git", "add", ".").returncode == 0
    passed = _run(repo, *hook)
    assert passed.returncode == 0, passed.stdout + passed.stderr
    assert "Passed" in passed.stdout
    (repo / "书" / "第 002 章 旧信.md").write_text(BAD, "utf-8")
    assert _run(repo, *hook).returncode == 0
    assert _run(repo, "git", "add", ".").returncode == 0
    failed = _run(repo, *hook)
    assert failed.returncode == 1
    assert "书/第 002 章 旧信.md:3:1: " in failed.stdout
    assert "[zh-misspelled]" in failed.stdout
    assert "requirements" not in failed.stdout


@pytest.mark.timeout(240)
def test_pre_commit_stops_a_bad_chapter(repo: Path) -> None:
    """With the hook's own words, files, types and arguments; only where the program comes from is another."""
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    program, *arguments = shlex.split(hook["entry"])
    assert program == "inkwright"
    hook |= {"language": "system", "entry": shlex.join([sys.executable, "-m", "inkwright", *arguments])}
    config = {"repos": [{"repo": "local", "hooks": [hook]}]}
    (repo / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config), "utf-8")
    _commits(repo, sys.executable, "-m", "pre_commit", "run", "inkwright-check")


@pytest.mark.network
@pytest.mark.timeout(600)
def test_pre_commit_installs_the_hook_from_the_repository(repo: Path) -> None:
    """As the README has it: the repository, a revision, the hook's id."""
    head = _run(ROOT, "git", "rev-parse", "HEAD").stdout.strip()
    config = {"repos": [{"repo": str(ROOT), "rev": head, "hooks": [{"id": "inkwright-check"}]}]}
    (repo / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config), "utf-8")
    pre_commit = (sys.executable, "-m", "pre_commit")
    assert _run(repo, "git", "add", ".").returncode == 0
    installed = _run(repo, *pre_commit, "install-hooks")
    assert installed.returncode == 0, installed.stdout + installed.stderr
    _commits(repo, *pre_commit, "run", "inkwright-check")


def test_the_line_for_continuous_integration_is_true(repo: Path) -> None:
    """`inkwright check . --format sarif`: a log with the findings, exit 1; exit 3 with a file that cannot be checked."""
    (repo / "书" / "第002章.md").write_text(BAD, "utf-8")
    command = (sys.executable, "-m", "inkwright", "check", ".", "--format", "sarif")
    done = _run(repo, *command)
    assert done.returncode == 1, done.stderr
    assert json.loads(done.stdout)["runs"][0]["results"]
    (repo / "书" / "第003章.md").write_bytes(b"\x00\x01\x02" * 50)
    assert _run(repo, *command).returncode == 3

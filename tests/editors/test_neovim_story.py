"""A writer's first hour in Neovim, from a folder without a book to a model that is set up: on a screen of 80 by 24."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = [pytest.mark.editors, pytest.mark.timeout(600)]

HERE = Path(__file__).parent
PLUGIN = HERE.parent.parent / "clients" / "neovim"

CHAPTER = (
    "# 第一章 渡口",
    "",
    "　　林夏到的时候，船已经走了很久。她站在渡口看江水。",
    "",
    "　　“再等等。”林夏说。他慢慢地抬起了头。",
    "",
    "　　天渐渐地黑了下来，风很大很大，吹得渡口那盏灯一明一暗，对岸的人声也渐渐听不见了。",
)
REWRITE = """\
# 第一章 渡口

　　林夏到的时候，船已走了很久。她站在渡口看江水。

　　“再等等。”林夏说。他慢慢抬起了头。

　　天渐渐黑了下来，风很大，吹得渡口那盏灯一明一暗，对岸的人声也听不见了。
"""

LAYOUTS = ("clean", "lazy")


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_story(
    layout: str,
    nvim: Path,
    book: Path,
    environment: dict[str, str],
    model: Callable[[str], Any],
    terminal: Any,
) -> None:
    """Nothing overlaps, nothing asks for a key, and every step does what a writer sees it do."""
    slow = model(REWRITE)
    control: Path = slow.control
    chapter = book / "第一章 渡口.md"
    (book / "第二章.md").write_text(f"# 第二章 {'很长' * 40}\n\n天亮了。\n", "utf-8")
    step = 0

    def see(name: str, *wanted: str, gone: str = "") -> str:
        nonlocal step
        step += 1

        def fits(seen: str) -> bool:
            flat = seen.replace("\n", "")
            return all(one in flat for one in wanted) and (not gone or gone not in flat)

        return str(terminal.wait(fits, f"story-{layout}-{step:02d}-{name}"))

    init = HERE / "neovim" / ("init.lua" if layout == "clean" else "lazy.lua")
    terminal.open(80, 24, f"cd '{book}' && '{nvim}' --clean -u '{init}' '{chapter.name}'")
    see("a-folder-without-a-book", "渡口.md")
    assert not (book / "book.toml").exists()

    terminal.command("Inkwright book create")
    see("created", "已建书")
    assert (book / "book.toml").exists()

    terminal.command("Inkwright nonsense")
    see("an-unknown-command", "没有“nonsense”这个命令", "…")

    terminal.keys("i")
    for line in CHAPTER:
        terminal.type(line)
        terminal.keys("Enter")
    terminal.keys("Escape")
    terminal.command("w")
    see("written", "本章 76")
    terminal.command("Inkwright card character 林夏")
    see("a-card", "已建卡片", "character")
    terminal.keys("G", "o")
    terminal.type("渡口的船工，左手有一道旧疤。")
    terminal.keys("Escape")
    terminal.command("wq")
    see("back-in-the-chapter", "她站在渡口", gone="左手")

    terminal.command("Inkwright chapters")
    seen = see("chapters", "第一章 渡口", "第二章 很长", "…")
    assert not any(line.startswith("长很") for line in seen.splitlines()), seen
    terminal.keys("Enter")

    terminal.command("3")
    terminal.keys("0", "f", "林", "K")
    see("hover", "左手有一道旧疤")
    terminal.keys("0")

    terminal.command("Inkwright polish")
    see("polish-streams", "润色优化", "C-c", "船已走了", gone="左手有一道旧疤")
    terminal.command("Inkwright cancel")
    see("cancelled", "已取消，正文未动")
    assert chapter.read_text("utf-8") == "\n".join(CHAPTER) + "\n\n"

    terminal.command("Inkwright polish")
    see("polish-again", "C-c", "船已走了")
    (control / "go").touch()
    see("review", "a 接受", "剩 3 处")
    terminal.keys("q")
    see("hunks-in-the-chapter", "3 处待定", gone="a 接受")
    terminal.keys("g", "g")
    for left, act in ((2, "accept"), (1, "accept"), (0, "reject")):
        terminal.command("Inkwright next")
        terminal.command(f"Inkwright {act}")
        if left:
            see(f"{act}-{left}-left", f"{left} 处待定")
    see("all-decided", "拒绝 1 处", gone="处待定")
    terminal.command("w")
    terminal.command("only")
    see("two-accepted", "本章", gone="[+]")
    text = chapter.read_text("utf-8")
    assert "船已走了很久" in text
    assert "他慢慢抬起了头" in text
    assert CHAPTER[-1] in text

    terminal.command("3")
    terminal.keys("0", "f", "林", "g", "r", "n")
    see("rename-asks", "New Name: 林夏")
    terminal.keys("C-u")
    terminal.type("林晚")
    terminal.keys("Enter")
    see("renamed", "林晚到的时候", "林晚说", gone="林夏")
    terminal.command("wall")
    see("renamed-written", "林晚说", gone="[+]")

    terminal.command("Inkwright pipeline breakdown")
    see("pipeline", "1/3")
    (control / "refuse").touch()
    (control / "go").touch()
    see("pipeline-failed", "✓", "✗", "resume")
    (control / "refuse").unlink()
    (control / "quick").touch()
    terminal.command("Inkwright resume")
    see("resumed", "✓", gone="✗")
    terminal.command("only")

    terminal.command("Inkwright memories add 我喜欢短句")
    see("memory-type", "偏好")
    terminal.type("1")
    terminal.keys("Enter")
    see("memory-added", "已记住")
    terminal.command("Inkwright memories")
    see("memories", "我喜欢短句")
    terminal.type("1")
    terminal.keys("Enter")
    see("memory-acts", "编辑")
    terminal.type("1")
    terminal.keys("Enter")
    see("memory-edit", "要记住什么")
    terminal.keys("C-u")
    terminal.type("我喜欢长句，少用形容词")
    terminal.keys("Enter")
    see("memory-edited", "少用形容词 (偏好)")
    terminal.keys("Enter")

    terminal.command("Inkwright models")
    seen = see("models", "其他端点")
    number = next(line.split(":")[0] for line in seen.splitlines() if "其他端点" in line)
    terminal.type(number.strip())
    terminal.keys("Enter")
    see("model-address", "地址（如")
    terminal.type(slow.endpoint)
    terminal.keys("Enter")
    see("model-key", "的密钥（不需要就留空）")
    terminal.type("a-key-of-mine-1234")
    terminal.keys("Enter")
    see("model-name", "模型名：")  # this endpoint lists none
    terminal.type("my-model")
    terminal.keys("Enter")
    see("model-works", "vim.g.inkwright", "my-model 可以使用")
    terminal.keys("q")
    terminal.command("Inkwright models")
    see("model-in-use", "* my-model")


# -- layouts -----------------------------------------------------------------------------------

PROBE = """
local loaded = vim.tbl_filter(function(name) return vim.startswith(name, 'inkwright') end, vim.tbl_keys(package.loaded))
table.sort(loaded)
io.stdout:write(vim.json.encode({
  command = vim.fn.exists(':Inkwright'),
  loaded = loaded,
  autocommands = #vim.tbl_filter(function(one)
    return (one.group_name or ''):find('inkwright') ~= nil
  end, vim.api.nvim_get_autocmds({})),
  map = vim.fn.maparg('<Plug>(inkwright-polish)', 'n'),
  filetype = vim.bo.filetype,
}))
"""


@pytest.fixture
def site(tmp_path: Path, environment: dict[str, str]) -> Path:
    """The data folder of a Neovim that loads packages."""
    data = tmp_path / "data"
    environment |= {"XDG_DATA_HOME": str(data), "XDG_STATE_HOME": str(tmp_path / "state")}
    return data / "nvim" / "site"


USED = """
local function wait(f)
  return vim.wait(120000, function() return f() and true or false end, 10)
end
local connected = wait(function()
  local c = vim.lsp.get_clients({ name = 'inkwright', bufnr = 0 })[1]
  return c and c.initialized and #vim.diagnostic.get(0) > 0
end)
local decided
vim.api.nvim_create_autocmd('User', { pattern = 'InkwrightDecided', callback = function() decided = true end })
vim.api.nvim_create_autocmd('User', { pattern = 'InkwrightRunEnded', callback = function() vim.cmd('Inkwright accept all') end })
vim.cmd('Inkwright polish')
local used = wait(function() return decided end)
vim.cmd('silent wall')
if vim.env.HELP then
  vim.cmd.helptags('ALL')
end
local help = #vim.fn.getcompletion('inkwright-setup', 'help')
local health = vim.fn.getcompletion('checkhealth inkw', 'cmdline')
io.stdout:write(vim.json.encode({ connected, used, help, health }))
vim.cmd('qall!')
"""


@pytest.mark.parametrize("kind", ["start", "opt", "clean"])
def test_layouts(
    kind: str, nvim: Path, site: Path, tmp_path: Path, book: Path, environment: dict[str, str]
) -> None:
    """In pack/*/start, in pack/*/opt after packadd, on the runtimepath of --clean: vim.lsp.enable alone is enough."""
    start: list[str | Path] = ["-i", "NONE", "-u", tmp_path / "init.lua"]
    if kind == "clean":
        start = ["--clean", "--cmd", f"set runtimepath^={PLUGIN}", "--cmd", "lua vim.lsp.enable('inkwright')"]
    else:
        place = site / "pack" / "books" / kind / "inkwright"
        place.parent.mkdir(parents=True)
        shutil.copytree(PLUGIN, place)
        packadd = "vim.cmd.packadd('inkwright')\n" if kind == "opt" else ""
        (tmp_path / "init.lua").write_text(f"{packadd}vim.lsp.enable('inkwright')\n", "utf-8")
    chapter = book / "一.md"
    chapter.write_text("# 一\n\n他来了,走了。\n", "utf-8")
    probe = tmp_path / "probe.lua"
    probe.write_text(USED, "utf-8")
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}"
    if kind != "clean":
        environment["HELP"] = "1"
    done = subprocess.run(
        [nvim, "--headless", "-n", *start, chapter, "-S", probe],
        env=environment, capture_output=True, text=True, encoding="utf-8", check=False,
    )  # fmt: skip
    tags = 0 if kind == "clean" else 1
    assert f'[true,true,{tags},["inkwright"]]' in done.stdout, done.stdout + done.stderr
    assert chapter.read_text("utf-8") == "# 一\n\n他来了，走了。\n"


def test_the_sample_book(nvim: Path, tmp_path: Path, environment: dict[str, str]) -> None:
    """A new writer without a chapter gets the sample book, from a server that is started for it."""
    folder, probe = tmp_path / "sample", tmp_path / "probe.lua"
    probe.write_text(
        f"vim.cmd([[Inkwright sample {folder}]])\n"
        "local there = vim.wait(120000, function()\n"
        "  return vim.lsp.get_clients({ name = 'inkwright', bufnr = 0 })[1] ~= nil\nend, 20)\n"
        "io.stdout:write(vim.json.encode({ there, #vim.lsp.get_clients(), vim.fn.expand('%:e') }))\n"
        "vim.cmd('qall!')\n",
        "utf-8",
    )
    done = subprocess.run(
        [nvim, "--clean", "--headless", "-n", "-u", HERE / "neovim" / "init.lua", "-S", probe],
        env=environment, capture_output=True, text=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert '[true,1,"md"]' in done.stdout, done.stdout + done.stderr
    assert (folder / "book.toml").exists()


def test_start_up(nvim: Path, tmp_path: Path, book: Path, environment: dict[str, str]) -> None:
    """Before a book is opened nothing of the plugin runs but the file that declares its command and maps."""
    other = tmp_path / "program.py"
    other.write_text("print()\n", "utf-8")
    probe, log = tmp_path / "probe.lua", tmp_path / "startup.txt"
    probe.write_text(PROBE, "utf-8")
    init = HERE / "neovim" / "init.lua"
    spent = []
    for _ in range(10):
        log.unlink(missing_ok=True)
        done = subprocess.run(
            [nvim, "--clean", "--headless", "-n", "-u", init, "--startuptime", log, other, "-S", probe, "+qall!"],
            env=environment, capture_output=True, text=True, encoding="utf-8", check=True,
        )  # fmt: skip
        assert json.loads(done.stdout) == {
            "command": 2,
            "loaded": [],
            "autocommands": 0,
            "map": "<Cmd>Inkwright polish<CR>",
            "filetype": "python",
        }
        # Each of ours: the script that declares command and maps, and what Neovim reads to know what to enable.
        lines = re.findall(
            r"^\S+ +\S+ +([\d.]+): sourcing \S*clients/neovim/\S+$", log.read_text("utf-8"), re.MULTILINE
        )
        lines += re.findall(
            r"^\S+ +(?:\S+ +)?([\d.]+): require\('inkwright\S*'\)$", log.read_text("utf-8"), re.MULTILINE
        )
        assert lines, log.read_text("utf-8")
        spent.append(sum(map(float, lines)))
        if spent[-1] < 5:
            break
    print(f"start-up of the plugin until first use: {min(spent):.2f} ms")
    assert min(spent) < 5  # the quickest of ten: a busy machine is no fault of ours
    assert (PLUGIN / "plugin" / "inkwright.lua").stat().st_size < 4096

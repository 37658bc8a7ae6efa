"""How the packages of the house may be imported."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import inkwright

ROOT = Path(inkwright.__file__).parent


def modules() -> Iterator[tuple[str, Path]]:
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT.parent).with_suffix("").parts
        yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


def imported(path: Path) -> Iterator[str]:
    """The modules that a file names in its imports, without those for type checkers."""
    waiting: list[ast.AST] = [ast.parse(path.read_text("utf-8"))]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{one.name}" for one in node.names)
        elif isinstance(node, ast.Import):
            yield from (one.name for one in node.names)
        waiting += ast.iter_child_nodes(node)


def test_no_thread_waits_for_another_in_a_package() -> None:
    """A package either imports none of its modules, or is entered by nobody through one of them.

    Else a thread that imports the package and one that imports the module hold what the other needs; Python
    breaks that up with a module that is half there.
    """
    every = dict(modules())
    packages = {name for name, path in every.items() if path.name == "__init__.py" and name != "inkwright"}
    whole = {
        name: {one for one in imported(every[name]) if one in every and one.startswith(f"{name}.")}
        for name in packages
    }
    wrong = [
        f"{name} imports {one}"
        for name, path in every.items()
        for one in imported(path)
        if one in every
        for package, own in whole.items()
        if one in own and not (name == package or name.startswith(f"{package}."))
    ]
    assert not wrong, "\n".join(wrong)

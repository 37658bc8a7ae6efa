"""The sample book inside the package, copied to where somebody can write in it."""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path


def copy(language: str, folder: Path) -> None:
    """Copies the sample book. Raises `InkwrightError`: demo_folder_taken, demo_folder_unwritable."""
    import shutil

    from inkwright.domain.errors import InkwrightError

    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise InkwrightError("demo_folder_taken", path=str(folder))
        with as_file(files("inkwright.library") / "sample" / language) as sample:
            shutil.copytree(sample, folder, dirs_exist_ok=True)
    except OSError as error:
        said = error.strerror or type(error).__name__
        raise InkwrightError("demo_folder_unwritable", path=str(folder), error=said) from error

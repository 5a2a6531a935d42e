"""Folders in which conversions of tests/conversions/files run."""
import pathlib
import shutil

FILES = pathlib.Path(__file__).resolve().parent / "files"


def remove_made(folder):
    """What a conversion made goes, so that the next one finds the folder as it was."""
    for path in folder.rglob("*"):
        if not (FILES / path.relative_to(folder)).exists() and path.exists():
            shutil.rmtree(path) if path.is_dir() else path.unlink()

"""Finds simrun, calls it, and reads its diagnostics."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from typing import Mapping, Optional, Sequence, Union

from .errors import Diagnostic, SimrunError, SimrunMissing

Path = Union[str, "os.PathLike[str]"]

_chosen: Optional[str] = None


def use(path: Optional[Path]) -> None:
    """Uses this simrun from now on; with None, the one that find() locates."""
    global _chosen
    _chosen = None if path is None else os.fspath(path)


def find() -> str:
    """The path of simrun: that of use(), of the environment variable SIMBATCH_SIMRUN, or the one on PATH."""
    path = _chosen or os.environ.get("SIMBATCH_SIMRUN") or shutil.which("simrun")
    if not path or not os.access(path, os.X_OK):
        raise SimrunMissing(
            "simrun was not found%s: install Simbatch, or set SIMBATCH_SIMRUN to its path" % (" at %r" % path if path else "")
        )
    return path


def parse_diagnostics(text: str) -> tuple[list[Diagnostic], str]:
    """The diagnostics of `--diagnostics json`, and all other lines."""
    found: list[Diagnostic] = []
    rest: list[str] = []
    for line in text.splitlines():
        members = None
        if line.startswith("{"):
            try:
                members = json.loads(line)
            except ValueError:
                pass
        if isinstance(members, dict) and "severity" in members:
            found.append(Diagnostic.of(members))
        elif not (isinstance(members, dict) and "summary" in members):
            rest.append(line)
    return found, "\n".join(rest)


def call(
    words: Sequence[str], *, ok: Sequence[int] = (0,), timeout: Optional[float] = None, environment: Optional[Mapping[str, str]] = None
) -> tuple[int, bytes, list[Diagnostic], str]:
    """Runs simrun with these arguments. Returns its exit code, its standard output, its diagnostics, and everything else that it printed.
    An exit code that is not in `ok` is a SimrunError."""
    ended = subprocess.run(
        [find(), *words, "--diagnostics", "json"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        timeout=timeout,
        env=None if environment is None else {**os.environ, **environment},
        check=False,
    )
    diagnostics, rest = parse_diagnostics(ended.stderr.decode("utf-8", "replace"))
    if ended.returncode not in ok:
        raise SimrunError(diagnostics, ended.returncode, rest)
    return ended.returncode, ended.stdout, diagnostics, rest

"""Runs of simrun from Python."""

from __future__ import annotations

import os
import shutil
import tempfile
from typing import Any, Iterable, Mapping, Optional, Sequence, Union
from xml.sax.saxutils import quoteattr

from . import simrun
from .errors import Diagnostic, RunFailed, SettingError, SimrunError
from .formats import parquet
from .simrun import Path
from .trace import Trace, load

Input = Union[float, Sequence["tuple[int, float]"]]  # a value, or values with their steps
Change = Union[str, float, bool]  # of a file's attribute


def script_text(settings: Mapping[str, Input]) -> str:
    """A script (docs/formats/script.md): for each input a value from the start on, or (step, value) pairs."""
    rows: list[tuple[int, int, str, str, float]] = []
    for place, (name, value) in enumerate(settings.items()):
        device, _, field = name.rpartition(".")
        if not device:
            raise SettingError("inputs: %r is not the name of a device and its input, like \"car.chassis.drive.steering\"" % name)
        timeline = [(0, value)] if isinstance(value, (int, float)) else value
        for step, number in timeline:
            if not isinstance(step, int) or step < 0:
                raise SettingError("inputs: %s: steps are whole numbers from 0 on, not %r" % (name, step))
            number = float(number)
            if number - number != 0:
                raise SettingError("inputs: %s cannot be %r" % (name, number))
            rows.append((step, place, device, field, number))
    rows.sort(key=lambda row: row[:2])
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<Script>"]
    for step, _, device, field, number in rows:
        lines.append('  <Set step="%d" device=%s input=%s value="%r"/>' % (step, quoteattr(device), quoteattr(field), number))
    return "\n".join(lines + ["</Script>", ""])


def file_changes(changes: Optional[Mapping[str, Change]]) -> list[str]:
    """Values of --set."""
    words = []
    for name, value in (changes or {}).items():
        if not isinstance(value, (str, int, float)):
            raise SettingError(
                "set: %s cannot be %r: `set` replaces a value of the scenario's files, like \"car.chassis.Mass\"; `inputs` sets what devices "
                "are told during the run" % (name, value)
            )
        word = ("true" if value else "false") if isinstance(value, bool) else value if isinstance(value, str) else repr(value)
        words.append("%s=%s" % (name, word))
    return words


def options(**values: Any) -> list[str]:
    """Command-line arguments: an option for each value of a sequence, none for None and False."""
    words: list[str] = []
    for name, value in values.items():
        option = "--" + name.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            words.append(option)
            continue
        single = isinstance(value, (str, os.PathLike, int, float))
        for each in [value] if single else list(value):
            words.append("%s=%s" % (option, os.fspath(each) if isinstance(each, os.PathLike) else each))
    return words


def run(
    scenario: Path,
    steps: int,
    *,
    seed: Optional[int] = None,
    dt: Optional[float] = None,
    set: Optional[Mapping[str, Change]] = None,
    inputs: Optional[Mapping[str, Input]] = None,
    expect: Union[str, Iterable[str]] = (),
    devices: Union[str, Iterable[str]] = (),
    fields: Union[str, Iterable[str]] = (),
    every: Optional[int] = None,
    hash_every: Optional[int] = None,
    trace: Optional[Path] = None,
    script: Optional[Path] = None,
    controllers: Optional[Mapping[str, str]] = None,
    programs: Optional[Mapping[str, Path]] = None,
    allow_programs: bool = False,
    ignore_programs: bool = False,
    program_timeout: Optional[float] = None,
    isolate: bool = False,
    isolate_read: Union[Path, Iterable[Path]] = (),
    root: Optional[Path] = None,
    rndf: Optional[Path] = None,
    timeout: Optional[float] = None,
) -> Trace:
    """Runs a scenario for a number of steps and returns its trace.

    `set` replaces values of the scenario or of a robot's file, as `simrun --set` does: {"car.chassis.Mass": 2000,
    "Engine.Friction": 0.4}. `inputs` gives inputs of devices a value that applies from the start, or values with the steps from which
    they apply: {"car.chassis.drive.acceleration": 0.5, "car.chassis.drive.steering": [(0, 0.0), (200, 0.3)]}. `expect` adds expectations:
    the trace's `expectations` and `holds` have their outcomes; a failed one raises no exception. `trace` names a file to keep,
    whose suffix determines the format; otherwise the trace is in a temporary file that is deleted with the object. All other
    parameters are options of simrun.

    Raises SimrunError if the scenario has errors, and RunFailed (with the `trace` so far) if the run failed.
    """
    if inputs is not None and script is not None:
        raise TypeError("run() takes `inputs` or `script`, not both")
    folder = tempfile.mkdtemp(prefix="simbatch-")
    try:
        path = os.path.abspath(os.fspath(trace)) if trace is not None else os.path.join(folder, "run" + trace_suffix())
        script = _script_file(folder, inputs) if inputs else script
        words = [os.fspath(scenario), "--steps=%d" % steps, "--trace=" + path]
        words += options(
            seed=seed, dt=dt, expect=expect, devices=devices, fields=fields, every=every, hash_every=hash_every, script=script
        )
        words += options(set=file_changes(set))
        built_with = options(
            root=root,
            rndf=rndf,
            controller=["%s=%s" % pair for pair in (controllers or {}).items()],
            program=["%s=%s" % (robot, os.fspath(p)) for robot, p in (programs or {}).items()],
            allow_programs=allow_programs,
            ignore_programs=ignore_programs,
            program_timeout=program_timeout,
            isolate=isolate,
            isolate_read=isolate_read,
        )
        exit, diagnostics, rest = _write_trace(words + built_with, path, timeout)
        made = load(path)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    made._take_folder(folder)
    made._made_from, made._built_with = os.path.abspath(os.fspath(scenario)), built_with
    if made.outcome == "failed":
        raise RunFailed(diagnostics, exit, rest, made)
    return made


def trace_suffix() -> str:
    """The suffix of traces that only this package reads."""
    return ".parquet" if parquet.can_read() else ".json"


def _script_file(folder: str, inputs: Mapping[str, Input]) -> str:
    path = os.path.join(folder, "script.xml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(script_text(inputs))
    return path


def _write_trace(words: Sequence[str], path: str, timeout: Optional[float]) -> tuple[int, list[Diagnostic], str]:
    """Calls simrun, which writes a trace to `path`. Returns its exit code, its diagnostics, and everything else that it printed.
    Raises SimrunError if nothing was run."""
    before = _stamp(path)
    exit, _, diagnostics, rest = simrun.call(words, ok=(0, 1), timeout=timeout)
    if exit != 0 and _stamp(path) == before:
        raise SimrunError(diagnostics, exit, rest)
    return exit, diagnostics, rest


def _stamp(path: str) -> Optional[tuple[int, int]]:
    """Identifies a file; None if there is none. Outputs are renamed into place, so that the output of another run is a different file."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns

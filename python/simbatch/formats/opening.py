"""Detects the format of a file from its first bytes; what Python cannot read alone is converted by simrun."""

from __future__ import annotations

import os
import tempfile

from .. import simrun
from ..errors import SimrunError, SimrunMissing, TraceError
from . import parquet, wide
from .json_trace import JsonSource, LinesSource
from .mat import MatSource
from .npz import NpzSource
from .parquet import ParquetSource
from .recording import MAGIC, RecordingSource
from .source import Source
from .tables import TablesSource

_LARGE, _TAIL = 8 << 20, 1 << 16  # bytes


def open_source(path: str) -> Source:
    """Opens a trace of any format. Raises TraceError, OSError, or SimrunMissing for a file that only simrun can read."""
    if os.path.isdir(path):
        if not os.path.exists(os.path.join(path, "trace.json")):
            raise TraceError("%s: the folder has no trace.json: not a trace in the form of CSV tables" % path)
        return TablesSource(path)
    with open(path, "rb") as file:
        head = file.read(4096)
    if not head:
        raise TraceError("%s: the file is empty" % path)
    if head.startswith(b"PAR1"):
        if parquet.can_read():
            return ParquetSource(path)
        return converted(path)
    if head.startswith(b"PK"):
        return NpzSource(path)
    if head.startswith(MAGIC):
        return RecordingSource(path, converted)
    if head.startswith(b"MATLAB 5.0"):
        return MatSource(path)
    if head.startswith(wide.HEAD) or path.endswith((".csv.gz", ".csv.zst")):
        return wide.WideSource(path)
    if head.startswith(b"glTF"):
        raise TraceError("%s: a scene to look at, not a trace: it has no values of devices" % path)
    if head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        if head.replace(b" ", b"").startswith(b'{"header":'):
            return _lines(path)
        return JsonSource(path)
    return converted(path)


def _lines(path: str) -> Source:
    """NDJSON. A large complete file is converted by simrun, which takes a tenth of the time."""
    if os.path.getsize(path) > _LARGE:
        with open(path, "rb") as file:
            file.seek(-_TAIL, os.SEEK_END)
            is_whole = b'\n{"end":' in file.read()
        if is_whole:
            try:
                return converted(path)
            except SimrunMissing:
                pass
    return LinesSource(path)


def converted(path: str) -> Source:
    """A conversion by simrun: of MCAP, compressed files, older recordings. What it refuses is not a trace, or damaged."""
    suffix = ".parquet" if parquet.can_read() else ".npz"
    # The copy is open when its folder goes.
    with tempfile.TemporaryDirectory(prefix="simbatch-") as folder:
        copy = os.path.join(folder, "trace" + suffix)
        try:
            simrun.call(["convert", os.path.abspath(path), "-o", copy])
        except SimrunError as error:
            raise TraceError(str(error), error.diagnostics) from error
        return open_source(copy)

"""Wide tables: a column for each field, called "DEVICE.FIELD [unit]", plain or compressed. They have no inputs, kinds and outcome."""

from __future__ import annotations

import csv
import gzip
import io
import re
import zlib
from typing import Any

from ..arrays import Array, from_numbers
from ..errors import TraceError
from . import zstandard
from .source import Column, Document, checked, is_text

HEAD = b"step,time [s]"


def unpacked(path: str) -> bytes:
    """The text of a table. Raises TraceError."""
    with open(path, "rb") as file:
        data = file.read()
    try:
        if data.startswith(b"\x1f\x8b"):
            return gzip.decompress(data)
        if data.startswith(b"\x28\xb5\x2f\xfd"):
            return zstandard.unpacked(data)
    except (EOFError, OSError, ValueError, zlib.error) as error:
        raise TraceError("%s: the compressed file is damaged: %s" % (path, error)) from None
    return data


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


class WideSource:
    def __init__(self, path: str) -> None:
        text = unpacked(path)
        if not text.startswith(HEAD):
            raise TraceError("%s: not a wide table: it does not start with %s" % (path, HEAD.decode()))
        try:
            rows = list(csv.reader(io.StringIO(text.decode("utf-8"), newline=""), strict=True))
        except (csv.Error, UnicodeDecodeError) as error:
            raise TraceError("%s: not a table: %s" % (path, error)) from None
        names = rows[0]
        if any(len(row) != len(names) for row in rows):
            raise TraceError("%s: a row is not as wide as the first one" % path)
        self._columns = [list(column) for column in zip(*rows[1:])] or [[] for _ in names]
        self._path = path
        self._places: list[list[int]] = []
        self.document: Document = checked(self._described(names), path)

    def _described(self, names: list[str]) -> dict[str, Any]:
        devices: list[dict[str, Any]] = []
        for place, whole in enumerate(names[2:], 2):
            match = re.fullmatch(r"(.*?)(?: \[([^][]*)\])?", whole, re.S)
            assert match is not None
            device, _, field = match[1].rpartition(".")
            values = self._columns[place]
            kind = "number" if not values or _is_number(values[0]) else "text"
            if not devices or devices[-1]["name"] != device:
                devices.append({"name": device, "kind": "", "fields": []})
                self._places.append([])
            devices[-1]["fields"].append({"name": field, "unit": match[2] or "", "frame": "", "type": kind})
            self._places[-1].append(place)
        return {"schema": "simbatch-trace-1", "dt": self._dt(), "devices": devices}

    def _dt(self) -> float:
        """The step size, from the last row."""
        if not self._columns[0] or int(self._columns[0][-1]) == 0:
            return 0.0
        step, time = int(self._columns[0][-1]), float(self._columns[1][-1])
        short = float("%.12g" % (time / step))
        return short if step * short == time else time / step

    def steps(self) -> Array:
        return from_numbers([int(word) for word in self._columns[0]], "q")

    def column(self, device: int, field: int) -> Column:
        words = self._columns[self._places[device][field]]
        try:
            return words if is_text(self.document, device, field) else from_numbers([float(word) for word in words])
        except ValueError as error:
            raise TraceError("%s: %s" % (self._path, error)) from None

    def close(self) -> None:
        pass

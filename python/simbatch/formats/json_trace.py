"""JSON documents. As written by simrun, each device is one line: lines are found by their ends, and only requested columns are
parsed. A document with a different layout is read as a whole."""

from __future__ import annotations

import json
import mmap
from typing import Any, Optional

from ..arrays import Array, from_numbers, from_text
from ..errors import TraceError
from .source import Column, Document, checked, is_text


def exact(text: bytes) -> Any:
    """JSON, with -0 as it is, which would be 0 as a whole number."""
    return json.loads(text, parse_int=lambda word: -0.0 if word == "-0" else int(word))


class JsonSource:
    def __init__(self, path: str) -> None:
        self._path = path
        self._whole: Optional[Any] = None
        self._data: Any = b""
        with open(path, "rb") as file:
            self._data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self.document: Document = self._find_lines() or self._read_whole()

    def _find_lines(self) -> Optional[Document]:
        data = self._data
        step, time, rows = (data.find(word) for word in (b'\n"step":[', b'\n"time":[', b'\n"data":{\n'))
        if not 0 < step < time < rows:
            return None
        try:
            head = json.loads(data[:step].rstrip(b",") + b"}")
            document = checked(head, self._path)
            at = rows + len(b'\n"data":{\n')
            lines = []
            for device in document["devices"]:
                start = json.dumps(device["name"], ensure_ascii=False).encode() + b":{"
                end = data.find(b"\n", at)
                if end < 0 or data[at : at + len(start)] != start:
                    return None
                lines.append((at + len(start), end))
                at = end + 1
            rest = data[at:].lstrip(b"},\r\n ")
            tail = json.loads(b"{" + rest if rest else b"{}")
        except (ValueError, TraceError):
            return None
        self._lines = lines
        self._step = (step + len(b'\n"step":['), data.find(b"]", step))
        return {**document, **tail}

    def _read_whole(self) -> Document:
        try:
            whole = exact(self._data[:])
        except (ValueError, RecursionError) as error:
            raise TraceError("%s: not JSON: %s" % (self._path, error)) from None
        document = dict(checked(whole, self._path))
        self._step_values, self._whole = document.pop("step", None), document.pop("data", None)
        document.pop("time", None)
        if not isinstance(self._step_values, list) or not isinstance(self._whole, dict):
            raise TraceError("%s: the trace has no \"step\" or no \"data\"" % self._path)
        return document

    def steps(self) -> Array:
        if self._whole is not None:
            return from_numbers(self._step_values, "q")
        words = self._data[slice(*self._step)]
        return from_numbers([int(word) for word in words.split(b",")] if words else [], "q")

    def column(self, device: int, field: int) -> Column:
        described = self.document["devices"][device]
        name = described["fields"][field]["name"]
        if self._whole is not None:
            try:
                values = self._whole[described["name"]][name]
            except (KeyError, TypeError):
                raise TraceError("%s: no values of %s.%s" % (self._path, described["name"], name)) from None
            return list(values) if is_text(self.document, device, field) else from_numbers(values)
        start, end = self._lines[device]
        if any(f["type"] == "text" for f in described["fields"]):
            line = self._data[start:end].rstrip(b",}\r")
            members = exact(b"{" + line + b"}")
            return list(members[name]) if is_text(self.document, device, field) else from_numbers(members[name])
        key = json.dumps(name, ensure_ascii=False).encode() + b":["
        at = self._data.find(key, start, end)
        stop = self._data.find(b"]", at, end)
        if at < 0 or stop < 0:
            raise TraceError("%s: no values of %s.%s" % (self._path, described["name"], name))
        return from_text(self._data[at + len(key) : stop])

    def close(self) -> None:
        if isinstance(self._data, mmap.mmap):
            self._data.close()
        self._data = b""


class LinesSource:
    """NDJSON: read as a whole. A trace without its last line was cut; its whole lines count."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._steps: list[int] = []
        self._rows: list[Any] = []
        hashes: dict[str, list[Any]] = {"step": [], "hash": []}
        document: Any = None
        with open(path, "rb") as file:
            for number, line in enumerate(file, 1):
                if not line.endswith(b"\n"):
                    break
                try:
                    members = exact(line)
                    if number == 1:
                        document = dict(checked(members["header"], path))
                    elif "step" in members:
                        self._steps.append(members["step"])
                        self._rows.append(members["data"])
                    elif "hash" in members:
                        hashes["step"].append(members["hash"]["step"])
                        hashes["hash"].append(members["hash"]["hash"])
                    elif "end" in members:
                        document["end"] = members["end"]
                except (ValueError, KeyError, TypeError) as error:
                    raise TraceError("%s:%d: not a line of a trace: %s" % (path, number, error)) from None
        if document is None:
            raise TraceError("%s: the trace has no header" % path)
        document["hashes"] = hashes
        self.document: Document = document

    def steps(self) -> Array:
        return from_numbers(self._steps, "q")

    def column(self, device: int, field: int) -> Column:
        name = self.document["devices"][device]["name"]
        try:
            values = [row[name][field] for row in self._rows]
        except (KeyError, IndexError, TypeError):
            raise TraceError("%s: a row lacks values of %s" % (self._path, name)) from None
        return values if is_text(self.document, device, field) else from_numbers(values)

    def close(self) -> None:
        self._rows = []

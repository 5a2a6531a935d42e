"""MATLAB's MAT-files of level 5, as written by simrun: variables are unpacked when something in them is requested.

Source: The MathWorks, MAT-File Format, level 5. The names of structures and fields are those of base/mat and
formats/trace/archives.cpp: identifiers of at most 63 characters, numbered where one is taken.
"""

from __future__ import annotations

import mmap
import re
import struct
import zlib
from typing import Any, Iterator, Optional

from ..arrays import Array, from_bytes, from_numbers
from ..errors import TraceError
from .source import Column, Document, column_names, is_text, read_document

_MATRIX, _COMPRESSED = 14, 15
_CELL, _STRUCT, _CHAR, _DOUBLE = 1, 2, 4, 6
_MAX_DEPTH = 32
_TEXTS = {4: "utf-16-le", 16: "utf-8", 17: "utf-16-le"}  # types of characters


def _elements(data: Any, at: int, end: int) -> Iterator[tuple[int, bytes]]:
    """Type and content of the elements one after the other; small ones have both in eight bytes."""
    while at < end:
        if end - at < 8:
            raise ValueError("an element ends in the middle")
        (head,) = struct.unpack_from("<I", data, at)
        if head >> 16:
            kind, size, start, step = head & 0xFFFF, head >> 16, at + 4, 8
        else:
            (size,) = struct.unpack_from("<I", data, at + 4)
            kind, start, step = head, at + 8, 8 + size + (-size % 8 if head != _COMPRESSED else 0)
        if size > end - start:
            raise ValueError("an element is longer than the file")
        yield kind, data[start : start + size]
        at += step


def _matrix(data: bytes, depth: int = 0) -> tuple[str, Any]:
    """Name and value: an array, a list of texts, or a dictionary."""
    if depth > _MAX_DEPTH + 2:
        raise ValueError("structures are nested too deep")
    parts = list(_elements(data, 0, len(data)))
    (flags,) = struct.unpack_from("<I", parts[0][1])
    kind, name = flags & 255, parts[2][1].decode("ascii")
    rows, columns = struct.unpack_from("<ii", parts[1][1])
    if kind == _DOUBLE:
        return name, from_bytes(parts[3][1], "d")
    if kind == _CHAR:
        letters = parts[3][1].decode(_TEXTS[parts[3][0]])
        if len(letters) != rows * columns:
            raise ValueError("a matrix of characters has another size than it says")
        return name, [letters[row::rows].rstrip(" ") for row in range(rows)]
    if kind != _STRUCT:
        raise ValueError("a variable is neither numbers, nor text, nor a structure")
    (width,) = struct.unpack_from("<i", parts[3][1])
    names = [parts[4][1][at : at + width].rstrip(b"\0").decode("ascii") for at in range(0, len(parts[4][1]), width)]
    return name, {field: _matrix(content, depth + 1)[1] for field, (_, content) in zip(names, parts[5:])}


def _identifier(name: str) -> str:
    plain = re.sub(rb"[^A-Za-z0-9_]", b"_", name.encode()).decode()
    return (plain if re.match(r"[A-Za-z]", plain) else "x" + plain)[:63]


def _unique(name: str, taken: set[str]) -> str:
    whole = result = _identifier(name)
    n = 2
    while result in taken:
        suffix = "_%d" % n
        result = whole[: 63 - len(suffix)] + suffix
        n += 1
    taken.add(result)
    return result


class _Branch:
    """Names of fields as a tree by their dots, as the writer has it."""

    def __init__(self) -> None:
        self.children: dict[str, _Branch] = {}
        self.column: Optional[tuple[int, int]] = None

    def child(self, name: str) -> _Branch:
        return self.children.setdefault(name, _Branch())

    def places(self, path: tuple[str, ...], found: dict[tuple[int, int], tuple[str, ...]]) -> None:
        taken: set[str] = set()
        if self.column is not None:
            found[self.column] = path + (_unique("value", taken),) if self.children else path
        for name, child in self.children.items():
            child.places(path + (_unique(name, taken),), found)


def _paths(document: Document) -> dict[tuple[int, int], tuple[str, ...]]:
    root = _Branch()
    for d, names in enumerate(column_names(document)):
        for f, name in enumerate(names):
            branch = root
            parts = name.split(".", _MAX_DEPTH)
            for part in parts:
                branch = branch.child(part)
            branch.column = (d, f)
    found: dict[tuple[int, int], tuple[str, ...]] = {}
    taken = {"step", "time", "simbatch"}
    for name, child in root.children.items():
        child.places((_unique(name, taken),), found)
    return found


class MatSource:
    def __init__(self, path: str) -> None:
        self._path = path
        with open(path, "rb") as file:
            self._data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self._kept: dict[str, Any] = {}
        self._waiting: Iterator[tuple[int, bytes]] = _elements(self._data, 128, len(self._data))
        text = self._variable("simbatch")
        if not isinstance(text, list) or len(text) != 1:
            raise TraceError("%s: the variable simbatch has no document of a trace" % path)
        self.document: Document = read_document(text[0], path)
        self._places = _paths(self.document)

    def _variable(self, name: str) -> Any:
        """Unpacks up to this one, in their order."""
        try:
            while name not in self._kept:
                kind, content = next(self._waiting)
                if kind == _COMPRESSED:
                    kind, content = next(_elements(unpacked := zlib.decompress(content), 0, len(unpacked)))
                if kind == _MATRIX:
                    key, value = _matrix(content)
                    self._kept[key] = value
            return self._kept[name]
        except StopIteration:
            raise TraceError("%s: there is no variable %s" % (self._path, name)) from None
        except (ValueError, KeyError, IndexError, struct.error, zlib.error) as error:
            raise TraceError("%s: not a MAT-file that simrun writes: %s" % (self._path, error)) from None

    def steps(self) -> Array:
        return from_numbers([int(step) for step in self._variable("step")], "q")

    def column(self, device: int, field: int) -> Column:
        path = self._places[device, field]
        value = self._variable(path[0])
        for part in path[1:]:
            value = value.get(part) if isinstance(value, dict) else None
        if value is None or isinstance(value, dict) or isinstance(value, list) != is_text(self.document, device, field):
            raise TraceError("%s: there is no %s" % (self._path, ".".join(path)))
        return value

    def close(self) -> None:
        self._kept = {}
        self._waiting = iter(())
        self._data = mmap.mmap(-1, 1)

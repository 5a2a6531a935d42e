"""NumPy's archives of arrays (.npz), read with or without NumPy. Source: NumPy, format specification of .npy, version 1.0."""

from __future__ import annotations

import ast
import struct
import weakref
import zipfile
import zlib
from typing import Any

from ..arrays import Array, from_bytes
from ..errors import TraceError
from .source import Column, Document, column_names, is_text, read_document


class NpzSource:
    def __init__(self, path: str) -> None:
        self._path = path
        self._file = open(path, "rb")
        weakref.finalize(self, self._file.close)
        try:
            self._archive = zipfile.ZipFile(self._file)
        except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:  # OSError: a place outside of the file
            self._file.close()
            raise TraceError("%s: not an archive of arrays: %s" % (path, error)) from None
        try:
            self.document: Document = read_document(self._texts("simbatch.trace")[0], path)
        except BaseException:
            self.close()
            raise
        self._columns = column_names(self.document)

    def _member(self, name: str) -> tuple[str, bytes]:
        """The type of an array, and its bytes."""
        try:
            data = self._archive.read(name + ".npy")
        except (KeyError, zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError, OSError) as error:
            raise TraceError("%s: the array %s is missing or damaged: %s" % (self._path, name, error)) from None
        try:
            if data[:8] != b"\x93NUMPY\x01\x00":
                raise ValueError("it is not version 1.0 of the format")
            (size,) = struct.unpack_from("<H", data, 8)
            head: Any = ast.literal_eval(data[10 : 10 + size].decode("latin-1"))
            return str(head["descr"]), data[10 + size :]
        except (ValueError, SyntaxError, KeyError, TypeError, struct.error) as error:
            raise TraceError("%s: the array %s is damaged: %s" % (self._path, name, error)) from None

    def _texts(self, name: str) -> list[str]:
        kind, data = self._member(name)
        width = int(kind[2:]) if kind[:2] == "<U" and kind[2:].isdigit() else -1
        if width < 0 or (width > 0 and len(data) % (4 * width)):
            raise TraceError("%s: the array %s is not one of texts" % (self._path, name))
        if width == 0:
            return [""] * len(self.steps())
        cut = [data[at : at + 4 * width] for at in range(0, len(data), 4 * width)]
        return [text.decode("utf-32-le", "replace").rstrip("\0") for text in cut]

    def _numbers(self, name: str, kinds: str) -> Array:
        kind, data = self._member(name)
        if kind not in ("<f8", "<i8") or kind[1] not in kinds or len(data) % 8:
            raise TraceError("%s: the array %s has type %s" % (self._path, name, kind))
        return from_bytes(data, "d" if kind == "<f8" else "q")

    def steps(self) -> Array:
        return self._numbers("step", "i")

    def column(self, device: int, field: int) -> Column:
        name = self._columns[device][field]
        return self._texts(name) if is_text(self.document, device, field) else self._numbers(name, "f")

    def close(self) -> None:
        self._archive.close()
        self._file.close()

"""Self-describing recordings (SBREC003): the tree's numbers, step after step, and their description at the end. Any column is
read without the others; texts, which are functions of the numbers, by simrun. (docs/formats/trace.md, "Recordings")"""

from __future__ import annotations

import mmap
import struct
from typing import Callable, Optional

from ..arrays import Array, from_bytes, from_numbers, optional
from ..errors import TraceError
from .source import Column, Document, Source, is_text, read_document

MAGIC = b"SBREC003"
_END = b"SBRECEND"


class RecordingSource:
    def __init__(self, path: str, converted: Callable[[str], Source]) -> None:
        self._path = path
        self._converted = converted
        self._texts: Optional[Source] = None
        with open(path, "rb") as file:
            self._data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        try:
            self._read_ends()
        except (struct.error, ValueError) as error:
            if isinstance(error, TraceError):
                raise
            raise TraceError("%s: not a recording that simrun writes: %s" % (path, error)) from None

    def _read_ends(self) -> None:
        data = self._data
        at = data.find(b"\0", len(MAGIC)) + 1  # after the scenario's name
        _, _, self._every, _, self._bytes, patterns = struct.unpack_from("<QdQQQQ", data, at)
        at += 48
        for _ in range(patterns):
            at = data.find(b"\0", at) + 1
            if at == 0:
                raise ValueError("its header is cut")
        end = len(data) - 24
        frames, complement, word = struct.unpack_from("<QQ8s", data, end)
        if word != _END or complement != frames ^ 0xFFFFFFFFFFFFFFFF:
            raise ValueError("its end is missing")
        devices, size = struct.unpack_from("<QQ", data, end - 16)
        if size > end - 16 or devices > (end - 16 - size) // 8:
            raise ValueError("its description is longer than itself")
        places = end - 16 - size - 8 * devices
        self.document: Document = read_document(data[end - 16 - size : end - 16], self._path)
        if self._bytes % 8 or places - at != frames * self._bytes or self._every < 1:
            raise ValueError("its size does not fit its number of frames")
        if devices != len(self.document["devices"]):
            raise ValueError("its description has another number of devices")
        self._places = struct.unpack_from("<%dQ" % devices, data, places)
        self._begin, self._frames = at, frames if self._bytes else 0

    def steps(self) -> Array:
        return from_numbers(range(0, self._frames * self._every, self._every), "q")

    def column(self, device: int, field: int) -> Column:
        if is_text(self.document, device, field):
            if self._texts is None:
                self._texts = self._converted(self._path)
            return self._texts.column(device, field)
        before = sum(not is_text(self.document, device, f) for f in range(field))
        place, width = self._places[device] + before, self._bytes // 8
        if place >= width:
            raise TraceError("%s: a frame has no place for %s" % (self._path, self.document["devices"][device]["name"]))
        numpy = optional("numpy")
        if numpy is not None:
            count = self._frames * width
            numbers = numpy.frombuffer(self._data, "<f8", count, self._begin).reshape(self._frames, width)
            return numbers[:, place].copy()
        view = memoryview(self._data)[self._begin : self._begin + self._frames * self._bytes]
        return from_bytes(view.cast("B").cast("d")[place::width].tobytes(), "d")

    def close(self) -> None:
        if self._texts is not None:
            self._texts.close()
            self._texts = None
        self._data = mmap.mmap(-1, 1)

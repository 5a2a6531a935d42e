"""Parquet tables as simrun writes them (docs/formats/parquet.md): the footer is read first, columns on request.

Sources: Apache Parquet format 2.10 (README.md, parquet.thrift, Encodings.md); Apache Thrift, thrift-compact-protocol.md.
"""

from __future__ import annotations

import mmap
import struct
from typing import Any, NamedTuple

from ..arrays import Array, from_bytes, from_numbers, joined
from ..errors import TraceError
from .source import Column, Document, column_names, is_text, read_document
from .zstandard import unpacker

KEY = "simbatch.trace"
_INT64, _DOUBLE, _BYTE_ARRAY = 2, 5, 6
_PLAIN, _BYTE_STREAM_SPLIT = 0, 9
_UNCOMPRESSED, _ZSTD = 0, 6
_MAX_RATIO, _FREE = 4096, 64 << 20  # a page may unpack to so many times its bytes, and to so many bytes in any case


class Damaged(Exception):
    pass


class Thrift:
    """The compact protocol: structures become dictionaries by the numbers of their fields."""

    def __init__(self, data: Any, at: int, end: int) -> None:
        self.data, self.at, self.end = data, at, end

    def byte(self) -> int:
        if self.at >= self.end:
            raise Damaged("it ends in the middle")
        self.at += 1
        return int(self.data[self.at - 1])

    def varint(self) -> int:
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7
            if shift > 63:
                raise Damaged("a number is too long")

    def zigzag(self) -> int:
        value = self.varint()
        return value >> 1 ^ -(value & 1)

    def binary(self) -> bytes:
        size = self.varint()
        if size > self.end - self.at:
            raise Damaged("a text is longer than the file")
        self.at += size
        return bytes(self.data[self.at - size : self.at])

    def value(self, kind: int, depth: int) -> Any:
        if kind in (1, 2):
            return kind == 1
        if kind == 3:
            return self.byte()
        if kind in (4, 5, 6):
            return self.zigzag()
        if kind == 7:
            if self.end - self.at < 8:
                raise Damaged("it ends in the middle")
            self.at += 8
            return struct.unpack_from("<d", self.data, self.at - 8)[0]
        if kind == 8:
            return self.binary()
        if kind in (9, 10):
            return self.list(depth)
        if kind == 12:
            return self.struct(depth + 1)
        raise Damaged("it has a value of an unknown type")

    def list(self, depth: int) -> list[Any]:
        head = self.byte()
        size, kind = head >> 4, head & 15
        if size == 15:
            size = self.varint()
        if size > self.end - self.at:
            raise Damaged("a list is longer than the file")
        return [self.value(kind, depth + 1) for _ in range(size)]

    def struct(self, depth: int = 0) -> dict[int, Any]:
        if depth > 32:
            raise Damaged("it is nested too deep")
        fields: dict[int, Any] = {}
        last = 0
        while True:
            head = self.byte()
            if head == 0:
                return fields
            last = last + (head >> 4) if head >> 4 else self.zigzag()
            fields[last] = self.value(head & 15, depth)


class Chunk(NamedTuple):
    """A column in a row group."""

    at: int
    codec: int
    values: int


class ParquetSource:
    def __init__(self, path: str) -> None:
        self._path = path
        with open(path, "rb") as file:
            self._data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        try:
            self._read_footer()
        except Damaged as problem:
            raise TraceError("%s: not a Parquet table that simrun writes: %s" % (path, problem)) from None
        except (KeyError, TypeError, AttributeError, IndexError):
            raise TraceError("%s: not a Parquet table that simrun writes: its footer lacks something" % path) from None

    def _read_footer(self) -> None:
        data = self._data
        if len(data) < 12 or data[:4] != b"PAR1" or data[-4:] != b"PAR1":
            raise Damaged("it does not begin and end with PAR1")
        (size,) = struct.unpack_from("<I", data, len(data) - 8)
        if size > len(data) - 12:
            raise Damaged("its footer is longer than the file")
        footer = Thrift(data, len(data) - 8 - size, len(data) - 8).struct()
        notes = {note[1].decode("utf-8"): note.get(2, b"") for note in footer.get(5, [])}
        if KEY not in notes:
            raise Damaged("its metadata has no %s" % KEY)
        self.document: Document = read_document(notes[KEY], self._path)
        names = [element[4].decode("utf-8") for element in footer[2][1:]]
        self._types = [int(element[1]) for element in footer[2][1:]]
        self._places = {name: i for i, name in enumerate(names)}
        self._columns = column_names(self.document)
        if self._places.keys() != {"step", "time"}.union(*self._columns):
            raise Damaged("its columns are not those that its document lists")
        self._groups = []
        for group in footer.get(4, []):
            chunks = [Chunk(int(c[3][9]), int(c[3][4]), int(c[3][5])) for c in group[1]]
            if len(chunks) != len(names):
                raise Damaged("a group of rows lacks columns")
            self._groups.append(chunks)

    def _page(self, chunk: Chunk) -> tuple[bytes, int]:
        """The bytes of a chunk's only page, unpacked, and their encoding."""
        if not 0 <= chunk.at < len(self._data):
            raise Damaged("a page is outside of the file")
        reader = Thrift(self._data, chunk.at, len(self._data))
        head = reader.struct()
        plain, packed, values = int(head[2]), int(head[3]), head[5]
        if packed < 0 or packed > len(self._data) - reader.at or not 0 <= plain <= _FREE + _MAX_RATIO * packed:
            raise Damaged("a page claims more bytes than it has")
        if values[1] != chunk.values:
            raise Damaged("a column has more than one page in a group of rows")
        data = self._data[reader.at : reader.at + packed]
        if chunk.codec == _ZSTD:
            unpack = unpacker()
            assert unpack is not None  # checked by can_read()
            try:
                data = unpack(data, plain)
            except Exception as error:  # of whichever library it is
                raise Damaged(str(error)) from None
        elif chunk.codec != _UNCOMPRESSED:
            raise Damaged("a page is compressed by something else than Zstandard")
        return data, int(values[2])

    def _read(self, name: str) -> list[Any]:
        """The column, group by group: arrays, or lists of texts."""
        place = self._places[name]
        kind = self._types[place]
        parts: list[Any] = []
        try:
            for group in self._groups:
                data, encoding = self._page(group[place])
                count = group[place].values
                if kind == _BYTE_ARRAY:
                    parts.append(_texts(data, count))
                    continue
                if kind not in (_INT64, _DOUBLE) or len(data) != 8 * count:
                    raise Damaged("a page has not as many values as it says")
                if encoding == _BYTE_STREAM_SPLIT:
                    mixed = bytearray(8 * count)
                    for i in range(8):
                        mixed[i::8] = data[i * count : (i + 1) * count]
                    data = bytes(mixed)
                elif encoding != _PLAIN:
                    raise Damaged("a page has an unknown encoding")
                parts.append(from_bytes(data, "q" if kind == _INT64 else "d"))
        except (Damaged, KeyError, TypeError) as problem:
            raise TraceError("%s: column %s is damaged: %s" % (self._path, name, problem)) from None
        return parts

    def steps(self) -> Array:
        parts = self._read("step")
        return joined(parts) if parts else from_numbers([], "q")

    def column(self, device: int, field: int) -> Column:
        parts = self._read(self._columns[device][field])
        if is_text(self.document, device, field):
            return [text for part in parts for text in part]
        return joined(parts) if parts else from_numbers([])

    def close(self) -> None:
        self._data.close()


def can_read() -> bool:
    """True if this machine can unpack the pages."""
    return unpacker() is not None


def _texts(data: bytes, count: int) -> list[str]:
    texts = []
    at = 0
    for _ in range(count):
        if len(data) - at < 4:
            raise Damaged("a page ends in the middle")
        (size,) = struct.unpack_from("<I", data, at)
        at += 4
        if size > len(data) - at:
            raise Damaged("a text is longer than its page")
        texts.append(data[at : at + size].decode("utf-8", "replace"))
        at += size
    return texts

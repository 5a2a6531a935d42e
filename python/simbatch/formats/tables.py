"""Folders of CSV tables: trace.json, and a table for each device, read when one of its fields is requested."""

from __future__ import annotations

import csv
import os
from typing import Any

from ..arrays import Array, from_numbers
from ..errors import TraceError
from .source import Column, Document, is_text, read_document


class TablesSource:
    def __init__(self, folder: str) -> None:
        self._folder = folder
        with open(os.path.join(folder, "trace.json"), "rb") as file:
            self.document: Document = read_document(file.read(), folder)
        files = self.document.get("files")
        if not isinstance(files, list) or len(files) != len(self.document["devices"]):
            raise TraceError("%s: trace.json does not list a table for each device" % folder)
        self._files = [str(name) for name in files]
        self._tables: dict[int, list[list[str]]] = {}

    def _table(self, device: int) -> list[list[str]]:
        """Columns of texts, without their headers."""
        if device in self._tables:
            return self._tables[device]
        name = self._files[device]
        if os.path.basename(name) != name:
            raise TraceError("%s: the table %r is in another folder" % (self._folder, name))
        with open(os.path.join(self._folder, name), newline="", encoding="utf-8") as file:
            rows: list[Any] = list(csv.reader(file))
        width = 2 + len(self.document["devices"][device]["fields"])
        if not rows or any(len(row) != width for row in rows):
            raise TraceError("%s: the table %s has rows that are not as wide as its device" % (self._folder, name))
        self._tables = {device: [list(column) for column in zip(*rows[1:])] or [[] for _ in range(width)]}
        return self._tables[device]

    def steps(self) -> Array:
        return from_numbers([int(word) for word in self._table(0)[0]] if self._files else [], "q")

    def column(self, device: int, field: int) -> Column:
        words = self._table(device)[2 + field]
        try:
            return words if is_text(self.document, device, field) else from_numbers([float(word) for word in words])
        except ValueError as error:
            raise TraceError("%s: the table %s: %s" % (self._folder, self._files[device], error)) from None

    def close(self) -> None:
        self._tables = {}

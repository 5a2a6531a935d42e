"""What all formats of a trace have in common: a document, and columns that are read on request."""

from __future__ import annotations

import json
from typing import Any, Mapping, Protocol, Union

from ..arrays import Array
from ..errors import TraceError

Document = Mapping[str, Any]
Column = Union[Array, "list[str]"]


class Source(Protocol):
    """An open trace."""

    document: Document  # the JSON form without `step`, `time` and `data`

    def steps(self) -> Array: ...

    def column(self, device: int, field: int) -> Column:
        """All values of a field: numbers, or texts."""
        ...

    def close(self) -> None: ...


def is_text(document: Document, device: int, field: int) -> bool:
    return bool(document["devices"][device]["fields"][field]["type"] == "text")


def column_names(document: Document) -> list[list[str]]:
    """For each field of each device, the name of its column in a table: DEVICE.FIELD, numbered where that is taken."""
    taken = {"step", "time"}
    names = []
    for device in document["devices"]:
        of_device = []
        for field in device["fields"]:
            whole = name = "%s.%s" % (device["name"], field["name"])
            n = 2
            while name in taken:
                name = "%s_%d" % (whole, n)
                n += 1
            taken.add(name)
            of_device.append(name)
        names.append(of_device)
    return names


def read_document(text: Union[str, bytes], file: str) -> Document:
    """The document of the file. Raises TraceError."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise TraceError("%s: the document of the trace is not JSON: %s" % (file, error)) from None
    return checked(document, file)


def checked(document: Any, file: str) -> Document:
    if not isinstance(document, dict) or document.get("schema") != "simbatch-trace-1":
        raise TraceError("%s: not a trace of Simbatch (no \"schema\":\"simbatch-trace-1\")" % file)
    devices = document.get("devices")
    fits = isinstance(devices, list) and isinstance(document.get("dt"), (int, float))
    for device in devices if isinstance(devices, list) else []:
        fields = device.get("fields") if isinstance(device, dict) else None
        fits = fits and isinstance(fields, list) and isinstance(device.get("name"), str)
        for field in fields if isinstance(fields, list) else []:
            fits = fits and isinstance(field, dict) and isinstance(field.get("name"), str) and isinstance(field.get("type"), str)
    if not fits:
        raise TraceError("%s: the header of the trace lacks its step, or its devices with their fields" % file)
    return document

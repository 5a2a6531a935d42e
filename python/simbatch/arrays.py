"""Arrays of numbers: NumPy's where it is installed, otherwise Python's own. Little-endian, like all formats here."""

from __future__ import annotations

import array
import functools
import importlib
from typing import Any, Optional

Array = Any  # numpy.ndarray, or array.array


@functools.lru_cache(maxsize=None)
def optional(name: str) -> Any:
    """An optional package; None if it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def needed(name: str, what: str) -> Any:
    """A package that `what` requires."""
    package = optional(name)
    if package is None:
        raise ImportError("%s needs %s (Debian: python3-%s; pip install %s)" % (what, name, name, name))
    return package


def _numpy() -> Any:
    return optional("numpy")


def from_bytes(data: Any, kind: str) -> Array:
    """`kind` is "d" (floats of 64 bits) or "q" (integers of 64 bits)."""
    numpy = _numpy()
    if numpy is not None:
        return numpy.frombuffer(data, dtype="<f8" if kind == "d" else "<i8")
    made = array.array(kind)
    made.frombytes(data)
    return made


def from_numbers(numbers: Any, kind: str = "d") -> Array:
    numpy = _numpy()
    if numpy is not None:
        return numpy.array(numbers, dtype="<f8" if kind == "d" else "<i8")
    return array.array(kind, numbers)


def from_text(text: bytes) -> Array:
    """Numbers separated by commas, each parsed exactly as by Python."""
    words = text.split(b",") if text else []
    numpy = _numpy()
    if numpy is not None:
        return numpy.fromiter(map(float, words), dtype="<f8", count=len(words))
    return array.array("d", map(float, words))


def joined(parts: list[Array]) -> Array:
    if len(parts) == 1:
        return parts[0]
    numpy = _numpy()
    if numpy is not None:
        return numpy.concatenate(parts)
    made = array.array(parts[0].typecode)
    for part in parts:
        made.extend(part)
    return made


def times(steps: Array, dt: float) -> Array:
    """Seconds: step * dt, as simrun computes them."""
    numpy = _numpy()
    if numpy is not None:
        return steps.astype("<f8") * dt
    return array.array("d", (step * dt for step in steps))


def matrix(data: bytes, height: int, width: int, channels: int) -> Any:
    """A picture as numpy.ndarray of uint8."""
    numpy = needed("numpy", "a picture as an array")
    return numpy.frombuffer(data, dtype="uint8").reshape(height, width, channels)


def read_only(values: Array) -> Array:
    """The same array, made read-only where that is possible."""
    flags: Optional[Any] = getattr(values, "flags", None)
    if flags is not None:
        flags.writeable = False
    return values

"""Zstandard frames, read with whatever is available: Python's module (3.14), the package zstandard, the system's library."""

from __future__ import annotations

import ctypes
import ctypes.util
import functools
from typing import Callable, Optional

from ..arrays import optional

Unpack = Callable[[bytes, int], bytes]


@functools.lru_cache(maxsize=None)
def unpacker() -> Optional[Unpack]:
    """A function of a frame and the size of its content; None: this machine has nothing that reads Zstandard."""
    module = optional("compression.zstd")
    if module is not None:
        return lambda data, size: bytes(module.decompress(data))
    module = optional("zstandard")
    if module is not None:
        return lambda data, size: bytes(module.ZstdDecompressor().decompress(data, max_output_size=size))
    name = ctypes.util.find_library("zstd") or "libzstd.so.1"
    try:
        library = ctypes.CDLL(name)
        decompress = library.ZSTD_decompress
    except (OSError, AttributeError):
        return None
    decompress.restype = ctypes.c_size_t
    decompress.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t]

    def unpack(data: bytes, size: int) -> bytes:
        target = ctypes.create_string_buffer(max(size, 1))
        got = int(decompress(target, size, data, len(data)))
        if got != size:
            raise ValueError("a page does not unpack to the size that its head says")
        return target.raw[:size]

    return unpack

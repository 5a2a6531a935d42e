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


class _Buffer(ctypes.Structure):
    """ZSTD_inBuffer, ZSTD_outBuffer."""

    _fields_ = [("data", ctypes.c_void_p), ("size", ctypes.c_size_t), ("at", ctypes.c_size_t)]


def unpacked(data: bytes) -> bytes:
    """A file of frames that do not say how long their content is. Raises ValueError."""
    module = optional("compression.zstd")
    if module is not None:
        try:
            return bytes(module.decompress(data))
        except module.ZstdError as error:
            raise ValueError(str(error)) from None
    module = optional("zstandard")
    if module is not None:
        try:
            with module.ZstdDecompressor().stream_reader(data, read_across_frames=True) as reader:
                return bytes(reader.read())
        except module.ZstdError as error:
            raise ValueError(str(error)) from None
    return _by_library(data)


def _by_library(data: bytes) -> bytes:
    try:
        library = ctypes.CDLL(ctypes.util.find_library("zstd") or "libzstd.so.1")
    except OSError:
        raise ValueError("this machine has nothing that reads Zstandard") from None
    library.ZSTD_createDCtx.restype = ctypes.c_void_p
    library.ZSTD_freeDCtx.argtypes = [ctypes.c_void_p]
    library.ZSTD_decompressStream.restype = ctypes.c_size_t
    library.ZSTD_decompressStream.argtypes = [ctypes.c_void_p, ctypes.POINTER(_Buffer), ctypes.POINTER(_Buffer)]
    piece = ctypes.create_string_buffer(1 << 17)
    source = _Buffer(ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p), len(data), 0)
    context = library.ZSTD_createDCtx()
    out = []
    try:
        left = 1
        while source.at < source.size or left:
            target = _Buffer(ctypes.cast(piece, ctypes.c_void_p), len(piece), 0)
            before = source.at
            left = library.ZSTD_decompressStream(context, ctypes.byref(target), ctypes.byref(source))
            if library.ZSTD_isError(ctypes.c_size_t(left)) or (source.at == before and target.at == 0):
                raise ValueError("the frames of Zstandard are damaged or cut")
            out.append(piece.raw[: target.at])
    finally:
        library.ZSTD_freeDCtx(context)
    return b"".join(out)

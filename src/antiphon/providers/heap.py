"""Heap trimming: freed memory returned to the operating system."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any


def trim() -> None:
    """Return freed memory to the system. For whoever has opened a connection, once what it took to
    open it is freed.

    uvloop gives a connection over TLS a buffer of 256 KiB, and uses a few of them. Fresh from the
    system the rest of it costs nothing; laid over freed memory, all of it is ours. Takes half a
    millisecond.
    """
    trim = _trim()
    if trim is not None:
        trim(0)


@cache
def _trim() -> Any:
    """Return glibc's malloc_trim; None elsewhere, where allocators do it by themselves."""
    return getattr(ctypes.CDLL(None), "malloc_trim", None)

"""Heap trimming: freed memory returned to the operating system."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any


def trim() -> None:
    """For whoever has opened a line, once what it took to open it is freed.

    uvloop gives a line over TLS a buffer of 256 KiB, and uses a few of them. Fresh from the system
    the rest of it is nobody's; laid over what the line before was opened with, all of it is ours.
    Takes half a millisecond.
    """
    trim = _trim()
    if trim is not None:
        trim(0)


@cache
def _trim() -> Any:
    """None: this is not glibc, and other allocators do it by themselves."""
    return getattr(ctypes.CDLL(None), "malloc_trim", None)

"""Memory that was freed goes back to the system."""

from __future__ import annotations

import platform
from pathlib import Path

import pytest

from antiphon.providers.heap import trim

SIZE = 2048  # more than Python keeps in pools of its own
COUNT = 20_000


def resident() -> int:
    """Bytes of ours that the system counts."""
    text = Path("/proc/self/smaps_rollup").read_text()
    (line,) = (line for line in text.splitlines() if line.startswith("Private_Dirty"))
    return int(line.split()[1]) * 1024


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other allocators do it themselves")
def test_what_was_freed_is_given_back() -> None:
    used = [bytes([n % 255 + 1]) * SIZE for n in range(COUNT)]
    last = used[-1]  # the memory above it ends here, so that nothing goes back by itself
    used.clear()
    before = resident()
    trim()
    assert before - resident() > SIZE * COUNT / 2
    assert len(last) == SIZE

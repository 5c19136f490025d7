"""Effort of the tests: `make test` tries a part of what `make test-thorough` tries."""

from __future__ import annotations

import os

import pytest

THOROUGH = bool(os.environ.get("THOROUGH"))

thorough = pytest.mark.skipif(not THOROUGH, reason="only with make test-thorough")


def examples(number: int) -> int:
    """The number of examples of a property: in a quick run a quarter of it."""
    return number if THOROUGH else max(5, number // 4)

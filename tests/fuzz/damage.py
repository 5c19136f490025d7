"""Damage to what a parser takes, as a strategy of Hypothesis."""

from __future__ import annotations

from hypothesis import strategies as st
from tests.fuzz.targets import Target


@st.composite
def damaged(draw: st.DrawFn, target: Target) -> bytes:
    """Something that the parser takes, with pieces of it changed, lost, doubled or added."""
    data = bytearray(draw(st.sampled_from(target.seeds)))
    pieces = st.binary(max_size=8)
    if target.words:
        pieces |= st.sampled_from(target.words)
    for _ in range(draw(st.integers(0, 6))):
        start = draw(st.integers(0, len(data)))
        end = draw(st.integers(start, min(len(data), start + 40)))
        match draw(st.sampled_from(("replace", "lose", "double", "add", "cut"))):
            case "replace":
                data[start:end] = draw(pieces)
            case "lose":
                del data[start:end]
            case "double":
                data[end:end] = data[start:end] * draw(st.sampled_from((1, 2, 50)))
            case "add":
                data[start:start] = draw(pieces)
            case "cut":
                del data[start:]
    return bytes(data)

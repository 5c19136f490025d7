"""Recordings as they are written, piece by piece."""

from __future__ import annotations

from pathlib import Path

from antiphon.agents.voice.recording import AGENT, PERSON, Recordings


async def test_half_a_sample_is_left_out_and_the_rest_is_kept(tmp_path: Path) -> None:
    recordings = Recordings(tmp_path, on=True, days=1)
    recorder = recordings.recorder("s1", lambda: 100.0)
    assert recorder is not None
    recorder.say(b"\x10\x20" * 10 + b"\x01")
    recorder.hear(b"\x10\x20" * 8 + b"\x01")
    recorder.say(b"\x01")
    await recorder.close()
    sides = [(piece.side, len(piece.samples)) for piece in recordings.pieces("s1")]
    assert sides == [(AGENT, 10), (PERSON, 8), (AGENT, 0)]

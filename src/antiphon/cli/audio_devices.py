"""Audio input and output of `antiphon talk`: WAV files, microphone and loudspeaker."""

from __future__ import annotations

import asyncio
import struct
import threading
import wave
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from antiphon.contracts.events import INPUT_RATE, OUTPUT_RATE

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_BYTES = 512 * 1024 * 1024
FRAME_MS = 20
_PCM, _FLOAT, _EXTENSIBLE = 1, 3, 0xFFFE
_NO_DEVICE = "Use --wav in.wav --out out.wav, or the console in a browser."


class SoundError(Exception):
    """Words about a file or a device that cannot be used."""


# -- files -------------------------------------------------------------------------------------


def read_wav(path: Path) -> bytes:
    """The sound of a file as a microphone would give it: PCM16 mono at 16 kHz.

    Raises SoundError.
    """
    try:
        if path.stat().st_size > MOST_BYTES:
            raise SoundError(f"{path} is larger than {MOST_BYTES // 2**20} MiB.")
        content = path.read_bytes()
    except OSError as error:
        raise SoundError(f"{path} cannot be read: {error.strerror or error}.") from None
    try:
        return _microphone(content)
    except ValueError as error:
        raise SoundError(f"{path} is no WAV file that can be used: {error}.") from None


def _microphone(content: bytes) -> bytes:
    import numpy as np

    from antiphon.speech.audio import resample, to_pcm

    if content[:4] != b"RIFF" or content[8:12] != b"WAVE":
        raise ValueError("it does not begin as one")
    chunks: dict[bytes, bytes] = {}
    for name, body in _chunks(content):
        chunks.setdefault(name, body)
    form, data = chunks.get(b"fmt ", b""), chunks.get(b"data", b"")
    if len(form) < 16:
        raise ValueError("it does not say what kind of sound it holds")
    kind, channels, rate, _, _, bits = struct.unpack("<HHIIHH", form[:16])
    if kind == _EXTENSIBLE and len(form) >= 26:
        (kind,) = struct.unpack("<H", form[24:26])
    if not 1 <= channels <= 32 or not 4_000 <= rate <= 192_000:
        raise ValueError(f"it has {channels} channels at {rate} Hz")
    width = bits // 8
    data = data[: len(data) // (width * channels or 1) * width * channels]
    if (kind, bits) == (_FLOAT, 32):
        samples = np.frombuffer(data, "<f4")
    elif (kind, bits) == (_FLOAT, 64):
        samples = np.frombuffer(data, "<f8").astype(np.float32)
    elif (kind, bits) == (_PCM, 8):
        samples = (np.frombuffer(data, np.uint8).astype(np.float32) - 128) / 128
    elif (kind, bits) == (_PCM, 16):
        samples = np.frombuffer(data, "<i2").astype(np.float32) / 2**15
    elif (kind, bits) == (_PCM, 24):
        raw = np.frombuffer(data, np.uint8).reshape(-1, 3).astype(np.int32)
        samples = ((raw[:, 0] | raw[:, 1] << 8 | raw[:, 2] << 16) << 8).astype(np.float32) / 2**31
    elif (kind, bits) == (_PCM, 32):
        samples = np.frombuffer(data, "<i4").astype(np.float32) / 2**31
    else:
        raise ValueError(f"it holds {bits} bits of kind {kind}, not PCM or floating point")
    mono = np.nan_to_num(samples.reshape(-1, channels).mean(axis=1, dtype=np.float32))
    return to_pcm(resample(mono, rate, INPUT_RATE))


def _chunks(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = 12
    while at + 8 <= len(content):
        name, size = struct.unpack("<4sI", content[at : at + 8])
        # Programs that write to a pipe do not know the size of the last one.
        yield name, content[at + 8 : at + 8 + size]
        at += 8 + size + size % 2


def write_wav(path: Path, pcm: bytes) -> None:
    """PCM16 mono at 24 kHz. Raises SoundError."""
    try:
        with path.open("wb") as stream, wave.open(stream, "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(OUTPUT_RATE)
            file.writeframes(pcm)
    except OSError as error:
        raise SoundError(f"{path} cannot be written: {error.strerror or error}.") from None


# -- devices -----------------------------------------------------------------------------------


class Devices:
    """The microphone and the loudspeaker of this machine, as a context manager. Raises SoundError
    when there is none. Use it on an event loop."""

    def __init__(self) -> None:
        self.heard: asyncio.Queue[bytes] = asyncio.Queue(maxsize=500)
        self._loop = asyncio.get_running_loop()
        self._guard = threading.Lock()
        self._waiting: deque[tuple[int, bytes]] = deque()
        self._played: dict[int, int] = {}  # bytes of each turn
        self._streams: list[Any] = []

    def __enter__(self) -> Self:
        sounddevice = _sounddevice()
        try:
            for make, rate, callback in (
                (sounddevice.RawInputStream, INPUT_RATE, self._hear),
                (sounddevice.RawOutputStream, OUTPUT_RATE, self._play),
            ):
                stream = make(
                    samplerate=rate,
                    channels=1,
                    dtype="int16",
                    blocksize=rate * FRAME_MS // 1000,
                    callback=callback,
                )
                self._streams.append(stream)
                stream.start()
        except (sounddevice.PortAudioError, ValueError) as error:
            self.__exit__()
            raise SoundError(
                f"The microphone and loudspeaker cannot be used: {error}. {_NO_DEVICE}"
            ) from None
        return self

    def __exit__(self, *error: object) -> None:
        for stream in self._streams:
            stream.close()
        self._streams.clear()

    def play(self, pcm: bytes, turn: int) -> None:
        with self._guard:
            self._waiting.append((turn, pcm))

    def flush(self) -> None:
        with self._guard:
            self._waiting.clear()

    def played(self) -> dict[int, int]:
        """Milliseconds of each turn whose speech was played since the last time this was asked."""
        with self._guard:
            found = {turn: size * 1000 // (2 * OUTPUT_RATE) for turn, size in self._played.items()}
            if len(self._played) > 1:
                self._played = dict([max(self._played.items())])
        return found

    # -- in PortAudio's threads

    def _hear(self, data: Any, frames: int, time: Any, status: Any) -> None:
        del frames, time, status
        self._loop.call_soon_threadsafe(self._put, bytes(data))

    def _put(self, pcm: bytes) -> None:
        if self.heard.full():
            self.heard.get_nowait()
        self.heard.put_nowait(pcm)

    def _play(self, out: Any, frames: int, time: Any, status: Any) -> None:
        del time, status
        wanted = frames * 2
        made = bytearray()
        with self._guard:
            while self._waiting and len(made) < wanted:
                turn, pcm = self._waiting.popleft()
                take = wanted - len(made)
                made += pcm[:take]
                self._played[turn] = self._played.get(turn, 0) + min(take, len(pcm))
                if len(pcm) > take:
                    self._waiting.appendleft((turn, pcm[take:]))
        out[:] = bytes(made).ljust(wanted, b"\0")


def _sounddevice() -> Any:
    try:
        import sounddevice  # type: ignore[import-untyped,unused-ignore]
    except (ImportError, OSError) as error:  # OSError: PortAudio itself is not there
        raise SoundError(
            f"The microphone needs the package sounddevice and PortAudio ({error}): pip install "
            f"sounddevice. {_NO_DEVICE}"
        ) from None
    kinds = {
        kind: any(device[f"max_{kind}_channels"] for device in sounddevice.query_devices())
        for kind in ("input", "output")
    }
    for kind, name in (("input", "microphone"), ("output", "loudspeaker")):
        if not kinds[kind]:
            raise SoundError(f"This machine has no {name}. {_NO_DEVICE}")
    return sounddevice

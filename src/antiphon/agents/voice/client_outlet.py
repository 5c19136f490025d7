"""Client outlet port: the engine's way to send messages and speech to the person."""

from __future__ import annotations

from typing import Protocol

from antiphon.contracts.session_events import VoiceEvent


class ClientOutlet(Protocol):
    """Way to one client. Everything arrives in the order in which it was given, each once."""

    def send(self, event: VoiceEvent, turn: int | None = None) -> None:
        """Send an event, or queue it; never blocks. `turn` is the model's turn that it is of. A
        client that takes nothing for too long is cut off."""

    async def send_audio(self, pcm: bytes, turn_id: int) -> None:
        """Send a piece of speech, waiting while too much of it is queued already."""

    @property
    def writable(self) -> bool:
        """Whether nothing is queued, so that `send_audio_now` may be used."""

    def send_audio_now(self, pcm: bytes, turn_id: int) -> None:
        """Send a piece of speech synchronously. Only while the outlet is `writable`."""

    def flush(self) -> None:
        """Drop the speech that is still queued."""

"""Client outlet port: the engine's way to send messages and speech to the person."""

from __future__ import annotations

from typing import Any, Protocol


class Outlet(Protocol):
    """Everything arrives in the order in which it was given, each message once."""

    def send(self, message: dict[str, Any]) -> None:
        """A message. Never blocks; a person who takes none for too long is cut off."""

    async def audio(self, pcm: bytes, turn_id: int) -> None:
        """A piece of speech. Waits while too much of it is on its way already."""

    @property
    def free(self) -> bool:
        """Nothing waits to be sent: `speak` may be used."""

    def speak(self, pcm: bytes, turn_id: int) -> None:
        """A piece of speech, within this call."""

    def flush(self) -> None:
        """Forget the speech that has not left yet."""

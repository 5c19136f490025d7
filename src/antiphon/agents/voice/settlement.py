"""Settlement of an utterance: whether the person is done with it or goes on after a pause."""

from __future__ import annotations

import asyncio


class Settlement:
    """Of what the person said last. Nothing that changes anything may follow from half a sentence,
    so what would is kept until this is known."""

    def __init__(self) -> None:
        self._open: asyncio.Future[bool] | None = None

    def open(self) -> None:
        """Begin to wait: the person may yet go on."""
        self.close(settled=True)
        self._open = asyncio.get_running_loop().create_future()

    def close(self, *, settled: bool) -> None:
        """End the wait: the utterance is settled, or they go on with it."""
        waited, self._open = self._open, None
        if waited is not None:
            waited.set_result(settled)

    async def wait(self) -> bool:
        """Wait for the utterance of the moment; return False when they go on with it."""
        return True if self._open is None else await asyncio.shield(self._open)

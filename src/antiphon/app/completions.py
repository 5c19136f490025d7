"""One-shot completions of the chosen text model for agents, workflows and experts."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from antiphon.contracts import ErrorType, ToolError
from antiphon.providers import Backends, Deadlines

if TYPE_CHECKING:
    from antiphon.agents.completion import Completion
    from antiphon.providers.backends import Backend

# Somebody waits for the answer of a call.
DEADLINES = Deadlines(connect=5.0, send=5.0, answer=30.0, gap=15.0, request=60.0)


class Completions:
    """Completions by the backend that is chosen at the time; `close` ends those under way."""

    def __init__(self, backends: Backends) -> None:
        self._backends = backends
        self._completions: dict[Backend, Completion] = {}

    async def ask(self, instructions: str, text: str) -> str | None:
        """Complete a text; return None where there is only the built-in model.

        Raises ToolError TRANSIENT when the model does not answer.
        """
        from antiphon.agents.completion import Completion, CompletionError

        backend = self._backends.chosen
        if not self._backends.completes(backend):
            return None
        completion = self._completions.get(backend)
        if completion is None:
            deadlines = self._backends.deadlines(backend, DEADLINES)
            completion = Completion(self._backends, backend, deadlines=deadlines, retries=1)
            self._completions[backend] = completion
        try:
            return await completion.ask(instructions, text)
        except CompletionError as error:
            raise ToolError(ErrorType.TRANSIENT, error.message) from None

    async def close(self) -> None:
        """Ends the questions that are under way; those who asked go on by rules."""
        await asyncio.gather(*(each.close() for each in self._completions.values()))

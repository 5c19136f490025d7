"""One-shot completions of the chosen text model for agents, workflows and experts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from antiphon.contracts import ErrorType, ToolError
from antiphon.contracts.metering import Payer, Spending
from antiphon.providers import Backends, Deadlines

if TYPE_CHECKING:
    from antiphon.agents.completion import Completion
    from antiphon.providers.backends import Backend
    from antiphon.secrecy.privacy import ConversationPrivacy

# Somebody waits for the answer of a call.
DEADLINES = Deadlines(connect=5.0, send=5.0, answer=30.0, gap=15.0, request=60.0)


class Completions:
    """Completions by the backend that is chosen at the time; `close` ends those under way."""

    def __init__(
        self,
        backends: Backends,
        spending: Spending | None,
        privacy_of: Callable[[str], ConversationPrivacy | None] = lambda _session: None,
    ) -> None:
        """`privacy_of` a session says what is personal in what its calls ask."""
        self._backends = backends
        self._spending = spending
        self._privacy_of = privacy_of
        self._completions: dict[Backend, Completion] = {}

    async def ask(self, instructions: str, text: str, payer: Payer) -> str | None:
        """Complete a text on somebody's account; return None where there is only the built-in
        model.

        Raises ToolError TRANSIENT when the model does not answer, BUDGET_EXCEEDED when nothing more
        may be spent on it.
        """
        from antiphon.agents.completion import Completion, CompletionError

        backend = self._backends.chosen
        if not self._backends.completes(backend):
            return None
        completion = self._completions.get(backend)
        if completion is None:
            deadlines = self._backends.deadlines(backend, DEADLINES)
            completion = Completion(
                self._backends, backend, deadlines=deadlines, retries=1, spending=self._spending
            )
            self._completions[backend] = completion
        privacy = self._privacy_of(payer.session)
        if privacy is not None and privacy.hides_from_model:
            instructions, text = privacy.for_model(instructions), privacy.for_model(text)
        try:
            answer = await completion.ask(instructions, text, payer=payer)
        except CompletionError as error:
            spent = error.fault is not None and error.fault.kind == "spending_cap"
            kind = ErrorType.BUDGET_EXCEEDED if spent else ErrorType.TRANSIENT
            raise ToolError(kind, error.message) from None
        return answer if privacy is None else privacy.text_from_model(answer)

    async def close(self) -> None:
        """Ends the questions that are under way; those who asked go on by rules."""
        await asyncio.gather(*(each.close() for each in self._completions.values()))

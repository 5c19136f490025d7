"""Extractor factory: knowledge extraction by a model of a provider, as the settings choose."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from antiphon.contracts import ErrorType
from antiphon.contracts.metering import Payer, Spending
from antiphon.knowledge import KnowledgeError
from antiphon.providers import Backends, Deadlines

if TYPE_CHECKING:
    from antiphon.agents.completion import Completion
    from antiphon.knowledge.ingestion import ModelExtractor

# Somebody waits for the answer of a call; with the time a document has, it stays below a minute.
DEADLINES = Deadlines(connect=5.0, send=2.0, answer=15.0, gap=10.0, request=18.0)


class ModelExtraction:
    """Owns the questions that are put to the model, and the cache of its answers.

    `extractor` gives None for rules alone. `folder` is the one of the knowledge base. On a running
    event loop the extractor is for other threads; with a `runner` it is for the thread of that.
    """

    def __init__(
        self,
        name: str,
        backends: Backends,
        folder: Path,
        *,
        runner: asyncio.Runner | None = None,
        spending: Callable[[], Spending | None],
    ) -> None:
        self._completion: Completion | None = None
        if name == "rules":
            return
        from antiphon.agents.completion import Completion
        from antiphon.knowledge.ingestion import AnswerCache
        from antiphon.knowledge.ingestion.answer_cache import FILE

        self._name = name
        self._runner = runner
        self._loop = asyncio.get_running_loop() if runner is None else None
        deadlines = DEADLINES if runner is None else backends.deadlines(name)
        self._completion = Completion(backends, name, deadlines=deadlines, spending=spending())
        self._cache = AnswerCache(folder / FILE)

    def extractor(self, payer: Payer) -> ModelExtractor | None:
        """Return the extractor whose questions are asked on somebody's account; None for rules
        alone."""
        completion = self._completion
        if completion is None:
            return None
        runner, loop = self._runner, self._loop
        from antiphon.agents.completion import CompletionError
        from antiphon.knowledge.ingestion import ModelExtractor

        waiting = None if loop is None else completion.waiting(loop, payer)

        def complete(instructions: str, text: str, schema: dict[str, Any]) -> str:
            try:
                if waiting is not None:
                    return waiting(instructions, text, schema)
                assert runner is not None
                return runner.run(completion.ask(instructions, text, schema, payer=payer))
            except CompletionError as error:
                raise KnowledgeError(error.message, ErrorType.TRANSIENT) from None

        return ModelExtractor(complete, f"{self._name}/{completion.model}", self._cache)

    async def close(self) -> None:
        """Ends what is being asked; pieces that are left are read by rules."""
        if self._completion is not None:
            await self._completion.close()
            await asyncio.to_thread(self._cache.close)

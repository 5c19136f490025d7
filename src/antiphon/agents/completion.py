"""One-shot completion: one question to a text model, one whole answer, without tools or memory."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import CancelledError
from contextlib import aclosing
from typing import Any

import orjson

from antiphon.contracts.events import Fault, Prompt, Text, ToolCalls, TurnEnded
from antiphon.contracts.metering import Meter, Payer, Spending, nobody_to_warn
from antiphon.providers.backends import Backend, Backends
from antiphon.providers.port import Deadlines, ProviderFault, Setup

MAX_TOKENS = 8_192
MAX_CHARACTERS = 1_000_000
# Seconds beyond every deadline of the connection, after which something is wrong with the loop.
GRACE = 5.0

_FORM = (
    "\n\nYour whole answer is one JSON value that is valid against this JSON Schema, with no words "
    "before or behind it:\n"
)


class CompletionError(Exception):
    """A question without an answer; the text says why, for a person. `fault` is the provider's, if
    any."""

    def __init__(self, message: str, fault: Fault | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.fault = fault


class Completion:
    """One-shot client of the text model of one backend, each time with the key then in force.

    Every question is a connection of its own: nothing is remembered. `close` cancels what is asked.
    """

    def __init__(
        self,
        backends: Backends,
        backend: Backend,
        *,
        deadlines: Deadlines | None = None,
        retries: int = 2,
        max_tokens: int = MAX_TOKENS,
        spending: Spending | None = None,
    ) -> None:
        self.model = backends.model(backend, "text") or ""
        self._backends = backends
        self._backend = backend
        self._deadlines = deadlines or backends.deadlines(backend)
        self._retries = retries
        self._max_tokens = max_tokens
        self._spending = spending
        self._asking: set[asyncio.Task[Any]] = set()
        self._closed = False

    async def ask(
        self,
        instructions: str,
        text: str,
        schema: dict[str, Any] | None = None,
        *,
        payer: Payer,
    ) -> str:
        """Return the answer to `text`, on the account of `payer`; with a schema it is asked for as
        JSON, which nobody has checked.

        Raises CompletionError: the model cannot be reached or refuses, its answer is cut off, it
        takes longer than the deadlines, or would cost money that may not be spent.
        """
        if self._closed:
            raise CompletionError("The model is asked no more, as the program is stopping.")
        task = asyncio.current_task()
        assert task is not None
        self._asking.add(task)
        try:
            async with asyncio.timeout(self._patience()):
                return await self._ask(instructions, text, schema, payer)
        except ProviderFault as failed:
            raise CompletionError(failed.fault.message, failed.fault) from None
        except TimeoutError:
            raise CompletionError(
                f"The model did not answer within {self._patience():g} seconds."
            ) from None
        finally:
            self._asking.discard(task)

    def waiting(
        self, loop: asyncio.AbstractEventLoop, payer: Payer
    ) -> Callable[[str, str, dict[str, Any] | None], str]:
        """Return a blocking `ask` for worker threads, which runs on `loop`. It raises
        CompletionError alone."""

        def complete(instructions: str, text: str, schema: dict[str, Any] | None = None) -> str:
            if asyncio._get_running_loop() is not None:
                raise RuntimeError("this thread runs an event loop: await `ask` there")
            question = self.ask(instructions, text, schema, payer=payer)
            try:
                answer = asyncio.run_coroutine_threadsafe(question, loop)
            except RuntimeError:  # the loop is closed
                question.close()
                raise CompletionError(
                    "The model is asked no more, as the program has stopped."
                ) from None
            try:
                return answer.result(self._patience() + GRACE)
            except CancelledError:
                raise CompletionError(
                    "The model was interrupted, as the program is stopping."
                ) from None
            except TimeoutError:
                answer.cancel()
                raise CompletionError("The model could not be asked: nobody took it on.") from None

        return complete

    async def close(self) -> None:
        """Cancel the questions under way; later ones are refused."""
        self._closed = True
        asking = [task for task in self._asking if task is not asyncio.current_task()]
        for task in asking:
            task.cancel()
        await asyncio.gather(*asking, return_exceptions=True)

    # -- inside

    def _patience(self) -> float:
        return self._deadlines.connect + self._deadlines.send + self._deadlines.request + GRACE

    async def _ask(
        self, instructions: str, text: str, schema: dict[str, Any] | None, payer: Payer
    ) -> str:
        if schema is not None:
            instructions += _FORM + orjson.dumps(schema).decode()
        setup = Setup(
            model=self.model,
            instructions=instructions,
            output="text",
            max_tokens=self._max_tokens,
            retries=self._retries,
            deadlines=self._deadlines,
            meter=self._meter(payer),
        )
        provider = self._backends.provider((self._backend, "text"))
        async with await provider.connect(setup) as connection:
            await connection.send(Prompt(text))
            said: list[str] = []
            size = 0
            trouble: Fault | None = None
            async with aclosing(connection.events()) as events:  # type: ignore[type-var]
                async for event in events:
                    match event:
                        case Text(piece):
                            said.append(piece)
                            size += len(piece)
                            if size > MAX_CHARACTERS:
                                raise CompletionError(
                                    f"The model wrote more than {MAX_CHARACTERS:,} characters."
                                )
                        case Fault():
                            trouble = trouble or event
                        case ToolCalls():
                            raise CompletionError("The model called a tool, and was given none.")
                        case TurnEnded(reason):
                            self._check(reason, trouble)
                            return "".join(said)
        if trouble is not None:
            raise ProviderFault(trouble)
        raise CompletionError("The connection ended before the answer did.")

    def _meter(self, payer: Payer) -> Meter | None:
        if self._spending is None:
            return None
        return self._spending.meter(self._backend, self.model, lambda: payer, nobody_to_warn)

    def _check(self, reason: str, trouble: Fault | None) -> None:
        if trouble is not None:
            raise ProviderFault(trouble)
        if reason == "max_tokens":
            raise CompletionError(
                f"The answer of the model was cut off after {self._max_tokens:,} tokens."
            )
        if reason != "complete":
            raise CompletionError(f"The answer of the model ended early: {reason}.")

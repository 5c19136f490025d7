"""GGUF provider: a model in a file behind the port of every other, with one worker thread."""

from __future__ import annotations

import asyncio
import secrets
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from antiphon.contracts import ToolCall
from antiphon.contracts.events import Fault, ModelTurn, Text, Usage, UserTurn
from antiphon.providers.faults import fault
from antiphon.providers.gguf.answer_reader import AnswerReader
from antiphon.providers.gguf.engine import Chunk, Engine
from antiphon.providers.gguf.generation import Generation
from antiphon.providers.gguf.model_file import ModelFileError, read_model_file
from antiphon.providers.gguf.tool_window import ChooseTools, ToolWindow
from antiphon.providers.port import (
    Access,
    Api,
    Capabilities,
    Connection,
    Provider,
    ProviderFault,
    Setup,
)
from antiphon.providers.text import ModelAnswer, TextConnection

FORM = "openai"  # the registry's form of declarations that is shown to the model
# Seconds for a whole answer: a machine without an accelerator takes long, and is at work all along.
PATIENCE = 900.0
_STILL_WAITING = 1.0
_T = TypeVar("_T")


class GgufText(Provider):
    """Conversations with a model in a file; all of them share it, and are answered in turn.

    `choose` gives those of a conversation's tools that fit what was said, the best first; it may
    block, and is called in the worker. `context` is the context window in tokens.
    """

    api: Api = "local"

    def __init__(
        self,
        access: Access,
        path: Path,
        *,
        context: int | None = None,
        threads: int | None = None,
        choose: ChooseTools,
    ) -> None:
        super().__init__(access)
        self.path = path
        self.choose = choose
        self._context = context
        self._threads = threads
        self._engine: Engine | None = None
        self._lock = threading.Lock()
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="gguf model")
        self.stopped = threading.Event()

    def capabilities(self, model: str) -> Capabilities:
        del model
        return Capabilities()

    async def connect(self, setup: Setup) -> Connection:
        """Return a connection; the model is loaded with the first prompt, or by `probe`."""
        await asyncio.to_thread(self.engine)
        return GgufConnection(self, setup)

    async def probe(self, seconds: float) -> None:
        """Load the model. Raises ProviderFault when it cannot be."""
        try:
            async with asyncio.timeout(seconds):
                await asyncio.wrap_future(self.submit(lambda: self.engine().load()))
        except TimeoutError:
            raise ProviderFault(fault(self.path.name, "timeout", "loading")) from None

    async def close(self) -> None:
        self.stopped.set()
        await asyncio.to_thread(self._worker.shutdown, wait=True, cancel_futures=True)
        if self._engine is not None:
            await asyncio.to_thread(self._engine.close)

    # -- for connections

    def engine(self) -> Engine:
        """The engine, not yet loaded. Raises ProviderFault: what is wrong with the file or with
        what is installed."""
        with self._lock:
            if self._engine is None:
                try:
                    file = read_model_file(self.path)
                except ModelFileError as error:
                    raise ProviderFault(
                        Fault("not_configured", f"{error} It is named by `local.model`.")
                    ) from error
                engine = Engine(file, file.context(self._context), self._threads)
                engine.check()
                self._engine = engine
            return self._engine

    def submit(self, job: Callable[[], _T]) -> Future[_T]:
        """Run it in the worker, after what is before it."""
        return self._worker.submit(job)


class GgufConnection(TextConnection):
    """A conversation with a model in a file."""

    def __init__(self, provider: GgufText, setup: Setup) -> None:
        deadlines = replace(setup.deadlines, request=max(setup.deadlines.request, PATIENCE))
        setup = replace(setup, deadlines=deadlines)
        super().__init__(provider.path.name, setup, provider.capabilities(setup.model))
        self._provider = provider
        self._first_round = 0  # of the history that the model is still given
        self._window = ToolWindow(setup.tools, FORM, provider.choose)

    async def _stream(self) -> AsyncIterator[Text | Usage | ModelAnswer]:
        loop = asyncio.get_running_loop()
        pieces: asyncio.Queue[Chunk | None] = asyncio.Queue()
        stop = threading.Event()
        history = self.history_in(FORM)
        reader = AnswerReader(calls=bool(self.setup.tools.declared(FORM)))

        def tell(chunk: Chunk | None) -> bool:
            """Whether nobody wants to know any more."""
            if loop.is_closed():
                return True
            loop.call_soon_threadsafe(pieces.put_nowait, chunk)
            return stop.is_set() or self._provider.stopped.is_set()

        def work() -> None:
            if stop.is_set():
                return
            engine = self._provider.engine()
            engine.load()
            said = [turn.text for turn in history if isinstance(turn, UserTurn)]
            tools = self._window.tools(said[-1] if said else "", history)
            generation = Generation(engine, self.setup, tools, history)
            self._first_round = generation.run(tell, self._first_round)

        job = self._provider.submit(work)
        job.add_done_callback(lambda _: tell(None))
        ended: str | None = None
        try:
            while True:
                try:
                    async with asyncio.timeout(_STILL_WAITING):
                        chunk = await pieces.get()
                except TimeoutError:
                    yield Text("")  # it loads, reads, or answers others first
                    continue
                if chunk is None:
                    break
                await asyncio.sleep(0)  # a quick model leaves no other moment to be interrupted
                choice = (chunk.get("choices") or [{}])[0]
                yield Text(reader.read((choice.get("delta") or {}).get("content") or ""))
                if choice.get("finish_reason"):
                    ended = choice["finish_reason"]
                    yield _usage(chunk)
        finally:
            stop.set()
        job.result()  # raises what went wrong
        if ended is None:
            raise ProviderFault(fault(self.vendor, "closed", "the model was closed"))
        rest = reader.rest()
        yield Text(rest)
        yield self._answer(reader, ended)

    def _answer(self, reader: AnswerReader, ended: str) -> ModelAnswer:
        text = "".join(self._said)
        if ended == "length":
            return ModelAnswer(ModelTurn(text), "max_tokens", lost_call=reader.called)
        return ModelAnswer(ModelTurn(text, tuple(self.receive_tool_calls(reader))))

    def receive_tool_calls(self, message: Any) -> list[ToolCall]:
        """The call that an AnswerReader has read, with an id that no other call has."""
        if not message.called:
            return []
        try:
            name, args = message.call()
        except ValueError as error:
            raise ProviderFault(fault(self.vendor, "protocol", error)) from error
        args = self.setup.tools.arguments(FORM, name, args)
        return [ToolCall(f"gguf_{secrets.token_hex(8)}", name, args)]

    def _fault(self, error: Exception) -> Fault:
        return fault(self.vendor, "protocol", f"{type(error).__name__}: {error}")


def _usage(chunk: Chunk) -> Usage:
    counted = chunk.get("timings") or {}
    cached = int(counted.get("cache_n") or 0)
    return Usage(
        input_tokens=int(counted.get("prompt_n") or 0) + cached,
        output_tokens=int(counted.get("predicted_n") or 0),
        cached_tokens=cached,
    )

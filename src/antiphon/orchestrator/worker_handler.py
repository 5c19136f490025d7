"""A handler at work in a worker process: it is imported here, and its context asks the server."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from antiphon.contracts import ErrorType, ToolError, ToolResult
from antiphon.registry.handlers import HandlerOrigin, load_module
from antiphon.workers.child import WorkerChannel

CONFINED_MB = 256
CPU_FACTOR = 5  # of the time without a word
_CONFINED = "antiphon.orchestrator.worker_handler:run_confined"


def execute(channel: WorkerChannel, call: dict[str, Any]) -> Any:
    """Run the handler of one call and return its result as plain data."""
    origin: HandlerOrigin = channel.kept[call["key"]]
    channel.represent = _represented
    os.environ.update(call["env"])
    try:
        module = _module(origin, origin.file)
        if origin.kind == "sync":
            result = module.execute(call["args"], RemoteContext(channel, call, origin, None))
        else:
            result = _in_loop(channel, module, call, origin)
    except ToolError as error:
        return {"ok": False, "error": error.body}
    finally:
        for name in call["env"]:
            os.environ.pop(name, None)
    if type(result) is not ToolResult:
        return f"{type(result).__name__} instead of ok(...) or fail(...)"
    return {
        "ok": result.ok, "data": result.data, "error": result.error, "intents": result.intents,
    }  # fmt: skip


def _module(origin: HandlerOrigin, file: str) -> Any:
    return load_module(origin.tool_id, origin.digest, origin.sources, origin.directory, file)


def _represented(value: Any) -> list[str] | None:
    return list(value._path) if isinstance(value, RemoteObject) else None


def _in_loop(
    channel: WorkerChannel, module: Any, call: dict[str, Any], origin: HandlerOrigin
) -> Any:
    loop = _event_loop()
    replies = Replies(channel, loop)
    context = RemoteContext(channel, call, origin, replies)

    async def generator() -> Any:
        last: Any = None
        first = True
        async for value in module.execute(call["args"], context):
            if not first:
                channel.notify({"op": "yield", "value": last})
            last, first = value, False
        return last

    try:
        is_generator = origin.kind == "generator"
        work = generator() if is_generator else module.execute(call["args"], context)
        return loop.run_until_complete(work)
    finally:
        _end_tasks(loop)
        replies.close()


@cache
def _event_loop() -> Any:
    """The event loop of this process: to make one takes longer than most calls."""
    import asyncio

    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    return loop


def _end_tasks(loop: Any) -> None:
    """Cancel the tasks that a handler has started and not awaited."""
    import asyncio

    left = asyncio.all_tasks(loop)
    for task in left:
        task.cancel()
    if left:
        loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))


class Replies:
    """Pending answers of the server to the coroutines that wait for them."""

    def __init__(self, channel: WorkerChannel, loop: Any) -> None:
        self._channel = channel
        self._loop = loop
        self._waiting: dict[int, Any] = {}
        loop.add_reader(channel.fileno(), self._readable)

    def close(self) -> None:
        self._loop.remove_reader(self._channel.fileno())

    def later(self, number: int) -> Any:
        future = self._waiting[number] = self._loop.create_future()
        self.deliver_answers()
        return future

    def _readable(self) -> None:
        self._channel.receive_answer()
        self.deliver_answers()

    def deliver_answers(self) -> None:
        """Resolve the futures whose answers have come."""
        for number in [n for n in self._waiting if self._channel.has_answer(n)]:
            future = self._waiting.pop(number)
            kind, value = self._channel.take_answer(number)
            if future.done():
                continue
            if kind == "value":
                future.set_result(value)
            else:
                future.set_exception(_raised(kind, value))


class RemoteObject:
    """Proxy of an object in the server: attributes are fetched and methods called there."""

    def __init__(
        self, channel: WorkerChannel, replies: Replies | None, path: tuple[str, ...]
    ) -> None:
        self._channel = channel
        self._replies = replies
        self._path = path

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        path = (*self._path, name)
        kind, *rest = self._channel.request({"op": "get", "path": path})[1]
        self._deliver_answers()
        if kind == "object":
            return RemoteObject(self._channel, self._replies, path)
        if kind == "value":
            return rest[0]
        raise _raised(kind, *rest)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        message = {"op": "call", "path": self._path, "args": args, "kwargs": kwargs}
        number, (kind, *rest) = self._channel.request(message)
        self._deliver_answers()
        if kind == "value":
            return rest[0]
        if kind != "later":
            raise _raised(kind, *rest)
        if self._replies is None:
            name = ".".join(self._path)
            raise RuntimeError(f"context.{name} has to be awaited; make the handler `async def`")
        return self._replies.later(number)

    def _deliver_answers(self) -> None:
        if self._replies is not None:
            self._replies.deliver_answers()


def _raised(kind: str, value: Any) -> Exception:
    if kind != "tool_error":
        return RuntimeError(str(value))
    error = ToolError(ErrorType(value["type"]), value["message"])
    error.body = value
    return error


class RemoteContext(RemoteObject):
    """The context of a handler in a worker process, served by the server."""

    def __init__(
        self,
        channel: WorkerChannel,
        call: dict[str, Any],
        origin: HandlerOrigin,
        replies: Replies | None,
    ) -> None:
        super().__init__(channel, replies, ())
        self._origin = origin
        self.mode = call["mode"]
        self.idempotency_key = call["idempotency_key"]
        self.clamped = call["clamped"]

    def progress(self, message: str, fraction: float | None = None, **data: Any) -> None:
        self._channel.notify(
            {"op": "progress", "text": message, "fraction": fraction, "data": data}
        )

    def confined(
        self, function: Callable[..., Any], *args: Any, seconds: float, seed: int = 0
    ) -> Iterator[Any]:
        """What a generator function of this tool yields, in a process of its own that can do
        nothing but compute: for code that is not trusted at all.

        It reads the Python installation and a folder of its own, in which it may write, and no
        other file; it has no network, no environment and no way to the server. It is killed when
        no value comes for so many `seconds`. `seed` orders its sets. Raises ToolError, whose
        `reason` says what happened: "timeout", "memory", "cpu", "crash" or "raised".
        """
        return _confined(self._origin, function, args, seconds, seed)


def _confined(
    origin: HandlerOrigin, function: Callable[..., Any], args: Any, seconds: float, seed: int
) -> Iterator[Any]:
    from antiphon.workers.errors import WorkerError
    from antiphon.workers.limits import WorkerLimits
    from antiphon.workers.single_worker import SingleWorker, confined_environment

    folder = tempfile.mkdtemp(prefix="confined-")
    try:
        limits = WorkerLimits(memory_mb=CONFINED_MB, open_files=64, folder=folder)
        with SingleWorker(limits, confined_environment(folder, seed)) as worker:
            worker.keep(origin.key, origin)
            file = function.__module__.rpartition(".")[2] + ".py"
            named = (origin.key, file, function.__name__, args)
            worker.begin(_CONFINED, *named, cpu_seconds=CPU_FACTOR * seconds, channel=True)
            while "message" in (message := worker.next(seconds)):
                yield message["message"]
    except WorkerError as error:
        if error.kind.endswith(".NotConfined"):
            words = f"Code that is not trusted cannot be run here: {error.message}."
            raise ToolError(ErrorType.UNAVAILABLE, words, reason=error.reason) from None
        raise ToolError(ErrorType.PERMANENT, error.message, reason=error.reason) from None
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def run_confined(channel: WorkerChannel, key: str, file: str, name: str, args: Any) -> None:
    """Run the generator of `confined` in its process and send each value."""
    origin: HandlerOrigin = channel.kept[key]
    for value in getattr(_module(origin, file), name)(*args):
        channel.notify(value)

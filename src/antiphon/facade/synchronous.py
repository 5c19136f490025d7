"""Synchronous face: an Antiphon for scripts and notebooks, on an event loop of its own thread."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Coroutine, Generator, Iterator, Mapping
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

from antiphon.app.loop_thread import LoopThread
from antiphon.facade.results import RunCall, RunResult

if TYPE_CHECKING:
    from antiphon.contracts.definition import Mode
    from antiphon.contracts.session_events import TextEvent
    from antiphon.facade.antiphon import Antiphon

T = TypeVar("T")


class SynchronousAntiphon:
    """The methods of an Antiphon without `await`. It works in a notebook, too, where an event loop
    is running: its own is in another thread.

    `with app.sync as sync:` opens it once for all that is done in the block. Outside of that each
    method opens it and closes it again, so that a conversation goes on only where there is a store.
    """

    def __init__(self, app: Antiphon) -> None:
        self._app = app
        self._thread: LoopThread[Antiphon] | None = None

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def open(self) -> None:
        """Open it until `close`, for a notebook. Raises what `async with` does."""
        if self._thread is not None:
            raise RuntimeError("This Antiphon is open already.")
        self._thread = self._new_thread().__enter__()

    def close(self) -> None:
        """Close it. Does nothing when it is not open."""
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.close()

    def _new_thread(self) -> LoopThread[Antiphon]:
        return LoopThread(lambda: self._app, "antiphon")

    @contextmanager
    def _opened(self) -> Iterator[LoopThread[Antiphon]]:
        if self._thread is not None:
            yield self._thread
            return
        with self._new_thread() as thread:
            yield thread

    def _wait(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        with self._opened() as thread:
            return thread.wait(work())

    # -- what the Antiphon does ----------------------------------------------------------------

    def run(
        self,
        text: str | None = None,
        *,
        session: str | None = None,
        user: str | None = None,
        data: Mapping[str, Any] | None = None,
    ) -> RunResult:
        """Answer one message; see `Antiphon.run`."""
        return self._wait(lambda: self._app.run(text, session=session, user=user, data=data))

    def stream(
        self,
        text: str | None = None,
        *,
        session: str | None = None,
        user: str | None = None,
        data: Mapping[str, Any] | None = None,
    ) -> Generator[TextEvent, None, None]:
        """Yield the events of one answer; see `Antiphon.stream`."""

        def events() -> AsyncGenerator[TextEvent, None]:
            return self._app.stream(text, session=session, user=user, data=data)

        with self._opened() as thread:
            yield from thread.iterate(events)

    def call(
        self,
        name: str,
        args: Mapping[str, Any] | None = None,
        *,
        session: str | None = None,
        user: str | None = None,
        data: Mapping[str, Any] | None = None,
        mode: Mode = "text",
        key: str | None = None,
    ) -> RunCall:
        """Call one tool; see `Antiphon.call`."""
        return self._wait(
            lambda: self._app.call(
                name, args, session=session, user=user, data=data, mode=mode, key=key
            )
        )

    def confirm(self, id: str, approve: bool) -> RunCall:
        """Answer a question; see `Antiphon.confirm`."""
        return self._wait(lambda: self._app.confirm(id, approve))

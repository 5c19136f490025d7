"""The watchdog of blocked event loops: it interrupts blocking calls and endless loops in tests."""

from __future__ import annotations

import signal
import threading
import time

from antiphon.testing.reports import describe_thread

_INTERVAL = 0.1
_IDLE = 10.0  # the thread ends after so long without a test to watch
# A loop that turns finds out by itself and says more; this is for when it does not.
_GRACE = 0.5

_lock = threading.Lock()
_watched: set[Watchdog] = set()
_thread: threading.Thread | None = None


class Watchdog:
    """Sends the main thread an interrupt if `stop` is not called in time.

    `blocked` then holds the stack of the thread. In other threads, and where the program has
    a SIGINT handler of its own, there is no way to interrupt, and nothing is done. A process that
    was started in the background ignores SIGINT; between `start` and `stop` it does not.
    """

    def __init__(self, seconds: float) -> None:
        self.blocked: str | None = None
        self._due = time.monotonic() + seconds + _GRACE
        handler = signal.getsignal(signal.SIGINT)
        self._ignored = handler is signal.SIG_IGN
        self._watches = threading.current_thread() is threading.main_thread() and (
            self._ignored or handler is signal.default_int_handler
        )

    def start(self) -> None:
        global _thread
        if not self._watches:
            return
        if self._ignored:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        with _lock:
            _watched.add(self)
            if _thread is None or not _thread.is_alive():
                _thread = threading.Thread(
                    target=_watch, name="antiphon-testing-watchdog", daemon=True
                )
                _thread.start()

    def stop(self) -> None:
        with _lock:
            _watched.discard(self)
        if self._watches and self._ignored:
            signal.signal(signal.SIGINT, signal.SIG_IGN)

    def check(self, now: float) -> None:
        if now < self._due:
            return
        main = threading.main_thread()
        self.blocked = describe_thread(main)
        # Code that swallows the interrupt gets another one.
        self._due = now + 1.0
        if main.ident is not None:
            signal.pthread_kill(main.ident, signal.SIGINT)


def is_watchdog(thread: threading.Thread) -> bool:
    return thread is _thread


def _watch() -> None:
    global _thread
    last_needed = time.monotonic()
    pause = threading.Event()
    while True:
        pause.wait(_INTERVAL)
        now = time.monotonic()
        with _lock:
            if _watched:
                last_needed = now
            elif now - last_needed > _IDLE:
                _thread = None
                return
            for watchdog in _watched:
                watchdog.check(now)

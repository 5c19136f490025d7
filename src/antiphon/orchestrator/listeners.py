"""Listeners: any number of subscribers to one kind of event, each with its unsubscribe handle."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Generic, ParamSpec

logger = logging.getLogger(__name__)

_P = ParamSpec("_P")
Unsubscribe = Callable[[], None]


class Listeners(Generic[_P]):
    """Subscribers that are notified in the order in which they subscribed.

    A listener that raises is logged and keeps neither the others nor the notifier from going on.
    """

    __slots__ = ("subscribed",)

    def __init__(self) -> None:
        # Replaced, never changed: a listener may unsubscribe while others are notified.
        self.subscribed: tuple[Callable[_P, None], ...] = ()

    def subscribe(self, listener: Callable[_P, None]) -> Unsubscribe:
        """Add a listener; the returned handle removes it, and does nothing the second time."""
        # A callable of its own, so that one listener may be subscribed more than once.
        own = _Subscription(listener)
        self.subscribed = (*self.subscribed, own)

        def unsubscribe() -> None:
            self.subscribed = tuple(each for each in self.subscribed if each is not own)

        return unsubscribe

    def notify(self, *args: _P.args, **kwargs: _P.kwargs) -> None:
        """Call every listener that is subscribed now."""
        for listener in self.subscribed:
            try:
                listener(*args, **kwargs)
            except Exception as error:
                logger.error("a listener failed", exc_info=error)


class _Subscription(Generic[_P]):
    __slots__ = ("_listener",)

    def __init__(self, listener: Callable[_P, None]) -> None:
        self._listener = listener

    def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> None:
        self._listener(*args, **kwargs)

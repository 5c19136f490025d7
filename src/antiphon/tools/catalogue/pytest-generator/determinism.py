"""Seeded randomness and a fixed clock, with a note whenever the tested code uses them."""

from __future__ import annotations

import asyncio
import builtins
import datetime
import os
import random
import time
from types import ModuleType
from typing import Any

DAY = 86_400.0
# What the clock says in each world, in seconds from a moment in 2024, and what chance starts from.
CLOCKS = (0.0, 1.3 * DAY, 40.7 * DAY, 401.1 * DAY, -3000.4 * DAY, 5000.9 * DAY)
START = 1_705_321_800.0


class Determinism:
    """Patches of randomness and clock for the rest of this process, which note their use."""

    def __init__(self) -> None:
        self.world = 0
        self.used = False
        self.real_monotonic = time.monotonic
        self._generator = _watched(self)
        self._patch_random()
        self._patch_time()
        self._datetime = self._own_datetime()

    def restart(self, world: int) -> None:
        self.world = world
        self._generator.seed(world)
        self.used = False

    def now(self) -> float:
        self.used = True
        return START + CLOCKS[self.world] + self._generator.random()

    def _patch_random(self) -> None:
        generator = self._generator
        for name in dir(generator):
            if not name.startswith("_") and hasattr(random, name) and name != "Random":
                setattr(random, name, getattr(generator, name))
        os.urandom = generator.randbytes
        random._urandom = generator.randbytes  # type: ignore[attr-defined]

    def _patch_time(self) -> None:
        localtime, gmtime, strftime = time.localtime, time.gmtime, time.strftime
        # The event loop goes by the real clock: a wait of the code is no look at it.
        asyncio.BaseEventLoop.time = lambda _: self.real_monotonic()  # type: ignore[method-assign]
        for name in ("time", "monotonic", "perf_counter", "process_time"):
            setattr(time, name, self.now)
            setattr(time, f"{name}_ns", lambda: int(self.now() * 1e9))
        time.localtime = lambda at=None: localtime(self.now() if at is None else at)
        time.gmtime = lambda at=None: gmtime(self.now() if at is None else at)
        time.strftime = lambda form, at=None: strftime(form, time.localtime() if at is None else at)

    def _own_datetime(self) -> ModuleType:
        """Build the `datetime` module that the tested code imports; libraries keep the real one,
        since their own classes could not be derived from these."""
        now = self.now
        real_date, real_datetime = datetime.date, datetime.datetime

        class _DatetimeMeta(type):
            def __instancecheck__(cls, value: object) -> bool:
                return isinstance(value, real_datetime if cls.__name__ == "datetime" else real_date)

        class date(real_date, metaclass=_DatetimeMeta):
            @classmethod
            def today(cls) -> Any:
                return cls.fromtimestamp(now())

        class datetime_(real_datetime, metaclass=_DatetimeMeta):
            @classmethod
            def now(cls, tz: Any = None) -> Any:
                return cls.fromtimestamp(now(), tz)

            @classmethod
            def utcnow(cls) -> Any:
                return cls.fromtimestamp(now(), datetime.UTC).replace(tzinfo=None)

            @classmethod
            def today(cls) -> Any:
                return cls.fromtimestamp(now())

        module = ModuleType("datetime")
        vars(module).update(vars(datetime))
        for kind, name in ((date, "date"), (datetime_, "datetime")):
            kind.__name__ = kind.__qualname__ = name
            kind.__module__ = "datetime"
            setattr(module, name, kind)
        return module

    def import_for(self, name: str, *more: Any) -> Any:
        """Import for the tested module: `datetime` is the patched one."""
        return self._datetime if name == "datetime" else builtins.__import__(name, *more)


def _watched(chance: Determinism) -> random.Random:
    class Watched(random.Random):
        def random(self) -> float:
            chance.used = True
            return super().random()

        def getrandbits(self, k: int, /) -> int:
            chance.used = True
            return super().getrandbits(k)

    return Watched(0)

"""Sign-in throttle: growing delays after wrong passwords, which do not keep others out."""

from __future__ import annotations

import hmac
import re
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from ipaddress import ip_network
from math import ceil

from antiphon.access.names import looked_up_name

# How long failures are remembered after the last of them.
FORGET_SECONDS = 3600.0
MAX_COUNTED = 20_000
MAX_KNOWN = 20_000
# Checks of passwords that may wait for their turn, each of which takes a lot of memory.
MAX_WAITING = 32
_WAIT_SECONDS = 2.0
_MARK = re.compile(r"[0-9a-f]{16}\.[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Allowance:
    """So many failures without a delay; then it doubles from one second up to a longest."""

    free: int
    longest: float

    def delay(self, failures: int) -> float:
        """The seconds to wait after so many failures."""
        beyond = failures - self.free
        return 0.0 if beyond < 0 else min(self.longest, 2.0 ** min(beyond, 30))


# A browser or address that its user has signed in from, and who signs in from anywhere else.
KNOWN = Allowance(10, 300.0)
ACCOUNT = Allowance(10, 60.0)
ADDRESS = Allowance(20, 60.0)


@dataclass(slots=True)
class _Count:
    failures: int = 0
    last_at: float = 0.0
    told: bool = field(default=False)


class Throttled(Exception):
    """An attempt that comes too early. `is_first`: since the last one that was let through."""

    def __init__(self, seconds: float, *, is_first: bool) -> None:
        super().__init__("Too many attempts. Wait a moment, then try again.")
        self.retry_after = max(1, ceil(seconds))
        self.is_first = is_first


@dataclass(slots=True)
class Attempt:
    """An attempt under way; it counts as a failure until `succeeded` is set."""

    succeeded: bool = False


class SignInThrottle:
    """Counts failures by account and by address, in memory: each node counts for itself.

    A browser that has signed in as a user has a mark, and is counted by itself for that user; so
    is an address from which they have signed in. Whoever else tries names of users has no
    influence on either. Names that nobody has are counted like any.
    """

    def __init__(self, secret: bytes, monotonic: Callable[[], float] = time.monotonic) -> None:
        """`secret` signs the marks."""
        self._secret = secret
        self._monotonic = monotonic
        self._counts: OrderedDict[str, _Count] = OrderedDict()
        self._known: OrderedDict[str, None] = OrderedDict()
        self._waiting = 0

    @contextmanager
    def attempt(self, name: str, address: str, mark: str | None = None) -> Iterator[Attempt]:
        """Hold an attempt to sign in under a name. Raises Throttled."""
        account = _account(name)
        network = _network(address)
        here = f"{account} {network}"
        if mark is not None and self._is_marked(account, mark):
            counted = {f"mark {account} {mark[:16]}": KNOWN}
        elif here in self._known:
            counted = {f"here {here}": KNOWN}
        else:
            counted = {f"account {account}": ACCOUNT, f"address {network}": ADDRESS}
        with self._counting(counted) as attempt:
            yield attempt
        if attempt.succeeded:
            self._known[here] = None
            self._known.move_to_end(here)
            while len(self._known) > MAX_KNOWN:
                self._known.popitem(last=False)

    @contextmanager
    def of_address(self, address: str) -> Iterator[Attempt]:
        """Hold an attempt with a secret that names nobody. Raises Throttled."""
        with self._counting({f"secrets {_network(address)}": ADDRESS}) as attempt:
            yield attempt

    @contextmanager
    def of_session(self, id: str) -> Iterator[Attempt]:
        """Hold a check of the password of somebody who is signed in. Raises Throttled."""
        with self._counting({f"session {id}": KNOWN}) as attempt:
            yield attempt

    def mark(self, name: str) -> str:
        """A mark for a browser that has signed in under a name."""
        nonce = secrets.token_hex(8)
        return f"{nonce}.{self._signature(_account(name), nonce)}"

    def _is_marked(self, account: str, mark: str) -> bool:
        if _MARK.fullmatch(mark) is None:
            return False
        nonce, _, given = mark.partition(".")
        return hmac.compare_digest(given, self._signature(account, nonce))

    def _signature(self, account: str, nonce: str) -> str:
        message = f"antiphon browser mark v1\0{account}\0{nonce}"
        return hmac.new(self._secret, message.encode(), sha256).hexdigest()

    @contextmanager
    def _counting(self, counted: dict[str, Allowance]) -> Iterator[Attempt]:
        now = self._monotonic()
        counts = {key: self._count(key, now) for key in counted}
        for key, count in counts.items():
            left = count.last_at + counted[key].delay(count.failures) - now
            if count.failures and left > 0:
                is_first, count.told = not count.told, True
                raise Throttled(left, is_first=is_first)
        if self._waiting >= MAX_WAITING:
            raise Throttled(_WAIT_SECONDS, is_first=False)
        # Counted at once, so that many at a time are not one.
        for count in counts.values():
            count.failures, count.last_at, count.told = count.failures + 1, now, False
        self._waiting += 1
        attempt = Attempt()
        try:
            yield attempt
        finally:
            self._waiting -= 1
            if attempt.succeeded:
                for count in counts.values():
                    count.failures = 0 if KNOWN in counted.values() else count.failures - 1

    def _count(self, key: str, now: float) -> _Count:
        digest = sha256(key.encode()).hexdigest()
        found = self._counts.pop(digest, None)
        if found is None or now - found.last_at > FORGET_SECONDS:
            found = _Count()
        self._counts[digest] = found
        while len(self._counts) > MAX_COUNTED:
            self._counts.popitem(last=False)
        return found


def _account(name: str) -> str:
    return looked_up_name(name) or sha256(name.encode("utf-8", "replace")).hexdigest()


def _network(address: str) -> str:
    """The address, or the network of one that has a whole network to choose from."""
    if ":" not in address:
        return address
    return str(ip_network(f"{address.partition('%')[0]}/64", strict=False))

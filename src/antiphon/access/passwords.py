"""Passwords: Argon2id hashes, made and checked in worker threads, a few at a time."""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from antiphon.access.errors import AccessError

if TYPE_CHECKING:
    from argon2 import PasswordHasher

MIN_LENGTH, MAX_LENGTH = 12, 128
AT_ONCE = 2


@dataclass(frozen=True, slots=True)
class PasswordCost:
    """The effort of one hash: memory in KiB and passes over it."""

    memory: int = 65_536
    passes: int = 3


class Passwords:
    """Hashes and checks passwords. Bound to the first event loop that uses it."""

    def __init__(self, cost: PasswordCost | None = None) -> None:
        self._cost = cost or PasswordCost()
        self._turns = asyncio.Semaphore(AT_ONCE)

    @cached_property
    def _hasher(self) -> PasswordHasher:
        from argon2 import PasswordHasher

        cost = self._cost
        return PasswordHasher(time_cost=cost.passes, memory_cost=cost.memory, parallelism=1)

    @cached_property
    def _nobodys(self) -> str:
        """The hash that is checked where there is none: it takes as long, and never fits."""
        return self._hasher.hash(secrets.token_urlsafe(24))

    async def hash(self, password: str) -> str:
        """The hash to keep. Raises AccessError for a password that is too short or too long."""
        check_length(password)
        async with self._turns:
            return await asyncio.to_thread(lambda: self._hasher.hash(password))

    async def verify(self, kept: str | None, password: str) -> bool:
        """Whether the password is the one of the hash. Takes the same work without a hash."""
        if len(password) > MAX_LENGTH:
            return False
        async with self._turns:
            return await asyncio.to_thread(self._verify, kept, password)

    def is_outdated(self, kept: str) -> bool:
        """Whether the hash was made at another cost than the one in force."""
        return self._hasher.check_needs_rehash(kept)

    def _verify(self, kept: str | None, password: str) -> bool:
        from argon2.exceptions import InvalidHashError, VerificationError

        try:
            self._hasher.verify(kept or self._nobodys, password)
        except (InvalidHashError, VerificationError, UnicodeError):
            return False
        return kept is not None


def check_length(password: str) -> None:
    """Raise AccessError unless the password has a length that is taken."""
    if not isinstance(password, str) or not MIN_LENGTH <= len(password) <= MAX_LENGTH:
        length = len(password) if isinstance(password, str) else 0
        raise AccessError(
            f"A password has {MIN_LENGTH} to {MAX_LENGTH} characters; this one has {length}.",
            field="password",
        )
    try:
        password.encode()
    except UnicodeError:
        raise AccessError("The password is not valid Unicode text.", field="password") from None

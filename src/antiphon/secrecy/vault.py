"""Vault: the master key and the key ring of one place, and values sealed with them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Protocol

from antiphon.secrecy.errors import SecrecyError, UnknownKeyError
from antiphon.secrecy.key_ring import REREAD_SECONDS, KeyRing, is_sealed
from antiphon.secrecy.master_key import MasterKey, MasterKeyPlace


class RingPlace(Protocol):
    """Where a key ring is kept: a file of the data folder, or a row of the store."""

    where: str

    def read(self) -> bytes | None:
        """The ring; None where there is none yet."""

    def add(self, content: bytes) -> bytes:
        """Keep the first ring; return the one that is there, another's if that was quicker."""


class MasterKeys:
    """The master key of a process: read once, when it is first needed."""

    def __init__(self, place: MasterKeyPlace) -> None:
        self.place = place
        self._lock = threading.Lock()
        self._key: MasterKey | None = None

    def existing(self) -> MasterKey | None:
        """The key; None where none was made yet. Raises SecrecyError."""
        with self._lock:
            if self._key is None:
                self._key = self.place.read()
            return self._key

    def made(self) -> MasterKey:
        """The key, made if there is none yet. Raises SecrecyError."""
        with self._lock:
            if self._key is None:
                self._key = self.place.read() or self.place.make()
            return self._key

    def needed(self, where: str) -> MasterKey:
        """The key with which a ring was made. Raises SecrecyError where there is none."""
        key = self.existing()
        if key is None:
            raise SecrecyError(
                f"The master key is missing: the key ring {where} was made with one; there is none "
                f"at {self.place.path}. Put it back from your backup, or name it with "
                "`secrets.key_file`; a new one would open nothing."
            )
        return key


class Vault:
    """Seals and opens values of one place. Safe to use from any thread, one at a time for each
    `RingPlace`."""

    def __init__(self, keys: MasterKeys, now: Callable[[], float] = time.time) -> None:
        self._keys = keys
        self._now = now
        self._lock = threading.Lock()
        self._ring: KeyRing | None = None
        self._read_at = 0.0

    def make_ring(self, place: RingPlace) -> None:
        """Make the ring, and the master key, unless they are there. Raises SecrecyError."""
        if self.check(place) is None:
            made = KeyRing.new(self._keys.made(), self._now())
            self._take(KeyRing.parsed(place.add(made.dumped()), place.where))

    def seal(self, place: RingPlace, plain: bytes, context: str) -> bytes:
        """Encrypt a value. Raises SecrecyError."""
        ring = self._current(place)
        if ring is None:
            raise _missing_ring(place)
        return ring.seal(self._keys.needed(place.where), plain, context)

    def open(self, place: RingPlace, value: bytes, context: str) -> bytes:
        """Decrypt a value. Raises SecrecyError; also for one that was never encrypted."""
        if not is_sealed(value):
            raise SecrecyError(f"{context} is damaged: it is not encrypted as it should be.")
        ring = self._current(place)
        if ring is None:
            raise _missing_ring(place)
        master = self._keys.needed(place.where)
        try:
            return ring.open(master, value, context)
        except UnknownKeyError:
            fresh = self._read(place)  # another node has rotated the keys meanwhile
            if fresh is None or fresh == ring:
                raise
            return fresh.open(master, value, context)

    def check(self, place: RingPlace) -> KeyRing | None:
        """The ring, if there is one, and proof that the master key opens it. Raises
        SecrecyError."""
        ring = self._read(place)
        if ring is not None:
            ring.check(self._keys.needed(place.where))
        return ring

    def _current(self, place: RingPlace) -> KeyRing | None:
        ring = self._ring
        is_old = abs(self._now() - self._read_at) > REREAD_SECONDS
        return self._read(place) if ring is None or is_old else ring

    def _read(self, place: RingPlace) -> KeyRing | None:
        content = place.read()
        return None if content is None else self._take(KeyRing.parsed(content, place.where))

    def _take(self, ring: KeyRing) -> KeyRing:
        with self._lock:
            self._ring, self._read_at = ring, self._now()
        return ring


def _missing_ring(place: RingPlace) -> SecrecyError:
    return SecrecyError(
        f"The key ring {place.where} is missing. Restore it from the same backup as what it opens."
    )

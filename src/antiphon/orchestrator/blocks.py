"""Blocks: users who are refused until a time, and lifting a block before that time."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

from antiphon.contracts.session_events import UserBlocked
from antiphon.storage import Block, Store, StoreError

if TYPE_CHECKING:
    from antiphon.orchestrator.orchestrator import Orchestrator

_Result = TypeVar("_Result")


class Blocks:
    """The blocks in force for every user of this process; the store keeps them durable."""

    def __init__(self, orchestrator: Orchestrator) -> None:
        self._orchestrator = orchestrator
        self._by_user: dict[str, Block] = {}
        self._writing = 0
        self._changes = 0

    async def load(self) -> None:
        """Reload the blocks, with those that other processes added or lifted."""
        changes = self._changes
        found = await self._orchestrator.store.blocks()
        # A change that the store took while it was read may be missing from what was read.
        if not self._writing and changes == self._changes:
            self._by_user = {block.user: block for block in found}
            self._put_in_force()

    def in_force(self) -> list[Block]:
        """Return the blocks that are in force, by user."""
        now = self._orchestrator.now()
        return sorted(
            (block for block in self._by_user.values() if block.until > now),
            key=lambda block: block.user,
        )

    def until(self, user: str) -> float | None:
        """Return until when a user is blocked, in epoch seconds; None if they are not."""
        block = self._by_user.get(user)
        return block.until if block and block.until > self._orchestrator.now() else None

    def block_notice(self, user: str) -> UserBlocked | None:
        """Return what a blocked user is told, on whatever channel; None if they are not blocked."""
        until = self.until(user)
        if until is None:
            return None
        seconds = max(1, round(until - self._orchestrator.now()))
        words = f"This conversation is paused. Try again in {_in_words(seconds)}."
        return UserBlocked(round(until * 1000), seconds, words)

    async def add(self, user: str, seconds: float, reason: str) -> float:
        """Block a user; a longer block that is in force stays. Durable before it returns."""
        now = self._orchestrator.now()
        until = now + seconds
        current = self._by_user.get(user)
        if current is not None and current.until > until:
            return current.until
        block = Block(user=user, until=until, reason=reason, created_at=now)
        # In force at once, so that of two blocks at a time the longer is the one that is kept.
        self._by_user = {u: b for u, b in self._by_user.items() if b.until > now}
        self._by_user[user] = block
        self._put_in_force()
        await self._written(self._orchestrator.store.block(block))
        return until

    async def lift(self, user: str, via: str) -> Block | None:
        """Lift a user's block, at once and durably, with an audit line that says by which way;
        return None if there was none."""
        orchestrator = self._orchestrator
        # Before anything is awaited: a block that is added meanwhile is another one, and stays.
        current = self._by_user.pop(user, None)
        self._put_in_force()
        try:
            return await self._written(
                lift_block(orchestrator.store, user, orchestrator.now(), via)
            )
        except StoreError:
            if current is not None:
                self._by_user.setdefault(user, current)
                self._put_in_force()
            raise

    async def _written(self, work: Coroutine[Any, Any, _Result]) -> _Result:
        self._writing += 1
        try:
            return await work
        finally:
            self._writing -= 1
            self._changes += 1

    def _put_in_force(self) -> None:
        for session in self._orchestrator.sessions.values():
            session.view.blocked_until = self.until(session.user) or 0.0


async def lift_block(store: Store, user: str, at: float, via: str) -> Block | None:
    """Delete a block from a store that may serve other processes, and append its audit line."""
    lifted = await store.unblock(user)
    if lifted is not None:
        store.append_audit(
            {
                "event": "block_lifted",
                "at": at,
                "user": user,
                "details": {"until": lifted.until, "reason": lifted.reason, "via": via},
            }
        )
    return lifted


def _in_words(seconds: int) -> str:
    if seconds < 90:
        return "a second" if seconds == 1 else f"{seconds} seconds"
    if seconds < 5400:
        return f"{round(seconds / 60)} minutes"
    return f"{round(seconds / 3600)} hours"

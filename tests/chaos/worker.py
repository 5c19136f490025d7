"""The process that is killed: conversations that call writing tools, again and again."""

from __future__ import annotations

import asyncio
import itertools
import logging
import os
import random
from typing import Any

from tests.chaos.world import TOOLS, Conversation, Journal, Past, Send, World, outcome

from antiphon import Orchestrator, Registry, ToolCall
from antiphon.orchestrator.session import Session
from antiphon.policy import Budget, Policy

LANES = 6
ASKED_AGAIN = 3  # of the answered calls of a resumed session


class Worker:
    """One life. What earlier ones did is in `past`."""

    def __init__(
        self, world: World, past: Past, orchestrator: Orchestrator, life: int, rng: random.Random
    ) -> None:
        self._past = past
        self._orchestrator = orchestrator
        self._life = life
        self._rng = rng
        self._journal = Journal(world.journal)
        self._numbers = itertools.count(1)

    def ready(self) -> None:
        self._journal.write(do="ready", life=self._life)

    def _new(self) -> str:
        return f"{self._life}.{next(self._numbers)}"

    # -- living on until the kill

    async def lane(self, number: int) -> None:
        """One conversation after the other: first the one that the last life left open."""
        open_ones = [
            conversation
            for conversation in self._past.conversations.values()
            if conversation.lane == number and not conversation.left
        ]
        for conversation in open_ones:
            session = await self._resumed(conversation)
            if session is None:
                self._journal.write(do="left", session=conversation.id)
                continue
            await self._resend(conversation, session)
            await self._ask_again(conversation, session, ASKED_AGAIN)
            await self._next_turn(conversation, session)
            await self._converse(conversation, session)
        while True:
            conversation = Conversation(f"s{self._new()}", number, self._rng.random() < 0.7)
            session = self._orchestrator.session("text", "ada", id=conversation.id)
            if conversation.saved:
                await self._orchestrator.save(session)
            self._journal.write(
                do="open", session=conversation.id, lane=number, saved=conversation.saved
            )
            await self._converse(conversation, session)

    async def _converse(self, conversation: Conversation, session: Session) -> None:
        rng = self._rng
        for _ in range(rng.choice((1, 3, 5, 40))):
            sends = self._plan(conversation)
            await asyncio.gather(*(self._say(session, send, delay) for send, delay in sends))
            await self._next_turn(conversation, session)
        if rng.random() < 0.5:
            self._journal.write(do="ending", session=conversation.id)
            await session.end()
        self._journal.write(do="left", session=conversation.id)

    async def _next_turn(self, conversation: Conversation, session: Session) -> None:
        """Not every turn is saved; the ledger has to do for the others."""
        session.end_turn()
        if conversation.saved and self._rng.random() < 0.5:
            await self._orchestrator.save(session)

    def _plan(self, conversation: Conversation) -> list[tuple[Send, float]]:
        """The calls of one turn, and when each is made: some while others still run."""
        rng = self._rng
        planned: list[tuple[Send, float]] = []
        for _ in range(rng.randint(1, 4)):
            tool = rng.choice(list(TOOLS))
            n = self._new()
            kinds = ["once", "resent", "keyed"]
            if conversation.saved:  # without its id a call is known by its turn, which must be kept
                kinds += ["twin", "nameless"]
            if tool in ("append_once", "book_seat"):
                kinds.append("conflict")
            kind = rng.choice(kinds)
            call = {
                "tool": tool,
                "n": n,
                "kind": kind,
                "id": None if kind in ("keyed", "nameless") else f"call_{n:>08}",
                "key": f"own-{n}" if kind == "keyed" else None,
            }
            planned.append((self._send(conversation, call), 0.0))
            if kind == "once":
                continue
            if kind == "twin":
                call = {**call, "id": f"again_{n:>08}"}
            if kind == "conflict":
                call = {**call, "n": f"{n}x"}
            planned.append((self._send(conversation, call), rng.choice((0, 0.001, 0.01, 0.05))))
        return planned

    def _send(self, conversation: Conversation, call: dict[str, Any]) -> Send:
        return {**call, "send": self._new(), "session": conversation.id}

    # -- what a reconnecting provider does

    async def _resumed(self, conversation: Conversation) -> Session | None:
        """The session as it was saved. One that was not begins anew under its old id, as when
        a client comes back whose session nobody kept."""
        if conversation.saved:
            session = await self._orchestrator.resume(conversation.id)
            if session is None and not conversation.ending:
                raise RuntimeError(f"{conversation.id} was saved and cannot be resumed")
            return session
        if conversation.ending:
            return None
        return self._orchestrator.session("text", "ada", id=conversation.id)

    async def _resend(self, conversation: Conversation, session: Session) -> None:
        lost = self._past.unanswered(conversation)
        await asyncio.gather(*(self._say(session, send, 0.0, known=True) for send in lost))

    async def _ask_again(
        self, conversation: Conversation, session: Session, count: int | None
    ) -> None:
        """Calls that were answered are made once more under their ids."""
        past = self._past
        # Each once: whoever makes the same call three times in a turn is told that it is a loop.
        calls = {
            past.sends[send]["n"]: past.sends[send]
            for send in conversation.sends
            if past.sends[send]["kind"] in ("once", "resent", "keyed")
            and send in past.answers
            and outcome(past.answers[send]) != "TRANSIENT"  # not stored: the call may be made anew
        }
        answered = list(calls.values())
        if count is not None:
            answered = self._rng.sample(answered, min(count, len(answered)))
        for send in answered:
            again = {**send, "send": self._new(), "again": send["send"]}
            await self._say(session, again, 0.0)

    async def _say(
        self, session: Session, send: Send, delay: float, *, known: bool = False
    ) -> None:
        if delay:
            await asyncio.sleep(delay)
        if known:
            self._journal.write(do="resend", send=send["send"])
        else:
            self._journal.write(**{**send, "do": "call"})
        call = ToolCall(send["id"], send["tool"], {"n": send["n"]}, send["key"])
        envelope = await session.dispatch(call)
        self._journal.write(do="answer", send=send["send"], envelope=envelope)

    # -- the last life

    async def settle(self) -> None:
        """Answer whatever is still open, and ask for every answer once more."""
        for conversation in list(self._past.conversations.values()):
            session = await self._resumed(conversation)
            if session is None:
                if self._past.unanswered(conversation):
                    raise RuntimeError(f"{conversation.id} ended with calls unanswered")
                continue
            await self._resend(conversation, session)
            await self._ask_again(conversation, session, None)


async def _live(world: World, past: Past, life: int, seed: str, *, last: bool) -> None:
    registry = Registry.load(world.registry)
    async with Orchestrator(
        registry,
        store=world.store,
        capabilities={"workspace": {"life": life}},
        policy=Policy(text=Budget()),  # what was lost is sent again in one turn, all of it
    ) as orchestrator:
        worker = Worker(world, past, orchestrator, life, random.Random(seed))
        worker.ready()
        if last:
            await worker.settle()
            return
        async with asyncio.TaskGroup() as lanes:
            for number in range(LANES):
                lanes.create_task(worker.lane(number))


def spawn(world: World, past: Past, life: int, seed: str, *, last: bool = False) -> int:
    """A new process that lives until it is killed, or, with `last`, until all is settled.

    Forked, so that a life begins at once with what the parent has read and imported. The parent
    must have no threads.
    """
    pid = os.fork()
    if pid:
        return pid
    status = 1
    try:
        logging.basicConfig(filename=world.log, format=f"life {life}: %(message)s")
        asyncio.run(_live(world, past, life, seed, last=last))
        status = 0
    except BaseException:
        logging.exception("the worker failed")
    finally:
        os._exit(status)

"""Call hooks: a program's own functions before and after a call, and at the end of a turn."""

from __future__ import annotations

import asyncio
import copy
import inspect
import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from antiphon.contracts import Envelope, ErrorType, ToolCall
from antiphon.orchestrator.context import SessionView
from antiphon.policy import Verdict, refuse

if TYPE_CHECKING:
    from antiphon.orchestrator.governed_call import GovernedCall
    from antiphon.orchestrator.session import Session

logger = logging.getLogger(__name__)

BeforeCall = Callable[[ToolCall, SessionView], Awaitable[str | None] | str | None]
AfterCall = Callable[[ToolCall, Envelope, SessionView], Awaitable[None] | None]
OnTurnEnd = Callable[[SessionView, int], Awaitable[None] | None]

TAKEN_BACK = "The call was taken back before it ran."
FAILED = "The program's own check of this call failed, so it was not run. The log says why."


class CallHooks:
    """The hooks of an orchestrator, each a plain or an async function.

    `before_call(call, session)` is asked about each call that every rule lets run, right before it
    does: a text refuses the call in these words, None lets it run. `after_call(call, envelope,
    session)` is told how a call that ran has ended, `on_turn_end(session, turn)` that a turn is
    over. They see copies. A hook that raises is logged: before a call it refuses, else it is
    ignored.
    """

    def __init__(
        self,
        before_call: BeforeCall | None = None,
        after_call: AfterCall | None = None,
        on_turn_end: OnTurnEnd | None = None,
    ) -> None:
        self.before_call = before_call
        self.after_call = after_call
        self.on_turn_end = on_turn_end
        self._told: set[asyncio.Task[Any]] = set()
        # Calls that the program is being asked about, by session and id; True: taken back since.
        self._asking: dict[tuple[str, str | None], bool] = {}

    async def object_to(
        self, session: Session, call: ToolCall, args: Any, seconds: float
    ) -> str | None:
        """Return the words by which the program refuses a call; None when it may run. A check that
        takes longer than so many seconds has failed."""
        mark = (session.id, call.id)
        self._asking[mark] = False
        try:
            async with asyncio.timeout(seconds):
                words = await self._ask(session, call, args)
        except Exception as error:
            logger.error("before_call failed for %s", call.name, exc_info=error)
            return FAILED
        finally:
            taken_back = self._asking.pop(mark, False)
        if taken_back:
            return TAKEN_BACK
        if words is None or isinstance(words, str):
            return words or None
        logger.error("before_call gave %r for %s; a text or None is needed", words, call.name)
        return FAILED

    async def _ask(self, session: Session, call: ToolCall, args: Any) -> Any:
        assert self.before_call is not None
        shown = ToolCall(call.id, call.name, copy.deepcopy(args), call.client_key)
        given = self.before_call(shown, SessionView(session))
        return await given if inspect.isawaitable(given) else given

    def take_back(self, session: Session, call_id: str) -> bool:
        """Note that the model takes back a call that the program is being asked about, so that it
        does not run; return False when there is no such call."""
        mark = (session.id, call_id)
        if mark not in self._asking:
            return False
        self._asking[mark] = True
        return True

    def call_ended(self, governed: GovernedCall, envelope: Envelope) -> None:
        """Tell the program how a call has ended."""
        if self.after_call is None or governed.starts_task:
            return
        call, session = governed.call, governed.session
        shown = ToolCall(call.id, call.name, copy.deepcopy(governed.case.args), call.client_key)
        self._tell(
            session,
            "after_call",
            self.after_call,
            shown,
            copy.deepcopy(envelope),
            SessionView(session),
        )

    def turn_ended(self, session: Session) -> None:
        """Tell the program that a turn is over."""
        if self.on_turn_end is not None:
            number = session.view.turn.number
            self._tell(session, "on_turn_end", self.on_turn_end, SessionView(session), number)

    def _tell(
        self, session: Session, name: str, hook: Callable[..., Awaitable[None] | None], *args: Any
    ) -> None:
        try:
            given = hook(*args)
        except Exception as error:
            logger.error("%s failed", name, exc_info=error)
            return
        if inspect.isawaitable(given):
            task = session.orchestrator.spawn(_awaited(given, name), name)
            self._told.add(task)
            task.add_done_callback(self._told.discard)

    async def settled(self) -> None:
        """Wait until the hooks that were told something have done with it."""
        while self._told:
            await asyncio.wait(tuple(self._told))


async def _awaited(work: Awaitable[None], name: str) -> None:
    try:
        await work
    except Exception as error:
        logger.error("%s failed", name, exc_info=error)


def objection(words: str) -> Verdict:
    """Return the verdict of a program's refusal."""
    return refuse("before_call", ErrorType.PERMANENT, words)

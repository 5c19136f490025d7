"""Conversation tests: a person who says things to an app, and turns to check."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from typing import TYPE_CHECKING, Any

from antiphon.testing.turn_checks import CheckedTurn, TurnRecord

if TYPE_CHECKING:
    from antiphon.facade import Antiphon
    from antiphon.orchestrator import Session
    from antiphon.providers import Provider
    from antiphon.registry import Registry


class ConversationDriver:
    """One person's conversation with an open app. `session` is that of the app's gates."""

    def __init__(self, app: Antiphon, session: Session) -> None:
        self.app = app
        self.session = session
        self.turns: list[CheckedTurn] = []

    async def says(self, text: str) -> CheckedTurn:
        """Say something to the app; return the turn that answers it.

        Raises AssertionError, with the whole turn, when the model gives no answer: its script has
        ended, or a provider has failed.
        """
        __tracebackhide__ = True
        return await self._turn(text)

    async def _turn(self, text: str | None) -> CheckedTurn:
        __tracebackhide__ = True
        record = TurnRecord(text)
        earlier = {
            call.id: call.args for turn in self.turns for call in turn.calls if call.id is not None
        }
        async with aclosing(self.app.stream(text, session=self.session)) as events:
            async for event in events:
                record.add(event, earlier)
        turn = CheckedTurn(record, self._confirm)
        self.turns.append(turn)
        if record.problems:
            raise AssertionError(f"The turn went wrong:\n{turn}")
        return turn

    async def _confirm(self, id: str, approve: bool) -> CheckedTurn:
        for request in self.session.orchestrator.confirmations.waiting(self.session):
            if request["id"] == id:
                await self.session.confirm(id, request["token"], approve)
                return await self._turn(None)
        raise AssertionError(f"The question is not open any more. This was the last turn:\n{self}")

    def __str__(self) -> str:
        return "\n".join(str(turn) for turn in self.turns)


@asynccontextmanager
async def conversation(
    app: Antiphon | Registry | Iterable[Any],
    model: str | Provider = "local",
    *,
    user: str | None = None,
    data: Mapping[str, Any] | None = None,
    **options: Any,
) -> AsyncIterator[ConversationDriver]:
    """A conversation with an app: an `Antiphon`, open or not, or the tools of one to be made, with
    `model` (an `AnswerScript` for a script) and further `options` of Antiphon. `user` and `data`
    are those of the session.

    Raises AssertionError at the end of a good body when the script has answers left.
    """
    from antiphon.facade import Antiphon
    from antiphon.testing.scripted_answers import AnswerScript

    async with AsyncExitStack() as stack:
        if not isinstance(app, Antiphon):
            app = Antiphon(app, model, **options)
        if not app.is_open:
            await stack.enter_async_context(app)
        session = await app.session(user=user, data=data)
        yield ConversationDriver(app, session)
        await session.end()
    if isinstance(model, AnswerScript):
        model.check()

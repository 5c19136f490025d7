"""Confirmation answers: a program's yes or no to calls that a person has to approve."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from antiphon.facade.results import ConfirmationQuestion

if TYPE_CHECKING:
    from antiphon.contracts import Envelope
    from antiphon.orchestrator import Session

logger = logging.getLogger(__name__)

OnConfirm = Callable[[ConfirmationQuestion], bool | Awaitable[bool]]


class ConfirmationAnswers:
    """Asks the program's callback about calls that wait. Without a callback nothing is asked, and
    they go on waiting."""

    def __init__(self, on_confirm: OnConfirm | None) -> None:
        self._on_confirm = on_confirm

    @property
    def asks(self) -> bool:
        """Whether there is a callback to ask."""
        return self._on_confirm is not None

    def questions(self, session: Session) -> tuple[ConfirmationQuestion, ...]:
        """Return the questions of a session that nobody has answered."""
        requests = session.orchestrator.confirmations.waiting(session)
        return tuple(ConfirmationQuestion.from_request(request) for request in requests)

    async def ask(self, session: Session) -> bool:
        """Ask about every call of the session that waits; return whether the model is to be told
        of an outcome."""
        if self._on_confirm is None or not session.view.active:
            return False
        for question in self.questions(session):
            await self.ask_about(session, question.id)
        return bool(session.late)

    async def ask_about(self, session: Session, id: str) -> Envelope | None:
        """Ask about one call and answer for it; None without a callback, or when the question is
        not open any more."""
        question = next((each for each in self.questions(session) if each.id == id), None)
        if self._on_confirm is None or question is None:
            return None
        return await answer(session, id, await self._approves(self._on_confirm, question))

    async def _approves(self, on_confirm: OnConfirm, question: ConfirmationQuestion) -> bool:
        """Return the program's answer. Only True is a yes; a callback that raises says no."""
        try:
            given = on_confirm(question)
            if inspect.isawaitable(given):
                given = await given
        except Exception as error:
            logger.error("on_confirm failed, so %s does not run", question.tool, exc_info=error)
            return False
        return given is True


async def answer(session: Session, id: str, approve: bool) -> Envelope | None:
    """Answer a question for its person and return the envelope of the call; None when the question
    is not open."""
    for request in session.orchestrator.confirmations.waiting(session):
        if request["id"] == id:
            return await session.confirm(id, request["token"], approve)
    return None

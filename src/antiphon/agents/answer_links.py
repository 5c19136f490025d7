"""Links in answers: those that the person or a trusted source named stay, others are closed.

A link to click and an image to load are ways outside: once the model has read text of others, an
address may carry what it knows to whoever wrote that text. Secrets are in no address, whatever was
read.
"""

from __future__ import annotations

from antiphon.agents.conversation import Conversation
from antiphon.orchestrator import Session
from antiphon.orchestrator.call_origins import sources_of
from antiphon.orchestrator.destinations import comparable
from antiphon.orchestrator.leaks import leaked
from antiphon.orchestrator.value_sources import ReadResult, ValueSources
from antiphon.text.links import LinkFilter

LINKS_CLOSED = "links_closed"  # the audit event


class AnswerLinks:
    """The links in what the model of one conversation answers, as it comes. Text passes as it is
    until text of others, or a secret, was read."""

    def __init__(self, session: Session, conversation: Conversation) -> None:
        self._session = session
        self._conversation = conversation
        self._filter: LinkFilter | None = None
        self._sources: tuple[ValueSources, list[ReadResult]] | None = None

    def feed(self, text: str) -> str:
        """Take a piece of an answer; return as much of it as may be shown by now."""
        if self._filter is None:
            if not self._is_exposed():
                return text
            self._filter = LinkFilter(self._allows)
        return self._filter.feed(text)

    def finish(self) -> str:
        """Return the rest of an answer that is over; the next one is another."""
        links, self._filter, self._sources = self._filter, None, None
        if links is None:
            return ""
        rest = links.finish()
        if links.removed:
            self._session.append_audit(LINKS_CLOSED, details={"count": links.removed})
        return rest

    def whole(self, text: str) -> str:
        """Return a text that is complete, or shown until a better one comes, as it may be shown."""
        if not self._is_exposed():
            return text
        links = LinkFilter(self._allows)
        return links.feed(text) + links.finish()

    def _is_exposed(self) -> bool:
        exposure = self._session.view.exposure
        return exposure.untrusted or exposure.marks.sensitivity == "secret"

    def _allows(self, address: str) -> bool:
        """Whether the person named an address, or a trusted source has it and no text of others;
        where only secrets were read, whether it has none of them."""
        if self._sources is None:
            turns = [entry.turn for entry in self._conversation.entries]
            self._sources = sources_of(self._session, turns)
        own, results = self._sources
        if own.said(address) is not None or own.said(comparable(address)) is not None:
            return True
        if not self._session.view.exposure.untrusted:
            return leaked(address, results) != "secret"
        return own.trusts(address)

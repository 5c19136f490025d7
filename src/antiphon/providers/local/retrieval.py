"""Retrieval: searches for a question, and the reply made from what they found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from antiphon.contracts.events import CallAnswer
from antiphon.providers.local import knowledge, small_talk
from antiphon.providers.local.answers import evidence, findings, leader, listed, particular, told
from antiphon.providers.local.catalogue import DeclaredTool
from antiphon.providers.local.dialogue_state import DialogueState, Past, found_in
from antiphon.providers.local.followup import resolved
from antiphon.providers.local.rendering import GUESS, worth_telling
from antiphon.providers.local.replies import LocalReply, Wits
from antiphon.providers.local.reports import report
from antiphon.providers.local.words import bare_question, is_question, without_courtesy


class Seeker:
    def __init__(self, wits: Wits) -> None:
        self._wits = wits

    def question(
        self, text: str, past: Past, state: DialogueState, otherwise: str = ""
    ) -> LocalReply:
        """`otherwise` is said when nothing is found."""
        wits, book = self._wits, self._wits.book()
        question = resolved(bare_question(text), past.state.entities, book)
        state.question, state.last = question, None
        state.notice([m.name for m in book.mentions(question)])
        calls = knowledge.lookups(wits.catalogue, question, book, wits.spoken)
        if not calls:
            return LocalReply([small_talk.beyond(wits.spoken)], state=state)
        state.doing = {"for": "question", "text": question}
        if otherwise:
            state.doing["else"] = otherwise
        return LocalReply(calls=calls, state=state)

    def search(
        self, tool: DeclaredTool, args: dict[str, Any], text: str, state: DialogueState
    ) -> LocalReply:
        wits = self._wits
        state.question = ""
        state.last = {"tool": tool.name, "args": dict(args)}
        if is_question(text):
            state.question = without_courtesy(text)
            state.doing = {"for": "question", "text": state.question}
        else:
            state.doing = {"for": "search", "text": args.get("query", text)}
        calls = knowledge.everywhere(tool, args, wits.book(), text, wits.spoken)
        return LocalReply(calls=calls, state=state)

    def found(
        self, answers: Sequence[CallAnswer], doing: Mapping[str, Any], state: DialogueState
    ) -> LocalReply:
        question, spoken = doing["text"], self._wits.spoken
        if not any(answer.envelope.get("ok") for answer in answers):
            first = answers[0]
            return LocalReply([report(first.name, first.envelope, spoken)], state=state)
        found = evidence(found_in(answers))
        if doing["for"] == "search":
            shown = worth_telling(found, spoken)
            if not shown or shown[0].score < GUESS:
                return LocalReply([knowledge.nothing(question, found, spoken)], state=state)
            state.notice([one.name for one in shown])
            state.cited = [one.id for one in shown]
            return LocalReply([listed(shown, spoken)], state=state)
        book = self._wits.book()
        told_by = particular(question, found, book) or leader(question, found, book)
        if told_by is not None:
            record, said = told_by
            state.notice([record.name, *(mention.name for mention in book.mentions(said))])
            state.cited = [record.id]
            return LocalReply([said if spoken else f"{said} ({record.id})"], state=state)
        best = findings(question, found, self._wits.memo.understanding.reader, book)
        if not best:
            said = doing.get("else") or knowledge.nothing(question, found, spoken)
            return LocalReply([said], state=state)
        state.cited = [best[0].evidence.id]
        spoken_of = [m.name for m in book.mentions(" ".join(best[0].sentences))]
        state.notice([best[0].evidence.name, *spoken_of])
        return LocalReply([told(best[0], question, spoken)], state=state)

"""The dialogue policy: a history in, a reply out, nothing kept between two replies.

What a tool is for, how people ask for it and what its parameters are comes from the tool's own
files; what a conversation is about comes from its history.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from antiphon.contracts.events import AnswersTurn, CallAnswer, HistoryTurn, UserTurn
from antiphon.providers.local import plain_answers, small_talk
from antiphon.providers.local.annotations import Heard, heard
from antiphon.providers.local.catalogue import DeclaredTool, DeclaredTools
from antiphon.providers.local.dialogue_state import DialogueState, Past, recall
from antiphon.providers.local.followup import about_same, what_about
from antiphon.providers.local.free_text_slot import head, quoted
from antiphon.providers.local.knowledge import is_search
from antiphon.providers.local.long_messages import LONGEST, LongMessage
from antiphon.providers.local.mode_switch import (
    Elsewhere,
    controls_voice,
    ends_session,
    offer,
    taken_over,
)
from antiphon.providers.local.names import NameBook
from antiphon.providers.local.nested_tools import calculates
from antiphon.providers.local.other_profiles import Others
from antiphon.providers.local.questions import doing
from antiphon.providers.local.rendering import rest
from antiphon.providers.local.replies import LocalReply, Wits
from antiphon.providers.local.reports import has_words, report
from antiphon.providers.local.request_forms import (
    agrees,
    destroys,
    forbids,
    speaks_of_destroying,
    takes_all,
)
from antiphon.providers.local.retrieval import Seeker
from antiphon.providers.local.router import ToolRouter, VectorMemo
from antiphon.providers.local.slot_filling import SlotScene
from antiphon.providers.local.slots import fill
from antiphon.providers.local.spelling import cleaned
from antiphon.providers.local.times import asked_time
from antiphon.providers.local.tool_dialogue import Actor
from antiphon.providers.local.triggers import likest, may_be_set, trigger_tool
from antiphon.providers.local.utterance_reader import Reading, UtteranceReader
from antiphon.providers.local.values import listed as choices_in
from antiphon.providers.local.words import (
    DEFINES,
    ORDERS,
    aloud,
    is_question,
    joined,
    order_verb,
    stems,
    tokens,
    without_courtesy,
)
from antiphon.text.sentences import line_sentences
from antiphon.understanding.router import Hearing

_SOURCE = re.compile(
    r"(?:and )?(?:(?:what(?:'s| is| was| are)?|which(?: is| are| was)?|name|tell me|give me) "
    r"(?:the |your |its |that )?(?:sources?|records?|ids?|citations?)"
    r"(?: is that| of that| for that)?|where (?:is|was) (?:that|it|this) from)[?.! ]*$",
    re.IGNORECASE,
)
_END_OF_SESSION = re.compile(
    r"(?:end|stop|close|quit|finish) (?:the |this |our )?(?:session|conversation|chat|call)[.! ]*$",
    re.IGNORECASE,
)
# Trigger phrases of macros are short; a longer utterance is not looked up.
_TRIGGER_WORDS = 8
_JOIN = re.compile(r"^(?:(?:and|then|also|plus|after that|oh|next)[\s,]+){0,3}", re.IGNORECASE)
_CLAUSE = re.compile(r"[,;:.!?]\s+|\s+(?:but|instead)\s+")
_NEGATION = re.compile(
    r"n['\u2019]?t\b|\b(?:not|no|never|without|hold off|skip|avoid|refrain|stop|alone|"
    r"nothing|none)\b",
    re.IGNORECASE,
)
_NOT_WANTED = re.compile(
    r"(?:please |just |oh |no )*(?:don't|do not|dont|not|never|no need|no|without|leave|forget|"
    r"stop|cancel|skip|never mind|nevermind|drop)\b",
    re.IGNORECASE,
)
# What is long and says how somebody feels may be a problem that a record solves.
_CHAT, _VAGUE = 7, frozenset({"feeling", "apology", "complaint", "acknowledgement", "wait"})
_BRIEF = 5
_TOLD = 0.85  # surer than this, a statement is taken for a request
_CORRECTING = re.compile(
    r"^(?:(?:no|nope|sorry|wait|actually|oops|hm+|not that|hang on|hold on|correction)[\s,:.]+)*"
    r"(?:i (?:meant|mean|said)|make (?:it|that)|change (?:it|that) to|rather|better)?\s*",
    re.IGNORECASE,
)

__all__ = ["DialoguePolicy", "LocalReply"]


class DialoguePolicy:
    """Blocks for as long as it thinks, a few hundredths of a second: call it from a worker."""

    def __init__(
        self,
        catalogue: DeclaredTools,
        router: ToolRouter,
        memo: VectorMemo,
        book: Callable[[], NameBook],
        clock: Callable[[], datetime],
        spoken: bool = False,
    ) -> None:
        self._wits = Wits(
            catalogue, UtteranceReader(catalogue, router, memo), memo, book, clock, spoken
        )
        self._seeker = Seeker(self._wits)
        self._actor = Actor(self._wits, self._seeker)
        self.elsewhere: Elsewhere | None = None
        self.others: Others | None = None

    def reply(self, history: Sequence[HistoryTurn]) -> LocalReply:
        """The turn of the model after this history."""
        reply = self._reply(history)
        if self._wits.spoken:
            reply.pieces = [text for piece in reply.pieces if (text := aloud(piece))]
        return reply

    def _reply(self, history: Sequence[HistoryTurn]) -> LocalReply:
        if not history:
            return LocalReply()
        last = history[-1]
        if isinstance(last, AnswersTurn):
            return self._after_calls(last.answers, self._recall(history))
        if isinstance(last, UserTurn):
            message, before = heard(last.text), history[:-1]
            if message.results_above and before and isinstance(before[-1], AnswersTurn):
                return self._after_calls(before[-1].answers, self._recall(before))
            return self._after_words(message, self._recall(before))
        return LocalReply(state=self._recall(history).state)

    def _recall(self, history: Sequence[HistoryTurn]) -> Past:
        return recall(history, self._wits.book)

    # -- what the person says

    def _after_words(self, message: Heard, past: Past) -> LocalReply:
        reply = LocalReply(state=past.state.next())
        for name, envelope in message.outcomes:
            tool = self._wits.catalogue.get(name)
            wrote = tool is not None and tool.writes
            told = self._wits.catalogue.told
            text = report(name, envelope, self._wits.spoken, wrote=wrote, told=told)
            if tool is not None and _is_of_something(tool, envelope, text):
                text = f"{tool.title[:1].upper()}{tool.title[1:]}: {text}"
            reply.pieces.append(text)
            if past.state.waiting == name:
                past.state.waiting = ""
        if message.greet and not message.text:
            reply.pieces.append(small_talk.answer("greeting"))
        if message.words:
            reply.pieces.append(message.words)
        if message.heard_until is not None:
            reply.pieces += rest(message.unheard or past.said, message.heard_until)
        if not message.text:
            # Nobody asked anything new: what was asked of the person still waits.
            reply.state.asking, reply.state.offer = past.state.asking, past.state.offer
            reply.state.waiting = past.state.waiting
            return reply
        if len(message.text) > LONGEST:
            answer = self._long_utterance(LongMessage(message.text), past)
        else:
            answer = self._utterance(message.text, past)
        answer.pieces[:0] = reply.pieces
        return answer

    def _long_utterance(self, message: LongMessage, past: Past) -> LocalReply:
        answer = self._utterance(message.beginning, past)
        answer.calls = [(name, self._fitting(name, message, args)) for name, args in answer.calls]
        answer.state.asking = message.completed(answer.state.asking)
        answer.state.offer = message.completed(answer.state.offer)
        tools = self._wits.catalogue.tools
        searched = answer.calls and all(is_search(tools[name]) for name, _ in answer.calls)
        if not message.carried or searched:
            answer.pieces.insert(0, message.said())
        return answer

    def _fitting(self, name: str, message: LongMessage, args: dict[str, Any]) -> dict[str, Any]:
        """The arguments with the texts that the message carries, as long as the tool takes them."""
        whole: dict[str, Any] = message.completed(args)
        tool = self._wits.catalogue.get(name)
        for parameter in tool.parameters if tool is not None else ():
            most = parameter.schema.get("maxLength")
            if most and isinstance(whole.get(parameter.name), str):
                whole[parameter.name] = whole[parameter.name][:most]
        return whole

    def _utterance(
        self, text: str, past: Past, *, triggers: bool = True, looked: bool = False
    ) -> LocalReply:
        state = past.state.next()
        scene = self._wits.scene(past)
        text = cleaned(text, scene.book.words, self._wits.catalogue.words, ORDERS)
        before = self._before(past)
        hearing = self._wits.reader.hear(text, before)
        if past.state.then and hearing.act in ("new", "cancel"):
            state.then = ""  # who asks for something else has dropped it
        answered = self._actor.answered(text, past, scene, state, hearing)
        if answered is not None:
            return answered
        if triggers and (triggered := self._triggered(text, past, state)) is not None:
            return triggered
        if (plain := self._plain(text, past, scene, state)) is not None:
            return plain
        if _END_OF_SESSION.match(without_courtesy(text)) and not self._can_end():
            return LocalReply([small_talk.parting(self._wits.spoken)], state=state)
        if past.state.cited and _SOURCE.match(without_courtesy(text)):
            state.cited = past.state.cited
            return LocalReply([f"From {joined(past.state.cited)}."], state=state)
        if agrees(text) and (request := taken_over(past.said)) is not None:
            return self._utterance(request, replace(past, said=""))
        continued = self._continued(text, past, scene, state, hearing)
        if continued is not None:
            return continued
        if (second := self._second(text, hearing, scene)) is not None:
            first, state.then = second
            reply = self._utterance(first, replace(past, state=replace(past.state, then="")))
            reply.state.then = state.then
            return reply if reply.calls or reply.state.asking else self._then(reply, past)
        return self._request(text, past, scene, state, before, triggers, looked)

    def _request(
        self,
        text: str,
        past: Past,
        scene: SlotScene,
        state: DialogueState,
        before: str,
        triggers: bool,
        looked: bool,
    ) -> LocalReply:
        """One request, question or remark by itself."""
        reading = self._wits.reader.read(text, scene, before)
        if self.elsewhere is not None and self.elsewhere.means(text, scene, reading):
            said, state.offer = offer(self._wits.catalogue, text)
            return LocalReply([said], state=state)
        # A question about somebody who is known is asked of the knowledge base, not of macros.
        asks = reading.aim == "question" and bool(scene.book.mentions(text))
        if triggers and not looked and may_be_set(reading) and not asks:
            look = self._look_for_triggers(text, state)
            if look is not None:
                return look
        negated = reading.act == "negated" and bool(_NEGATION.search(text))
        if negated or reading.act == "cancel" or forbids(text):
            instead = _instead(text)
            if reading.act == "cancel" and order_verb(without_courtesy(instead)) is None:
                instead = instead if is_question(instead) else ""
            if instead:
                return self._utterance(instead, past, triggers=False, looked=True)
            tool = self._wits.catalogue.get(reading.name)
            if reading.act != "cancel" or tool is None or not ends_session(tool):
                return LocalReply([small_talk.answer("dismissal")], state=state)
        if destroys(text) and not self._may_destroy(text, reading):
            return LocalReply([small_talk.not_deleted(self._destruction())], state=state)
        if reading.act == "injection" and reading.aim != "question":
            return LocalReply([small_talk.beyond(self._wits.spoken)], state=state)
        if reading.aim != "tool" and (time := asked_time(text, scene.now)):
            return LocalReply([time], state=state)
        if self.others is not None and (missing := self.others.means(text, scene, reading)):
            return LocalReply([self.others.refusal(missing, self._wits.spoken)], state=state)
        if reading.aim == "tool":
            tool = self._wits.catalogue.tools[reading.name]
            if self._destroying(tool.name) and not speaks_of_destroying(text):
                return LocalReply([small_talk.beyond(self._wits.spoken)], state=state)
            if self._is_told(tool, reading, text):
                unclear = small_talk.unclear(self._wits.spoken)
                return self._seeker.question(text, past, state, unclear)
            return self._actor.wanted(tool, reading, text, past, state)
        if (
            reading.aim == "talk"
            and reading.name == "goodbye"
            and (end := self._ending(text, scene))
        ):
            return self._actor.call(*end, state)
        if reading.aim == "talk":
            talked = self._talked(reading.name, state)
            if len(text.split()) > _CHAT and reading.name in _VAGUE:
                return self._seeker.question(text, past, state, talked.pieces[0])
            return talked
        if reading.aim == "question":
            return self._seeker.question(text, past, state)
        if reading.aim == "beyond" and order_verb(without_courtesy(text)) is None:
            unclear = small_talk.unclear(self._wits.spoken)
            return self._seeker.question(text, past, state, unclear)  # before giving up it searches
        if reading.aim == "beyond":
            return LocalReply([small_talk.beyond(self._wits.spoken)], state=state)
        return LocalReply([small_talk.unclear(self._wits.spoken)], state=state)

    def _is_told(self, tool: DeclaredTool, reading: Reading, text: str) -> bool:
        """A problem told as a statement, which gives the tool nothing to work on."""
        if is_question(text) or order_verb(without_courtesy(text)) is not None or reading.inner:
            return False
        filled = reading.filled
        if not filled.missing or filled.evidence:
            return False
        trigger, _, _ = trigger_tool(self._wits.catalogue)
        return reading.confidence < _TOLD or tool is trigger

    def _before(self, past: Past) -> str:
        """What the person was asked or told just before, as the router was taught to see it."""
        state = past.state
        if state.asking or state.offer:
            return line_sentences(past.said)[-1] if past.said else ""
        if state.waiting:
            return f"Shall I go on with {state.waiting.replace('_', ' ')}? Yes or no?"
        if state.last:
            return f"Done: {str(state.last['tool']).replace('_', ' ')}."
        return ""

    def _second(self, text: str, hearing: Hearing, scene: SlotScene) -> tuple[str, str] | None:
        """Two requests in one utterance, apart; None where it is one."""
        if hearing.second is None or hearing.act != "new" or DEFINES.match(without_courtesy(text)):
            return None
        first = text[: hearing.second].strip(" ,.;")
        second = _JOIN.sub("", text[hearing.second :]).strip(" ,")
        carried = head(text)
        if len(first.split()) < 2 or len(second.split()) < 2:
            return None
        if carried != text and hearing.second > len(carried):
            return None  # it belongs to a text that the request carries
        if any(a < hearing.second < b for (a, b), _ in quoted(text)):
            return None
        read = self._wits.reader.read
        begun = self._wits.catalogue.get(read(first, scene).name)
        if begun is not None and controls_voice(begun):
            return None  # what is wanted goes along with it
        for part in (first, second):
            # What only tells something beside the request is none of its own.
            aim = read(part, scene).aim
            if aim != "tool" and not (aim == "question" and is_question(part)):
                return None
        return first, second

    def _then(self, reply: LocalReply, past: Past) -> LocalReply:
        """The second request, once the first is done."""
        text, reply.state.then = reply.state.then, ""
        if not text:
            return reply
        following = self._utterance(text, replace(past, state=reply.state))
        following.pieces[:0] = reply.pieces
        following.state.cited = [*reply.state.cited, *following.state.cited]
        return following

    def _plain(
        self, text: str, past: Past, scene: SlotScene, state: DialogueState
    ) -> LocalReply | None:
        """What is answered without a search: about Antiphon, calculations, days, the same again."""
        spoken = self._wits.spoken
        if plain_answers.asks_about(text):
            return LocalReply(
                [plain_answers.about(self._wits.catalogue, scene.book, spoken)], state=state
            )
        if past.said and plain_answers.asks_again(text):
            state.cited = past.state.cited
            return LocalReply([past.said], state=state)
        if calculates(text, scene.catalogue):
            return self._actor.named(text, scene, state)
        said = plain_answers.text_size(text) or plain_answers.days_until(text, scene.now)
        return LocalReply([said], state=state) if said else None

    # -- what is refused

    def _may_destroy(self, text: str, reading: Reading) -> bool:
        """Whether a tool is meant that does away with what was named."""
        if reading.aim != "tool" or not self._destroying(reading.name):
            return False
        tool, filled = self._wits.catalogue.tools[reading.name], reading.filled
        if stems(tool.title.partition(" ")[2]) & stems(text):
            return True
        # Which of them there are may not be known yet.
        return not filled.missing or (filled.ask_first is not None and not takes_all(text))

    def _destroying(self, name: str) -> bool:
        phrases = self._wits.catalogue.tools[name].phrases
        return any(destroys(phrase.text) for phrase in phrases)

    def _destruction(self) -> str:
        """What can be done away with here, in words."""
        tools = self._wits.catalogue.tools
        return joined((doing(tools[name]) for name in tools if self._destroying(name)), "or")

    # -- going on with what was spoken of

    def _continued(
        self, text: str, past: Past, scene: SlotScene, state: DialogueState, hearing: Hearing
    ) -> LocalReply | None:
        """ "What about Oslo?", "no, I meant Thursday": the same once more, with something else."""
        last = past.state.last
        tool = self._wits.catalogue.get(last["tool"]) if last else None
        subject = what_about(text)
        changes = hearing.act in ("correct", "more") or subject is not None
        if tool is not None and last is not None and changes and not past.state.question:
            again = self._actor.changed(tool, last["args"], text, scene, state, hearing)
            if again is not None:
                return again
        if past.state.question and (subject is not None or hearing.act in ("correct", "more")):
            question = about_same(past.state.question, subject or _corrected(text), scene.book)
            return self._seeker.question(question, past, state)
        return None

    # -- macros

    def _triggered(self, text: str, past: Past, state: DialogueState) -> LocalReply | None:
        """A phrase that somebody has set a macro on, whatever it would mean otherwise."""
        tool, parameter, source = trigger_tool(self._wits.catalogue)
        if tool is None or parameter is None or source is None:
            return None
        chosen = likest(text, past.lists.get(source.name, ()), tool)
        return None if chosen is None else self._actor.call(tool, {parameter.name: chosen}, state)

    def _look_for_triggers(self, text: str, state: DialogueState) -> LocalReply | None:
        """Which phrases macros were set on: asked anew, as one may have been saved meanwhile."""
        _, _, source = trigger_tool(self._wits.catalogue)
        if source is None or len(tokens(text)) > _TRIGGER_WORDS:
            return None
        state.doing = {"for": "trigger", "text": text}
        return LocalReply(calls=[(source.name, {})], state=state)

    # -- what tools answered

    def _after_calls(self, answers: Sequence[CallAnswer], past: Past) -> LocalReply:
        doing = past.state.doing or {}
        state = past.state.next()
        match doing.get("for"):
            case "question" | "search":
                return self._then(self._seeker.found(answers, doing, state), past)
            case "list":
                return self._actor.listed(doing, past, answers, state)
            case "free":
                return self._actor.free(doing, past, answers, state)
            case "address":
                return self._actor.addressed(doing, past, answers, state)
            case "trigger":
                return self._utterance_after_list(doing["text"], past, answers)
        return self._then(self._actor.told(answers, state), past)

    def _utterance_after_list(
        self, text: str, past: Past, answers: Sequence[CallAnswer]
    ) -> LocalReply:
        for answer in answers:
            if answer.envelope.get("ok"):
                past.lists[answer.name] = choices_in(answer.envelope["data"])
        known = all(answer.envelope.get("ok") for answer in answers)
        waiting = past.state.then
        reply = self._utterance(text, past, triggers=known, looked=True)
        if waiting and not reply.state.then:
            reply.state.then = waiting
            return reply if reply.calls or reply.state.asking else self._then(reply, past)
        return reply

    # -- talk

    def _ending(self, text: str, scene: SlotScene) -> tuple[DeclaredTool, dict[str, Any]] | None:
        """The call that ends the conversation, where a goodbye can."""
        if len(tokens(text)) > _BRIEF:
            return None
        for tool in self._wits.catalogue.tools.values():
            if ends_session(tool):
                filled = fill(tool, text, scene, tool.phrases[0] if tool.phrases else None)
                return (tool, filled.args) if not filled.missing else None
        return None

    def _can_end(self) -> bool:
        """Whether there is a tool that ends the conversation."""
        return any(map(ends_session, self._wits.catalogue.tools.values()))

    def _talked(self, kind: str, state: DialogueState) -> LocalReply:
        spoken = self._wits.spoken
        match kind:
            case "identity":
                text = small_talk.identity(spoken)
            case "help":
                text = plain_answers.abilities(self._wits.catalogue, self._wits.book(), spoken)
            case "beyond":
                text = small_talk.beyond(spoken)
            case "goodbye" if spoken and not self._can_end():
                text = small_talk.parting(spoken)
            case _:
                text = small_talk.answer(kind)  # type: ignore[arg-type]
        return LocalReply([text], state=state)


def _instead(text: str) -> str:
    """What is wanted instead of what is not: "not the calendar, open the sessions page"."""
    parts = [part.strip() for part in _CLAUSE.split(text)]
    kept = [part for part in parts if part and not _NOT_WANTED.match(part)]
    if len(kept) == len([part for part in parts if part]):
        return ""
    return re.sub(r"^(?:just|only|but|instead|rather)\s+", "", ", ".join(kept), flags=re.I)


def _corrected(text: str) -> str:
    """What is meant instead: "no, I meant Oslo" is "Oslo"."""
    return _CORRECTING.sub("", text).strip(" .?!") or text


def _is_of_something(tool: DeclaredTool, envelope: Mapping[str, Any], text: str) -> bool:
    """Whether an outcome that comes later has to say what it is of: a failure, or the end of
    work in the background."""
    late = tool.background and not has_words(envelope.get("data") or {})
    return (late or not envelope.get("ok")) and tool.title not in text.lower()

"""The built-in model: a history in, a reply out. It keeps nothing between two replies.

What a tool is for, how people ask for it and what its parameters are comes from the tool's own
files; what a conversation is about comes from its history.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from antiphon.contracts.events import AnswersTurn, CallAnswer, HistoryTurn, UserTurn
from antiphon.providers.local import knowledge, talk
from antiphon.providers.local.answers import evidence, findings, listed, told
from antiphon.providers.local.catalogue import Catalogue, Parameter, Tool
from antiphon.providers.local.followup import about_same, resolved, what_about
from antiphon.providers.local.memory import Past, State, found_in, recall
from antiphon.providers.local.names import NameBook
from antiphon.providers.local.notes import Heard, heard
from antiphon.providers.local.questions import ask_for, offer_of
from antiphon.providers.local.reading import Reader, Reading
from antiphon.providers.local.reports import report
from antiphon.providers.local.requests import agrees, form_of
from antiphon.providers.local.router import Memo, Router
from antiphon.providers.local.slots import Scene, fill
from antiphon.providers.local.telling import (
    GUESS,
    ends,
    help_text,
    is_said_already,
    named_in,
    rest,
    worth_telling,
)
from antiphon.providers.local.triggers import likest, may_be_set, trigger_tool
from antiphon.providers.local.values import Choice
from antiphon.providers.local.values import listed as choices_in
from antiphon.providers.local.words import (
    aloud,
    is_question,
    joined,
    tokens,
    without_courtesy,
)

# What writes is called at once only when it is surely meant, and asked for in so many words.
SURE_WRITE = 0.75
LIKE_WRITE, LIKE_OFFER = 0.6, 0.4
# What only reads may be called when it is rather meant than not.
SURE_READ = 0.45
_SOURCE = re.compile(
    r"(?:and )?(?:(?:what(?:'s| is| was| are)?|which(?: is| are| was)?|name|tell me|give me) "
    r"(?:the |your |its |that )?(?:sources?|records?|ids?|citations?)"
    r"(?: is that| of that| for that)?|where (?:is|was) (?:that|it|this) from)[?.! ]*$",
    re.IGNORECASE,
)
# Trigger phrases of macros are short; a longer utterance is not looked up.
_TRIGGER_WORDS = 8
_MOST_TRIES = 2


@dataclass(slots=True)
class Reply:
    """What is said, in pieces, and what is called; `state` goes with the turn."""

    pieces: list[str] = field(default_factory=list)
    calls: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    state: State = field(default_factory=State)


class Mind:
    """Blocks for as long as it thinks, a few hundredths of a second: call it from a worker."""

    def __init__(
        self,
        catalogue: Catalogue,
        router: Router,
        memo: Memo,
        book: Callable[[], NameBook],
        clock: Callable[[], datetime],
        spoken: bool = False,
    ) -> None:
        self._catalogue = catalogue
        self._memo = memo
        self._book = book
        self._clock = clock
        self._spoken = spoken
        self._reader = Reader(catalogue, router)

    def reply(self, history: Sequence[HistoryTurn]) -> Reply:
        """The turn of the model after this history."""
        reply = self._reply(history)
        if self._spoken:
            reply.pieces = [text for piece in reply.pieces if (text := aloud(piece))]
        return reply

    def _reply(self, history: Sequence[HistoryTurn]) -> Reply:
        if not history:
            return Reply()
        last = history[-1]
        if isinstance(last, AnswersTurn):
            return self._after_calls(last.answers, recall(history))
        if isinstance(last, UserTurn):
            message, before = heard(last.text), history[:-1]
            if message.results_above and before and isinstance(before[-1], AnswersTurn):
                return self._after_calls(before[-1].answers, recall(before))
            return self._after_words(message, recall(before))
        return Reply(state=recall(history).state)

    # -- what the person says

    def _after_words(self, message: Heard, past: Past) -> Reply:
        reply = Reply(state=past.state.next())
        for tool, envelope in message.outcomes:
            reply.pieces.append(report(tool, envelope, self._spoken))
        if message.greet and not message.text:
            reply.pieces.append(talk.answer("greeting"))
        if message.words:
            reply.pieces.append(message.words)
        if message.heard_until is not None:
            reply.pieces += rest(past.said, message.heard_until)
        if not message.text:
            # Nobody asked anything new: what was asked of the person still waits.
            reply.state.asking, reply.state.offer = past.state.asking, past.state.offer
            return reply
        answer = self._utterance(message.text, past)
        answer.pieces[:0] = reply.pieces
        return answer

    def _utterance(self, text: str, past: Past, *, triggers: bool = True) -> Reply:
        state = past.state.next()
        scene = self._scene(past)
        answered = self._answer_to_us(text, past, scene, state)
        if answered is not None:
            return answered
        if triggers and (triggered := self._triggered(text, past, state)) is not None:
            return triggered
        if past.state.cited and _SOURCE.match(without_courtesy(text)):
            state.cited = past.state.cited
            return Reply([f"From {joined(past.state.cited)}."], state=state)
        continued = self._continued(text, past, scene, state)
        if continued is not None:
            return continued
        reading = self._reader.read(text, scene)
        if triggers and may_be_set(reading):
            look = self._look_for_triggers(text, past, state)
            if look is not None:
                return look
        if reading.aim == "tool":
            tool = self._catalogue.tools[reading.name]
            return self._wanted(tool, reading, text, past, state)
        if reading.aim == "talk":
            return self._talked(reading.name, state)
        if reading.aim == "question":
            return self._question(text, past, state)
        return Reply([talk.unclear(self._spoken)], state=state)

    def _scene(self, past: Past) -> Scene:
        return Scene(
            self._catalogue,
            self._book(),
            self._clock(),
            lists={name: found for name, found in past.lists.items() if found},
            results=past.results,
            entities=past.state.entities,
        )

    # -- answers to what we asked

    def _answer_to_us(self, text: str, past: Past, scene: Scene, state: State) -> Reply | None:
        offer, asking = past.state.offer, past.state.asking
        if offer is not None:
            verdict = agrees(text)
            tool = self._catalogue.get(offer["tool"])
            if verdict is False:
                return Reply([talk.answer("dismissal")], state=state)
            if verdict and tool is not None:
                return self._call(tool, offer["args"], state)
        if asking is not None:
            return self._filling(text, asking, scene, state)
        return None

    def _filling(
        self, text: str, asking: Mapping[str, Any], scene: Scene, state: State
    ) -> Reply | None:
        tool = self._catalogue.get(asking["tool"])
        parameter = tool.parameter(asking["slot"]) if tool is not None else None
        if tool is None or parameter is None:
            return None
        if agrees(text) is False:
            return Reply([talk.answer("dismissal")], state=state)
        reading = self._reader.read(text, scene)
        other = reading.aim == "tool" and reading.name != tool.name
        is_free = not self._has_form(parameter)
        changed = (other and reading.confidence > 0.8) or (reading.aim == "talk" and not is_free)
        filled = fill(tool, text, scene, only=parameter.name)
        if parameter.name in filled.args and not (changed and is_free):
            args = {**asking["args"], **filled.args}
            return self._proceed(tool, args, asking.get("text", text), scene, state)
        if changed or is_question(text):
            return None  # another subject
        tries = asking.get("tries", 1) + 1
        if tries > _MOST_TRIES:
            return None
        state.asking = {**asking, "tries": tries}
        return Reply([self._ask_for(parameter, scene)], state=state)

    def _has_form(self, parameter: Parameter) -> bool:
        from antiphon.providers.local.values import kind_of

        return kind_of(parameter, self._catalogue) not in ("text", "name", "person", "record")

    def _proceed(
        self, tool: Tool, args: dict[str, Any], text: str, scene: Scene, state: State
    ) -> Reply:
        """Ask for the next thing that is missing, or call."""
        filled = fill(tool, text, scene)
        missing = [p for p in filled.missing if p.name not in args]
        if missing:
            return self._asking(tool, args, missing[0], text, scene, state)
        return self._call(tool, args, state)

    def _asking(
        self,
        tool: Tool,
        args: dict[str, Any],
        parameter: Parameter,
        text: str,
        scene: Scene,
        state: State,
    ) -> Reply:
        state.asking = {"tool": tool.name, "args": args, "slot": parameter.name, "text": text}
        return Reply([self._ask_for(parameter, scene)], state=state)

    def _ask_for(self, parameter: Parameter, scene: Scene) -> str:
        source = self._catalogue.source(parameter)
        offered: Sequence[Choice] = scene.lists.get(source.name, ()) if source is not None else ()
        return ask_for(parameter, self._catalogue, offered)

    # -- tools

    def _wanted(self, tool: Tool, reading: Reading, text: str, past: Past, state: State) -> Reply:
        filled = reading.filled
        book = self._book()
        state.notice([m.name for m in book.mentions(text)])
        if tool.writes:
            form = form_of(text, tool)
            fits = form == "order" or (form == "wish" and tool.category != "action")
            # A thing that another tool lists was named: that is as good as the right phrase.
            named = any(self._catalogue.source(parameter) for _, parameter in filled.spans)
            least = LIKE_OFFER if named else LIKE_WRITE
            unsure = reading.confidence < SURE_WRITE or reading.likeness < least
            if not fits or unsure:
                if form == "other":
                    return self._not_an_order(text, past, state)
                if reading.likeness < LIKE_OFFER:
                    return Reply([talk.unclear(self._spoken)], state=state)
                if not filled.missing:
                    state.offer = {"tool": tool.name, "args": filled.args}
                    return Reply([offer_of(tool, filled.args)], state=state)
                # Who answers the question for what is missing means it.
        if filled.ask_first is not None:
            state.doing = {
                "for": "list",
                "tool": tool.name,
                "text": text,
                "args": filled.args,
            }
            return Reply(calls=[(filled.ask_first.name, {})], state=state)
        if filled.missing:
            return self._asking(
                tool, filled.args, filled.missing[0], text, self._scene(past), state
            )
        if knowledge.is_search(tool):
            return self._search(tool, filled.args, text, state)
        return self._call(tool, filled.args, state)

    def _not_an_order(self, text: str, past: Past, state: State) -> Reply:
        """It speaks of something that would write, but does not ask for it."""
        if is_question(text):
            return self._question(text, past, state)
        return Reply([talk.unclear(self._spoken)], state=state)

    def _call(self, tool: Tool, args: dict[str, Any], state: State) -> Reply:
        state.asking = state.offer = None
        state.question = ""  # "what about …" is about this call from now on
        state.doing = {"for": "tool", "tool": tool.name}
        kept = {k: v for k, v in args.items() if not isinstance(v, list | dict)}
        state.last = {"tool": tool.name, "args": kept}
        return Reply(calls=[(tool.name, args)], state=state)

    # -- going on with what was spoken of

    def _continued(self, text: str, past: Past, scene: Scene, state: State) -> Reply | None:
        """ "What about Oslo?": the same once more, with something else in it."""
        subject = what_about(text)
        if subject is None:
            return None
        last = past.state.last
        tool = self._catalogue.get(last["tool"]) if last else None
        if tool is not None and last is not None and not tool.writes and not past.state.question:
            filled = fill(tool, subject, scene)
            said = {k: v for k, v in filled.args.items() if filled.evidence or k in last["args"]}
            if said:
                return self._call(tool, {**last["args"], **said}, state)
        if past.state.question:
            question = about_same(past.state.question, subject, scene.book)
            return self._question(question, past, state)
        return None

    # -- questions and searches

    def _question(self, text: str, past: Past, state: State) -> Reply:
        book = self._book()
        question = resolved(without_courtesy(text), past.state.entities, book)
        state.question, state.last = question, None
        state.notice([m.name for m in book.mentions(question)])
        calls = knowledge.lookups(self._catalogue, question, book, self._spoken)
        if not calls:
            return Reply([talk.beyond(self._spoken)], state=state)
        state.doing = {"for": "question", "text": question}
        return Reply(calls=calls, state=state)

    def _search(self, tool: Tool, args: dict[str, Any], text: str, state: State) -> Reply:
        state.question = ""
        state.last = {"tool": tool.name, "args": dict(args)}
        if is_question(text):
            state.question = without_courtesy(text)
            state.doing = {"for": "question", "text": state.question}
        else:
            state.doing = {"for": "search", "text": args.get("query", text)}
        calls = knowledge.everywhere(tool, args, self._book(), text, self._spoken)
        return Reply(calls=calls, state=state)

    # -- macros

    def _triggered(self, text: str, past: Past, state: State) -> Reply | None:
        """A phrase that somebody has set a macro on, whatever it would mean otherwise."""
        tool, parameter, source = trigger_tool(self._catalogue)
        if tool is None or parameter is None or source is None:
            return None
        chosen = likest(text, past.lists.get(source.name, ()))
        return None if chosen is None else self._call(tool, {parameter.name: chosen}, state)

    def _look_for_triggers(self, text: str, past: Past, state: State) -> Reply | None:
        """Once in a conversation: which phrases macros were set on."""
        _, _, source = trigger_tool(self._catalogue)
        if source is None or source.name in past.lists or len(tokens(text)) > _TRIGGER_WORDS:
            return None
        state.doing = {"for": "trigger", "text": text}
        return Reply(calls=[(source.name, {})], state=state)

    # -- what tools answered

    def _after_calls(self, answers: Sequence[CallAnswer], past: Past) -> Reply:
        doing = past.state.doing or {}
        state = past.state.next()
        match doing.get("for"):
            case "question" | "search":
                return self._found(answers, doing, state)
            case "list":
                return self._listed(doing, past, answers, state)
            case "trigger":
                return self._utterance_after_list(doing["text"], past, answers)
        return self._told(answers, state)

    def _told(self, answers: Sequence[CallAnswer], state: State) -> Reply:
        results = found_in(answers)
        state.notice([named_in(result) for result in results[:3]])
        state.cited = [result["id"] for result in results[:3]]
        reply = Reply(state=state)
        for answer in answers:
            tool = self._catalogue.get(answer.name)
            wrote = tool is not None and tool.writes
            text = report(answer.name, answer.envelope, self._spoken, wrote=wrote)
            if results and answer.envelope.get("ok") and not answer.envelope["data"].get("answer"):
                text = listed(worth_telling(evidence(results), self._spoken), self._spoken)
            elif results and not self._spoken and answer.envelope.get("ok"):
                text = f"{text} ({joined(state.cited)})"
            if not is_said_already(answer):
                reply.pieces.append(talk.answer("goodbye") if ends(answer) else text)
        return reply

    def _found(
        self, answers: Sequence[CallAnswer], doing: Mapping[str, Any], state: State
    ) -> Reply:
        question = doing["text"]
        if not any(answer.envelope.get("ok") for answer in answers):
            first = answers[0]
            return Reply([report(first.name, first.envelope, self._spoken)], state=state)
        found = evidence(found_in(answers))
        if doing["for"] == "search":
            shown = worth_telling(found, self._spoken)
            if not shown or shown[0].score < GUESS:
                return Reply([knowledge.nothing(question, found, self._spoken)], state=state)
            state.notice([one.name for one in shown])
            state.cited = [one.id for one in shown]
            return Reply([listed(shown, self._spoken)], state=state)
        book = self._book()
        best = findings(question, found, self._memo, book)
        if not best:
            return Reply([knowledge.nothing(question, found, self._spoken)], state=state)
        chosen = best[:1]
        if len(best) > 1 and best[1].strength > 0.94 * best[0].strength and not self._spoken:
            chosen = best[:2]
        state.cited = [one.evidence.id for one in chosen]
        said = " ".join(s for one in chosen for s in one.sentences)
        spoken_of = [m.name for m in book.mentions(said)]
        state.notice([*(one.evidence.name for one in chosen), *spoken_of])
        return Reply([told(one, self._spoken) for one in chosen], state=state)

    def _listed(
        self,
        doing: Mapping[str, Any],
        past: Past,
        answers: Sequence[CallAnswer],
        state: State,
    ) -> Reply:
        """The values of a parameter are known now: the utterance is read once more with them."""
        tool = self._catalogue.get(doing["tool"])
        if tool is None or not any(answer.envelope.get("ok") for answer in answers):
            return self._told(answers, state)
        scene = self._scene(past)
        filled = fill(tool, doing["text"], scene)
        args = {**filled.args, **doing["args"]}
        missing = [p for p in filled.missing if p.name not in args]
        for parameter in list(missing):
            source = self._catalogue.source(parameter)
            offered = scene.lists.get(source.name, ()) if source is not None else ()
            if len(offered) == 1 and "array" not in parameter.types:
                args[parameter.name] = offered[0].value
                missing.remove(parameter)
        if missing:
            return self._asking(tool, args, missing[0], doing["text"], scene, state)
        return self._call(tool, args, state)

    def _utterance_after_list(self, text: str, past: Past, answers: Sequence[CallAnswer]) -> Reply:
        for answer in answers:
            if answer.envelope.get("ok"):
                past.lists[answer.name] = choices_in(answer.envelope["data"])
        known = all(answer.envelope.get("ok") for answer in answers)
        return self._utterance(text, past, triggers=known)

    # -- talk

    def _talked(self, kind: str, state: State) -> Reply:
        match kind:
            case "identity":
                text = talk.identity(self._spoken)
            case "help":
                text = help_text(list(self._catalogue.tools.values()), self._spoken)
            case "beyond":
                text = talk.beyond(self._spoken)
            case _:
                text = talk.answer(kind)  # type: ignore[arg-type]
        return Reply([text], state=state)

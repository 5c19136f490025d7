"""The tool dialogue: when a tool is called, what is asked before, and what is told after."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from antiphon.contracts import ErrorType
from antiphon.contracts.events import CallAnswer
from antiphon.providers.local import (
    addresses,
    compound_requests,
    knowledge,
    nested_tools,
    people,
    small_talk,
    time_slots,
)
from antiphon.providers.local.answers import evidence, listed
from antiphon.providers.local.catalogue import DeclaredTool, DeclaredTools, Parameter
from antiphon.providers.local.dialogue_state import DialogueState, Past, found_in
from antiphon.providers.local.free_text_slot import OWN_WORDS
from antiphon.providers.local.questions import ask_for, offer_of, over
from antiphon.providers.local.rendering import ends, is_said_already, named_in, worth_telling
from antiphon.providers.local.replies import LocalReply, Wits
from antiphon.providers.local.reports import approval, report
from antiphon.providers.local.request_forms import agrees, form_of, is_reported
from antiphon.providers.local.retrieval import Seeker
from antiphon.providers.local.slot_filling import SlotScene
from antiphon.providers.local.slots import fill
from antiphon.providers.local.utterance_reader import Reading
from antiphon.providers.local.values import ChoiceValue, Kind, kind_of
from antiphon.providers.local.words import is_question, joined
from antiphon.understanding.router import Hearing

# What writes is called at once only when it is surely meant, and asked for in so many words.
SURE_WRITE, SURE_CONFIRMED = 0.6, 0.45
_MOST_TRIES = 2
_BRIEF = 3  # words; so few are rather an answer than a request


_ADDS = re.compile(r"\b(?:too|also|as well|add|plus|in addition|besides)\b", re.IGNORECASE)
_SAME_DAY = re.compile(r"\b(?:there|that day|then|same day)\b", re.IGNORECASE)


class Actor:
    def __init__(self, wits: Wits, seeker: Seeker) -> None:
        self._wits = wits
        self._seeker = seeker

    # -- what was asked for

    def wanted(
        self, tool: DeclaredTool, reading: Reading, text: str, past: Past, state: DialogueState
    ) -> LocalReply:
        filled, wits = reading.filled, self._wits
        if reading.inner:
            through = nested_tools.carrier(wits.catalogue)
            assert through is not None
            args: dict[str, Any] = {through.name.name: reading.inner}
            return self._go_on(through.tool, args, (), text, wits.scene(past), state)
        state.notice([m.name for m in wits.book().mentions(text)])
        if past.state.last and _SAME_DAY.search(text):
            kinds, known = kinds_of(tool, wits.catalogue), past.state.last["args"]
            same = time_slots.on_the_day(tool, kinds, filled.args, known, text, wits.clock())
            filled = replace(filled, args=same)
        if tool.writes and (doubt := self._doubt(tool, reading, text, past, state)) is not None:
            return doubt
        if filled.ask_first is not None:
            state.doing = {"for": "list", "tool": tool.name, "text": text, "args": filled.args}
            return LocalReply(calls=[(filled.ask_first.name, {})], state=state)
        if not filled.missing and knowledge.is_search(tool):
            return self._seeker.search(tool, filled.args, text, state)
        return self._go_on(tool, filled.args, filled.missing, text, wits.scene(past), state)

    def named(self, text: str, scene: SlotScene, state: DialogueState) -> LocalReply | None:
        """A calculation or a conversion by itself."""
        name = nested_tools.calculates(text, scene.catalogue)
        through = nested_tools.carrier(scene.catalogue) if name else None
        if through is None:
            return None
        return self._go_on(through.tool, {through.name.name: name}, (), text, scene, state)

    def changed(
        self,
        tool: DeclaredTool,
        args: Mapping[str, Any],
        text: str,
        scene: SlotScene,
        state: DialogueState,
        hearing: Hearing,
    ) -> LocalReply | None:
        """The last call once more with what is said to be different; None where that is nothing."""
        through = nested_tools.carrier(scene.catalogue)
        inside = None
        if through is not None and through.tool is tool:
            inside = scene.catalogue.inner.get(str(args.get(through.name.name)))
        if inside is not None and through is not None:
            params = dict(args.get(through.params.name) or {})
            new = nested_tools.changes(inside, text, scene)
            if not new:
                return None
            return self.call(tool, {**args, through.params.name: {**params, **new}}, state)
        said = fill(tool, text, scene)
        new = {k: v for k, v in said.args.items() if not _is_empty(v) and args.get(k) != v}
        new = time_slots.moved(tool, kinds_of(tool, scene.catalogue), args, new, text, scene.now)
        for name, value in list(new.items()):
            if isinstance(value, list) and isinstance(args.get(name), list) and _ADDS.search(text):
                new[name] = [*args[name], *(one for one in value if one not in args[name])]
        if not new or (hearing.act == "new" and not said.evidence):
            return None
        whole = {**args, **new}
        if tool.writes and not tool.confirms and hearing.acts["correct"] < SURE_WRITE:
            # "And what about Oslo?" orders nothing: nobody else would ask before it is done.
            state.offer = {"tool": tool.name, "args": whole}
            return LocalReply([offer_of(tool, whole)], state=state)
        return self._go_on(tool, whole, _missing(tool, whole), text, scene, state)

    def _inside(
        self,
        tool: DeclaredTool,
        args: dict[str, Any],
        text: str,
        scene: SlotScene,
        state: DialogueState,
    ) -> LocalReply | None:
        """What the tool inside another one still needs is found in the request, or asked for."""
        through = nested_tools.carrier(scene.catalogue)
        if through is None or through.tool is not tool:
            return None
        inside = scene.catalogue.inner.get(str(args.get(through.name.name)))
        if inside is None:
            return None
        params = args.get(through.params.name) or nested_tools.arguments(inside, text, scene)
        args = {**args, **({through.params.name: params} if params else {})}
        for parameter in _missing(inside, params):
            state.asking = {"tool": tool.name, "args": args, "slot": through.params.name}
            state.asking |= {"text": text, "inside": parameter.name}
            return LocalReply([ask_for(parameter, scene.catalogue)], state=state)
        return self.call(tool, args, state)

    def _doubt(
        self, tool: DeclaredTool, reading: Reading, text: str, past: Past, state: DialogueState
    ) -> LocalReply | None:
        """What is said instead of doing what writes, when it was not clearly asked for."""
        filled = reading.filled
        form = form_of(text, tool, reading.phrase)
        # What people approve is asked once more in any case.
        sure = SURE_CONFIRMED if tool.confirms else SURE_WRITE
        wish = form == "wish" and (tool.confirms or tool.category != "action")
        told = tool.confirms and not is_question(text) and not is_reported(text)
        if (form == "order" or wish or told) and reading.confidence >= sure:
            return None
        if form == "other":
            return self.not_an_order(text, past, state)
        if filled.missing:
            return None  # who answers the question for what is missing means it
        state.offer = {"tool": tool.name, "args": filled.args}
        return LocalReply([offer_of(tool, filled.args)], state=state)

    def not_an_order(self, text: str, past: Past, state: DialogueState) -> LocalReply:
        """It speaks of something that would write, but does not ask for it."""
        unclear = "" if is_question(text) else small_talk.unclear(self._wits.spoken)
        return self._seeker.question(text, past, state, unclear)

    # -- on the way to a call

    def _go_on(
        self,
        tool: DeclaredTool,
        args: dict[str, Any],
        missing: Sequence[Parameter],
        text: str,
        scene: SlotScene,
        state: DialogueState,
    ) -> LocalReply:
        """Find or ask for the next thing that is missing, or call."""
        kinds = kinds_of(tool, scene.catalogue)
        if time_slots.is_over(tool, kinds, args, scene.now):
            return self._over(tool, kinds, args, text, scene, state)
        if (look := self._look_first(tool, kinds, args, text, scene, state)) is not None:
            return look
        # What something is called can be told from what it does.
        for parameter in sorted(missing, key=lambda p: kinds[p.name] != "steps"):
            if kinds[parameter.name] == "steps":
                return self._stepped(tool, args, parameter, text, scene, state)
            if kinds[parameter.name] == "email":
                calls = addresses.lookups(scene, text)
                if calls:
                    doing = {"for": "address", "tool": tool.name, "args": args, "text": text}
                    state.doing = {**doing, "slot": parameter.name}
                    return LocalReply(calls=calls, state=state)
            return self.asking(tool, args, parameter, text, scene, state)
        return self._inside(tool, args, text, scene, state) or self.call(tool, args, state)

    def _look_first(
        self,
        tool: DeclaredTool,
        kinds: Mapping[str, Any],
        args: dict[str, Any],
        text: str,
        scene: SlotScene,
        state: DialogueState,
    ) -> LocalReply | None:
        """A day was named and no hour: what is free then is looked up before it is asked for."""
        ends = time_slots.ends_of(tool, kinds)
        if ends is None or not tool.writes or ends[0].name in args:
            return None
        free = _looks_at_times(scene.catalogue) if time_slots.day_alone(text, scene.now) else None
        if free is None:
            return None
        state.doing = {"for": "free", "tool": tool.name, "args": args, "text": text}
        state.doing["slot"] = ends[0].name
        return LocalReply(calls=[(free.name, fill(free, text, scene).args)], state=state)

    def free(
        self,
        doing: Mapping[str, Any],
        past: Past,
        answers: Sequence[CallAnswer],
        state: DialogueState,
    ) -> LocalReply:
        """What is free is known: now the hour is asked for."""
        tool = self._wits.catalogue.get(doing["tool"])
        parameter = tool.parameter(doing["slot"]) if tool is not None else None
        if tool is None or parameter is None:
            return self.told(answers, state)
        reply = self.told([answer for answer in answers if answer.envelope.get("ok")], state)
        scene, args = self._wits.scene(past), dict(doing["args"])
        asked = self.asking(tool, args, parameter, doing["text"], scene, state)
        return LocalReply([*reply.pieces, *asked.pieces], state=state)

    def _over(
        self,
        tool: DeclaredTool,
        kinds: Mapping[str, Any],
        args: dict[str, Any],
        text: str,
        scene: SlotScene,
        state: DialogueState,
    ) -> LocalReply:
        """It would be in the past: another time is asked for."""
        found = time_slots.ends_of(tool, kinds)
        assert found is not None
        start, end = found
        said = over(str(args[start.name]), scene.now)
        kept = {k: v for k, v in args.items() if k not in (start.name, end.name)}
        state.asking = {"tool": tool.name, "args": kept, "slot": start.name, "text": text}
        state.asking["fresh"] = True  # what was said of the time before does not count
        return LocalReply([said], state=state)

    def _stepped(
        self,
        tool: DeclaredTool,
        args: dict[str, Any],
        parameter: Parameter,
        text: str,
        scene: SlotScene,
        state: DialogueState,
    ) -> LocalReply:
        taken = [value for value in args.values() if isinstance(value, str)]
        found = compound_requests.steps_in(
            text, taken, lambda clause: self._wits.reader.read(clause, scene)
        )
        if not found.steps or found.unclear:
            state.asking = {"tool": tool.name, "args": args, "slot": parameter.name, "text": text}
            return LocalReply([compound_requests.question(found)], state=state)
        args = {**args, parameter.name: found.steps}
        for other in tool.required:  # a routine is called by the phrase that starts it
            if other.name not in args and kind_of(other, scene.catalogue) in ("name", "text"):
                if not taken:
                    return self.asking(tool, args, other, text, scene, state)
                args[other.name] = taken[0]
        return self.call(tool, args, state)

    def asking(
        self,
        tool: DeclaredTool,
        args: dict[str, Any],
        parameter: Parameter,
        text: str,
        scene: SlotScene,
        state: DialogueState,
    ) -> LocalReply:
        state.asking = {"tool": tool.name, "args": args, "slot": parameter.name, "text": text}
        return LocalReply([self._ask_for(parameter, scene)], state=state)

    def _ask_for(self, parameter: Parameter, scene: SlotScene) -> str:
        source = scene.catalogue.source(parameter)
        offered: Sequence[ChoiceValue] = (
            scene.lists.get(source.name, ()) if source is not None else ()
        )
        return ask_for(parameter, scene.catalogue, offered)

    def call(self, tool: DeclaredTool, args: dict[str, Any], state: DialogueState) -> LocalReply:
        state.asking = state.offer = None
        state.question = ""  # "what about …" is about this call from now on
        state.doing = {"for": "tool", "tool": tool.name}
        state.last = {"tool": tool.name, "args": dict(args)}
        return LocalReply(calls=[(tool.name, args)], state=state)

    # -- answers to what we asked

    def answered(
        self, text: str, past: Past, scene: SlotScene, state: DialogueState, hearing: Hearing
    ) -> LocalReply | None:
        """The answer to a question of ours; None when the person speaks of something else."""
        offer, asking = past.state.offer, past.state.asking
        verdict = agrees(text)
        if hearing.act in ("correct", "more", "answer", "new") and len(text.split()) > 2:
            verdict = None  # "no, I meant Thursday"
        if offer is not None and verdict is not None:
            tool = scene.catalogue.get(offer["tool"])
            if verdict is False:
                return LocalReply([small_talk.answer("dismissal")], state=state)
            if tool is not None:
                return self.call(tool, offer["args"], state)
        waiting = scene.catalogue.get(past.state.waiting)
        if waiting is not None and verdict is not None:
            # An answer that counts never comes here: it is the session that takes it.
            state.waiting, state.approval = past.state.waiting, past.state.approval
            spoken = self._wits.spoken
            early = spoken and waiting.risk == "low"
            said = (
                small_talk.not_yet(state.approval)
                if early
                else small_talk.on_screen(verdict, spoken)
            )
            return LocalReply([said], state=state)
        if asking is not None:
            return self._filling(text, asking, scene, state, hearing)
        return None

    def _filling(
        self,
        text: str,
        asking: Mapping[str, Any],
        scene: SlotScene,
        state: DialogueState,
        hearing: Hearing,
    ) -> LocalReply | None:
        tool = scene.catalogue.get(asking["tool"])
        parameter = tool.parameter(asking["slot"]) if tool is not None else None
        if tool is None or parameter is None:
            return None
        request, args = asking.get("text", text), dict(asking["args"])
        nobody = kind_of(parameter, scene.catalogue) == "email" and (
            hearing.act == "none" or people.nobody(text)
        )
        if nobody and "array" in parameter.types and not parameter.schema.get("minItems"):
            args[parameter.name] = []
            return self._go_on(tool, args, _missing(tool, args), request, scene, state)
        is_no = agrees(text) is False and hearing.act not in ("correct", "answer", "new")
        if (hearing.act == "cancel" or is_no) and len(text.split()) > 5:
            return None  # "forget that; am I free on Wednesday?"
        if hearing.act == "cancel" or is_no:
            return LocalReply([small_talk.answer("dismissal")], state=state)
        named = kind_of(parameter, scene.catalogue) in ("choice", "reference") and (
            parameter.name in fill(tool, text, scene, only=parameter.name, known=args).args
        )
        if hearing.act == "new" and not named and self._is_another(tool, parameter, text, scene):
            return None
        if hearing.act == "correct" and "inside" not in asking:
            said = fill(tool, text, scene, known=args)
            new = {k: v for k, v in said.args.items() if k in args and not _is_empty(v)}
            new = time_slots.moved(
                tool, kinds_of(tool, scene.catalogue), args, new, text, scene.now
            )
            if new:
                args |= new
                return self._go_on(tool, args, _missing(tool, args), request, scene, state)
        if "inside" in asking:
            return self._filling_inside(tool, asking, text, scene, state)
        if kind_of(parameter, scene.catalogue) == "steps":
            return self._stepped(tool, args, parameter, f": {text}", scene, state)
        if (timed := self._timed_instead(tool, parameter, text, asking, scene)) is not None:
            args |= timed
            return self._go_on(tool, args, _missing(tool, args), request, scene, state)
        is_free = not self._has_form(parameter)
        changed = hearing.act == "new" and not OWN_WORDS.search(parameter.description)
        before = time_slots.length_in(request) if asking.get("fresh") else request
        filled = fill(tool, text, scene, only=parameter.name, known=args, before=before)
        if parameter.name in filled.args and not (changed and is_free):
            args |= filled.args
            args |= self._said_besides(tool, parameter, text, args, scene)
            return self._go_on(tool, args, _missing(tool, args), request, scene, state)
        lookups = addresses.lookups(scene, text) if not changed else []
        if lookups and kind_of(parameter, scene.catalogue) == "email":
            doing = {"for": "address", "tool": tool.name, "args": args, "text": text}
            state.doing = {**doing, "slot": parameter.name, "request": request}
            return LocalReply(calls=lookups, state=state)
        if changed or is_question(text):
            return None  # another subject
        tries = asking.get("tries", 1) + 1
        if tries > _MOST_TRIES:
            return None
        state.asking = {**asking, "tries": tries}
        return LocalReply([self._ask_for(parameter, scene)], state=state)

    def _said_besides(
        self,
        tool: DeclaredTool,
        parameter: Parameter,
        text: str,
        args: Mapping[str, Any],
        scene: SlotScene,
    ) -> dict[str, Any]:
        """What an answer gives beyond what was asked for: "the process coach: when are …"."""
        wanted = {p.name for p in _missing(tool, args)} - {parameter.name}
        read = {span.parameter for span in scene.spans(tool, text, "")}
        if not wanted & read:
            return {}
        filled = fill(tool, text, scene).args
        return {name: value for name, value in filled.items() if name in wanted & read}

    def _is_another(
        self, tool: DeclaredTool, parameter: Parameter, text: str, scene: SlotScene
    ) -> bool:
        """Whether it is a request of its own, or a question, rather than an answer."""
        if OWN_WORDS.search(parameter.description):
            return False  # whatever is said is what they say
        reading = self._wits.reader.read(text, scene)
        if len(text.split()) <= _BRIEF and not is_question(text) and reading.confidence < 0.9:
            return False
        if reading.aim == "tool" and reading.name == tool.name and not reading.inner:
            return len([p for p in tool.required if p.name in reading.filled.args]) > 1
        return reading.aim in ("tool", "question", "talk") and len(text.split()) > 1

    def _filling_inside(
        self,
        tool: DeclaredTool,
        asking: Mapping[str, Any],
        text: str,
        scene: SlotScene,
        state: DialogueState,
    ) -> LocalReply | None:
        through, args = nested_tools.carrier(scene.catalogue), dict(asking["args"])
        if through is None:
            return None
        inside = scene.catalogue.inner[args[through.name.name]]
        value = nested_tools.answer_to(inside, asking["inside"], text, scene)
        if value is None:
            return None  # another subject
        args[through.params.name] = {**args.get(through.params.name, {}), asking["inside"]: value}
        return self._go_on(tool, args, (), asking["text"], scene, state)

    def _timed_instead(
        self,
        tool: DeclaredTool,
        parameter: Parameter,
        text: str,
        asking: Mapping[str, Any],
        scene: SlotScene,
    ) -> dict[str, Any] | None:
        """Asked for what it is called, and answered with when it is."""
        kinds = {p.name: kind_of(p, scene.catalogue) for p in tool.parameters}
        ends = time_slots.ends_of(tool, kinds)
        before, known = asking.get("text", ""), asking["args"]
        wanted = [end for end in ends or () if end.name not in known]
        if not wanted or self._has_form(parameter) or not time_slots.is_only_time(text, scene.now):
            return None
        only = wanted[0].name
        return fill(tool, text, scene, only=only, known=known, before=before).args or None

    def _has_form(self, parameter: Parameter) -> bool:
        kind = kind_of(parameter, self._wits.catalogue)
        return kind not in ("text", "name", "title", "person", "record")

    # -- what tools answered

    def told(self, answers: Sequence[CallAnswer], state: DialogueState) -> LocalReply:
        spoken = self._wits.spoken
        results = found_in(answers)
        state.notice([named_in(result) for result in results[:3]])
        state.cited = [result["id"] for result in results[:3]]
        reply = LocalReply(state=state)
        for answer in answers:
            tool = self._wits.catalogue.get(answer.name)
            wrote = tool is not None and tool.writes
            risk = tool.risk if tool is not None else "high"
            text = report(
                answer.name,
                answer.envelope,
                spoken,
                wrote=wrote,
                risk=risk,
                told=self._wits.catalogue.told,
            )
            if results and answer.envelope.get("ok") and not answer.envelope["data"].get("answer"):
                text = listed(worth_telling(evidence(results), spoken), spoken)
            elif results and not spoken and answer.envelope.get("ok"):
                text = f"{text} ({joined(state.cited)})"
            error = answer.envelope.get("error") or {}
            if error.get("type") == ErrorType.CONFIRMATION_REQUIRED:
                state.waiting, state.approval = answer.name, approval(answer.name, error)
            if not is_said_already(answer):
                reply.pieces.append(small_talk.answer("goodbye") if ends(answer) else text)
        return reply

    def listed(
        self,
        doing: Mapping[str, Any],
        past: Past,
        answers: Sequence[CallAnswer],
        state: DialogueState,
    ) -> LocalReply:
        """The values of a parameter are known now: the utterance is read once more with them."""
        tool = self._wits.catalogue.get(doing["tool"])
        if tool is None or not any(answer.envelope.get("ok") for answer in answers):
            return self.told(answers, state)
        scene = self._wits.scene(past)
        filled = fill(tool, doing["text"], scene)
        args = {**doing["args"], **filled.args}
        missing = [p for p in filled.missing if p.name not in args]
        for parameter in list(missing):
            source = scene.catalogue.source(parameter)
            offered = scene.lists.get(source.name, ()) if source is not None else ()
            if len(offered) == 1 and "array" not in parameter.types:
                args[parameter.name] = offered[0].value
                missing.remove(parameter)
        return self._go_on(tool, args, missing, doing["text"], scene, state)

    def addressed(
        self,
        doing: Mapping[str, Any],
        past: Past,
        answers: Sequence[CallAnswer],
        state: DialogueState,
    ) -> LocalReply:
        """The records of people who were named are there: their addresses are taken from them."""
        catalogue = self._wits.catalogue
        tool = catalogue.get(doing["tool"])
        parameter = tool.parameter(doing["slot"]) if tool is not None else None
        if tool is None or parameter is None:
            return self.told(answers, state)
        scene, request = self._wits.scene(past), doing.get("request", doing["text"])
        found, without = addresses.in_records(scene, doing["text"], answers)
        args = dict(doing["args"])
        if without:
            state.asking = {"tool": tool.name, "args": args, "slot": parameter.name}
            state.asking["text"] = request
            return LocalReply([addresses.question(without)], state=state)
        args[parameter.name] = found if "array" in parameter.types else found[0]
        return self._go_on(tool, args, _missing(tool, args), request, scene, state)


def _looks_at_times(catalogue: DeclaredTools) -> DeclaredTool | None:
    """The tool that tells what there is from when until when."""
    for tool in catalogue.tools.values():
        ends = time_slots.ends_of(tool, {p.name: kind_of(p, catalogue) for p in tool.parameters})
        if ends is not None and tool.reads and tool.required == ends:
            return tool
    return None


def _is_empty(value: Any) -> bool:
    return value is None or value == "" or value == [] or value == {}


def kinds_of(tool: DeclaredTool, catalogue: DeclaredTools) -> dict[str, Kind]:
    return {parameter.name: kind_of(parameter, catalogue) for parameter in tool.parameters}


def _missing(tool: DeclaredTool, args: Mapping[str, Any]) -> list[Parameter]:
    return [parameter for parameter in tool.required if parameter.name not in args]

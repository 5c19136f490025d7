"""Tools: when one is called, what is asked before, and what is told after."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from antiphon.contracts import ErrorType
from antiphon.contracts.events import CallAnswer
from antiphon.providers.local import addresses, knowledge, steps, talk, timing
from antiphon.providers.local.answers import evidence, listed
from antiphon.providers.local.catalogue import Parameter, Tool
from antiphon.providers.local.memory import Past, State, found_in
from antiphon.providers.local.questions import ask_for, offer_of, over
from antiphon.providers.local.reading import Reading
from antiphon.providers.local.remainder import OWN_WORDS
from antiphon.providers.local.replies import Reply, Wits
from antiphon.providers.local.reports import report
from antiphon.providers.local.requests import agrees, form_of
from antiphon.providers.local.seeking import Seeker
from antiphon.providers.local.sheet import Scene
from antiphon.providers.local.slots import fill
from antiphon.providers.local.telling import ends, is_said_already, named_in, worth_telling
from antiphon.providers.local.values import Choice, kind_of
from antiphon.providers.local.words import is_question, joined

# What writes is called at once only when it is surely meant, and asked for in so many words.
SURE_WRITE, SURE_CONFIRMED = 0.75, 0.6
LIKE_WRITE, LIKE_OFFER = 0.6, 0.4
ALONE, LIKE_ALONE = 0.9, 0.5
_MOST_TRIES = 2


class Actor:
    def __init__(self, wits: Wits, seeker: Seeker) -> None:
        self._wits = wits
        self._seeker = seeker

    # -- what was asked for

    def wanted(self, tool: Tool, reading: Reading, text: str, past: Past, state: State) -> Reply:
        filled, wits = reading.filled, self._wits
        state.notice([m.name for m in wits.book().mentions(text)])
        if tool.writes and (doubt := self._doubt(tool, reading, text, past, state)) is not None:
            return doubt
        if filled.ask_first is not None:
            state.doing = {"for": "list", "tool": tool.name, "text": text, "args": filled.args}
            return Reply(calls=[(filled.ask_first.name, {})], state=state)
        if not filled.missing and knowledge.is_search(tool):
            return self._seeker.search(tool, filled.args, text, state)
        return self._go_on(tool, filled.args, filled.missing, text, wits.scene(past), state)

    def _doubt(
        self, tool: Tool, reading: Reading, text: str, past: Past, state: State
    ) -> Reply | None:
        """What is said instead of doing what writes, when it was not clearly asked for."""
        filled, catalogue = reading.filled, self._wits.catalogue
        form = form_of(text, tool, reading.phrase)
        # A wish is enough where the person is asked once more in any case.
        fits = form == "order" or (form == "wish" and (tool.confirms or tool.category != "action"))
        # What it is to be done with was named, which is as good as the right phrase; a choice of
        # one word ("light", "system") may be said by chance.
        named = any(
            catalogue.source(parameter) or (parameter.choices and " " in text[a:b].strip())
            for (a, b), parameter in filled.spans
        )
        # So is a value that only this tool takes, when nothing else comes near.
        alone = filled.evidence and not filled.missing and reading.confidence >= ALONE
        least = LIKE_OFFER if named or tool.confirms else LIKE_ALONE if alone else LIKE_WRITE
        sure = SURE_CONFIRMED if tool.confirms else SURE_WRITE
        if fits and reading.confidence >= sure and reading.likeness >= least:
            return None
        if form == "other":
            return self.not_an_order(text, past, state)
        if reading.likeness < LIKE_OFFER:
            return Reply([talk.unclear(self._wits.spoken)], state=state)
        if filled.missing:
            return None  # who answers the question for what is missing means it
        state.offer = {"tool": tool.name, "args": filled.args}
        return Reply([offer_of(tool, filled.args)], state=state)

    def not_an_order(self, text: str, past: Past, state: State) -> Reply:
        """It speaks of something that would write, but does not ask for it."""
        if is_question(text):
            return self._seeker.question(text, past, state)
        return Reply([talk.unclear(self._wits.spoken)], state=state)

    # -- on the way to a call

    def _go_on(
        self,
        tool: Tool,
        args: dict[str, Any],
        missing: Sequence[Parameter],
        text: str,
        scene: Scene,
        state: State,
    ) -> Reply:
        """Find or ask for the next thing that is missing, or call."""
        kinds = {p.name: kind_of(p, scene.catalogue) for p in tool.parameters}
        if timing.is_over(tool, kinds, args, scene.now):
            return self._over(tool, kinds, args, text, scene, state)
        # What something is called can be told from what it does.
        for parameter in sorted(missing, key=lambda p: kinds[p.name] != "steps"):
            if kinds[parameter.name] == "steps":
                return self._stepped(tool, args, parameter, text, scene, state)
            if kinds[parameter.name] == "email":
                calls = addresses.lookups(scene, text)
                if calls:
                    doing = {"for": "address", "tool": tool.name, "args": args, "text": text}
                    state.doing = {**doing, "slot": parameter.name}
                    return Reply(calls=calls, state=state)
            return self.asking(tool, args, parameter, text, scene, state)
        return self.call(tool, args, state)

    def _over(
        self,
        tool: Tool,
        kinds: Mapping[str, Any],
        args: dict[str, Any],
        text: str,
        scene: Scene,
        state: State,
    ) -> Reply:
        """It would be in the past: another time is asked for."""
        found = timing.ends_of(tool, kinds)
        assert found is not None
        start, end = found
        said = over(str(args[start.name]), scene.now)
        kept = {k: v for k, v in args.items() if k not in (start.name, end.name)}
        state.asking = {"tool": tool.name, "args": kept, "slot": start.name, "text": text}
        state.asking["fresh"] = True  # what was said of the time before does not count
        return Reply([said], state=state)

    def _stepped(
        self,
        tool: Tool,
        args: dict[str, Any],
        parameter: Parameter,
        text: str,
        scene: Scene,
        state: State,
    ) -> Reply:
        taken = [value for value in args.values() if isinstance(value, str)]
        found = steps.steps_in(text, taken, lambda clause: self._wits.reader.read(clause, scene))
        if not found.steps or found.unclear:
            state.asking = {"tool": tool.name, "args": args, "slot": parameter.name, "text": text}
            return Reply([steps.question(found)], state=state)
        args = {**args, parameter.name: found.steps}
        for other in tool.required:  # a routine is called by the phrase that starts it
            if other.name not in args and kind_of(other, scene.catalogue) in ("name", "text"):
                if not taken:
                    return self.asking(tool, args, other, text, scene, state)
                args[other.name] = taken[0]
        return self.call(tool, args, state)

    def asking(
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
        source = scene.catalogue.source(parameter)
        offered: Sequence[Choice] = scene.lists.get(source.name, ()) if source is not None else ()
        return ask_for(parameter, scene.catalogue, offered)

    def call(self, tool: Tool, args: dict[str, Any], state: State) -> Reply:
        state.asking = state.offer = None
        state.question = ""  # "what about …" is about this call from now on
        state.doing = {"for": "tool", "tool": tool.name}
        kept = {k: v for k, v in args.items() if not isinstance(v, list | dict)}
        state.last = {"tool": tool.name, "args": kept}
        return Reply(calls=[(tool.name, args)], state=state)

    # -- answers to what we asked

    def answered(self, text: str, past: Past, scene: Scene, state: State) -> Reply | None:
        """The answer to a question of ours; None when the person speaks of something else."""
        offer, asking = past.state.offer, past.state.asking
        verdict = agrees(text)
        if offer is not None and verdict is not None:
            tool = scene.catalogue.get(offer["tool"])
            if verdict is False:
                return Reply([talk.answer("dismissal")], state=state)
            if tool is not None:
                return self.call(tool, offer["args"], state)
        waiting = scene.catalogue.get(past.state.waiting)
        if waiting is not None and verdict is not None and waiting.risk != "low":
            state.waiting = past.state.waiting
            return Reply([talk.on_screen(verdict, self._wits.spoken)], state=state)
        if asking is not None:
            return self._filling(text, asking, scene, state)
        return None

    def _filling(
        self, text: str, asking: Mapping[str, Any], scene: Scene, state: State
    ) -> Reply | None:
        tool = scene.catalogue.get(asking["tool"])
        parameter = tool.parameter(asking["slot"]) if tool is not None else None
        if tool is None or parameter is None:
            return None
        if agrees(text) is False:
            return Reply([talk.answer("dismissal")], state=state)
        request, args = asking.get("text", text), dict(asking["args"])
        if kind_of(parameter, scene.catalogue) == "steps":
            return self._stepped(tool, args, parameter, f": {text}", scene, state)
        reading = self._wits.reader.read(text, scene)
        other = reading.aim == "tool" and reading.name != tool.name
        is_free = not self._has_form(parameter)
        changed = (other and reading.confidence > 0.8) or (reading.aim == "talk" and not is_free)
        if OWN_WORDS.search(parameter.description):
            changed = False  # whatever is said is what they say
        before = timing.length_in(request) if asking.get("fresh") else request
        filled = fill(tool, text, scene, only=parameter.name, known=args, before=before)
        if parameter.name in filled.args and not (changed and is_free):
            args |= filled.args
            return self._go_on(tool, args, _missing(tool, args), request, scene, state)
        people = addresses.lookups(scene, text) if not changed else []
        if people and kind_of(parameter, scene.catalogue) == "email":
            doing = {"for": "address", "tool": tool.name, "args": args, "text": text}
            state.doing = {**doing, "slot": parameter.name, "request": request}
            return Reply(calls=people, state=state)
        if changed or is_question(text):
            return None  # another subject
        tries = asking.get("tries", 1) + 1
        if tries > _MOST_TRIES:
            return None
        state.asking = {**asking, "tries": tries}
        return Reply([self._ask_for(parameter, scene)], state=state)

    def _has_form(self, parameter: Parameter) -> bool:
        kind = kind_of(parameter, self._wits.catalogue)
        return kind not in ("text", "name", "title", "person", "record")

    # -- what tools answered

    def told(self, answers: Sequence[CallAnswer], state: State) -> Reply:
        spoken = self._wits.spoken
        results = found_in(answers)
        state.notice([named_in(result) for result in results[:3]])
        state.cited = [result["id"] for result in results[:3]]
        reply = Reply(state=state)
        for answer in answers:
            tool = self._wits.catalogue.get(answer.name)
            wrote = tool is not None and tool.writes
            risk = tool.risk if tool is not None else "high"
            text = report(answer.name, answer.envelope, spoken, wrote=wrote, risk=risk)
            if results and answer.envelope.get("ok") and not answer.envelope["data"].get("answer"):
                text = listed(worth_telling(evidence(results), spoken), spoken)
            elif results and not spoken and answer.envelope.get("ok"):
                text = f"{text} ({joined(state.cited)})"
            error = answer.envelope.get("error") or {}
            if error.get("type") == ErrorType.CONFIRMATION_REQUIRED:
                state.waiting = answer.name
            if not is_said_already(answer):
                reply.pieces.append(talk.answer("goodbye") if ends(answer) else text)
        return reply

    def listed(
        self,
        doing: Mapping[str, Any],
        past: Past,
        answers: Sequence[CallAnswer],
        state: State,
    ) -> Reply:
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
        state: State,
    ) -> Reply:
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
            return Reply([addresses.question(without)], state=state)
        args[parameter.name] = found if "array" in parameter.types else found[0]
        return self._go_on(tool, args, _missing(tool, args), request, scene, state)


def _missing(tool: Tool, args: Mapping[str, Any]) -> list[Parameter]:
    return [parameter for parameter in tool.required if parameter.name not in args]

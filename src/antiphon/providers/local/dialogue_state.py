"""Dialogue state, read from the history alone, so that any connection can take it up.

Each turn of the built-in model carries its state as the provider's own form of the turn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from antiphon.contracts.events import AnswersTurn, CallAnswer, HistoryTurn, ModelTurn, UserTurn
from antiphon.providers.local.long_messages import LONGEST
from antiphon.providers.local.names import Name, NameBook
from antiphon.providers.local.values import ChoiceValue, listed

API = "local"
_KEPT = 8
_TURNS = 12  # of a transcript; nobody means by "he" whoever was named before that


@dataclass(slots=True)
class DialogueState:
    """What the next utterance may lean on."""

    entities: list[Name] = field(default_factory=list)  # spoken of, the latest first
    question: str = ""  # the last one that the knowledge base was asked
    asking: dict[str, Any] | None = None  # a parameter that was asked for: tool, args, slot
    offer: dict[str, Any] | None = None  # a call that waits for a yes: tool, args
    doing: dict[str, Any] | None = None  # why the calls of this turn are made
    last: dict[str, Any] | None = None  # the last call that was made for the person: tool, args
    cited: list[str] = field(default_factory=list)
    waiting: str = ""  # a tool that waits for the person's approval
    approval: str = ""  # the question that was asked for it
    then: str = ""  # a second request, which waits for the first to be done

    def next(self) -> DialogueState:
        """For the turn after this one: what was asked or offered is answered by then."""
        return DialogueState(list(self.entities), self.question, last=self.last, then=self.then)

    def notice(self, names: Sequence[Name]) -> None:
        """These were spoken of just now."""
        fresh = list(dict.fromkeys(names))
        self.entities = [*fresh, *(e for e in self.entities if e not in fresh)][:_KEPT]

    def to_native(self) -> dict[str, Any]:
        body: dict[str, Any] = {
            "entities": [[e.id, e.title, e.type, e.database] for e in self.entities]
        }
        for name in (
            "question",
            "asking",
            "offer",
            "doing",
            "last",
            "cited",
            "waiting",
            "approval",
            "then",
        ):
            if value := getattr(self, name):
                body[name] = value
        return body


@dataclass(slots=True)
class Past:
    """What the history holds for this turn."""

    state: DialogueState
    lists: dict[str, list[ChoiceValue]]  # what tools listed, by tool
    results: list[dict[str, Any]]  # what was found last, best first
    said: str = ""  # the last words of the model
    made: dict[str, Mapping[str, Any]] = field(default_factory=dict)  # by tool: its last answer


def recall(history: Sequence[HistoryTurn], book: Callable[[], NameBook]) -> Past:
    """`book` is looked into when no turn carries its state: another model's, or the transcript of
    a conversation that was taken up again. Then whoever was named in it was spoken of."""
    state: DialogueState | None = None
    lists: dict[str, list[ChoiceValue]] = {}
    results: list[dict[str, Any]] = []
    said = ""
    made: dict[str, Mapping[str, Any]] = {}
    changed: set[str] = set()  # lists that are no longer what they were
    for turn in reversed(history):
        match turn:
            case ModelTurn(text, native=native, api=api):
                said = said or text
                if state is None and api == API and isinstance(native, Mapping):
                    state = _state(native)
            case AnswersTurn(answers):
                results = results or found_in(answers)
                for answer in answers:
                    if answer.envelope.get("ok"):
                        made.setdefault(answer.name, answer.envelope["data"])
                        changed |= _changes(answer.name)
                        if answer.name not in changed:
                            lists.setdefault(answer.name, listed(answer.envelope["data"]))
    if state is None:
        state = DialogueState(entities=[_name(result) for result in results[:_KEPT]])
        for turn in history[-_TURNS:]:
            if isinstance(turn, UserTurn | ModelTurn):
                state.notice([mention.name for mention in book().mentions(turn.text[:LONGEST])])
    return Past(state, lists, results, said, made)


def _changes(tool: str) -> set[str]:
    """The list that a tool makes old: `create_macro` and `delete_macro` that of `list_macros`."""
    verb, _, noun = tool.partition("_")
    return {f"list_{noun}s"} if verb in ("create", "delete", "update", "rename") else set()


def found_in(answers: Sequence[CallAnswer]) -> list[dict[str, Any]]:
    """The results of searches, of all of them together, best first."""
    found: list[dict[str, Any]] = []
    for answer in answers:
        if not answer.envelope.get("ok"):
            continue
        data = answer.envelope["data"]
        for key in ("results", "nodes", "records"):
            for each in data.get(key) or () if isinstance(data, Mapping) else ():
                if isinstance(each, Mapping) and isinstance(each.get("id"), str):
                    found.append(dict(each))
    unique = {(each["id"], each.get("namespace")): each for each in reversed(found)}
    return sorted(unique.values(), key=lambda each: (-_score(each), each["id"]))


def _score(result: Mapping[str, Any]) -> float:
    score = result.get("score")
    return float(score) if isinstance(score, int | float) else 0.0


def _state(native: Mapping[str, Any]) -> DialogueState:
    return DialogueState(
        entities=[Name(*entity) for entity in native.get("entities", ())],
        question=native.get("question", ""),
        asking=native.get("asking"),
        offer=native.get("offer"),
        doing=native.get("doing"),
        last=native.get("last"),
        cited=list(native.get("cited", ())),
        waiting=native.get("waiting", ""),
        approval=native.get("approval", ""),
        then=native.get("then", ""),
    )


def _name(result: Mapping[str, Any]) -> Name:
    return Name(result["id"], str(result.get("title") or result["id"]), str(result.get("type", "")))

"""Cases to decide on, made of facts: each fact has a few values, and any may go with any."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cache
from itertools import product
from types import SimpleNamespace
from typing import Any, get_args

from tests.policy.helpers import NOW, PARAMETERS

from antiphon.contracts import ToolCall, ToolDefinition
from antiphon.contracts.availability import Availability
from antiphon.contracts.definition import RateLimit
from antiphon.contracts.limits import LimitReached
from antiphon.contracts.provenance import Marks, ReadSource
from antiphon.contracts.rights import Rights, ToolRule
from antiphon.policy import BUILT_IN, Case, EarlierCall, Nesting, Policy, PolicyView
from antiphon.policy.view import CallOrigins, FoundBy, RecordState
from antiphon.registry.validation import Validator

TOOL = "kb_search"
_DEEP: Any = []
for _ in range(70):
    _DEEP = [_DEEP]
_BODIES: dict[str, tuple[Any, bytes | None]] = {
    "valid": ({"query": "ada"}, b'{"query":"ada"}'),
    "with many results": ({"query": "ada", "top_k": 40}, b'{"query":"ada","top_k":40}'),
    "not valid": ({"query": 7}, b'{"query":7}'),
    "with a token": ({"query": "ada", "confirmationToken": "x"}, b'{"query":"ada"}'),
    "no object": (["ada"], None),
    "too deep": ({"query": _DEEP}, b'{"query":' + b"[" * 71 + b"]" * 71 + b"}"),
}
_NAMES = {"ok": TOOL, "none": "", "too long": "k" * 201}
_NESTED = {
    "fine": Nesting(("macro",), 3, 19),
    "in a circle": Nesting(("macro", TOOL), 2, 2),
    "too deep": Nesting(("macro",), 4, 2),
    "too many": Nesting(("macro",), 1, 20),
}
_CALL = frozenset({"tools.call"})
_ANY = ToolRule(("*",))
_RIGHTS = {
    "none": None,
    "all": Rights(_CALL, (_ANY,)),
    "ask": Rights(_CALL, (_ANY, ToolRule(("*",), "ask", when="args.query == 'ada'"))),
    "refuse": Rights(_CALL, (_ANY, ToolRule(("*",), "refuse", when="args.query != ''"))),
    "hidden": Rights(_CALL, ()),
}
_AVAILABILITY = {"none": {}, "met": {"roles": ["guest"]}, "not met": {"roles": ["nobody"]}}
_EARLIER = [
    None,
    *product(get_args(RecordState), get_args(FoundBy), (True, False)),
]
_YES_OR_NO = (False, True)


@dataclass(frozen=True, slots=True)
class Facts:
    """What is the case. `read` to `secret` are of the call's origins; they are known only after
    something was read, and mean nothing where `origins` is false."""

    name: str
    body: str
    exists: bool
    earlier: tuple[str, str, bool] | None
    blocked: bool
    ended: bool
    mode: str
    modes: tuple[str, ...]
    widened: bool
    availability: str
    plan: str
    rate: str
    limit: bool
    nested: str
    approved: bool
    empty_results: int
    same_calls: int
    rounds: int
    calls: int
    retrieval: int
    writes: int
    category: str
    effects: str
    outside: bool
    idempotent: bool
    recoverable: bool
    background: bool
    rights: str
    confirms: bool
    ask_first: bool
    doubted: bool
    has_read: bool
    granted: bool
    questions: int
    read: bool
    reaches: bool
    planned: bool
    doubtful: bool
    new: bool
    private: bool
    secret: bool


# The usual value comes first: it leads on to the next rule, and is drawn more often.
VALUES: dict[str, tuple[Any, ...]] = {
    "name": tuple(_NAMES),
    "body": tuple(_BODIES),
    "exists": (True, False),
    "earlier": tuple(_EARLIER),
    "mode": ("text", "voice"),
    "modes": (("text", "voice"), ("text",), ("voice",)),
    "availability": ("none", "met", "not met"),
    "plan": ("none", "with it", "without it"),
    "rate": ("none", "left", "used up"),
    "nested": ("", *_NESTED),
    "empty_results": (0, 1, 2),
    "same_calls": (0, 1, 2),
    "rounds": (0, 5, 6),
    "calls": (0, 3, 20),
    "retrieval": (0, 2, 5),
    "writes": (0, 7, 8),
    "category": ("retrieval", "action", "utility"),
    "effects": ("none", "read_only", "writes"),
    "rights": tuple(_RIGHTS),
    "questions": (0, 4, 5),
}
# What decides late is as likely as not; what ends a call's way early is rare.
_EVEN = frozenset(
    {
        *("mode", "category", "effects", "outside", "confirms", "ask_first", "doubted", "has_read"),
        *("granted", "read", "reaches", "planned", "doubtful", "new", "private", "approved"),
    }
)
_WAYS = [
    (each.name, VALUES.get(each.name, _YES_OR_NO), each.name in _EVEN) for each in fields(Facts)
]


def random_facts(draw: random.Random) -> Facts:
    """Facts at random."""
    return Facts(
        **{
            name: draw.choice(values) if even or draw.random() < 0.15 else values[0]
            for name, values, even in _WAYS
        }
    )


def usual_facts(**changed: Any) -> Facts:
    """Facts under which a call runs, but for those that are given."""
    return Facts(**{name: changed.get(name, values[0]) for name, values, _ in _WAYS})


def combinations(*names: str, **fixed: Any) -> Iterator[Facts]:
    """Every combination of these facts; the others are usual, or as given."""
    ways = {name: values for name, values, _ in _WAYS}
    for chosen in product(*(ways[name] for name in names)):
        yield usual_facts(**fixed, **dict(zip(names, chosen, strict=True)))


def scene(facts: Facts) -> tuple[Case, Any, PolicyView]:
    """The arguments of `decide` under these facts."""
    args, canonical = _BODIES[facts.body]
    case = Case(
        ToolCall("call_0123456789", _NAMES[facts.name], args),
        canonical,
        EarlierCall(*facts.earlier) if facts.earlier else None,  # type: ignore[arg-type]
        _NESTED.get(facts.nested),
        facts.approved,
    )
    if facts.limit:
        case.limit = LimitReached("calls_per_minute", "user", 60, 60, 2.0)
    case.origins = _origins(facts)
    return case, _tool(facts) if facts.exists else None, _view(facts, canonical or b"")


def _origins(facts: Facts) -> CallOrigins | None:
    if not (facts.read or facts.private or facts.secret):
        return None
    return CallOrigins(
        read="a page" if facts.read else "",
        reaches=facts.reaches,
        planned=facts.planned,
        doubtful=("/query",) if facts.doubtful else (),
        new=("/query",) if facts.new else (),
        private=("/query",) if facts.private else (),
        secret=("/query",) if facts.secret else (),
    )


def _view(facts: Facts, canonical: bytes) -> PolicyView:
    view = PolicyView(
        facts.mode,  # type: ignore[arg-type]
        _policy(facts.ask_first, facts.doubted, facts.plan != "none"),
        {"roles": ("guest",)},
        {},
        lambda _: [],
        BUILT_IN,
    )
    view.now = NOW
    view.blocked_until = NOW + 1 if facts.blocked else 0.0
    view.active = not facts.ended
    view.modes = {TOOL: ("text", "voice")} if facts.widened else {}
    view.rights = _RIGHTS[facts.rights]
    view.approved = frozenset({TOOL}) if facts.granted else frozenset()
    view.open_questions = facts.questions
    if facts.plan != "none":
        view.planned = frozenset({TOOL}) if facts.plan == "with it" else frozenset({"other"})
    if facts.rate != "none":
        view.rates = {TOOL: [NOW - 1] * (2 if facts.rate == "used up" else 1)}
    turn = view.turn
    turn.empty = {TOOL: facts.empty_results} if facts.empty_results else {}
    turn.calls = {(TOOL, canonical): facts.same_calls}
    turn.rounds, turn.total = facts.rounds, facts.calls
    turn.retrieval, turn.writes = facts.retrieval, facts.writes
    if facts.has_read:
        view.exposure.add(ReadSource("a_page", "a page", Marks("untrusted", "public"), 1))
    return view


@cache
def _policy(ask_first: bool, doubted: bool, only_planned: bool) -> Policy:
    named = frozenset({TOOL})
    return Policy(
        ask_first=named if ask_first else frozenset(),
        ask_after_reading=named if doubted else frozenset(),
        only_planned=only_planned,
    )


_VALIDATOR = Validator(PARAMETERS)
_CHECKED = {name: Availability(rule) if rule else None for name, rule in _AVAILABILITY.items()}


def _tool(facts: Facts) -> Any:
    return SimpleNamespace(
        definition=_definition(
            facts.modes,
            facts.availability,
            facts.rate != "none",
            facts.category,
            facts.effects,
            facts.outside,
            facts.idempotent,
            facts.background,
            facts.confirms,
        ),
        validator=_VALIDATOR,
        availability=_CHECKED[facts.availability],
        recoverable=facts.recoverable,
    )


@cache
def _definition(
    modes: Any,
    availability: str,
    rated: bool,
    category: Any,
    effects: Any,
    outside: bool,
    idempotent: bool,
    background: bool,
    confirms: bool,
) -> ToolDefinition:
    return ToolDefinition(
        tool_id=TOOL,
        version="1.0.0",
        description="Look for something.",
        category=category,
        side_effects=effects,
        idempotent=idempotent,
        requires_confirmation=confirms,
        allowed_modes=modes,
        latency_budget_ms=500,
        parameters=PARAMETERS,
        execution="background" if background else "server",
        rate_limit=RateLimit(2, 60_000) if rated else None,
        availability=_AVAILABILITY[availability],
        outside=outside,
    )

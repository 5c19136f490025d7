"""Every path through `decide`: its inputs are unknown, and each time it looks at one it goes on
with every value that this may have. What it never looks at cannot matter."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tests.policy.helpers import NOW

from antiphon.contracts.definition import RateLimit, ToolDefinition
from antiphon.contracts.limits import LimitReached
from antiphon.policy import BUILT_IN, RULES, EarlierCall, Verdict, decide

TOOL = "a_tool"
_CANONICAL = b"{}"
_LIMIT = LimitReached("calls_per_minute", "user", 60, 60, 2.0)
_BOTH = (True, False)


class Path:
    """One way through: the choices that were made on it, in their order."""

    def __init__(self, choices: list[int], usual: frozenset[str] = frozenset()) -> None:
        self.choices = choices
        self._usual = usual
        self.widths: list[int] = []
        self.facts: dict[str, Any] = {}

    def choose(self, name: str, values: tuple[Any, ...]) -> Any:
        """Return the value of something that is looked at, the same each time."""
        if name not in self.facts:
            values = values[:1] if name in self._usual else values
            at = len(self.widths)
            if at == len(self.choices):
                self.choices.append(0)
            self.widths.append(len(values))
            self.facts[name] = values[self.choices[at]]
        return self.facts[name]

    def following(self) -> list[int] | None:
        """The choices of the next path; None: there is no other."""
        choices = self.choices[: len(self.widths)]
        while choices and choices[-1] + 1 == self.widths[len(choices) - 1]:
            choices.pop()
        return [*choices[:-1], choices[-1] + 1] if choices else None


class Unknown:
    """An object whose members are unknown until they are looked at."""

    def __init__(self, path: Path, name: str, members: Mapping[str, Any]) -> None:
        vars(self).update(_path=path, _name=name, _members=members)

    def __getattr__(self, member: str) -> Any:
        values = self._members[member]
        if callable(values):
            value = values(self._path)
        elif isinstance(values, tuple):
            value = self._path.choose(f"{self._name}.{member}", values)
        else:
            value = values
        setattr(self, member, value)
        return value


class _UnknownDefinition(Unknown):
    writes = ToolDefinition.writes


def _maybe(name: str, make: Callable[[Path], Any]) -> Callable[[Path], Any]:
    """Something that there is, or not."""
    return lambda path: make(path) if path.choose(name, (False, True)) else None


def _earlier(path: Path) -> EarlierCall:
    states, ways = ("running", "done", "unknown"), ("key", "hash")
    return EarlierCall(
        path.choose("earlier.state", states),
        path.choose("earlier.found_by", ways),
        path.choose("earlier.same", _BOTH),
    )


_MEMBERS: dict[str, dict[str, Any]] = {
    "origins": {
        "read": ("", "a page"),
        "reaches": _BOTH,
        "planned": _BOTH,
        **dict.fromkeys(("doubtful", "new", "private", "secret"), ((), ("/query",))),
    },
    "nested": {"path": ((), (TOOL,)), "depth": (3, 4), "calls": (19, 20)},
    "case": {
        "name": (TOOL, ""),
        "args": ({}, {"confirmationToken": "x"}, {"top_k": 99}, []),
        "canonical": (_CANONICAL, None),
        "earlier": _maybe("earlier", _earlier),
        "nested": _maybe("nested", lambda path: _unknown(path, "nested")),
        "approved": _BOTH,
        "limit": (None, _LIMIT),
        "origins": _maybe("origins", lambda path: _unknown(path, "origins")),
        "question": None,
        "hidden": False,
        "clamped": None,
    },
    "definition": {
        "category": ("retrieval", "action"),
        "side_effects": ("none", "read_only", "writes"),
        "idempotent": _BOTH,
        "requires_confirmation": _BOTH,
        "allowed_modes": (("text", "voice"), ("voice",), ("text",)),
        "execution": ("server", "background"),
        "rate_limit": (None, RateLimit(1, 60_000)),
        "availability": ({}, {"roles": ["guest"]}),
        "outside": _BOTH,
        "redact": ((),),
    },
    "tool": {
        "definition": lambda path: _UnknownDefinition(path, "definition", _MEMBERS["definition"]),
        "validator": lambda path: _unknown(path, "validator"),
        "availability": _maybe("availability", lambda path: _unknown(path, "availability")),
        "recoverable": _BOTH,
    },
    "validator": {
        "accept": lambda path: lambda args: path.choose("valid", ({}, {"top_k": 99}, None)),
        "argument_errors": lambda path: lambda args: [],
    },
    "availability": {
        "refusal": lambda path: lambda *_: path.choose("availability.refusal", (None, "no"))
    },
    "rights": {
        "may_see": lambda path: lambda *_: path.choose("rights.may_see", _BOTH),
        "decide": lambda path: lambda *_: path.choose("rights.says", ("allow", "ask", "refuse")),
    },
    "budget": {
        "rounds": (None, 5),
        "total_calls": (None, 20),
        "retrieval_calls": (None, 5),
        "write_calls": (None, 8),
        "top_k": (None, 10),
        "open_questions": (None, 5),
    },
    "turn": {
        "number": 1,
        "retrieval": (0, 5),
        "total": (0, 20),
        "writes": (0, 8),
        "rounds": (0, 6),
        "questions": (0, 5),
        "calls": ({}, {(TOOL, _CANONICAL): 2}),
        "empty": ({}, {TOOL: 2}),
    },
    "exposure": {"untrusted": _BOTH},
    "policy": {
        "same_call_limit": 3,
        "empty_result_limit": 2,
        "nested_calls": 20,
        "nested_depth": 3,
        **dict.fromkeys(("ask_first", "ask_after_reading"), (frozenset(), frozenset({TOOL}))),
        "only_planned": _BOTH,
    },
    "view": {
        "mode": ("text", "voice"),
        "modes": ({}, {TOOL: ("text", "voice")}),
        "policy": lambda path: _unknown(path, "policy"),
        "budget": lambda path: _unknown(path, "budget"),
        "turn": lambda path: _unknown(path, "turn"),
        "exposure": lambda path: _unknown(path, "exposure"),
        "rights": _maybe("rights", lambda path: _unknown(path, "rights")),
        "fields": {},
        "environment": {},
        "nearest": lambda path: lambda name: [],
        "rules": BUILT_IN,
        "now": NOW,
        "active": _BOTH,
        "blocked_until": (0.0, NOW + 1),
        "approved": (frozenset(), frozenset({TOOL})),
        "open_questions": (0, 5),
        "planned": (None, frozenset(), frozenset({TOOL})),
        "rates": ({}, {TOOL: [NOW - 1]}),
        "gates": lambda path: {},
        "nested_gates": lambda path: {},
    },
}
# What only rules before `arguments` look at. They refuse or leave no trace (`each_early_rule`):
# where such a rule lets a call pass, the rest of the way is the same as with the first value.
EARLY = frozenset(
    {
        *("budget.rounds", "budget.total_calls", "budget.retrieval_calls", "budget.write_calls"),
        *("turn.retrieval", "turn.total", "turn.writes", "turn.rounds", "turn.calls", "turn.empty"),
        *("nested.path", "nested.depth", "nested.calls", "view.rates", "definition.rate_limit"),
        *("definition.availability", "definition.allowed_modes", "availability", "view.mode"),
        *("availability.refusal", "view.modes", "view.blocked_until", "view.active", "case.limit"),
        *("view.planned", "policy.only_planned"),
    }
)
# What changes nothing but the words of a refusal or the arguments that run; and calls made before.
LESSER = frozenset(
    {"budget.top_k", "definition.category", "case.args", "valid", "earlier", "case.name"}
)


class Scene:
    """The unknown inputs of a decision."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.case: Any = _unknown(path, "case")
        self.view: Any = _unknown(path, "view")
        self.tool: Any = _maybe("tool", lambda path: _unknown(path, "tool"))(path)


def _unknown(path: Path, name: str) -> Unknown:
    return Unknown(path, name, _MEMBERS[name])


def explore(usual: frozenset[str] = frozenset()) -> Iterator[Scene]:
    """Every path of what is done with the scene before the next one is taken. What is `usual` has
    its first value only."""
    choices: list[int] | None = []
    while choices is not None:
        scene = Scene(Path(choices, usual))
        yield scene
        choices = scene.path.following()


def every_path(usual: frozenset[str] = EARLY) -> Iterator[tuple[Scene, Verdict]]:
    """Every path through `decide`, and the verdict at its end."""
    for scene in explore(usual):
        yield scene, decide(scene.case, scene.tool, scene.view)


def each_early_rule() -> Iterator[tuple[str, Scene, Verdict | None]]:
    """Every path through each rule before `arguments`, by itself."""
    for rule in RULES:
        if rule.id == "arguments":
            return
        # What is not well formed goes no further than the first of them.
        formed = frozenset() if rule.id == "shape" else frozenset({"case.canonical", "case.args"})
        for scene in explore(formed) if rule.check is not None else ():
            if rule.id not in ("shape", "duplicate", "known") and scene.tool is None:
                continue  # they are asked about tools that there are
            yield rule.id, scene, rule.check(scene.case, scene.tool, scene.view)  # type: ignore[misc]

"""`decide` with inputs that a solver knows (z3): each truth test of the rules goes on with whatever
is satisfiable there, and what must not happen is asked of the solver at the end of each path.

What comes before `arguments` only refuses and leaves no trace (`every_path.each_early_rule`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from operator import eq, ge, gt, lt
from typing import Any

import z3

from antiphon.contracts.definition import ToolDefinition
from antiphon.policy import BUILT_IN, RULES, Verdict, decide

_EARLY = {rule.check for rule in RULES[: [rule.id for rule in RULES].index("arguments")]}
_WORDS = ("none", "read_only", "writes", "retrieval", "action", "allow", "ask", "refuse")
_Word, _NAMED = z3.EnumSort("Word", _WORDS)
_WORD = dict(zip(_WORDS, _NAMED, strict=True))
_is, _number = cache(z3.Bool), cache(z3.Int)  # what the rules look at, by name


def _word(name: str) -> Any:
    return z3.Const(name, _Word)


class Path:
    """One way through: what holds on it, as the solver has it."""

    def __init__(self, solver: z3.Solver, beginning: list[bool]) -> None:
        self.solver = solver
        self._beginning = beginning
        self._answers: dict[int, tuple[z3.BoolRef, bool]] = {}
        self._taken: list[bool] = []
        self.others: list[list[bool]] = []  # the beginnings of paths that branch off

    def is_so(self, claim: z3.BoolRef) -> bool:
        """Whether a claim holds on this path; where both can be, one is left for another path."""
        if known := self._answers.get(claim.get_id()):
            return known[1]
        if len(self._taken) < len(self._beginning):
            answer = self._beginning[len(self._taken)]
        else:
            answer = self.can_be(claim)
            if answer and self.can_be(z3.Not(claim)):
                self.others.append([*self._taken, False])
        self._taken.append(answer)
        self.solver.add(claim if answer else z3.Not(claim))
        self._answers[claim.get_id()] = claim, answer  # kept, so that its id stays its own
        return answer

    def can_be(self, claim: z3.BoolRef) -> bool:
        """Whether a claim is satisfiable together with what holds on this path."""
        self.solver.push()
        self.solver.add(claim)
        found = self.solver.check()
        self.solver.pop()
        assert found != z3.unknown, claim
        return bool(found == z3.sat)


def _compared(operator: Callable[[Any, Any], Any]) -> Callable[[Symbol, Any], Any]:
    def compare(one: Symbol, other: Any) -> Symbol:
        other = other._value if isinstance(other, Symbol) else _WORD.get(other, other)
        return Symbol(one._path, operator(one._value, other))

    return compare


class Symbol:
    """A truth, a word, a number, so many places in the arguments, or a set that the tool is in."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, path: Path, value: Any) -> None:
        self._path, self._value = path, value

    def __bool__(self) -> bool:
        return self._path.is_so(self._value if z3.is_bool(self._value) else self._value > 0)

    def __contains__(self, _: object) -> bool:
        return bool(self)

    def __iter__(self) -> Iterator[str]:
        return iter(("/query",))  # stands for all of them; they are only listed in words

    __eq__, __lt__, __gt__, __ge__ = map(_compared, (eq, lt, gt, ge))  # type: ignore[assignment]


class Thing:
    """An object of which each member becomes known when it is looked at."""

    writes = ToolDefinition.writes

    def __init__(self, path: Path, members: Mapping[str, Any]) -> None:
        vars(self).update(_path=path, _members=members)

    def __getattr__(self, name: str) -> Any:
        value = self._members[name]
        if callable(value):
            value = value(self._path)
        elif z3.is_expr(value):
            value = Symbol(self._path, value)
        setattr(self, name, value)
        return value


def _some(**members: Any) -> Callable[[Path], Any]:
    return lambda path: Thing(path, members)


def _maybe(name: str, make: Callable[[Path], Any]) -> Callable[[Path], Any]:
    return lambda path: make(path) if path.is_so(_is(name)) else None


def _args(path: Path) -> dict[str, Any]:
    if path.is_so(_is("token")):
        return {"confirmation_token": "x"}
    return {"top_k": 99} if path.is_so(_is("top_k")) else {}


_ORIGINS = {
    **{name: _is(name) for name in ("read", "reaches", "planned")},
    **{name: _number(name) for name in ("doubtful", "new", "private", "secret")},
}
_PLAIN = {"allowed_modes": ("text",), "availability": {}, "rate_limit": None, "redact": ()}
_case = _some(
    name="a_tool",
    args=_args,
    canonical=b"{}",
    earlier=None,
    nested=_maybe("call of a call", _some()),
    approved=_is("yes"),
    origins=_maybe("origins", _some(**_ORIGINS)),
    question=None,
)
_tool = _some(
    definition=_some(
        category=_word("category"),
        side_effects=_word("effects"),
        outside=_is("outside"),
        requires_confirmation=_is("asks by itself"),
        **_PLAIN,
    ),
    validator=_some(
        accept=lambda path: lambda args: dict(args) if path.is_so(_is("valid")) else None,
        argument_errors=lambda _: lambda _: [],
    ),
)
_view = _some(
    mode="text",
    fields={},
    nearest=lambda _: lambda _: [],
    gates=lambda _: {},
    nested_gates=lambda _: {},
    approved=_is("approved beforehand"),
    open_questions=_number("open questions"),
    rights=_maybe(
        "rights",
        _some(
            may_see=lambda path: lambda *_: Symbol(path, _is("seen")),
            decide=lambda path: lambda *_: Symbol(path, _word("rights say")),
        ),
    ),
    budget=_some(
        top_k=_maybe("limit of top_k", lambda path: Symbol(path, _number("most top_k"))),
        open_questions=_maybe("limit", lambda path: Symbol(path, _number("most questions"))),
    ),
    exposure=_some(untrusted=_is("read something")),
    policy=_some(
        ask_first=_is("asked first"), ask_after_reading=_is("doubted"), only_planned=False
    ),
    turn=_some(questions=_number("asked in the turn")),
)

# What changes nothing but the words of a refusal or the arguments that run: the same on each path.
USUAL = (
    _word("category") != _WORD["retrieval"],
    *(z3.Not(_is(name)) for name in ("token", "top_k", "limit")),
)
_NO_YES, _WRITES = z3.Not(_is("yes")), _word("effects") == _WORD["writes"]
_SETTLED = z3.And(_number("doubtful") == 0, _number("new") == 0)
_LEAKS = z3.And(_is("origins"), _is("outside"))
LED = z3.And(_is("origins"), _is("read"), _is("reaches"), z3.Or(_WRITES, _is("outside")))
# What must not be where a call runs.
FORBIDDEN = {
    "text of others acts": z3.And(
        LED, _NO_YES, z3.Not(z3.And(_SETTLED, z3.Or(_is("planned"), z3.Not(_WRITES))))
    ),
    "a secret leaves": z3.And(_LEAKS, _number("secret") > 0),
    "private data leave by a read": z3.And(
        _LEAKS, _NO_YES, z3.Not(_WRITES), _number("private") > 0
    ),
}


def explore(usual: tuple[Any, ...] = (), missing: str = "") -> Iterator[tuple[Path, Verdict]]:
    """Every path through `decide` from `arguments` on, with the verdict at its end; one of the
    rules can be left out."""
    left_out = _EARLY | {rule.check for rule in RULES if rule.id == missing}

    def gates(*args: Any, **options: Any) -> list[Any]:
        return [each for each in BUILT_IN.gates(*args, **options) if each not in left_out]

    solver, ahead = z3.Solver(), [list[bool]()]
    solver.add(*usual, *(each >= 0 for each in _ORIGINS.values() if z3.is_int(each)))
    while ahead:
        solver.push()
        path = Path(solver, ahead.pop())
        view = _view(path)
        view.rules = Thing(path, {"gates": lambda _: gates})
        yield path, decide(_case(path), _tool(path), view)
        ahead += path.others
        solver.pop()

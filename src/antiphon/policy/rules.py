"""The policy rules, one function each, in the order in which a call meets them.

A rule looks at the case, the tool and the view and returns a verdict, or None to let the call
through to the next. Rules change nothing but the case: clamping and defaults are part of deciding.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from antiphon.contracts.definition import Mode, ToolDefinition
from antiphon.contracts.errors import ErrorType, error_body
from antiphon.contracts.json_depth import MAX_DEPTH, is_deeper, may_be_deeper
from antiphon.contracts.pointers import quotes_redacted
from antiphon.policy.provenance_rules import leak, plan, untrusted
from antiphon.policy.rule import Rule, RuleCheck, guarded, place, refuse
from antiphon.policy.view import Case, PolicyView, ToolView, Verdict

MAX_NAME = 200


# -- before the tool is known ------------------------------------------------------------------


def shape(case: Case, tool: ToolView | None, view: PolicyView) -> Verdict | None:
    """Refuse a call that names no tool or brings anything but one JSON object of arguments, nested
    no deeper than anybody needs."""
    if type(case.name) is not str or not case.name or len(case.name) > MAX_NAME:
        return refuse("shape", ErrorType.VALIDATION, "The call does not name a tool.", errors=[])
    if type(case.args) is not dict or case.canonical is None:
        return refuse(
            "shape",
            ErrorType.VALIDATION,
            f"The arguments of {case.name} must be one JSON object.",
            errors=[{"pointer": "", "message": "is no JSON object", "expected": "object"}],
        )
    if (
        len(case.canonical) > 2 * MAX_DEPTH
        and may_be_deeper(case.canonical)
        and is_deeper(case.args)
    ):
        words = f"is nested more than {MAX_DEPTH} deep"
        return refuse(
            "shape",
            ErrorType.VALIDATION,
            f"The arguments of {case.name} are nested more than {MAX_DEPTH} deep.",
            errors=[{"pointer": "", "message": words, "expected": f"at most {MAX_DEPTH} levels"}],
        )
    return None


def duplicate(case: Case, tool: ToolView | None, view: PolicyView) -> Verdict | None:
    """Answer a repeated call from its record; it is never run again. Refuse another call under the
    same key, and a call whose outcome a crash has left open."""
    earlier = case.earlier
    if earlier is None:
        return None
    if not earlier.same:
        return refuse(
            "duplicate",
            ErrorType.CONFLICT,
            "This key was used before with another call. Use a new key for a new call.",
        )
    if tool is None and earlier.state != "unknown":
        return None  # the tool is gone since; the next rule says so
    if earlier.found_by == "hash":
        again = _repeated(case, view)
        if again is not None:
            return again
    if earlier.state == "done":
        return Verdict("replay", "duplicate")
    if earlier.state == "running":
        return Verdict("wait", "duplicate")
    if tool is not None and (tool.definition.idempotent or tool.recoverable):
        return Verdict("recover", "duplicate")
    if tool is not None and tool.definition.execution == "background" and case.nested is None:
        return Verdict("recover", "duplicate")  # its task is known by its key, or was never begun
    body = error_body(
        ErrorType.OUTCOME_UNKNOWN,
        f"{case.name} was under way when the server stopped. It may have happened: "
        "tell the user, do not repeat it.",
        partial_side_effects=True,
    )
    return Verdict("refuse", "duplicate", body)


def known(case: Case, tool: ToolView | None, view: PolicyView) -> Verdict | None:
    """Refuse a call of a tool that does not exist; the refusal has the names that may have been
    meant."""
    if tool is not None:
        return None
    near = view.nearest(case.name)
    hint = f" Did you mean {' or '.join(near)}?" if near else ""
    return refuse("known", ErrorType.NOT_FOUND, f"Unknown tool: {case.name}.{hint}", nearest=near)


# -- the tool is known -------------------------------------------------------------------------


def active(case: Case, tool: ToolView, view: PolicyView) -> Verdict | None:
    """Refuse calls of a blocked user, and calls in a session that has ended."""
    if view.blocked_until > view.now:
        return refuse(
            "blocked",
            ErrorType.UNAVAILABLE,
            "The user is blocked for now; no tool can be called.",
            timeoutUntil=round(view.blocked_until * 1000),
        )
    if not view.active:
        return refuse("active", ErrorType.SESSION_INACTIVE, "The session has ended.")
    return None


def mode(case: Case, tool: ToolView, view: PolicyView) -> Verdict | None:
    """Refuse a tool that may not be used in this mode, text or voice."""
    allowed = tool.definition.allowed_modes
    if view.mode in allowed or view.mode in view.modes.get(case.name, ()):
        return None
    return refuse(
        "mode",
        ErrorType.MODE_RESTRICTED,
        f"{case.name} is only available in {' and '.join(allowed)} mode, not in {view.mode} mode.",
        allowedModes=list(allowed),
    )


def availability(case: Case, tool: ToolView, view: PolicyView) -> Verdict | None:
    """Refuse a tool that is not there for this session, provider or environment."""
    if tool.availability is None:
        return None
    reason = tool.availability.refusal(view.fields, view.environment)
    if reason is None:
        return None
    return refuse("availability", ErrorType.UNAVAILABLE, f"{case.name} is not available: {reason}.")


def rate(case: Case, tool: ToolView, view: PolicyView) -> Verdict | None:
    """Refuse a call beyond the tool's rate limit; the refusal says when to try again."""
    limit = tool.definition.rate_limit
    if limit is None:
        return None
    start = view.now - limit.window_ms / 1000
    stamps = [stamp for stamp in view.rates.get(case.name, ()) if start < stamp <= view.now]
    if len(stamps) < limit.calls:
        return None
    wait = max(0.001, round(stamps[-limit.calls] - start, 3))
    body = error_body(
        ErrorType.RATE_LIMIT,
        f"{case.name} may be called {limit.calls} times in {limit.window_ms / 1000:g} s. "
        f"Try again in {wait:g} s.",
        retryable=False,
        retry_after=wait,
    )
    return Verdict("refuse", "rate", body)


def limit(case: Case, tool: ToolView, view: PolicyView) -> Verdict | None:
    """Refuse a call beyond what its user or their organisation may make; the refusal names the
    limit and says when to try again."""
    reached = case.limit
    if reached is None:
        return None
    details = reached.members
    body = error_body(
        ErrorType.RATE_LIMIT,
        reached.message,
        retryable=False,
        retry_after=details.pop("retryAfter", None),
        **details,
    )
    return Verdict("refuse", "limit", body)


def nesting(case: Case, tool: ToolView, view: PolicyView) -> Verdict | None:
    """Refuse calls made by calls that are too deep, too many, or in a circle."""
    nested = case.nested
    if nested is None:
        return None
    if case.name in nested.path:
        circle = " → ".join((*nested.path, case.name))
        return refuse("nesting", ErrorType.LOOP_DETECTED, f"Tools call each other: {circle}.")
    if nested.depth > view.policy.nested_depth:
        return refuse(
            "nesting",
            ErrorType.BUDGET_EXCEEDED,
            f"Calls may be nested {view.policy.nested_depth} deep at most.",
        )
    if nested.calls >= view.policy.nested_calls:
        return refuse(
            "nesting",
            ErrorType.BUDGET_EXCEEDED,
            f"One call may make {view.policy.nested_calls} further calls at most.",
        )
    return None


def loop(case: Case, tool: ToolView, view: PolicyView) -> Verdict | None:
    """Refuse a call when the model goes round in circles: empty results or the same call again."""
    if case.nested is not None or case.approved:
        return None
    empty = view.turn.empty
    if empty and empty.get(case.name, 0) >= view.policy.empty_result_limit:
        return refuse(
            "loop.empty",
            ErrorType.LOOP_DETECTED,
            f"{case.name} returned empty results {empty[case.name]} times. Data may not exist. "
            "Try different search terms or a different tool.",
        )
    return _repeated(case, view) if view.turn.calls else None


def _repeated(case: Case, view: PolicyView) -> Verdict | None:
    assert case.canonical is not None
    count = view.turn.calls.get((case.name, case.canonical), 0) + 1
    if count < view.policy.same_call_limit:
        return None
    return refuse(
        "loop.repeat",
        ErrorType.LOOP_DETECTED,
        f"Loop detected: {case.name} called {count} times with identical arguments. "
        "Try a different approach or rephrase your query.",
    )


def budget(case: Case, tool: ToolView, view: PolicyView) -> Verdict | None:
    """Refuse a call beyond the turn's budget of rounds, calls, retrieval or writes."""
    if case.nested is not None or case.approved:
        return None
    limits, turn = view.budget, view.turn
    if limits.rounds is not None and turn.rounds > limits.rounds:
        return _over("rounds", "rounds of tool use", limits.rounds, view)
    if limits.total_calls is not None and turn.total >= limits.total_calls:
        return _over("calls", "tool calls", limits.total_calls, view)
    if (
        tool.definition.category == "retrieval"
        and limits.retrieval_calls is not None
        and turn.retrieval >= limits.retrieval_calls
    ):
        return _over("retrieval", "retrieval calls", limits.retrieval_calls, view)
    if (
        limits.write_calls is not None
        and turn.writes >= limits.write_calls
        and tool.definition.side_effects == "writes"
    ):
        return _over("writes", "calls that change something", limits.write_calls, view)
    return None


_ADVICE = {
    "retrieval": "Answer with what you have, or use records you already know by id next turn.",
    "writes": "Tell the user what was done and what is left, and ask whether to go on.",
}


def _over(kind: str, words: str, limit: int, view: PolicyView) -> Verdict:
    limits, turn = view.budget, view.turn
    left = {
        "calls": None if limits.total_calls is None else max(0, limits.total_calls - turn.total),
        "retrieval": None
        if limits.retrieval_calls is None
        else max(0, limits.retrieval_calls - turn.retrieval),
        "rounds": None if limits.rounds is None else max(0, limits.rounds - turn.rounds),
        "writes": None if limits.write_calls is None else max(0, limits.write_calls - turn.writes),
    }
    advice = _ADVICE.get(kind, "Answer with what you have; a new turn brings a new budget.")
    return refuse(
        f"budget.{kind}",
        ErrorType.BUDGET_EXCEEDED,
        f"The {view.mode} budget of {limit} {words} per turn is used up. {advice}",
        left={name: value for name, value in left.items() if value is not None},
        suggestion=advice,
    )


def arguments(case: Case, tool: ToolView, view: PolicyView) -> Verdict | None:
    """Clamp `top_k` to the mode's limit, validate the arguments by the tool's schema and apply
    defaults; refuse what is not valid, and confirmations that come in the arguments."""
    args = case.args
    if "confirmationToken" in args or "confirmation_token" in args:
        return refuse(
            "confirmation.token",
            ErrorType.VALIDATION,
            "A confirmation cannot be given in the arguments; the user gives it.",
            errors=[
                {"pointer": f"/{name}", "message": "is not allowed", "expected": "nothing"}
                for name in ("confirmationToken", "confirmation_token")
                if name in args
            ],
        )
    top_k = view.budget.top_k if tool.definition.category == "retrieval" else None
    if top_k is not None and "top_k" in args:
        args = _clamped(case, args, top_k)
    accepted = tool.validator.accept(args)
    if accepted is None:
        errors = [error.to_dict() for error in tool.validator.argument_errors(args)]
        redact = tool.definition.redact
        for error in errors if redact else ():
            if quotes_redacted(error["message"], args, redact):
                error["message"] = "is not what it must be"
        listed = "; ".join(f"{e['pointer'] or 'arguments'} {e['message']}" for e in errors[:5])
        return refuse(
            "arguments", ErrorType.VALIDATION, f"Invalid parameters: {listed}", errors=errors
        )
    if top_k is not None and "top_k" in accepted and "top_k" not in args:
        accepted = _clamped(case, accepted, top_k)  # the schema's default may be over the limit
    case.args = accepted
    return None


def _clamped(case: Case, args: dict[str, Any], top_k: int) -> dict[str, Any]:
    asked = args["top_k"]
    if type(asked) not in (int, float) or asked <= top_k:
        return args
    case.clamped = (asked, top_k)
    return {**args, "top_k": top_k}


def rights(case: Case, tool: ToolView, view: PolicyView) -> Verdict | None:
    """Refuse a call with arguments that the rights of the principal do not allow, as they will run;
    note where a person has to be asked."""
    found = view.rights
    if found is None:
        return None
    effect = found.decide(tool.definition, view.mode, case.args, view.fields)
    if effect == "refuse":
        return refuse(
            "rights",
            ErrorType.AUTH,
            f"You may not call {case.name} with these arguments. An administrator can change what "
            "your roles allow.",
        )
    if effect == "ask" and not case.approved and case.question is None:
        case.question = "rights"
    return None


def is_hidden(tool: ToolView, view: PolicyView) -> bool:
    """Whether there is no such tool for the principal of the session, whatever the arguments."""
    return view.rights is not None and not view.rights.may_see(tool.definition, view.mode)


def confirmation(case: Case, tool: ToolView, view: PolicyView) -> Verdict | None:
    """Ask a person first where the contract or the policy wants it, unless they approved this call
    or, beforehand, this tool."""
    if case.approved:
        return None
    if not tool.definition.requires_confirmation and case.name not in view.policy.ask_first:
        return None
    if case.name in view.approved:
        return Verdict("run", "approval", None, case.args)
    return _too_many_questions(view) or Verdict("confirm", "confirmation", None, case.args)


def _too_many_questions(view: PolicyView) -> Verdict | None:
    """Refuse to ask a person who has too many questions open: they would say yes unread."""
    limit = view.budget.open_questions
    if limit is None or max(view.open_questions, view.turn.questions) < limit:
        return None
    advice = "Tell the user what waits for their answer, and go on when they have given it."
    return refuse(
        "budget.questions",
        ErrorType.BUDGET_EXCEEDED,
        f"The user was asked {limit} things that they have not answered yet, which is the most "
        f"at a time. {advice}",
        left={"questions": 0},
        suggestion=advice,
    )


def question(case: Case, tool: ToolView, view: PolicyView) -> Verdict | None:
    """Ask a person about a call that a further rule wants approved. An approval given beforehand is
    of the tool, not of what such a rule has found."""
    if case.question is None:
        return None
    return _too_many_questions(view) or Verdict("confirm", case.question, None, case.args)


# The rules that are asked before it is known which tool is meant.
_BEFORE_TOOL = frozenset({"shape", "duplicate", "known"})

# The built-in rules in the order in which a call meets them; docs/rules.md has more about each.
RULES: tuple[Rule, ...] = (
    Rule(
        "registry",
        "Same tools",
        "The tools are still those that the session began with.",
        verdicts={"registry.version": "The tools are still those that the session began with."},
    ),
    Rule(
        "shape",
        "Well formed",
        "The call names a tool and brings one JSON object of arguments.",
        shape,
    ),
    Rule(
        "duplicate",
        "Not a repeat",
        "The same call is answered from its record and not run again.",
        duplicate,
    ),
    Rule(
        "known",
        "Known tool",
        "There is such a tool, and the caller may use it in some way.",
        known,
    ),
    Rule(
        "session",
        "Session open",
        "The user is not blocked, and the session has not ended.",
        active,
        verdicts={
            "blocked": "The user is not blocked.",
            "active": "The session has not ended.",
        },
    ),
    Rule("mode", "Mode", "The tool may be used in this mode, text or voice.", mode),
    Rule(
        "availability",
        "Available",
        "The tool is there for this user, role, provider and environment.",
        availability,
    ),
    Rule("rate", "Rate limit", "The tool was not called too often in its window.", rate),
    Rule(
        "limit",
        "Limits",
        "The user and their organisation have not made too many calls.",
        limit,
    ),
    Rule(
        "nesting",
        "Nesting",
        "Calls made by calls go only so deep, are only so many, and form no circle.",
        nesting,
    ),
    Rule("plan", "Needed", "What the person asked for needs the tool.", plan),
    Rule(
        "loop",
        "No loop",
        "The model is not going round in circles in this turn.",
        loop,
        verdicts={
            "loop.empty": "The tool has not returned empty results again and again in this turn.",
            "loop.repeat": "The same call is not made again and again in this turn.",
        },
    ),
    Rule(
        "budget",
        "Budget",
        "The turn has such calls left.",
        budget,
        verdicts={
            "budget.rounds": "The turn has rounds of tool use left.",
            "budget.calls": "The turn has calls left.",
            "budget.retrieval": "The turn has retrieval calls left.",
            "budget.writes": "The turn has calls left that change something.",
        },
    ),
    Rule(
        "arguments",
        "Arguments",
        "The arguments are valid and bring no confirmation.",
        arguments,
        verdicts={
            "confirmation.token": "The arguments bring no confirmation: a person gives it.",
            "arguments": "The arguments are valid by the tool's schema; nothing is converted.",
        },
    ),
    Rule(
        "rights",
        "Rights",
        "The caller may call the tool with these arguments; a person has approved where a rule of "
        "their roles wants it.",
        rights,
    ),
    Rule(
        "leak",
        "No leak",
        "Nothing secret leaves, and nothing private without a person's yes.",
        leak,
        verdicts={
            "leak.secret": "No secret is sent outside.",
            "leak.private": "A person has approved that private data is sent outside.",
        },
    ),
    Rule(
        "untrusted",
        "Own wish",
        "After text of others was read, nothing is changed or sent that the person did not ask for "
        "or approve.",
        untrusted,
        verdicts={
            "untrusted.destination": "It goes to where the person has sent something before, or "
            "named; if not, they are asked.",
            "untrusted.values": "Its values are the person's own or of trusted data; if not, they "
            "are asked.",
            "untrusted.call": "The person's own request needs it; if not, they are asked.",
        },
    ),
    Rule(
        "confirmation",
        "Confirmed",
        "A person has approved where one has to.",
        confirmation,
        verdicts={
            "confirmation": "A person has approved; if not, they are asked.",
            "budget.questions": "The person has not too many questions to answer already.",
            "approval": "A person has approved this tool beforehand.",
        },
    ),
    Rule("before_call", "Program", "The program's own check has nothing against the call."),
    Rule(
        "spending_cap",
        "Spending",
        "What the call costs may still be spent by the user, the organisation and the agent.",
    ),
    Rule("run", "Runs", "Nothing stands against the call."),
)

# The rules a call must have passed before it counts as asked for in the turn's budget.
COUNTED_FROM = frozenset(
    {
        *("confirmation.token", "arguments", "rights"),
        *(
            "leak.secret",
            "leak.private",
            "untrusted.destination",
            "untrusted.values",
            "untrusted.call",
            "confirmation",
            "approval",
            "before_call",
            "spending_cap",
            "run",
        ),
    }
)


class RuleSet:
    """The rules in force: the built-in ones with further ones placed among them.

    `counted` are the ids of verdicts that count against the turn's budget. Raises RuleError.
    """

    __slots__ = ("counted", "rules")

    def __init__(self, further: Iterable[Rule] = ()) -> None:
        self.rules = place(RULES, further)
        behind = [rule.id for rule in self.rules].index("budget")
        own = {each for rule in self.rules[behind:] if rule not in RULES for each in rule.ids}
        self.counted = COUNTED_FROM | own

    def gates(
        self,
        definition: ToolDefinition,
        *,
        mode: Mode,
        nested: bool,
        may_be_asked: bool = False,
        has_rights: bool = False,
        narrowed: bool = False,
        is_doubted: bool = False,
    ) -> tuple[RuleCheck, ...]:
        """Return the checks that can ever decide about such calls of this tool in this mode, in
        their order. `has_rights`: of a principal whose rights are known; `narrowed`: in turns
        that are held to their plan; `is_doubted`: the policy asks about it once anything was
        read."""
        idle = {"loop", "budget"} if nested else {"nesting"}
        if mode in definition.allowed_modes:
            idle.add("mode")
        if not definition.availability:
            idle.add("availability")
        if definition.rate_limit is None:
            idle.add("rate")
        if not definition.requires_confirmation and not may_be_asked:
            idle.add("confirmation")
        if not has_rights:
            idle.add("rights")
        if not narrowed:
            idle.add("plan")
        if not definition.outside:
            idle.add("leak")
        acts = definition.outside or definition.writes or is_doubted
        if not acts:
            idle.add("untrusted")
        found: list[RuleCheck] = []
        further = has_rights or acts
        for rule in self.rules:
            if rule.id == "confirmation" and further:
                found.append(question)
            if rule.check is None or rule.id in _BEFORE_TOOL:
                continue
            if rule not in RULES:
                further = True
                found.append(guarded(rule))
            elif rule.id not in idle:
                found.append(rule.check)
        return tuple(found)


BUILT_IN = RuleSet()

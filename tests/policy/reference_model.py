"""The policy once more, from its documentation alone (docs/rules.md, docs/calls.md)."""

from __future__ import annotations

from tests.policy.generated_cases import Facts

Answer = tuple[str, str]  # the outcome, and the rule that is in the audit line


def expected(f: Facts) -> Answer:
    """What the documentation says of a call."""
    if f.name != "ok" or f.body in ("no object", "too deep"):
        return "refuse", "shape"
    is_there = f.exists and f.rights != "hidden"
    if f.earlier and (answer := _repeated(f, is_there)):
        return answer
    if not is_there:
        return "refuse", "known"
    return _session(f) or _turn(f) or _arguments(f) or _person(f) or ("run", "run")


def _repeated(f: Facts, is_there: bool) -> Answer | None:
    """The same call is answered from its record, and never runs twice."""
    state, found_by, is_same = f.earlier or ("", "", True)
    if not is_same:
        return "refuse", "duplicate"
    if not is_there and state != "unknown":
        return None
    if found_by == "hash" and f.same_calls >= 2:
        return "refuse", "loop.repeat"
    if state == "unknown":
        again = f.idempotent or f.recoverable or (f.background and not f.nested)
        return ("recover" if is_there and again else "refuse"), "duplicate"
    if f.rights == "refuse":
        return "refuse", "rights"
    return ("replay" if state == "done" else "wait"), "duplicate"


def _session(f: Facts) -> Answer | None:
    rules = {
        "blocked": f.blocked,
        "active": f.ended,
        "mode": f.mode not in f.modes and not f.widened,
        "availability": f.availability == "not met",
        "rate": f.rate == "used up",
        "limit": f.limit,
        "nesting": f.nested not in ("", "fine"),
        "plan": f.plan == "without it" and not f.nested and not f.approved,
    }
    return next((("refuse", rule) for rule, holds in rules.items() if holds), None)


def _turn(f: Facts) -> Answer | None:
    """Loops and budgets: of what the model asks for, not of what somebody has approved."""
    if f.nested or f.approved:
        return None
    voice = f.mode == "voice"
    rules = {
        "loop.empty": f.empty_results >= 2,
        "loop.repeat": f.same_calls >= 2,
        "budget.rounds": not voice and f.rounds > 5,
        "budget.calls": f.calls >= (3 if voice else 20),
        "budget.retrieval": f.category == "retrieval" and f.retrieval >= (2 if voice else 5),
        "budget.writes": f.effects == "writes" and not voice and f.writes >= 8,
    }
    return next((("refuse", rule) for rule, holds in rules.items() if holds), None)


def _arguments(f: Facts) -> Answer | None:
    if f.body == "with a token":
        return "refuse", "confirmation.token"
    if f.body == "not valid":
        return "refuse", "arguments"
    return ("refuse", "rights") if f.rights == "refuse" else None


def _person(f: Facts) -> Answer | None:
    """Who has to be asked, and by which rule."""
    if f.outside and f.secret:
        return "refuse", "leak.secret"
    if f.approved:
        return None
    writes = f.effects == "writes"
    led = f.read and f.reaches and (writes or f.outside)
    reasons = {
        "leak.private": f.outside and f.private and not writes,
        "untrusted.destination": led and f.new,
        "untrusted.values": led and f.doubtful,
        "untrusted.call": (led and writes and not f.planned)
        or (f.doubted and (f.nested or f.has_read)),
        "rights": f.rights == "ask",
        "confirmation": f.confirms or f.ask_first,
    }
    rule = next((rule for rule, holds in reasons.items() if holds), None)
    if rule is None or (rule == "confirmation" and f.granted):
        return rule and ("run", "approval")
    return ("refuse", "budget.questions") if f.questions >= 5 else ("confirm", rule)

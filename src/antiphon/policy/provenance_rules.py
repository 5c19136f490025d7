"""Rules about where text comes from: least privilege, leaks, and what text of others may lead to.

They go by `Case.origins`, which is prepared for calls that change something or talk to the outside
after something was read. What they want a person asked about no standing approval lifts.
"""

from __future__ import annotations

from antiphon.contracts.errors import ErrorType
from antiphon.policy.rule import refuse
from antiphon.policy.view import Case, PolicyView, ToolView, Verdict

# A yes to a question of these rules is deliberate, on the screen, and holds for one call.
ONE_CALL_RULES = frozenset(
    {"leak.private", "untrusted.call", "untrusted.destination", "untrusted.values"}
)


def plan(case: Case, _tool: ToolView, view: PolicyView) -> Verdict | None:
    """Refuse a tool that the person's request does not need, where a turn is held to those that it
    does."""
    planned = view.planned
    if planned is None or case.nested is not None or case.approved or case.name in planned:
        return None
    return refuse(
        "plan",
        ErrorType.UNAVAILABLE,
        f"What the user asked for does not need {case.name}, and only tools that it needs may be "
        "called. If it does need it, ask the user to say so.",
    )


def leak(case: Case, tool: ToolView, _view: PolicyView) -> Verdict | None:
    """Refuse to send secrets outside; note where a person has to be asked about private data."""
    origins = case.origins
    if origins is None or not tool.definition.outside:
        return None
    if origins.secret:
        places = ", ".join(origins.secret)
        return refuse(
            "leak.secret",
            ErrorType.AUTH,
            f"{case.name} talks to the outside, and its arguments have a secret in them "
            f"({places}). Secrets do not leave. Call it without.",
            errors=[
                {"pointer": at, "message": "has a secret in it", "expected": "no secret"}
                for at in origins.secret
            ],
        )
    if origins.private and not tool.definition.writes:
        want(case, "leak.private")
    return None


def untrusted(case: Case, tool: ToolView, view: PolicyView) -> Verdict | None:
    """Note that a person has to be asked about a call that text of others may have led to: in a
    conversation that has read such text and can come by private data, a call that changes something
    or talks to the outside goes on by itself only where the person's own request needs the tool,
    all values are theirs or of trusted data, and nothing goes to where nothing went before.
    A read needs no request of its own: with such values it gives nothing away."""
    origins, definition = case.origins, tool.definition
    acts = definition.writes or definition.outside
    if acts and origins is not None and origins.read and origins.reaches:
        if origins.new:
            want(case, "untrusted.destination")
        elif origins.doubtful:
            want(case, "untrusted.values")
        elif definition.writes and not origins.planned:
            want(case, "untrusted.call")
    if case.name in view.policy.ask_after_reading and (
        # A call that another call makes was not decided on by the model in view of the person.
        case.nested is not None or view.exposure.untrusted
    ):
        want(case, "untrusted.call")
    return None


def want(case: Case, rule: str) -> None:
    """Note that a person has to be asked: the stricter question, whatever else wants one."""
    if not case.approved and case.question not in ONE_CALL_RULES:
        case.question = rule

"""Two rules: one refuses, one has a person asked."""

from antiphon import ErrorType
from antiphon.policy import Case, PolicyView, Rule, ToolView, Verdict, ask, refuse


def quiet(case: Case, tool: ToolView, view: PolicyView) -> Verdict | None:
    if case.name == "shout" and view.mode == "voice":
        return refuse("acme.quiet", ErrorType.MODE_RESTRICTED, "Nobody shouts in a conversation.")
    return None


def payroll(case: Case, tool: ToolView, view: PolicyView) -> Verdict | None:
    return ask("acme.payroll") if "payroll" in str(case.args) else None


QUIET = Rule("acme.quiet", "Quiet", "Nobody shouts in a spoken conversation.", quiet, after="mode")
PAYROLL = Rule("acme.payroll", "Payroll", "A person has approved what is about payroll.", payroll)

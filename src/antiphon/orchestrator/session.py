"""Sessions: one conversation's pinned tools, turn, running calls and channel to the person."""

from __future__ import annotations

import copy
import inspect
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Mapping
from datetime import datetime, tzinfo
from difflib import get_close_matches
from math import inf
from typing import TYPE_CHECKING, Any

from antiphon.contracts import Envelope, Principal, ToolCall, failure, make_meta
from antiphon.contracts.definition import FurtherModes, Mode
from antiphon.contracts.limits import LimitSubject, subject_of
from antiphon.contracts.metering import CapWarning, Payer, payer_of
from antiphon.contracts.person_messages import SpendingWarning
from antiphon.contracts.principal import PrincipalRefused
from antiphon.contracts.session_data import SessionData, session_data
from antiphon.orchestrator.audit import AuditedSession, known_by, redacted
from antiphon.orchestrator.call_frame import CallFrame
from antiphon.orchestrator.call_records import CallRecord, outcome_unknown
from antiphon.orchestrator.client_call import RunInClient
from antiphon.orchestrator.dispatch import dispatch
from antiphon.orchestrator.grants import GrantScope
from antiphon.orchestrator.listeners import Listeners
from antiphon.orchestrator.pending_confirmation import AnswerOutcome
from antiphon.orchestrator.plan import Plan, make_plan
from antiphon.orchestrator.preview.times import find_zone
from antiphon.orchestrator.principals import (
    CURRENT_SECONDS,
    UNKNOWN_RIGHTS,
    principal_origin,
    stored_principal,
)
from antiphon.orchestrator.reading import note_answer
from antiphon.orchestrator.session_state import SessionState, create_state_controller
from antiphon.orchestrator.value_sources import SaidText, own_words
from antiphon.policy import Policy, PolicyView, TurnCounters, Verdict
from antiphon.policy.rules import is_hidden
from antiphon.registry.registry import Declarations, Snapshot
from antiphon.secrecy.crash_output import mask_in_logs
from antiphon.secrecy.privacy import ConversationPrivacy, PrivacyRules

if TYPE_CHECKING:
    from antiphon.orchestrator.orchestrator import Orchestrator

logger = logging.getLogger(__name__)

Channel = Callable[[dict[str, Any]], Awaitable[None] | None]
Taken = Callable[[], None]

MAX_RECORDS = 64
MAX_SAID = 100  # utterances
MAX_KEPT_MESSAGES = 100
MAX_IDS = 1000
_OWN_FIELDS = (
    *("id", "user", "mode", "provider", "profile", "organisation", "roles", "authenticated"),
)


class Session:
    """One conversation with its pinned tools, made by `Orchestrator.session`. All methods belong on
    the event loop that made it."""

    __slots__ = (
        "audited",
        "by_hash",
        "calls",
        "channel",
        "checked_at",
        "conversation_id",
        "counted",
        "created_at",
        "decision_listeners",
        "history",
        "id",
        "ids",
        "kept",
        "late",
        "late_listeners",
        "mismatch_logged",
        "mode",
        "orchestrator",
        "planned",
        "principal",
        "privacy",
        "profile",
        "provider",
        "recent",
        "rights_listeners",
        "roles",
        "run_in_client",
        "running",
        "said",
        "shared",
        "snapshot",
        "state",
        "toolset",
        "undelivered",
        "unreported",
        "user",
        "view",
    )

    def __init__(
        self,
        orchestrator: Orchestrator,
        *,
        id: str,
        user: str,
        mode: Mode,
        snapshot: Snapshot,
        provider: str | None,
        profile: str | None,
        roles: Iterable[str],
        authenticated: bool,
        fields: Mapping[str, Any],
        channel: Channel | None,
        policy: Policy,
        toolset: frozenset[str] | None,
        modes: FurtherModes | None = None,
        shared: bool = False,
        principal: Principal | None = None,
    ) -> None:
        self.orchestrator = orchestrator
        self.id = id
        self.conversation_id = id  # another session's where it goes on with that one
        self.user = user
        self.mode: Mode = mode
        self.provider = provider
        self.profile = profile
        self.principal = principal
        self.roles = tuple(roles) if principal is None else principal.roles
        self.shared = shared  # by callers who do not know of each other
        # Whose limits its calls count against; None: nobody's.
        self.counted = subject_of(principal)
        if principal is None and authenticated:
            whose = str(fields.get("organisation") or "")
            self.counted = LimitSubject(user, whose, self.roles)
        self.snapshot = snapshot
        # What the model may call by itself; a tool that it calls may call any other.
        self.toolset = toolset
        self.state: SessionState = create_state_controller(mode, self._log_intent)
        self.view = PolicyView(
            mode,
            policy,
            {
                "id": id,
                "user": user,
                "mode": mode,
                "provider": provider,
                "profile": profile,
                "roles": self.roles,
                "organisation": "" if principal is None else principal.organisation,
                "authenticated": authenticated or principal is not None,
                **fields,
                "data": session_data(fields.get("data")),
            },
            orchestrator.environment,
            self._nearest,
            orchestrator.rules,
        )
        self.view.modes = modes or {}
        self.view.rights = None if principal is None else principal.rights
        self.checked_at = orchestrator.monotonic()  # when the principal was seen to be current
        self.audited = AuditedSession(id, user, mode, snapshot.version, principal)
        self.privacy: ConversationPrivacy | None = None
        self.channel = channel
        # Runs a tool in the person's browser; None while none is connected.
        self.run_in_client: RunInClient | None = None
        self.decision_listeners: Listeners[ToolCall, Verdict] = Listeners()
        self.late_listeners: Listeners[ToolCall, Envelope] = Listeners()
        self.rights_listeners: Listeners[[]] = Listeners()  # the principal may do other things now
        self.created_at = orchestrator.now()
        self.calls = 0
        # These stay empty in most sessions most of the time; ten thousand idle ones must be cheap.
        self.recent: dict[str, CallRecord] = {}
        self.by_hash: dict[str, CallRecord] = {}
        self.running: dict[str, CallRecord] = {}
        # Writes whose outcome the model was not given yet, by tool and arguments: in any turn, the
        # same call is that one.
        self.undelivered: dict[tuple[str, bytes], CallRecord] = {}
        # What the person said, in their own words, oldest first; the plan of it, once it is wanted.
        self.said: tuple[SaidText, ...] = ()
        self.planned: Plan | None = None
        if policy.only_planned:
            self.hold_to_plan()
        self.ids: dict[str, int] = {}  # of the model's calls, each with the turn of its first use
        self.history: deque[TurnCounters] = deque(maxlen=policy.history_turns)
        self.late: list[tuple[ToolCall, Envelope, Taken | None]] = []
        self.kept: list[tuple[dict[str, Any], Taken | None]] = []
        # Calls that the person's end was told of and whose outcome it waits for, by identity.
        self.unreported: dict[int, Verdict] = {}
        self.mismatch_logged = False

    # -- whose it is ---------------------------------------------------------------------------

    def set_principal(self, principal: Principal) -> None:
        """Replace the principal whose session it is by what they are today: roles, rights and data
        hold from the next call on, the pinned tools stay. Raises ValueError for another user."""
        if principal.user != self.user:
            raise ValueError(f"the session is {self.user!r}'s, not {principal.user!r}'s")
        if principal is not self.principal:
            self._take(principal, principal.data)
        self.checked_at = self.orchestrator.monotonic()

    async def renew_principal(self, asker: Principal | None = None) -> str | None:
        """Look up what a principal of this session may do today, unless that was done a moment ago,
        and hold it to that; return why nothing may be done in their name any more, in words. Only
        for one whose rights are known; where there is nobody to ask, they are as they were given.

        Several tokens of a user may be at work in one session: `asker` came with one of them.
        """
        asker = asker or self.principal
        if asker is None:
            return None
        try:
            principal, checked_at = await self._current(asker)
        except PrincipalRefused as refused:
            return refused.reason
        # Nothing is awaited from here to the decision on a call.
        if principal is not self.principal:
            self._take(principal, self.data)
        self.checked_at = checked_at
        return None

    async def _current(self, asker: Principal) -> tuple[Principal, float]:
        """A principal as of today, and when that was seen. Raises PrincipalRefused."""
        now, own = self.orchestrator.monotonic(), self.principal
        look_up = self.orchestrator.principals
        if own is not None and own.credential == asker.credential:
            if now - self.checked_at < CURRENT_SECONDS:
                return own, self.checked_at
            if look_up is None and self.checked_at > -inf:
                return own, self.checked_at
        elif look_up is None:
            return asker, now
        if look_up is None:
            raise PrincipalRefused(UNKNOWN_RIGHTS)
        return await look_up(self.user, asker.credential), now

    def _take(self, principal: Principal, data: Mapping[str, Any]) -> None:
        view, before = self.view, self.principal
        self.principal, self.roles = principal, principal.roles
        self.counted = subject_of(principal)
        view.fields = {
            **view.fields,
            "organisation": principal.organisation,
            "roles": principal.roles,
            "authenticated": True,
            "data": data,
        }
        if (principal.rights is None) is not (view.rights is None):
            view.gates.clear()  # which rules concern a tool depends on whether there are rights
            view.nested_gates.clear()
        if principal.rights != view.rights:
            view.rights = principal.rights
            self.orchestrator.grants.rights_changed(self)
            self.rights_listeners.notify()
        if known_by(principal) != known_by(before):
            mask = self.audited.mask
            self.audited = AuditedSession(
                self.id, self.user, self.mode, self.snapshot.version, principal
            )
            self.audited.mask = mask

    def set_privacy(self, rules: PrivacyRules) -> None:
        """Have the session's personal data masked by these rules from now on. Sessions of the same
        conversation and user have the same placeholders; nobody else has them."""
        privacy = self.privacy
        if not rules and privacy is None:
            return
        if not rules:
            self.privacy = self.audited.mask = None
            return
        key = (self.conversation_id, self.user)
        known = self.orchestrator.privacies.get(key)
        if known is None or known.rules != rules:
            known = self.orchestrator.privacies[key] = ConversationPrivacy(rules)
        self.privacy = known
        self.audited.mask = known.for_audit if known.hides_from_audit else None
        if rules.log:
            mask_in_logs(known.log)

    def may_use(self, tool_id: str) -> bool:
        """Whether the person may use a tool in some way, whatever the agent may call by itself."""
        tool = self.snapshot.tools.get(tool_id)
        return tool is not None and not is_hidden(tool, self.view)

    def unusable_tools(self) -> frozenset[str]:
        """The tools that the person may not use in any mode, so that nothing is said of them."""
        rights = self.view.rights
        if rights is None:
            return frozenset()
        tools = self.snapshot.tools.items()
        return frozenset(name for name, tool in tools if not rights.may_see(tool.definition))

    def _nearest(self, name: str) -> list[str]:
        """Names of tools that may be called here and that somebody may have meant."""
        names = self.snapshot.tools if self.toolset is None else self.toolset
        return get_close_matches(name, filter(self.may_use, names), n=3)

    def set_stored_principal(self, origin: Mapping[str, Any]) -> None:
        """Take the principal of a stored session or task, whose rights are looked up before the
        first call."""
        principal = stored_principal(self.user, origin)
        if principal is not None:
            self._take(principal, self.data)
            self.checked_at = -inf

    @property
    def payer(self) -> Payer:
        """On whose account its requests are made."""
        return payer_of(self.view.fields)

    # -- what the program knows ----------------------------------------------------------------

    @property
    def data(self) -> SessionData:
        """What the program that opened the session knows of it, read-only: tenant, locale."""
        return self.view.data

    def set_data(self, data: Mapping[str, Any]) -> None:
        """Replace the session's data, from the next call on. Raises ValueError for what is no
        JSON."""
        self.view.fields = {**self.view.fields, "data": session_data(data)}

    # -- where the person is -------------------------------------------------------------------

    @property
    def time_zone(self) -> str | None:
        """The person's time zone by its IANA name, as their client has told; None if it has not."""
        zone: str | None = self.view.fields.get("time_zone")
        return zone

    @property
    def zone(self) -> tzinfo:
        """The time zone in which "tomorrow at ten" is meant."""
        return find_zone(self.time_zone or self.orchestrator.time_zone)

    def set_time_zone(self, time_zone: str | None) -> bool:
        """Set the person's time zone; None changes nothing. Return False for an unknown zone, in
        which case nothing was changed."""
        if time_zone is None:
            return True
        try:
            find_zone(time_zone)
        except ValueError:
            logger.warning("session %s: the time zone %r is not known", self.id, time_zone[:64])
            return False
        self.view.fields = {**self.view.fields, "time_zone": time_zone}
        return True

    # -- what the person wants -----------------------------------------------------------------

    def hear(self, text: str) -> None:
        """Note what the person said, in their own words and nobody else's: the values of calls are
        compared with it, and it makes a new plan of what their request needs."""
        today = datetime.fromtimestamp(self.orchestrator.now(), self.zone).date()
        self.said = (*self.said, SaidText(text, today))[-MAX_SAID:]
        self.planned = None
        self.hold_to_plan()

    def hold_to_plan(self) -> None:
        """Hold the turn to the tools that the person's request needs, where the policy says so."""
        view, policy = self.view, self.view.policy
        held = self.plan().tools | policy.pinned if policy.only_planned else None
        if (held is None) is not (view.planned is None):
            view.gates.clear()  # which rules concern a tool depends on it
            view.nested_gates.clear()
        view.planned = held

    def plan(self) -> Plan:
        """The tools that the person's request needs: fixed by their words alone, until they say
        something else."""
        if self.planned is None:
            tools = self.snapshot.tools
            names = tools if self.toolset is None else self.toolset
            offered = [tools[name].definition for name in sorted(names) if name in tools]
            said = (own_words(each.text) for each in reversed(self.said))
            self.planned = make_plan(said, offered, self.orchestrator.plan_maker)
        return self.planned

    # -- calls -----------------------------------------------------------------------------

    def dispatch(self, call: ToolCall, *, source: str = "agent") -> Awaitable[Envelope]:
        """Run one call through every gate. Always answers with an envelope, never raises (except
        when the awaiting task itself is cancelled)."""
        return dispatch(self, call, source)

    def dispatch_nested(self, call: ToolCall, frame: CallFrame) -> Awaitable[Envelope]:
        """Run a call that another call of this session makes through the same gates."""
        return dispatch(self, call, "tool", frame=frame)

    def with_unique_id(self, call: ToolCall) -> ToolCall:
        """Return the call under an id that is unique in the session. Some providers count their
        calls anew in every turn, or on every connection: an id that was used in an earlier turn is
        another call now."""
        turn, ids = self.view.turn.number, self.ids
        if not isinstance(call.id, str) or ids.setdefault(call.id, turn) == turn:
            if len(ids) > MAX_IDS:
                del ids[next(iter(ids))]
            return call
        return ToolCall(f"{call.id}~{turn}", call.name, call.args, call.client_key)

    def shown_call(self, call: ToolCall) -> ToolCall:
        """Return the call without what its tool says must not be written down."""
        tool = self.snapshot.tools.get(call.name) if isinstance(call.name, str) else None
        pointers = tool.definition.redact if tool is not None else ()
        if not pointers:
            return call
        return ToolCall(call.id, call.name, redacted(copy.deepcopy(call.args), pointers))

    def declarations(self) -> Declarations:
        """Return the declarations of the tools that the session's model may call."""
        view, offered = self.view, self.toolset
        # Who talks is heard only once the model has its tools: there, only the rule holds.
        if view.planned is not None and self.mode == "text":
            offered = view.planned if offered is None else offered & view.planned
        return self.snapshot.declarations(self.mode, view.fields, offered, view.modes, view.rights)

    def extra_modes(self) -> dict[str, Any]:
        """The modes in which tools may be called here beyond their own, for the audit."""
        modes = self.view.modes
        return {"modes": {name: list(more) for name, more in modes.items()}} if modes else {}

    def origin(self) -> dict[str, Any]:
        """Return what a task has to know of the session that its call was made in."""
        fields = self.view.fields
        return {
            "provider": self.provider,
            "profile": self.profile,
            "roles": list(self.roles),
            "authenticated": bool(fields.get("authenticated")),
            "organisation": fields.get("organisation") or "",
            **principal_origin(self.principal),
            "versions": self.snapshot.held_versions,
            "fields": {name: each for name, each in fields.items() if name not in _OWN_FIELDS},
            **({"read": self.view.exposure.to_dict()} if self.view.exposure.sources else {}),
            **self.extra_modes(),
        }

    def begin_round(self) -> None:
        """Count one more round of tool use in this turn (text agents count their rounds)."""
        self.view.turn.rounds += 1

    def end_turn(self) -> None:
        """End the turn: budgets and loops start anew; late results wait for the next."""
        hooks = self.orchestrator.hooks
        if hooks is not None:
            hooks.turn_ended(self)
        turn = self.view.turn
        self.history.append(turn)
        number = turn.number + 1
        view = self.view
        view.turn = TurnCounters(number)
        self.state.begin_turn(number)
        self.by_hash.clear()
        oldest = turn.number - view.policy.history_turns
        recent = self.recent
        while recent:  # oldest first, so this stops at the first one that is still wanted
            key = next(iter(recent))
            record = recent[key]
            if record.turn > oldest or record.state == "running":
                break
            del recent[key]
        self.orchestrator.metrics.turn_started()

    def interrupt(self) -> None:
        """Interrupt every running call because the person spoke; each does what its `interruption`
        says."""
        for record in list(self.running.values()):
            record.interrupt("interrupted")

    def cancel(self, call_id: str) -> bool:
        """Cancel a call that the provider withdrew; return False if no such call is running."""
        for record in list(self.running.values()):
            if record.call.id == call_id:
                self.mark_undelivered(record)
                record.interrupt("cancelled")
                return True
        hooks = self.orchestrator.hooks
        return hooks is not None and hooks.take_back(self, call_id)

    # -- results that come late ----------------------------------------------------------------

    def mark_undelivered(self, record: CallRecord) -> None:
        """Note that the model was not given the outcome of this call. Until it is, the same write
        is not run again, in whatever turn the model asks for it."""
        if record.tool is not None and record.tool.writes and record.canonical is not None:
            self.undelivered[record.name, record.canonical] = record
            while len(self.undelivered) > MAX_RECORDS:
                del self.undelivered[next(iter(self.undelivered))]

    def unknown_outcomes(self) -> list[tuple[ToolCall, Envelope]]:
        """Return the calls that were running when an earlier server of this session stopped, each
        with an OUTCOME_UNKNOWN envelope."""
        found = []
        for record in self.recent.values():
            if record.state != "unknown" or record.envelope is not None:
                continue
            tool = record.tool
            known = tool is not None and (
                tool.definition.idempotent
                or tool.recoverable
                or tool.definition.execution == "background"
            )
            error = outcome_unknown(record.name, repeatable=known).error or {}
            version = None if tool is None else tool.definition.version
            meta = make_meta(record.name, version, self.snapshot.version, 0)
            call = ToolCall(record.call.id or record.key, record.name, record.call.args)
            found.append((call, failure(error, meta)))
        return found

    def is_undelivered(self, call: ToolCall) -> bool:
        """Whether the model is still to be given the outcome of this call."""
        return any(record.call is call for record in self.undelivered.values())

    def mark_delivered(self, call: ToolCall) -> None:
        """Note that the model has the outcome of this call."""
        self.clear_undelivered(call)
        for entry in [each for each in self.late if each[0] is call]:
            self.late.remove(entry)
            note_answer(self, entry[0].name, entry[1])
            if entry[2] is not None:
                entry[2]()

    def clear_undelivered(self, call: ToolCall) -> None:
        """Drop the note of an undelivered outcome, so that the same call may be made anew."""
        for mark in [mark for mark, each in self.undelivered.items() if each.call is call]:
            del self.undelivered[mark]

    def queue_late_result(
        self, call: ToolCall, envelope: Envelope, taken: Taken | None = None
    ) -> None:
        """Queue a result whose call was answered before; `taken` is called when it is drained."""
        self.late.append((call, envelope, taken))
        del self.late[:-MAX_KEPT_MESSAGES]
        self.late_listeners.notify(call, envelope)

    def drain_late_results(self) -> list[tuple[ToolCall, Envelope]]:
        """Return the results of calls that were answered before they were done, each once."""
        late, self.late = self.late, []
        for call, envelope, taken in late:
            self.clear_undelivered(call)
            note_answer(self, call.name, envelope)
            if taken is not None:
                taken()
        return [(call, envelope) for call, envelope, _ in late]

    def take_pending_message(self) -> str | None:
        """Return the message that a tool queued for the model's next turn, once."""
        message: str | None = self.state.get("pending_message")
        self.state.set("pending_message", None)
        return message

    def remember(self, record: CallRecord) -> None:
        recent = self.recent
        recent[record.key] = record
        if len(recent) > MAX_RECORDS:
            for key, old in list(recent.items())[: len(recent) - MAX_RECORDS]:
                if old.state != "running":
                    del recent[key]

    # -- the person --------------------------------------------------------------------------

    async def send(self, message: dict[str, Any]) -> None:
        """Send a message to the person's channel; without one it is queued until
        `drain_messages`."""
        if self.channel is None:
            self.queue_message(message)
            return
        sent = self.channel(message)
        if inspect.isawaitable(sent):
            await sent

    def warn_of_spending(self, warning: CapWarning) -> None:
        """Tell the person that a spending cap is nearly used up."""
        message: SpendingWarning = {
            "type": "spending_warning",
            "scope": warning.scope,
            "period": warning.period,
            "message": warning.message,
            "resets_at": warning.resets_at,
        }
        self.orchestrator.spawn(self.send(dict(message)), "spending warning")

    def queue_message(self, message: dict[str, Any], taken: Taken | None = None) -> None:
        """Queue a message until the person is back; `taken` is called when it is drained."""
        self.kept.append((message, taken))
        del self.kept[:-MAX_KEPT_MESSAGES]

    def drain_messages(self) -> list[dict[str, Any]]:
        kept, self.kept = self.kept, []
        for _, taken in kept:
            if taken is not None:
                taken()
        return [message for message, _ in kept]

    def report_progress(
        self, tool_id: str, key: str, message: str, fraction: float | None, data: dict[str, Any]
    ) -> None:
        self.orchestrator.report_progress(
            self,
            {"toolId": tool_id, "key": key, "message": message, "fraction": fraction, **data},
        )

    async def confirm(
        self, id: str, token: str, approve: bool, remember: GrantScope | None = None
    ) -> Envelope:
        """Answer a confirmation as its person, from their own channel; see
        `answer_confirmation`. The envelope also says why an answer was not accepted."""
        return (await self.answer_confirmation(id, token, approve, remember)).envelope

    async def answer_confirmation(
        self,
        id: str,
        token: str,
        approve: bool,
        remember: GrantScope | None = None,
        *,
        args: dict[str, Any] | None = None,
        by: str | None = None,
        approver: Principal | None = None,
    ) -> AnswerOutcome:
        """Approve or deny a pending confirmation. With `remember` a yes holds for further calls of
        that tool, if it is among what the request offered; with `args` the call runs with these;
        `by` is who answers, where that is not the person of the session, and `approver` their
        principal, where it is known."""
        return await self.orchestrator.confirmations.answer(
            self, id, token, approve, remember, args=args, by=by, approver=approver
        )

    async def confirm_spoken(self, utterance: str) -> Envelope | None:
        """Answer a confirmation with what the person said aloud. A yes counts for the low-risk
        one whose question they heard just before (`confirmations.mark_prompted`); None if it
        answered none."""
        return await self.orchestrator.confirmations.answer_spoken(self, utterance)

    def append_audit(
        self, event: str, *, tool_id: str | None = None, details: dict[str, Any]
    ) -> None:
        """Append an audit line that is not about a call's decision."""
        if self.audited.mask is not None:
            details = self.audited.mask(details)
        self.orchestrator.store.append_audit(
            {
                "event": event,
                "at": self.orchestrator.now(),
                "sessionId": self.id,
                "user": self.user,
                **known_by(self.principal),
                "mode": self.mode,
                "turnId": self.view.turn.number,
                "toolId": tool_id,
                "registryVersion": self.snapshot.version,
                "details": details,
            }
        )

    def _log_intent(self, kind: str, problem: str | None) -> None:
        if problem is not None:
            self.append_audit("intent_refused", details={"intent": kind, "reason": problem})

    async def end(self, reason: str = "ended") -> None:
        """End the session; running calls are stopped as barge-in would stop them."""
        if not self.view.active:
            return
        self.interrupt()
        self.view.active = False
        self.state.set("is_active", False)
        await self.orchestrator.session_ended(self, reason)

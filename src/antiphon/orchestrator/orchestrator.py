"""The orchestrator: one registry, one store, the sessions on them, and what they share."""

from __future__ import annotations

import asyncio
import logging
import os
import threading
import time
from collections.abc import Callable, Coroutine, Iterable, Mapping
from functools import partial
from types import TracebackType
from typing import Any, Literal, Self
from uuid import uuid4
from weakref import WeakValueDictionary

from antiphon.contracts import ErrorType, Principal, ToolDefinition
from antiphon.contracts.definition import FurtherModes, Mode
from antiphon.contracts.limits import CallLimits, LimitScope, LimitSubject, subject_of
from antiphon.contracts.metering import Spending
from antiphon.contracts.principal import PrincipalLookup
from antiphon.contracts.provenance import Exposure
from antiphon.contracts.tasks import TaskBackend
from antiphon.contracts.version_rules import VersionRule
from antiphon.orchestrator.background import BackgroundTasks
from antiphon.orchestrator.blocks import Blocks
from antiphon.orchestrator.call_hooks import CallHooks
from antiphon.orchestrator.call_records import CallRecord
from antiphon.orchestrator.confirmations import Confirmations
from antiphon.orchestrator.context import Context
from antiphon.orchestrator.crash_recovery import CrashRecovery
from antiphon.orchestrator.grants import Grants
from antiphon.orchestrator.listeners import Listeners
from antiphon.orchestrator.metrics import Metrics
from antiphon.orchestrator.plan import PlanMaker, plan_by_words
from antiphon.orchestrator.session import Channel, Session
from antiphon.orchestrator.threads import TOOL_THREADS, ToolThreads
from antiphon.orchestrator.tool_versions import ToolVersions
from antiphon.orchestrator.tracing import Tracing
from antiphon.policy import Policy, Rule, RuleSet, Verdict, refuse
from antiphon.registry.registry import Registry, Snapshot
from antiphon.secrecy.privacy import ConversationPrivacy
from antiphon.storage import LedgerRow, SessionRow, Store
from antiphon.workers import WorkerPool

logger = logging.getLogger(__name__)

CLOSE_SECONDS = 10.0
POLL_SECONDS = 0.01
DETACHED_SECONDS = 600.0

Tasks = Callable[[Store, Callable[[], float]], TaskBackend]


class Orchestrator:
    """Use as `async with Orchestrator(registry, store=...) as orchestrator`.

    `now` and `monotonic` are the only clocks. `capabilities` are what handlers find in their
    context: `{"knowledge": …, "crm": …}` as `context.knowledge` and `context.crm`. `tasks` makes
    what runs background tools, given the store and the clock (`antiphon.tasks.TaskRunner` does);
    without it they are not available. `workers` are the processes of tools with `"isolation":
    "process"`, for whoever shares them; without it the orchestrator has its own. `threads` is how
    many handlers that are a plain `def` run at a time. `resumable` are idempotent tools whose calls
    go on as tasks when a crash has cut them short. `hooks` are functions of the program around each
    call. `principals` looks up what the principal of a session may do today: without it a session
    whose principal has rights keeps those that it was given, and one that was stored has none.
    `spending` decides about what costs money.
    `plan_maker` tells from a request which tools it needs; without one, words do.
    `versions` say who gets which of several versions of a tool; ValueError for one that is not
    there.
    """

    def __init__(
        self,
        registry: Registry,
        store: str | Store = "sqlite://",
        *,
        policy: Policy | None = None,
        rules: Iterable[Rule] = (),
        mode: Literal["development", "production"] = "production",
        capabilities: Mapping[str, Any] | None = None,
        environment: Mapping[str, str] | None = None,
        metrics: Metrics | None = None,
        tracing: Tracing | None = None,
        tasks: Tasks | None = None,
        resumable: Iterable[str] = (),
        workers: WorkerPool | None = None,
        threads: int = TOOL_THREADS,
        hooks: CallHooks | None = None,
        principals: PrincipalLookup | None = None,
        spending: Spending | None = None,
        versions: Iterable[VersionRule] = (),
        plan_maker: PlanMaker = plan_by_words,
        time_zone: str = "UTC",
        now: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.registry = registry
        self.registry_snapshot: Callable[[], Snapshot] = registry.snapshot
        self.policy = policy or Policy()
        # The built-in rules, and those further ones among them. Raises RuleError.
        self.rules = RuleSet(rules)
        self.mode = mode
        self.capabilities = checked_capabilities(capabilities or {})
        self.hooks = hooks
        self.principals = principals
        self.spending = spending  # without it nothing is counted
        self.versions = ToolVersions(versions)
        self.versions.check(registry.snapshot())
        self.environment = os.environ if environment is None else environment
        self.metrics = metrics or Metrics()
        self.tracing = tracing
        self.plan_maker = plan_maker
        self.time_zone = time_zone  # of people whose client does not say
        self.now = now
        self.monotonic = monotonic
        self.detached_ms = DETACHED_SECONDS * 1000
        self.sessions: dict[str, Session] = {}
        # By conversation and user, while a session of it is held.
        self.privacies: WeakValueDictionary[tuple[str, str], ConversationPrivacy] = (
            WeakValueDictionary()
        )
        self.progress_listeners: Listeners[Session, dict[str, Any]] = Listeners()
        self.closed = False
        self.store: Store
        self.confirmations: Confirmations
        self.grants = Grants(self)
        self.blocks = Blocks(self)
        self.background: BackgroundTasks | None = None
        # Of users and organisations; None: nobody is counted.
        self.limits: CallLimits | None = None
        self.recovery = CrashRecovery(self, resumable)
        self._own_workers = workers is None
        self.workers = workers or WorkerPool()
        self.threads = ToolThreads(threads)
        self._store_source = store
        self._make_tasks = tasks
        self._tasks: set[asyncio.Task[Any]] = set()

    # -- life --------------------------------------------------------------------------------

    async def __aenter__(self) -> Self:
        self._loop, self._thread = asyncio.get_running_loop(), threading.get_ident()
        source = self._store_source
        if isinstance(source, str):
            self.store = await asyncio.to_thread(Store.open, source, now=self.now)
        else:
            self.store = source
        lost = await self.store.recover(self._unknown)
        await self.blocks.load()
        await self.grants.load()
        self.confirmations = Confirmations(self)
        await self.confirmations.sweep()
        if self._make_tasks is not None:
            self.background = BackgroundTasks(self, self._make_tasks(self.store, self.now))
            try:
                await self.background.backend.resume()
                await self.recovery.resume(lost)
            except BaseException:
                await self.background.backend.close(0)
                raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Wait for writes under way, then close. What does not finish in time is left in the
        ledger as unknown; tasks go on with the next who opens the store."""
        self.confirmations.close()
        try:
            if self.background is not None:
                await self.background.backend.close(CLOSE_SECONDS)
            await self._ended()
            self.closed = True
            await self.store.flush()
        finally:
            self.threads.shutdown()
            if self._own_workers:
                await self.workers.close()
            if isinstance(self._store_source, str):
                await self.store.close()

    async def _ended(self) -> None:
        """Wait until all tasks are done, those as well that were started meanwhile, and no call is
        left that could not be recorded any more."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + CLOSE_SECONDS
        while self._tasks or self._stop_reads():
            left = deadline - loop.time()
            if left > 0 and self._tasks:
                await asyncio.wait(tuple(self._tasks), timeout=left)
                continue
            if left > 0:
                await asyncio.sleep(POLL_SECONDS)
                continue
            if not self._tasks:
                break
            slow = tuple(self._tasks)
            for task in slow:
                task.cancel()
            await asyncio.gather(*slow, return_exceptions=True)

    def _stop_reads(self) -> bool:
        """Stop the reads that run in their callers' tasks; return False when there are none."""
        found = False
        for session in self.sessions.values():
            for record in tuple(session.running.values()):
                if record.running is not None:
                    record.running.stop("cancelled")
                    found = True
        return found

    async def upkeep(self) -> None:
        """Do the periodic maintenance: calls of dead nodes become unknown, expired rows are
        dropped, grants and blocks that other processes changed are reloaded, expired requests are
        denied. Grants end with the rights of their users."""
        lost = await self.store.recover(self._unknown)
        await self.store.purge()
        await self.grants.load()
        await self.grants.end_lost()
        await self.blocks.load()
        await self.confirmations.sweep()
        if self.background is not None:
            await self.background.backend.resume()
            await self.recovery.resume(lost)
            await self.background.backend.purge()

    def _unknown(self, row: LedgerRow) -> dict[str, Any]:
        """The audit line of a call that a crash has cut short."""
        return {
            "event": "tool_unknown",
            "at": self.now(),
            "sessionId": row.session_id,
            "toolId": row.tool_id,
            "idempotencyKey": row.key,
            "turnId": row.turn,
        }

    def spawn(self, work: Coroutine[Any, Any, Any], name: str) -> asyncio.Task[Any]:
        """Start a task that this orchestrator owns: it is awaited when the orchestrator closes."""
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            logger.error("%s failed", task.get_name(), exc_info=task.exception())

    # -- sessions ----------------------------------------------------------------------------

    def session(
        self,
        mode: Mode,
        user: str | None = None,
        *,
        id: str | None = None,
        provider: str | None = None,
        profile: str | None = None,
        roles: Iterable[str] = (),
        authenticated: bool = False,
        fields: Mapping[str, Any] | None = None,
        data: Mapping[str, Any] | None = None,
        channel: Channel | None = None,
        policy: Policy | None = None,
        toolset: Iterable[str] | None = None,
        modes: FurtherModes | None = None,
        shared: bool = False,
        principal: Principal | None = None,
        kept_versions: Mapping[str, str] | None = None,
    ) -> Session:
        """A new session on today's tools. A blocked user gets one too, in which nothing runs.

        `policy` and `toolset` are a profile's own numbers and the tools that its agent may call;
        without them the orchestrator's policy and every tool. `modes` has, by tool, the modes in
        which it may be called beyond its own `allowedModes`. `shared` says that callers use it who
        do not know of each other. `data` is what the program knows of the session, JSON that rules
        and handlers read as `data`; ValueError for anything else. `principal` is whose session it
        is: their user, roles and organisation, the rights that every call is held to, and their
        data where none is given. `kept_versions` are those that some of its tools had already.

        Somebody without a name is somebody else in every session. Raises LimitRefused for a
        principal who has too many open ones; a session that is resumed or shared, which has an
        `id`, is not refused.
        """
        own_id = id or uuid4().hex
        counted = subject_of(principal)
        if counted is not None and self.limits is not None and id is None:
            self.limits.check_open(counted, "sessions", partial(self.count_open, counted))
        if principal is not None:
            user = user or principal.user
            if user != principal.user:
                raise ValueError(f"the principal is {principal.user!r}, not {user!r}")
            data = principal.data if data is None else data
        user = user or f"anonymous:{own_id}"
        session = Session(
            self,
            id=own_id,
            user=user,
            mode=mode,
            snapshot=self.versions.choose(self.registry_snapshot(), user, principal, kept_versions),
            provider=provider,
            profile=profile,
            roles=roles,
            authenticated=authenticated,
            fields={**(fields or {}), "data": data},
            channel=channel,
            policy=policy or self.policy,
            shared=shared,
            toolset=None if toolset is None else frozenset(toolset),
            modes=modes,
            principal=principal,
        )
        session.view.blocked_until = self.blocks.until(user) or 0.0
        session.view.approved = self.grants.granted_tools(session)
        self.sessions[session.id] = session
        self.metrics.session_started()
        return session

    def count_open(self, subject: LimitSubject, scope: LimitScope) -> int:
        """Count the open sessions of a user or an organisation in this process."""
        whose = [each.counted for each in self.sessions.values() if each.view.active]
        name = subject.name(scope)
        return sum(each is not None and each.name(scope) == name for each in whose)

    async def resume(self, id: str, **options: Any) -> Session | None:
        """Resume the session with that id, from this process or from the store; None if there is
        none.

        Calls that it made before are known again, so that a replayed one is not run twice.
        """
        session = self.sessions.get(id)
        if session is not None:
            return session
        row = await self.store.session(id)
        if row is None or row.ended_at is not None:
            return None
        rates, calls = await self.store.rates(id), await self.store.ledger(id)
        session = self.sessions.get(id)
        if session is not None:  # somebody else resumed it meanwhile
            return session
        origin = row.state.get("origin") or {}
        kept = origin.get("fields") or {}
        options = {
            "provider": row.provider or None,
            "profile": row.profile or None,
            "data": None if options.get("principal") is not None else kept.get("data"),
            **options,
        }
        if options.get("principal") is None:
            # Whoever resumes it, it reads what its own organisation knows and nothing else.
            own = {"organisation": origin.get("organisation") or ""}
            options["fields"] = {**(options.get("fields") or {}), **own}
        mode: Mode = "voice" if row.mode == "voice" else "text"
        options["kept_versions"] = origin.get("versions")
        session = self.session(mode, row.user, id=id, **options)
        if options.get("principal") is None:
            session.set_stored_principal(origin)
        session.set_time_zone(row.state.get("time_zone"))
        session.created_at = row.created_at
        session.conversation_id = row.conversation_id or id
        session.state.restore(row.state)
        if "read" in origin:
            session.view.exposure = Exposure.from_dict(origin["read"])
        # The crash may have come turns after the last save. In an earlier turn a call that comes
        # again without its id would not be known again, and would run twice.
        saved = int(row.state.get("turn", 1))
        session.view.turn.number = max([saved, *(call.turn for call in calls)])
        session.state.set("turn", session.view.turn.number)
        session.view.rates = rates
        for call in calls:
            record = CallRecord.from_row(call, session.snapshot.tools.get(call.tool_id))
            session.remember(record)
            if call.key.startswith("provider:"):
                session.ids.setdefault(call.key.removeprefix("provider:"), call.turn)
            if record.turn == session.view.turn.number:
                session.by_hash[record.hash] = record
        await self.confirmations.reopen(session)
        if self.background is not None:
            await self.background.delivery.deliver_undelivered(session)
        return session

    async def save(self, session: Session) -> None:
        """Make a session durable, so that it can be resumed after a restart."""
        await self.store.save_session(self._row(session, None))

    def forget(self, session: Session) -> None:
        """Drop a session that was saved from memory; `resume` takes it from the store again."""
        if self.sessions.get(session.id) is session:
            del self.sessions[session.id]
            lived = (self.now() - session.created_at) * 1000
            self.metrics.session_ended(lived, session.calls, session.view.turn.number)

    def _row(self, session: Session, ended_at: float | None) -> SessionRow:
        return SessionRow(
            id=session.id,
            user=session.user,
            mode=session.mode,
            provider=session.provider or "",
            profile=session.profile or "",
            registry_version=session.snapshot.version,
            state={
                **session.state.snapshot(),
                "turn": session.view.turn.number,
                "time_zone": session.time_zone,
                "origin": session.origin(),
            },
            created_at=session.created_at,
            updated_at=self.now(),
            ended_at=ended_at,
            conversation_id=session.conversation_id,
        )

    async def session_ended(self, session: Session, reason: str) -> None:
        await self.confirmations.void(session, "session ended")
        await self.grants.drop_session(session)
        self.sessions.pop(session.id, None)
        now = self.now()
        turns = session.view.turn.number
        self.metrics.context.ended(session.id)
        self.metrics.session_ended((now - session.created_at) * 1000, session.calls, turns)
        session.append_audit("session_ended", details={"reason": reason, "calls": session.calls})
        await self.store.save_session(self._row(session, now))

    def version_mismatch(self, session: Session) -> Verdict | None:
        """Check whether the registry has moved on since the session began: a refusal while
        developing, a log line in production, where the session goes on with its own tools."""
        current = self.registry_snapshot()
        if current.version == session.snapshot.version:
            return None
        words = f"the tools changed from {session.snapshot.version} to {current.version}"
        if not session.mismatch_logged:
            session.mismatch_logged = True
            logger.warning("session %s: %s", session.id, words)
            session.append_audit("registry_mismatch", details={"now": current.version})
        if self.mode == "production":
            return None
        session.view.active = False
        session.state.set("is_active", False)
        return refuse(
            "registry.version",
            ErrorType.UNAVAILABLE,
            f"This session is over: {words}. Start a new one.",
        )

    # -- users -------------------------------------------------------------------------------

    async def block(self, user: str, seconds: float, reason: str) -> float:
        """Block a user; a longer block that is in force stays. Durable before it returns."""
        return await self.blocks.add(user, seconds, reason)

    def blocked_until(self, user: str) -> float | None:
        """Return until when a user is blocked, in epoch seconds; None if they are not."""
        return self.blocks.until(user)

    # -- shared by calls ---------------------------------------------------------------------

    def count_rate(self, session: Session, definition: ToolDefinition) -> None:
        limit = definition.rate_limit
        assert limit is not None
        now = self.now()
        kept = [
            stamp
            for stamp in session.view.rates.get(definition.tool_id, ())
            if stamp > now - limit.window_ms / 1000
        ]
        kept.append(now)
        session.view.rates[definition.tool_id] = kept
        self.spawn(self.store.save_rate(session.id, definition.tool_id, kept), "rate window")

    def report_progress(self, session: Session, event: dict[str, Any]) -> None:
        """Notify the listeners of progress on the event loop, also from a handler's thread."""
        if self.progress_listeners.subscribed:
            self.on_loop(self.progress_listeners.notify, session, event)

    def on_loop(self, callback: Callable[..., None], *args: Any) -> None:
        """Call a function on the event loop: at once on the loop's thread, soon from another."""
        if threading.get_ident() == self._thread:
            callback(*args)
        else:
            self._loop.call_soon_threadsafe(callback, *args)


def checked_capabilities(capabilities: Mapping[str, Any]) -> dict[str, Any]:
    """Check that handlers can reach the capabilities by their names. Raises ValueError."""
    for name in capabilities:
        if not name.isidentifier() or name.startswith("_"):
            raise ValueError(f"a capability cannot be called {name!r}; use a name like 'crm'")
        if hasattr(Context, name) and name not in ("knowledge", "calendar", "workspace"):
            raise ValueError(f"a capability cannot be called {name!r}: context.{name} is taken")
    return dict(capabilities)

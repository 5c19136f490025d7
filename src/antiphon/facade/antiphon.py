"""Antiphon: the tools, the model and the conversations of a program behind one object."""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator, Iterable, Mapping
from contextlib import aclosing
from functools import cached_property
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from antiphon.facade.assembly import ProgramAssembly
from antiphon.facade.confirmation_answers import ConfirmationAnswers, OnConfirm, answer
from antiphon.facade.dependencies import Dependencies
from antiphon.facade.direct_call import call_tool
from antiphon.facade.model_choice import choose_model
from antiphon.facade.program_settings import read_settings
from antiphon.facade.recent_sessions import RecentSessions
from antiphon.facade.results import (
    ConfirmationQuestion,
    RunCall,
    RunError,
    RunGatherer,
    RunResult,
)
from antiphon.facade.serving import ServedProgram
from antiphon.facade.synchronous import SynchronousAntiphon
from antiphon.facade.tool_sources import ToolSource, registry_of, tool_sources
from antiphon.facade.voice_call import VoiceCall
from antiphon.orchestrator.call_hooks import AfterCall, BeforeCall, CallHooks, OnTurnEnd
from antiphon.plugins import Plugins

if TYPE_CHECKING:
    from antiphon.agents.text_turn import TextTurn
    from antiphon.config import Settings
    from antiphon.contracts.definition import Mode
    from antiphon.contracts.session_events import TextEvent
    from antiphon.openapi.document import OpenApiSpec
    from antiphon.openapi.operation_tool import Select
    from antiphon.openapi.transport import ApiAuth, AsgiApp
    from antiphon.orchestrator import Session
    from antiphon.policy import Policy, Rule
    from antiphon.providers import Provider
    from antiphon.registry import Registry

PROFILE = "app"
# How often the model goes on after questions that were answered in one run.
MOST_FOLLOW_UPS = 8
# What the context has when there are settings.
STANDARD_SERVICES = ("knowledge", "calendar", "workspace")


class Antiphon(ServedProgram):
    """Tools and a model, ready for conversations: `Antiphon(tools=[weather], model="local")`.

    `tools` are functions made tools by `antiphon.tool`, folders of tools, or a `Registry`. `model`
    is "local", the built-in one that needs no key, or a vendor with or without a model:
    "openai:gpt-4.1", "gemini", "anthropic:claude-sonnet-4-6"; or a `Provider` of one's own.
    `instructions` tell the model about its task. `policy` and `rules` govern the calls.

    `store` keeps conversations, calls and the audit: "sqlite:///agent.db", "postgresql://…".
    Without one they live in memory, and nothing stays on disk. `settings` are those of
    docs/settings.md, as a file, a mapping or an object: they bring a data folder with
    knowledge, calendar and workspace for handlers. Without them the environment alone is read,
    where the keys of the vendors are.

    `on_confirm` is asked about each call that a person has to approve, and returns whether it may
    run. Without it such a call does not run: it waits among `RunResult.confirmations`.

    `provide` maps names to factories of what handlers find in their context: `{"crm": make_crm}` is
    `context.crm`. They are opened with the application and closed in reverse.

    `before_call(call, session)` is asked about each call that is about to run, and refuses it by
    returning words; `after_call(call, envelope, session)` is told how it ended, and
    `on_turn_end(session, turn)` that a turn is over. All three may be async.

    Use it as `async with app:`. Without that, the first `run` opens it, and it is closed with the
    event loop. It can be opened again after it was closed.

    Raises RegistryError for tools with mistakes, ValueError for a model that there is not or a
    name that cannot be provided, ConfigError for the settings and RuleError for the rules.
    """

    def __init__(
        self,
        tools: Registry | ToolSource | Iterable[ToolSource] = (),
        model: str | Provider | None = None,
        *,
        instructions: str = "",
        policy: Policy | None = None,
        rules: Iterable[Rule] = (),
        store: str | None = None,
        settings: Settings | Mapping[str, Any] | str | os.PathLike[str] | None = None,
        provide: Mapping[str, Any] | None = None,
        on_confirm: OnConfirm | None = None,
        before_call: BeforeCall | None = None,
        after_call: AfterCall | None = None,
        on_turn_end: OnTurnEnd | None = None,
        voice_model: str | None = None,
    ) -> None:
        from antiphon.agents.profiles.profile import Profile, Side
        from antiphon.policy import RuleSet
        from antiphon.registry import Registry

        rules = tuple(rules)
        RuleSet(rules)  # raises for one that cannot be used
        choice = choose_model(model, Plugins())
        plugins = Plugins(providers=choice.providers, rules=rules)
        has_data = settings is not None
        sources = tool_sources(tools)
        dependencies = Dependencies(provide or {})
        self.registry = registry_of(sources)
        if not isinstance(sources, Registry):
            dependencies.check(sources, STANDARD_SERVICES if has_data else ())
        self._hooks = CallHooks(before_call, after_call, on_turn_end)
        assembly = ProgramAssembly(
            self.registry,
            read_settings(settings, plugins),
            has_data,
            Profile(
                PROFILE,
                instructions=instructions,
                text=Side(choice.backend, choice.model),
                voice=Side(choice.backend, voice_model),
            ),
            plugins,
            dependencies,
            self._hooks,
            policy,
            store,
        )
        self._answers = ConfirmationAnswers(on_confirm)
        self._recent = RecentSessions()
        super().__init__(assembly)

    @classmethod
    def from_openapi(
        cls,
        spec: OpenApiSpec,
        *,
        base_url: str | None = None,
        auth: ApiAuth | None = None,
        include: Select | None = None,
        exclude: Select = (),
        prefix: str = "",
        overrides: Mapping[str, Mapping[str, Any]] | None = None,
        tools: Iterable[ToolSource] = (),
        **options: Any,
    ) -> Self:
        """An Antiphon over an API that an OpenAPI document describes, with further `tools` beside
        its operations; `options` are those of Antiphon. `antiphon.openapi.tools_from_openapi` says
        what the others mean, and what it raises."""
        from antiphon.openapi import tools_from_openapi

        made = tools_from_openapi(
            spec,
            base_url=base_url,
            auth=auth,
            include=include,
            exclude=exclude,
            prefix=prefix,
            overrides=overrides,
        )
        return cls([*made, *tools], **options)

    @classmethod
    def from_asgi(
        cls,
        app: AsgiApp,
        *,
        spec: OpenApiSpec | None = None,
        auth: ApiAuth | None = None,
        include: Select | None = None,
        exclude: Select = (),
        prefix: str = "",
        overrides: Mapping[str, Mapping[str, Any]] | None = None,
        tools: Iterable[ToolSource] = (),
        **options: Any,
    ) -> Self:
        """An Antiphon over an ASGI application of this process, such as one of FastAPI; see
        `from_openapi` and `antiphon.openapi.tools_from_asgi`."""
        from antiphon.openapi import tools_from_asgi

        made = tools_from_asgi(
            app,
            spec=spec,
            auth=auth,
            include=include,
            exclude=exclude,
            prefix=prefix,
            overrides=overrides,
        )
        return cls([*made, *tools], **options)

    # -- its life ------------------------------------------------------------------------------

    async def __aenter__(self) -> Self:
        await self._lifetime.hold()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close it: calls under way end, the store is written. Does nothing when it is closed."""
        await self._lifetime.close()

    @property
    def is_open(self) -> bool:
        """Whether it is open, by `async with` or by an earlier run."""
        return self._lifetime.is_open

    # -- conversations -------------------------------------------------------------------------

    async def run(
        self,
        text: str | None = None,
        *,
        session: str | Session | None = None,
        user: str | None = None,
        data: Mapping[str, Any] | None = None,
    ) -> RunResult:
        """Answer one message and return what came of it. `session` is `RunResult.session_id` of an
        earlier run, whose conversation goes on; without a text the model is told what came of its
        calls since. `user` is who writes, and `data` what is known of the session: JSON that rules
        read as `view.data` and handlers as `context.session.data`, kept with the session.

        Raises RunError when the turn cannot begin or the model gives no answer, ValueError for
        data that is no JSON.
        """
        record = RunGatherer()
        async with aclosing(self.stream(text, session=session, user=user, data=data)) as events:
            async for event in events:
                record.add(event)
        await self._hooks.settled()
        return record.result(await self._waiting(record.session_id))

    async def stream(
        self,
        text: str | None = None,
        *,
        session: str | Session | None = None,
        user: str | None = None,
        data: Mapping[str, Any] | None = None,
    ) -> AsyncGenerator[TextEvent, None]:
        """Yield the events of one answer as they happen (`antiphon.contracts.session_events`). To
        stop reading stops the answer.

        Raises RunError when the turn cannot begin; what goes wrong in it is an event.
        """
        own = session if session is None or isinstance(session, str) else session.id
        for _ in range(MOST_FOLLOW_UPS):
            turn = await self._turn(text, own, user, data)
            async with aclosing(turn.session_events()) as events:
                async for event in events:
                    yield event
            if session is None or isinstance(session, str):  # else the program holds on to it
                await self._recent.use(turn.session, (await self._lifetime.opened()).text_agent)
            if not await self._answers.ask(turn.session):
                return
            text, own = None, turn.session.id

    async def _turn(
        self,
        text: str | None,
        session: str | None,
        user: str | None,
        data: Mapping[str, Any] | None,
    ) -> TextTurn:
        from antiphon.agents.text import TurnRefused
        from antiphon.providers.port import ProviderFault

        if text is not None and not isinstance(text, str):
            raise TypeError(f"A message is text, not {type(text).__name__}.")
        application = await self._lifetime.opened()
        try:
            return await application.text_agent.open(text, session_id=session, user=user, data=data)
        except TurnRefused as refused:
            raise RunError(refused.kind, refused.message) from None
        except ProviderFault as failed:
            fault = failed.fault
            raise RunError(
                fault.kind,
                fault.message,
                retryable=fault.retryable,
                retry_after=fault.retry_after,
            ) from None

    def voice(
        self,
        *,
        user: str | None = None,
        data: Mapping[str, Any] | None = None,
        session: str | None = None,
        voice: str | None = None,
        greeting: str | None = None,
    ) -> VoiceCall:
        """Return a spoken conversation, to be entered: `async with app.voice() as call`.

        `session` is the id of an earlier conversation that goes on, `voice` one of the model's
        voices, and `greeting` what the model is asked to open with.
        """
        return VoiceCall(
            self._lifetime,
            self._answers,
            user=user,
            data=data,
            conversation=session,
            voice=voice,
            greeting=greeting,
        )

    async def session(
        self,
        *,
        mode: Mode = "text",
        user: str | None = None,
        data: Mapping[str, Any] | None = None,
        id: str | None = None,
    ) -> Session:
        """Return a new session, for calls without a model or an agent of another framework; with
        the `id` of an earlier one, that one.

        Raises RunError when there is no such session.
        """
        application = await self._lifetime.opened()
        orchestrator = application.orchestrator
        if id is not None:
            found = await orchestrator.resume(id)
            if found is None:
                raise RunError("unknown", f"The session `{id}` does not exist, or has ended.")
            if data is not None:
                found.set_data(data)
            return found
        made = orchestrator.session(mode, user, profile=PROFILE, data=data)
        made.append_audit("session_started", details={"via": "program"})
        await orchestrator.save(made)
        return made

    # -- calls ---------------------------------------------------------------------------------

    async def call(
        self,
        name: str,
        args: Mapping[str, Any] | None = None,
        *,
        session: str | Session | None = None,
        user: str | None = None,
        data: Mapping[str, Any] | None = None,
        mode: Mode = "text",
        key: str | None = None,
    ) -> RunCall:
        """Call one tool without a model, through every rule. Two calls of a session with one `key`
        are the same call: the second is answered from the record.

        Raises RunError for a session that there is not. A refusal is an answer: `RunCall.error`.
        """
        if args is not None and not isinstance(args, Mapping):
            raise TypeError(f"The arguments of a call are a mapping, not {type(args).__name__}.")
        if isinstance(session, str):
            session = await self.session(id=session, data=data)
        if session is not None:
            made = await call_tool(session, name, args or {}, key, self._answers)
        else:
            own = await self.session(mode=mode, user=user, data=data)
            made = await call_tool(own, name, args or {}, key, self._answers)
            if not self._answers.questions(own):
                await own.end("done")
        await self._hooks.settled()
        return made

    async def confirm(self, id: str, approve: bool) -> RunCall:
        """Answer a question of `RunResult.confirmations`; return the call as it was run or not run.
        The model is told at the next `run` of the session.

        Raises RunError when no such question is open.
        """
        application = await self._lifetime.opened()
        orchestrator = application.orchestrator
        for row in await orchestrator.store.confirmations(status="pending", limit=10_000):
            if row.id == id:
                session = await orchestrator.resume(row.session_id)
                envelope = None if session is None else await answer(session, id, approve)
                if envelope is not None:
                    outcome = "run" if approve else "refuse"
                    return RunCall(row.tool_id, {}, envelope, None, outcome, "confirmation")
        raise RunError("unknown", f"No question with the id `{id}` is open; it may have expired.")

    # -- without await -------------------------------------------------------------------------

    @cached_property
    def sync(self) -> SynchronousAntiphon:
        """The same without `await`, for scripts and notebooks."""
        return SynchronousAntiphon(self)

    def run_sync(
        self,
        text: str | None = None,
        *,
        session: str | None = None,
        user: str | None = None,
        data: Mapping[str, Any] | None = None,
    ) -> RunResult:
        """Answer one message without `await`: `app.sync.run`."""
        return self.sync.run(text, session=session, user=user, data=data)

    async def _waiting(self, session_id: str) -> tuple[ConfirmationQuestion, ...]:
        session = (await self._lifetime.opened()).orchestrator.sessions.get(session_id)
        return () if session is None else self._answers.questions(session)

"""Application: every part of a running Antiphon, assembled from the settings."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from functools import cached_property, partial
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from antiphon.app.hidden_settings import hide_secrets
from antiphon.app.knowledge import KnowledgeOptions
from antiphon.extras import naming_extras
from antiphon.plugins import Plugins
from antiphon.secrecy.crash_output import install_redaction

if TYPE_CHECKING:
    from antiphon.access.directory import AccessDirectory
    from antiphon.access.oidc_sign_in import OidcSignIn
    from antiphon.agents.profiles import Profile
    from antiphon.agents.text import TextAgent
    from antiphon.agents.voice.recording import Recordings
    from antiphon.app.completions import Completions
    from antiphon.app.extraction import ModelExtraction
    from antiphon.app.organisations import ByOrganisation
    from antiphon.app.runtime_keys import RuntimeKeys
    from antiphon.app.speech import SpeechService
    from antiphon.config import Settings
    from antiphon.contracts import Principal
    from antiphon.knowledge.organisations import OrganisationKnowledge
    from antiphon.knowledge.service import KnowledgeService
    from antiphon.limits.limiter import Limiter
    from antiphon.mcp.manager import McpManager
    from antiphon.orchestrator import Metrics, Orchestrator
    from antiphon.orchestrator.call_hooks import CallHooks
    from antiphon.policy import Policy
    from antiphon.providers import Backends
    from antiphon.providers.local.speech_port import Manner
    from antiphon.registry import Registry
    from antiphon.secrecy.privacy import ConversationPrivacy
    from antiphon.storage import Store
    from antiphon.tool_search import ToolSearch
    from antiphon.usage.ledger import UsageLedger
    from antiphon.usage.meter import UsageMeters
    from antiphon.workers import WorkerPool
    from antiphon.workspace import Workspace
    from antiphon.workspace.calendar import Calendar
    from antiphon.workspace.images import Images
    from antiphon.workspace.playbooks import Playbooks

VOICE_PROFILE = "vox"


class Application:
    """An async context manager over the parts that the settings describe.

    With a registry, entering it opens the store and the orchestrator: tools can be called. Without
    one it only provides parts: each is made when it is first asked for, and `open_store` opens the
    store. Leaving it closes whatever was made, dependents first. It is used once, on one event
    loop; its attributes belong to the thread of that loop.

    Entering raises StoreError when the store cannot be opened, OSError when the data folder cannot
    be made, and KeyFileError when provider keys that were set at run time cannot be read, unless
    `keys_required` is False: then that is logged; MissingExtra, with the pip line, for a package
    that is not installed; RuleError for a rule among the arguments that cannot be used; PricesError
    for a file of prices that cannot be used.
    """

    orchestrator: Orchestrator
    store: Store

    def __init__(
        self,
        settings: Settings,
        registry: Registry | None = None,
        *,
        store: Store | None = None,
        audit_file: bool = False,
        metrics: Metrics | None = None,
        manner: Manner | None = None,
        knowledge: KnowledgeOptions | None = None,
        extractor: str | None = None,
        runner: asyncio.Runner | None = None,
        keys_required: bool = True,
        plugins: Plugins | None = None,
        source: str = "chat",
        policy: Policy | None = None,
        capabilities: Mapping[str, Any] | None = None,
        services: bool = True,
        hooks: CallHooks | None = None,
        profile: Profile | None = None,
        now: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.perf_counter,
    ) -> None:
        """`store` replaces the one of the settings and is closed with the rest. `audit_file`: the
        audit is also written as JSON lines beside the store. `manner` is how the built-in model
        behaves in spoken turns. `extractor` replaces the one of the settings. `runner` runs the
        loop of a synchronous command, from whose thread the extractor is then used. `plugins` are
        the providers, embedders, engines and calendars that the settings may name, and further
        rules; without it, what is built in and installed. `source` names the text agent's calls in
        the audit. `policy` are the budgets in force, and `capabilities` what handlers find in their
        context beside knowledge, calendar and workspace, which are left out without `services`.
        `hooks` are functions of the program around each call. `profile` is an agent of the
        program's own: the only one that the built-in model knows. `now` and `monotonic` are the
        clocks of the orchestrator."""
        self._clocks = now, monotonic
        self.settings = settings
        self.manner = manner
        self.audit_file = audit_file
        self._registry = registry
        self._store = store
        self._metrics = metrics
        self._knowledge = knowledge or KnowledgeOptions()
        self._extractor = extractor
        self._runner = runner
        self._keys_required = keys_required
        self.plugins = plugins or Plugins()
        self._source = source
        self._policy = policy
        self._capabilities = dict(capabilities or {})
        self._services = services
        self._hooks = hooks
        self._own_profile = profile
        self._closers = AsyncExitStack()

    # -- lifetime ------------------------------------------------------------------------------

    async def __aenter__(self) -> Self:
        install_redaction()
        hide_secrets(self.settings)
        try:
            with naming_extras():
                if self._store is not None:
                    await self.open_store()
                if self._registry is not None:
                    await self._open_orchestrator(self._registry)
        except BaseException:
            await self._closers.aclose()
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self._closers.__aexit__(kind, error, traceback)

    async def open_store(self, *, make: bool = True) -> Store:
        """Open the store, once; with `make` the data folder is made when it is not there.

        Raises StoreError, and OSError for the data folder.
        """
        if "store" not in self.__dict__:
            if self._store is None:
                from antiphon.app.store import open_store

                self._store = await asyncio.to_thread(
                    open_store, self.settings, audit_file=self.audit_file, make=make
                )
            self.store = self._store
            self._closers.push_async_callback(self.store.close)
        return self.store

    async def _open_orchestrator(self, registry: Registry) -> None:
        from antiphon.app.rules import further_rules
        from antiphon.app.workers import worker_pool
        from antiphon.contracts.version_rules import VersionRule
        from antiphon.orchestrator import Orchestrator
        from antiphon.policy import Policy
        from antiphon.tasks import TaskRunner

        settings = self.settings
        store = await self.open_store()
        # Made before the orchestrator, which is closed before them.
        standard = {"tool_search": self.tool_search, **self._standard_services()}
        capabilities = {**standard, **self._capabilities}
        resumable = _resumable_tools() if self._services else frozenset[str]()
        policy = self._policy or Policy()
        spending = self.spending
        self.workers: WorkerPool = worker_pool(settings)
        self._closers.push_async_callback(self.workers.close)
        now, monotonic = self._clocks
        self.orchestrator = await self._closers.enter_async_context(
            Orchestrator(
                registry,
                store,
                mode=settings.mode,
                policy=replace(
                    policy, ask_first=policy.ask_first | frozenset(settings.tools.ask_first)
                ),
                rules=further_rules(self.plugins),
                capabilities=capabilities,
                metrics=self.metrics,
                time_zone=self.time_zone,
                tasks=partial(TaskRunner, url=settings.tasks.url),
                resumable=resumable,
                workers=self.workers,
                threads=settings.tools.threads,
                hooks=self._hooks,
                principals=self._todays_principal,
                spending=spending,
                versions=map(VersionRule.parse, settings.tools.versions),
                now=now,
                monotonic=monotonic,
            )
        )
        await self.limiter.load()
        self.orchestrator.limits = self.limiter
        self.mcp.start()

    async def _todays_principal(self, user: str, credential: str) -> Principal:
        """The principal of a user of the directory. Raises PrincipalRefused."""
        return await self.access.todays_principal(user, credential)

    def _standard_services(self) -> dict[str, Any]:
        """Make knowledge, calendar and workspace for handlers, unless they are left out."""
        if not self._services:
            return {}
        from antiphon.knowledge.capability import SessionKnowledge

        return {
            "knowledge": SessionKnowledge(
                self.organisation_knowledge.base,
                self.extraction.extractor,
                lambda whose: self.limiter.organisation_amounts(whose).get("knowledge_bytes"),
            ),
            "calendar": self.calendars,
            "workspace": self.workspaces,
        }

    @asynccontextmanager
    async def maintained(self, warm_after: float | None = None) -> AsyncIterator[None]:
        """Run the background maintenance meanwhile: expiry, task recovery, warm-up, loop watchdog.

        `warm_after` are the seconds until models and indexes are loaded; None is as the settings
        have it: the usual delay or, without a warm-up, never.
        """
        from antiphon.app.maintenance import WARM_AFTER_SECONDS, maintenance

        usual = WARM_AFTER_SECONDS if self.settings.server.warm_up else math.inf
        delay = usual if warm_after is None else warm_after
        async with maintenance(self, delay):
            yield

    # -- parts ---------------------------------------------------------------------------------

    @property
    def registry(self) -> Registry:
        """The tools. Raises RuntimeError for an application without a registry."""
        if self._registry is None:
            raise RuntimeError("this application has no registry of tools")
        return self._registry

    @cached_property
    def access(self) -> AccessDirectory:
        """Users, roles, tokens and sign-in. Needs the store."""
        from antiphon.app.access import access_directory

        now = self._clocks[0]
        return access_directory(self.settings, self.store, clock=None if now is time.time else now)

    @cached_property
    def oidc(self) -> OidcSignIn:
        """Sign-in by the identity providers of the settings. Needs the store."""
        from antiphon.app.oidc import oidc_sign_in

        return oidc_sign_in(self.settings, self.access)

    @cached_property
    def limiter(self) -> Limiter:
        """Limits of users and organisations. Needs the store."""
        from antiphon.app.access import limiter

        now = self._clocks[0]
        return limiter(self.settings, self.store, clock=None if now is time.time else now)

    @cached_property
    def mcp(self) -> McpManager:
        """MCP servers whose tools are used. Needs the store."""
        return self.mcp_with(self._registry)

    def mcp_with(self, registry: Registry | None) -> McpManager:
        """Make the MCP servers for a registry. Needs the store."""
        from antiphon.app.mcp_servers import mcp_manager

        now = self._clocks[0]
        clock = None if now is time.time else now
        manager = mcp_manager(self.settings, self.store, registry, clock=clock)
        self._closers.push_async_callback(manager.close)
        return manager

    @cached_property
    def usage(self) -> UsageLedger:
        """The ledger of what is used and spent. Needs the store. Raises PricesError."""
        from antiphon.app.usage import usage_ledger

        now = self._clocks[0]
        clock = None if now is time.time else now
        ledger = usage_ledger(self.settings, self.store, self.metrics, clock=clock)
        self._closers.push_async_callback(ledger.close)
        return ledger

    @cached_property
    def spending(self) -> UsageMeters:
        """What sets money aside for requests to models and calls of tools. Needs the store. Raises
        PricesError."""
        from antiphon.usage.meter import UsageMeters

        return UsageMeters(self.usage)

    @cached_property
    def metrics(self) -> Metrics:
        from antiphon.orchestrator import Metrics

        return self._metrics or Metrics()

    @cached_property
    def time_zone(self) -> str:
        """The time zone of the settings, else this machine's."""
        from antiphon.workspace.calendar.times import local_zone

        return self.settings.calendar.time_zone or local_zone()

    @cached_property
    def knowledge(self) -> KnowledgeService:
        """The knowledge service of the first organisation; nothing is opened before its `base` is
        asked for."""
        from antiphon.app.knowledge import knowledge_service

        service = knowledge_service(self.settings, self._knowledge, self.plugins)
        self._closers.push_async_callback(asyncio.to_thread, service.close)
        return service

    @cached_property
    def organisation_knowledge(self) -> OrganisationKnowledge:
        """The knowledge bases of all organisations, each opened when it is asked for."""
        from antiphon.app.knowledge import knowledge_service
        from antiphon.knowledge.organisations import OrganisationKnowledge

        make = partial(knowledge_service, self.settings, self._knowledge, self.plugins)
        found = OrganisationKnowledge(self.knowledge, make)
        self._closers.push_async_callback(asyncio.to_thread, found.close)
        return found

    @cached_property
    def speech(self) -> SpeechService:
        """Speech recognition and synthesis; nothing is loaded before it is warmed."""
        from antiphon.app.speech import SpeechService

        service = SpeechService({**self.settings.speech_engines, "plugins": self.plugins})
        self._closers.push_async_callback(service.close)
        return service

    @cached_property
    def backends(self) -> Backends:
        """Model providers by name. Raises KeyFileError, see the class."""
        from antiphon.app.models import open_backends

        backends = open_backends(
            self.settings,
            knowledge=self.organisation_knowledge,
            registry=self._registry,
            speech=self.speech,
            manner=lambda: self.manner,
            keys_required=self._keys_required,
            # Who only looks, such as `antiphon doctor`, changes nothing.
            takes_over=self._keys_required or self.audit_file,
            plugins=self.plugins,
            knows_names=self._services,
            profile=self._own_profile,
        )
        self._closers.push_async_callback(backends.close)
        return backends

    @cached_property
    def keys(self) -> RuntimeKeys:
        """Provider keys that are set at run time. Needs the store."""
        from antiphon.app.runtime_keys import RuntimeKeys

        return RuntimeKeys(self.settings, self.backends, self.store)

    @cached_property
    def extraction(self) -> ModelExtraction:
        """Knowledge extraction by a model; its `extractor` is None for rules alone."""
        from antiphon.app.extraction import ModelExtraction

        name = self._extractor or self.settings.knowledge.extractor
        extraction = ModelExtraction(
            name,
            self.backends,
            self.knowledge.folder,
            runner=self._runner,
            spending=lambda: self.spending,
        )
        self._closers.push_async_callback(extraction.close)
        return extraction

    @cached_property
    def completions(self) -> Completions:
        """One-shot completions of the chosen text model."""
        from antiphon.app.completions import Completions

        def privacy_of(session: str) -> ConversationPrivacy | None:
            orchestrator = self.__dict__.get("orchestrator")
            held = orchestrator.sessions.get(session) if orchestrator is not None else None
            return None if held is None else held.privacy

        completions = Completions(self.backends, self.spending, privacy_of)
        self._closers.push_async_callback(completions.close)
        return completions

    @cached_property
    def calendar(self) -> Calendar:
        """The calendar of the settings, which the first organisation has. Needs the store."""
        from antiphon.app.calendars import open_calendar

        calendar = open_calendar(self.settings, self.store, self.plugins)
        self._closers.push_async_callback(calendar.close)
        return calendar

    @cached_property
    def calendars(self) -> ByOrganisation[Calendar]:
        """The calendar that each organisation has. Needs the store."""
        from antiphon.app.calendars import open_shared_calendar
        from antiphon.app.organisations import ByOrganisation

        others = open_shared_calendar(self.settings, self.store)
        self._closers.push_async_callback(others.close)
        return ByOrganisation(self.calendar, others)

    @cached_property
    def tool_search(self) -> ToolSearch:
        """Search among tools by what they are needed for."""
        from antiphon.app.tool_search import open_tool_search

        search = open_tool_search(self.settings)
        self._closers.push_async_callback(asyncio.to_thread, search.close)
        return search

    @cached_property
    def images(self) -> Images:
        """The image service of the settings."""
        from antiphon.app.images import open_images

        return open_images(self.settings, self.backends)

    @cached_property
    def recordings(self) -> Recordings:
        """The recordings of spoken sessions in the data folder."""
        from antiphon.agents.voice.recording import FOLDER, Recordings

        voice = self.settings.voice
        return Recordings(self.settings.data / FOLDER, on=voice.record, days=voice.record_days)

    @cached_property
    def playbooks(self) -> Playbooks:
        """Playbooks: those that ship, and people's own in the data folder."""
        from antiphon.app.workspace import open_playbooks

        playbooks = open_playbooks(self.settings)
        self._closers.push_async_callback(asyncio.to_thread, playbooks.close)
        return playbooks

    @cached_property
    def workspace(self) -> Workspace:
        """The services of the workspace, as the first organisation has them. Needs the store and a
        registry."""
        from antiphon.app.workspace import open_services

        return open_services(
            self.settings,
            self.store,
            self.registry,
            completions=self.completions,
            playbooks=self.playbooks,
            images=self.images,
        )

    @cached_property
    def workspaces(self) -> ByOrganisation[Workspace]:
        """The workspace that each organisation has. Needs the store and a registry."""
        from antiphon.app.organisations import ByOrganisation
        from antiphon.app.workspace import open_shipped_playbooks
        from antiphon.workspace import shipped_workspace

        playbooks = open_shipped_playbooks(self.settings)
        self._closers.push_async_callback(asyncio.to_thread, playbooks.close)
        ask = self.completions.ask
        others = shipped_workspace(self.workspace, self.store, ask, playbooks)
        return ByOrganisation(self.workspace, others)

    @property
    def profile(self) -> Callable[[str], Profile]:
        """Load an agent profile by name. The function raises ProfileError."""
        from antiphon.agents.profiles import load_profile

        def load(name: str) -> Profile:
            if self._own_profile is not None and name == self._own_profile.name:
                return self._own_profile
            return load_profile(name, self.settings.profiles.folder, self.plugins)

        return load

    @property
    def voice_profile(self) -> str:
        """The name of the profile that speaks when nobody is named."""
        return VOICE_PROFILE if self._own_profile is None else self._own_profile.name

    @cached_property
    def text_agent(self) -> TextAgent:
        """The text agent with the profile of the settings. Needs the orchestrator."""
        from antiphon.agents.text import TextAgent

        options: dict[str, Any] = {"default": self.settings.agent.profile, "source": self._source}
        return TextAgent(self.orchestrator, self.backends, self.profile, **options)


def _resumable_tools() -> frozenset[str]:
    from antiphon.workspace import RESUMABLE_TOOLS

    return frozenset(RESUMABLE_TOOLS)

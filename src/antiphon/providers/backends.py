"""Backends registry: configured providers, their keys, reachability probes and leases."""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar, Protocol, Self

from antiphon.contracts.events import Fault
from antiphon.plugins import BUILT_IN, TABLE, Plugins
from antiphon.providers import models
from antiphon.providers.auth import is_openai, redact_key
from antiphon.providers.faults import Vendor, fault, not_configured
from antiphon.providers.models import Mode, ModelInfo
from antiphon.providers.port import (
    Access,
    Api,
    Capabilities,
    Connection,
    Deadlines,
    Provider,
    ProviderFault,
    Setup,
)
from antiphon.providers.vendors import ProviderSpec
from antiphon.providers.voice_slices import VoiceSlices

logger = logging.getLogger(__name__)

# Backends and vendors are named as their plug-ins are; a vendor is a backend that wants a key.
Backend = str

FRESH_SECONDS = 60.0  # an answer to "is it reachable" is good for this long
PROBE_SECONDS = 3.0
IMPORT_SECONDS = 60.0


class _Vendor(Protocol):
    """What the settings say of one provider."""

    @property
    def api_key(self) -> Any: ...
    @property
    def base_url(self) -> str | None: ...
    @property
    def ca_file(self) -> Path | None: ...
    @property
    def model(self) -> str: ...
    @property
    def voice_model(self) -> str | None: ...
    @property
    def first_word_seconds(self) -> float: ...


class _Unset:
    """What the settings say of a provider that has no section in them."""

    api_key: Any = None
    base_url: str | None = None
    ca_file: Path | None = None
    model: str = ""
    voice_model: str | None = None
    first_word_seconds = 30.0


@dataclass(frozen=True, slots=True)
class _Probed:
    """Result of a probe. `trouble` is None when the provider answered."""

    at: float
    trouble: Fault | None


class Backends:
    """Every backend, by name. Providers are made on first use and live until the key changes.

    `on_change(vendor, key)` is awaited after a key was changed, by whoever keeps keys.
    `catalogue` is what is known of their models, `problem` what is wrong with the
    models.toml of the data folder.
    """

    def __init__(
        self,
        settings: object,
        data: Path | None = None,
        *,
        chosen: Backend = "local",
        saved: Mapping[Vendor, str] | None = None,
        local: Callable[[Access], Provider] | None = None,
        local_voice: Callable[[Provider], Provider] | None = None,
        local_file: str | None = None,
        voiced: Callable[[Provider], Provider] | None = None,
        plugins: Plugins | None = None,
    ) -> None:
        """`settings` is the section `providers` of the settings, or anything with an attribute for
        each provider. `chosen` is `agent.backend`, `saved` are keys that were set at run time,
        which count before those of `settings`; `local` makes the provider of the built-in model and
        `local_voice` one that hears and speaks for it. Without that it is given what was heard.
        `local_file` names the language model in a file that `local` runs, if it does.
        `voiced` makes one that hears and speaks for a model that only reads and writes."""
        self.chosen: Backend = chosen
        self.catalogue, self.problem = models.load_catalogue(data)
        self.on_change: Callable[[Vendor, str | None], Awaitable[None]] | None = None
        self._settings = settings
        self._local = local
        self._local_voice = local_voice
        self._local_file = local_file
        self._voiced = voiced
        self.plugins = plugins or Plugins()
        self.specs = provider_specs(self.plugins)
        self._keys: dict[Vendor, str | None] = {
            vendor: _plain(self._vendor(vendor).api_key) or _from_environment(self.specs[vendor])
            for vendor in self.vendors
        }
        kept = {vendor: key for vendor, key in (saved or {}).items() if vendor in self._keys}
        self._keys.update(kept)
        self._saved = set(kept)
        self._providers: dict[Api, _Lent] = {}
        self._retired: set[_Lent] = set()
        self._probed: dict[Vendor, _Probed] = {}
        self._asking: dict[Vendor, asyncio.Task[Fault | None]] = {}
        self._tasks: set[asyncio.Task[Fault | None]] = set()
        self._closed = False

    # -- what there is

    @property
    def vendors(self) -> list[Vendor]:
        """Every backend but the built-in model."""
        return [name for name in self.specs if name != "local"]

    def label(self, backend: Backend) -> str:
        return self.specs[backend].label

    def has_own_voice(self, backend: Backend) -> bool:
        """Whether its voice mode is a model that hears and speaks by itself."""
        return self.specs[backend].voice is not None

    def configured(self, backend: Backend) -> bool:
        """Tell whether a backend has a key, or needs none."""
        if backend == "local":
            return self._local is not None
        if backend not in self.specs:
            return False
        keyless = self.specs[backend].key_variable is None
        return bool(self._keys[backend]) or keyless or (backend == "openai" and self._keyless())

    def completes(self, backend: Backend) -> bool:
        """Tell whether its model goes on with any text; the built-in one calls tools only."""
        return self.configured(backend) and (backend != "local" or self._local_file is not None)

    def model(self, backend: Backend, mode: Mode) -> str | None:
        """Return the model that the settings name; None if this backend has none for this mode."""
        vendor, spec = self._vendor(backend), self.specs[backend]
        if backend == "local" and self._local_file is not None:
            return self._local_file
        if mode == "voice":
            return vendor.voice_model or spec.voice_model
        return vendor.model or spec.model

    def context_window(self, backend: Backend, model: str) -> int | None:
        """Return the tokens that a model takes; None where nobody knows, as of a provider of one's
        own."""
        try:
            return self.catalogue.facts(backend, model).context_window
        except KeyError:
            return None

    def deadlines(self, backend: Backend, usual: Deadlines | None = None) -> Deadlines:
        """How long this backend may take: as usual, but for the first word of an answer as long as
        the settings say. A server of one's own may have to load its model first."""
        usual = usual or Deadlines()
        if backend == "local":
            return usual
        vendor = self._vendor(backend)
        first = vendor.first_word_seconds
        return replace(usual, answer=first, request=usual.request - usual.answer + first)

    def provider(self, which: Api | tuple[Backend, Mode]) -> Provider:
        """The provider of an API, or of a backend and a mode. The same one until the key changes.

        Raises ProviderFault: not_configured, and the message names the variable to set.
        """
        api = self._api(*which) if isinstance(which, tuple) else which
        if api == "local-voice" and self._local_voice is None:
            api = "local"
        if self._closed:
            raise RuntimeError("the backends are closed")
        if api not in self._providers:
            self._providers[api] = _Lent(self, api, self._make(api))
        return self._providers[api]

    # -- keys

    async def set_key(self, vendor: Vendor, key: str | None, *, saved: bool = True) -> None:
        """Set a vendor's key from now on; None removes it. Conversations under way keep the old
        one. One that was not `saved` at run time is that of the settings again.

        Raises ValueError for something that cannot be a key.
        """
        key = key.strip() if key is not None else None
        if key is not None and not sendable(key):
            raise ValueError(
                f"This cannot be a key of {self.label(vendor)}: a key is one word of plain "
                "letters, digits and signs."
            )
        self._keys[vendor] = key
        (self._saved.add if saved else self._saved.discard)(vendor)
        self._probed.pop(vendor, None)
        self._asking.pop(vendor, None)  # what it finds is about the old key
        stale = [api for api in self._providers if self._backend_of(api) == vendor]
        for lent in [self._providers.pop(api) for api in stale]:
            self._retired.add(lent)
            await lent.retire()
        if self.on_change is not None:
            await self.on_change(vendor, key)

    @property
    def retired(self) -> int:
        """Providers with an old key that conversations still use."""
        return len(self._retired)

    # -- is it there

    async def probe(self, vendor: Vendor, seconds: float = PROBE_SECONDS) -> Fault | None:
        """Probe a provider now, for at most so long; return None if it answered and takes the
        key."""
        asking = self._ask(vendor, seconds)
        await asyncio.wait([asking], timeout=seconds)
        if asking.done() and not asking.cancelled():
            return asking.result()
        # What it answers later still counts, when it comes.
        trouble = fault(vendor, "timeout", f"no answer to a probe within {seconds:g} s")
        self._probed[vendor] = _Probed(time.monotonic(), trouble)
        return trouble

    def refresh(self) -> None:
        """Probe, in the background, every configured provider that was not asked for a minute."""
        for vendor in self.vendors:
            known = self._probed.get(vendor)
            old = known is None or time.monotonic() - known.at > FRESH_SECONDS
            if old and self.configured(vendor):
                self._ask(vendor, PROBE_SECONDS)

    async def status(
        self, probe: bool = False, seconds: float = PROBE_SECONDS
    ) -> list[dict[str, Any]]:
        """Return the status of every backend. With `probe` every configured one is asked first.

        `reachable` is None as long as it has not been asked.
        """
        if probe:
            asked = [vendor for vendor in self.vendors if self.configured(vendor)]
            await asyncio.gather(*(self.probe(vendor, seconds) for vendor in asked))
        return [self._status(backend) for backend in self.specs]

    # -- the end

    async def close(self) -> None:
        """Close every provider, and with it whatever its connections share."""
        self._closed = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        lent = [*self._providers.values(), *self._retired]
        self._providers.clear()
        self._retired.clear()
        for each in lent:
            await each.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()

    # -- inside

    def _make(self, api: Api) -> Provider:
        backend = self._backend_of(api)
        if backend == "local":
            if self._local is None:
                raise ProviderFault(_no_local())
            if api == "local-voice" and self._local_voice is not None:
                core = self.provider("local")
                assert isinstance(core, _Lent)
                return self._local_voice(core.inner)
            return self._local(Access(models=self.catalogue))
        if not self.configured(backend):
            raise not_configured(backend, self.specs[backend])
        spec = self.specs[backend]
        if api == spec.ears_api:
            if self._voiced is None:
                raise ProviderFault(_no_ears())
            return self._voiced(self._make(spec.apis[0]))
        key = self._keys[backend]
        vendor = self._vendor(backend)
        access = Access(
            key or None, vendor.base_url, vendor.ca_file, backend in self._saved, self.catalogue
        )
        if key and not sendable(key):
            # SDKs put it into a header, and say all of it when that fails.
            what = fault(backend, "auth", "the key holds characters no key has")
            raise ProviderFault(redact_key(what, access))
        return spec.make(api, access)

    def _vendor(self, backend: Backend) -> _Vendor:
        found: _Vendor = getattr(self._settings, backend, None) or _Unset()
        return found

    def _api(self, backend: Backend, mode: Mode) -> Api:
        spec = self.specs.get(backend)
        if spec is None:
            raise ProviderFault(_unknown(backend, self.specs))
        return spec.apis[mode == "voice"]

    def _backend_of(self, api: Api) -> Backend:
        return next(s.name for s in self.specs.values() if api in (*s.apis, s.ears_api))

    def sdk(self, api: Api) -> str | None:
        """The module that a provider of this API imports on its first use."""
        return self.specs[self._backend_of(api)].sdk

    def _keyless(self) -> bool:
        """Tell whether a server of one's own is used: such servers seldom want a key."""
        address = self._vendor("openai").base_url
        return address is not None and not is_openai(address)

    def _ask(self, vendor: Vendor, seconds: float) -> asyncio.Task[Fault | None]:
        """Return the probe that is under way, or start one. `close` cancels whatever is left of
        them."""
        if vendor not in self._asking:
            task = asyncio.create_task(self._answer(vendor, seconds), name=f"probe {vendor}")
            self._asking[vendor] = task
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        return self._asking[vendor]

    async def _answer(self, vendor: Vendor, seconds: float) -> Fault | None:
        trouble: Fault | None = None
        try:
            await self.provider((vendor, "text")).probe(seconds)
        except ProviderFault as failed:
            trouble = failed.fault
        except Exception as error:  # noqa: BLE001 - nobody may be waiting for this task
            # Its words may hold the key.
            logger.error("asking %s failed with %s", vendor, type(error).__name__)
            trouble = fault(vendor, "protocol", type(error).__name__)
        if self._asking.get(vendor) is asyncio.current_task():
            del self._asking[vendor]
            self._probed[vendor] = _Probed(time.monotonic(), trouble)
        return trouble

    def _status(self, backend: Backend) -> dict[str, Any]:
        configured = self.configured(backend)
        reachable: bool | None = None
        why: str | None = None
        if backend == "local":
            reachable = configured
            why = None if configured else _no_local().message
        elif not configured:
            reachable, why = False, not_configured(backend, self.specs[backend]).fault.message
        elif (known := self._probed.get(backend)) is not None:
            reachable = known.trouble is None
            why = known.trouble.message if known.trouble else None
        return {
            "name": backend,
            "label": self.label(backend),
            "configured": configured,
            "reachable": reachable,
            "why": why,
            "model": self.model(backend, "text"),
            "voice_model": self.model(backend, "voice"),
            "models": [model.to_dict() for model in self._models(backend)],
        }

    def _models(self, backend: Backend) -> Sequence[ModelInfo]:
        """The models that people may choose; of `local` the one that there is."""
        if backend == "local" and self._local_file is not None:
            return [ModelInfo(self._local_file, self._local_file, ("text", "voice"))]
        return self.catalogue.models(backend)

    def _gone(self, lent: _Lent) -> None:
        self._retired.discard(lent)


class _Lent(Provider):
    """Lease of a provider: it counts the open connections, so that a retired provider is closed
    after the last."""

    _imported: ClassVar[set[str]] = set()

    def __init__(self, backends: Backends, api: Api, inner: Provider) -> None:
        super().__init__(inner.access)
        self.api = api
        self._backends = backends
        self.inner = inner
        self._open = 0
        self._retired = False
        self._over = False

    def capabilities(self, model: str) -> Capabilities:
        return self.inner.capabilities(model)

    async def connect(self, setup: Setup) -> Connection:
        if self._over:  # the key was changed since the caller got hold of this one
            return await self._backends.provider(self.api).connect(setup)
        self._open += 1
        slices = None
        try:
            await self._import_sdk()
            if self.inner.is_live and setup.meter is not None:
                slices = VoiceSlices(setup.meter)
                await slices.begin()
            connection = await self.inner.connect(setup)
        except BaseException:
            if slices is not None:
                slices.end(used=False)
            await self._given_back()
            raise
        if slices is not None:
            connection.slices = slices
        connection.on_closed = self._given_back
        return connection

    async def probe(self, seconds: float) -> None:
        self._open += 1
        try:
            await self._import_sdk()
            await self.inner.probe(seconds)
        finally:
            await self._given_back()

    async def retire(self) -> None:
        """Take the provider out of use; it is closed as soon as nobody uses it."""
        self._retired = True
        if not self._open:
            await self.close()

    async def close(self) -> None:
        if not self._over:
            self._over = True
            self._backends._gone(self)
            await self.inner.close()

    async def _given_back(self) -> None:
        self._open -= 1
        if self._retired and not self._open:
            await self.close()

    async def _import_sdk(self) -> None:
        """In a thread: it may take a second or two, and conversations go on meanwhile. How long it
        takes says nothing about the provider, so it is not counted among its deadlines."""
        sdk = self._backends.sdk(self.api)
        if sdk is None or sdk in self._imported:
            return
        try:
            async with asyncio.timeout(IMPORT_SECONDS):
                await asyncio.to_thread(import_module, sdk)
        except TimeoutError:
            vendor = self._backends._backend_of(self.api)
            raise ProviderFault(fault(vendor, "timeout", f"importing {sdk}")) from None
        except ImportError:
            return  # the provider says so in words
        self._imported.add(sdk)


def provider_specs(plugins: Plugins) -> dict[str, ProviderSpec]:
    """Return every provider by name, those built in first. One that is no ProviderSpec of its own
    name is named in the log and left out."""
    found, problems = examine_providers(plugins)
    for problem in problems:
        logger.warning("%s", problem)
    return found


def examine_providers(plugins: Plugins) -> tuple[dict[str, ProviderSpec], list[str]]:
    """Return the providers that can be used, by name, and what is wrong with the others."""
    problems: list[str] = []
    built_in = [plugin for plugin in plugins.all("providers") if plugin.origin == BUILT_IN]
    found: dict[str, ProviderSpec] = {plugin.name: plugin.load() for plugin in built_in}
    for plugin, spec in plugins.usable("providers"):
        if isinstance(spec, ProviderSpec) and spec.name == plugin.name:
            found[plugin.name] = spec
        else:
            problems.append(
                f"The plug-in {plugin.name} (providers) of {plugin.origin} {plugin.version} cannot "
                "be used: it is no ProviderSpec of that name."
            )
    return found, problems


def _from_environment(spec: ProviderSpec) -> str | None:
    """The key of a plug-in; for providers that are built in the settings have read it."""
    if spec.key_variable is None or spec.name in TABLE["providers"]:
        return None
    return _plain(os.environ.get(spec.key_variable))


def _unknown(backend: Backend, known: Iterable[str]) -> Fault:
    return Fault(
        "not_configured", f"There is no backend {backend!r}; there are {', '.join(known)}."
    )


def _plain(key: Any) -> str | None:
    """Return a key from the settings as text; there it may be wrapped so that it is not printed."""
    unwrap = getattr(key, "get_secret_value", None)
    text = unwrap() if unwrap is not None else key
    return text.strip() or None if isinstance(text, str) else None


def sendable(key: str) -> bool:
    """Tell whether this can be a key: one word of printable ASCII, fit for an HTTP header."""
    return bool(key) and key.isascii() and key.isprintable() and " " not in key


def _no_ears() -> Fault:
    return Fault(
        "not_configured",
        "There are no ears and no voice here to lend to this model. Leave `voice` out: then the "
        "person's end listens and speaks.",
    )


def _no_local() -> Fault:
    return Fault(
        "not_configured",
        "There is no built-in model here. Set `agent.backend` to another provider, and that "
        "provider's key.",
    )

"""Backends factory: the model providers of the settings, the built-in model and its speech."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from antiphon.app.gguf_model import gguf_model
from antiphon.app.key_files import KeyFileError, read_keys, take_over_keys
from antiphon.app.local_model import KnownNames, local_model, usable_profiles
from antiphon.app.speech import SpeechService, voice_factories
from antiphon.providers import Backends
from antiphon.providers.backends import sendable
from antiphon.providers.local.speech_port import Manner

if TYPE_CHECKING:
    from antiphon.agents.profiles import Profile
    from antiphon.config import Settings
    from antiphon.knowledge.organisations import OrganisationKnowledge
    from antiphon.plugins import Plugins
    from antiphon.providers.faults import Vendor
    from antiphon.providers.port import Access, Provider
    from antiphon.registry import Registry

logger = logging.getLogger(__name__)


def open_backends(
    settings: Settings,
    *,
    knowledge: OrganisationKnowledge,
    registry: Registry | None,
    speech: SpeechService,
    manner: Callable[[], Manner | None],
    keys_required: bool,
    takes_over: bool,
    plugins: Plugins,
    knows_names: bool = True,
    profile: Profile | None = None,
) -> Backends:
    """Make the backends; nothing is connected or loaded before it is used.

    Without `knows_names` the built-in model looks up no names of the knowledge base. `profile` is
    the only agent that it knows; without one, every profile that ships or is configured.

    Keys that were set at run time take the place of those of the settings. Raises KeyFileError
    when they cannot be read, unless `keys_required` is False: then it is logged. With `takes_over`
    those that an earlier release has kept as they are get encrypted.
    """
    kept = _kept_keys(settings, required=keys_required, takes_over=takes_over)
    names = KnownNames(knowledge.base) if knows_names else None

    def profiles() -> dict[str, Profile]:
        if profile is not None:
            return {profile.name: profile}
        return usable_profiles(settings.profiles.folder, plugins)

    def manner_in_force() -> Manner:
        return manner() or Manner()

    file = settings.local.model
    local: Callable[[Access], Provider] = local_model(
        settings.data,
        registry,
        names,
        zone=settings.calendar.time_zone,
        profiles=profiles,
    )
    backends = Backends(
        settings.providers,
        settings.data,
        chosen=settings.agent.backend,
        saved=kept,
        local=local if file is None else gguf_model(settings.local, file),
        local_file=None if file is None else file.name,
        **voice_factories(speech, names, manner_in_force),
        plugins=plugins,
    )
    if backends.problem:
        logger.error("the shipped facts about models stay in force: %s", backends.problem)
    for vendor in kept.keys() - backends.specs.keys():
        logger.warning("the key of %s is kept, but there is no such provider", vendor)
    return backends


def _kept_keys(settings: Settings, *, required: bool, takes_over: bool) -> dict[Vendor, str]:
    try:
        read = take_over_keys if takes_over else read_keys
        kept = {vendor: key.strip() for vendor, key in read(settings).items()}
    except KeyFileError as error:
        if required:
            raise
        logger.error("keys that were set at run time are not in force: %s", error)
        return {}
    usable = {vendor: key for vendor, key in kept.items() if sendable(key)}
    for vendor in kept.keys() - usable.keys():
        logger.error(
            "a key that was set at run time is not in force: that of %s cannot be a key", vendor
        )
    return usable

"""Voice selection by a client: the profile, backend, model and voice that its `start` asks for."""

from __future__ import annotations

from typing import Any

from antiphon.agents.setup import apply_profile
from antiphon.agents.setup import session_options as options_of
from antiphon.agents.voice.selection import BROWSER_VOICE, OWN_VOICE, VoiceSelection
from antiphon.app import Application
from antiphon.contracts.events import Fault
from antiphon.orchestrator import Orchestrator, Session
from antiphon.providers import Backends, ProviderFault
from antiphon.server.ws.client_messages import ClientStart


def choose(
    start: ClientStart,
    application: Application,
    before: VoiceSelection | None = None,
    kept: tuple[str, str] = ("", ""),
) -> VoiceSelection:
    """Select what `start` asks for, else what was chosen before, else the profile's and settings'.
    `kept` are the profile and the backend that the store has of a session.

    Raises ProviderFault when the backend cannot be used, ProfileError for the profile.
    """
    name = start.profile or (before.profile.name if before else None) or kept[0]
    chosen = application.profile(name or application.voice_profile)
    backends = application.backends
    side = chosen.voice
    backend = (
        start.mode
        or (before.backend if before else None)
        or kept[1]
        or side.backend
        or backends.chosen
    )
    usable(backend, backends)
    if before is not None and before.backend != backend:
        before = None  # another's models and voices are of no use here
    model = (
        start.model
        or (before.model if before else None)
        or (side.model if side.backend in (None, backend) else None)
        or backends.model(backend, "voice")
        or backends.model(backend, "text")
        or backend
    )
    if backend == "local":  # which has one model: the built-in one, or that of `local.model`
        model = backends.model("local", "voice") or "local"
        if start.model and start.model not in ("local", model):
            raise _unknown("model", start.model, backend, [model], backends)
    voices = [voice.id for voice in backends.catalogue.voices(backend)]
    voice = (
        _asked_voice(start.voice, backend, voices, backends)
        or (before.voice if before else None)
        or (side.voice if side.voice in voices else None)
        or (voices[0] if voices else _only_voice(backend, model, backends))
    )
    return VoiceSelection(
        profile=chosen,
        backend=backend,
        model=model,
        voice=voice,
        language=start.language or (before.language if before else None) or side.language,
        system_prompt=start.system_prompt or (before.system_prompt if before else ""),
        push_to_talk=start.push_to_talk,
    )


def _asked_voice(
    voice: str | None, backend: str, voices: list[str], backends: Backends
) -> str | None:
    """The voice that `start` asks for, if it matters here. Raises ProviderFault for none there is.

    Those without a choice of voices have one of their own, and may be asked for Gemini's: clients
    that talk to several backends send one `start` to all of them.
    """
    if voice is None or voice in voices:
        return voice
    own: list[str] = []
    if backend == "local":
        own = [OWN_VOICE]
    elif not backends.has_own_voice(backend):
        own = [BROWSER_VOICE, OWN_VOICE]
    if voice in own:
        return voice
    if own and voice in {known.id for known in backends.catalogue.voices("gemini")}:
        return None
    raise _unknown("voice", voice, backend, voices or own, backends)


def _unknown(
    what: str, name: str, backend: str, known: list[str], backends: Backends
) -> ProviderFault:
    label = "The built-in model" if backend == "local" else backends.label(backend)
    return ProviderFault(
        Fault("bad_request", f"{label} has no {what} {name[:80]!r}. It has {', '.join(known)}.")
    )


def usable(backend: str, backends: Backends) -> None:
    """Raises ProviderFault with words about what is missing."""
    try:
        backends.provider((backend, "voice"))
    except ProviderFault as failed:
        if backend == "local":
            named = " or ".join(s.key_variable for s in backends.specs.values() if s.key_variable)
            failed.fault.message += f" With {named} set, start with that provider's `mode`."
        raise


def _only_voice(backend: str, model: str, backends: Backends) -> str:
    speaks = backends.provider((backend, "voice")).capabilities(model).audio
    return OWN_VOICE if speaks else BROWSER_VOICE


def session_options(choice: VoiceSelection, orchestrator: Orchestrator) -> dict[str, Any]:
    """The arguments of `Orchestrator.session` and `.resume` for a selection."""
    return options_of(orchestrator, choice.profile, choice.backend)


def apply(choice: VoiceSelection, session: Session) -> None:
    """A session that goes on with another choice than it began with."""
    apply_profile(session, choice.profile, choice.backend)

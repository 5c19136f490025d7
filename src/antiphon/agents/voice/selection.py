"""Voice selection: profile, backend, model and voice of a conversation, and its connections."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from antiphon.agents.profiles import Profile
from antiphon.agents.setup import NOTHING_KNOWN, KnownDoings, instructions, model_setup
from antiphon.agents.turn_tools import standing_tools
from antiphon.contracts.events import HistoryTurn
from antiphon.orchestrator import Session
from antiphon.providers import Backends, Provider, Setup

# The person's browser listens and speaks where the model does not.
BROWSER_VOICE = "browser"
# The voice of a backend that speaks by itself and has no choice of voices, and of this server where
# it listens and speaks for a model that does neither.
OWN_VOICE = "built-in"


@dataclass(frozen=True, slots=True)
class VoiceSelection:
    """The profile, backend, model and voice of a conversation. A later `start` may choose anew."""

    profile: Profile
    backend: str
    model: str
    voice: str
    language: str | None = None
    system_prompt: str = ""
    push_to_talk: bool = False


def provider_of(choice: VoiceSelection, backends: Backends) -> Provider:
    """The provider of a selection. Raises ProviderFault."""
    ears = backends.specs[choice.backend].ears_api
    if ears is not None and choice.voice == OWN_VOICE:
        return backends.provider(ears)
    return backends.provider((choice.backend, "voice"))


def setups(
    choice: VoiceSelection,
    session: Session,
    backends: Backends,
    doings: KnownDoings = NOTHING_KNOWN,
) -> Callable[[str | None, list[HistoryTurn]], Setup]:
    """Gives the setup of a connection for a handle of the provider and what was said so far."""

    def setup(resume: str | None, history: list[HistoryTurn]) -> Setup:
        # Anew for each connection: it says what time it is.
        tools = standing_tools(session, choice.profile, history)
        prompt = instructions(
            session,
            choice.profile,
            awareness=doings.prompt,
            extra=choice.system_prompt,
            tools=tools,
        )
        return model_setup(
            session,
            choice.profile,
            choice.model,
            prompt,
            history=history,
            tools=tools,
            resume=resume,
            reports=doings.reports,
            window=backends.context_window(choice.backend, choice.model),
            voice=None if choice.voice in (BROWSER_VOICE, OWN_VOICE) else choice.voice,
            language=choice.language,
            search=choice.backend == "gemini",
            manual_activity=choice.push_to_talk,
            deadlines=backends.deadlines(choice.backend),
        )

    return setup

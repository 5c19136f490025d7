"""From a profile to a session and to the setup of a model: the same for text and for voice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from antiphon.agents.profiles import Profile
from antiphon.agents.prompt import Prompt, compose
from antiphon.contracts.definition import Mode
from antiphon.contracts.events import HistoryTurn
from antiphon.orchestrator import Orchestrator, Session
from antiphon.providers.port import Setup


def session_options(orchestrator: Orchestrator, profile: Profile, backend: str) -> dict[str, Any]:
    """What `Orchestrator.session` and `resume` need to know of the profile."""
    return {
        "provider": backend,
        "profile": profile.name,
        "policy": profile.policy(orchestrator.policy),
        "toolset": profile.tools,
    }


def open_session(
    orchestrator: Orchestrator, mode: Mode, profile: Profile, backend: str, **options: Any
) -> Session:
    """A new session with the profile's tools and budgets."""
    return orchestrator.session(mode, **session_options(orchestrator, profile, backend), **options)


def instructions(
    session: Session, profile: Profile, *, awareness: str = "", extra: str = ""
) -> Prompt:
    """What the model of a session is told, counted in the metrics."""
    prompt = compose(
        session.mode,
        session.snapshot,
        profile,
        session=session.view.fields,
        budget=session.view.budget,
        awareness=awareness,
        extra=extra,
    )
    session.orchestrator.metrics.set_context(
        system_prompt_tokens=prompt.tokens, tool_decl_tokens=prompt.declarations
    )
    return prompt


def model_setup(
    session: Session,
    profile: Profile,
    model: str,
    prompt: Prompt,
    *,
    history: Sequence[HistoryTurn] = (),
    resume: str | None = None,
    **more: Any,
) -> Setup:
    """How to connect to the model. `more` are further fields of Setup, such as `voice`."""
    side = profile.side(session.mode)
    fields = {"voice": side.voice, "language": side.language, **more}
    return Setup(
        model,
        instructions=prompt.text,
        tools=session.declarations(),
        history=history,
        resume=resume,
        # Nobody waits in silence for a second try.
        retries=0 if session.mode == "voice" else 2,
        **{name: value for name, value in fields.items() if value is not None},
    )

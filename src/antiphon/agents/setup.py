"""Session set-up from a profile: options, system prompt and model setup for text and voice."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from antiphon.agents.notes import pages_note
from antiphon.agents.profiles import Profile
from antiphon.agents.prompt import SystemPrompt, compose
from antiphon.agents.turn_tools import TurnTools, all_tools, standing_tools
from antiphon.contracts import ToolError
from antiphon.contracts.definition import Mode
from antiphon.contracts.events import HistoryTurn, UserTurn
from antiphon.contracts.metering import Meter
from antiphon.contracts.provenance import Marks, ReadSource
from antiphon.orchestrator import Orchestrator, Session
from antiphon.orchestrator.context import session_capability
from antiphon.providers.port import Setup

logger = logging.getLogger(__name__)


def session_options(
    orchestrator: Orchestrator, profile: Profile, backend: str | None
) -> dict[str, Any]:
    """Return the options of `Orchestrator.session` and `resume` that follow from the profile."""
    return {
        "provider": backend,
        "profile": profile.name,
        "policy": profile.policy(orchestrator.policy),
        "toolset": profile.toolset(orchestrator.registry_snapshot()),
        "modes": profile.modes,
    }


def open_session(
    orchestrator: Orchestrator, mode: Mode, profile: Profile, backend: str | None, **options: Any
) -> Session:
    """Open a new session with the profile's tools and budgets."""
    return orchestrator.session(mode, **session_options(orchestrator, profile, backend), **options)


def apply_profile(session: Session, profile: Profile, backend: str) -> None:
    """Apply a profile as it is today, and the backend that answers now, to a session that goes on,
    also to one that was opened without a profile."""
    session.profile, session.provider = profile.name, backend
    session.toolset = profile.toolset(session.snapshot)
    view = session.view
    view.modes = profile.modes
    view.policy = profile.policy(session.orchestrator.policy)
    view.budget = view.policy.budget(session.mode)
    session.hold_to_plan()
    view.fields = {**view.fields, "profile": profile.name, "provider": backend}
    session.set_privacy(profile.privacy)


@dataclass(frozen=True, slots=True)
class KnownDoings:
    """What the workspace knows of the person's doings: in its own words, for the instructions, and
    what pages reported in theirs, which never stands there."""

    prompt: str = ""
    reports: str = ""


NOTHING_KNOWN = KnownDoings()


async def awareness_of(session: Session) -> KnownDoings:
    """Return what the workspace knows of the person's doings; nothing where there is no workspace.
    A conversation begins without it rather than not at all."""
    given = session.orchestrator.capabilities.get("workspace")
    workspace = session_capability(session, given)
    try:
        awareness = getattr(workspace, "awareness", None)
        if awareness is None:
            return NOTHING_KNOWN
        return KnownDoings(
            await awareness.prompt(session.user), await awareness.reports(session.user)
        )
    except ToolError as error:
        logger.warning("session %s begins without awareness: %s", session.id, error)
        return NOTHING_KNOWN


def instructions(
    session: Session,
    profile: Profile,
    *,
    awareness: str = "",
    extra: str = "",
    tools: TurnTools | None = None,
) -> SystemPrompt:
    """Compose the system prompt of a session, and count its tokens in the metrics. `tools` are
    those of the turn, where they are not all that there are."""
    tools = tools or standing_tools(session, profile)
    prompt = compose(
        session.mode,
        session.snapshot,
        profile,
        session=session.view.fields,
        rights=session.view.rights,
        budget=session.view.budget,
        awareness=awareness,
        extra=extra,
        now=datetime.fromtimestamp(session.orchestrator.now(), session.zone),
        lists_tools=session.provider != "local",
        tools=tools,
    )
    session.orchestrator.metrics.set_context(system_prompt_tokens=prompt.tokens)
    return prompt


def note_start(session: Session, prompt: SystemPrompt, model: str, **details: Any) -> None:
    """Write the start of a session to the audit and the log, with the size of its context."""
    estimate = prompt.estimate()
    logger.info(
        "[Context] session %s starts with ~%d tokens: system prompt ~%d, declarations of %d tools "
        "~%d",
        session.id,
        estimate["sessionInitTokens"],
        estimate["systemPromptTokens"],
        len(session.declarations().declared("local")),
        estimate["toolDeclTokens"],
    )
    session.append_audit(
        "session_started",
        details={
            "backend": session.provider,
            "model": model,
            "tokens": estimate,
            **details,
            **session.extra_modes(),
        },
    )


def meter_of(session: Session, model: str) -> Meter | None:
    """Return the meter of a session's requests to the model that answers in it; None where nothing
    is counted."""
    spending = session.orchestrator.spending
    if spending is None:
        return None
    backend = session.provider or ""
    return spending.meter(backend, model, lambda: session.payer, session.warn_of_spending)


def _with_reports(
    session: Session, history: Sequence[HistoryTurn], reports: str
) -> list[HistoryTurn]:
    """Put what pages have reported before what was said, on the person's side of it."""
    turn = session.view.turn.number
    session.view.exposure.add(
        ReadSource("", "what pages have reported", Marks("untrusted", "private"), turn)
    )
    note = pages_note(reports)
    match list(history):
        case [UserTurn(text), *rest]:
            return [UserTurn(f"{note}\n\n{text}"), *rest]
        case rest:
            return [UserTurn(note), *rest]


def model_setup(
    session: Session,
    profile: Profile,
    model: str,
    prompt: SystemPrompt,
    *,
    history: Sequence[HistoryTurn] = (),
    resume: str | None = None,
    window: int | None = None,
    tools: TurnTools | None = None,
    reports: str = "",
    **more: Any,
) -> Setup:
    """How to connect to the model. `window` is its context window in tokens, where it is known;
    `tools` are those of the turn, where they are not all that there are; `reports` are what pages
    reported, text of others; `more` are further fields of Setup, such as `voice`."""
    if reports and not resume and session.provider != "local":  # that one reads what is said alone
        history = _with_reports(session, history, reports)
    # Nobody waits in silence for a second try.
    more.setdefault("retries", 0 if session.mode == "voice" else 2)
    more.setdefault("language", profile.side(session.mode).language)
    session.orchestrator.metrics.context.started(
        session.id, model, prompt.tokens + prompt.declarations, window
    )
    return Setup(
        model,
        instructions=prompt.text,
        tools=tools or all_tools(session),
        elsewhere=session.snapshot.declarations(
            "text" if session.mode == "voice" else "voice",
            session.view.fields,
            session.toolset,
            session.view.modes,
            session.view.rights,
        ),
        history=history,
        resume=resume,
        organisation=session.view.fields.get("organisation") or "",
        unusable=session.unusable_tools(),
        zone=session.zone,
        meter=meter_of(session, model),
        **more,
    )

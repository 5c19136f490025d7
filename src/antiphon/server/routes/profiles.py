"""Agent profiles over HTTP: tools, models and turn budgets of each."""

from __future__ import annotations

from pathlib import Path

from fastapi import APIRouter
from pydantic import BaseModel, Field

from antiphon.agents.profiles import Profile, ProfileError, profiles
from antiphon.app import Application
from antiphon.contracts.definition import Mode
from antiphon.policy import Policy
from antiphon.providers import Backends
from antiphon.registry import Snapshot
from antiphon.server.dependencies import ApplicationDep, HttpSessionsDep, OrchestratorDep
from antiphon.server.scope import Scope

router = APIRouter(prefix="/api/profiles", tags=["configuration"])


class BudgetInForce(BaseModel):
    """What one turn may cost. Null is no limit."""

    retrieval_calls: int | None = Field(description="Calls that look something up.")
    total_calls: int | None = Field(description="Calls of any kind.")
    rounds: int | None = Field(description="How often the model may call tools and go on.")
    top_k: int | None = Field(description="The most results that one call may ask for.")
    tool_time_ms: float | None = Field(description="Past it the model is told to hurry.")
    write_calls: int | None = Field(description="Calls of tools that change something.")
    open_questions: int | None = Field(
        description="Confirmations that may wait for an answer at a time, and be asked in a turn."
    )


class ProfileSide(BaseModel):
    """How the profile is in writing, or by voice."""

    backend: str = Field(description="Unless a client asks for another one.", examples=["local"])
    model: str | None = Field(description="Null: this backend has none for this mode.")
    voice: str | None = Field(description="Null: the provider's first one.", examples=["Puck"])
    language: str | None
    budget: BudgetInForce


class ProfileInForce(BaseModel):
    name: str = Field(examples=["vox"])
    description: str
    tools: list[str] = Field(
        description="Those of the registry that its agent may call, tools of one's own among them."
    )
    modes: dict[str, list[Mode]] = Field(
        description="Modes in which some tools may be called beyond their own `allowedModes`."
    )
    text: ProfileSide
    voice: ProfileSide


class ProfileLimits(BaseModel):
    """The numbers that hold for every profile."""

    same_call_limit: int = Field(description="So often the same call may be made in a turn.")
    empty_result_limit: int = Field(description="So many empty results of a tool are enough.")
    nested_calls: int = Field(description="Calls that one call of the model may lead to.")
    nested_depth: int
    confirmation_seconds: float = Field(description="Then a question that nobody answers is a no.")


class BrokenProfile(BaseModel):
    name: str
    problems: list[str] = Field(description="What is wrong in its file.")


class ProfileList(BaseModel):
    profiles: list[ProfileInForce]
    default: str = Field(description="The one in writing, when nobody asks for another.")
    limits: ProfileLimits
    broken: list[BrokenProfile] = Field(description="Those that cannot be used, and why.")


@router.get("", summary="The profiles and the budgets in force")
async def list_profiles(
    application: ApplicationDep, orchestrator: OrchestratorDep, http_sessions: HttpSessionsDep
) -> ProfileList:
    folder: Path | None = application.settings.profiles.folder
    found: list[ProfileInForce] = []
    broken: list[BrokenProfile] = []
    for name in profiles(folder):
        try:
            found.append(_shown(application, application.profile(name), http_sessions.scope))
        except ProfileError as error:
            broken.append(BrokenProfile(name=name, problems=error.problems))
    policy = orchestrator.policy
    return ProfileList(
        profiles=found,
        default=application.settings.agent.profile,
        limits=ProfileLimits(
            **{name: getattr(policy, name) for name in ProfileLimits.model_fields}
        ),
        broken=broken,
    )


def _shown(application: Application, profile: Profile, scope: Scope) -> ProfileInForce:
    snapshot: Snapshot = application.registry.snapshot()
    toolset = profile.toolset(snapshot)
    usable = [name for name, tool in snapshot.tools.items() if scope.may_use(tool.definition)]
    policy = profile.policy(application.orchestrator.policy)
    backends: Backends = application.backends
    return ProfileInForce(
        name=profile.name,
        description=profile.description,
        tools=[name for name in usable if toolset is None or name in toolset],
        modes={name: list(modes) for name, modes in profile.modes.items() if name in usable},
        text=_side(profile, "text", policy, backends),
        voice=_side(profile, "voice", policy, backends),
    )


def _side(profile: Profile, mode: Mode, policy: Policy, backends: Backends) -> ProfileSide:
    side, budget = profile.side(mode), policy.budget(mode)
    backend = side.backend or backends.chosen
    return ProfileSide(
        backend=backend,
        model=side.model or backends.model(backend, mode),
        voice=side.voice,
        language=side.language,
        budget=BudgetInForce(
            **{name: getattr(budget, name) for name in BudgetInForce.model_fields}
        ),
    )

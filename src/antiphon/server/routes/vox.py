"""VOX functions and voices over HTTP, in the flat shapes that its clients know."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, ConfigDict, Field

from antiphon.agents.profiles import ProfileError
from antiphon.app import Application
from antiphon.contracts import flat_result
from antiphon.server.bodies import Body, StrictRoute, idempotency_key
from antiphon.server.dependencies import ApplicationDep, HttpSessionsDep
from antiphon.server.problems import ProblemError, check_backend, documented
from antiphon.server.scope import Scope

router = APIRouter(prefix="/api/vox", tags=["vox"], route_class=StrictRoute)

PROFILE = "vox"


class VoiceChoice(BaseModel):
    id: str = Field(examples=["Puck"])
    name: str = Field(examples=["Puck"])
    gender: str = Field(examples=["Male"])
    style: str = Field(examples=["Upbeat, lively"])


class Voices(BaseModel):
    voices: list[VoiceChoice] = Field(description="The first one is the default.")


class FunctionDeclaration(BaseModel):
    name: str = Field(examples=["search_kg"])
    description: str
    parameters: dict[str, Any] = Field(description="JSON Schema of the arguments.")


class Functions(BaseModel):
    functions: list[FunctionDeclaration]
    count: int


class FunctionBody(Body):
    model_config = ConfigDict(json_schema_extra={"example": {"args": {"query": "analytical"}}})

    args: dict[str, Any] = Field(default_factory=dict)


class FunctionOutcome(BaseModel):
    name: str
    result: dict[str, Any] = Field(
        description="`success` beside the data, or `success: false` with `error` in words and its "
        "`error_type`.",
        examples=[{"success": True, "databases": [], "count": 0}],
    )


@router.get("/voices", summary="Voices of the Live API", responses=documented(422))
async def list_voices(
    application: ApplicationDep,
    backend: Annotated[
        str,
        Query(max_length=64, description="Empty for those that have no voices to choose from."),
    ] = "gemini",
) -> Voices:
    check_backend(backend, application.backends.specs)
    found = application.backends.catalogue.voices(backend)
    return Voices(voices=[VoiceChoice.model_validate(voice.to_dict()) for voice in found])


@router.get("/functions", summary="The functions of VOX", responses=documented(503))
async def list_functions(application: ApplicationDep, http_sessions: HttpSessionsDep) -> Functions:
    scope = http_sessions.scope
    snapshot = application.orchestrator.versions.choose(
        application.registry.snapshot(), scope.user, scope.principal
    )
    found = [
        FunctionDeclaration(
            name=name,
            description=snapshot.tools[name].definition.description,
            parameters=snapshot.tools[name].definition.parameters,
        )
        for name in _names(application, scope)
    ]
    return Functions(functions=found, count=len(found))


@router.post(
    "/function/{fn_name}",
    summary="Run a function of VOX",
    description="The same path and the same rules as every call of a tool; only the shape of the "
    "answer is another. What needs a browser is refused.",
    responses=documented(422, 503),
)
async def run_function(
    application: ApplicationDep,
    http_sessions: HttpSessionsDep,
    fn_name: Annotated[str, Path(max_length=200, examples=["list_kgs"])],
    body: FunctionBody,
    idempotency_key: Annotated[
        str | None,
        idempotency_key(
            "A function that writes does it once for a key.",
        ),
    ] = None,
) -> FunctionOutcome:
    if fn_name not in _names(application, http_sessions.scope):
        error = f"Unknown server function: {fn_name}"
        return FunctionOutcome(name=fn_name, result={"success": False, "error": error})
    envelope = await http_sessions.call_shared("text", fn_name, body.args, idempotency_key)
    return FunctionOutcome(name=fn_name, result=flat_result(envelope))


def _names(application: Application, scope: Scope) -> list[str]:
    """The functions of the profile that there are tools for which a principal may use."""
    state = application
    try:
        chosen = application.profile(PROFILE).tools
    except ProfileError as error:
        raise ProblemError(503, f"The profile `{PROFILE}` cannot be used. {error}") from None
    there = state.registry.snapshot().tools
    return [
        name
        for name, tool in there.items()
        if (chosen is None or name in chosen) and scope.may_use(tool.definition)
    ]

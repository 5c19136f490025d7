"""Request and response bodies of the workspace routes."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from antiphon.server.bodies import Body

# -- awareness -------------------------------------------------------------------------------------


class AwarenessEvent(Body):
    """`page_visit` needs `page`; `error` needs `error_type` and `message`; `context` needs `key`
    and `value` (an empty one takes the key back); `error_resolved` needs `error_id`."""

    model_config = ConfigDict(
        json_schema_extra={"example": {"event_type": "page_visit", "page": "kg-studio"}}
    )

    event_type: Literal["page_visit", "error", "context", "error_resolved"]
    page: str | None = Field(default=None, max_length=200)
    error_type: str | None = Field(default=None, max_length=200)
    message: str | None = Field(default=None, max_length=20_000)
    key: str | None = Field(default=None, max_length=200)
    value: str | None = Field(default=None, max_length=2000)
    error_id: int | None = Field(default=None, ge=1, le=2**62)
    metadata: dict[str, Any] | None = None


class AwarenessTaken(BaseModel):
    success: Literal[True] = True
    visit_id: int | None = Field(default=None, description="Of a page visit.")
    error_id: int | None = Field(default=None, description="Of an error.")


class PageVisit(BaseModel):
    id: int
    page: str
    at: float = Field(description="Since when, in epoch seconds.")
    seconds: float = Field(description="How long; until now for the one that lasts.")
    current: bool
    metadata: dict[str, Any]


class PageError(BaseModel):
    id: int
    error_type: str
    message: str
    page: str = Field(description="Empty where it belongs to no page.")
    at: float
    times: int = Field(description="How often it came.")


class PageStats(BaseModel):
    page: str
    visits: int
    seconds: float


class AwarenessReport(BaseModel):
    prompt: str = Field(description="What agents are told; empty where nobody told anything.")
    reports: str = Field(description="What pages reported in words of their own, told as data.")
    recent_pages: list[PageVisit] = Field(description="The newest first, five at most.")
    unresolved_errors: list[PageError] = Field(description="The newest first, three at most.")
    page_stats: list[PageStats] = Field(description="Of the last day, the most visited first.")
    context: dict[str, str]


# -- tours -----------------------------------------------------------------------------------------


class TourSummary(BaseModel):
    page: str = Field(examples=["kg-studio"])
    name: str
    description: str
    step_count: int


class TourList(BaseModel):
    tours: list[TourSummary]
    count: int


class TourStep(BaseModel):
    target: str = Field(examples=['[data-tour="macros-list"]'], description="A CSS selector.")
    speech: str
    position: Literal["top", "bottom", "left", "right", "center"]
    highlight: bool


class Tour(BaseModel):
    page: str
    name: str
    description: str
    steps: list[TourStep]


# -- macros ----------------------------------------------------------------------------------------


class MacroBody(Body):
    """With `id` that macro is changed, else a new one is made. What a step may be is in
    docs/vox.md; every one of them is checked before anything is saved."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "name": "Good morning",
                "trigger_phrase": "good morning",
                "steps": [
                    {"function": "list_kgs", "args": {}},
                    {"function": "get_kg_analytics", "args": {}, "pipe_from": 1},
                ],
                "error_policy": "abort",
            }
        }
    )

    name: str = Field(max_length=1000)
    trigger_phrase: str = Field(max_length=1000)
    steps: list[dict[str, Any]]
    error_policy: str = Field(default="abort", description="`abort`, `skip` or `retry`.")
    id: str | None = Field(default=None, max_length=200)
    updated_at: float | None = Field(
        default=None,
        description="Of the macro as it was when the change was begun: one that was saved since is "
        "not replaced, and comes as `current` of the problem (409).",
    )


class MacroStep(BaseModel):
    function: str
    args: dict[str, Any]
    pipe_from: Any = Field(description="A number, `{step, path, to}`, a list of those, or null.")


class MacroDocument(BaseModel):
    id: str = Field(examples=["5d0c2a9e"])
    name: str
    trigger_phrase: str
    steps: list[MacroStep]
    error_policy: Literal["abort", "skip", "retry"]
    created_at: float
    updated_at: float
    step_count: int


class MacroList(BaseModel):
    macros: list[MacroDocument]
    count: int


class MacroSaved(BaseModel):
    success: Literal[True] = True
    macro: MacroDocument


class MacroDeleted(BaseModel):
    success: Literal[True] = True
    deleted: str = Field(description="The id.")


class RunBody(Body):
    dry_run: bool = Field(
        default=False, description="Only say what would be called and what would stop it."
    )


class StepResult(BaseModel):
    model_config = ConfigDict(extra="allow")

    step: int
    function: str
    success: bool
    result: dict[str, Any] | None = None
    error: str | None = None
    error_type: str | None = None


class PlannedStep(BaseModel):
    step: int
    function: str
    args: dict[str, Any] = Field(description="Piped values are shown as `<step 1: path>`.")
    outcome: Literal["run", "confirm", "refuse"]
    rule: str = Field(description="The gate that says so; `run` where none stops it.")
    message: str | None = None
    steps: list[PlannedStep] | None = Field(
        default=None, description="Of the macro that this step runs."
    )


class MacroOutcome(BaseModel):
    """`results` after a run, `steps` after a dry one."""

    success: bool = Field(description="Every step succeeded, or would not be stopped by a gate.")
    macro_id: str
    name: str
    results: list[StepResult] | None = None
    completed: int | None = None
    failed: int | None = None
    step_count: int | None = None
    summary: str | None = None
    waiting: dict[str, Any] | None = Field(
        default=None, description="The step that waits for an approval, at /api/confirmations."
    )
    dry_run: bool | None = None
    steps: list[PlannedStep] | None = None


# -- thermal ---------------------------------------------------------------------------------------


class ThermalReading(BaseModel):
    temperature: float | None = Field(description="Degrees Celsius.")
    status: Literal["normal", "hot", "very hot", "unavailable"]
    health: str | None
    percentage: float | None
    plugged: bool | None
    warning: bool
    threshold: float = Field(description="From here on it warns.")
    suggestion: str | None

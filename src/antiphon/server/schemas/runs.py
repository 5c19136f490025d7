"""Response bodies of workflows, agents and their runs."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field

from antiphon.contracts.definition import Mode
from antiphon.contracts.tasks import TaskStatus
from antiphon.server.user_folders import LeftOut

StepStatus = Literal["pending", "running", "done", "left_out", "failed", "waiting", "stopped"]


class StepDocument(BaseModel):
    id: str = Field(examples=["found"])
    title: str = Field(examples=["Search every graph"])
    tool: str | None = Field(description="The tool that it calls; null: it writes a text.")
    optional: bool = Field(description="It may fail without ending the run.")
    condition: str | None = Field(
        description="It is left out unless there is something at this path.",
        examples=["found/results"],
    )
    asks_model: bool = Field(description="A model writes the text, where one is configured.")
    asks_first: bool = Field(description="Its tool needs the person's approval.")
    known: bool = Field(description="The registry has its tool.")


class PipelineDocument(BaseModel):
    """A workflow or an agent: steps over tools that end in a written result."""

    name: str = Field(examples=["knowledge-synthesis"])
    title: str
    description: str
    input: str = Field(description="What it wants to be told, in words.")
    needs_input: bool
    tools: list[str]
    uses_model: bool
    modes: list[Mode] = Field(description="Where all of its tools may run.")
    steps: list[StepDocument]


class WorkflowList(BaseModel):
    workflows: list[PipelineDocument] = Field(description="By name.")
    count: int
    folder: str = Field(description="Where people put workflows of their own.")
    left_out: list[LeftOut]


class AgentList(BaseModel):
    agents: list[PipelineDocument] = Field(description="By name.")
    count: int
    folder: str = Field(description="Where people put agents of their own.")
    left_out: list[LeftOut]


class RunSummary(BaseModel):
    """A run is a task; GET /api/tasks/{task_id} tells of it too. Times are epoch seconds."""

    task_id: str
    session_id: str
    name: str = Field(description="Of the workflow or agent.")
    input: str
    status: TaskStatus
    waits: bool = Field(description="A step needed the person's approval, which ended the run.")
    created_at: float
    started_at: float | None
    finished_at: float | None
    resumed_from: str | None = Field(description="The run whose finished steps it took over.")


class RunList(BaseModel):
    runs: list[RunSummary] = Field(description="The newest first.")
    count: int


class RunStep(BaseModel):
    step: str
    title: str
    tool: str | None
    status: StepStatus
    error: str | None = None
    seconds: float | None = Field(default=None, description="How long it took.")
    reused: bool = Field(default=False, description="Taken over from the run before.")
    result: dict[str, Any] | None = Field(default=None, description="With `results` only.")


class EvidenceItem(BaseModel):
    id: str = Field(examples=["person:ada_lovelace"])
    title: str
    tool: str
    database_id: str | None = None


class RunDocument(RunSummary):
    attempts: int
    cancel_requested: bool
    message: str | None = Field(description="What it said last of how far it is.")
    fraction: float | None
    steps: list[RunStep]
    text: str | None = Field(description="What came of it, as Markdown.")
    by: Literal["model", "rules"] | None
    note: str | None
    evidence: list[EvidenceItem]
    error: str | None
    error_type: str | None
    waiting: dict[str, Any] | None = Field(
        description="The step that waits for an approval, with its `confirmation_request`."
    )
    can_resume: bool = Field(description="It ended before its end, and can go on from there.")


class Resumed(BaseModel):
    task_id: str = Field(description="Of the run that goes on.")
    resumed_from: str
    reused: list[str] = Field(description="The steps that are not run again.")
    warnings: list[str]

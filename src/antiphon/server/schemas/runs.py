"""Response bodies of workflows and agents, and of the runs of all automations."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field

from antiphon.contracts.definition import Mode
from antiphon.server.routes.rules import Passage
from antiphon.server.user_folders import LeftOut
from antiphon.workspace.runs.log import RunKind, RunStatus

StepStatus = Literal["pending", "running", "done", "left_out", "failed", "waiting", "stopped"]


class StepDocument(BaseModel):
    id: str = Field(examples=["found"])
    title: str = Field(examples=["Search every graph"])
    tool: str | None = Field(description="The tool that it calls; null: it writes a text.")
    args: dict[str, Any] = Field(description="What the tool is called with.")
    sources: dict[str, str] = Field(
        description="Arguments that come from the input or an earlier step: the path of each.",
        examples=[{"query": "input/query"}],
    )
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


class AutomationRun(BaseModel):
    """One run of a macro, workflow or agent. Times are epoch seconds."""

    id: str = Field(examples=["9b1f4e775f0c2a9e0d9c2b8e6a1b7d4c"])
    kind: RunKind
    name: str = Field(description="The workflow's or agent's name, or the macro's id.")
    title: str
    input: str = Field(description="What it was told; in a list the first 300 characters.")
    status: RunStatus
    error: str | None
    created_at: float
    finished_at: float | None
    resumed_from: str | None = Field(description="The run whose finished steps it took over.")
    schedule_id: str | None = Field(description="The schedule that began it.")


class AutomationRunPage(BaseModel):
    runs: list[AutomationRun] = Field(description="The newest first.")
    next_before: str | None = Field(
        description="Ask with this as `before` for those that are older; null when there are none."
    )


class RunStepDocument(BaseModel):
    step: str
    title: str
    tool: str | None
    status: StepStatus
    error: str | None = None
    seconds: float | None = Field(default=None, description="How long it took.")
    tries: int = 1
    reused: bool = Field(default=False, description="Taken over from the run before.")
    args: dict[str, Any] | None = Field(
        default=None, description="With `details`: without what is to be kept secret."
    )
    result: Any = Field(default=None, description="With `details`; kept for a week.")
    gates: list[Passage] = Field(default=[], description="With `details`: its way to a decision.")


class EvidenceItem(BaseModel):
    id: str = Field(examples=["person:ada_lovelace"])
    title: str
    tool: str
    database_id: str | None = None


class RunEventDocument(BaseModel):
    at: float
    event: str = Field(
        description="`run_started`, `step_started`, `step_retried`, `step_finished`, "
        "`step_reused` or `run_finished`."
    )
    step: str = Field(description="Empty: it is about the run as a whole.")
    details: dict[str, Any]


class AutomationRunDocument(AutomationRun):
    session_id: str
    attempts: int = Field(description="How often it was begun; more than once after a crash.")
    stop_requested: bool
    steps: list[RunStepDocument]
    events: list[RunEventDocument]
    text: str | None = Field(description="What came of it, as Markdown.")
    by: Literal["model", "rules"] | None
    note: str | None
    evidence: list[EvidenceItem]
    error_type: str | None
    waiting: dict[str, Any] | None = Field(
        description="The step that waits for an approval, with its `confirmation_request`."
    )
    can_resume: bool = Field(description="It ended before its end, and can go on from there.")


class RunStarted(BaseModel):
    id: str = Field(description="Of the run.")


class RunResumed(RunStarted):
    resumed_from: str
    reused: list[str] = Field(description="The steps that are not run again.")
    warnings: list[str]

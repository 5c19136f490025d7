"""Workflow templates, one JSON file each: steps over tools that end in a written result."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from antiphon.workspace.definitions import DefinitionFiles, parse_json
from antiphon.workspace.runs.journal import RunJournal
from antiphon.workspace.runs.pipeline_runs import PipelineCatalogue
from antiphon.workspace.runs.pipelines import Pipeline, read_pipeline
from antiphon.workspace.runs.text_steps import Ask

SHIPPED = Path(__file__).parent
OWN = "workflows"  # in the data folder: those that people put there
_FILLER = ("the", "my", "a", "workflow", "template", "run", "start", "please")


class Workflows(PipelineCatalogue):
    """The workflow templates of some folders."""

    def __init__(
        self, journal: RunJournal, ask: Ask | None = None, folders: Sequence[Path] = (SHIPPED,)
    ) -> None:
        files = DefinitionFiles(folders, ".json", _read)
        super().__init__("workflow", files, _FILLER, journal, ask)


def _read(name: str, text: str) -> Pipeline:
    return read_pipeline(name, parse_json(text))

"""Agents, one TOML file each: named pipelines over tools that end in an answer to a text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from antiphon.workspace.definitions import DefinitionFiles, parse_toml
from antiphon.workspace.runs.journal import RunJournal
from antiphon.workspace.runs.pipeline_runs import PipelineCatalogue
from antiphon.workspace.runs.pipelines import Pipeline, read_pipeline
from antiphon.workspace.runs.text_steps import Ask

SHIPPED = Path(__file__).parent
OWN = "agents"  # in the data folder: those that people put there
_FILLER = ("the", "my", "a", "an", "agent", "run", "start", "ask", "please")


class Agents(PipelineCatalogue):
    """The agents of some folders."""

    def __init__(
        self, journal: RunJournal, ask: Ask | None = None, folders: Sequence[Path] = (SHIPPED,)
    ) -> None:
        files = DefinitionFiles(folders, ".toml", _read)
        super().__init__("agent", files, _FILLER, journal, ask)


def _read(name: str, text: str) -> Pipeline:
    return read_pipeline(name, parse_toml(text))

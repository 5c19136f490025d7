"""The linter: every lint rule over one tool and over the set of tools, all findings at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from antiphon.contracts import ToolDefinition
from antiphon.contracts.definition import HandlerKind
from antiphon.registry import strict_json
from antiphon.registry.findings import FindingList, LintFinding, has_errors, shown
from antiphon.registry.lint_fields import lint_fields
from antiphon.registry.lint_parameters import lint_output, lint_parameters
from antiphon.registry.lint_redact import lint_redact
from antiphon.registry.sources import GUIDE, HANDLER, SCHEMA, ToolSource
from antiphon.registry.versions import directory_parts

LONG_SUMMARY = 250


@dataclass(slots=True)
class LintedTool:
    """A tool and its findings; `definition` is set only when its contract and guide have no
    error."""

    source: ToolSource
    findings: list[LintFinding]
    tool_id: str | None = None
    schema: dict[str, Any] | None = None
    definition: ToolDefinition | None = None
    kind: HandlerKind | None = None  # of its handler, where that could be imported
    summary: str = ""
    documentation: str = ""


def lint_tool(source: ToolSource) -> LintedTool:
    """Check one tool, apart from importing its handler."""
    tool = LintedTool(source, list(source.findings))
    _lint_schema_file(tool)
    _lint_guide(tool)
    _handler_is_there(tool)
    if tool.schema is not None and not has_errors(tool.findings):
        tool.definition = ToolDefinition.from_schema(tool.schema)
    return tool


@dataclass(frozen=True, slots=True)
class ClaimedId:
    """The id and version that a tool claims, and where."""

    tool_id: str
    version: str
    source: ToolSource
    staged: bool = False


def duplicate_ids(tools: Iterable[ClaimedId]) -> list[LintFinding]:
    """Findings for ids that more than one tool claims, unless they are versions of one: then all
    directories but one name theirs."""
    claims: dict[str, list[ClaimedId]] = {}
    for claim in tools:
        claims.setdefault(claim.tool_id, []).append(claim)
    places = {
        tool_id: [each.source for each in claimed]
        for tool_id, claimed in claims.items()
        if not _are_versions(claimed)
    }
    return [
        LintFinding(
            "error",
            "duplicate-id",
            source.file_label(SCHEMA),
            "/toolId",
            f"the id {shown(tool_id)} is also taken by "
            + " and ".join(each.label for each in [*sources[:place], *sources[place + 1 :]]),
            "Give each tool a name of its own, or each version a directory `name@version`.",
        )
        for tool_id, sources in places.items()
        if len(sources) > 1
        for place, source in enumerate(sources)
    ]


def _are_versions(claimed: Sequence[ClaimedId]) -> bool:
    unnamed = sum(directory_parts(each.source.name)[1] is None for each in claimed)
    return unnamed <= 1 and len({each.version for each in claimed}) == len(claimed)


def all_staged(tools: Iterable[ClaimedId]) -> list[LintFinding]:
    """Findings for tools of which every version is staged: nobody would have them."""
    listed = list(tools)
    there = {claim.tool_id for claim in listed if not claim.staged}
    return [
        LintFinding(
            "error",
            "staged",
            claim.source.file_label(SCHEMA),
            "/staged",
            f"every version of {shown(claim.tool_id)} is staged",
            "Leave one version that everybody else has, without `staged`.",
        )
        for claim in listed
        if claim.tool_id not in there
    ]


# What an alias and the tool that it runs must have in common, by the name in the artifact.
_SHARED = {
    "jsonSchema": "parameters",
    "output": "output",
    "sideEffects": "sideEffects",
    "origin": "origin",
    "sensitivity": "sensitivity",
    "outside": "outside",
    "idempotent": "idempotent",
    "redact": "redact",
}


def lint_aliases(tools: Sequence[tuple[str, dict[str, Any]]]) -> list[LintFinding]:
    """Findings for aliases among the (directory label, entry of the artifact) pairs.

    Their target should be there, be no alias itself and have the same contract.
    """
    entries = {entry["toolId"]: entry for _, entry in tools}
    findings: list[LintFinding] = []
    for label, entry in tools:
        target = entry.get("aliasOf")
        if target is None:
            continue
        found = FindingList(f"{label}/{SCHEMA}", findings)
        other = entries.get(target)
        if other is None:
            # A build of one folder may leave out the folder of the other tool.
            message = f"there is no tool {shown(target)} here, so that calls will fail"
            found.warning("alias", "/aliasOf", message, "Build it along, or name another tool.")
            continue
        if "aliasOf" in other:
            fix = f"Name {shown(other['aliasOf'])} itself."
            found.error("alias", "/aliasOf", f"{shown(target)} is an alias too", fix)
            continue
        for key, name in _SHARED.items():
            if entry.get(key) != other.get(key):
                message = f"`{name}` is not that of {shown(target)}"
                found.error("alias", f"/{name}", message, "Copy it from there.")
    return findings


def _missing(tool: LintedTool, name: str) -> bool:
    """Whether there is nothing to read; reported unless the reader has already said why."""
    if name in tool.source.files:
        return False
    if name not in tool.source.present:
        tool.findings.append(
            LintFinding(
                "error",
                "file-missing",
                tool.source.file_label(name),
                "",
                "is missing",
                "Add it; `antiphon new-tool NAME` shows what belongs in it.",
            )
        )
    return True


def _lint_schema_file(tool: LintedTool) -> None:
    if _missing(tool, SCHEMA):
        return
    found = FindingList(tool.source.file_label(SCHEMA), tool.findings)
    schema, problems = strict_json.parse(tool.source.files[SCHEMA])
    for problem in problems:
        found.error(problem.rule, problem.pointer, problem.message, problem.fix)
    if problems:
        return
    if not isinstance(schema, dict):
        fix = "Write the tool's contract as a JSON object."
        found.error("schema-object", "", f"is {shown(schema)}, not an object", fix)
        return
    tool.schema = schema
    tool.tool_id = schema["toolId"] if isinstance(schema.get("toolId"), str) else None
    lint_fields(found, schema, tool.source.name, set(tool.source.files))
    if "parameters" in schema:
        lint_parameters(found, schema["parameters"])
    if "output" in schema:
        lint_output(found, schema["output"])
    if schema.get("redact") and not has_errors(tool.findings):
        lint_redact(found, schema)


def _lint_guide(tool: LintedTool) -> None:
    if _missing(tool, GUIDE):
        return
    found = FindingList(tool.source.file_label(GUIDE), tool.findings)
    raw = tool.source.files[GUIDE]
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        message = f"line {line}: byte 0x{raw[error.start]:02x} is not UTF-8"
        found.error("guide-encoding", "", message, "Save it as UTF-8.")
        return
    if not text.strip():
        fix = "Write `# tool_id`, then one or two sentences for the model."
        found.error("guide-empty", "", "is empty", fix)
        return
    tool.documentation = text
    tool.summary = summary_of(text)
    _guide_names_tool(found, text, tool)
    if not tool.summary:
        fix = "Describe the tool in one or two sentences under the heading."
        found.error("guide-summary", "", "holds no text besides headings", fix)
    elif len(tool.summary) > LONG_SUMMARY:
        message = f"the summary is {len(tool.summary)} characters long; every prompt carries it"
        fix = f"Keep the first line under {LONG_SUMMARY} characters."
        found.error("guide-summary", "", message, fix)


def _guide_names_tool(found: FindingList, text: str, tool: LintedTool) -> None:
    heading = next((line.strip() for line in text.splitlines() if line.strip()), "")
    # Where id and directory disagree that is a finding of its own; the guide may follow either.
    named = directory_parts(tool.source.name)[0].replace("-", "_")
    names = {tool.tool_id, named}
    fix = f"Start with `# {tool.tool_id or named}`."
    if not heading.startswith("# "):
        found.error("guide-heading", "", "does not start with a heading", fix)
    elif heading[2:].strip() not in names:
        message = f"the heading names {shown(heading[2:].strip())}, not the tool"
        found.error("guide-heading", "", message, fix)


def summary_of(guide: str) -> str:
    """Return the first line of a guide that is neither blank nor a heading."""
    lines = (line.strip() for line in guide.splitlines())
    return next((line for line in lines if line and not line.startswith("#")), "")


def _handler_is_there(tool: LintedTool) -> None:
    if tool.schema is not None and "aliasOf" in tool.schema:
        for name in tool.source.python:
            found = FindingList(tool.source.file_label(name), tool.findings)
            message = "is code of a tool that runs another one"
            found.error("alias", "", message, "Remove the file, or `aliasOf` from schema.json.")
        return
    if _missing(tool, HANDLER):
        return
    if not tool.source.files[HANDLER].strip():
        found = FindingList(tool.source.file_label(HANDLER), tool.findings)
        found.error("handler", "", "is empty", "Write `async def execute(args, context)`.")

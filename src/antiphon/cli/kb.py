"""`antiphon kb …`: databases of knowledge listed, searched, filled, taken elsewhere and tended.

May be used while a server runs on the same data.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from antiphon.cli.kb_extractor import opened_with_extractor
from antiphon.cli.kb_options import (
    DatabaseId,
    opened,
    progress,
    stop,
)
from antiphon.cli.options import ConfigOption, DataOption, JsonOption
from antiphon.cli.terminal import counted, print_json, say

if TYPE_CHECKING:
    from antiphon.knowledge import Database

Format = Annotated[
    str | None,
    typer.Option(help="jsonl, csv, markdown or graphml; else told from the name."),
]
_SHOWN_PROBLEMS = 20


def register(app: typer.Typer) -> None:
    group = typer.Typer(
        help="Search the knowledge base; import, export, ingest; make and tend databases.",
        no_args_is_help=True,
        rich_markup_mode=None,
    )
    commands: dict[str, Callable[..., None]] = {
        "list": list_databases,
        "search": search,
        "get": get,
        "analytics": analytics,
        "import": import_,
        "export": export,
        "ingest": ingest,
        "create": create,
        "delete": delete,
        "reindex": reindex,
    }
    for name, command in commands.items():
        group.command(name)(command)
    app.add_typer(group, name="kb")


# -- reading --------------------------------------------------------------------------------------


def list_databases(
    data: DataOption = None, config: ConfigOption = None, as_json: JsonOption = False
) -> None:
    """List the databases with how much is in them."""
    with opened("list", data, config) as base:
        found = base.databases()
    if as_json:
        print_json([asdict(info) for info in found])
        return
    width = max((len(info.id) for info in found), default=0)
    for info in found:
        say(f"{info.id:<{width}}  {info.records:>9,} records  {info.edges:>9,} edges  {info.title}")
    say(counted(len(found), "database"))


def search(
    database: DatabaseId,
    query: Annotated[str, typer.Argument(help="What to look for, in any words.")],
    types: Annotated[
        list[str] | None, typer.Option("--type", help="Only this type; may be repeated.")
    ] = None,
    tags: Annotated[
        list[str] | None, typer.Option("--tag", help="Only with this tag; repeated: with all.")
    ] = None,
    since: Annotated[
        str | None, typer.Option(metavar="TIME", help="Updated then or later: ISO 8601.")
    ] = None,
    until: Annotated[
        str | None, typer.Option(metavar="TIME", help="Updated then or before.")
    ] = None,
    k: Annotated[int, typer.Option("-k", "--limit", min=1, max=1000, help="How many results.")] = 5,
    full_text: Annotated[bool, typer.Option("--full-text", help="With the whole text.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Say what made each score.")] = False,
    data: DataOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Search one database by words, meaning and neighbourhood."""
    from antiphon.knowledge import Filters

    filters = Filters(tuple(types or ()), tuple(tags or ()), since, until)
    with opened("search", data, config, embeds=True) as base:
        found = base.database(database).search(
            query, filters=filters, k=k, explain=explain, full_text=full_text
        )
    if as_json:
        print_json([one.to_dict() for one in found])
        return
    for one in found:
        say(f"{one.score:.2f}  {one.id}  {one.title}")
        for text in (one.text or one.snippet, one.url):
            for line in text.splitlines():
                say(f"      {line}")
        if one.explain:
            parts = ", ".join(f"{name} {value}" for name, value in one.explain.items() if value)
            say(f"      ({parts})")
    if not found:
        say("Nothing fits.")


def get(
    database: DatabaseId,
    ids: Annotated[list[str], typer.Argument(metavar="ID…", help="Ids of records.")],
    data: DataOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print records by id; status 1 when one of them is not there."""
    with opened("get", data, config) as base:
        found = base.database(database).get(ids)
    if as_json:
        print_json([record.to_dict() for record in found])
    else:
        for record in found:
            _print_record(record.to_dict())
    there = {record.id for record in found}
    missing = [name for name in ids if name not in there]
    if missing:
        raise stop("get", *(f"there is no record {name!r} in {database}." for name in missing))


def analytics(
    database: DatabaseId,
    data: DataOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Describe the graph of a database: counts, ranks, communities, components."""
    from antiphon.knowledge.analytics import analytics as describe

    with opened("analytics", data, config) as base:
        found = describe(base.database(database))
    if as_json:
        print_json(found)
        return
    say(f"{counted(found['nodes'], 'record')}, {counted(found['edges'], 'edge')}")
    for name in ("types", "relations"):
        listed = ", ".join(f"{key} {count:,}" for key, count in found[name].items())
        say(f"{name}: {listed or 'none'}")
    say(f"communities: {found['communities']['count']}")
    say(f"components: {found['components']['count']}, the largest {found['components']['largest']}")
    say("most central:")
    for one in found["pagerank"][:10]:
        say(f"  {one['value']:.4f}  {one['id']}  {one['title']}")


# -- filling and taking elsewhere -----------------------------------------------------------------


def import_(
    database: DatabaseId,
    path: Annotated[Path, typer.Argument(help="A file, or a folder of CSV files or of documents.")],
    format: Format = None,
    skip_bad: Annotated[
        bool, typer.Option("--skip-bad", help="Leave rows out that do not fit, and report them.")
    ] = False,
    make: Annotated[
        bool, typer.Option("--create", help="Make the database when it is not there.")
    ] = False,
    no_resume: Annotated[
        bool, typer.Option("--no-resume", help="Begin anew where an import was interrupted.")
    ] = False,
    untrusted: Annotated[
        bool, typer.Option("--untrusted", help="Mark the records as the words of others.")
    ] = False,
    data: DataOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Import records and edges; an import that was interrupted goes on where it was."""
    from antiphon.knowledge import KnowledgeError
    from antiphon.knowledge.exchange import ImportRefused, import_file

    with opened("import", data, config, make=make) as base:
        made = make and database not in base.ids()
        target = base.create(database) if made else base.database(database)
        try:
            with progress("Importing") as tell:
                report = import_file(
                    target,
                    path,
                    format=format,
                    on_error="skip" if skip_bad else "stop",
                    progress=tell,
                    resume=not no_resume,
                    untrusted=untrusted,
                )
        except KnowledgeError as error:
            if made and not target.counts()["records"]:
                base.delete(database)  # nobody asked for an empty one
            if isinstance(error, ImportRefused):
                if as_json:
                    print_json(error.report.to_dict())
                else:
                    _print_problems(error.report)
            raise
    if as_json:
        print_json(report.to_dict())
    else:
        _print_problems(report)
        added = f"{report.records_added:,} added, {report.records_changed:,} updated"
        say(f"Records: {added}, {report.records_unchanged:,} as they were.")
        added = f"{report.edges_added:,} added, {report.edges_changed:,} updated"
        say(f"Edges: {added}, {report.edges_unchanged:,} as they were.")
        if report.records_added or report.records_changed:
            say(
                "Words find them at once, meaning once they are embedded: a server on this data "
                f"does that in the background, `antiphon kb reindex {database}` does it now."
            )


def export(
    database: DatabaseId,
    path: Annotated[Path, typer.Argument(help="File to write; a new folder for CSV or Markdown.")],
    format: Format = None,
    data: DataOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write all records and edges; the file is there whole or not at all."""
    from antiphon.knowledge.exchange import export_file

    with opened("export", data, config) as base, progress("Exporting") as tell:
        report = export_file(base.database(database), path, format=format, progress=tell)
    if as_json:
        print_json(report.to_dict())
        return
    say(f"{counted(report.records, 'record')} and {counted(report.edges, 'edge')} in {path}.")
    if not report.consistent:
        say("The database was written meanwhile; export it again for one state of it.")


def ingest(
    database: DatabaseId,
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE…", help="Documents; - is standard input.")
    ],
    kind: Annotated[
        str | None,
        typer.Option(help="text, markdown, html, pdf or docx; else told from name and content."),
    ] = None,
    source: Annotated[
        str | None, typer.Option(help="Where it comes from, instead of the file's name.")
    ] = None,
    extractor: Annotated[
        str | None,
        typer.Option(help="rules, gemini, openai or claude, instead of `knowledge.extractor`."),
    ] = None,
    data: DataOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Add the entities and relations of documents. The same document again changes nothing.

    With another extractor than rules the text of the documents goes to that provider.
    """
    from antiphon.knowledge import KnowledgeError
    from antiphon.knowledge.ingestion import KINDS, kind_of
    from antiphon.knowledge.ingestion import ingest as add

    if kind is not None and kind not in KINDS:
        raise typer.BadParameter(f"choose one of {', '.join(KINDS)}.", param_hint="--kind")
    failed: list[str] = []
    reports: list[dict[str, Any]] = []
    with opened_with_extractor("ingest", extractor, data, config) as (base, by):
        target = base.database(database)
        for file in files:
            name = "standard input" if str(file) == "-" else str(file)
            try:
                content = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
                with progress(file.name) as tell:
                    report = add(
                        target,
                        content,
                        source=source or name,
                        kind=kind or kind_of(file.name, content),
                        extractor=by,
                        progress=tell,
                    )
            except OSError as error:
                failed.append(f"{name} cannot be read: {error.strerror or error}.")
                continue
            except KnowledgeError as error:
                failed.append(f"{name}: {error.message}")
                continue
            reports.append(report.to_dict())
            if not as_json:
                _print_ingested(name, reports[-1])
    if as_json:
        print_json(reports)
    if failed:
        raise stop("ingest", *failed)


# -- making and tending ---------------------------------------------------------------------------


def create(
    database: DatabaseId,
    title: Annotated[str, typer.Option(help="What people see of it.")] = "",
    description: Annotated[str, typer.Option(help="What is in it.")] = "",
    data: DataOption = None,
    config: ConfigOption = None,
) -> None:
    """Make an empty database."""
    with opened("create", data, config, make=True) as base:
        base.create(database, title, description)
    say(f"Made {database}.")


def delete(
    database: DatabaseId,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    data: DataOption = None,
    config: ConfigOption = None,
) -> None:
    """Delete a database with everything in it."""
    with opened("delete", data, config) as base:
        counts = base.database(database).counts()
        what = f"{database} with {counted(counts['records'], 'record')}"
        if not yes:
            if not sys.stdin.isatty():
                raise typer.BadParameter(f"{what} would be deleted; say so.", param_hint="--yes")
            typer.confirm(f"Delete {what} for good?", abort=True)
        base.delete(database)
    say(f"Deleted {what}.")


def reindex(
    databases: Annotated[
        list[str] | None, typer.Argument(metavar="DATABASE…", help="All when none is named.")
    ] = None,
    data: DataOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Bring the indexes up to date and embed what has no embedding by the present model."""
    done: dict[str, int] = {}
    with opened("reindex", data, config, embeds=True) as base:
        names = databases or base.ids()
        chosen = [base.database(name) for name in names]  # a wrong name before any work
        for database in chosen:
            with progress(database.id) as tell:
                done[database.id] = _embed(database, tell)
            if not as_json:
                say(f"{database.id}: {counted(done[database.id], 'record')} embedded.")
    if as_json:
        print_json(done)


def _embed(database: Database, tell: Any) -> int:
    total = left = database.pending()
    while left:
        tell(total - left, total)
        database.embed_pending()
        before, left = left, database.pending()
        if left >= before:
            break  # texts that the model has no vector for
    database.flush()
    return total - left


# -- what is printed ------------------------------------------------------------------------------


def _print_record(record: dict[str, Any]) -> None:
    say(f"{record['id']}  {record['title']}")
    for name in ("type", "tags", "url", "source_type", "last_updated", "metadata"):
        value = record[name]
        if value:
            say(f"  {name}: {_shown(value)}")
    for line in record["text"].splitlines():
        say(f"  {line}")


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        import orjson

        return orjson.dumps(value).decode()
    return ", ".join(value) if isinstance(value, list) else str(value)


def _print_problems(report: Any) -> None:
    for problem in report.problems[:_SHOWN_PROBLEMS]:
        say(f"not imported: {problem}")
    more = report.bad - min(len(report.problems), _SHOWN_PROBLEMS)
    if more > 0:
        say(f"not imported: {counted(more, 'further row')}")


def _print_ingested(name: str, report: dict[str, Any]) -> None:
    if report["unchanged"]:
        say(f"{name}: ingested before, nothing changed.")
        return
    entities = f"{report['entities_new']} new, {report['entities_merged']} known"
    relations = f"{report['relations_new']} new, {report['relations_merged']} known"
    say(f"{name}: entities {entities}; relations {relations}; record {report['document']}.")
    if report["entities_doubtful"] or report["relations_doubtful"]:
        doubtful = f"{report['entities_doubtful']} and {report['relations_doubtful']}"
        say(f"  {doubtful} of them are doubtful (confidence below 0.6)")
    if report["extractor"] != "rules":
        left = f", {report['pieces_by_rules']} of them by rules alone"
        pieces = counted(report["pieces"], "piece")
        said = f"{pieces}{left if report['pieces_by_rules'] else ''}"
        say(f"  read by {report['extractor']} in {said}")
    for note in report["notes"]:
        say(f"  {note}")

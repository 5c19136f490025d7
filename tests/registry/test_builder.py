"""A build is all or nothing, repeatable, and quick where nothing changed."""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from antiphon.registry.artifact import read_artifact
from antiphon.registry.builder import BuildReport, build, check, watch

WriteTool = Callable[..., Path]

pytestmark = pytest.mark.usefixtures("fixed_time")


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "tool_registry.json"


def rules(report: BuildReport) -> set[tuple[str, str]]:
    return {(finding.severity, finding.rule) for finding in report.findings}


def test_the_artifact_says_everything_about_a_tool(
    tools: Path, out: Path, write_tool: WriteTool
) -> None:
    write_tool(rateLimit={"calls": 1, "windowMs": 10}, guide="# kb_search\n\nFinds.\n\nMore.\n")
    report = build([tools], out)
    assert report.ok
    assert report.written
    artifact = read_artifact(out)
    assert artifact["version"] == report.version
    assert artifact["buildTimestamp"] == "2023-11-14T22:13:20Z"
    assert artifact["gitCommit"] is None
    [tool] = artifact["tools"]
    assert tool["toolId"] == "kb_search"
    assert tool["category"] == "retrieval"
    assert tool["timeoutMs"] == 5000
    assert tool["rateLimit"] == {"calls": 1, "windowMs": 10}
    assert tool["jsonSchema"]["required"] == ["query"]
    assert {"openai", "geminiNative", "anthropic", "mcp"} <= tool["providerSchemas"].keys()
    assert tool["summary"] == "Finds."
    assert tool["documentation"].endswith("More.\n")
    assert tool["handlerPath"] == "tools/kb-search/handler.py"
    assert len(tool["digest"]) == 64


def test_handler_paths_are_relative_to_the_artifact(
    tools: Path, tmp_path: Path, write_tool: WriteTool
) -> None:
    write_tool()
    (tmp_path / "dist").mkdir()
    out = tmp_path / "dist" / "registry.json"
    build([tools], out)
    [tool] = read_artifact(out)["tools"]
    assert tool["handlerPath"] == "../tools/kb-search/handler.py"


def test_the_same_input_gives_the_same_bytes(
    tools: Path, out: Path, tmp_path: Path, write_tool: WriteTool
) -> None:
    for name in ("b-tool", "a-tool", "c-tool"):
        write_tool(name)
    build([tools], out)
    first = out.read_bytes()
    build([tools], out)
    assert out.read_bytes() == first
    build([tools], out, use_cache=False)
    assert out.read_bytes() == first


def test_the_order_of_folders_does_not_matter(
    tools: Path, out: Path, tmp_path: Path, write_tool: WriteTool
) -> None:
    other = tmp_path / "other"
    write_tool("b-tool")
    write_tool("a-tool", folder=other)
    build([tools, other], out)
    first = out.read_bytes()
    build([other, tools], out)
    assert out.read_bytes() == first
    assert [tool["toolId"] for tool in read_artifact(out)["tools"]] == ["a_tool", "b_tool"]


@pytest.mark.parametrize("file", ["guide.md", "handler.py", "helper.py", "schema.json"])
def test_a_change_to_any_file_changes_the_version_and_recompiles_that_tool_only(
    file: str, tools: Path, out: Path, write_tool: WriteTool
) -> None:
    directory = write_tool(files={"helper.py": "X = 1\n"})
    write_tool("other-tool")
    before = build([tools], out)
    path = directory / file
    if file == "schema.json":
        path.write_text(path.read_text().replace('"1.0.0"', '"1.0.1"'))
    else:
        path.write_text(path.read_text() + "\n# more\n")
    after = build([tools], out)
    assert after.version != before.version
    assert after.cached == 1
    assert build([tools], out, use_cache=False).version == after.version


@pytest.mark.parametrize("file", ["guide.md", "handler.py", "schema.json"])
def test_an_edit_that_keeps_the_size_and_the_time_of_a_file_is_noticed(
    file: str, tools: Path, out: Path, write_tool: WriteTool
) -> None:
    handler = "REVISION = 1\nasync def execute(args, context): ..."
    path = write_tool(guide="# kb_search\n\nGuide 1.\n", handler=handler) / file
    before = build([tools], out)
    written = path.stat()
    path.write_bytes(path.read_bytes().replace(b"1", b"2"))
    os.utime(path, ns=(written.st_atime_ns, written.st_mtime_ns))
    assert path.stat().st_size == written.st_size
    after = build([tools], out)
    assert after.cached == 0
    assert after.version != before.version
    assert build([tools], out, use_cache=False).version == after.version


def test_unchanged_tools_are_not_compiled_again(
    tools: Path, out: Path, write_tool: WriteTool
) -> None:
    write_tool()
    write_tool("other-tool", description="One. Two.")
    first, second = build([tools], out), build([tools], out)
    assert (first.cached, second.cached) == (0, 2)
    assert second.findings == first.findings
    assert rules(second) == {("warning", "description")}


def test_tools_stay_known_when_only_the_time_of_the_build_changes(
    tools: Path, out: Path, write_tool: WriteTool, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_tool()
    build([tools], out)
    for epoch in ("-62000000000", "1800000000"):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
        assert build([tools], out).cached == 1


def test_an_artifact_edited_by_hand_is_restored(
    tools: Path, out: Path, write_tool: WriteTool
) -> None:
    write_tool()
    build([tools], out)
    good = out.read_bytes()
    for damaged in (good.replace(b"Looks for", b"Looks at "), good[:100], b"", b"{}"):
        out.write_bytes(damaged)
        build([tools], out)
        assert out.read_bytes() == good


@pytest.mark.parametrize("damage", ["emptied", "replaced", "cut short", "one byte changed"])
def test_a_damaged_cache_only_costs_time(
    damage: str, tools: Path, out: Path, write_tool: WriteTool
) -> None:
    write_tool()
    build([tools], out)
    good = out.read_bytes()
    cache = out.with_name(".tool_registry.cache")
    whole = cache.read_bytes()
    digest = read_artifact(out)["tools"][0]["digest"].encode()
    damaged = {
        "emptied": b"",
        "replaced": b"garbage\n[1]",
        "cut short": whole[:-10],
        "one byte changed": whole.replace(digest, b"0" + digest[1:]),
    }
    cache.write_bytes(damaged[damage])
    report = build([tools], out)
    assert (report.cached, report.findings) == (0, [])
    assert out.read_bytes() == good
    assert build([tools], out).cached == 1


def test_a_cache_that_cannot_be_written_is_a_warning(
    tools: Path, out: Path, write_tool: WriteTool
) -> None:
    write_tool()
    out.with_name(".tool_registry.cache").mkdir()
    report = build([tools], out)
    assert report.written
    assert rules(report) == {("warning", "cache")}


def test_a_removed_tool_leaves_the_artifact(tools: Path, out: Path, write_tool: WriteTool) -> None:
    write_tool()
    gone = write_tool("other-tool")
    build([tools], out)
    for file in gone.iterdir():
        file.unlink()
    build([tools], out)
    assert [tool["toolId"] for tool in read_artifact(out)["tools"]] == ["kb_search"]
    assert build([tools], out).cached == 1


BAD_TOOLS: list[tuple[dict[str, Any], str]] = [
    ({"schema": "{"}, "json-syntax"),
    ({"schema": b"\xff\xfe"}, "json-encoding"),
    ({"schema": b"[" * 1_000_000}, "json-depth"),
    ({"schema": b" " * 10_000_000}, "unreadable"),
    ({"parameters": 5}, "parameters"),
    ({"handler": None}, "file-missing"),
    ({"handler": " \n"}, "handler"),
    ({"handler": "raise RuntimeError('at import')"}, "handler"),
    ({"handler": "import os; os._exit(0)"}, "handler"),
    ({"handler": "def execute(): ..."}, "handler"),
]


@pytest.mark.parametrize(("bad", "rule"), BAD_TOOLS)
def test_any_error_leaves_the_last_good_artifact_in_place(
    bad: dict[str, Any], rule: str, tools: Path, out: Path, write_tool: WriteTool
) -> None:
    out.write_text("the last good one")
    write_tool("bad-tool", **bad)
    report = build([tools], out)
    assert ("error", rule) in rules(report)
    assert all(f.file.startswith("tools/bad-tool") for f in report.findings)
    assert (report.ok, report.written, report.artifact, report.version) == (
        False,
        False,
        None,
        None,
    )
    assert out.read_text() == "the last good one"


def test_the_findings_of_all_tools_come_in_one_run_in_a_fixed_order(
    tools: Path, out: Path, write_tool: WriteTool
) -> None:
    for number, (bad, _) in enumerate(BAD_TOOLS):
        write_tool(f"bad-{number}", **bad)
    report = build([tools], out)
    assert {f.file.split("/")[1] for f in report.findings} == {
        f"bad-{number}" for number in range(len(BAD_TOOLS))
    }
    assert [f.file for f in report.findings] == sorted(f.file for f in report.findings)
    assert build([tools], out).findings == report.findings


def test_the_same_id_in_two_folders_is_an_error_at_both(
    tools: Path, out: Path, tmp_path: Path, write_tool: WriteTool
) -> None:
    write_tool()
    write_tool(folder=tmp_path / "more")
    report = build([tools, tmp_path / "more"], out)
    assert [finding.file for finding in report.findings] == [
        "more/kb-search/schema.json",
        "tools/kb-search/schema.json",
    ]
    assert rules(report) == {("error", "duplicate-id")}


def test_a_copied_directory_is_found_out_even_when_its_twin_comes_from_the_cache(
    tools: Path, out: Path, write_tool: WriteTool
) -> None:
    write_tool()
    build([tools], out)
    write_tool("kb_search")
    assert rules(build([tools], out)) == {("error", "duplicate-id")}


def test_variants_are_imported_as_well(tools: Path, out: Path, write_tool: WriteTool) -> None:
    variants = [{"name": "b", "weight": 1, "handler": "handler_b.py"}]
    write_tool(variants=variants, files={"handler_b.py": "1 / 0"})
    [finding] = build([tools], out).findings
    assert finding.file == "tools/kb-search/handler_b.py"
    assert "handler_b.py:1" in finding.message


def test_a_file_that_becomes_a_variant_is_imported_though_no_code_changed(
    tools: Path, out: Path, write_tool: WriteTool
) -> None:
    files = {"handler_b.py": "1 / 0"}
    write_tool(files=files)
    assert build([tools], out).ok
    write_tool(variants=[{"name": "b", "weight": 1, "handler": "handler_b.py"}], files=files)
    assert rules(build([tools], out)) == {("error", "handler")}


def test_a_handler_that_prints_is_warned_about_until_it_stops(
    tools: Path, out: Path, write_tool: WriteTool
) -> None:
    handler = "print('hello')\nasync def execute(args, context): ..."
    write_tool(handler=handler)
    assert rules(build([tools], out)) == {("warning", "handler")}
    write_tool(handler=handler, guide="# kb_search\n\nAnother guide.\n")
    assert rules(build([tools], out)) == {("warning", "handler")}


def test_a_hanging_handler_ends_the_wait_and_not_the_build(
    tools: Path, out: Path, write_tool: WriteTool
) -> None:
    write_tool("bad-tool", handler="import threading; threading.Event().wait()")
    report = build([tools], out, deadline=0.2)
    [finding] = report.findings
    assert "did not end within 0.2 s" in finding.message


def test_handlers_that_cannot_be_tried_out_are_findings(
    tools: Path, out: Path, write_tool: WriteTool, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_tool()
    write_tool("other-tool")
    monkeypatch.setattr(sys, "executable", str(out))
    report = build([tools], out)
    assert [finding.file for finding in report.findings] == [
        "tools/kb-search/handler.py",
        "tools/other-tool/handler.py",
    ]
    assert all("did not start" in finding.message for finding in report.findings)


def test_no_folder_and_no_tools_are_errors_that_keep_the_artifact(
    tools: Path, out: Path, tmp_path: Path
) -> None:
    out.write_text("kept")
    for folders in ([], [tools], [tmp_path / "missing"], [tools, tmp_path / "missing"]):
        assert ("error", "folder") in rules(build(folders, out))
        assert out.read_text() == "kept"


def test_an_empty_folder_beside_a_full_one_is_a_warning(
    tools: Path, out: Path, tmp_path: Path, write_tool: WriteTool
) -> None:
    write_tool()
    (tmp_path / "empty").mkdir()
    report = build([tools, tmp_path / "empty"], out)
    assert report.written
    assert rules(report) == {("warning", "folder")}


def test_a_bad_time_and_an_unwritable_place_are_findings(
    tools: Path, out: Path, write_tool: WriteTool, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_tool()
    assert rules(build([tools], out / "no" / "folder.json")) == {("error", "artifact")}
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "soon")
    assert rules(build([tools], out)) == {("error", "build-time")}
    assert not out.exists()


def test_a_folder_whose_name_is_not_text_is_refused(
    out: Path, tmp_path: Path, write_tool: WriteTool
) -> None:
    folder = tmp_path / os.fsdecode(b"caf\xe9")
    write_tool(folder=folder)
    report = build([folder], out)
    assert rules(report) == {("error", "file-name")}
    assert json.dumps(report.to_dict(), ensure_ascii=False).encode()


def test_progress_counts_up_to_the_number_of_tools(
    tools: Path, out: Path, write_tool: WriteTool
) -> None:
    for number in range(3):
        write_tool(f"tool-{number}")
    seen: list[tuple[int, int]] = []
    build([tools], out, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 3), (2, 3), (3, 3)]


def test_check_accepts_a_fresh_artifact_whenever_it_was_built(
    tools: Path, out: Path, write_tool: WriteTool, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_tool()
    build([tools], out)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1")
    before = out.read_bytes()
    assert check([tools], out).ok
    assert out.read_bytes() == before


def test_check_names_what_is_stale_and_the_command_that_mends_it(
    tools: Path, out: Path, write_tool: WriteTool
) -> None:
    write_tool()
    write_tool("old-tool")
    build([tools], out)
    write_tool(guide="# kb_search\n\nOther words.\n")
    (tools / "old-tool").rename(tools / ".old-tool")
    write_tool("new-tool")
    [finding] = check([tools], out).findings
    assert (finding.severity, finding.rule) == ("error", "stale")
    assert finding.message == "is stale: new_tool added, old_tool removed, kb_search changed"
    assert f"antiphon build {tools} --out {out}" in finding.fix


@pytest.mark.parametrize("damage", [None, b"", b"{}", b'{"version": "1.0.0000'])
def test_check_fails_on_a_missing_or_damaged_artifact(
    damage: bytes | None, tools: Path, out: Path, write_tool: WriteTool
) -> None:
    write_tool()
    if damage is not None:
        out.write_bytes(damage)
    assert rules(check([tools], out)) == {("error", "stale")}


def test_check_finds_an_edit_that_keeps_the_version(
    tools: Path, out: Path, write_tool: WriteTool
) -> None:
    write_tool()
    build([tools], out)
    out.write_bytes(out.read_bytes().replace(b'"risk":"low"', b'"risk":"high"'))
    assert rules(check([tools], out)) == {("error", "stale")}


def test_watching_builds_at_once_and_after_each_change(
    tools: Path, out: Path, write_tool: WriteTool
) -> None:
    write_tool()
    stop = threading.Event()
    versions: list[str | None] = []

    def on_build(report: BuildReport) -> None:
        versions.append(report.version)
        if len(versions) == 1:
            write_tool(guide="# kb_search\n\nOther words.\n")
        else:
            stop.set()

    watch([tools], out, on_build, stop=stop)
    assert len(versions) == 2
    assert None not in versions
    assert versions[0] != versions[1]
    assert read_artifact(out)["version"] == versions[1]


@pytest.mark.parametrize(("fields", "severity"), [(20, None), (60, "warning"), (240, "error")])
def test_a_declaration_that_is_too_large_is_found(
    tools: Path, write_tool: WriteTool, out: Path, fields: int, severity: str | None
) -> None:
    text = {"type": "string", "description": "x" * 300}
    parameters = {
        "type": "object",
        "properties": {f"field_{n}": text for n in range(fields)},
        "additionalProperties": False,
    }
    write_tool(parameters=parameters)
    report = build([tools], out)
    found = [f for f in report.findings if f.rule == "declaration-size"]
    assert [f.severity for f in found] == ([severity] if severity else [])
    assert report.ok is (severity != "error")
    for finding in found:
        assert finding.pointer == "/parameters"
        assert "bytes" in finding.message

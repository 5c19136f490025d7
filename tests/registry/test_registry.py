"""The registry at run time: what it answers, what it refuses to load, and what a reload changes."""

from __future__ import annotations

import asyncio
import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.registry.conftest import WriteTool

from antiphon import ok
from antiphon.cli import main
from antiphon.registry import Registry, RegistryError, Snapshot
from antiphon.registry.builder import build
from antiphon.registry.projections import PROVIDERS

WRITES = {
    "category": "action",
    "sideEffects": "writes",
    "idempotent": False,
    "requiresConfirmation": True,
}
PURE = {"category": "utility", "sideEffects": "none"}


def answering(word: str) -> str:
    """A handler that answers with `word`."""
    head = "from antiphon import ok\n\n\nasync def execute(args, context):\n"
    return head + f"    return ok({{'word': {word!r}}})\n"


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "tool_registry.json"


def built(tools: Path, out: Path) -> Path:
    report = build([tools], out)
    assert report.ok, report.findings
    return out


def run(snapshot: Snapshot, tool_id: str, variant: str | None = None) -> Any:
    """What a tool answers, whichever kind its handler is."""
    tool = snapshot.tools[tool_id]
    handler = tool.variants[variant] if variant else tool.handler
    if handler.kind == "sync":
        return handler.execute({}, None).data

    async def collect() -> Any:
        if handler.kind == "async":
            return (await handler.execute({}, None)).data
        return [value async for value in handler.execute({}, None)]

    return asyncio.run(collect())


def names(declarations: list[dict[str, Any]]) -> list[str]:
    return [d["function"]["name"] if "function" in d else d["name"] for d in declarations]


# -- what it answers -------------------------------------------------------------------------


@pytest.fixture
def registry(tools: Path, write_tool: WriteTool, out: Path) -> Registry:
    write_tool(
        "kb-search",
        guide="# kb_search\n\nSearches the knowledge base.\n\n## Parameters\n- `query`\n",
        allowedModes=["text", "voice"],
    )
    write_tool("send-mail", allowedModes=["text"], **WRITES)
    write_tool("format-date", allowedModes=["voice"], **PURE)
    return Registry.load(built(tools, out))


def test_tools_are_looked_up_by_id(registry: Registry) -> None:
    assert registry.tool_ids() == ["format_date", "kb_search", "send_mail"]
    assert registry.tools["kb_search"].definition.tool_id == "kb_search"
    assert registry.entry("kb_search")["handlerPath"] == "tools/kb-search/handler.py"
    assert re.fullmatch(r"1\.0\.[0-9a-f]{8}", registry.version)
    assert registry.nearest("kb_serch") == ["kb_search"]
    assert registry.nearest("zzz") == []


def test_an_unknown_id_is_none_and_no_error(registry: Registry) -> None:
    assert registry.entry("nope") is None
    assert registry.metadata("nope") is None
    assert registry.documentation("nope") is None
    assert "nope" not in registry.tools


def test_the_guide_is_the_documentation_and_its_first_line_the_summary(registry: Registry) -> None:
    assert registry.documentation("kb_search") == (
        "# kb_search\n\nSearches the knowledge base.\n\n## Parameters\n- `query`\n"
    )
    assert registry.summaries()[1] == {
        "toolId": "kb_search",
        "category": "retrieval",
        "summary": "Searches the knowledge base.",
    }
    assert [s["toolId"] for s in registry.summaries(mode="voice")] == ["format_date", "kb_search"]


def test_metadata_has_the_defaults_filled_in(registry: Registry) -> None:
    metadata = registry.metadata("send_mail")
    assert metadata["interruption"] == "finish"
    assert metadata["timeoutMs"] == 5000
    assert metadata["risk"] == "high"
    assert "parameters" not in metadata


def test_tools_are_listed_by_category(registry: Registry) -> None:
    assert registry.by_category("retrieval") == ["kb_search"]
    assert registry.by_category("action") == ["send_mail"]
    assert registry.by_category("utility") == ["format_date"]


def test_metrics_count_calls_failures_and_time(registry: Registry) -> None:
    assert registry.metrics()["kb_search"] == {"calls": 0, "errors": 0, "avgDuration": 0.0}
    stats = registry.tools["kb_search"].stats
    stats.record(10, True)
    stats.record(20, False)
    assert registry.metrics()["kb_search"] == {"calls": 2, "errors": 1, "avgDuration": 15.0}
    assert registry.metrics()["send_mail"]["calls"] == 0


def test_tools_come_with_compiled_validators_and_handlers(registry: Registry) -> None:
    tool = registry.tools["kb_search"]
    assert tool.validator.accept({"query": "x"}) == {"query": "x"}
    assert tool.validator.accept({}) is None
    assert tool.output is None
    assert run(registry.snapshot(), "kb_search") == {"echo": {}}


def test_a_snapshot_cannot_be_given_other_tools(registry: Registry) -> None:
    with pytest.raises(TypeError):
        registry.snapshot().tools["x"] = None  # type: ignore[index]


def test_a_name_that_nobody_answers_is_an_attribute_error(registry: Registry) -> None:
    with pytest.raises(AttributeError):
        _ = registry.no_such_question
    with pytest.raises(AttributeError):
        _ = registry._nothing


def test_the_strict_codec_of_a_tool_goes_both_ways(registry: Registry) -> None:
    codec = registry.strict_codec("kb_search")
    assert codec.decode(codec.encode({"query": "x"})) == {"query": "x"}


# -- declarations ----------------------------------------------------------------------------


@pytest.mark.parametrize("provider", PROVIDERS)
def test_every_provider_has_a_declaration_of_every_tool(registry: Registry, provider: str) -> None:
    assert names(registry.provider_schemas(provider)) == ["format_date", "kb_search", "send_mail"]


def test_declarations_follow_the_mode(registry: Registry) -> None:
    assert names(registry.provider_schemas("openai", "text")) == ["kb_search", "send_mail"]
    assert names(registry.provider_schemas("openai", "voice")) == ["format_date", "kb_search"]


def test_each_provider_has_its_own_form(registry: Registry) -> None:
    def first(provider: str) -> dict[str, Any]:
        found: list[dict[str, Any]] = registry.provider_schemas(provider)
        return found[0]

    assert first("openai")["function"]["parameters"]["type"] == "object"
    assert first("openaiStrict")["function"]["strict"] is True
    assert first("anthropic")["input_schema"]["type"] == "object"
    assert first("claude") == first("anthropic")
    assert first("geminiNative")["parameters"]["type"] == "OBJECT"
    assert first("gemini") == first("geminiNative")
    assert first("geminiJson")["parametersJsonSchema"]["type"] == "object"
    assert first("mcp")["annotations"]["readOnlyHint"] is True
    flat = first("openaiResponses")
    assert flat == {"type": "function", **first("openai")["function"]}


def test_an_unknown_provider_is_refused_with_the_known_ones(registry: Registry) -> None:
    with pytest.raises(RegistryError, match=r"'grok'.*openai, openaiStrict, geminiNative"):
        registry.provider_schemas("grok")


@pytest.mark.parametrize("form", [*PROVIDERS, "openaiResponses"])
@pytest.mark.parametrize("mode", ["text", "voice", None])
def test_the_declarations_of_a_session_are_those_of_its_mode_in_every_form(
    registry: Registry, form: str, mode: Any
) -> None:
    declarations = registry.declarations(mode)
    found = declarations.declared(form)
    assert found == registry.provider_schemas(form, mode)
    assert declarations.declared(form) is found  # made once


def test_the_declarations_of_a_session_stay_as_they_were(
    tools: Path, write_tool: WriteTool, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_tool("always")
    write_tool("for-admins", availability={"roles": ["admin"]})
    write_tool("with-key", availability={"env": ["ANTIPHON_TEST_KEY"]})
    monkeypatch.setenv("ANTIPHON_TEST_KEY", "1")
    registry = Registry.load(built(tools, out))
    declarations = registry.declarations("text", {"roles": ["admin"]})
    monkeypatch.delenv("ANTIPHON_TEST_KEY")
    assert names(declarations.declared("anthropic")) == ["always", "for_admins", "with_key"]
    assert names(registry.declarations("text").declared("anthropic")) == ["always"]


def test_declarations_in_an_unknown_form_are_refused_with_the_known_ones(
    registry: Registry,
) -> None:
    with pytest.raises(RegistryError, match=r"'grok'.*openai, openaiStrict, geminiNative"):
        registry.declarations().declared("grok")


def test_arguments_in_the_strict_form_are_decoded_and_all_others_left_alone(
    tools: Path, write_tool: WriteTool, out: Path
) -> None:
    optional = {
        "type": "object",
        "properties": {"query": {"type": "string"}, "limit": {"type": "integer"}},
        "required": ["query"],
        "additionalProperties": False,
    }
    write_tool("kb-search", parameters=optional)
    declarations = Registry.load(built(tools, out)).declarations("text")
    sent = {"query": "ada", "limit": None}
    for _ in range(2):
        assert declarations.arguments("openaiStrict", "kb_search", sent) == {"query": "ada"}
    assert declarations.arguments("openai", "kb_search", sent) == sent
    assert declarations.arguments("openaiStrict", "no_such_tool", sent) == sent
    assert declarations.arguments("openaiStrict", "kb_search", [1]) == [1]
    assert declarations.arguments("openaiStrict", "kb_search", None) is None


def test_a_tool_is_declared_only_where_it_is_available(
    tools: Path, write_tool: WriteTool, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_tool("always")
    write_tool("for-admins", availability={"roles": ["admin"]})
    write_tool("on-gemini", availability={"providers": ["gemini"]})
    write_tool("signed-in", availability={"requiresAuth": True})
    write_tool("with-key", availability={"env": ["ANTIPHON_TEST_KEY"]})
    write_tool("later", availability={"when": "turn > 2 and plan.tier == 'pro'"})
    monkeypatch.delenv("ANTIPHON_TEST_KEY", raising=False)
    registry = Registry.load(built(tools, out))

    def declared(session: dict[str, Any] | None = None) -> list[str]:
        found = names(registry.provider_schemas("anthropic", "text", session))
        assert [s["toolId"] for s in registry.summaries("text", session)] == found
        return found

    assert declared() == ["always"]
    assert declared({}) == ["always"]
    assert declared({"roles": ["admin"]}) == ["always", "for_admins"]
    assert declared({"provider": "gemini"}) == ["always", "on_gemini"]
    assert declared({"authenticated": True}) == ["always", "signed_in"]
    assert declared({"turn": 3, "plan": {"tier": "pro"}}) == ["always", "later"]
    assert declared({"turn": 3, "plan": None}) == ["always"]
    monkeypatch.setenv("ANTIPHON_TEST_KEY", "1")
    assert declared() == ["always", "with_key"]


# -- handlers --------------------------------------------------------------------------------


def test_each_kind_of_handler_is_recognised(tools: Path, write_tool: WriteTool, out: Path) -> None:
    write_tool("awaited", handler=answering("async"))
    write_tool(
        "plain", handler="from antiphon import ok\ndef execute(args, context):\n    return ok()\n"
    )
    write_tool(
        "steps",
        handler="from antiphon import ok\nasync def execute(args, context):\n"
        "    yield {'progress': 1}\n    yield ok({'done': True})\n",
    )
    write_tool(
        "careful",
        handler=answering("x") + "\n\nasync def reconcile(key):\n    return None\n",
    )
    registry = Registry.load(built(tools, out))
    kinds = {tool_id: tool.handler.kind for tool_id, tool in registry.tools.items()}
    assert kinds == {"awaited": "async", "careful": "async", "plain": "sync", "steps": "generator"}
    assert run(registry.snapshot(), "plain") == {}
    progress, last = run(registry.snapshot(), "steps")
    assert progress == {"progress": 1}
    assert last.data == ok({"done": True}).data
    assert registry.tools["careful"].handler.reconcile is not None
    assert registry.tools["awaited"].handler.reconcile is None


def test_variants_are_loaded_beside_the_handler(
    tools: Path, write_tool: WriteTool, out: Path
) -> None:
    variants = [
        {"name": "control", "weight": 1, "handler": "handler.py"},
        {"name": "terse", "weight": 1, "handler": "terse.py"},
    ]
    write_tool(
        "kb-search",
        handler=answering("long"),
        files={"terse.py": "from .words import answer as execute\n", "words.py": answering("short")
               .replace("def execute", "def answer")},
        variants=variants,
    )  # fmt: skip
    snapshot = Registry.load(built(tools, out)).snapshot()
    assert list(snapshot.tools["kb_search"].variants) == ["control", "terse"]
    assert run(snapshot, "kb_search", "control") == {"word": "long"}
    assert run(snapshot, "kb_search", "terse") == {"word": "short"}


def test_an_output_schema_is_compiled(tools: Path, write_tool: WriteTool, out: Path) -> None:
    write_tool("kb-search", output={"type": "object", "required": ["echo"]})
    tool = Registry.load(built(tools, out)).tools["kb_search"]
    assert tool.output.is_valid({"echo": 1})
    assert not tool.output.is_valid({})


# -- lock and reload -------------------------------------------------------------------------


def test_to_lock_a_locked_registry_is_a_warning(
    registry: Registry, caplog: pytest.LogCaptureFixture
) -> None:
    registry.lock()
    assert caplog.records == []
    assert registry.lock().locked
    assert "locked already" in caplog.text


def test_a_locked_registry_is_not_reloaded(registry: Registry) -> None:
    assert registry.lock() is registry
    with pytest.raises(RegistryError, match="locked; restart the server"):
        registry.reload()


def test_a_reload_changes_new_snapshots_and_old_ones_run_their_old_code(
    tools: Path, write_tool: WriteTool, out: Path
) -> None:
    write_tool("kb-search", handler=answering("old"))
    registry = Registry.load(built(tools, out))
    old = registry.snapshot()
    old.tools["kb_search"].stats.record(5, True)

    write_tool("kb-search", handler=answering("new"), version="2.0.0")
    write_tool("another")
    built(tools, out)
    assert registry.snapshot() is old
    new = registry.reload()

    assert registry.snapshot() is new
    assert registry.version == new.version != old.version
    assert (old.tool_ids(), new.tool_ids()) == (["kb_search"], ["another", "kb_search"])
    assert run(old, "kb_search") == {"word": "old"}
    assert run(new, "kb_search") == {"word": "new"}
    assert run(old, "kb_search") == {"word": "old"}
    assert new.metadata("kb_search")["version"] == "2.0.0"
    assert new.metrics()["kb_search"]["calls"] == 1, "what was counted is kept"


def test_a_reload_that_fails_keeps_the_old_snapshot(
    tools: Path, write_tool: WriteTool, out: Path
) -> None:
    directory = write_tool("kb-search", handler=answering("old"))
    registry = Registry.load(built(tools, out))
    old = registry.snapshot()
    (directory / "guide.md").write_text("# kb_search\n\nChanged.\n")
    with pytest.raises(RegistryError, match="kb_search"):
        registry.reload()
    out.write_bytes(out.read_bytes()[:100])
    with pytest.raises(RegistryError, match="half-written"):
        registry.reload()
    out.unlink()
    with pytest.raises(RegistryError, match="does not exist"):
        registry.reload()
    assert registry.snapshot() is old
    assert run(registry.snapshot(), "kb_search") == {"word": "old"}


# -- what is refused at load -----------------------------------------------------------------


def mending_command(error: RegistryError) -> list[str]:
    found = re.search(r"Run `antiphon (.*)` and start again", str(error))
    assert found, error
    return shlex.split(found[1])


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("guide.md", "# kb_search\n\nSays something else.\n"),
        ("handler.py", answering("other")),
        ("helper.py", "X = 2\n"),
        ("added.py", "Y = 1\n"),
    ],
)
def test_a_file_that_is_not_the_one_that_was_built_is_refused_and_the_command_mends_it(
    tools: Path, write_tool: WriteTool, out: Path, file: str, content: str
) -> None:
    directory = write_tool("kb-search", files={"helper.py": "X = 1\n"})
    write_tool("other-tool")
    built(tools, out)
    (directory / file).write_text(content)
    with pytest.raises(RegistryError) as caught:
        Registry.load(out)
    assert "kb_search: its files have changed since the artifact was built" in str(caught.value)
    assert "other_tool" not in str(caught.value)
    assert main(mending_command(caught.value)) == 0
    assert Registry.load(out).tool_ids() == ["kb_search", "other_tool"]


def test_a_changed_contract_is_refused_but_its_layout_is_free(
    tools: Path, write_tool: WriteTool, out: Path
) -> None:
    directory = write_tool("kb-search")
    built(tools, out)
    schema = (directory / "schema.json").read_text()
    (directory / "schema.json").write_text(schema.replace(", ", ",\n   "))
    assert Registry.load(out).tool_ids() == ["kb_search"]
    write_tool("kb-search", latencyBudgetMs=501)
    with pytest.raises(RegistryError, match="kb_search: its files have changed"):
        Registry.load(out)
    (directory / "schema.json").write_text("{")
    with pytest.raises(RegistryError, match=r"kb_search: .*schema\.json is no longer"):
        Registry.load(out)


def test_every_tool_that_does_not_fit_is_named_at_once(
    tools: Path, write_tool: WriteTool, out: Path
) -> None:
    gone = write_tool("gone")
    no_guide = write_tool("no-guide")
    write_tool("changed")
    write_tool("fine")
    built(tools, out)
    shutil.rmtree(gone)
    (no_guide / "guide.md").unlink()
    write_tool("changed", handler=answering("x"))
    with pytest.raises(RegistryError) as caught:
        Registry.load(out)
    lines = str(caught.value).splitlines()
    assert [line.split(":")[0].strip() for line in lines[1:-1]] == ["changed", "gone", "no_guide"]
    assert "guide.md is missing" in lines[3]
    write_tool("no-guide")
    assert main(mending_command(caught.value)) == 0
    assert Registry.load(out).tool_ids() == ["changed", "fine", "no_guide"]


@pytest.mark.parametrize("trouble", ["raise OSError('no key')", "import sys; sys.exit('no key')"])
def test_a_handler_that_cannot_be_imported_here_is_refused_with_its_reason(
    tools: Path, write_tool: WriteTool, out: Path, monkeypatch: pytest.MonkeyPatch, trouble: str
) -> None:
    monkeypatch.setenv("ANTIPHON_TEST_KEY", "1")
    check = f"import os\nif not os.environ.get('ANTIPHON_TEST_KEY'):\n    {trouble}\n"
    write_tool("kb-search", handler=check + answering(trouble))
    built(tools, out)
    monkeypatch.delenv("ANTIPHON_TEST_KEY")
    with pytest.raises(RegistryError, match=r"kb_search: handler.py cannot be imported: .*no key"):
        Registry.load(out)
    monkeypatch.setenv("ANTIPHON_TEST_KEY", "1")
    assert Registry.load(out).tool_ids() == ["kb_search"]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "does not exist"),
        (b"", "damaged or half-written"),
        (b'{"tools": [', "damaged or half-written"),
        (b"[]", "no registry artifact"),
        (b'{"version": "1.0.00000000", "tools": {}}', "no registry artifact"),
        (b"\xff\xfe", "damaged or half-written"),
    ],
)
def test_what_is_no_artifact_is_refused_with_what_to_do(
    out: Path, content: bytes | None, words: str
) -> None:
    if content is not None:
        out.write_bytes(content)
    with pytest.raises(RegistryError, match=words) as caught:
        Registry.load(out)
    assert "antiphon build" in str(caught.value)


# -- places ----------------------------------------------------------------------------------


def test_artifact_and_tools_may_be_moved_together(
    tmp_path: Path, write_tool: WriteTool, tools: Path
) -> None:
    write_tool("kb-search", handler=answering("here"))
    deploy = tmp_path / "deploy"
    deploy.mkdir()
    built(tools, deploy / "registry.json")
    target = tmp_path / "elsewhere" / "deeper"
    shutil.copytree(tmp_path, target, ignore=lambda *_: ["elsewhere"])
    shutil.rmtree(tools)
    snapshot = Registry.load(target / "deploy" / "registry.json").snapshot()
    assert run(snapshot, "kb_search") == {"word": "here"}


def test_the_working_directory_does_not_matter(
    tmp_path: Path, write_tool: WriteTool, tools: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_tool("kb-search")
    built(tools, out)
    monkeypatch.chdir(tools)
    assert Registry.load("../tool_registry.json").tool_ids() == ["kb_search"]
    monkeypatch.chdir(tmp_path)
    assert Registry.load().tool_ids() == ["kb_search"]


def test_an_artifact_behind_a_link_finds_its_tools(
    tmp_path: Path, write_tool: WriteTool, tools: Path
) -> None:
    write_tool("kb-search")
    deploy = tmp_path / "a" / "b"
    deploy.mkdir(parents=True)
    (tmp_path / "link").symlink_to(deploy)
    built(tools, tmp_path / "link" / "registry.json")
    assert Registry.load(tmp_path / "link" / "registry.json").tool_ids() == ["kb_search"]
    assert Registry.load(deploy / "registry.json").tool_ids() == ["kb_search"]


def test_the_mending_command_works_for_folders_with_blanks_in_their_names(
    tmp_path: Path, write_tool: WriteTool
) -> None:
    folder = tmp_path / "my tools"
    out = tmp_path / "the artifact.json"
    write_tool("kb-search", folder=folder)
    built(folder, out)
    write_tool("kb-search", folder=folder, handler=answering("changed"))
    with pytest.raises(RegistryError) as caught:
        Registry.load(out)
    assert main(mending_command(caught.value)) == 0
    assert run(Registry.load(out).snapshot(), "kb_search") == {"word": "changed"}


def test_the_same_tools_from_two_places_do_not_mix(tmp_path: Path, write_tool: WriteTool) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    write_tool("kb-search", folder=one / "tools", handler=answering("one"))
    write_tool("kb-search", folder=two / "tools", handler=answering("two"))
    first = Registry.load(built(one / "tools", one / "r.json")).snapshot()
    second = Registry.load(built(two / "tools", two / "r.json")).snapshot()
    assert (run(first, "kb_search"), run(second, "kb_search")) == ({"word": "one"}, {"word": "two"})

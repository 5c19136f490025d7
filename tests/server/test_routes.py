"""What each route answers, asked over a real socket."""

from __future__ import annotations

import asyncio
import gzip
import re
from typing import Any

import pytest

from antiphon import __version__
from antiphon.orchestrator import Metrics, estimate_tokens
from antiphon.server.routes.health import Readiness
from antiphon.server.routes.metrics import MetricsDocument
from antiphon.server.routes.tools import ToolCatalogue, ToolEntry

SHIPPED = ["extract_contacts", "format_datetime", "rank_results"]


def ids(reply: Any) -> list[str]:
    assert reply.status == 200, reply.body
    return [tool["toolId"] for tool in reply.json["tools"]]


def test_health_says_that_the_process_is_alive(client: Any) -> None:
    reply = client.get("/healthz")
    assert (reply.status, reply.json) == (200, {"status": "ok", "version": __version__})


@pytest.mark.real_time
async def test_nothing_goes_on_beside_a_server_that_ended_early(serve: Any) -> None:
    app = serve.app()
    with pytest.raises(ValueError, match="nobody listens"):
        async with app.router.lifespan_context(app):
            raise ValueError("nobody listens")
    assert asyncio.all_tasks() == {asyncio.current_task()}


@pytest.mark.parametrize("path", ["/", "/healthz", "/api/tools", "/api/vox/voices"])
def test_head_answers_as_get_does_without_the_body(client: Any, path: str) -> None:
    head, whole = client.send("HEAD", path), client.get(path)
    assert (head.status, head.body) == (200, b"")
    assert head.media_type == whole.media_type
    assert head.headers.get("content-length") == whole.headers.get("content-length")


def test_head_of_what_is_not_read_is_refused(client: Any) -> None:
    reply = client.send("HEAD", "/api/chat")
    assert (reply.status, reply.headers["allow"]) == (405, "POST")


def test_readiness_names_the_registry_in_force(client: Any, serve: Any) -> None:
    reply = client.get("/readyz")
    assert reply.status == 200
    ready = Readiness.model_validate(reply.json)
    assert ready.registry.version == serve.registry.version
    assert ready.registry.tools == len(serve.registry.tool_ids())


def test_readiness_is_refused_while_the_application_is_not_started(serve: Any) -> None:
    app = serve.app()
    with serve.running(app) as client:
        app.services.ready = False
        reply = client.get("/readyz")
    assert (reply.status, reply.media_type) == (503, "application/problem+json")


def test_the_catalogue_lists_every_tool_with_metadata_and_summary(client: Any, serve: Any) -> None:
    reply = client.get("/api/tools")
    assert ids(reply) == serve.registry.tool_ids()
    assert set(SHIPPED) <= set(ids(reply))
    assert reply.json["count"] == len(reply.json["tools"])
    assert reply.json["registryVersion"] == serve.registry.version
    for tool in ToolCatalogue.model_validate(reply.json).tools:
        assert tool.summary
    for tool in reply.json["tools"]:
        metadata = serve.registry.metadata(tool["toolId"])
        assert {key: tool[key] for key in metadata} == metadata
        assert "documentation" not in tool


@pytest.mark.parametrize("category", ["retrieval", "action", "utility"])
def test_the_catalogue_is_filtered_by_category(client: Any, serve: Any, category: str) -> None:
    expected = [
        tool_id
        for tool_id in serve.registry.tool_ids()
        if serve.registry.metadata(tool_id)["category"] == category
    ]
    assert ids(client.get(f"/api/tools?category={category}")) == expected


def test_the_catalogue_is_filtered_by_mode(client: Any, serve: Any) -> None:
    for mode in ("text", "voice"):
        expected = [
            tool_id
            for tool_id in serve.registry.tool_ids()
            if mode in serve.registry.metadata(tool_id)["allowedModes"]
        ]
        assert ids(client.get(f"/api/tools?mode={mode}")) == expected


def test_the_catalogue_is_searched_without_regard_to_case(client: Any) -> None:
    assert ids(client.get("/api/tools?q=FORMAT_date")) == ["format_datetime"]
    assert ids(client.get("/api/tools?q=no-such-thing")) == []


def test_a_filter_that_is_none_is_a_problem_that_names_it(client: Any) -> None:
    reply = client.get("/api/tools?category=eyes&mode=smoke")
    assert (reply.status, reply.media_type) == (422, "application/problem+json")
    assert {(e["in"], e["name"]) for e in reply.json["errors"]} == {
        ("query", "category"),
        ("query", "mode"),
    }
    assert "retrieval" in reply.json["detail"]


@pytest.mark.parametrize("tool_id", SHIPPED)
def test_one_tool_comes_with_its_guide_its_schemas_and_their_losses(
    client: Any, serve: Any, tool_id: str
) -> None:
    reply = client.get(f"/api/tools/{tool_id}")
    assert reply.status == 200
    ToolEntry.model_validate(reply.json)
    entry = serve.registry.entry(tool_id)
    assert reply.json["documentation"] == serve.registry.documentation(tool_id)
    assert reply.json["documentation"].startswith(f"# {tool_id}")
    assert reply.json["jsonSchema"] == entry["jsonSchema"]
    assert reply.json["providerSchemas"] == entry["providerSchemas"]
    assert {"openai", "geminiNative", "anthropic", "mcp"} <= set(reply.json["providerSchemas"])
    assert reply.json["losses"] == entry["losses"]


def test_an_unknown_tool_is_a_problem_with_the_nearest_names(client: Any) -> None:
    reply = client.get("/api/tools/format_datetim")
    assert (reply.status, reply.media_type) == (404, "application/problem+json")
    assert reply.json["nearest"][0] == "format_datetime"
    assert "format_datetim`" in reply.json["detail"]
    assert client.get("/api/tools/zzzzzz").json["nearest"] == []


@pytest.mark.parametrize("name", ["..%2f..%2fetc%2fpasswd", "%00", "x" * 300, "a%20b", "%F0%9F"])
def test_odd_names_of_tools_are_refused_plainly(client: Any, name: str) -> None:
    reply = client.get(f"/api/tools/{name}")
    assert reply.status in (404, 422)
    assert reply.media_type == "application/problem+json"


def test_metrics_are_json_in_the_documented_shape(client: Any, serve: Any) -> None:
    reply = client.get("/metrics")
    assert (reply.status, reply.media_type) == (200, "application/json")
    assert MetricsDocument.model_validate(reply.json, strict=True)
    assert set(reply.json) == set(MetricsDocument.model_fields)
    assert reply.json["registry"] == {
        "version": serve.registry.version,
        "tools": len(serve.registry.tool_ids()),
    }


def test_declarations_are_measured_not_guessed(client: Any, serve: Any) -> None:
    declared = [
        serve.registry.entry(tool_id)["providerSchemas"]["geminiNative"]
        for tool_id in serve.registry.tool_ids()
    ]
    import orjson

    expected = estimate_tokens(len(orjson.dumps(declared).decode()))
    context = client.get("/metrics").json["context"]
    assert expected > 100
    assert context["toolDeclTokens"] == expected
    assert context["sessionInitTokens"] == expected + context["systemPromptTokens"]


def test_what_is_recorded_shows_up(serve: Any) -> None:
    app = serve.app()
    metrics: Metrics = app.services.application.metrics
    metrics.record("format_datetime", 400, 12.5)
    with serve.running(app) as client:
        body = client.get("/metrics").json
        text = client.get("/metrics/prometheus").body.decode()
    assert body["responseSizes"] == {"format_datetime": {"p50": 400, "p95": 400, "p99": 400}}
    assert body["responseTokens"] == {"format_datetime": {"avg": 100, "p95": 100}}
    assert 'antiphon_tool_calls_total{tool="format_datetime",outcome="ok"} 1\n' in text


@pytest.mark.parametrize(
    ("accept", "media_type"),
    [
        ("*/*", "application/json"),
        ("text/html,application/xhtml+xml,*/*;q=0.8", "application/json"),
        ("application/json", "application/json"),
        ("text/plain", "text/plain"),
        ("text/plain;q=0.5, application/json", "application/json"),
        ("text/plain;q=nonsense", "application/json"),
        ("application/openmetrics-text", "application/openmetrics-text"),
        (
            "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3,"
            "*/*;q=0.2",
            "application/openmetrics-text",
        ),
    ],
)
def test_accept_chooses_the_form_of_the_metrics(client: Any, accept: str, media_type: str) -> None:
    reply = client.get("/metrics", accept=accept)
    assert (reply.status, reply.media_type) == (200, media_type)
    assert reply.headers["vary"].lower() == "accept"
    is_openmetrics = reply.body.endswith(b"# EOF\n")
    assert is_openmetrics == (media_type == "application/openmetrics-text")


def test_prometheus_has_a_path_of_its_own(client: Any) -> None:
    reply = client.get("/metrics/prometheus")
    assert reply.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert b"# TYPE antiphon_registry_tools gauge\n" in reply.body


def test_the_front_page_is_the_console_and_has_all_that_it_names(client: Any) -> None:
    reply = client.get("/")
    page = reply.body.decode()
    assert (reply.status, reply.media_type) == (200, "text/html")
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style| style=| on\w+=", page), "inline code"
    links = re.findall(r'(?:href|src)="([^"]+)"', page)
    assert {"console/app.js", "console/style.css", "openapi.json"} <= set(links)
    assert [client.get(f"/{link}").status for link in links] == [200] * len(links)


def test_a_file_of_the_console_is_asked_for_again_and_not_sent_again(client: Any) -> None:
    first = client.get("/console/app.js")
    assert (first.status, first.media_type) == (200, "text/javascript")
    assert first.headers["cache-control"] == "no-cache"
    again = client.get("/console/app.js", if_none_match=first.headers["etag"])
    assert (again.status, again.body) == (304, b"")
    packed = client.get("/console/app.js", accept_encoding="gzip")
    assert packed.headers["content-encoding"] == "gzip"
    assert gzip.decompress(packed.body) == first.body
    assert len(packed.body) < len(first.body)


@pytest.mark.parametrize("name", ["nothing.js", "..", "%2e%2e%2f__init__.py", "static", "app"])
def test_the_console_has_no_other_files(client: Any, name: str) -> None:
    reply = client.get(f"/console/{name}")
    assert (reply.status, reply.media_type) == (404, "application/problem+json")


@pytest.mark.parametrize("path", ["/api/users", "/api/groups", "/api/roles"])
def test_an_organisation_that_is_not_there_is_not_found_and_the_document_says_so(
    client: Any, path: str
) -> None:
    reply = client.get(f"{path}?organisation=nowhere")
    assert (reply.status, reply.media_type) == (404, "application/problem+json")
    assert "404" in client.get("/openapi.json").json["paths"][path]["get"]["responses"]


def test_the_description_is_complete_and_names_no_other_host(client: Any) -> None:
    document = client.get("/openapi.json").json
    assert set(document["paths"]) == {
        "/",
        "/console/{name}",
        "/healthz",
        "/readyz",
        "/metrics",
        "/metrics/prometheus",
        "/metrics/history",
        "/mcp",
        "/.well-known/oauth-protected-resource",
        "/.well-known/oauth-protected-resource/mcp",
        "/api/rules",
        "/api/tools",
        "/api/tools/{tool_id}",
        "/api/tools/{tool_id}/call",
        "/api/tasks",
        "/api/tasks/{task_id}",
        "/api/tasks/{task_id}/cancel",
        "/api/sessions",
        "/api/sessions/{session_id}",
        "/api/sessions/{session_id}/turns",
        "/api/sessions/{session_id}/timeline",
        "/api/confirmations",
        "/api/confirmations/{confirmation_id}",
        "/api/approvals",
        "/api/approvals/{approval_id}",
        "/api/blocks",
        "/api/blocks/{user}",
        "/api/sign-in",
        "/api/sign-in/password",
        "/api/sign-in/link/look",
        "/api/sign-in/link",
        "/api/sign-in/oidc/{provider}",
        "/api/sign-in/oidc/{provider}/callback",
        "/api/sign-in/passkey/options",
        "/api/sign-in/passkey",
        "/api/sign-out",
        "/api/account",
        "/api/account/password",
        "/api/account/sessions",
        "/api/account/sessions/{session_id}",
        "/api/account/passkeys",
        "/api/account/passkeys/options",
        "/api/account/passkeys/{passkey_id}",
        "/api/account/ticket",
        "/api/users",
        "/api/users/{name}",
        "/api/users/{name}/link",
        "/api/invitations",
        "/api/invitations/{name}",
        "/api/groups",
        "/api/groups/{name}",
        "/api/roles",
        "/api/roles/{name}",
        "/api/tokens",
        "/api/tokens/{token_id}",
        "/api/organisations",
        "/api/organisations/{organisation_id}",
        "/api/usage",
        "/api/usage.csv",
        "/api/usage/caps",
        "/api/usage/caps/me",
        "/api/usage/caps/organisation",
        "/api/usage/caps/{scope}/{subject}",
        "/api/limits",
        "/api/limits/me",
        "/api/limits/organisation",
        "/api/limits/{kind}/{name}",
        "/api/mcp/servers",
        "/api/mcp/servers/{server}",
        "/api/mcp/servers/{server}/connect",
        "/api/mcp/servers/{server}/stderr",
        "/api/mcp/servers/{server}/transcript",
        "/api/mcp/servers/{server}/accept",
        "/api/mcp/servers/{server}/reject",
        "/api/mcp/sign-in",
        "/api/mcp/sign-in/{server}",
        "/api/mcp/callback",
        "/api/mcp/client.json",
        "/api/profiles",
        "/api/chat",
        "/api/experts",
        "/api/experts/{id}",
        "/api/playbooks",
        "/api/playbooks/{id}",
        "/api/knowledge",
        "/api/knowledge/{database}",
        "/api/knowledge/{database}/search",
        "/api/knowledge/{database}/records/{record_id}",
        "/api/knowledge/{database}/neighbourhood/{record_id}",
        "/api/knowledge/{database}/graph",
        "/api/knowledge/{database}/edges",
        "/api/knowledge/{database}/analytics",
        "/api/knowledge/{database}/ingest",
        "/api/knowledge/{database}/import",
        "/api/knowledge/{database}/files",
        "/api/knowledge/{database}/export",
        "/api/projects",
        "/api/projects/{project_id}",
        "/api/projects/{project_id}/related",
        "/api/automations",
        "/api/automations/runs",
        "/api/automations/runs/{id}",
        "/api/automations/runs/{id}/resume",
        "/api/automations/runs/{id}/stop",
        "/api/automations/{kind}/{name}/run",
        "/api/schedules",
        "/api/schedules/preview",
        "/api/schedules/{id}",
        "/api/schedules/{id}/run",
        "/api/workflows",
        "/api/workflows/{name}",
        "/api/agents",
        "/api/agents/{name}",
        "/api/calendar/events",
        "/api/calendar/events/{id}",
        "/api/calendar/import",
        "/api/calendar/export",
        "/api/calendar/availability",
        "/api/vox/status",
        "/api/vox/voices",
        "/api/vox/functions",
        "/api/vox/function/{fn_name}",
        "/api/vox/awareness",
        "/api/vox/tours",
        "/api/vox/tours/{page}",
        "/api/vox/speech",
        "/api/vox/macros",
        "/api/vox/macros/{id}",
        "/api/vox/macros/dry-run",
        "/api/vox/macros/{id}/run",
        "/api/vox/macros/{id}/run/events",
        "/api/vox/thermal",
        "/api/images/{image_id}",
        "/api/config/keys",
        "/api/audit",
        "/api/audit/verify",
        "/api/audit/replay",
        "/api/audit/{seq}",
        "/api/chat/{session_id}/results",
        "/api/confirmations/deny",
        "/api/conversations",
        "/api/conversations/{conversation_id}",
        "/api/conversations/{conversation_id}/branch",
        "/api/conversations/{conversation_id}/export",
        "/api/conversations/{conversation_id}/share",
        "/api/conversations/{conversation_id}/turns/{turn}/feedback",
        "/api/search",
        "/api/shared/{token}",
        "/api/traces",
        "/api/traces/{session_id}/{turn}",
        "/api/traces/{session_id}/{turn}/sound",
    }
    schemas = document["components"]["schemas"]
    references = set(re.findall(r'"\$ref":"#/components/schemas/(\w+)"', str_json(document)))
    assert references <= set(schemas)
    assert "HTTPValidationError" not in schemas
    operations = [op for path in document["paths"].values() for op in path.values()]
    assert len({op["operationId"] for op in operations}) == len(operations)
    for operation in operations:
        assert operation["summary"]
        for status, response in operation["responses"].items():
            where = (operation["operationId"], status)
            if operation["operationId"] in ("get_mcp", "post_mcp", "delete_mcp"):
                # What refuses may be the protocol, whose errors are those of JSON-RPC.
                assert int(status) < 400 or "application/problem+json" in response["content"], where
            elif int(status) >= 400 and operation["operationId"] != "call_tool":
                assert set(response["content"]) == {"application/problem+json"}, where
            elif status == "303":
                assert set(response["headers"]) == {"Location"}, where
            elif status != "204":
                assert response["content"], where
    assert client.get("/docs").status == client.get("/redoc").status == 404


def str_json(document: Any) -> str:
    import orjson

    return orjson.dumps(document).decode()


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("OPTIONS", "/api/calendar/events", "GET, HEAD, POST"),
        ("PATCH", "/api/calendar/events/primary:1", "GET, HEAD, PUT, DELETE"),
        ("OPTIONS", "/api/sessions/one", "GET, HEAD, DELETE"),
        ("DELETE", "/api/confirmations/one", "GET, HEAD, POST"),
        ("GET", "/api/audit/replay", "POST"),
    ],
)
def test_every_method_that_a_path_takes_is_named(
    client: Any, method: str, path: str, allowed: str
) -> None:
    reply = client.send(method, path)
    assert (reply.status, reply.headers["allow"]) == (405, allowed)
    assert reply.json["detail"] == f"{path} does not take {method}; it takes {allowed}."


def test_the_document_tells_the_rules_of_names_and_times(client: Any) -> None:
    paths = client.get("/openapi.json").json["paths"]

    def schema(path: str, name: str) -> Any:
        return next(p for p in paths[path]["get"]["parameters"] if p["name"] == name)["schema"]

    assert schema("/api/knowledge/{database}", "database")["pattern"].startswith("^[a-z0-9]")
    assert {"type": "number"} in schema("/api/audit", "until")["anyOf"]
    formats = [each["format"] for each in schema("/api/calendar/events", "start")["anyOf"]]
    assert formats == ["date", "date-time"]
    events = paths["/api/chat"]["post"]["responses"]["200"]["content"]["text/event-stream"]
    assert "schema" not in events  # a stream of events is no JSON string

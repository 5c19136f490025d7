"""The page at `/`: what runs here, and where to find it."""

from __future__ import annotations

from html import escape

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from antiphon import __version__

router = APIRouter(tags=["pages"])

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Antiphon</title>
</head>
<body>
<main>
<h1>Antiphon</h1>
<p>Version {version}, {mode} mode. Tool registry {registry} with {count} tools.</p>
<h2>What runs here</h2>
<ul>
<li><a href="/api/tools">Tools</a>: the catalogue, as JSON</li>
<li><a href="/api/sessions">Sessions</a>, <a href="/api/confirmations">confirmations</a> and the
<a href="/api/audit">audit</a></li>
<li><a href="/api/knowledge">Knowledge</a>: the databases that are searched</li>
<li><a href="/metrics">Metrics</a>: as JSON, and as <a href="/metrics/prometheus">Prometheus
text</a></li>
<li><a href="/healthz">Health</a> and <a href="/readyz">readiness</a></li>
<li><a href="/openapi.json">OpenAPI</a>: all of the above, described</li>
</ul>
<h2>Tools</h2>
<ul>
{tools}
</ul>
</main>
</body>
</html>
"""


@router.get("/", summary="What runs here, as a page", response_class=HTMLResponse)
async def index(request: Request) -> HTMLResponse:
    registry = request.app.state.registry
    tools = (registry.metadata(tool_id) for tool_id in registry.tool_ids())
    rows = (
        f'<li><a href="/api/tools/{escape(tool["toolId"])}">{escape(tool["toolId"])}</a>: '
        f"{escape(tool['description'])}</li>"
        for tool in tools
    )
    page = _PAGE.format(
        version=escape(__version__),
        mode=escape(request.app.state.settings.mode),
        registry=escape(registry.version),
        count=len(registry.tool_ids()),
        tools="\n".join(rows) or "<li>None.</li>",
    )
    return HTMLResponse(page)

"""The web console: its page at `/`, and the files that it is made of under `/console/`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Request
from fastapi import Path as PathParameter
from fastapi.responses import FileResponse, HTMLResponse, Response

from antiphon.server.problems import ProblemError, documented

router = APIRouter(tags=["console"])

# Names are the same in every version, so a browser asks each time; an ETag makes that cheap.
_CACHE = {"cache-control": "no-cache"}
_TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".json": "application/json",
    ".svg": "image/svg+xml",
}


@router.get("/", summary="The console", response_class=HTMLResponse)
async def index(request: Request) -> Response:
    return _file(request, "index.html")


@router.get(
    "/console/{name}",
    summary="A file of the console",
    response_class=FileResponse,
    responses=documented(404, 422),
)
async def console_file(
    request: Request,
    name: Annotated[str, PathParameter(max_length=100, examples=["app.js"])],
) -> Response:
    return _file(request, name)


def _file(request: Request, name: str) -> Response:
    folder: Path = request.app.state.settings.server.console
    kind = _TYPES.get(Path(name).suffix)
    # Looked up among what is there, never joined to a path.
    found = next((path for path in folder.glob("*") if path.name == name), None)
    if kind is None or found is None:
        raise ProblemError(404, f"The console has no file `{name}`.")
    response = FileResponse(found, media_type=kind, headers=_CACHE, stat_result=found.stat())
    if response.headers["etag"] in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers={"etag": response.headers["etag"], **_CACHE})
    return response

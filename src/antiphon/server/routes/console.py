"""The web console: its page at `/`, and the files that it is made of under `/console/`."""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Request
from fastapi import Path as PathParameter
from fastapi.responses import HTMLResponse, Response

from antiphon.app import Application
from antiphon.server.dependencies import ApplicationDep
from antiphon.server.problems import ProblemError, documented

router = APIRouter(tags=["console"])

_TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
_WORKER = "service-worker.js"


@dataclass(frozen=True, slots=True)
class _File:
    state: tuple[int, int]  # time and size by which a change is noticed
    etag: str
    body: bytes
    packed: bytes


# They are few and small; each is read, and packed, when it is first asked for or has changed.
_read: dict[Path, _File] = {}


@router.get("/", summary="The console", response_class=HTMLResponse)
async def index(request: Request, application: ApplicationDep) -> Response:
    return _answer(request, application, "index.html")


@router.get(
    "/console/{name}",
    summary="A file of the console",
    response_class=Response,
    responses={
        200: {"content": {kind: {"schema": {"type": "string"}} for kind in _TYPES.values()}},
        **documented(404, 422),
    },
)
async def console_file(
    request: Request,
    application: ApplicationDep,
    name: Annotated[str, PathParameter(max_length=100, examples=["app.js"])],
) -> Response:
    return _answer(request, application, name)


def _answer(request: Request, application: Application, name: str) -> Response:
    folder: Path = application.settings.server.console
    kind = _TYPES.get(Path(name).suffix)
    # Looked up among what is there, never joined to a path.
    path = next((path for path in folder.glob("*") if path.name == name), None)
    if kind is None or path is None or not path.is_file():
        raise ProblemError(404, f"The console has no file `{name}`.")
    file = _file(path)
    # Names are the same in every version, so a browser asks each time; the tag makes that cheap.
    headers = {"cache-control": "no-cache", "etag": file.etag, "vary": "accept-encoding"}
    if name == _WORKER:
        headers["service-worker-allowed"] = "../"  # it looks after the page, one level above
    if file.etag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    body = file.body
    if "gzip" in request.headers.get("accept-encoding", ""):
        body, headers["content-encoding"] = file.packed, "gzip"
    return Response(body, media_type=kind, headers=headers)


def _file(path: Path) -> _File:
    stat = path.stat()
    state = (stat.st_mtime_ns, stat.st_size)
    known = _read.get(path)
    if known is None or known.state != state:
        body = path.read_bytes()
        # Weak: it stands for the file whether it is sent packed or not.
        etag = f'W/"{sha256(body).hexdigest()[:32]}"'
        known = _read[path] = _File(state, etag, body, gzip.compress(body, mtime=0))
    return known

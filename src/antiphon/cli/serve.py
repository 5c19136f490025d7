"""`antiphon serve`: build the registry, load it, and answer on an address."""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from antiphon.cli.options import ConfigOption, DataOption, settings_of
from antiphon.cli.status import stop

if TYPE_CHECKING:
    from antiphon.config import Settings
    from antiphon.registry import Registry
    from antiphon.server import AntiphonServer
    from antiphon.storage import Store

# uvicorn waits this long for requests under way before it cancels them.
GRACE_SECONDS = 3
# How often a quiet socket is asked whether anybody is there, and how long it may take to say so.
PING_SECONDS = 20.0


def register(app: typer.Typer) -> None:
    app.command("serve")(serve)


def serve(
    host: Annotated[
        str | None, typer.Option(help="Address to listen on; beyond this machine people sign in.")
    ] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="Port; 0 takes a free one.")
    ] = None,
    data: DataOption = None,
    config: ConfigOption = None,
) -> None:
    """Build the tool registry and start the server."""
    import gc

    from antiphon.config.binding import binding_trouble

    # Until the server is ready next to nothing becomes garbage, and looking for it takes a while.
    gc.disable()
    settings = settings_of(
        "",
        data,
        config,
        export=True,
        server__host=("--host", host),
        server__port=("--port", port),
    )

    if trouble := binding_trouble(settings):
        raise _stop(trouble)
    with closing(_listen(settings.server.host, settings.server.port)) as listener:
        settings = _with_port(settings, listener)
        registry = registry_of(settings)
        _run(registry, settings, _store(settings), listener, _admin_token_file(settings))


def _with_port(settings: Settings, listener: socket.socket) -> Settings:
    """The settings with the port that was taken, for addresses of this server."""
    port = listener.getsockname()[1]
    return settings.model_copy(update={"server": settings.server.model_copy(update={"port": port})})


def _stop(*messages: str) -> typer.Exit:
    return stop("", *messages)


class ListenError(Exception):
    """An address cannot be listened on; the message says why and what to do."""


def listen_on(host: str, port: int) -> socket.socket:
    """Return a listening socket. Raises ListenError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(2048)
    except OSError as error:
        listener.close()
        raise ListenError(
            f"cannot listen on {host} port {port}: {error.strerror or error}. Stop what is using "
            "it, or choose another"
        ) from None
    return listener


def _listen(host: str, port: int) -> socket.socket:
    """Take the port before the build: a port in use should be known at once."""
    try:
        return listen_on(host, port)
    except ListenError as error:
        raise _stop(f"{error} with --port (0 takes a free one).") from None


def registry_of(settings: Settings) -> Registry:
    """Today's tools, built and loaded; what is wrong with them ends the command in words."""
    from antiphon.app.tools import ToolBuildError, load_tools
    from antiphon.registry.findings import plain

    try:
        return load_tools(settings)
    except ToolBuildError as error:
        for finding in error.findings:
            at = f" {finding.pointer}" if finding.pointer else ""
            line = f"{finding.severity}: {finding.file}{at}: {finding.message}. {finding.fix}"
            typer.echo(plain(line), err=True)
        raise _stop(str(error)) from None


def _store(settings: Settings) -> Store:
    """Opened before the server starts: what is wrong with it is said in a sentence."""
    from antiphon.app.store import open_store
    from antiphon.storage import StoreError

    try:
        return open_store(settings, audit_file=True)
    except StoreError as error:
        raise _stop(str(error)) from None


def _log(level: str) -> None:
    """Have the package's own log printed from that level on. Without it Python prints warnings."""
    import logging

    if level != "warning":
        logging.basicConfig(format="%(levelname)s %(name)s: %(message)s")
        logging.getLogger("antiphon").setLevel(level.upper())


def _admin_token_file(settings: Settings) -> Path | None:
    """The file of the admin token, made on the first start; None when the settings have it."""
    from antiphon.app.key_files import KeyFileError, admin_token

    try:
        return admin_token(settings)[1]
    except KeyFileError as error:
        raise _stop(str(error)) from None


def _run(
    registry: Registry,
    settings: Settings,
    store: Store,
    listener: socket.socket,
    token_file: Path | None,
) -> None:
    from antiphon.server import create_app

    commit = registry.snapshot().git_commit
    _log(settings.log_level)

    def ready(url: str) -> None:
        typer.echo(
            f"Antiphon is ready: open {url} in a browser and ask something. Ctrl-C stops it.\n"
            f"{len(registry.tool_ids())} tools, registry {registry.version}"
            f"{f' of commit {commit}' if commit else ''}, {settings.mode}."
            + (f" The admin token is in {token_file}." if token_file else "")
        )

    run_server(create_app(registry, settings, store), settings, listener, ready)


def run_server(
    app: AntiphonServer,
    settings: Settings,
    listener: socket.socket,
    ready: Callable[[str], None],
) -> None:
    """Serve until a signal stops it; `ready` is called with the address once it answers."""
    import gc
    import signal

    import uvicorn

    from antiphon.fastpath.server import FastServerProtocol
    from antiphon.server.http_protocol import limited_http
    from antiphon.server.ws.client_messages import MAX_FRAME_BYTES

    host, port = listener.getsockname()[:2]
    url = f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"

    class _Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets=sockets)
            # To look through all that is loaded now would stop every conversation for 100 ms.
            gc.freeze()
            gc.enable()
            # And through two hundred of them, for 40. It finds next to nothing: what has ended goes
            # without the collector, so it need not look as often as it would.
            gc.set_threshold(*gc.get_threshold()[:2], 50)
            if self.started:
                ready(url)

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            # Before the sockets are closed: who talks is told how to come back.
            if self.started:
                app.services.voice.go_away()
                app.services.mcp.go_away()
            await super().shutdown(sockets)

        def handle_exit(self, sig: int, frame: object) -> None:
            # uvicorn would remember the signal and raise it again after the shutdown; a server
            # that stopped in good order because it was asked to has exit status 0.
            del frame
            self.force_exit = self.should_exit and sig == signal.SIGINT
            self.should_exit = True

    _Server(
        uvicorn.Config(
            app,
            loop="auto",
            http=limited_http(settings.server, settings.limits),
            ws=FastServerProtocol,
            # More than a message may have, so that a larger one is answered and not only cut off.
            ws_max_size=MAX_FRAME_BYTES,
            ws_per_message_deflate=False,
            ws_ping_interval=PING_SECONDS,
            ws_ping_timeout=PING_SECONDS,
            lifespan="on",
            log_level="warning",
            access_log=False,
            proxy_headers=False,
            server_header=False,
            timeout_keep_alive=settings.server.idle_seconds,
            timeout_graceful_shutdown=GRACE_SECONDS,
        )
    ).run(sockets=[listener])

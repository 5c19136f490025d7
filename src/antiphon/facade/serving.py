"""Served program: the terminal and the server on the application of a program."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from typing import TYPE_CHECKING

from antiphon.extras import naming_extras
from antiphon.facade.assembly import ProgramAssembly
from antiphon.facade.lifetime import ProgramLifetime

if TYPE_CHECKING:
    from antiphon.server import AntiphonServer, PrincipalHook


class ServedProgram:
    """A program's application in a terminal, behind HTTP, and mounted in another application."""

    def __init__(self, assembly: ProgramAssembly) -> None:
        self._assembly = assembly
        self._lifetime = ProgramLifetime(assembly.open)

    def chat(self, message: str | None = None) -> int:
        """Hold a conversation in the terminal until the person leaves, or ask one `message` and
        print the answer; return the exit status."""
        from antiphon.cli.chat import converse

        return converse(self._lifetime.lent, message)

    def asgi(
        self,
        *,
        principal: PrincipalHook | None = None,
        hosts: Sequence[str] = (),
        cors: bool = True,
    ) -> AntiphonServer:
        """Return the server of this Antiphon, to be served or mounted under any prefix: its REST
        API, its chat, its voice socket and its console. It works on this Antiphon, and opens it
        where it is not open.

        `principal` says who makes a request, `hosts` are names beside loopback that it answers
        under, and `cors=False` leaves headers for pages of other origins to the host application.
        Raises ValueError for `hosts` without `principal`, MissingExtra without the extra `server`.
        """
        with naming_extras():
            from antiphon.server import create_app

        return create_app(
            self._assembly.registry,
            self._assembly.settled,
            opening=self._lifetime.lent,
            principal=principal,
            hosts=hosts,
            cors=cors,
        )

    def serve(
        self,
        host: str | None = None,
        port: int | None = None,
        *,
        principal: PrincipalHook | None = None,
        hosts: Sequence[str] = (),
        cors: bool = True,
        ready: Callable[[str], None] | None = None,
    ) -> None:
        """Serve it until Ctrl+C or a signal stops it: `asgi` on an address, that of the settings
        unless one is given. `ready` is called with the URL once it answers; without it the URL is
        printed.

        Raises ListenError for an address that cannot be used, ValueError for one that others than
        this machine reach without `principal`.
        """
        from antiphon.cli.serve import listen_on, run_server
        from antiphon.config.binding import is_loopback

        address = self._assembly.settings.server
        host, port = host or address.host, address.port if port is None else port
        if principal is None and not is_loopback(host):
            raise ValueError(
                f"To listen on {host} opens the server to others than this machine, so it needs "
                "`principal`, which says who makes a request."
            )
        server = self.asgi(principal=principal, hosts=hosts, cors=cors)
        with closing(listen_on(host, port)) as listener:
            run_server(server, self._assembly.settings, listener, ready or _print_ready)


def _print_ready(url: str) -> None:
    sys.stdout.write(f"Antiphon is ready: open {url} in a browser. Ctrl-C stops it.\n")
    sys.stdout.flush()

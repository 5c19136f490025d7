"""Launcher of an MCP server's process: its limits are set, then it becomes the server.

It runs by itself, in a fresh interpreter without any package: `launcher LIMITS COMMAND …`, where
LIMITS are `name=number` of `resource.RLIMIT_…`, with commas between them.
"""

import os
import resource
import sys


def main() -> None:
    """Become the server."""
    for limit in sys.argv[1].split(","):
        name, _, number = limit.partition("=")
        which = getattr(resource, f"RLIMIT_{name}")
        hard = resource.getrlimit(which)[1]
        most = int(number) if hard == resource.RLIM_INFINITY else min(int(number), hard)
        resource.setrlimit(which, (most, most))
    try:
        os.execvp(sys.argv[2], sys.argv[2:])  # noqa: S606 - the command of the settings
    except OSError as error:
        sys.stderr.write(f"{sys.argv[2]} cannot be started: {error.strerror}\n")
        raise SystemExit(127) from None


main()

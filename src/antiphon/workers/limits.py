"""The limits of a worker process, and its environment."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict, dataclass
from typing import Any

# What a worker sees of the server's environment: nothing that could be a secret.
KEPT_VARIABLES = (
    *("PATH", "HOME", "LANG", "LANGUAGE", "TZ", "TZDIR", "TMPDIR", "LD_LIBRARY_PATH"),
    *("SYSTEMROOT", "VIRTUAL_ENV", "PYTHONUTF8", "PYTHONHOME", "ORT_DISABLE_TELEMETRY"),
)
NETWORK_VARIABLES = (
    *("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"),
    *("SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE"),
)
MEMORY_MB = 512
OPEN_FILES = 256

# The child sees modules exactly as this process does, whichever way this process was started.
_BOOT = (
    "import sys, json; sys.path[:] = json.loads(sys.argv.pop());"
    "sys.dont_write_bytecode = True;"
    "from antiphon.workers.child import main; main()"
)


@dataclass(frozen=True, slots=True)
class WorkerLimits:
    """What one worker process may use.

    `memory_mb` comes on top of what the bare process takes. `folder` is for code that is not
    trusted at all: with it, the process may read the Python installation and its libraries, write
    in that folder, and reach no other file; it may neither start nor signal other processes.
    """

    memory_mb: int = MEMORY_MB
    open_files: int = OPEN_FILES
    network: bool = False
    folder: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the limits as JSON, the form in which a worker gets them."""
        return asdict(self)


def command() -> list[str]:
    """Return the command line of a worker; its standard input is the socket."""
    path = json.dumps([entry or os.getcwd() for entry in sys.path])
    return [sys.executable, "-P", "-c", _BOOT, path]


def environment(network: bool = False) -> dict[str, str]:
    """Return the environment variables of a worker process."""
    names = (*KEPT_VARIABLES, *(NETWORK_VARIABLES if network else ()))
    kept = {name: os.environ[name] for name in names if name in os.environ}
    return kept | {name: value for name, value in os.environ.items() if name.startswith("LC_")}

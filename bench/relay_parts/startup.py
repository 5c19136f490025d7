"""How long it takes to begin: to import the package, and until a server takes requests."""

from __future__ import annotations

import http.client
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time

SERVE = "import sys; from antiphon.cli import main; sys.exit(main())"
IMPORT = "import time; t = time.perf_counter(); import antiphon; print(time.perf_counter() - t)"
PATIENCE = 60.0


def import_ms(processes: int = 5) -> float:
    """The median of fresh processes, Python's own start not counted."""
    took = [
        float(subprocess.check_output([sys.executable, "-c", IMPORT], text=True))
        for _ in range(processes)
    ]
    return statistics.median(took) * 1000


def ready_s(starts: int = 3) -> float:
    """From the start of the process to the first 200 of /readyz; the data folder is warm."""
    with tempfile.TemporaryDirectory() as folder:
        _start(folder)
        return statistics.median(_start(folder) for _ in range(starts))


def _start(folder: str) -> float:
    with socket.create_server(("127.0.0.1", 0)) as found:
        port = found.getsockname()[1]
    began = time.perf_counter()
    server = subprocess.Popen(
        [sys.executable, "-c", SERVE, "serve", "--port", str(port), "--data", "data"],
        stdout=subprocess.DEVNULL,
        cwd=folder,
        env=os.environ,
    )
    try:
        while not _is_ready(port):
            if server.poll() is not None or time.perf_counter() - began > PATIENCE:
                raise SystemExit(f"the server did not become ready (status {server.poll()})")
            time.sleep(0.005)
        return time.perf_counter() - began
    finally:
        server.terminate()
        server.wait(10)


def _is_ready(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        connection.request("GET", "/readyz")
        return connection.getresponse().status == 200
    except OSError:
        return False  # nobody listens yet
    finally:
        connection.close()

"""System information: the machine the server runs on, as far as it tells."""

from __future__ import annotations

import os
import platform
from typing import Any

from antiphon import ok


def execute(args: dict[str, Any], context: Any) -> Any:
    system = f"{platform.system()} {platform.release()}".strip() or "unknown"
    cpus = os.cpu_count() or 1
    body: dict[str, Any] = {
        "os": system,
        "machine": platform.machine() or "unknown",
        "python": platform.python_version(),
        "cpus": cpus,
        "load": load(),
    }
    said = f"{system} with {cpus} processor{'' if cpus == 1 else 's'}"
    try:
        import psutil

        memory = psutil.virtual_memory()
        body["memory"] = {
            "total_bytes": memory.total,
            "available_bytes": memory.available,
            "used_percent": memory.percent,
        }
        said += f"; {memory.percent:.0f} % of the memory is in use"
        body["uptime_seconds"] = max(0, int(context.now().timestamp() - psutil.boot_time()))
    except (ImportError, OSError, RuntimeError, NotImplementedError):
        # Some systems (phones, locked containers) do not let a program look.
        said += "; the memory cannot be read here"
    return ok(body | {"summary": said + "."})


def load() -> list[float]:
    try:
        return [round(value, 2) for value in os.getloadavg()]
    except (OSError, AttributeError):
        return []

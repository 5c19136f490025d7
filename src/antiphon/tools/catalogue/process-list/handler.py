"""Process list by resource usage; never with arguments, which may hold secrets."""

from __future__ import annotations

from typing import Any

from antiphon import ErrorType, fail, ok


def execute(args: dict[str, Any], context: Any) -> Any:
    try:
        import psutil

        found = []
        for process in psutil.process_iter(["pid", "name", "memory_info", "cpu_times", "status"]):
            facts = process.info
            name = facts["name"] or ""
            if args.get("name", "").casefold() not in name.casefold():
                continue
            memory, times = facts["memory_info"], facts["cpu_times"]
            found.append(
                {
                    "pid": facts["pid"],
                    "name": name,
                    "memory_bytes": memory.rss if memory else 0,
                    "cpu_seconds": round(times.user + times.system, 2) if times else 0,
                    "status": facts["status"] or "unknown",
                }
            )
    except (ImportError, OSError, RuntimeError, NotImplementedError) as error:
        reason = str(error) or type(error).__name__
        return fail(ErrorType.UNAVAILABLE, f"Processes cannot be listed here: {reason[:200]}.")
    key = "memory_bytes" if args["sort"] == "memory" else "cpu_seconds"
    found.sort(key=lambda one: (-one[key], one["pid"]))
    return ok({"processes": found[: args["limit"]], "count": len(found)})

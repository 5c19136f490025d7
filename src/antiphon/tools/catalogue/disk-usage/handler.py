"""Disk usage of the mounted file systems."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from antiphon import ok

MOST = 50
LITTLE = 10


def execute(args: dict[str, Any], context: Any) -> Any:
    disks, seen = [], set()
    for mount in mounts():
        try:
            space = shutil.disk_usage(mount)
        except OSError:
            continue  # gone, or not for us to look at
        # Several mounts of one disk (containers have many) say the same.
        if space.total == 0 or (space.total, space.free) in seen:
            continue
        seen.add((space.total, space.free))
        percent = round(100 * (1 - space.free / space.total), 1)
        disks.append(
            {
                "mount": mount,
                "total_bytes": space.total,
                "free_bytes": space.free,
                "used_percent": percent,
                "warning": percent > 100 - LITTLE,
            }
        )
    disks.sort(key=lambda one: (-one["used_percent"], one["mount"]))
    return ok({"disks": disks[:MOST], "summary": summary(disks)})


def mounts() -> list[str]:
    root = Path.cwd().anchor or "/"
    try:
        import psutil

        return list(dict.fromkeys([root, *(part.mountpoint for part in psutil.disk_partitions())]))
    except (ImportError, OSError, RuntimeError, NotImplementedError):
        return [root]


def summary(disks: list[dict[str, Any]]) -> str:
    if not disks:
        return "No disk can be read here."
    worst = disks[0]
    free = worst["free_bytes"] / 2**30
    return (
        f"{worst['mount']} is the fullest: {worst['used_percent']:g} % in use, {free:.1f} GiB free."
    )

"""Thermal sensors of the device: Termux, else those of the operating system, else unavailable."""

from __future__ import annotations

import asyncio
import math
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import orjson

WARM = 42.0
VERY_HOT = 45.0
UNAVAILABLE = "unavailable"

TERMUX = "termux-battery-status"
TERMUX_SECONDS = 5.0
SYSTEM = Path("/sys/class")
# What a sensor of a device that works can show; a loose contact shows something else.
_PLAUSIBLE = (-40.0, 150.0)

Reading = dict[str, Any]


class Thermal:
    """The thermometer of the device. `path` is where programs are looked for, `system` where
    Linux shows its sensors; with `psutil` False that library is not asked."""

    def __init__(
        self, *, path: str | None = None, system: Path = SYSTEM, psutil: bool = True
    ) -> None:
        self._path = path
        self._system = system
        self._psutil = psutil

    async def check(self) -> dict[str, Any]:
        """Return `temperature` (°C), `status`, `health`, `percentage`, `plugged`, `warning`,
        `threshold`, `suggestion`. What is not known is None. Never fails."""
        reading = await self._termux()
        if reading is None:
            reading = await asyncio.to_thread(self._sensors)
        return assess_reading(reading)

    async def _termux(self) -> Reading | None:
        program = shutil.which(TERMUX, path=self._path)
        if program is None:
            return None
        try:
            process = await asyncio.create_subprocess_exec(
                program,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
            )
        except OSError:
            return None
        try:
            async with asyncio.timeout(TERMUX_SECONDS):
                said, _ = await process.communicate()
        except TimeoutError:
            return None  # the app beside it that answers is not installed
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        try:
            body = orjson.loads(said)
        except orjson.JSONDecodeError:
            return None
        return _termux_reading(body) if isinstance(body, dict) else None

    def _sensors(self) -> Reading:
        reading: Reading = {}
        temperatures = self._zones() or (self._asked() if self._psutil else [])
        if temperatures:
            reading["temperature"] = max(temperatures)
        return {**reading, **self._battery()}

    def _zones(self) -> list[float]:
        """Return the temperatures of the thermal zones, which have thousandths of a degree in a
        file each."""
        found = (_number(file) for file in self._system.glob("thermal/thermal_zone*/temp"))
        return _real(_plausible(n / 1000) for n in found if n is not None)

    def _asked(self) -> list[float]:
        try:
            import psutil  # type: ignore[import-untyped]
        except ImportError:
            return []
        try:
            sensors = psutil.sensors_temperatures()
        except (AttributeError, OSError, RuntimeError, ValueError):
            return []  # not on this system, or a sensor that cannot be read
        return _real(_plausible(each.current) for entries in sensors.values() for each in entries)

    def _battery(self) -> Reading:
        for folder in sorted(self._system.glob("power_supply/*")):
            if _text(folder / "type") != "Battery":
                continue
            status = _text(folder / "status")
            reading: Reading = {
                "percentage": _percentage(_number(folder / "capacity")),
                "health": _text(folder / "health").lower() or None,
                "plugged": None if not status else status != "Discharging",
            }
            tenths = _number(folder / "temp")
            warm = None if tenths is None else _plausible(tenths / 10)
            # The battery is what gets hurt by heat, and what the thresholds are made for.
            return {**reading, "temperature": warm} if warm is not None else reading
        return {}


def assess_reading(reading: Reading) -> dict[str, Any]:
    """Return a reading with its status, and what to do where the device is hot."""
    temperature = reading.get("temperature")
    status, suggestion = UNAVAILABLE, None
    if temperature is not None:
        degrees = f"{temperature:.0f} °C"
        if temperature >= VERY_HOT:
            status = "very hot"
            suggestion = (
                f"The device is very hot ({degrees}). Stop heavy work, unplug the charger and let "
                "it cool down before you go on."
            )
        elif temperature >= WARM:
            status = "hot"
            suggestion = (
                f"The device is hot ({degrees}). Put off heavy work such as ingestion and "
                "workflows, or take the device out of its case."
            )
        else:
            status = "normal"
    return {
        "temperature": temperature,
        "status": status,
        "health": reading.get("health"),
        "percentage": reading.get("percentage"),
        "plugged": reading.get("plugged"),
        "warning": suggestion is not None,
        "threshold": WARM,
        "suggestion": suggestion,
    }


def _termux_reading(body: dict[str, Any]) -> Reading:
    plugged, health = body.get("plugged"), body.get("health")
    return {
        "temperature": _plausible(body.get("temperature")),
        "percentage": _percentage(body.get("percentage")),
        "health": health.lower().replace("_", " ") if isinstance(health, str) else None,
        "plugged": plugged.upper() != "UNPLUGGED" if isinstance(plugged, str) else None,
    }


def _plausible(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    low, high = _PLAUSIBLE
    return round(float(value), 1) if low <= value <= high else None


def _real(found: Iterable[float | None]) -> list[float]:
    return [value for value in found if value is not None]


def _percentage(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 100:
        return None
    return float(value)


def _text(file: Path) -> str:
    """Return what a file of the kernel says; nothing where it is not there or does not answer."""
    try:
        return file.read_text("utf-8", "replace").strip()
    except OSError:
        return ""


def _number(file: Path) -> float | None:
    try:
        return float(_text(file))
    except ValueError:
        return None

"""The heat of the device, from whatever there is to ask."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from antiphon.testing import run_real
from antiphon.workspace.thermal import Thermal

SHAPE = {
    *("temperature", "status", "health", "percentage"),
    *("plugged", "warning", "threshold", "suggestion"),
}


def check(folder: Path, **options: Any) -> dict[str, Any]:
    """With nothing of this machine: programs and sensors are those in the folder."""
    thermal = Thermal(path=str(folder / "bin"), system=folder / "sys", psutil=False, **options)

    async def asked() -> dict[str, Any]:
        return await thermal.check()

    found = run_real(asked())
    assert found.keys() == SHAPE
    return found


def termux(folder: Path, says: str) -> None:
    program = folder / "bin" / "termux-battery-status"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\ncat <<'END'\n{says}\nEND\n")
    program.chmod(0o755)


def sensor(folder: Path, name: str, **files: str) -> None:
    place = folder / "sys" / name
    place.mkdir(parents=True)
    for file, text in files.items():
        (place / file).write_text(text + "\n")


def test_without_anything_to_ask_it_is_unavailable(tmp_path: Path) -> None:
    assert check(tmp_path) == {
        "temperature": None,
        "status": "unavailable",
        "health": None,
        "percentage": None,
        "plugged": None,
        "warning": False,
        "threshold": 42.0,
        "suggestion": None,
    }


@pytest.mark.parametrize(
    ("temperature", "status", "warning"),
    [
        (41.9, "normal", False),
        (42.0, "hot", True),
        (44.9, "hot", True),
        (45.0, "very hot", True),
    ],
)
def test_termux_is_asked_first(
    tmp_path: Path, temperature: float, status: str, warning: bool
) -> None:
    says = {
        "health": "GOOD",
        "percentage": 71,
        "plugged": "PLUGGED_AC",
        "status": "CHARGING",
        "temperature": temperature,
    }
    termux(tmp_path, json.dumps(says))
    sensor(tmp_path, "thermal/thermal_zone0", temp="20000")
    found = check(tmp_path)
    assert (found["temperature"], found["status"]) == (temperature, status)
    assert (found["health"], found["percentage"], found["plugged"]) == ("good", 71, True)
    assert found["warning"] is warning
    assert (found["suggestion"] is not None) is warning
    if status == "very hot":
        assert "very hot (45 °C)" in found["suggestion"]


@pytest.mark.parametrize("says", ["", "no permission", "[1]", '{"temperature": '])
def test_a_termux_that_says_nothing_of_use_is_passed_over(tmp_path: Path, says: str) -> None:
    termux(tmp_path, says)
    sensor(tmp_path, "thermal/thermal_zone0", temp="30500")
    assert check(tmp_path)["temperature"] == 30.5


def test_a_reading_that_cannot_be_is_not_believed(tmp_path: Path) -> None:
    termux(tmp_path, '{"temperature": 4000, "percentage": 300, "plugged": 1}')
    found = check(tmp_path)
    assert (found["temperature"], found["percentage"], found["plugged"]) == (None, None, None)
    assert found["status"] == "unavailable"


def test_the_hottest_zone_counts(tmp_path: Path) -> None:
    sensor(tmp_path, "thermal/thermal_zone0", temp="43100")
    sensor(tmp_path, "thermal/thermal_zone1", temp="-273000")
    sensor(tmp_path, "thermal/thermal_zone2", temp="out of order")
    sensor(tmp_path, "thermal/thermal_zone3", temp="31000")
    found = check(tmp_path)
    assert (found["temperature"], found["status"]) == (43.1, "hot")


def test_the_battery_knows_best_how_hot_it_is(tmp_path: Path) -> None:
    sensor(tmp_path, "thermal/thermal_zone0", temp="60000")
    sensor(tmp_path, "power_supply/AC", type="Mains", online="1")
    sensor(
        tmp_path,
        "power_supply/BAT0",
        type="Battery",
        capacity="80",
        status="Discharging",
        health="Good",
        temp="315",
    )
    found = check(tmp_path)
    assert (found["temperature"], found["status"]) == (31.5, "normal")
    assert (found["percentage"], found["plugged"], found["health"]) == (80, False, "good")


def test_this_machine_gets_an_answer_of_the_right_shape() -> None:
    async def asked() -> dict[str, Any]:
        return await Thermal().check()

    found = run_real(asked())
    assert found.keys() == SHAPE
    assert found["status"] in ("normal", "hot", "very hot", "unavailable")

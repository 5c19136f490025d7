"""Choosing engines by name and options, and what is said when one is missing or changed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from tests.speech.helpers import embedded, hibari, silero

from antiphon.contracts import ErrorType
from antiphon.plugins import Plugins
from antiphon.speech import (
    SpeechEngines,
    SpeechError,
    recognizer_for,
    speech_for,
    synthesizer_for,
    turns_for,
    vad_for,
)
from antiphon.speech.hibari import PACKAGE as HIBARI
from antiphon.speech.hibari import Hibari
from antiphon.speech.models import ModelPackage
from antiphon.speech.moonshine import PACKAGE, Moonshine
from antiphon.speech.silero import PACKAGE as VAD_PACKAGE
from antiphon.speech.silero import Silero

pytestmark = pytest.mark.real_time


async def test_the_embedded_engines_are_the_default() -> None:
    async with speech_for() as speech:
        assert isinstance(speech.vad, Silero)
        assert isinstance(speech.recognizer, Moonshine)
        assert isinstance(speech.synthesizer, Hibari)
        assert speech.turns.earliest_ms == 320


async def test_everything_can_be_warmed_and_closed() -> None:
    async with embedded() as speech:
        await speech.warm()
    async with speech_for(turn_options={"end_ms": 500}) as speech:
        assert speech.turns.earliest_ms == 500


@pytest.mark.parametrize("choose", [vad_for, recognizer_for, synthesizer_for])
def test_an_unknown_engine_is_refused_with_those_that_there_are(choose: Any) -> None:
    with pytest.raises(SpeechError, match="choose one of") as caught:
        choose("nonsense")
    assert caught.value.type is ErrorType.NOT_FOUND


def test_the_nearest_name_is_offered() -> None:
    with pytest.raises(SpeechError) as caught:
        recognizer_for("moonshin")
    assert caught.value.nearest == ("moonshine",)


def test_unknown_missing_and_wrong_options_are_refused() -> None:
    with pytest.raises(SpeechError, match=r"no option volume; it has threads, folder"):
        recognizer_for("moonshine", {"volume": 3})
    with pytest.raises(SpeechError, match="needs the option model"):
        synthesizer_for("piper")
    with pytest.raises(SpeechError, match="needs the option model, voices"):
        synthesizer_for("kokoro", {"model": None})
    with pytest.raises(SpeechError, match="speed must be a number from"):
        synthesizer_for("hibari", {"speed": 100})
    with pytest.raises(SpeechError, match="threads must be a whole number"):
        recognizer_for("moonshine", {"threads": 0})
    with pytest.raises(SpeechError, match="no option patience"):
        turns_for({"patience": 1})


@pytest.mark.parametrize(
    ("module", "make", "package"),
    [
        ("faster_whisper", lambda: recognizer_for("faster-whisper"), "faster-whisper"),
        ("piper", lambda: synthesizer_for("piper", {"model": "v.onnx"}), "piper-tts"),
        (
            "kokoro_onnx",
            lambda: synthesizer_for("kokoro", {"model": "m.onnx", "voices": "v.bin"}),
            "kokoro-onnx",
        ),
    ],
)
def test_an_engine_whose_package_is_missing_says_what_to_install(
    module: str, make: Any, package: str
) -> None:
    if find_spec(module):
        pytest.skip(f"{module} is installed")
    engine = make()
    with pytest.raises(SpeechError, match=f"pip install {package}"):
        engine.warm()


def test_every_engine_can_be_looked_up_without_its_package() -> None:
    for plugin in Plugins().all("speech"):
        assert callable(plugin.load())


def test_an_embedded_engine_that_is_not_installed_says_what_to_do() -> None:
    package = ModelPackage(
        "The ear", "ear==1", "antiphon_no_such_ear", "x", {}, "On macOS use another."
    )
    with pytest.raises(SpeechError, match=r"pip install 'antiphon\[speech\]'. On macOS use"):
        package.check()


def _model_folder(package: ModelPackage) -> Path:
    spec = find_spec(package.module)
    assert spec is not None
    assert spec.submodule_search_locations
    return Path(spec.submodule_search_locations[0]) / package.folder


def test_a_model_of_another_folder_is_used_when_it_is_the_same(tmp_path: Path) -> None:
    for name in VAD_PACKAGE.files:
        shutil.copy(_model_folder(VAD_PACKAGE) / name, tmp_path)
    assert vad_for("silero", {"folder": str(tmp_path)}).stream().feed(bytes(1024)) != []


def test_a_changed_model_is_refused(tmp_path: Path) -> None:
    for name in VAD_PACKAGE.files:
        content = (_model_folder(VAD_PACKAGE) / name).read_bytes()
        (tmp_path / name).write_bytes(content[:-1] + b"\0")
    with pytest.raises(SpeechError, match="SHA-256 starts with"):
        vad_for("silero", {"folder": tmp_path}).warm()


def test_a_missing_model_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(SpeechError, match=r"encoder_model\.ort \(No such file"):
        recognizer_for("moonshine", {"folder": tmp_path / "nowhere"}).warm()
    assert PACKAGE.check() == _model_folder(PACKAGE)


async def test_an_engine_that_fails_to_warm_is_told() -> None:
    broken = recognizer_for("moonshine", {"folder": "nowhere"})
    async with SpeechEngines(silero(), broken, hibari()) as speech:
        with pytest.raises(SpeechError, match="nowhere"):
            await speech.warm()


def test_a_package_with_other_code_is_not_imported(tmp_path: Path) -> None:
    real = _model_folder(HIBARI).parent
    copied = tmp_path / "hibari"
    copied.mkdir()
    for each in real.iterdir():
        if each.name != "tts.py":
            (copied / each.name).symlink_to(each)
    (copied / "tts.py").write_text("raise SystemExit('this was run')\n")
    said = subprocess.run(
        [sys.executable, "-c", "from antiphon.speech.hibari import Hibari; Hibari().warm()"],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert said.returncode == 1
    assert "this was run" not in said.stderr
    last = said.stderr.splitlines()[-1]
    assert "The voice does not know" in last
    assert "tts.py: its SHA-256 starts with" in last
    assert "pip install --force-reinstall --no-deps hibari-tts==0.2.1" in last

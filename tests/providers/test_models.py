"""What is known of models: the shipped data, names nobody has heard of, and a file of one's own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from antiphon.config import Settings
from antiphon.providers.models import (
    Facts,
    ModelCatalogue,
    ModelsError,
    load_catalogue,
    shipped,
)
from antiphon.registry.projections import PROVIDERS

VENDORS = ("gemini", "openai", "claude", "local")


def put(folder: Path, text: str) -> tuple[ModelCatalogue, str | None]:
    (folder / "models.toml").write_text(text)
    return load_catalogue(folder)


# -- the shipped data --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("vendor", "model", "expected"),
    [
        (
            "gemini",
            "gemini-2.5-flash-native-audio-preview-12-2025",
            Facts("geminiNative", None, "client_content", 600.0, False, True),
        ),
        (
            "gemini",
            "models/Gemini-2.5-Flash",
            Facts("geminiNative", None, "client_content", 600.0, False, True),
        ),
        (
            "gemini",
            "gemini-live-2.5-flash",
            Facts("geminiNative", None, "client_content", 600.0, False, True),
        ),
        (
            "gemini",
            "gemini-3.1-flash-live-preview",
            Facts("geminiJson", None, "realtime", 600.0, False, True),
        ),
        (
            "gemini",
            "gemini-3.8-live",
            Facts("geminiJson", "explicit", "client_content", 600.0, False, True),
        ),
        ("openai", "gpt-realtime", Facts("openaiResponses", max_session=3600.0)),
        ("openai", "gpt-realtime-2025-08-28", Facts("openaiResponses", max_session=3600.0)),
        (
            "openai",
            "gpt-realtime-2.1-mini",
            Facts(
                "openaiResponses",
                max_session=3600.0,
                parallel_tool_calls=True,
                reasoning=True,
            ),
        ),
        ("openai", "gpt-4.1-mini", Facts("openaiStrict", parallel_tool_calls=True)),
        ("openai", "o4-mini", Facts("openaiStrict", reasoning=True)),
        ("openai", "gpt-5.5", Facts("openaiStrict", parallel_tool_calls=True, reasoning=True)),
        ("claude", "claude-sonnet-4-6", Facts("anthropic", parallel_tool_calls=True)),
    ],
)
def test_a_known_model_has_its_own_facts(vendor: str, model: str, expected: Facts) -> None:
    assert replace(shipped().facts(vendor, model), context_window=None) == expected


@pytest.mark.parametrize(
    ("vendor", "model", "form"),
    [
        ("gemini", "gemini-9-quartz-live", "geminiJson"),
        ("openai", "llama3.2:3b", "openai"),
        ("openai", "gpt-oss:20b", "openai"),
        ("claude", "claude-next", "anthropic"),
        ("claude", "", "anthropic"),
    ],
)
def test_a_name_that_nobody_has_heard_of_works_with_what_every_model_takes(
    vendor: str, model: str, form: str
) -> None:
    found = shipped().facts(vendor, model)
    assert found.tool_form == form
    assert found.parallel_tool_calls is (vendor == "claude")
    if vendor == "gemini":  # whether it waits for calls by itself is not known: say it
        assert (found.blocking_calls, found.text_input) == ("explicit", "realtime")


@pytest.mark.parametrize(
    ("vendor", "model", "window"),
    [
        ("gemini", "gemini-2.5-flash", 1_000_000),
        ("gemini", "gemini-9-quartz-live", 1_000_000),
        ("gemini", "gemini-2.5-flash-native-audio-preview-12-2025", 128_000),
        ("openai", "gpt-4.1", 1_000_000),
        ("openai", "gpt-4o", 128_000),
        ("openai", "gpt-realtime", 32_000),
        ("openai", "llama3.2:3b", None),
        ("claude", "claude-sonnet-4-6", 200_000),
        ("local", "local", None),
    ],
)
def test_a_model_has_the_context_window_that_is_known_of_it(
    vendor: str, model: str, window: int | None
) -> None:
    assert shipped().facts(vendor, model).context_window == window


def test_every_form_is_one_that_the_registry_makes() -> None:
    catalogue = shipped()
    for vendor in VENDORS:
        for model in catalogue.models(vendor):
            form = catalogue.facts(vendor, model.id).tool_form
            assert form in (*PROVIDERS, "openaiResponses")


def test_the_models_of_the_settings_are_among_those_to_choose_from() -> None:
    providers = Settings().providers
    for vendor in ("gemini", "openai", "claude"):
        named = getattr(providers, vendor)
        assert named.model in [m.id for m in shipped().models(vendor, "text")]
        if named.voice_model:
            assert named.voice_model in [m.id for m in shipped().models(vendor, "voice")]


def test_every_model_has_an_id_of_its_own_a_label_and_a_mode() -> None:
    for vendor in VENDORS:
        offered = shipped().models(vendor)
        assert offered
        assert len({m.id for m in offered}) == len(offered)
        assert all(m.label and m.modes for m in offered)
        assert offered[0].to_dict().keys() == {"id", "label", "modes"}


def test_gemini_has_the_sixteen_voices_and_puck_is_the_default() -> None:
    voices = shipped().voices("gemini")
    assert [v.id for v in voices] == [
        *("Puck", "Charon", "Kore", "Fenrir", "Aoede", "Leda", "Orus", "Zephyr"),
        *("Achernar", "Algieba", "Autonoe", "Callirrhoe", "Despina", "Enceladus"),
        *("Iapetus", "Sulafat"),
    ]
    assert {v.gender for v in voices} == {"Male", "Female"}
    assert voices[0].to_dict() == {
        "id": "Puck",
        "name": "Puck",
        "gender": "Male",
        "style": "Upbeat, lively",
    }


def test_openai_has_its_realtime_voices() -> None:
    assert {v.id for v in shipped().voices("openai")} == {
        *("alloy", "ash", "ballad", "coral", "echo", "sage", "shimmer", "verse"),
        *("marin", "cedar"),
    }


# -- a file of one's own -----------------------------------------------------------------------


def test_a_file_in_the_data_folder_adds_to_the_shipped_data(tmp_path: Path) -> None:
    catalogue, problem = put(
        tmp_path,
        """
        [openai]
        models = [
          { id = "llama3.2:3b", label = "Llama on this machine", modes = ["text"] },
          { id = "gpt-4.1", label = "The usual one", modes = ["text"] },
          { id = "gpt-5.5", modes = [] },
        ]
        voices = [{ id = "voice_1234", name = "Ours" }]

        [openai.default]
        max_session = 60

        [[openai.facts]]
        pattern = "gpt-4.1*"
        tool_form = "openai"

        [[openai.facts]]
        pattern = "qwen*"
        parallel_tool_calls = true
        """,
    )
    assert problem is None
    offered = {m.id: m.label for m in catalogue.models("openai", "text")}
    assert offered["llama3.2:3b"] == "Llama on this machine"
    assert offered["gpt-4.1"] == "The usual one"
    assert "gpt-5.5" not in offered  # in no mode any more
    assert next(iter(offered)) == "gpt-4.1"  # in the place that it had
    assert catalogue.voices("openai")[-1].to_dict() == {
        "id": "voice_1234",
        "name": "Ours",
        "gender": "neutral",
        "style": "",
    }
    assert replace(catalogue.facts("openai", "gpt-4.1"), context_window=None) == Facts(
        "openai", max_session=60.0
    )
    assert catalogue.facts("openai", "qwen3") == Facts(
        "openai", max_session=60.0, parallel_tool_calls=True
    )
    # What the file does not speak of is as it was.
    assert catalogue.facts("openai", "gpt-realtime").tool_form == "openaiResponses"
    assert catalogue.voices("gemini") == shipped().voices("gemini")
    assert catalogue.facts("gemini", "gemini-3.8-live") == shipped().facts(
        "gemini", "gemini-3.8-live"
    )


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("[openai\n", 1, "not valid TOML"),
        ("\n\n[gemini]\nmodels = = 1\n", 4, "not valid TOML"),
        ("\n[openay]\n", 2, "`openay` is no vendor. Did you mean `openai`?"),
        ("[azure]\n", 1, "`azure` is no vendor. There are gemini, openai, claude, local."),
        ("openai = 5\n", 1, "`openai` must be a table of a vendor"),
        ("[openai]\n\nmodel = []\n", 3, "`openai.model` is unknown. Did you mean `models`?"),
        ("[openai]\nmodels = 3\n", 2, "`openai.models` must be a list of tables"),
        ("[openai]\nmodels = [\n3,\n]\n", 2, "each of `openai.models` must be a table"),
        ("[[openai.default]]\n", 1, "`openai.default` must be a table"),
        (
            '[openai.default]\ntool_form = "openay"\n',
            2,
            "`tool_form` must be one of geminiNative, geminiJson, openai",
        ),
        ("[openai.default]\ntool_form = []\n", 2, "`tool_form` must be one of"),
        (
            "[gemini.default]\nblocking_call = 1\n",
            2,
            "`blocking_call` is no fact of a model. Did you mean `blocking_calls`?",
        ),
        (
            "[gemini.default]\nmax_session = true\n",
            2,
            "`max_session` must be a number of seconds, not True",
        ),
        (
            "[gemini.default]\nmax_session = nan\n",
            2,
            "`max_session` must be a number of seconds, not nan",
        ),
        ("[gemini.default]\nreasoning = 1\n", 2, "`reasoning` must be true or false, not 1"),
        ("[[openai.facts]]\nreasoning = true\n", 1, "`pattern` is missing"),
        (
            '[[openai.facts]]\npattern = "a"\n[[openai.facts]]\npattern = 5\n',
            4,
            "`pattern` must be a string, not 5",
        ),
        (
            '[openai]\nmodels = [\n  { id = "a", modes = ["text"] },\n'
            '  { id = "b", modes = ["video"] },\n]\n',
            4,
            "`modes` must be a list of text and voice, not ['video']",
        ),
        ('[[claude.models]]\nid = "a"\n', 1, "`modes` must be a list of text and voice, not None"),
        (
            '[[claude.models]]\nid = "a"\nmodes = ["text"]\nlable = "A"\n',
            4,
            "`lable` is unknown here. Did you mean `label`?",
        ),
        ('[[claude.models]]\nid = " "\nmodes = ["text"]\n', 2, "`id` must be a string, not ' '"),
        ('[[gemini.voices]]\nid = "A"\ngender = 1\n', 3, "`gender` must be a string, not 1"),
    ],
)
def test_what_is_wrong_is_said_with_its_line_and_the_shipped_data_stay_in_force(
    tmp_path: Path, text: str, line: int, said: str
) -> None:
    good = '[[claude.models]]\nid = "claude-mine"\nmodes = ["text"]\n'
    assert put(tmp_path, good)[1] is None
    catalogue, problem = put(tmp_path, text)
    assert problem is not None
    assert problem.startswith(f"{tmp_path / 'models.toml'}:{line}: {said}")
    assert catalogue is shipped()


def test_a_file_that_cannot_be_read_is_reported(tmp_path: Path) -> None:
    (tmp_path / "models.toml").write_bytes(b"\xff")
    assert load_catalogue(tmp_path)[1] == f"{tmp_path / 'models.toml'}: is not UTF-8 text."
    (tmp_path / "other" / "models.toml").mkdir(parents=True)
    _, found = load_catalogue(tmp_path / "other")
    assert found == f"{tmp_path / 'other' / 'models.toml'}: cannot be read: Is a directory."
    with pytest.raises(ModelsError):
        shipped().with_file(tmp_path / "models.toml")


def test_without_a_file_the_shipped_data_are_in_force(tmp_path: Path) -> None:
    for folder in (None, tmp_path, tmp_path / "absent"):
        assert load_catalogue(folder) == (shipped(), None)

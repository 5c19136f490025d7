"""The example scripts, played to the end with the vendors' own SDKs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anthropic
import httpx2
import pytest

from antiphon.emulators import Emulator, emulate

EXAMPLES = Path(__file__).parents[2] / "examples" / "emulate"


def test_faults_yaml_shows_what_goes_wrong_sooner_or_later() -> None:
    def stream(sdk: anthropic.Anthropic) -> list[Any]:
        said: Any = [{"role": "user", "content": "Hello"}]
        with sdk.messages.create(
            model="claude-sonnet-4-6", max_tokens=9, messages=said, stream=True
        ) as events:
            return list(events)

    with (
        emulate("anthropic", EXAMPLES / "faults.yaml") as emulator,
        anthropic.Anthropic(
            api_key="test-key", base_url=emulator.base_url, max_retries=0, timeout=10
        ) as sdk,
    ):
        for error in (
            anthropic.RateLimitError,
            anthropic.ServiceUnavailableError,
            anthropic.APIConnectionError,
            httpx2.RemoteProtocolError,
            anthropic.APIStatusError,
        ):
            with pytest.raises(error):
                stream(sdk)
        cut = next(event for event in stream(sdk) if event.type == "message_delta")
        assert cut.delta.stop_reason == "max_tokens"
        assert stream(sdk)[-1].type == "message_stop"


@pytest.mark.real_time
async def test_gemini_voice_yaml_is_one_conversation_over_two_lines() -> None:
    from google import genai
    from google.genai import types

    async def speak(emulator: Emulator, handle: str | None) -> dict[str, Any]:
        client = genai.Client(
            api_key="test-key",
            http_options=types.HttpOptions(
                base_url=emulator.base_url, async_client_args={"ssl": trust(emulator)}
            ),
        )
        voice = types.PrebuiltVoiceConfig(voice_name="Kore")
        config = types.LiveConnectConfig(
            response_modalities=[types.Modality.AUDIO],
            speech_config=types.SpeechConfig(
                voice_config=types.VoiceConfig(prebuilt_voice_config=voice)
            ),
            session_resumption=types.SessionResumptionConfig(handle=handle),
            input_audio_transcription=types.AudioTranscriptionConfig(),
            output_audio_transcription=types.AudioTranscriptionConfig(),
        )
        found: dict[str, Any] = {"heard": "", "said": "", "audio": 0}
        async with client.aio.live.connect(model="gemini-3.8-live", config=config) as session:
            half_a_second = types.Blob(data=b"\0" * 16_000, mime_type="audio/pcm;rate=16000")
            await session.send_realtime_input(audio=half_a_second)
            async for message in session.receive():
                content = message.server_content
                if content is not None and content.input_transcription:
                    found["heard"] += content.input_transcription.text or ""
                if content is not None and content.output_transcription:
                    found["said"] += content.output_transcription.text or ""
                found["audio"] += len(message.data or b"")
                if message.session_resumption_update:
                    found["handle"] = message.session_resumption_update.new_handle
                if message.go_away:
                    found["left"] = message.go_away.time_left
        await client.aio.aclose()
        return found

    async def converse(emulator: Emulator) -> None:
        first = await speak(emulator, None)
        assert first["heard"] == "What is the weather in Seoul?"
        assert first["said"] == "Let me look."
        assert first["audio"] > 4_000
        assert (first["handle"], first["left"]) == ("session-1", "10s")
        second = await speak(emulator, "session-1")
        assert second["said"] == "Sunny today, and rain tomorrow."

    with emulate("gemini", EXAMPLES / "gemini-voice.yaml") as emulator:
        await converse(emulator)


def trust(emulator: Emulator) -> Any:
    import ssl

    return ssl.create_default_context(cafile=emulator.ca_file)

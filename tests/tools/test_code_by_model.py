"""The code generators with a model behind them: emulated providers, real SDKs, checked answers."""

from __future__ import annotations

from typing import Any, cast

import pytest
from tests.agents.chatting import EMULATED, VENDORS, own_settings, says, step
from tests.tools.catalogue_world import within

from antiphon.app.completions import Completions
from antiphon.emulators.runner import emulate
from antiphon.providers import Backends
from antiphon.workspace import TextModel

CAROUSEL = "image carousel with next and previous buttons"
GOOD = (
    'Here it is:\n```tsx\nimport { useState } from "react";\n\n'
    "export function Carousel({ images }: { images: string[] }) {\n"
    "  const [at, setAt] = useState(0);\n"
    '  return <div><img src={images[at]} alt="" /></div>;\n}\n```'
)
MODULE = (
    "```python\nfrom fastapi import FastAPI\n\napp = FastAPI()\n\n\n"
    '@app.get("/fahrenheit")\nasync def fahrenheit(celsius: float) -> float:\n'
    "    return celsius * 9 / 5 + 32\n```\n"
    "```python\nfrom main import app\n\n\ndef test_app() -> None:\n    assert app\n```"
)


def called(vendor: str, script: list[Any], tool: str, **args: Any) -> Any:
    """The envelope of a call while that provider is configured."""
    asking: list[Completions] = []

    async def scenario(call: Any) -> Any:
        with emulate(EMULATED[vendor], script) as emulator:
            settings = own_settings(vendor, emulator)
            async with Backends(settings, chosen=cast(Any, vendor)) as backends:
                asking.append(Completions(backends, None))
                try:
                    return await call(tool, **args)
                finally:
                    await asking[0].close()

    return within(scenario, model=TextModel(lambda *words: asking[0].ask(*words)))


@pytest.mark.parametrize("vendor", VENDORS)
def test_the_configured_model_writes_what_no_template_does(vendor: str) -> None:
    script = [step("text", says(GOOD), text=f"/{CAROUSEL}/")]
    args = {"name": "carousel", "description": CAROUSEL}
    answer = called(vendor, script, "generate_react_component", **args)
    data = answer["data"]
    assert (data["by"], data["name"]) == ("model", "Carousel")
    assert data["code"].startswith("import { useState }")
    assert "```" not in data["code"]
    script = [step("text", says(MODULE), text="/celsius/")]
    args = {"description": "convert celsius to fahrenheit"}
    data = called(vendor, script, "generate_fastapi_endpoint", **args)["data"]
    assert (data["method"], data["path"], data["by"]) == ("GET", "/fahrenheit", "model")
    assert "celsius * 9 / 5 + 32" in data["code"]
    assert "def test_app" in data["test"]


def test_a_bad_answer_is_asked_for_once_more_with_what_was_wrong() -> None:
    script = [
        step("text", says("```tsx\nexport function Carousel() { return (\n```")),
        step("text", says(GOOD), text="/could not be used.*is not closed/"),
    ]
    args = {"name": "carousel", "description": CAROUSEL}
    answer = called("openai", script, "generate_react_component", **args)
    assert answer["data"]["by"] == "model"


def test_two_bad_answers_are_an_error_that_says_why() -> None:
    script = [step("text", says("I would rather not."))] * 2
    answer = called("claude", script, "generate_fastapi_endpoint", description="websocket chat")
    assert answer["error"]["type"] == "PERMANENT"
    assert "no Python" in answer["error"]["message"]


def test_a_model_that_fails_is_no_reason_for_a_template() -> None:
    half = step("text", [{"text": "Half"}, {"complete": "length"}])
    script = [half, half]  # an idempotent call is tried once more
    args = {"name": "clicks", "description": "a counter"}
    answer = called("openai", script, "generate_react_component", **args)
    assert answer["error"]["type"] == "TRANSIENT"
    assert "cut off" in answer["error"]["message"]

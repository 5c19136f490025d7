"""Files of a new project: a tool, its tests, settings, a container and a CI job."""

from __future__ import annotations

from antiphon import __version__


def project_files(name: str, package: str) -> dict[str, str]:
    """Return the text of every file of the project by its path."""
    words = {"NAME": name, "PACKAGE": package, "VERSION": __version__}
    files: dict[str, str] = {}
    for path, text in _FILES.items():
        for word, value in words.items():
            path, text = path.replace(f"@{word}@", value), text.replace(f"@{word}@", value)
        files[path] = text.lstrip("\n")
    return files


_FILES = {
    "README.md": """
# @NAME@

An agent with one tool, made with Antiphon. It tells when a shop is open.

```
pip install -e '.[dev]'   # in a virtual environment
pytest                    # the tool by itself, and conversations with a scripted model
antiphon chat             # talk with it: "When are you open on Saturday?"
antiphon serve            # the console and the HTTP API, on http://127.0.0.1:8080
```

| file | what is in it |
|---|---|
| `@PACKAGE@/tools.py` | the tools: typed functions with `@tool` |
| `@PACKAGE@/app.py` | the agent: tools, model, instructions, for use inside another program |
| `antiphon.toml` | the settings of `antiphon chat` and `antiphon serve` |
| `profiles/@PACKAGE@.toml` | what they tell the model about its task |
| `tests/test_tools.py` | tests of the functions, and of their contract |
| `tests/test_conversation.py` | tests of conversations, with a scripted model |

The built-in model needs no key. For another one, install its SDK
(`pip install 'antiphon[openai]'`), set its key (`OPENAI_API_KEY`) and choose it:
`backend = "openai"` in `antiphon.toml`, `model="openai:gpt-4.1"` in `app.py`.

In a container: `docker build -t @NAME@ .`, then `docker run --network host @NAME@`. The server has
no sign-in, so it listens on loopback only.
""",
    "pyproject.toml": """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "@NAME@"
version = "0.1.0"
description = "An agent that tells when a shop is open."
readme = "README.md"
requires-python = ">=3.11"
dependencies = ["antiphon[server]>=@VERSION@"]

[project.optional-dependencies]
dev = ["pytest>=9"]

[tool.hatch.build.targets.wheel]
packages = ["@PACKAGE@"]

[tool.pytest.ini_options]
testpaths = ["tests"]
pythonpath = ["."]
""",
    "antiphon.toml": """
# Settings of `antiphon chat` and `antiphon serve`. `antiphon doctor` shows those in force.

[agent]
backend = "local" # the built-in model; or openai, gemini, claude
profile = "@PACKAGE@" # profiles/@PACKAGE@.toml

[tools]
functions = ["@PACKAGE@.tools:"] # every tool of that module
folders = [] # folders of tool directories, such as "tools"; `antiphon new-tool` makes them
""",
    "profiles/@PACKAGE@.toml": """
# Who answers in `antiphon chat` and `antiphon serve`.
name = "@PACKAGE@"
description = "Tells when the shop is open."
instructions = "You answer questions of the customers of a small shop. Be brief and friendly."
""",
    "@PACKAGE@/__init__.py": '''
"""An agent that tells when a shop is open."""
''',
    "@PACKAGE@/tools.py": '''
"""The tools of the agent."""

from typing import Literal, TypedDict

from antiphon import tool

Day = Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]


class Hours(TypedDict):
    """When the shop opens and closes; both are empty on a day on which it stays closed."""

    opens: str
    closes: str


@tool(side_effects="none")
def opening_hours(day: Day) -> Hours:
    """Tell the opening hours of the shop on a day: when it is open, when it closes.

    Args:
        day: The day of the week.
    """
    if day == "sunday":
        return {"opens": "", "closes": ""}
    return {"opens": "09:00", "closes": "13:00" if day == "saturday" else "18:00"}
''',
    "@PACKAGE@/app.py": '''
"""The agent, for use inside another program: `await make_app().run("...")`."""

from antiphon import Antiphon
from antiphon.providers import Provider

from @PACKAGE@.tools import opening_hours

INSTRUCTIONS = "You answer questions of the customers of a small shop. Be brief and friendly."


def make_app(model: str | Provider = "local") -> Antiphon:
    """Return the agent with that model: "local", "openai:gpt-4.1", or one of a test."""
    return Antiphon([opening_hours], model, instructions=INSTRUCTIONS)
''',
    "tests/conftest.py": '''
"""The agent under test. Antiphon's pytest plug-in gives the other fixtures."""

from collections.abc import AsyncIterator

import pytest
from antiphon import Antiphon
from antiphon.testing import AnswerScript

from @PACKAGE@.app import make_app


@pytest.fixture
async def antiphon_app(antiphon_model: AnswerScript) -> AsyncIterator[Antiphon]:
    """The agent as it ships, with the scripted model in place of a real one."""
    async with make_app(antiphon_model) as app:
        yield app
''',
    "tests/test_tools.py": '''
"""The tools by themselves: as functions, and as the contract that models see."""

from antiphon import Antiphon

from @PACKAGE@.tools import opening_hours


def test_the_shop_closes_early_on_saturday() -> None:
    assert opening_hours("saturday") == {"opens": "09:00", "closes": "13:00"}


async def test_a_day_that_there_is_not_is_refused(antiphon_app: Antiphon) -> None:
    call = await antiphon_app.call("opening_hours", {"day": "someday"})
    assert call.error is not None
    assert call.error["type"] == "VALIDATION"
''',
    "tests/test_conversation.py": '''
"""Conversations: every call goes through the real gates; only the model follows a script."""

from antiphon.testing import AnswerScript, ConversationDriver, call


async def test_a_customer_asks_for_the_hours(
    antiphon_talk: ConversationDriver, antiphon_model: AnswerScript
) -> None:
    antiphon_model.answers(
        call("opening_hours", day="saturday"),
        lambda asked: f"On Saturday we close at {asked.data['closes']}.",
    )
    turn = await antiphon_talk.says("When are you open on Saturday?")
    turn.called("opening_hours", day="saturday").then_said("13:00")


async def test_small_talk_needs_no_tool(
    antiphon_talk: ConversationDriver, antiphon_model: AnswerScript
) -> None:
    antiphon_model.answers("Hello! What can I do for you?")
    turn = await antiphon_talk.says("Hello!")
    turn.called_nothing().then_said("hello")
''',
    "Dockerfile": """
FROM python:3.12-slim

RUN useradd --create-home --uid 1000 agent
WORKDIR /app
COPY . .
RUN pip install --no-cache-dir . && mkdir /data && chown agent /data

USER agent
VOLUME /data
CMD ["antiphon", "serve", "--data", "/data"]
""",
    ".dockerignore": """
.antiphon
.git
.github
.venv
__pycache__
.pytest_cache
tests
""",
    ".gitignore": """
.antiphon/
.env
.venv/
__pycache__/
*.egg-info/
.pytest_cache/
dist/
tool_registry.json
.tool_registry.cache
""",
    ".github/workflows/ci.yml": """
name: CI

on: [push, pull_request]

permissions:
  contents: read

jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"
          cache: pip
      - run: pip install -e '.[dev]'
      - run: pytest
      - run: antiphon build # every finding about the tools
""",
}

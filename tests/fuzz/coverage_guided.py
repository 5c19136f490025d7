"""Coverage-guided fuzzing of the parsers, one after the other, by atheris.

    python -m tests.fuzz.coverage_guided SECONDS [TARGET...]

What was found is kept in `.fuzz/`, with the log of each target.
"""

from __future__ import annotations

import logging
import os
import re
import sys
import tempfile
from pathlib import Path

import atheris

# Where the parsers are. To instrument all of the product takes minutes.
PARSERS = (
    *("antiphon.server.ws.client_messages", "antiphon.registry.strict_json"),
    *("antiphon.registry.lint", "antiphon.registry.lint_fields", "antiphon.registry.artifact"),
    *("antiphon.registry.lint_parameters", "antiphon.registry.loading", "antiphon.mcp"),
    *("antiphon.registry.schemas", "antiphon.registry.projections", "antiphon.registry.regexes"),
    *("antiphon.workspace.calendar", "antiphon.knowledge.exchange", "antiphon.openapi"),
    *("antiphon.knowledge.front_matter", "antiphon.knowledge.ingestion.documents"),
    *("antiphon.text", "antiphon.workspace.runs.pipelines", "antiphon.workspace.playbooks"),
    *("antiphon.emulators.script", "antiphon.emulators.base", "antiphon.config.sources"),
    *("antiphon.agents.profiles", "antiphon.cli.audio_devices", "antiphon.speech.audio"),
    *("antiphon.providers.gguf.model_file", "pypdf", "icalendar", "wave", "tomllib"),
)

with atheris.instrument_imports(include=list(PARSERS)):
    from tests.fuzz.targets import TARGETS, Target


KEPT = Path(".fuzz")
_TOLD = re.compile(r"^(?:Done |AssertionError|MemoryError|SUMMARY|ALARM|ERROR)[^\n]*", re.MULTILINE)


def fuzz(target: Target, seconds: str) -> None:
    """Fuzz one target; the process ends with it."""
    with tempfile.TemporaryDirectory(prefix="corpus-") as folder:
        corpus = Path(folder) / "corpus"
        corpus.mkdir()
        for number, seed in enumerate(target.seeds):
            (corpus / str(number)).write_bytes(seed)
        words = Path(folder) / "words"
        escaped = ("".join(f"\\x{byte:02x}" for byte in word) for word in target.words)
        words.write_text("".join(f'"{word}"\n' for word in escaped))
        options = ["-timeout=20", "-rss_limit_mb=3000", "-max_len=4096"]
        if target.words:
            options.append(f"-dict={words}")
        found = f"-artifact_prefix={KEPT}/{target.name}-"
        options += [f"-max_total_time={seconds}", found, str(corpus)]
        atheris.Setup([sys.argv[0], *options], target.check)
        atheris.Fuzz()


def main() -> None:
    _, seconds, *names = sys.argv
    logging.disable()
    KEPT.mkdir(exist_ok=True)
    failed = []
    for target in TARGETS:
        if names and target.name not in names:
            continue
        log = KEPT / f"{target.name}.log"
        child = os.fork()
        if child == 0:
            with log.open("wb") as file:
                os.dup2(file.fileno(), 1)
                os.dup2(file.fileno(), 2)
            fuzz(target, seconds)
        _, status = os.waitpid(child, 0)
        if status:
            failed.append(target.name)
        told = _TOLD.findall(log.read_text("utf-8", "replace"))
        print(f"{target.name}: {told[0][:300] if told else 'see its log'}", flush=True)
    if failed:
        sys.exit(f"Something was found in {', '.join(failed)}. See {KEPT}/.")


if __name__ == "__main__":
    main()

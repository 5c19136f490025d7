"""A whole conversation on this machine: an emulated model, the server, and a plain client.

python examples/conversation.py gemini --out talk

No key and no network are needed. Afterwards the folder has `transcript.md` and `answer.wav`, every
message to and from the model (`model.jsonl`), what the server said (`server.log`) and the message
that was taken (`messages.jsonl`).
"""

# ruff: noqa: T201 - it is here to print
from __future__ import annotations

import argparse
import json
import math
import os
import re
import struct
import subprocess
import sys
import time
import wave
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).resolve().parent
ANTIPHON = str(Path(sys.executable).with_name("antiphon"))
EMULATED = {"gemini": "gemini", "openai": "openai", "claude": "anthropic"}
# As conversation.yaml hears it. Claude is written to; the others get something to listen to.
SAID = (
    ("say", "Who decides which technologies you use?"),
    ("cut-in", "Thank you, that is enough. Please take a message for him."),
    ("say", "That was all. Goodbye."),
)
START_SECONDS = STOP_SECONDS = 60


def main() -> int:
    words = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    words.add_argument("backend", nargs="?", choices=EMULATED, default="gemini")
    words.add_argument("--out", type=Path, help="folder of everything that is kept")
    words.add_argument("--real-time", action="store_true", help="speak and listen as people do")
    words.add_argument("--no", action="store_true", help="refuse what has to be approved")
    args = words.parse_args()
    folder: Path = (args.out or Path(f"conversation-{args.backend}")).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    with model(args.backend, folder) as settings, server(settings, folder) as address:
        client = [sys.executable, str(HERE / "voice_client.py"), "--url", f"ws://{address}/ws/vox"]
        client += ["--mode", args.backend, "--profile", "reception", "--listen", "--out", "."]
        client += ["--no" if args.no else "--yes", *([] if args.real_time else ["--fast"])]
        for number, (how, text) in enumerate(SAID, 1):
            if args.backend == "claude":
                client += ["--cut-in" if how == "cut-in" else "--type", text]
            else:
                client += [f"--{how}", write_speech(folder / f"said-{number}.wav", len(text) * 25)]
        status = subprocess.run(client, cwd=folder, check=False).returncode
    print(f"Kept in {args.out or folder.name}: transcript.md, answer.wav and what led to them.")
    return status


@contextmanager
def model(backend: str, folder: Path) -> Iterator[dict[str, str]]:
    """The emulated provider, and the settings with which the server finds it."""
    script = str(HERE / "emulate" / "conversation.yaml")
    command = [ANTIPHON, "emulate", EMULATED[backend], "--script", script, "--json"]
    if backend == "gemini":
        command += ["--ca", str(folder / "ca")]
    with running(command, folder, folder / "model.jsonl") as line:
        told = json.loads(line)
        prefix = f"ANTIPHON_PROVIDERS__{backend.upper()}__"
        found = {"API_KEY": told["key"], "BASE_URL": told["url"], "CA_FILE": told["ca_file"] or ""}
        yield {f"{prefix}{name}": value for name, value in found.items()}


@contextmanager
def server(settings: dict[str, str], folder: Path) -> Iterator[str]:
    """`antiphon serve` with the studio's reception; its address."""
    command = [ANTIPHON, "serve", "--port", "0", "--data", str(folder / "data")]
    command += ["--config", str(HERE / "studio" / "antiphon.toml")]
    with running(command, folder, folder / "server.log", **settings) as line:
        yield re.search(r"http://([\d.:]+)", line)[1]  # type: ignore[index]


@contextmanager
def running(command: list[str], folder: Path, log: Path, **settings: str) -> Iterator[str]:
    """A program that says in its first line that it is ready; it is stopped and must end well."""
    with log.open("wb") as file:
        program = subprocess.Popen(
            command, cwd=folder, stdout=file, stderr=file, env={**os.environ, **settings}
        )
        try:
            deadline = time.monotonic() + START_SECONDS
            while "\n" not in (said := log.read_text("utf-8")):
                if program.poll() is not None or time.monotonic() > deadline:
                    raise SystemExit(f"`{' '.join(command[:3])}` did not start:\n{said}")
                time.sleep(0.02)
            yield said.partition("\n")[0]
        finally:
            program.terminate()
            try:
                status = program.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                program.kill()
                status = program.wait()
    if status:
        raise SystemExit(f"`{' '.join(command[:3])}` ended with {status}; see {log}")


def write_speech(path: Path, ms: int) -> str:
    """Something that can be heard, in place of a person: a tone, 16 kHz, mono, 16 bit."""
    samples = (int(8000 * math.sin(2 * math.pi * 220 * n / 16_000)) for n in range(ms * 16))
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(16_000)
        file.writeframes(b"".join(struct.pack("<h", sample) for sample in samples))
    return str(path)


if __name__ == "__main__":
    raise SystemExit(main())

"""What a GGUF file says of itself, and what is wrong with one that holds no model."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from tests.providers.gguf.letters import write_model

from antiphon.cli import main
from antiphon.providers.gguf import GgufText, ModelFileError, read_model_file
from antiphon.providers.port import Access, ProviderFault, Setup

# A file of one tensor, the name of a fact or tensor, and a list of one list.
HEAD = b"GGUF" + b"\3\0\0\0" + b"\1" + b"\0" * 7
NAME = b"\1" + b"\0" * 7 + b"x"
LIST = b"\x09\0\0\0\x09\0\0\0\1" + b"\0" * 7


def test_a_file_says_what_it_is(tmp_path: Path) -> None:
    found = read_model_file(write_model(tmp_path / "letters.gguf", {}))
    assert (found.architecture, found.trained_context, found.has_template) == ("llama", 4096, True)
    assert found.parameters > 400_000
    assert found.memory(1000) == found.size + 1000 * 288 * 2 * 2
    assert found.context(None) == found.context(100_000) == 4096
    assert found.context(512) == 512
    said = found.describe(512)
    assert re.fullmatch(
        r"letters\.gguf \(llama, \d+ parameters, 2\.0 MB\), context 512 of 4096 tokens", said
    )


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"Dear reader", "is no GGUF file"),
        (b"", "is no GGUF file"),
        (b"GGUF" + b"\x03\0\0\0" + b"\xff" * 40, "is damaged"),
        (b"GGUF" + b"\x01\0\0\0" + b"\0" * 40, "version 1 of GGUF"),
        (HEAD + b"\1" + b"\0" * 7 + NAME + LIST * 5_000, "is damaged"),
        (HEAD + b"\0" * 8 + NAME + b"\xff\0\0\0" + b"\xff" * 8 * 255, "is damaged"),
        (None, "There is no file"),
    ],
)
def test_what_is_no_model_is_named(tmp_path: Path, content: bytes | None, words: str) -> None:
    path = tmp_path / "model.gguf"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ModelFileError, match=words) as raised:
        read_model_file(path)
    assert str(path) in str(raised.value)


def test_a_folder_and_a_file_that_is_cut_off_are_named(tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match="is a folder"):
        read_model_file(tmp_path)
    path = write_model(tmp_path / "letters.gguf", {})
    whole = path.read_bytes()
    path.write_bytes(whole[:1_000_000])
    with pytest.raises(ModelFileError, match=r"is cut off: it has 1\.0 MB"):
        read_model_file(path)
    for length in range(0, 8_000, 37):  # anywhere in its head
        path.write_bytes(whole[:length])
        with pytest.raises(ModelFileError):
            read_model_file(path)


async def test_the_package_that_is_missing_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    path = write_model(tmp_path / "letters.gguf", {})
    provider = GgufText(Access(), path, choose=lambda text, tools, n: tools[:n])
    with pytest.raises(ProviderFault, match=r"pip install 'antiphon\[llm\]'") as raised:
        await provider.connect(Setup("local"))
    assert raised.value.fault.kind == "missing_sdk"
    await provider.close()


def test_doctor_says_what_is_wrong_with_the_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "antiphon.toml").write_text('[local]\nmodel = "models/none.gguf"\n')
    assert main(["doctor"]) == 1
    said = capsys.readouterr().out
    assert "wrong: antiphon.toml:2: `local.model`: There is no file" in said
    assert re.search(r"^local \(chosen\) +cannot be used$", said, re.MULTILINE)

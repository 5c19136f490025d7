"""Encryption at rest: the master key, the key rings, and what is sealed with them."""

from __future__ import annotations

import json
import os
import sqlite3
from base64 import b64decode, b64encode
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from antiphon.app.key_files import KeyFileError, read_keys, take_over_keys, write_keys
from antiphon.app.store import open_store
from antiphon.cli import main
from antiphon.config import Settings
from antiphon.secrecy.errors import SecrecyError
from antiphon.secrecy.key_ring import RETIRED_SECONDS, KeyRing
from antiphon.secrecy.master_key import MasterKey, MasterKeyPlace
from antiphon.storage import StoreError
from antiphon.storage.conversations import ConversationIndex
from antiphon.storage.rows import ConfirmationRow, SessionRow, TurnRow

KEY = "sk-canary-in-the-key-file"
SECRET_ARGUMENT = b'{"password":"canary-in-the-arguments"}'
MASTER = MasterKey(b"m" * 32, "file", "here")
OTHER = MasterKey(b"o" * 32, "file", "there")


def settings_in(folder: Path, **more: Any) -> Settings:
    return Settings.model_validate({"data": folder, **more})


def confirmation(id: str = "c1") -> ConfirmationRow:
    return ConfirmationRow(
        id=id,
        session_id="s",
        user="local",
        tool_id="t",
        args=SECRET_ARGUMENT,
        args_digest="d",
        registry_version="r",
        nonce="n",
        key="k",
        turn=1,
        risk="low",
        preview="p",
        call_hash="h",
        call_args=SECRET_ARGUMENT,
        created_at=1.0,
        expires_at=2.0,
        status="pending",
    )


def folder_bytes(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


# -- values -----------------------------------------------------------------------------------


@given(st.binary(max_size=200), st.text(max_size=30))
def test_what_is_sealed_is_opened_in_its_place_alone(plain: bytes, context: str) -> None:
    ring = KeyRing.new(MASTER, 0.0)
    sealed = ring.seal(MASTER, plain, context)
    assert ring.open(MASTER, sealed, context) == plain
    assert len(plain) < 4 or plain not in sealed
    assert ring.seal(MASTER, plain, context) != sealed  # a nonce is used once
    with pytest.raises(SecrecyError, match="damaged, or was moved"):
        ring.open(MASTER, sealed, context + "/other")


@given(st.data())
def test_one_changed_bit_is_noticed(data: st.DataObject) -> None:
    ring = KeyRing.new(MASTER, 0.0)
    sealed = bytearray(ring.seal(MASTER, b"value", "place"))
    place = data.draw(st.integers(0, len(sealed) * 8 - 1))
    sealed[place // 8] ^= 1 << place % 8
    with pytest.raises(SecrecyError):
        ring.open(MASTER, bytes(sealed), "place")


def test_a_cut_value_and_a_damaged_ring_are_named() -> None:
    ring = KeyRing.new(MASTER, 0.0)
    with pytest.raises(SecrecyError, match="cut short"):
        ring.open(MASTER, ring.seal(MASTER, b"", "place")[:-1], "place")
    for content in (b"", b"{}", b"[1]", b'{"version":1,"keys":[]}', ring.dumped()[:-9]):
        with pytest.raises(SecrecyError, match="key ring here is damaged"):
            KeyRing.parsed(content, "here")
    with pytest.raises(SecrecyError, match="A newer one wrote it"):
        KeyRing.parsed(b'{"version":2,"keys":[]}', "here")


def test_another_master_key_opens_nothing_and_is_told_from_damage() -> None:
    ring = KeyRing.new(MASTER, 0.0)
    sealed = ring.seal(MASTER, b"value", "place")
    with pytest.raises(SecrecyError, match=f"{OTHER.id}, and {MASTER.id} is needed"):
        ring.open(OTHER, sealed, "place")
    turned = ring.wrapped_anew(MASTER, OTHER)
    assert turned.open(OTHER, sealed, "place") == b"value"
    assert turned.wrapped_anew(MASTER, OTHER) == turned  # after a crash it is done once more


def test_a_replaced_key_opens_what_it_sealed_until_it_is_forgotten() -> None:
    ring = KeyRing.new(MASTER, 0.0)
    old = ring.seal(MASTER, b"value", "place")
    ring = ring.with_new_key(MASTER, 100.0)
    assert ring.open(MASTER, old, "place") == b"value"
    assert ring.without_retired(100.0 + RETIRED_SECONDS - 1) == ring
    later = ring.without_retired(100.0 + RETIRED_SECONDS)
    assert len(later.keys) == 1
    with pytest.raises(SecrecyError, match="not in the key ring"):
        later.open(MASTER, old, "place")


# -- the master key ---------------------------------------------------------------------------


def test_a_key_file_is_made_once_for_this_user_only(tmp_path: Path) -> None:
    place = MasterKeyPlace(tmp_path / "data")
    assert place.read() is None
    made = place.make()
    assert place.make() == made
    assert place.path.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in place.data.iterdir()] == ["master-key"]


@pytest.mark.parametrize("form", [b64encode(b"k" * 32).decode(), (b"k" * 32).hex()])
def test_a_key_is_read_as_base64_or_hexadecimal(form: str, tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.write_text(f" {form}\n")
    file.chmod(0o600)
    for place in (MasterKeyPlace(tmp_path, file=file), MasterKeyPlace(tmp_path, text=form)):
        read = place.read()
        assert read is not None
        assert read.value == b"k" * 32


@pytest.mark.parametrize(
    ("content", "mode", "words"),
    [
        (b64encode(b"k" * 32), 0o604, "chmod 600"),
        (b64encode(b"k" * 32), 0o620, "chmod 600"),
        (b"", 0o600, "is empty"),
        (b64encode(b"k" * 32)[:-9], 0o600, "may be truncated"),
        (b"\xff\xfe" * 40, 0o600, "holds no key"),
        (None, 0o600, "is not there"),
    ],
)
def test_a_key_file_that_cannot_be_used_stops_the_start(
    content: bytes | None, mode: int, words: str, tmp_path: Path, capsys: Any
) -> None:
    file = tmp_path / "key"
    if content is not None:
        file.write_bytes(content)
        file.chmod(mode)
    settings = settings_in(tmp_path / "data", secrets={"key_file": file})
    with pytest.raises(StoreError, match=words) as failed:
        open_store(settings)
    assert content is None or not content or content.decode("latin-1") not in str(failed.value)
    (tmp_path / "antiphon.toml").write_text(f'[secrets]\nkey_file = "{file}"\n')
    at = ("--config", str(tmp_path / "antiphon.toml"), "--data", str(tmp_path / "data"))
    assert main(["secrets", "status", "--json", *at]) == 1
    assert words in capsys.readouterr().out


def test_a_keyring_that_is_not_installed_is_named_with_its_pip_line(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="pip install keyring"):
        open_store(settings_in(tmp_path, secrets={"keyring": True}))


def test_the_master_key_has_one_source() -> None:
    with pytest.raises(ValueError, match="set only one of"):
        Settings.model_validate({"secrets": {"key": "x", "keyring": True}})


# -- the file of keys ------------------------------------------------------------------------


def test_keys_of_an_earlier_release_are_taken_over_once_and_whole(tmp_path: Path) -> None:
    settings, file = settings_in(tmp_path), tmp_path / "keys.json"
    file.write_text(json.dumps({"openai": KEY}))
    assert read_keys(settings) == {"openai": KEY}
    assert KEY in file.read_text()  # who only looks changes nothing
    assert take_over_keys(settings) == {"openai": KEY}
    first = file.read_bytes()
    assert KEY.encode() not in folder_bytes(tmp_path)
    assert take_over_keys(settings) == read_keys(settings) == {"openai": KEY}
    assert file.read_bytes() == first
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_crash_while_keys_are_taken_over_loses_nothing(tmp_path: Path) -> None:
    """Whatever of the new files is there, the old one is whole until the last step replaced it."""
    settings, file = settings_in(tmp_path), tmp_path / "keys.json"
    old = json.dumps({"openai": KEY})
    file.write_text(old)
    take_over_keys(settings)
    for left in ((), ("master-key",), ("master-key", "key-ring.json")):
        for path in tmp_path.iterdir():
            if path.name not in left:
                path.unlink()
        file.write_text(old)
        assert take_over_keys(settings) == {"openai": KEY}
        assert read_keys(settings) == {"openai": KEY}


def test_damaged_and_exchanged_keys_are_refused_and_kept(tmp_path: Path) -> None:
    settings, file = settings_in(tmp_path), tmp_path / "keys.json"
    write_keys(settings, {"openai": KEY, "gemini": "sk-another-one"})
    good = json.loads(file.read_bytes())
    turned = {"openai": good["sealed"]["gemini"], "gemini": good["sealed"]["openai"]}
    cut = {"openai": b64encode(b64decode(good["sealed"]["openai"])[:-1]).decode()}
    for sealed in (turned, cut, {"openai": "no base64!"}, {"openai": b64encode(b"x").decode()}):
        file.write_text(json.dumps({"version": 1, "sealed": sealed}))
        with pytest.raises(KeyFileError) as failed:
            read_keys(settings)
        assert KEY not in str(failed.value)
        with pytest.raises(KeyFileError):
            take_over_keys(settings)
        assert json.loads(file.read_bytes())["sealed"] == sealed  # nothing is overwritten
    file.write_text(json.dumps(good))
    (tmp_path / "master-key").rename(tmp_path / "elsewhere")
    with pytest.raises(KeyFileError, match="master key is missing"):
        read_keys(settings)
    assert not (tmp_path / "master-key").exists()  # a new one would open nothing


# -- the store -------------------------------------------------------------------------------


@pytest.mark.real_time
async def test_secrets_and_open_confirmations_are_encrypted_in_the_store(tmp_path: Path) -> None:
    settings = settings_in(tmp_path)
    async with open_store(settings) as store:
        secret = store.secret("signing")
        await store.add_confirmation(confirmation())
        found = await store.confirmation("c1")
        assert found is not None
        assert (found.args, found.call_args) == (SECRET_ARGUMENT, SECRET_ARGUMENT)
    kept = folder_bytes(tmp_path)
    assert secret not in kept
    assert b"canary-in-the-arguments" not in kept
    async with open_store(settings) as store:
        assert store.secret("signing") == secret


@pytest.mark.real_time
async def test_rows_of_an_earlier_release_are_taken_over_and_leave_nothing_behind(
    tmp_path: Path,
) -> None:
    from antiphon.storage import Store

    url = f"sqlite:///{tmp_path}/antiphon.db"
    async with Store.open(url) as store:
        secret = store.secret("signing")
        await store.add_confirmation(confirmation())
        await store.save_session(SessionRow("one", "local", "text"))
        await store.add_turn(TurnRow("one", 1.0, "text", "{}"), role="user", text="Hello")
    with sqlite3.connect(tmp_path / "antiphon.db") as database:
        database.execute("UPDATE conversations SET share_token = 'canary-of-a-share'")
    database.close()
    assert secret in folder_bytes(tmp_path)
    async with open_store(settings_in(tmp_path)) as store:
        assert store.secret("signing") == secret
        found = await store.confirmation("c1")
        assert found is not None
        assert found.args == SECRET_ARGUMENT
        index = ConversationIndex(store)
        assert await index.share("one") == "canary-of-a-share"
        shared = await index.shared("canary-of-a-share")
        assert shared is not None
        assert shared.share_token is not None
        assert await index.shared(shared.share_token) is None  # what is kept opens nothing
    assert secret not in folder_bytes(tmp_path)
    assert b"canary" not in folder_bytes(tmp_path)
    async with Store.open(url) as store:
        with pytest.raises(StoreError, match="opened without its master key"):
            store.secret("signing")


@pytest.mark.real_time
async def test_a_value_that_was_moved_to_another_row_is_refused(tmp_path: Path) -> None:
    settings = settings_in(tmp_path)
    async with open_store(settings) as store:
        store.secret("one")
        store.secret("two")
    with sqlite3.connect(tmp_path / "antiphon.db") as database:
        database.execute(
            "UPDATE secrets SET value = (SELECT value FROM secrets WHERE name = 'one') "
            "WHERE name = 'two'"
        )
    database.close()
    async with open_store(settings) as store:
        with pytest.raises(StoreError, match="moved here from elsewhere"):
            store.secret("two")
        assert store.secret("one")


@pytest.mark.real_time
async def test_nodes_share_a_key_and_go_on_after_a_rotation(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = settings_in(tmp_path)
    write_keys(settings, {"openai": KEY})
    async with open_store(settings) as one, open_store(settings) as two:
        await one.add_confirmation(confirmation())
        secret = one.secret("signing")
        ring = (tmp_path / "key-ring.json").read_bytes()
        await _in_thread("secrets", "rotate", "--data", str(tmp_path))
        assert (tmp_path / "key-ring.json").read_bytes() != ring
        assert two.secret("signing") == secret
        found = await two.confirmation("c1")
        assert found is not None
        assert found.args == SECRET_ARGUMENT
    assert read_keys(settings) == {"openai": KEY}
    capsys.readouterr()
    await _in_thread("secrets", "status", "--json", "--data", str(tmp_path))
    told = json.loads(capsys.readouterr().out)
    assert told["ok"]
    assert told["provider_keys"] == {"count": 1, "encrypted": True}
    assert len(told["store"]["data_keys"]) == 2
    assert told["store"]["plain_values"] == 0


@pytest.mark.real_time
async def test_another_master_key_takes_over_also_after_a_crash_in_between(tmp_path: Path) -> None:
    settings = settings_in(tmp_path / "data")
    write_keys(settings, {"openai": KEY})
    async with open_store(settings) as store:
        secret = store.secret("signing")
    new = tmp_path / "new-key"
    new.write_bytes(b64encode(os.urandom(32)))
    new.chmod(0o600)
    before = (tmp_path / "data" / "key-ring.json").read_bytes()
    rotate = ("secrets", "rotate", "--new-key", str(new), "--data", str(tmp_path / "data"))
    await _in_thread(*rotate)
    # As if it had ended after the store and before the file: it is run once more.
    (tmp_path / "data" / "key-ring.json").write_bytes(before)
    await _in_thread(*rotate)
    with pytest.raises(StoreError, match="is another one than what is kept"):
        open_store(settings)
    turned = settings_in(tmp_path / "data", secrets={"key_file": new})
    async with open_store(turned) as store:
        assert store.secret("signing") == secret
    assert read_keys(turned) == {"openai": KEY}


async def _in_thread(*arguments: str) -> None:
    import asyncio

    assert await asyncio.to_thread(main, list(arguments)) == 0

"""Passkeys: added by a user, and what is not exactly theirs signs nobody in."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest
from tests.access.authenticator import SoftwareAuthenticator, decoded, encoded
from tests.access.conftest import Node, open_node, populate

from antiphon.access.errors import AccessError, AccessRefused
from antiphon.access.passkey_ceremonies import PasskeyCeremonies, RelyingParty

HERE = RelyingParty("localhost", "http://localhost:8080")


class Device:
    """A software authenticator at a node."""

    def __init__(self, node: Node, origin: str = HERE.origin) -> None:
        self.node = node
        self.ceremonies = PasskeyCeremonies(node.directory)
        self.authenticator = SoftwareAuthenticator(origin)

    async def register(self, user: str = "ann", name: str = "Key") -> str:
        ceremony, options = await self.ceremonies.begin_registration(HERE, user)
        credential = self.authenticator.create(options)
        made = await self.ceremonies.register(HERE, user, ceremony, name, credential)
        return made.id

    async def sign_in(self, **changed: Any) -> str:
        ceremony, options = await self.ceremonies.begin_sign_in(HERE)
        credential = self.authenticator.get(options)
        credential["response"] |= changed
        return await self.ceremonies.sign_in(HERE, ceremony, credential)

    async def refusal(self, **changed: Any) -> str:
        with pytest.raises(AccessRefused) as refused:
            await self.sign_in(**changed)
        lines = await self.node.events("sign_in_refused")
        assert json.loads(lines[-1])["details"]["way"] == "passkey"
        return refused.value.code


@pytest.fixture
async def device(node: Node) -> AsyncIterator[Device]:
    yield Device(node)  # noqa: PT022 - fixtures in the test's own loop are generators


async def test_a_user_adds_passkeys_signs_in_with_each_and_removes_them(
    node: Node, device: Device
) -> None:
    first = await device.register(name=" Laptop ")
    second = Device(node)
    await second.register(name="Phone")
    assert [await device.sign_in(), await second.sign_in(), await device.sign_in()] == ["ann"] * 3
    keys = await node.directory.passkeys("ann")
    assert {key.name for key in keys} == {"Laptop", "Phone"}
    assert all(key.used_at == node.clock.now for key in keys)
    _, options = await device.ceremonies.begin_registration(HERE, "ann")
    assert {each["id"] for each in options["excludeCredentials"]} == {key.id for key in keys}
    assert b"ann" not in decoded(options["user"]["id"])
    with pytest.raises(AccessError, match="no passkey"):
        await node.directory.remove_passkey("root", first, "root")
    await node.directory.remove_passkey("ann", first, "ann")
    assert await device.refusal() == "unknown"
    assert await second.sign_in() == "ann"
    await node.directory.remove_user("ann", "root")
    assert await second.refusal() == "unknown"
    for event, count in (("passkey_added", 2), ("passkey_removed", 1), ("passkey_reused", 0)):
        assert len(await node.events(event)) == count


async def test_a_count_that_does_not_go_on_is_a_copy(node: Node, device: Device) -> None:
    await device.register()
    await device.sign_in()
    device.authenticator.count = 5
    await device.sign_in()
    device.authenticator.count = 3
    assert await device.refusal() == "used"
    device.authenticator.count = 5
    assert await device.refusal() == "used"
    device.authenticator.count = 6
    assert await device.sign_in() == "ann"
    assert len(await node.events("passkey_reused")) == 2


async def test_passkeys_that_are_synchronized_do_not_count(device: Device) -> None:
    await device.register()
    for _ in range(2):
        device.authenticator.count = -1
        assert await device.sign_in() == "ann"


async def test_a_ceremony_is_good_once_for_five_minutes_and_for_what_it_was_begun(
    node: Node, device: Device
) -> None:
    await device.register()
    ceremonies, authenticator = device.ceremonies, device.authenticator

    async def refused(ceremony: str, credential: dict[str, Any], at: RelyingParty = HERE) -> str:
        with pytest.raises(AccessRefused) as error:
            await ceremonies.sign_in(at, ceremony, credential)
        return error.value.code

    ceremony, options = await ceremonies.begin_sign_in(HERE)
    credential = authenticator.get(options)
    assert await ceremonies.sign_in(HERE, ceremony, credential) == "ann"
    assert await refused(ceremony, credential) == "used"
    # An answer to one challenge is none to another.
    other, _ = await ceremonies.begin_sign_in(HERE)
    assert await refused(other, credential) == "unknown"
    ceremony, options = await ceremonies.begin_sign_in(HERE)
    credential = authenticator.get(options)
    node.pass_time(300)
    assert await refused(ceremony, credential) == "expired"
    ceremony, options = await ceremonies.begin_sign_in(HERE)
    elsewhere = replace(HERE, origin="http://localhost:9090")
    assert await refused(ceremony, authenticator.get(options), elsewhere) == "foreign"
    adding, creation = await ceremonies.begin_registration(HERE, "ann")
    assert await refused(adding, authenticator.get(options)) == "foreign"

    # Nobody adds a passkey to somebody else by a ceremony of their own.
    adding, creation = await ceremonies.begin_registration(HERE, "ann")
    made = Device(node).authenticator.create(creation)
    with pytest.raises(AccessRefused, match="something else"):
        await ceremonies.register(HERE, "root", adding, "Key", made)
    signing, _ = await ceremonies.begin_sign_in(HERE)
    with pytest.raises(AccessRefused, match="something else"):
        await ceremonies.register(HERE, "ann", signing, "Key", made)
    assert await node.directory.passkeys("root") == []


async def test_what_is_not_signed_by_the_passkey_here_and_now_signs_nobody_in(
    node: Node, device: Device
) -> None:
    await device.register()
    authenticator = device.authenticator
    authenticator.origin = "http://evil.test"
    assert await device.refusal() == "unknown"
    authenticator.origin = HERE.origin
    authenticator.verifies = False
    assert await device.refusal() == "unknown"
    authenticator.verifies = True
    stranger = Device(node)
    await stranger.register("root")
    assert await device.refusal(userHandle=stranger.authenticator.handle) == "unknown"
    stranger.authenticator.id = authenticator.id
    stranger.authenticator.handle = authenticator.handle
    assert await stranger.refusal() == "unknown"  # another key under the same id
    for wrong in ("", "!!", "AAAA", encoded(b"{}"), encoded(b"[" * 2000), 5, None, "é", "\ud800"):
        for field in ("clientDataJSON", "authenticatorData", "signature"):
            assert await device.refusal(**{field: wrong}) == "unknown"
    assert await device.sign_in() == "ann"


async def test_what_is_no_passkey_is_not_added(node: Node, device: Device) -> None:
    authenticator = device.authenticator
    wrong: list[dict[str, Any]] = [{}, {"id": 5}, {"id": "a", "rawId": "a", "response": []}]
    for credential in wrong:
        ceremony, _ = await device.ceremonies.begin_registration(HERE, "ann")
        with pytest.raises(AccessError, match="no passkey for this server"):
            await device.ceremonies.register(HERE, "ann", ceremony, "Key", credential)
    for value in ("", "AAAA", encoded(b"\xa0"), encoded(b"\x9f" * 3000), "\ud800"):
        ceremony, options = await device.ceremonies.begin_registration(HERE, "ann")
        credential = authenticator.create(options)
        credential["response"]["attestationObject"] = value
        with pytest.raises(AccessError, match="no passkey for this server"):
            await device.ceremonies.register(HERE, "ann", ceremony, "Key", credential)
    authenticator.verifies = False
    with pytest.raises(AccessError, match="no passkey for this server"):
        await device.register()
    authenticator.verifies = True
    for name in ("", "x" * 200, "bell\a"):
        with pytest.raises(AccessError, match="name of a passkey"):
            await device.register(name=name)
    assert await node.directory.passkeys("ann") == []
    await device.register()
    with pytest.raises(AccessError, match="registered already"):
        await device.register("root")
    assert len(await node.events("passkey_added")) == 1


async def test_a_user_has_a_bounded_number_of_passkeys(node: Node) -> None:
    for _ in range(20):
        await Device(node).register()
    with pytest.raises(AccessError, match="at most 20"):
        await Device(node).register()


@pytest.mark.real_time
async def test_a_count_is_used_once_on_all_nodes(store_url: str) -> None:
    first, second = open_node(store_url), open_node(store_url)
    await populate(first.directory)
    device = Device(first)
    key = await device.register()
    found = await asyncio.gather(
        *(node.directory.use_passkey(key, 1) for node in (first, second) * 2),
        return_exceptions=True,
    )
    assert sorted(each for each in found if isinstance(each, str)) == ["ann"]
    assert {each.code for each in found if isinstance(each, AccessRefused)} == {"used"}
    for node in (first, second):
        await node.store.close()

"""Sign-in throttle: guessing becomes slow, and keeps nobody out who is known."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.server.conftest import Client, Serve
from tests.server.sign_in_helpers import PASSWORD, Browser, events, make_user, signing_in
from tests.storage.helpers import Clock

from antiphon.server.sign_in_throttle import (
    ACCOUNT,
    ADDRESS,
    FORGET_SECONDS,
    KNOWN,
    MAX_WAITING,
    SignInThrottle,
    Throttled,
)

HOME, ELSEWHERE = "192.0.2.1", "198.51.100.7"


def throttle() -> tuple[SignInThrottle, Clock]:
    clock = Clock(1000.0)
    return SignInThrottle(b"0" * 32, monotonic=clock), clock


def fails(throttle: SignInThrottle, name: str, address: str, mark: str | None = None) -> float:
    """An attempt with a wrong password; return for how long it was refused before."""
    try:
        with throttle.attempt(name, address, mark):
            return 0.0
    except Throttled as early:
        return float(early.retry_after)


def succeeds(throttle: SignInThrottle, name: str, address: str, mark: str | None = None) -> bool:
    try:
        with throttle.attempt(name, address, mark) as attempt:
            attempt.succeeded = True
    except Throttled:
        return False
    return True


def test_delays_grow_up_to_a_bound_and_are_forgotten() -> None:
    own, clock = throttle()
    waits: list[float] = []
    for _ in range(ACCOUNT.free + 8):
        waited = fails(own, "ann", ELSEWHERE)
        if waited:
            waits.append(waited)
            clock.now += waited
            assert fails(own, "ann", ELSEWHERE) == 0.0
    assert waits[:7] == [1, 2, 4, 8, 16, 32, 60]
    assert waits[-1] == ACCOUNT.longest
    clock.now += FORGET_SECONDS + 1
    assert fails(own, "ann", ELSEWHERE) == 0.0


def test_attempts_that_come_too_early_do_not_prolong_the_wait() -> None:
    own, clock = throttle()
    while not fails(own, "ann", ELSEWHERE):
        pass
    for _ in range(100):
        assert fails(own, "ann", ELSEWHERE) == 1
    clock.now += 1
    assert fails(own, "ann", ELSEWHERE) == 0.0


def test_attempts_at_the_same_time_count_each() -> None:
    own, _ = throttle()
    held = [own.attempt("ann", ELSEWHERE) for _ in range(ACCOUNT.free)]
    for each in held:
        each.__enter__()
    with pytest.raises(Throttled), own.attempt("ann", ELSEWHERE):
        pass
    for each in held:
        each.__exit__(None, None, None)


def test_no_more_passwords_are_checked_at_a_time_than_memory_is_there_for() -> None:
    own, _ = throttle()
    held = [own.attempt(f"user{n}", f"192.0.2.{n}") for n in range(MAX_WAITING)]
    for each in held:
        each.__enter__()
    assert fails(own, "another", ELSEWHERE) == 2
    for each in held:
        each.__exit__(None, None, None)
    assert fails(own, "another", ELSEWHERE) == 0.0


def test_no_account_takes_more_than_a_hundred_guesses_an_hour_from_many_addresses() -> None:
    own, clock = throttle()
    end, guesses, source = clock.now + 3600, 0, 0
    while clock.now < end:
        source += 1
        waited = fails(own, "ann", f"203.0.{source >> 8}.{source & 255}")
        guesses += not waited
        clock.now += waited
    assert guesses <= 100


def test_one_address_tries_many_names_slowly() -> None:
    own, clock = throttle()
    end, guesses, name = clock.now + 3600, 0, 0
    while clock.now < end:
        name += 1
        waited = fails(own, f"user{name}", "2001:db8::1" if name % 2 else "2001:db8::ffff")
        guesses += not waited
        clock.now += waited
    assert guesses <= ADDRESS.free + 70


def test_a_mark_and_a_known_address_are_counted_apart_from_others() -> None:
    own, _ = throttle()
    mark = own.mark("ann")
    assert succeeds(own, "ann", HOME)
    while not fails(own, "ann", ELSEWHERE):
        pass
    assert fails(own, "ann", "203.0.113.9")  # who is not known waits with the others
    assert succeeds(own, "ann", HOME)
    assert succeeds(own, "ann", ELSEWHERE, mark)
    assert succeeds(own, "Ann", "203.0.113.9", mark)
    # A mark is for one user of one server, and whoever has it does not guess without end.
    for wrong in (own.mark("bob"), throttle()[0].mark("ann")[:-1] + "x", "x", f"{mark}\n"):
        assert fails(own, "ann", "203.0.113.10", wrong)
    tried = sum(not fails(own, "ann", ELSEWHERE, mark) for _ in range(100))
    assert tried == KNOWN.free


@given(st.text(max_size=40), st.sampled_from([HOME, "::1", "fe80::1%eth0", "", "2001:db8::1"]))
def test_any_name_and_address_is_counted(name: str, address: str) -> None:
    own, _ = throttle()
    assert [fails(own, name, address) > 0 for _ in range(ACCOUNT.free + 1)] == [
        *[False] * ACCOUNT.free,
        True,
    ]


# -- over HTTP ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def client(workshop: Serve) -> Iterator[Client]:
    with signing_in(workshop) as client:
        make_user(client, "ann")
        yield client


def test_an_attacker_keeps_nobody_out_who_is_known(client: Client) -> None:
    home = Browser(client, source="127.0.0.2")
    assert home.sign_in("ann").status == 200
    attackers: dict[str, list[int]] = {}
    for name, source in (("ann", "127.0.0.66"), ("ghost", "127.0.0.67")):
        tries = [Browser(client, source=source).sign_in(name, "a wrong one") for _ in range(12)]
        attackers[name] = [each.status for each in tries]
        refused = tries[-1]
        assert refused.status == 429
        assert int(refused.headers["retry-after"]) >= 1
        assert refused.media_type == "application/problem+json"
    assert attackers["ann"] == attackers["ghost"]  # a name that nobody has is like any
    assert Browser(client, source="127.0.0.68").sign_in("ann").status == 429
    # From the address where she signs in, and from her browser wherever it is.
    assert Browser(client, source="127.0.0.2").sign_in("ann").status == 200
    assert home.post("/api/sign-out").status == 204
    home.source = "127.0.0.3"
    assert home.sign_in("ann").status == 200
    # In the audit each wait is once, however often somebody comes too early.
    found = [line["details"]["address"] for line in events(client, "sign_in_throttled")]
    strangers = ["127.0.0.66", "127.0.0.67"]
    assert [each for each in found if each in strangers] == strangers


def test_the_old_password_is_not_guessed_with_a_stolen_session(client: Client) -> None:
    ann = Browser(client, source="127.0.0.2")
    ann.sign_in("ann")
    body = {"old": "a wrong one", "new": "another long password"}
    statuses = [ann.send("PUT", "/api/account/password", body).status for _ in range(11)]
    assert statuses == [*[403] * 10, 429]
    right = {"old": PASSWORD, "new": "another long password"}
    assert ann.send("PUT", "/api/account/password", right).status == 429


def test_wrong_links_are_tried_slowly(client: Client) -> None:
    browser = Browser(client, source="127.0.0.70")
    tries = [browser.post("/api/sign-in/link/look", {"secret": f"s{n}"}) for n in range(21)]
    assert [each.status for each in tries] == [*[401] * 20, 429]

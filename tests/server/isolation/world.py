"""Two organisations on one server, with everything that the people of one of them can make.

What is made has random words in every text: whoever else is answered with one of them sees what is
not theirs.
"""

from __future__ import annotations

import asyncio
import base64
import json
import random
import re
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from tests.access.authenticator import SoftwareAuthenticator
from tests.server.conftest import Client, Serve
from tests.server.test_passkeys import Local
from tests.server.ws.phone import Phone, eventually

import antiphon
from antiphon.config import Settings
from antiphon.contracts.limits import KINDS, UNLIMITED
from antiphon.emulators.runner import emulate
from antiphon.server import create_app
from antiphon.server.ws.sessions import VoiceLimits

# Whose things they are, somebody of her organisation, and its administrator.
OWNER, COLLEAGUE, MANAGER = "znbeatrq", "zncoralq", "znbenedq"
HOME, AWAY = "znnorthq", "south"

BLOCKED = "znblockq"
# The administrator of the server, with a token.
ROOT = "root"
PEOPLE = {
    BLOCKED: (HOME, "member"),
    OWNER: (HOME, "member"),
    COLLEAGUE: (HOME, "member"),
    MANAGER: (HOME, "admin"),
    "ann": (AWAY, "member"),
    "abe": (AWAY, "admin"),
    "vic": (AWAY, "viewer"),
    "tom": (AWAY, "member"),
    "fay": ("", "operator"),
}
# What tom's token is for.
FEW = {
    "permissions": ["tools.call", "workspace.write"],
    "tools": ["word_count", "list_*", "run_tool"],
}
# What is tried comes faster than people are let do anything.
UNBOUNDED = {name: UNLIMITED for name in KINDS if name != "knowledge_bytes"}
PROFILE = 'name = "plain"\ndescription = "Every tool, and no words of its own."\ntools = "all"\n'
LOUD = array("h", [12_000, -12_000] * 1600).tobytes()
SCRIPT = {
    "rules": [
        {"on": "text", "reply": [{"say": "You said {text}."}, "complete"]},
        {"on": "audio_end", "reply": [{"hear": "hello"}, {"say": "I heard you."}, "complete"]},
    ]
}


@dataclass
class Things:
    """What the people of the home organisation have made.

    `ids` are ids, names and secrets by kind, each with whether it is the owner's alone or of the
    whole organisation. So have the words. `operators` are the words in the files of the operator.
    """

    random: random.Random
    ids: dict[str, list[str]] = field(default_factory=dict)
    shared: set[str] = field(default_factory=set)
    operators: set[str] = field(default_factory=set)

    def word(self, *, shared: bool = False) -> str:
        """Another secret word."""
        made = "zq" + "".join(self.random.choices("bcdfghjklmnprstvw", k=12))
        if shared:
            self.shared.add(made)
        return made

    def operators_word(self) -> str:
        """A secret word of the first organisation."""
        made = self.word()
        self.operators.add(made)
        return made

    def name(self) -> str:
        """A random name, which is no secret once somebody has said it."""
        return "zn" + "".join(self.random.choices("bcdfghjklmnprstvw", k=12))

    def add(self, kind: str, thing: Any, *, shared: bool = False) -> Any:
        """Remember an id; `shared`: it is there for the whole organisation."""
        self.ids.setdefault(kind, []).append(str(thing))
        if shared:
            self.shared.add(str(thing))
        return thing


class Person:
    """Somebody's requests; the answers are JSON."""

    def __init__(self, client: Client, known: dict[str, str]) -> None:
        self.client = client
        self.known = known

    def send(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        sent = {**self.known, "accept": "application/json"}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        content = None if body is None else json.dumps(body).encode()
        if content is not None:
            sent["content-type"] = "application/json"
        return self.client.send(method, path, sent, content)

    def done(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        reply = self.send(method, path, body, **headers)
        assert reply.status in (200, 201, 202, 204), (method, path, reply.status, reply.body)
        return reply.json if reply.body else None

    def call(
        self, tool: str, args: dict[str, Any], session: str | None = None, key: str = ""
    ) -> Any:
        headers = {"idempotency_key": key} if key else {}
        body = {"args": args} if session is None else {"args": args, "session_id": session}
        return self.done("POST", f"/api/tools/{tool}/call", body, **headers)


@dataclass
class World:
    """A running server with both organisations, and what is known of it."""

    app: Any
    client: Client
    things: Things
    data: Path
    known: dict[str, dict[str, str]]

    def headers(self, who: str) -> dict[str, str]:
        """By what the server knows somebody: as a page of its own, or a program, sends it."""
        return {**self.known[who], "origin": f"http://127.0.0.1:{self.client.port}"}

    def cookie(self, who: str) -> str:
        return self.known[who]["cookie"].partition("=")[2]

    def person(self, who: str) -> Person:
        return Person(self.client, self.headers(who))


def make_app(registry: Any, data: Path, emulator: Any) -> Any:
    """A server at which everybody has to sign in."""
    folder = data.parent / "profiles"
    folder.mkdir(exist_ok=True)
    (folder / "plain.toml").write_text(PROFILE)
    given = {
        "api_key": emulator.key,
        "base_url": emulator.base_url,
        "ca_file": emulator.ca_file,
    }
    app = create_app(
        registry,
        Settings(
            data=data,
            agent={"backend": "gemini", "profile": "plain"},
            providers={"gemini": given},
            profiles={"folder": folder},
            voice={"record": True},
            images={"provider": "none"},
            access={"sign_in": "on", "password_memory": 8, "password_passes": 1},
            limits={"user": UNBOUNDED, "organisation": UNBOUNDED, "start_seconds": 600.0},
        ),
    )
    app.services.warm_after = float("inf")
    # Thousands of messages that are refused are what is tried here.
    app.services.voice_limits = VoiceLimits(errors=1_000_000)
    return app


async def populate(app: Any) -> dict[str, dict[str, str]]:
    """Make the organisations and their users; return by what each of them is known."""
    known: dict[str, dict[str, str]] = {"": {}}
    async with app.running():
        access = app.services.application.access
        await access.create_user(ROOT, roles=["admin"], by="test")
        _, secret = await access.create_token(ROOT, "everything", by="test")
        known[ROOT] = {"authorization": f"Bearer {secret}"}
        for organisation in (HOME, AWAY):
            await access.create_organisation(organisation, organisation.title(), "test")
        for name, (organisation, role) in PEOPLE.items():
            await access.create_user(name, organisation=organisation, roles=[role], by="test")
            _, secret = await access.begin_session(name, "password")
            known[name] = {"cookie": f"antiphon={secret}"}
        _, secret = await access.create_token("tom", "few", **FEW, by="test")
        known["tom"] = {"authorization": f"Bearer {secret}"}
    return known


@contextmanager
def running(serve: Serve, folder: Path, seed: int) -> Iterator[World]:
    """The server, with everything made."""
    things = Things(random.Random(seed))
    with emulate("gemini", SCRIPT, check=False) as emulator:
        app = make_app(serve.registry, folder / "data", emulator)
        add_files(things, folder / "data")
        known = asyncio.run(populate(app))
        with serve.running(app) as client:
            world = World(app, client, things, folder / "data", known)
            make_everything(world)
            yield world


def add_files(things: Things, data: Path) -> None:
    """Playbooks, experts, workflows and agents of the operator: those that ship, under other
    titles."""
    workspace = Path(antiphon.__file__).parent / "workspace"
    for kind, suffix in (
        ("playbooks", "md"),
        ("experts", "toml"),
        ("workflows", "json"),
        ("agents", "toml"),
    ):
        shipped = sorted((workspace / kind).glob(f"*.{suffix}"))[0]
        word = things.operators_word()
        title = re.compile(r'((?:title|name)"? ?[:=] "?)')
        (data / kind).mkdir(parents=True)
        text = title.sub(rf"\g<1>{word} ", shipped.read_text(), count=1)
        (data / kind / f"{things.operators_word()}.{suffix}").write_text(text)


# -- what the owner and her organisation have ---------------------------------------------------


def make_everything(world: World) -> None:
    owner, manager = world.person(OWNER), world.person(MANAGER)
    things = world.things
    for name in (OWNER, MANAGER, COLLEAGUE, BLOCKED):
        things.add("user", name, shared=True)
    things.add("organisation", HOME, shared=True)
    _workspace(things, owner)
    _calls(things, owner)
    _conversations(things, owner)
    _knowledge(things, owner)
    _administration(world, owner, manager)
    _speech(world, owner)
    _audit(things, manager)


def _workspace(things: Things, owner: Person) -> None:
    word = things.word
    project = owner.done("POST", "/api/projects", {"name": word(), "description": word()})
    things.add("project", project["id"])
    owner.done("PUT", f"/api/projects/{project['id']}", {"current": True})
    steps = [{"function": "word_count", "args": {"text": word()}}]
    macro = owner.done(
        "POST",
        "/api/vox/macros",
        {"name": word(), "trigger_phrase": word(), "steps": steps},
    )["macro"]
    things.add("macro", macro["id"])
    owner.done("POST", f"/api/vox/macros/{macro['id']}/run")
    key = things.add("key", things.name())
    begun = owner.done(
        "POST", f"/api/automations/macro/{macro['id']}/run", {"input": word()}, idempotency_key=key
    )
    things.add("run", begun["id"])
    eventually(
        lambda: (
            owner.done("GET", f"/api/automations/runs/{begun['id']}")["status"]
            not in ("pending", "running")
        )
    )
    schedule = owner.done(
        "POST",
        "/api/schedules",
        {
            "kind": "macro",
            "name": macro["id"],
            "input": word(),
            "trigger": {"type": "cron", "expression": "0 3 1 1 *"},
        },
    )
    things.add("schedule", schedule["id"])
    made = owner.done(
        "POST",
        "/api/calendar/events",
        {
            "title": word(),
            "start_time": "2031-03-03T09:00:00+00:00",
            "end_time": "2031-03-03T10:00:00+00:00",
            "description": word(),
            "location": word(),
            "attendees": [f"{word()}@example.org"],
        },
        idempotency_key=things.add("key", things.name()),
    )["event"]
    things.add("event", made["id"])
    things.add("version", made["version"])


def _calls(things: Things, owner: Person) -> None:
    word = things.word
    session = things.add("session", owner.done("POST", "/api/sessions", {"mode": "text"})["id"])
    event = {
        "title": word(),
        "start_time": "2031-04-04T09:00:00+00:00",
        "end_time": "2031-04-04T10:00:00+00:00",
        "attendees": [f"{word()}@example.org"],
        "description": word(),
    }
    for place in (session, None):
        waiting = owner.call("calendar_create_event", event, place)
        asked = _asked(owner, waiting)
        things.add("confirmation", asked["id"])
        things.add("confirmation token", asked["token"])
    key = things.add("key", things.name())
    owner.call("create_project", {"name": word(), "description": word()}, key=key)
    key = things.add("key", things.name())
    owner.call("create_project", {"name": word(), "description": word()}, session, key=key)
    # A standing grant: the person said that further calls need not be asked about.
    macro = owner.done(
        "POST",
        "/api/vox/macros",
        {"name": word(), "trigger_phrase": word(), "steps": [{"function": "list_kgs", "args": {}}]},
    )["macro"]
    asked = _asked(owner, owner.call("delete_macro", {"macro_id": macro["id"]}, session))
    answer = {"token": asked["token"], "approve": True, "remember": asked["remember"][-1]}
    owner.done("POST", f"/api/confirmations/{asked['id']}", answer)
    things.add("confirmation", asked["id"])
    for grant in owner.done("GET", "/api/approvals")["approvals"]:
        things.add("grant", grant["id"])


def _asked(owner: Person, envelope: Any) -> Any:
    """The question that a call opened, with its token."""
    thing = envelope["error"]["confirmation_request"]["id"]
    session = owner.done("GET", f"/api/confirmations/{thing}")["session_id"]
    return owner.done("GET", f"/api/confirmations/{thing}?session_id={session}")


def _conversations(things: Things, owner: Person) -> None:
    word = things.word
    said = owner.done("POST", "/api/chat", {"message": f"Remember {word()}."})
    conversation = things.add("session", said["session_id"])
    folder = things.word()
    owner.done("PATCH", f"/api/conversations/{conversation}", {"title": word(), "folder": folder})
    found = owner.done("GET", f"/api/conversations/{conversation}")
    for entry in found["entries"]:
        if "turn" in entry:
            things.add("turn", entry["turn"])
    answered = things.ids["turn"][-1]
    owner.done(
        "PUT",
        f"/api/conversations/{conversation}/turns/{answered}/feedback",
        {"value": "up", "comment": word()},
    )
    shared = owner.done("POST", f"/api/conversations/{conversation}/share")
    things.add("share", shared["token"], shared=True)
    branch = owner.done("POST", f"/api/conversations/{conversation}/branch", {})
    things.add("session", branch["id"])
    image = owner.call("image_generate", {"prompt": "A cat"}, conversation)["data"]
    things.add("image", image["url"].rpartition("/")[2])
    owner.call("send_image", {"image_url": image["url"], "caption": word()}, conversation)
    # Text of others from here on, which the person would be asked after.
    owner.done("POST", "/api/vox/awareness", {"event_type": "page_visit", "page": f"/{word()}"})
    seen = {"event_type": "error", "error_type": word(), "message": word(), "page": word()}
    things.add("page error", owner.done("POST", "/api/vox/awareness", seen)["error_id"])
    owner.done(
        "POST", "/api/vox/awareness", {"event_type": "context", "key": word(), "value": word()}
    )


def _knowledge(things: Things, owner: Person) -> None:
    word = partial(things.word, shared=True)
    database = things.add("database", things.name(), shared=True)
    owner.done("POST", "/api/knowledge", {"id": database, "title": word(), "description": word()})
    records = [things.add("record", f"person:{things.name()}", shared=True) for _ in range(2)]
    for record in records:
        body = {"type": "person", "title": word(), "text": word(), "tags": [word()]}
        owner.done("PUT", f"/api/knowledge/{database}/records/{record}", body)
    edge = {"source": records[0], "target": records[1], "relation": "knows"}
    owner.done("PUT", f"/api/knowledge/{database}/edges", edge)
    # The experts answer from a database that has this name in every organisation.
    owner.done("POST", "/api/knowledge", {"id": "studio", "title": word()})
    body = {"type": "project", "title": word(), "text": f"{word()} is late."}
    owner.done("PUT", "/api/knowledge/studio/records/project:late", body)
    owner.call(
        "chat_with_expert", {"expert_id": "project-advisor", "message": f"Who is {things.word()}?"}
    )
    task = owner.call(
        "ingest_to_kg", {"database_id": database, "text": f"{word()} works for {word()}."}
    )
    tasks = owner.done("GET", "/api/tasks")["tasks"]
    assert tasks, task
    things.add("task", tasks[0]["id"])
    eventually(lambda: owner.done("GET", f"/api/tasks/{tasks[0]['id']}")["finished_at"] is not None)


def _administration(world: World, owner: Person, manager: Person) -> None:
    things = world.things
    word = things.word
    for each in owner.done("GET", "/api/account/sessions")["sessions"]:
        things.add("browser session", each["id"])
    browser = Local(world.client, cookies={"antiphon": world.cookie(OWNER)})
    passkey = browser.add(SoftwareAuthenticator(browser.origin), word())
    things.add("passkey", passkey.json["id"])
    made = owner.done("POST", "/api/tokens", {"name": word()})
    things.add("token", made["token"]["id"])
    things.add("token secret", made["secret"])
    invited = things.add("user", things.name(), shared=True)
    link = manager.done(
        "POST", "/api/users", {"name": invited, "display_name": word(), "email": "x@example.org"}
    )["link"]
    things.add("link", link["secret"])
    world.person(BLOCKED).call(
        "ignore_user", {"duration_seconds": 86_000, "farewell_message": word()}
    )
    group = things.add("group", things.name(), shared=True)
    role = things.add("role", things.name(), shared=True)
    manager.done("PUT", f"/api/roles/{role}", {"permissions": ["metrics.read"]})
    manager.done("PUT", f"/api/limits/user/{OWNER}", {"limits": {"sockets": 98_765}})
    manager.done("PUT", f"/api/usage/caps/user/{OWNER}", {"day": "98765"})
    manager.done("PUT", f"/api/groups/{group}", {"roles": [], "members": [OWNER]})


def _speech(world: World, owner: Person) -> None:
    """A spoken conversation that is over, and one that can be taken up again."""
    things = world.things
    for over in (True, False):
        with Phone(world.client.port, additional_headers=world.headers(OWNER)) as phone:
            ready = phone.start(None)
            things.add("session", ready["sessionId"])
            things.add("session token", ready["session_token"])
            phone.works(things.word())
            phone.say("audio", data=base64.b64encode(LOUD).decode())
            phone.say("audio_end")
            phone.until("turn_complete")
            if over:
                phone.say("end")
                phone.closed()
    ended = things.ids["session"][-2]
    eventually(lambda: owner.done("GET", f"/api/sessions/{ended}")["ended_at"] is not None)
    eventually(lambda: world.app.services.voice.held == 0)


def _audit(things: Things, manager: Person) -> None:
    for line in manager.done("GET", "/api/audit?limit=20&newest_first=true")["lines"]:
        things.add("audit line", line["seq"], shared=True)

"""The conversation by voice: spoken, heard, typed into, interrupted, cut off and taken up again."""

from __future__ import annotations

import json
import re
import socket
import struct
import threading
import wave
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.console.conftest import PHONE, Watch, until
from tests.console.test_shell import findings
from tests.speech.helpers import hibari

from antiphon.speech.ports import OUTPUT_RATE

HEARD_MS = 60_000
ASKS_BUILT_IN = True
T = TypeVar("T")

# Listens at the loudspeaker: how loud it was at most, and when a sample was last loud, in the time
# of the sound itself, which does not depend on how busy the machine is.
TAP = """
(() => {
  const heard = { peak: 0, last: 0, pressed: 0, now: () => 0 };
  window.heard = heard;
  const connect = AudioNode.prototype.connect;
  AudioNode.prototype.connect = function (to, ...more) {
    if (to instanceof AudioDestinationNode) {
      const tap = new AnalyserNode(this.context, { fftSize: 8192 });
      connect.call(this, tap);
      const samples = new Float32Array(tap.fftSize);
      heard.now = () => this.context.currentTime;
      setInterval(() => {
        const now = this.context.currentTime;
        tap.getFloatTimeDomainData(samples);
        for (let n = samples.length - 1; n >= 0; n--) {
          heard.peak = Math.max(heard.peak, Math.abs(samples[n]));
          if (Math.abs(samples[n]) > 0.003) {
            heard.last = Math.max(heard.last, now - (samples.length - n) / this.context.sampleRate);
            break;
          }
        }
      }, 40);
    }
    return connect.call(this, to, ...more);
  };
  addEventListener("keydown", (event) => {
    if (event.key === "Escape") heard.pressed = heard.now();
  }, true);
})();
"""


@pytest.fixture(scope="module")
def question() -> bytes:
    """A second of silence, a spoken question, a second of silence."""
    second = bytes(2 * OUTPUT_RATE)
    return second + b"".join(hibari().speak("Who leads Harbor Light?")) + second


def recorded(path: Path, sound: bytes) -> Path:
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(OUTPUT_RATE)
        file.writeframes(sound)
    return path


class Frames:
    """What goes over the sockets of a page."""

    def __init__(self, page: Page) -> None:
        self.sent: list[dict[str, Any]] = []
        self.received: list[dict[str, Any]] = []
        self.spoken: list[int] = []  # sizes of the frames of sound that were sent
        page.on("websocket", self._opened)

    def _opened(self, line: Any) -> None:
        line.on("framesent", lambda frame: self._note(frame, self.sent))
        line.on("framereceived", lambda frame: self._note(frame, self.received))

    def _note(self, frame: str | bytes, into: list[dict[str, Any]]) -> None:
        if isinstance(frame, str):
            into.append(json.loads(frame))
        elif into is self.sent:
            self.spoken.append(len(frame))

    def awaited(self, page: Page, kind: str) -> list[dict[str, Any]]:
        """Those of a kind that came, as soon as there are any."""
        return soon(page, lambda: self.of(kind, self.received))

    def of(self, kind: str, among: list[dict[str, Any]] | None = None) -> list[dict[str, Any]]:
        return [each for each in (among or self.sent) if each["type"] == kind]


def soon(page: Page, looked_for: Callable[[], T]) -> T:
    """What is found, as soon as there is anything."""
    for _ in range(HEARD_MS // 50):
        if found := looked_for():
            return found
        page.wait_for_timeout(50)
    raise AssertionError("it did not come")


def entry(page: Page, kind: str, text: str | re.Pattern[str]) -> Any:
    return page.locator(f".entry.{kind}").filter(has_text=text)


def type_in(page: Page, text: str) -> None:
    page.get_by_label("Message", exact=True).fill(text)
    page.keyboard.press("Enter")


def state(page: Page) -> Any:
    return page.locator(".standing")


# -- by voice ----------------------------------------------------------------------------------


def test_a_spoken_question_is_answered_aloud(
    opened: Callable[..., Page], launch: Callable[..., Browser], question: bytes, tmp_path: Path
) -> None:
    # The model and the engines of speech are loaded by the time that somebody speaks.
    in_writing = opened("#/vox")
    type_in(in_writing, "Who are you?")
    expect(in_writing.locator(".entry.assistant")).to_be_visible(timeout=HEARD_MS)
    # Of what is said before the line is there two seconds are kept; a busy machine needs longer.
    spoken = recorded(tmp_path / "question.wav", bytes(4 * OUTPUT_RATE) + question)
    page = opened("#/vox", browser=launch(spoken))
    page.add_init_script(TAP)
    page.reload()
    frames = Frames(page)
    page.get_by_role("button", name="Talk", exact=True).click()
    asked = entry(page, "user", re.compile("who leads harbou?r light", re.I))
    expect(asked).to_be_visible(timeout=HEARD_MS)
    answer = entry(page, "assistant", "Kenji Okuhara")
    expect(answer).to_be_visible(timeout=HEARD_MS)
    expect(answer.locator(".evidence a", has_text="Harbor Light")).to_have_attribute(
        "href", re.compile(r"#/kg-studio/studio/record/project(:|%3A)harbor_light")
    )
    expect(page.locator(".talk-caption")).to_contain_text("Kenji Okuhara")

    # It was really played, and the server was told how much of it.
    answered = next(
        each["turn_id"]
        for each in frames.of("transcript", frames.received)
        if "Kenji" in each["text"]
    )

    def played() -> list[int]:
        return [e["played_ms"] for e in frames.of("playback") if e["turn_id"] == answered]

    soon(page, lambda: max(played(), default=0) > 2000)
    assert played() == sorted(played())
    assert page.evaluate("heard.peak") > 0.05
    assert set(frames.spoken) == {640}

    # Placed where it was begun; the answer first, and the calls that it led to in one line.
    kinds = page.locator(".entry").evaluate_all(
        """all => all.slice(all.findIndex((one) => /who leads/i.test(one.textContent)))
          .map((one) => one.classList[1])"""
    )
    assert kinds[:3] == ["user", "assistant", "tool"]
    line = page.locator(".calls").last
    expect(line).to_contain_text(re.compile(r"Searched \d databases? · \d+ results? · .*s"))
    line.locator("summary").first.click()
    card = page.locator(".tool-card").filter(has_text="kb_search").first
    expect(card).to_contain_text("results")
    card.locator("summary").click()
    expect(card).to_contain_text("allowed to run")
    expect(card.get_by_label("Arguments of kb_search")).to_contain_text("namespace")

    # The microphone is a button: without it the same conversation goes on in writing.
    spoken_id = page.url.rsplit("/", 1)[1]
    page.get_by_role("button", name="Hang up").click()
    expect(page.get_by_role("button", name="Talk", exact=True)).to_have_attribute(
        "aria-pressed", "false"
    )
    lines = len(frames.sent)
    type_in(page, "What does idempotent mean?")
    expect(entry(page, "assistant", "the same effect")).to_be_visible(timeout=HEARD_MS)
    assert len(frames.sent) == lines
    assert page.url.endswith(spoken_id)
    page.reload()
    expect(asked.locator(".spoken")).to_be_visible()
    expect(entry(page, "user", "idempotent").locator(".spoken")).to_have_count(0)
    expect(answer).to_be_visible()


def test_with_push_to_talk_only_what_is_said_while_space_is_held_is_heard(
    opened: Callable[..., Page], launch: Callable[..., Browser], question: bytes, tmp_path: Path
) -> None:
    # Asked over and over: when the line is there depends on the machine.
    spoken = recorded(tmp_path / "questions.wav", question * 15)
    page = opened("#/vox", browser=launch(spoken), prefs={"handsFree": False})
    frames = Frames(page)
    page.get_by_role("button", name="Talk", exact=True).click()
    expect(state(page)).to_contain_text("Hold Space")
    assert not frames.spoken
    page.locator("body").press("Escape")  # the focus is on the button; keys count all the same
    page.keyboard.down("Space")
    open_words = page.locator(".entry.user.open")
    whole = re.compile("who leads harbou?r light", re.I)  # space may go down in the midst of one
    expect(open_words).to_contain_text(whole, timeout=HEARD_MS)
    page.keyboard.up("Space")
    expect(entry(page, "assistant", "Kenji Okuhara")).to_be_visible(timeout=HEARD_MS)
    assert [each["active"] for each in frames.of("activity")] == [True, False]
    assert frames.of("start")[0]["push_to_talk"] is True
    page.get_by_role("button", name="Hang up").click()


# -- in writing, and interrupting ----------------------------------------------------------------


def test_typed_answers_are_spoken_where_one_wants_it_and_esc_is_silence_within_100_ms(
    opened: Callable[..., Page],
) -> None:
    page = opened("#/vox", prefs={"speakAnswers": True})
    page.add_init_script(TAP + "navigator.mediaDevices.getUserMedia = () => { throw Error('!'); };")
    page.reload()
    type_in(page, "What can you do?")
    answer = page.locator(".entry.assistant").first
    expect(answer).to_be_visible(timeout=HEARD_MS)
    until(page, "heard.last > heard.now() - 0.2 && heard.peak > 0.05")
    expect(state(page)).to_have_text("Speaking")
    expect(page.get_by_role("button", name="Interrupt")).to_be_enabled()

    page.keyboard.press("Escape")
    until(page, "heard.pressed && heard.now() > heard.pressed + 0.6")
    after = page.evaluate("heard.last - heard.pressed")
    assert after < 0.1, f"{after * 1000:.0f} ms of speech after Esc"
    # It was written to its end all the same.
    expect(answer).not_to_contain_text("interrupted")

    # The next answer is heard again.
    before = page.evaluate("heard.now()")
    type_in(page, "What does idempotent mean?")
    expect(entry(page, "assistant", "the same effect")).to_be_visible(timeout=HEARD_MS)
    until(page, "(before) => heard.last > before", before)


def test_a_microphone_that_cannot_be_had_is_explained_and_text_works(
    opened: Callable[..., Page],
) -> None:
    page = opened("#/vox")
    for error, words in (
        ("NotAllowedError", "blocks the microphone on this page"),
        ("NotFoundError", "No microphone found"),
        ("NotReadableError", "cannot be opened"),
        ("", "only on https:// pages"),
    ):
        page.evaluate(
            """(name) => {
              if (!name) Object.defineProperty(window, "isSecureContext", { value: false });
              const value = () => Promise.reject(new DOMException("no", name));
              const how = { value, configurable: true };
              Object.defineProperty(navigator.mediaDevices, "getUserMedia", how);
            }""",
            error,
        )
        page.get_by_role("button", name="Talk", exact=True).click()
        expect(page.get_by_role("alert")).to_contain_text(words)
        expect(page.get_by_role("button", name="Talk", exact=True)).to_be_enabled()
    type_in(page, "Who are you?")
    expect(page.locator(".entry.assistant")).to_be_visible(timeout=HEARD_MS)
    expect(page.get_by_role("alert")).to_have_count(0)


def test_the_examples_work_and_the_conversation_stays_below_every_page(
    opened: Callable[..., Page],
) -> None:
    page = opened("#/vox")
    page.add_init_script(TAP)
    page.reload()
    page.get_by_role("button", name="What does idempotent mean?").click()
    expect(entry(page, "assistant", "the same effect")).to_be_visible(timeout=HEARD_MS)
    type_in(page, "Open the tools page")
    expect(page.get_by_role("heading", level=1)).to_have_text("Tools")
    dock = page.get_by_role("complementary", name="Conversation")
    expect(dock.get_by_role("status")).to_have_text("Microphone off")
    expect(dock).to_contain_text("is open")
    # The next word is typed right there, and answered there.
    type_in(page, "Who leads Harbor Light?")
    expect(dock).to_contain_text("Kenji Okuhara", timeout=HEARD_MS)
    expect(page.get_by_role("heading", level=1)).to_have_text("Tools")
    assert findings(page) == []
    dock.get_by_role("button", name="Collapse the conversation bar").click()
    expect(dock.get_by_role("textbox")).to_have_count(0)
    page.reload()
    dock.get_by_role("button", name="Open the conversation bar").click()
    expect(dock).to_contain_text("Kenji Okuhara")
    dock.get_by_title("Back to the conversation").click()
    expect(entry(page, "user", "Open the tools page")).to_be_visible()
    expect(dock).to_have_count(0)
    assert page.evaluate("window.heard.peak") == 0


# -- a line that is lost -------------------------------------------------------------------------


class Proxy:
    """Between the browser and the server, with a knife."""

    def __init__(self, server: str, door: socket.socket) -> None:
        self._to = int(server.rsplit(":", 1)[1])
        self._door = door
        self.address = f"http://127.0.0.1:{self._door.getsockname()[1]}"
        self._lines: list[socket.socket] = []
        self._lock = threading.Lock()
        self._threads = [threading.Thread(target=self._serve, daemon=True)]
        self._threads[0].start()

    def _serve(self) -> None:
        while True:
            try:
                inside, _ = self._door.accept()
            except OSError:
                return
            outside = socket.create_connection(("127.0.0.1", self._to))
            with self._lock:
                self._lines += [inside, outside]
            for a, b in ((inside, outside), (outside, inside)):
                thread = threading.Thread(target=self._pass, args=(a, b), daemon=True)
                thread.start()
                self._threads.append(thread)

    def _pass(self, a: socket.socket, b: socket.socket) -> None:
        with suppress(OSError):
            while data := a.recv(65536):
                b.sendall(data)
            b.shutdown(socket.SHUT_WR)

    def cut(self) -> None:
        """Everything that is open breaks off, without a word."""
        with self._lock:
            lines, self._lines = self._lines, []
        for line in lines:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            with suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)
            line.close()

    def close(self) -> None:
        self._door.shutdown(socket.SHUT_RDWR)
        self._threads[0].join(5)  # lets nobody in any more
        self.cut()
        for thread in self._threads:
            thread.join(5)


@pytest.fixture(scope="module")
def door() -> Iterator[socket.socket]:
    """The socket of the proxy, which the server is told of before it starts."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        yield door


@pytest.fixture(scope="module")
def further_hosts(door: socket.socket) -> list[str]:
    return [f"127.0.0.1:{door.getsockname()[1]}"]


@pytest.fixture
def proxy(server: str, door: socket.socket) -> Iterator[Proxy]:
    proxy = Proxy(server, door)
    yield proxy
    proxy.close()


def test_a_lost_line_is_taken_up_again_and_nothing_is_lost(
    opened: Callable[..., Page], proxy: Proxy, watch: Watch
) -> None:
    watch.expected += [proxy.address, proxy.address.replace("http", "ws")]
    page = opened("#/vox")
    page.goto(f"{proxy.address}/#/vox")
    frames = Frames(page)
    page.get_by_role("button", name="Talk", exact=True).click()
    expect(page.locator(".vox-talk")).to_have_class(re.compile("hearing"), timeout=HEARD_MS)
    type_in(page, "What is Harbor Light?")
    expect(entry(page, "assistant", "Telephone assistant")).to_be_visible(timeout=HEARD_MS)

    proxy.cut()
    expect(state(page)).to_contain_text("Offline")
    type_in(page, "Who leads Harbor Light?")  # waits for the line
    expect(entry(page, "user", "What is Harbor Light?")).to_be_visible()
    expect(entry(page, "assistant", "Kenji Okuhara")).to_be_visible(timeout=HEARD_MS)
    first, *_, second = frames.of("setup_complete", frames.received)
    assert (second["resumed"], second["sessionId"]) == (True, first["sessionId"])

    # After the page was loaded anew everything is there at once, and no microphone is opened.
    page.add_init_script(
        "navigator.mediaDevices.getUserMedia = () => { window.asked = true; throw Error('!'); };"
    )
    page.reload()
    expect(entry(page, "user", "What is Harbor Light?")).to_be_visible()
    expect(entry(page, "assistant", "Kenji Okuhara")).to_be_visible()
    expect(entry(page, "user", "Harbor Light").locator(".spoken")).to_have_count(0)
    expect(page.locator(".entry .cut")).to_have_count(0)
    expect(state(page)).to_have_count(1)
    expect(state(page)).to_be_hidden()
    assert page.evaluate("window.asked") is None


# -- a long conversation ---------------------------------------------------------------------------

# In place of the server's socket: it says what the test tells it to.
SOCKET = """
window.WebSocket = class {
  static OPEN = 1;
  readyState = 1;
  constructor() { window.line = this; setTimeout(() => this.onopen()); }
  send(data) {
    if (typeof data === "string" && JSON.parse(data).type === "start") {
      this.say({ type: "setup_complete", sessionId: "s", session_token: "t", mode: "local",
        model: "local", voice: "built-in", conversation: "s", turn_id: 1 });
    }
  }
  say(message) { this.onmessage({ data: JSON.stringify(message) }); }
  close() {}
};
"""


def test_a_word_costs_one_change_however_long_the_conversation_is(
    opened: Callable[..., Page],
) -> None:
    page = opened("#/vox")
    page.add_init_script(SOCKET)
    page.reload()
    page.get_by_role("button", name="Talk", exact=True).click()
    until(page, "window.line !== undefined")
    type_in(page, "Begin")
    page.evaluate(
        """() => {
          for (let n = 1; n <= 1000; n++) {
            const text = `Line ${n} of a long conversation about nothing in particular.`;
            line.say({ type: "transcript", role: "user", final: true, text, turn_id: n });
            line.say({ type: "transcript", role: "assistant", text, turn_id: n });
          }
        }"""
    )
    rows = page.locator(".entry")
    expect(rows).to_have_count(2001)
    # Those out of sight are not even laid out.
    visible = rows.evaluate_all(
        "all => all.filter((one) => one.checkVisibility({ contentVisibilityAuto: true })).length"
    )
    assert visible < 100
    changes = page.evaluate(
        """async () => {
          const seen = [];
          const last = [...document.querySelectorAll(".entry")].at(-1);
          const watching = new MutationObserver((records) => seen.push(...records));
          watching.observe(document.querySelector(".entries [role=list]"),
            { childList: true, characterData: true, attributes: true, subtree: true });
          for (let n = 0; n < 50; n++) {
            line.say({ type: "transcript", role: "assistant", text: ` word ${n}`, turn_id: 1000 });
            await new Promise(requestAnimationFrame);
          }
          await new Promise(requestAnimationFrame);
          return [seen.length, seen.every((one) => last.contains(one.target))];
        }"""
    )
    assert changes == [50, True]
    added = page.evaluate(
        """async () => {
          const seen = [];
          const watching = new MutationObserver((records) => seen.push(...records));
          const list = document.querySelector(".entries [role=list]");
          watching.observe(list, { childList: true, subtree: true });
          line.say({ type: "transcript", role: "assistant", text: "Next.", turn_id: 1001 });
          await new Promise(requestAnimationFrame);
          await new Promise(requestAnimationFrame);
          return seen.map((one) => one.addedNodes.length);
        }"""
    )
    assert added == [1, 1]  # and what can be done with the answer before it
    # Whoever reads the newest stays there.
    box = "document.querySelector('.entries')"
    until(page, f"{box}.scrollHeight - {box}.scrollTop - {box}.clientHeight < 5")


def test_a_conversation_in_use_has_no_findings(opened: Callable[..., Page]) -> None:
    page = opened("#/vox", width=PHONE, prefs={"theme": "dark"})
    type_in(page, "Who leads Harbor Light?")
    expect(entry(page, "assistant", "Kenji Okuhara")).to_be_visible(timeout=HEARD_MS)
    page.locator(".calls summary").click()
    page.locator(".tool-card summary").first.click()
    assert findings(page) == []
    assert page.evaluate("document.querySelector('main').scrollWidth - innerWidth") <= 0

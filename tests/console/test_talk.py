"""Talk: spoken into the microphone and heard, typed, interrupted, cut off and taken up again."""

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
    page.get_by_label("Write instead of speaking").fill(text)
    page.keyboard.press("Enter")


def state(page: Page) -> Any:
    return page.locator(".vox-state")


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
    expect(answer.get_by_role("link", name="Harbor Light")).to_have_attribute(
        "href", re.compile(r"#/kg-studio/studio/record/project(:|%3A)harbor_light")
    )
    expect(page.locator(".vox-caption")).to_contain_text("Kenji Okuhara")

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

    # Placed where it was begun: before the calls that it led to, with the decision on each.
    kinds = page.locator(".entry").evaluate_all(
        """all => all.slice(all.findIndex((one) => /who leads/i.test(one.textContent)))
          .map((one) => one.classList[1])"""
    )
    assert kinds[:2] == ["user", "tool"]
    assert "assistant" in kinds[2:]
    card = page.locator(".tool-card").filter(has_text="kb_search").first
    expect(card).to_contain_text("results")
    card.locator("summary").click()
    expect(card).to_contain_text("allowed to run")
    expect(card.get_by_label("Arguments of kb_search")).to_contain_text("namespace")
    page.get_by_role("button", name="Hang up").click()
    expect(entry(page, "note", "You hung up.")).to_be_visible()


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


def test_typing_needs_no_microphone_and_esc_is_silence_within_100_ms(
    opened: Callable[..., Page],
) -> None:
    page = opened("#/vox", prefs={"speakAnswers": True})
    page.add_init_script(TAP + "navigator.mediaDevices.getUserMedia = () => { throw Error('!'); };")
    page.reload()
    frames = Frames(page)
    type_in(page, "What can you do?")
    expect(entry(page, "user", "What can you do?")).to_be_visible()
    expect(entry(page, "assistant", "Ask me")).to_be_visible(timeout=HEARD_MS)
    assert frames.of("start")[0]["greeting"] is False
    until(page, "heard.last > heard.now() - 0.2 && heard.peak > 0.05")
    expect(page.get_by_role("button", name="Interrupt")).to_be_enabled()

    page.keyboard.press("Escape")
    until(page, "heard.pressed && heard.now() > heard.pressed + 0.6")
    after = page.evaluate("heard.last - heard.pressed")
    assert after < 0.1, f"{after * 1000:.0f} ms of speech after Esc"
    expect(entry(page, "assistant", "Ask me")).to_contain_text("interrupted")
    (cut,) = frames.awaited(page, "interrupted")
    told = [e["played_ms"] for e in frames.of("playback") if e["turn_id"] == cut["turn_id"]]
    assert told == sorted(told)
    assert frames.sent.index(frames.of("interrupt")[0]) > 0

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
        ("NotAllowedError", "keeps the microphone from this page"),
        ("NotFoundError", "No microphone was found"),
        ("NotReadableError", "cannot be opened"),
        ("", "only to pages from https"),
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
        expect(state(page)).to_have_text("Ready when you are")
    type_in(page, "Who are you?")
    expect(page.locator(".entry.assistant")).to_be_visible(timeout=HEARD_MS)


def test_the_examples_work_and_what_is_clicked_is_answered_in_silence(
    opened: Callable[..., Page],
) -> None:
    page = opened("#/vox")
    page.add_init_script(TAP)
    page.reload()
    page.get_by_role("button", name="What does idempotent mean?").click()
    expect(entry(page, "assistant", "the same effect")).to_be_visible(timeout=HEARD_MS)
    page.get_by_label("Write instead of speaking").fill("Open the tools page")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Tools")
    # The line stays, and leads back.
    conversation = page.get_by_role("group", name="Conversation")
    expect(conversation.get_by_title("Back to the conversation")).to_have_text("In writing")
    assert page.evaluate("heard.peak") == 0
    conversation.get_by_title("Back to the conversation").click()
    expect(entry(page, "user", "Open the tools page")).to_be_visible()
    card = page.locator(".tool-card").filter(has_text="navigate_page")
    expect(card).to_contain_text("navigated to tools")
    expect(page.locator(".entry.assistant.done").last).to_contain_text("The page tools is open")
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("# Conversation")
    assert "`navigate_page` run (rule run)" in copied
    with page.expect_download() as saving:
        page.get_by_role("button", name="Download").click()
    assert Path(saving.value.path()).read_text("utf-8") == copied


# -- a line that is lost -------------------------------------------------------------------------


class Proxy:
    """Between the browser and the server, with a knife."""

    def __init__(self, server: str) -> None:
        self._to = int(server.rsplit(":", 1)[1])
        self._door = socket.create_server(("127.0.0.1", 0))
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
        self._door.close()
        self._threads[0].join(5)  # lets nobody in any more
        self.cut()
        for thread in self._threads:
            thread.join(5)


@pytest.fixture
def proxy(server: str) -> Iterator[Proxy]:
    proxy = Proxy(server)
    yield proxy
    proxy.close()


def test_a_lost_line_is_taken_up_again_and_nothing_is_lost(
    opened: Callable[..., Page], proxy: Proxy, watch: Watch
) -> None:
    watch.expected += [proxy.address, proxy.address.replace("http", "ws")]
    page = opened("#/vox")
    page.goto(f"{proxy.address}/#/vox")
    frames = Frames(page)
    type_in(page, "What is Harbor Light?")
    expect(entry(page, "assistant", "Telephone assistant")).to_be_visible(timeout=HEARD_MS)

    proxy.cut()
    expect(entry(page, "note", "The line was lost")).to_be_visible()
    type_in(page, "Who leads Harbor Light?")  # waits for the line
    expect(entry(page, "note", "The line is back")).to_be_visible()
    expect(entry(page, "user", "What is Harbor Light?")).to_be_visible()
    expect(entry(page, "assistant", "Kenji Okuhara")).to_be_visible(timeout=HEARD_MS)
    first, *_, second = frames.of("setup_complete", frames.received)
    assert (second["resumed"], second["sessionId"]) == (True, first["sessionId"])

    # After the page was loaded anew it is shown, and goes on as it was held: without a microphone.
    page.add_init_script(
        "navigator.mediaDevices.getUserMedia = () => { window.asked = true; throw Error('!'); };"
    )
    page.reload()
    expect(entry(page, "user", "What is Harbor Light?")).to_be_visible()
    expect(entry(page, "assistant", "Kenji Okuhara")).to_be_visible()
    expect(page.locator(".entry.user .icon")).to_have_count(0)  # what was typed has no microphone
    expect(page.locator(".entry .cut")).to_have_count(0)
    expect(page.get_by_role("alert")).to_contain_text("still open from before")
    page.get_by_role("button", name="Go on", exact=True).click()
    expect(state(page)).to_have_text("Type, or press the button to speak")
    assert frames.of("setup_complete", frames.received)[-1]["sessionId"] == first["sessionId"]
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
    type_in(page, "Begin")
    until(page, "window.line !== undefined")
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
    assert added == [1]
    # Whoever reads the newest stays there.
    box = "document.querySelector('.entries')"
    until(page, f"{box}.scrollHeight - {box}.scrollTop - {box}.clientHeight < 5")


def test_talk_in_use_has_no_findings(opened: Callable[..., Page]) -> None:
    page = opened("#/vox", width=PHONE, prefs={"theme": "dark"})
    type_in(page, "Who leads Harbor Light?")
    expect(entry(page, "assistant", "Kenji Okuhara")).to_be_visible(timeout=HEARD_MS)
    page.locator(".tool-card summary").first.click()
    assert findings(page) == []
    assert page.evaluate("document.querySelector('main').scrollWidth - innerWidth") <= 0

/**
 * The conversation by voice, over one socket while the microphone is on. There is one, whichever page is
 * open: the model may lead the person from page to page while they talk. What is typed while it is off
 * goes another way (`written.ts`), into the same conversation.
 */
import { computed, effect, signal } from "@preact/signals";

import { zoneHere } from "../api/zone";
import { t } from "../i18n";
import { route } from "../router";
import { check, onReturn } from "../stores/connection";
import { prefer, prefs, type Backend } from "../stores/prefs";
import { conversation, TALK_PROFILE } from "../stores/talk";
import { choice, speaksHere } from "./backends";
import { heard, say, speakThrough } from "./bus";
import { heardShare } from "./captions";
import * as ear from "./ear";
import { keep, keepAlso, kept } from "./keeping";
import { FINAL, GOODBYE, Line, patience, RESTARTING, SIGNED_OUT, TAKEN_OVER } from "./line";
import type { MessageOf, Setup, StartOptions, Trouble, VoiceMessage } from "./messages";
import * as mouth from "./mouth";
import { conversationId, draft, entries, leaving, named, show, transcript } from "./thread";
import { answering, answerLast, away, onVoiceStart, stop, tryNow, write } from "./written";

export { conversationId, entries, transcript } from "./thread";

/** `listening` says that the microphone is on; `off` that nothing goes on. */
export type Phase = "off" | "connecting" | "listening" | "thinking" | "speaking" | "reconnecting";

const link = signal<"off" | "connecting" | "open" | "reconnecting">("off");
const awaiting = signal(false);

/** The line is there, or about to be: the microphone is on. */
export const live = computed(() => link.value !== "off");
export const phase = computed<Phase>(() => {
  if (link.value === "connecting" || link.value === "reconnecting") return link.value;
  if (mouth.sounding.value) return "speaking";
  if (link.value === "open") return awaiting.value ? "thinking" : "listening";
  if (away.value) return "reconnecting";
  return answering.value ? "thinking" : "off";
});
export const setup = signal<Setup | null>(null);
export const { muted } = ear;
export const trouble = signal<Trouble | null>(null);
/** How many times in a row the lost line was asked for. */
export const attempt = signal(0);

let line: Line | null = null;
let wish: StartOptions = {};
/** Counts beginnings and ends: what was begun before the last of them comes to nothing. */
let round = 0;
let retry: ReturnType<typeof setTimeout> | undefined;
/** Who waits for the line to be there again, or for it to have failed. */
let settle: (() => void) | null = null;
/** What the person said while there was no line: frames of the last seconds, and texts. */
let unsent: ArrayBuffer[] = [];
let untold: Words[] = [];
/** The person typed last and reads the answer: nothing of it is spoken. */
let reads = false;
/** A person who is kept out hears what is being said to its end. */
let farewell: ReturnType<typeof setTimeout> | undefined;
/** Something was typed that has no answer yet. */
let owed = false;
const UNSENT_FRAMES = 250;
const FAREWELL_MS = 20_000;

/** What the person says in words: typed, or recognised by this browser. */
interface Words {
  text: string;
  spoken?: true;
  speak?: boolean;
}

// -- beginning and ending ------------------------------------------------------------------------

/** Turns the microphone on, in the conversation that is shown. Call it where something was pressed. */
export async function start(options: StartOptions = {}): Promise<void> {
  const { conversation: other, pendingRequest } = options;
  mouth.open().catch(() => transcript.note(t("This browser cannot play sound. You can read the answers."), "bad"));
  if (other && other !== conversationId.value) {
    hangUp();
    await show(other);
  }
  if (link.value !== "off") {
    await listen();
    return;
  }
  trouble.value = null;
  wish = options;
  const mine = ++round;
  link.value = "connecting";
  mouth.hushReading();
  ear.mute(false);
  unsent = [];
  untold = [];
  const heard = await listen();
  if (mine !== round) return; // hung up meanwhile
  if (!heard && !pendingRequest) {
    over(); // without ears there is nothing to begin; the page says what is wrong with them
    return;
  }
  await written();
  if (mine === round) connect();
}

/** When the answer in writing is complete: by voice it is part of what was said. */
function written(): Promise<void> {
  return new Promise((resolve) => {
    const done = effect(() => {
      if (answering.value) return;
      queueMicrotask(() => done());
      resolve();
    });
  });
}

/** After the page was loaded anew: shows what was said, and opens no microphone. */
async function restore(): Promise<void> {
  const before = kept();
  const { page, rest } = route.peek();
  const wanted = page === "vox" || page === "chat" ? rest[0] : undefined;
  if (!before || conversationId.peek() || (wanted && wanted !== before.conversation)) return;
  await show(before.conversation);
  if (kept()?.conversation === before.conversation) await answerLast();
}

/** Turns the microphone off; the conversation stays, and goes on in writing. */
export function hangUp(): void {
  mouth.hushReading();
  if (link.value === "off") return;
  const rest = untold.map((words) => words.text).join("\n");
  line?.say({ type: "end" });
  drop();
  transcript.interrupted();
  if (rest && !draft.value) draft.value = rest;
  keepAlso({ token: undefined });
  over();
  heard({ type: "voice_session_end", reason: "user_requested", textResponse: null });
}

leaving.add(hangUp);
onVoiceStart((pendingRequest) => void start(pendingRequest ? { pendingRequest } : {}));

function drop(): void {
  line?.close();
  line = null;
}

/** The microphone is off, for whatever reason. */
function over(problem: Trouble | null = null): void {
  round++;
  clearTimeout(retry);
  clearTimeout(farewell);
  farewell = undefined;
  speakThrough(null);
  ear.close();
  mouth.rest();
  mouth.reset();
  unsent = [];
  untold = [];
  attempt.value = 0;
  awaiting.value = false;
  link.value = "off";
  setup.value = null;
  trouble.value = problem;
  settle?.();
  settle = null;
}

// -- the line ------------------------------------------------------------------------------------

function connect(): void {
  const token = kept()?.conversation === conversationId.value ? kept()?.token : undefined;
  const { pendingRequest, profile } = wish;
  drop();
  const mine = new Line(
    {
      type: "start",
      audio: "binary",
      ...choice(),
      push_to_talk: !prefs.value.handsFree,
      greeting: entries.value.length === 0,
      speak: true,
      time_zone: zoneHere(),
      ...(token
        ? { session_token: token }
        : { pending_request: pendingRequest?.slice(0, 200), conversation: conversationId.value ?? undefined, profile: profile ?? TALK_PROFILE }),
    },
    { message: take, sound: mouth.sound, closed: lost },
  );
  line = mine;
  speakThrough((message) => {
    const sent = mine.say(message);
    if (sent) alsoShown(message);
    return sent;
  });
}

function lost(code: number): void {
  line = null;
  speakThrough(null);
  if (FINAL.has(code)) {
    keepAlso({ token: undefined });
    const refused = code === GOODBYE || code === TAKEN_OVER ? null : t("The server closed the connection: it received more than it accepts.");
    over(refused ? { message: refused } : trouble.value);
    return;
  }
  if (!kept()?.token) {
    back();
    if (code === SIGNED_OUT) void check();
    over({ message: t("The server cannot be reached. Is it still running?") });
    return;
  }
  const wait = patience(attempt.value);
  if (wait === null) {
    back();
    over({ message: t("The connection to the server is lost. The conversation is kept: turn the microphone on again, or type.") });
    return;
  }
  if (link.value !== "reconnecting") {
    link.value = "reconnecting";
    transcript.interrupted();
    void mouth.hush();
    awaiting.value = false;
  }
  attempt.value++;
  clearTimeout(retry);
  if (code === SIGNED_OUT) void check(); // it goes on after the person has signed in again
  else retry = setTimeout(connect, wait);
}

/** What was typed and could not be sent goes back to where it was typed. */
function back(): void {
  const rest = untold.splice(0);
  for (const { text } of rest) {
    const entry = entries.value.findLast((each) => each.kind === "user" && each.text.peek() === text);
    if (entry) transcript.remove(entry);
  }
  if (rest.length && !draft.value) draft.value = rest.map((words) => words.text).join("\n");
}

/** Tries now to get a lost line back, whenever the next attempt would be. */
export function reconnect(): void {
  tryNow();
  if (link.value !== "reconnecting" || line) return;
  clearTimeout(retry);
  connect();
}

addEventListener("online", reconnect);
onReturn(reconnect);

function ready(message: MessageOf<"setup_complete">): void {
  const { mode, model, voice, profile, conversation: id } = message;
  if (message.resume_problem) mouth.reset();
  setup.value = { mode, model, voice, profile, conversation: id, recordedDays: message.recorded_days };
  keep({ conversation: conversationId.value ?? id, token: message.session_token });
  named(conversationId.value ?? id);
  attempt.value = 0;
  link.value = "open";
  awaiting.value = owed = untold.length > 0 || Boolean(wish.pendingRequest && !message.resumed);
  wish = {};
  for (const words of untold.splice(0)) line?.say({ type: "text", ...words });
  for (const frame of unsent.splice(0)) line?.sound(frame);
  settle?.();
  settle = null;
}

// -- what the server says ------------------------------------------------------------------------

/** The model only writes, and this browser says it. */
const spokenHere = () => !reads && setup.value?.voice === "browser" && speaksHere();

function take(message: VoiceMessage): void {
  transcript.take(message);
  switch (message.type) {
    case "setup_complete":
      ready(message);
      break;
    case "partial_transcript":
      reads = false;
      break;
    case "transcript":
      if (message.role === "assistant") {
        if (!reads) mouth.words(message.turn_id ?? 0, message.text, false);
        break;
      }
      reads = false;
      if (message.final) awaiting.value = true;
      break;
    case "text":
      if (!reads) mouth.words(message.turn_id ?? 0, message.text, spokenHere());
      break;
    case "function_call":
      awaiting.value = true;
      break;
    case "turn_complete":
      // Of a turn that was cut off: what came instead of it may be waiting for its answer.
      if (message.reason !== "interrupted") awaiting.value = owed = false;
      mouth.complete(message.turn_id ?? 0, spokenHere());
      if (farewell) void mouth.playedOut().then(() => leave(FAREWELL_MS / 10));
      break;
    case "interrupted":
      awaiting.value = owed;
      if (message.cut_in !== false) transcript.heardUpTo(message.turn_id ?? 0, heardShare(message.turn_id ?? 0));
      mouth.cutOff(message.turn_id);
      break;
    case "confirmation_resolved":
      transcript.resolved(message.tool, message.outcome);
      break;
    case "voice_session_end":
      ended(message);
      break;
    case "timeout":
      paused(message);
      break;
    case "go_away":
      keepAlso({ token: message.session_token });
      break;
    case "error":
      wrong(message);
      break;
  }
  heard(message);
}

/** The person is kept out for a while, as the banner says; the last words are still for them. */
function paused(message: MessageOf<"timeout">): void {
  if (link.value !== "open") {
    drop();
    over();
    return;
  }
  if (!farewell && message.message) transcript.note(message.message, "bad");
  ear.close();
  leave(FAREWELL_MS);
}

/** The server ends it; if it does not, we do. */
function leave(after: number): void {
  const mine = round;
  clearTimeout(farewell);
  farewell = setTimeout(() => {
    if (mine !== round) return;
    drop();
    over();
  }, after);
}

function ended({ textResponse }: MessageOf<"voice_session_end">): void {
  transcript.closeAnswer("done");
  transcript.answered(textResponse ?? "");
  transcript.closeAnswer("done");
  keepAlso({ token: undefined });
}

/** Errors about what other parts of the console sent are theirs to show. */
const THEIRS = new Set(["confirmation_response", "browser_function_result", "playback"]);

function wrong({ message, about, fatal, kind }: MessageOf<"error">): void {
  if (about && THEIRS.has(about)) return;
  if (about !== "start" && !fatal) {
    transcript.note(message, "bad");
    awaiting.value = false;
    return;
  }
  drop();
  const strange = about === "start" && /session_token/.test(message);
  if (link.value === "reconnecting" && !kind && !strange) {
    lost(RESTARTING); // it is there, but about to stop
    return;
  }
  if (strange || kind === "taken_over" || !setup.value) keepAlso({ token: undefined });
  transcript.interrupted();
  back();
  over({ message });
}

interface BrowserResult {
  type: string;
  fn_call_id: string | null;
  name: string;
  result: Record<string, unknown>;
}

/** What another part of the console sent has its place here, too: a result belongs to its card, and
 * a question that was answered is not read out any further. */
function alsoShown(message: object): void {
  const { type, fn_call_id, name, result } = message as Partial<BrowserResult>;
  if (type === "confirmation_response") void mouth.hush();
  if (type !== "browser_function_result" || !name || !result) return;
  transcript.take({ type: "function_result", fn_call_id: fn_call_id ?? null, name, result, meta: {}, decision: null });
}

// -- what the person does ------------------------------------------------------------------------

/** Says something in writing: over the line while the microphone is on, else by the other way. */
export function sendText(text: string): void {
  const words = text.trim();
  if (!words) return;
  trouble.value = null;
  ear.trouble.value = null;
  if (link.value === "off") {
    void write(words);
    return;
  }
  transcript.add(words);
  const message = typed(words);
  if (link.value === "open") {
    awaiting.value = owed = true;
    void mouth.hush().then(() => say({ type: "text", ...message }));
  } else untold.push(message);
}

function typed(text: string): Words {
  const speak = prefs.value.speakAnswers;
  reads = !speak;
  return { text, speak };
}

/** Silence, now; then the model is told, and how much of it was heard. In writing: no more of it. */
export function interrupt(): void {
  if (phase.value !== "speaking" && phase.value !== "thinking") return;
  if (link.value === "off") {
    stop();
    return;
  }
  awaiting.value = owed = false;
  void mouth.hush().then(() => say({ type: "interrupt" }));
}

/** Opens the ears: the microphone, or the browser's recognition for a model that only reads. */
export async function listen(): Promise<boolean> {
  if (!speaksHere()) return ear.open();
  ear.recognise({
    partial: (text) => {
      if (text && mouth.sounding.value) interrupt();
      transcript.understood(text);
    },
    said: (text) => {
      reads = false;
      transcript.take({ type: "transcript", role: "user", text, final: true, started_at: null });
      if (link.value !== "open") untold.push({ text, spoken: true });
      else awaiting.value = say({ type: "text", text, spoken: true });
    },
    failed: (words) => transcript.note(words, "bad"),
  });
  return true;
}

ear.attach(
  (frame) => {
    if (link.value === "open" && line?.sound(frame)) return;
    unsent.push(frame);
    if (unsent.length > UNSENT_FRAMES) unsent.shift();
  },
  () => say({ type: "audio_end" }),
);

export function setMuted(on: boolean): void {
  ear.mute(on);
  if (on) say({ type: "audio_end" });
}

/**
 * Takes the conversation up with another backend, model or way of talking, when what is being said
 * was heard to its end. Without a conversation it only changes what the next one begins with. What
 * goes wrong is in `trouble`.
 */
export async function restart(change: { backend?: string; model?: string; voice?: string } = {}): Promise<void> {
  const { backend, ...rest } = change;
  prefer({ ...rest, ...(backend === undefined ? {} : { backend: backend as Backend | "" }) });
  if (link.value !== "open") return;
  await mouth.playedOut();
  if (link.value !== "open") return;
  link.value = "connecting";
  const done = new Promise<void>((resolve) => (settle = resolve));
  const listening = ear.listening.value;
  if (listening && speaksHere() === (ear.microphone.value !== null)) {
    ear.close(); // others do the listening from now on
    await listen();
  }
  connect();
  await done;
}

// Who begins to hold the button, or stops to, has to tell the model: it listens in another way.
const handsFree = computed(() => prefs.value.handsFree);
let asked = handsFree.value;
effect(() => {
  if (handsFree.value === asked) return;
  asked = handsFree.value;
  void restart();
});

void restore();

conversation.value = { phase, live, conversationId, setup, start, hangUp, restart, sendText };

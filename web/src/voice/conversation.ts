/**
 * The conversation by voice. There is one, whichever page is open: the model may lead the person
 * from page to page while they talk.
 */
import { computed, effect, signal } from "@preact/signals";

import { zoneHere } from "../api/zone";
import { prefer, prefs, type Backend } from "../stores/prefs";
import { conversation } from "../stores/talk";
import { choice, speaksHere } from "./backends";
import { heard, say, speakThrough } from "./bus";
import * as ear from "./ear";
import { earlier, forget, keep, kept } from "./keeping";
import { FINAL, GOODBYE, Line, patience, RESTARTING, TAKEN_OVER } from "./line";
import type { ServerMessage, Setup, StartOptions, Trouble } from "./messages";
import * as mouth from "./mouth";
import { Transcript } from "./transcript";

export type Phase = "off" | "connecting" | "listening" | "thinking" | "speaking" | "reconnecting";

const link = signal<"off" | "connecting" | "open" | "reconnecting">("off");
const awaiting = signal(false);

export const phase = computed<Phase>(() => {
  if (link.value !== "open") return link.value;
  if (mouth.sounding.value) return "speaking";
  return awaiting.value ? "thinking" : "listening";
});
export const transcript = new Transcript();
export const { entries } = transcript;
export const sessionId = signal<string | null>(null);
export const setup = signal<Setup | null>(null);
export const { muted } = ear;
export const trouble = signal<Trouble | null>(
  kept() && { message: "A conversation is still open from before.", resumable: true },
);
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
let untold: string[] = [];
/** Something was typed that has no answer yet. */
let owed = false;
const UNSENT_FRAMES = 250;

// -- beginning and ending ------------------------------------------------------------------------

/** Begins, or adds to what has begun: the microphone, or words. Call it where something was pressed. */
export async function start(options: StartOptions = {}): Promise<void> {
  const { microphone = true, text } = options;
  mouth.open().catch(() => transcript.note("This browser cannot play sound. The answers can be read.", "bad"));
  if (link.value !== "off") {
    if (microphone) await listen();
    if (text) sendText(text);
    return;
  }
  trouble.value = null;
  wish = options;
  const mine = ++round;
  link.value = "connecting";
  if (!options.resume) begin();
  const unknown = entries.value.length === 0;
  if (text) {
    transcript.add(text);
    untold.push(text);
  }
  if (unknown && (options.resume || options.conversation)) await earlier(transcript, options.conversation);
  const listening = microphone && (await listen());
  if (mine !== round) return; // hung up meanwhile
  if (microphone && !listening && !text && !options.pendingRequest && !options.resume) {
    over(); // without ears there is nothing to begin; the page says what is wrong with them
    return;
  }
  connect();
}

/** A new conversation: nothing of the one before is part of it. */
function begin(): void {
  transcript.clear();
  forget();
  sessionId.value = null;
  setup.value = null;
  mouth.reset();
  ear.mute(false);
  unsent = [];
  untold = [];
}

export function hangUp(): void {
  if (link.value === "off") return;
  line?.say({ type: "end" });
  drop();
  transcript.interrupted();
  transcript.note("You hung up.");
  forget();
  over();
  heard({ type: "voice_session_end", reason: "user_requested", textResponse: null });
}

function drop(): void {
  line?.close();
  line = null;
}

/** Nobody talks any more, for whatever reason. */
function over(problem: Trouble | null = null): void {
  round++;
  clearTimeout(retry);
  speakThrough(null);
  ear.close();
  mouth.rest();
  unsent = [];
  attempt.value = 0;
  awaiting.value = false;
  link.value = "off";
  trouble.value = problem;
  settle?.();
  settle = null;
}

/** Everything that the console has a page for, and the end of a call. */
const PROFILE = "workspace";

// -- the line ------------------------------------------------------------------------------------

function connect(): void {
  const token = kept()?.token;
  const { pendingRequest, conversation: written, profile, text } = wish;
  drop();
  const mine = new Line(
    {
      type: "start",
      audio: "binary",
      ...choice(),
      push_to_talk: !prefs.value.handsFree,
      greeting: !text,
      time_zone: zoneHere(),
      ...(token
        ? { session_token: token }
        : { pending_request: pendingRequest?.slice(0, 200), conversation: written, profile: profile ?? PROFILE }),
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
    if (code === TAKEN_OVER) forget();
    const refused = code === GOODBYE || code === TAKEN_OVER ? null : "The server closed the line: it was sent more than it takes.";
    over(refused ? { message: refused, resumable: kept() !== null } : trouble.value);
    return;
  }
  if (!kept()) {
    over({ message: "The server cannot be reached. Is it still running?", resumable: false });
    return;
  }
  const wait = patience(attempt.value);
  if (wait === null) {
    transcript.note("The line could not be made again.", "bad");
    over({ message: "The line to the server is lost, what was said is not. Go on when the server is back.", resumable: true });
    return;
  }
  if (link.value !== "reconnecting") {
    link.value = "reconnecting";
    transcript.interrupted();
    transcript.note("The line was lost. Getting it back…");
    void mouth.hush();
    awaiting.value = false;
  }
  attempt.value++;
  clearTimeout(retry);
  retry = setTimeout(connect, wait);
}

addEventListener("online", () => {
  if (link.value !== "reconnecting" || line) return;
  clearTimeout(retry);
  connect();
});

function ready(message: ServerMessage): void {
  const { mode, model, voice, profile, conversation: id } = message;
  if (message["resume_problem"]) {
    transcript.note(`${message["resume_problem"]} This is a new one.`, "bad");
    mouth.reset();
  } else if (link.value === "reconnecting") transcript.note("The line is back.", "good");
  setup.value = { mode, model, voice, profile, conversation: id };
  sessionId.value = message["sessionId"];
  keep({ token: message["session_token"], sessionId: message["sessionId"], conversation: id });
  attempt.value = 0;
  link.value = "open";
  awaiting.value = owed = untold.length > 0 || Boolean(wish.pendingRequest && !message["resumed"]);
  wish = {};
  for (const text of untold.splice(0)) line?.say({ type: "text", text });
  for (const frame of unsent.splice(0)) line?.sound(frame);
  settle?.();
  settle = null;
}

// -- what the server says ------------------------------------------------------------------------

/** The model only writes, and this browser says it. */
const spokenHere = () => setup.value?.voice === "browser" && speaksHere();

function take(message: ServerMessage): void {
  transcript.take(message);
  switch (message.type) {
    case "setup_complete":
      ready(message);
      break;
    case "transcript":
      if (message["role"] === "assistant") mouth.words(message.turn_id ?? 0, message["text"], false);
      else if (message["final"]) awaiting.value = true;
      break;
    case "text":
      mouth.words(message.turn_id ?? 0, message["text"], spokenHere());
      break;
    case "function_call":
      awaiting.value = true;
      break;
    case "turn_complete":
      // Of a turn that was cut off: what came instead of it may be waiting for its answer.
      if (message["reason"] !== "interrupted") awaiting.value = owed = false;
      mouth.complete(message.turn_id ?? 0, spokenHere());
      break;
    case "interrupted":
      awaiting.value = owed;
      mouth.cutOff(message.turn_id);
      break;
    case "confirmation_resolved":
      transcript.resolved(message["tool"], message["outcome"]);
      break;
    case "voice_session_end":
      ended(message);
      break;
    case "timeout":
      transcript.note(message["message"], "bad");
      drop();
      over();
      break;
    case "go_away":
      keep({ ...kept()!, token: message["session_token"] });
      break;
    case "error":
      wrong(message);
      break;
  }
  heard(message);
}

function ended({ textResponse }: ServerMessage): void {
  transcript.closeAnswer("done");
  transcript.answered(textResponse ?? "");
  transcript.closeAnswer("done");
  transcript.note("The conversation is over.");
  forget();
}

/** Errors about what other parts of the console sent are theirs to show. */
const THEIRS = new Set(["confirmation_response", "browser_function_result", "playback"]);

function wrong({ message, about, fatal, kind }: ServerMessage): void {
  if (THEIRS.has(about)) return;
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
  if (strange || kind === "taken_over" || !setup.value) forget();
  transcript.interrupted();
  over({ message, resumable: kept() !== null });
}

/** A result that another part of the console sent belongs to its card, too. */
function alsoShown(message: object): void {
  const { type, fn_call_id, name, result } = message as Record<string, any>;
  if (type !== "browser_function_result") return;
  transcript.take({ type: "function_result", fn_call_id, name, result, meta: {} });
}

// -- what the person does ------------------------------------------------------------------------

/** Writes to the model; begins a conversation where there is none. */
export function sendText(text: string): void {
  const words = text.trim();
  if (!words) return;
  if (link.value === "off") {
    void start({ microphone: false, text: words, resume: trouble.value?.resumable ?? false });
    return;
  }
  transcript.add(words);
  if (link.value === "open") {
    awaiting.value = owed = true;
    void mouth.hush().then(() => say({ type: "text", text: words }));
  } else untold.push(words);
}

/** Silence, now; then the model is told, and how much of it was heard. */
export function interrupt(): void {
  if (phase.value !== "speaking" && phase.value !== "thinking") return;
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
      transcript.take({ type: "transcript", role: "user", text, final: true });
      if (link.value !== "open") untold.push(text);
      else awaiting.value = say({ type: "text", text });
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

conversation.value = { phase, sessionId, setup, start, hangUp, restart };

/**
 * The conversation by voice. There is one, whichever page is open: the model may lead the person
 * from page to page while they talk.
 */
import { computed, effect, signal } from "@preact/signals";

import { zoneHere } from "../api/zone";
import { prefer, prefs, type Backend } from "../stores/prefs";
import { conversation, TALK_PROFILE } from "../stores/talk";
import { choice, speaksHere } from "./backends";
import { heard, say, speakThrough } from "./bus";
import * as ear from "./ear";
import { earlier, forget, keep, kept } from "./keeping";
import { FINAL, GOODBYE, Line, patience, RESTARTING, TAKEN_OVER } from "./line";
import type { MessageOf, Setup, StartOptions, Trouble, VoiceMessage } from "./messages";
import * as mouth from "./mouth";
import { Transcript } from "./transcript";

/** `listening` says that the microphone is on; without it the person types. */
export type Phase = "off" | "connecting" | "typing" | "listening" | "thinking" | "speaking" | "reconnecting";

const link = signal<"off" | "connecting" | "open" | "reconnecting">("off");
const awaiting = signal(false);

export const phase = computed<Phase>(() => {
  if (link.value !== "open") return link.value;
  if (mouth.sounding.value) return "speaking";
  if (awaiting.value) return "thinking";
  return ear.listening.value ? "listening" : "typing";
});
export const transcript = new Transcript();
export const { entries } = transcript;
export const sessionId = signal<string | null>(null);
export const setup = signal<Setup | null>(null);
export const { muted } = ear;
/** What was said before is still being loaded. */
export const restoring = signal(false);
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
let leaving: ReturnType<typeof setTimeout> | undefined;
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

/** Begins, or adds to what has begun: the microphone, or words. Call it where something was pressed. */
export async function start(options: StartOptions = {}): Promise<void> {
  const { microphone = true, text } = options;
  if (microphone || prefs.value.speakAnswers) openMouth();
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
    untold.push(typed(text));
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

function openMouth(): void {
  mouth.open().catch(() => transcript.note("This browser cannot play sound. The answers can be read.", "bad"));
}

/** Goes on with a conversation as it was held: by voice, or in writing. */
export function goOn(): void {
  void start({ resume: true, microphone: kept()?.spoken ?? true });
}

/**
 * After the page was loaded anew: shows what was said, and opens no microphone. A question that was
 * typed and not answered yet is answered.
 */
async function restore(): Promise<void> {
  const before = kept();
  if (!before) return;
  const how = before.spoken ? "Go on by voice, or type." : "Type to go on.";
  trouble.value = { message: `This conversation is still open from before. ${how}`, resumable: true };
  sessionId.value = before.sessionId;
  restoring.value = true;
  const mine = round;
  await earlier(transcript, before.conversation, () => mine === round);
  restoring.value = false;
  const last = entries.value.findLast((each) => each.kind !== "note");
  if (link.value === "off" && kept() && !before.spoken && last?.kind === "user") goOn();
}

/** What is shown is put away, and what was still open is not gone back to. */
export function clear(): void {
  trouble.value = null;
  forget();
  sessionId.value = null;
  setup.value = null;
  transcript.clear();
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
  clearTimeout(leaving);
  leaving = undefined;
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
      speak: ear.listening.value || prefs.value.speakAnswers,
      time_zone: zoneHere(),
      ...(token
        ? { session_token: token }
        : { pending_request: pendingRequest?.slice(0, 200), conversation: written, profile: profile ?? TALK_PROFILE }),
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

/** Tries now to get a lost line back, whenever the next attempt would be. */
export function reconnect(): void {
  if (link.value !== "reconnecting" || line) return;
  clearTimeout(retry);
  connect();
}

addEventListener("online", reconnect);

function ready(message: MessageOf<"setup_complete">): void {
  const { mode, model, voice, profile, conversation: id } = message;
  if (message.resume_problem) {
    transcript.note(`${message.resume_problem} This is a new one.`, "bad");
    mouth.reset();
  } else if (link.value === "reconnecting") transcript.note("The line is back.", "good");
  setup.value = { mode, model, voice, profile, conversation: id, recordedDays: message.recorded_days };
  sessionId.value = message.sessionId;
  keep({ token: message.session_token, sessionId: message.sessionId, conversation: id, spoken: ear.listening.value });
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
      if (leaving) void mouth.playedOut().then(() => leave(FAREWELL_MS / 10));
      break;
    case "interrupted":
      awaiting.value = owed;
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
      keep({ ...kept()!, token: message.session_token });
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
  if (!leaving && message.message) transcript.note(message.message, "bad");
  ear.close();
  leave(FAREWELL_MS);
}

/** The server ends it; if it does not, we do. */
function leave(after: number): void {
  const mine = round;
  clearTimeout(leaving);
  leaving = setTimeout(() => {
    if (mine !== round) return;
    drop();
    over();
  }, after);
}

function ended({ textResponse }: MessageOf<"voice_session_end">): void {
  transcript.closeAnswer("done");
  transcript.answered(textResponse ?? "");
  transcript.closeAnswer("done");
  transcript.note("The conversation is over.");
  forget();
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
  if (strange || kind === "taken_over" || !setup.value) forget();
  transcript.interrupted();
  over({ message, resumable: kept() !== null });
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

/** Writes to the model; begins a conversation where there is none. */
export function sendText(text: string): void {
  const words = text.trim();
  if (!words) return;
  if (link.value === "off") {
    void start({ microphone: false, text: words, resume: trouble.value?.resumable ?? false });
    return;
  }
  transcript.add(words);
  const message = typed(words);
  if (message.speak) openMouth();
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

/** Silence, now; then the model is told, and how much of it was heard. */
export function interrupt(): void {
  if (phase.value !== "speaking" && phase.value !== "thinking") return;
  awaiting.value = owed = false;
  void mouth.hush().then(() => say({ type: "interrupt" }));
}

/** Opens the ears: the microphone, or the browser's recognition for a model that only reads. */
export async function listen(): Promise<boolean> {
  const heard = await ears();
  const before = kept();
  if (heard && before) keep({ ...before, spoken: true });
  return heard;
}

async function ears(): Promise<boolean> {
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

conversation.value = { phase, sessionId, setup, start, hangUp, restart };

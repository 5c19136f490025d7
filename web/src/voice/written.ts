/** The conversation in writing: while the microphone is off, what is typed goes to `POST /api/chat`. */
import { signal } from "@preact/signals";

import { ApiError, post, said, send, words } from "../api/http";
import { isAway } from "../api/load";
import { zoneHere } from "../api/zone";
import { t } from "../i18n";
import { block, type Timeout } from "../stores/blocked";
import { ask, overHttp, settled, type Question } from "../stores/confirmations";
import { prefs } from "../stores/prefs";
import { TALK_PROFILE } from "../stores/talk";
import { modelFor } from "./backends";
import { heard } from "./bus";
import { events, type ChatEvent } from "./chat-events";
import { keep, keepAlso, keepDraft, kept } from "./keeping";
import { patience } from "./line";
import type { VoiceMessage } from "./messages";
import * as mouth from "./mouth";
import { conversationId, draft, leaving, named, problem, round, transcript } from "./thread";
import { envelopeOutcome, type UserEntry } from "./transcript";
import { plain } from "./words";

export const answering = signal(false);
/** The server is away: how many times in a row it was asked again. */
export const away = signal(0);
/** Who answers in a new conversation; an old one keeps its own. */
export const profile = signal(TALK_PROFILE);
/** The answer to what was asked last, for those who hear the page. */
export const announced = signal("");
/** Longer than this the server takes no message. */
export const MOST_CHARS = 32_000;

let stopping: AbortController | null = null;
/** A message that went out, as long as the server has not said that it came. */
let sending: string | null = null;
let wake: (() => void) | null = null;
/** The session of the answer under way, for functions that run here. */
let session: string | null = null;
let turn = 0;
/** Who opens the microphone where the agent proposes to talk. */
let voiceStarts: (pendingRequest: string | null) => void = () => {};

export function onVoiceStart(start: (pendingRequest: string | null) => void): void {
  voiceStarts = start;
}

/** Stops the answer: what was called and only reads is cancelled, a write under way is finished. */
export function stop(): void {
  stopping?.abort();
  stopping = null;
  mouth.hushReading();
}

leaving.add(() => {
  stop();
  answering.value = false;
  away.value = 0;
  announced.value = "";
});

/** Asks now, whenever the next attempt would be. */
export function tryNow(): void {
  wake?.();
}
addEventListener("online", tryNow);

export async function write(text: string): Promise<void> {
  const entry = transcript.add(text);
  const mine = round.peek();
  sending = text;
  keepAlso({ sent: text });
  if (!(await answer(text, entry)) && mine === round.peek()) {
    // It is not part of the conversation: it goes back to where it was typed.
    transcript.remove(entry);
    if (!draft.peek()) draft.value = text;
    arrived();
  }
}

/** Whatever became of the message: it is not on its way any more. */
function arrived(): void {
  sending = null;
  keepAlso({ sent: undefined });
}

// A new conversation has no name yet to come back to: what was to begin it is typed again.
addEventListener("pagehide", () => {
  if (sending !== null && !conversationId.peek() && !draft.peek()) keepDraft(null, sending);
});

/** After a reload: a question that went out and has no answer yet is answered; one that never came is asked again. */
export async function answerLast(): Promise<void> {
  const entries = transcript.entries.peek();
  const last = entries.findLast((each) => each.kind !== "note");
  const { asking, sent } = kept() ?? {};
  if (!(asking || sent) || answering.peek()) return;
  keepAlso({ asking: false, sent: undefined });
  const asked = entries.findLast((each) => each.kind === "user");
  if (sent && asked?.text.peek() !== sent) {
    await write(sent);
    return;
  }
  if (last && (last.kind === "user" || last.kind === "tool")) await answer(null, null);
}

/** Lets the agent go on with what came of earlier calls, such as one that was approved. */
async function goOn(): Promise<void> {
  if (!answering.peek()) await answer(null, null);
}

/** One turn. False: it did not begin, and `problem` says why. */
async function answer(message: string | null, entry: UserEntry | null): Promise<boolean> {
  const leave = (stopping = new AbortController());
  const mine = round.peek();
  turn++;
  answering.value = true;
  problem.value = null;
  announced.value = "";
  if (prefs.peek().speakAnswers) mouth.beginReading();
  let begun = entry === null;
  let told = false;
  try {
    for (;;) {
      try {
        const response = await posted(begun ? null : message, leave.signal);
        away.value = 0;
        begun = true;
        for await (const event of events(response.body)) {
          if (mine !== round.peek()) return true;
          told ||= event.type === "text";
          take(event);
        }
        return true;
      } catch (error) {
        if (mine !== round.peek()) return true;
        if (leave.signal.aborted) {
          transcript.interrupted();
          keepAlso({ asking: false });
          return begun;
        }
        if (begun && isEmpty(error)) {
          if (told || message === null) return true; // it was answered meanwhile
          begun = false; // it never came to the server
          continue;
        }
        if (!lost(error)) throw error;
        transcript.closeAnswer("done");
        if (!(await waited(leave.signal))) throw new ApiError(0, t("The server cannot be reached. Your message is back in the box."));
      }
    }
  } catch (error) {
    if (mine !== round.peek()) return true;
    transcript.interrupted();
    keepAlso({ asking: false });
    problem.value = error instanceof ApiError ? error : new Error(t("The answer was cut off: {why}", { why: said(error) }));
    return begun;
  } finally {
    if (stopping === leave) stopping = null;
    if (mine === round.peek()) {
      answering.value = false;
      away.value = 0;
      mouth.finishReading();
    }
  }
}

/** The server went away: before it answered, or in the middle of it. */
const lost = (error: unknown): boolean => isAway(error) || error instanceof TypeError;
const isEmpty = (error: unknown): boolean => (error as { body?: { kind?: string } | null }).body?.kind === "empty";

/** Waits before the next attempt. False: that was the last one, or nobody wants one. */
async function waited(stopped: AbortSignal): Promise<boolean> {
  const wait = patience(away.peek());
  if (wait === null) return false;
  away.value++;
  await new Promise<void>((resolve) => {
    wake = resolve;
    setTimeout(resolve, wait);
    stopped.addEventListener("abort", () => resolve());
  });
  wake = null;
  return !stopped.aborted;
}

/** An answer that was stopped needs a moment to end, and until then the next one is refused. */
const AGAIN_MS = 300;
const TIMES = 6;

async function posted(message: string | null, signal: AbortSignal): Promise<Response & { body: ReadableStream<Uint8Array> }> {
  const { backend } = prefs.peek();
  const model = modelFor("text");
  const id = conversationId.peek();
  const body = {
    ...(message === null ? {} : { message }),
    ...(id ? { conversation: id } : { profile: profile.peek() }),
    ...(backend ? { backend } : {}),
    ...(model ? { model } : {}),
    time_zone: zoneHere(),
    client_functions: true,
  };
  for (let time = 1; ; time++) {
    const response = await send("POST", "/api/chat", body, { headers: { Accept: "text/event-stream" }, signal });
    if (response.ok && response.body) return response as Response & { body: ReadableStream<Uint8Array> };
    const refused = await refusal(response);
    if ((refused.body as { kind?: string } | null)?.kind !== "busy" || time === TIMES) throw refused;
    await new Promise((resume) => setTimeout(resume, AGAIN_MS));
  }
}

async function refusal(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => null)) as { timeout?: Timeout; detail?: string } | null;
  if (body?.timeout) block({ ...body.timeout, message: body.detail ?? "" });
  return new ApiError(response.status, words(response.status, body), body);
}

/** The event of one type. */
type EventOf<T extends ChatEvent["type"]> = Extract<ChatEvent, { type: T }>;

function take(event: ChatEvent): void {
  switch (event.type) {
    case "session":
      began(event);
      break;
    case "text":
      transcript.answered(event.delta, { turn_id: -turn });
      mouth.read(event.delta);
      break;
    case "tool_call":
      transcript.called({ ...event, fn_call_id: event.id, server_handled: true });
      break;
    case "client_call":
      void runHere(event);
      break;
    case "tool_result":
      transcript.finish(event.id, event.name, envelopeOutcome(event.envelope, event.duration));
      break;
    case "late_result":
      transcript.finish(event.id, event.name, envelopeOutcome(event.envelope));
      break;
    case "confirmation_required":
      void confirm(event);
      break;
    case "confirmation_resolved":
      settled(event);
      break;
    case "image":
      transcript.pictured(event);
      break;
    case "timeout":
      block(event);
      break;
    case "message":
      // What a tool sends to the person, such as a tour: the same as in a spoken conversation.
      if (event.message.type) heard(event.message as unknown as VoiceMessage);
      break;
    case "spending_warning":
    case "async_task_started":
    case "async_task_progress":
    case "async_task_complete":
      heard(event);
      break;
    case "notice":
      transcript.passing(event.message);
      break;
    case "error":
      transcript.note(event.message, "bad");
      break;
    case "done":
      finished(event);
      break;
  }
}

function began({ session_id: id, conversation }: EventOf<"session">): void {
  session = id;
  sending = null;
  // What was written the session by voice does not know; the next one is told all of it.
  keep({ conversation, asking: true });
  named(conversation);
}

/** A function of this browser, such as one that opens a page. */
async function runHere({ id, name, args }: EventOf<"client_call">): Promise<void> {
  const of = session;
  const { run } = await import("../functions");
  const result = await run(name, args);
  transcript.ranHere(id);
  await post(`/api/chat/${encodeURIComponent(of!)}/results`, { id, result }).catch(() => {
    // The answer is over: nobody waits for it any more.
  });
}

function finished(event: EventOf<"done">): void {
  transcript.closeAnswer(event.finish === "interrupted" ? "interrupted" : "done");
  announced.value = plain(event.message ?? "");
  keepAlso({ asking: false });
  heard({ type: "turn_complete", turn: event.turn, reason: event.finish });
  if (event.startVoiceSession) voiceStarts(event.pendingRequest ?? null);
}

/** The person is asked; whatever they say, the agent hears of it and goes on. */
async function confirm(question: Question): Promise<void> {
  const mine = round.peek();
  const { outcome } = await ask(question, overHttp(question));
  if (mine !== round.peek()) return;
  transcript.resolved(question.tool, outcome);
  if (outcome !== "expired") await goOn();
}

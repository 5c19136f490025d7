/** The conversation in writing. It goes on while another page is open. */
import { batch, signal } from "@preact/signals";

import { ApiError, said, send, words } from "../../api/http";
import { zoneHere } from "../../api/zone";
import { at, go, route } from "../../router";
import { ask, overHttp, remind, settled, type Question } from "../../stores/confirmations";
import { block, type Timeout } from "../../stores/blocked";
import { prefs } from "../../stores/prefs";
import { TALK_PROFILE } from "../../stores/talk";
import { modelFor } from "../../voice/backends";
import { heard } from "../../voice/bus";
import { start } from "../../voice/conversation";
import { entriesOf, loadEntries } from "../../voice/stored";
import { envelopeOutcome, Transcript, type Entry } from "../../voice/transcript";
import type { VoiceMessage } from "../../voice/messages";
import { events, type ChatEvent } from "./events";

export const transcript = new Transcript();
/** Null: a new one, of which nothing was said yet. */
export const sessionId = signal<string | null>(null);
export const answering = signal(false);
export const loading = signal(false);
export const problem = signal<Error | null>(null);
/** What was written and not sent. */
export const draft = signal("");
/** Who answers in a new conversation; an old one keeps its own. */
export const profile = signal(TALK_PROFILE);
/** Who has answered last. */
export const answeredBy = signal<{ backend: string; model: string; profile: string } | null>(null);
/** The answer to what was asked last, for those who hear the page. */
export const announced = signal("");

let turn = 0;
let stopping: AbortController | null = null;
/** Loads that were overtaken come to nothing. */
let round = 0;

/** Shows a conversation; null: begins a new one. */
export async function open(id: string | null): Promise<void> {
  if (id === sessionId.value && (id !== null || !transcript.entries.value.length)) return;
  const mine = ++round;
  stop();
  batch(() => {
    transcript.clear();
    sessionId.value = id;
    problem.value = answeredBy.value = null;
    answering.value = false;
    loading.value = id !== null;
  });
  if (id === null) return;
  try {
    const stored = await loadEntries(id);
    if (mine !== round) return;
    transcript.restore(entriesOf(stored));
    await remind(id);
  } catch (error) {
    if (mine === round) problem.value = error as Error;
  } finally {
    if (mine === round) loading.value = false;
  }
}

/** Goes on in writing with what was said by voice, which the page already shows. */
export function takeOver(id: string, entries: Entry[]): void {
  round++;
  stop();
  batch(() => {
    transcript.clear();
    transcript.restore(entries.filter((each) => each.kind !== "note"));
    sessionId.value = id;
    problem.value = answeredBy.value = null;
    loading.value = answering.value = false;
  });
}

/** Stops the answer: what was called and only reads is cancelled, a write under way is finished. */
export function stop(): void {
  stopping?.abort();
  stopping = null;
}

export async function write(text: string): Promise<void> {
  transcript.add(text);
  if (!(await answer(text))) draft.value ||= text;
}

/** Lets the agent go on with what came of earlier calls, such as one that was approved. */
async function goOn(): Promise<void> {
  if (!answering.value) await answer(null);
}

/** One turn. False: it did not begin, and `problem` says why. */
async function answer(message: string | null): Promise<boolean> {
  const leave = (stopping = new AbortController());
  const mine = round;
  turn++;
  answering.value = true;
  problem.value = null;
  announced.value = "";
  try {
    const { backend } = prefs.value;
    const model = modelFor("text");
    const body = {
      ...(message === null ? {} : { message }),
      ...(sessionId.value ? { session_id: sessionId.value } : { profile: profile.value }),
      ...(backend ? { backend } : {}),
      ...(model ? { model } : {}),
      time_zone: zoneHere(),
    };
    const response = await posted(body, leave.signal);
    for await (const event of events(response.body)) if (mine === round) take(event);
    return true;
  } catch (error) {
    if (leave.signal.aborted) {
      transcript.interrupted();
      return true;
    }
    transcript.interrupted();
    problem.value = error instanceof ApiError ? error : new Error(`The answer broke off: ${said(error)}`);
    return false;
  } finally {
    if (stopping === leave) stopping = null;
    if (mine === round) answering.value = false;
  }
}

/** An answer that was stopped needs a moment to end, and until then the next one is refused. */
const AGAIN_MS = 300;
const TIMES = 6;

async function posted(body: object, signal: AbortSignal): Promise<Response & { body: ReadableStream<Uint8Array> }> {
  for (let time = 1; ; time++) {
    const response = await send("POST", "/api/chat", body, { headers: { Accept: "text/event-stream" }, signal });
    if (response.ok && response.body) return response as Response & { body: ReadableStream<Uint8Array> };
    const refused = await refusal(response);
    if ((refused.body as { kind?: string } | null)?.kind !== "busy" || time === TIMES) throw refused;
    await new Promise((wake) => setTimeout(wake, AGAIN_MS));
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
      transcript.answered(event.delta, { turn_id: turn });
      break;
    case "tool_call":
      transcript.called({ ...event, fn_call_id: event.id, server_handled: true });
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
    case "async_task_started":
    case "async_task_progress":
    case "async_task_complete":
      heard(event);
      break;
    case "notice":
    case "error":
      transcript.note(event.message, event.type === "error" ? "bad" : "info");
      break;
    case "done":
      finished(event);
      break;
  }
}

function began({ session_id: id, backend, model, profile: who, continued_from: from }: EventOf<"session">): void {
  answeredBy.value = { backend, model, profile: who };
  if (from) transcript.note("Here the conversation goes on in writing.");
  if (id === sessionId.value) return;
  sessionId.value = id;
  // The address leads back to it; a step in the history would only lead to a page without it.
  if (route.value.page === "chat") go(at("chat", [id]), true);
}

function finished(event: EventOf<"done">): void {
  transcript.closeAnswer(event.finish === "interrupted" ? "interrupted" : "done");
  announced.value = event.message ?? "";
  if (event.startVoiceSession) void toVoice(event.pendingRequest);
}

/** The person is asked; whatever they say, the agent hears of it and goes on. */
async function confirm(question: Question): Promise<void> {
  const mine = round;
  const { outcome } = await ask(question, overHttp(question));
  if (mine !== round) return;
  transcript.resolved(question.tool, outcome);
  if (outcome !== "expired") await goOn();
}

/** The same conversation, spoken from here on. */
export async function toVoice(pendingRequest?: string | null): Promise<void> {
  const conversation = sessionId.value ?? undefined;
  const who = answeredBy.value?.profile;
  go(at("vox"));
  await start({
    ...(conversation ? { conversation } : {}),
    ...(who ? { profile: who } : {}),
    ...(pendingRequest ? { pendingRequest } : {}),
  });
}

/** The tries of this visit: what was sent under which key, and what came of it. */
import { signal } from "@preact/signals";

import { ApiError, said, send, words } from "../../api/http";
import { t } from "../../i18n";
import { askById } from "../../stores/confirmations";
import { recentCalls, type AuditLine, type Envelope, type Mode } from "./api";

export interface Try {
  id: number;
  toolId: string;
  mode: Mode;
  args: Record<string, unknown>;
  /** The idempotency key: the same one again is answered from the record. */
  key: string;
  /** Seconds of the epoch. */
  at: number;
  state: "running" | "waiting" | "done";
  status?: number;
  envelope?: Envelope;
  /** There is no envelope: the server said this instead, or could not be reached. */
  problem?: string;
  /** What became of the question that a person was asked. */
  answered?: string;
  /** The line of the audit: the decision and its rule. */
  line?: AuditLine;
  /** It was run by this browser itself and passed no gates. */
  here?: boolean;
}

const MOST = 50;
export const tries = signal<Try[]>([]);
/** The call that the page of its tool shows at first: it was made elsewhere. */
export const opening = signal<number | null>(null);
let last = 0;

function change(id: number, members: Partial<Try>): void {
  tries.value = tries.value.map((each) => (each.id === id ? { ...each, ...members } : each));
}

const found = (id: number): Try => tries.value.find((each) => each.id === id)!;

export const freshKey = (): string => `console-${crypto.randomUUID()}`;
export const sessionOf = (mode: Mode): string => (mode === "voice" ? "rest-voice" : "rest-text");

function begin(toolId: string, args: Record<string, unknown>, mode: Mode, key: string): number {
  const id = ++last;
  tries.value = [{ id, toolId, mode, args, key, at: Date.now() / 1000, state: "running" as const }, ...tries.value].slice(0, MOST);
  return id;
}

/** Calls a tool as anybody would. Never throws: what goes wrong is part of the try. */
export async function attempt(
  toolId: string, args: Record<string, unknown>, mode: Mode, key = freshKey(),
): Promise<Try> {
  const id = begin(toolId, args, mode, key);
  try {
    const answer = await send("POST", `/api/tools/${encodeURIComponent(toolId)}/call`, { args, mode }, {
      headers: { "Idempotency-Key": key },
    });
    const body: unknown = await answer.json();
    if (!isEnvelope(body)) throw new ApiError(answer.status, words(answer.status, body), body);
    const waits = body.error?.confirmation_request;
    change(id, { status: answer.status, envelope: body, state: waits ? "waiting" : "done" });
    await explain(id);
    if (waits) void decide(id, waits.id);
  } catch (error) {
    change(id, { state: "done", problem: said(error), ...(error instanceof ApiError ? { status: error.status } : {}) });
  }
  return found(id);
}

/** Asks the person, in the dialog that is the same everywhere, and shows what came of it. */
export async function decide(id: number, confirmation: string): Promise<void> {
  try {
    const { outcome, result } = await askById(confirmation, sessionOf(found(id).mode));
    change(id, {
      state: "done",
      answered: outcome,
      ...(isEnvelope(result) ? { envelope: result } : {}),
    });
    await explain(id);
  } catch (error) {
    change(id, { state: "done", problem: said(error) });
  }
}

/** A function of the browser, run by this one: the server has no part in it. */
export async function attemptHere(toolId: string, args: Record<string, unknown>): Promise<Try> {
  const id = begin(toolId, args, "text", freshKey());
  change(id, { here: true });
  const started = performance.now();
  const { run } = await import("../../functions");
  const { success, error, ...data } = await run(toolId, args);
  const meta = { toolId, toolVersion: null, registryVersion: "", duration: performance.now() - started };
  const failed = { type: "PERMANENT", message: error ?? t("It failed."), retryable: false, partialSideEffects: false };
  change(id, { state: "done", envelope: success ? { ok: true, data, intents: [], meta } : { ok: false, error: failed, intents: [], meta } });
  return found(id);
}

/** The audit says which rule decided; the envelope does not. */
async function explain(id: number): Promise<void> {
  const { toolId, key } = found(id);
  try {
    const found = await recentCalls(toolId, 10);
    const line = found?.lines.find((each) => each.idempotencyKey === `client:${key}`);
    if (line) change(id, { line });
  } catch {
    // What it did is known all the same.
  }
}

export function isEnvelope(body: unknown): body is Envelope {
  return !!body && typeof body === "object" && typeof (body as Envelope).ok === "boolean" && "meta" in body;
}

export function forget(toolId: string): void {
  tries.value = tries.value.filter((each) => each.toolId !== toolId);
}

/** Sessions and their timelines as the server gives them, and what is said about them in words. */
import type { Passage } from "../../api/rules";
import { duration } from "../../ui/time";
import type { Picture } from "../../voice/transcript";

export interface Session {
  id: string;
  user: string;
  mode: "text" | "voice";
  provider: string | null;
  profile: string | null;
  registry_version: string;
  created_at: number;
  updated_at: number;
  ended_at: number | null;
  active: boolean;
  /** This server holds it right now. */
  live: boolean;
  turn: number;
  about?: string | null;
}

export interface SessionPage {
  sessions: Session[];
  next_before: string | null;
}

export interface SessionDetail extends Session {
  counters: { calls: number; turn_calls: number; turn_retrieval: number; turn_rounds: number; turn_tool_ms: number; running: number } | null;
  confirmations: { id: string; tool: string; preview: string; expires_at: number }[];
}

export interface Said {
  kind: "said";
  at: number;
  role: "user" | "assistant" | "system";
  channel: "text" | "voice";
  text: string;
  /** How many characters of it were heard where its speech was stopped. */
  heard?: number | null;
}

export interface Pictured extends Picture {
  kind: "image";
  seq: number;
  at: number;
}

export interface CallMade {
  kind: "call";
  seq: number;
  at: number;
  event: string;
  tool: string;
  tool_version: string | null;
  call_id: string | null;
  args: unknown;
  decision: string | null;
  rule: string | null;
  gates: Passage[];
  ok: boolean | null;
  error_type: string | null;
  duration: number | null;
  source: string | null;
  replayed: boolean;
  detached: boolean;
  answer: { ok: boolean; data?: unknown; error?: { message: string } } | null;
  answer_chars: number | null;
}

export interface Noted {
  kind: "note";
  seq: number;
  at: number;
  event: string;
  tool: string | null;
  details: Record<string, unknown>;
}

export type Entry = Said | CallMade | Pictured | Noted;

export interface Turn {
  number: number;
  started_at: number;
  ended_at: number | null;
  finish: string | null;
  marks: Record<string, number>;
  tokens: { input: number; output: number; cached: number } | null;
  entries: Entry[];
}

export interface Timeline {
  session_id: string;
  conversation: string;
  continued_from: string | null;
  turns: Turn[];
  next_before: number | null;
}

export interface Filters {
  mode: string;
  live: string;
  user: string;
}

export const readFilters = (query: URLSearchParams): Filters => ({
  mode: query.get("mode") ?? "",
  live: query.get("live") ?? "",
  user: query.get("user") ?? "",
});

const SHARED: Record<string, string> = {
  "rest-text": "Calls over HTTP, as text",
  "rest-voice": "Calls over HTTP, as voice",
};

/** Its first words. Where it has none of its own, it made calls only, or goes on with what was written elsewhere. */
export const titleOf = (session: Pick<Session, "id" | "about" | "mode">): string =>
  SHARED[session.id] ?? (session.about || (session.mode === "voice" ? "Session by voice" : "Session in writing"));

/** How it stands, in a word. */
export function standing(session: Session): { word: string; kind: "good" | "plain" } {
  if (session.live) return { word: "live", kind: "good" };
  return { word: session.active ? "left" : "ended", kind: "plain" };
}

export interface Way {
  title: string;
  page: "chat" | "vox";
  hint: string;
}

/** How a conversation can be taken up again; nothing where nothing was said. */
export function waysOn(session: Session): Way[] {
  if (!session.about) return [];
  const ways: Way[] = [];
  if (session.mode === "voice") {
    ways.push({ title: "Go on in writing", page: "chat", hint: "A chat begins that knows all that was said here." });
  } else if (session.active) {
    ways.push({ title: "Go on in Chat", page: "chat", hint: "The same session goes on." });
  }
  ways.push({ title: "Go on by voice", page: "vox", hint: "You talk on, and the model knows what was said here." });
  return ways;
}

const MARKS: Record<string, string> = {
  time_to_first_audio: "first sound after",
  time_to_first_text: "first words after",
  turn_gap: "speech left at the end",
  barge_in_stop: "silent on interruption after",
  duration: "took",
};

/** What somebody waited for in a turn, in the order in which it is noticed. */
export function marksOf(turn: Pick<Turn, "marks">): { name: string; title: string; value: string }[] {
  return Object.keys(MARKS)
    .filter((name) => name in turn.marks)
    .map((name) => ({ name, title: MARKS[name]!, value: duration(turn.marks[name]!) }));
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** One line of the audit that is no call, as a sentence. */
export function noteInWords({ event, tool, details }: Pick<Noted, "event" | "tool" | "details">): string {
  const by = [text(details["backend"]), text(details["model"])].filter(Boolean).join(", ");
  switch (event) {
    case "session_started":
      return `The session began${by ? ` with ${by}` : ""}.`;
    case "session_resumed":
      return `The session was taken up again${by ? ` with ${by}` : ""}.`;
    case "session_ended":
      return `The session ended: ${text(details["reason"]).replaceAll("_", " ") || "over"}.`;
    case "line_changed":
      return details["resumed"]
        ? "The line to the model broke and was taken up again."
        : "The line to the model broke; a new one was told what was said.";
    case "provider_fault":
      return `The model's provider had a fault (${text(details["kind"])})${details["detail"] ? `: ${text(details["detail"])}` : "."}`;
    case "confirmation_resolved":
      return `The question about ${tool} was answered: ${text(details["outcome"]) || "over"}${details["via"] ? ` (${text(details["via"])})` : ""}.`;
    case "confirmation_refused":
      return `An answer about ${tool} was not taken: ${text(details["reason"])}.`;
    case "registry_mismatch":
      return "The tools changed while the session went on.";
    case "intent_refused":
      return `A tool wanted to change the session and was not allowed to: ${text(details["reason"])}.`;
    case "tool_unknown":
      return `${tool} was under way when the server stopped; nobody knows whether it happened.`;
    case "task_not_run":
      return `The background task of ${tool} did not run: ${text(details["type"])}.`;
    default:
      return `${event.replaceAll("_", " ")}${tool ? ` (${tool})` : ""}`;
  }
}

export interface Tally {
  calls: number;
  ran: number;
  failed: number;
  refused: number;
  asked: number;
  replayed: number;
  /** How many calls each gate kept from running. */
  stops: Record<string, number>;
}

/** What came of the calls of some turns. */
export function tally(turns: Turn[]): Tally {
  const found: Tally = { calls: 0, ran: 0, failed: 0, refused: 0, asked: 0, replayed: 0, stops: {} };
  for (const entry of turns.flatMap((turn) => turn.entries)) {
    if (entry.kind !== "call") continue;
    found.calls++;
    const end = entry.gates.find((gate) => gate.outcome === "stopped" || gate.outcome === "asked");
    if (end) found.stops[end.id] = (found.stops[end.id] ?? 0) + 1;
    if (entry.replayed) found.replayed++;
    else if (entry.decision === "confirm") found.asked++;
    else if (entry.decision === "refuse") found.refused++;
    else {
      found.ran++;
      if (entry.ok === false && !entry.detached) found.failed++;
    }
  }
  return found;
}

export type Verdict = { word: string; kind: "good" | "bad" | "warn" | "plain" | "accent" };

/** How a call ended, in a word. */
export function verdictOf(call: Pick<CallMade, "decision" | "ok" | "replayed" | "detached" | "source">): Verdict {
  if (call.replayed) return { word: "replayed", kind: "accent" };
  if (call.decision === "wait") return { word: "waited", kind: "plain" };
  if (call.decision === "confirm") return { word: "asked first", kind: "warn" };
  if (call.decision === "refuse") return { word: "refused", kind: "bad" };
  if (call.detached) return { word: "still running", kind: "plain" };
  return call.ok === false ? { word: "failed", kind: "bad" } : { word: "done", kind: "good" };
}

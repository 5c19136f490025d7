/** Sessions and their timelines as the server gives them, and what is said about them in words. */
import type { Passage } from "../../api/rules";
import { t } from "../../i18n";
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

/** Places are JSON pointers into the arguments. */
export interface CallOrigins {
  values: Record<string, string>;
  read: string | null;
  planned: boolean | null;
  new?: string[];
  private?: string[];
  secret?: string[];
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
  /** Null where nothing was read that might have led to it. */
  origins?: CallOrigins | null;
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
  "rest-text": t("Calls over HTTP, text mode"),
  "rest-voice": t("Calls over HTTP, voice mode"),
};

/** Its first words. Where it has none of its own, it made calls only, or continues what was written elsewhere. */
export const titleOf = (session: Pick<Session, "id" | "about" | "mode">): string =>
  SHARED[session.id] ?? (session.about || (session.mode === "voice" ? t("Voice session") : t("Text session")));

const MODELS: Record<string, string> = { local: t("Built-in model"), gemini: "Gemini", openai: "OpenAI", claude: "Claude" };

/** The model's side, as people call it; empty where no model took part. */
export const modelName = (provider: string | null): string => (provider ? MODELS[provider] ?? provider : "");

/** How it stands, in a word, and what the word means. */
export function standing(session: Pick<Session, "live" | "active">): { word: string; kind: "good" | "plain"; about: string } {
  if (session.live) return { word: t("Active"), kind: "good", about: t("Open on this server right now.") };
  if (session.active) return { word: t("Idle"), kind: "plain", about: t("Nobody is in it right now. It continues with the next message.") };
  return { word: t("Ended"), kind: "plain", about: t("It was ended. A new session can continue the conversation.") };
}

const MARKS: Record<string, string> = {
  time_to_first_audio: t("first sound"),
  time_to_first_text: t("first words"),
  turn_gap: t("unplayed speech"),
  barge_in_stop: t("silent after interruption"),
  duration: t("total"),
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
  const name = tool ?? t("a tool");
  const backend = text(details["backend"]);
  const exact = text(details["model"]);
  const model = [modelName(backend || null), exact && exact !== backend ? `(${exact})` : ""].filter(Boolean).join(" ");
  const reason = text(details["reason"]).replaceAll("_", " ");
  switch (event) {
    case "session_started":
      return model ? t("Session started with {model}.", { model }) : t("Session started.");
    case "session_resumed":
      return model ? t("Session resumed with {model}.", { model }) : t("Session resumed.");
    case "session_ended":
      return reason ? t("Session ended: {reason}.", { reason }) : t("Session ended.");
    case "line_changed":
      return details["resumed"] ? t("The connection to the model was lost and resumed.") : t("The connection to the model was lost. A new one was told what was said.");
    case "provider_fault":
      return t("The model's provider reported a fault: {reason}.", { reason: [text(details["kind"]), text(details["detail"])].filter(Boolean).join(", ").replace(/\.$/, "") });
    case "confirmation_resolved":
      return t("Approval of {tool}: {outcome}.", { tool: name, outcome: [text(details["outcome"]) || t("closed"), text(details["via"])].filter(Boolean).join(", ") });
    case "confirmation_refused":
      return t("An answer about {tool} was not accepted: {reason}.", { tool: name, reason });
    case "registry_mismatch":
      return t("The tools changed during the session.");
    case "intent_refused":
      return t("A tool tried to change the session and was not allowed to: {reason}.", { reason });
    case "tool_unknown":
      return t("{tool} was running when the server stopped. Its outcome is unknown.", { tool: name });
    case "task_not_run":
      return t("The background task of {tool} did not run: {reason}.", { tool: name, reason: text(details["type"]) });
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
  if (call.replayed) return { word: t("replayed"), kind: "accent" };
  if (call.decision === "wait") return { word: t("waited"), kind: "plain" };
  if (call.decision === "confirm") return { word: t("asked first"), kind: "warn" };
  if (call.decision === "refuse") return { word: t("refused"), kind: "bad" };
  if (call.detached) return { word: t("still running"), kind: "plain" };
  return call.ok === false ? { word: t("failed"), kind: "bad" } : { word: t("done"), kind: "good" };
}

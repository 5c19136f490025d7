/**
 * What a person is asked before something happens. Questions come from the conversation, from the
 * chat and from calls over HTTP; they queue up, and time that runs out is a no.
 */
import { computed, signal } from "@preact/signals";

import { ApiError, get, post, said } from "../api/http";
import { t } from "../i18n";
import { route } from "../router";
import { on, say } from "../voice/bus";
import type { Envelope } from "../voice/transcript";
import { dismiss, toast } from "./toasts";

export type Remember = "session" | "always";

export interface Question {
  id: string;
  tool: string;
  title?: string;
  /** What would happen, in words. */
  preview: string;
  /** The arguments as they will be used. */
  fields?: { name: string; label?: string; value: unknown; display?: string; full?: string }[];
  /** False: there is more than `fields` can hold. */
  complete?: boolean;
  risk: "low" | "high";
  rule?: string | null;
  /** Seconds of the epoch. */
  expires_at: number;
  token?: string;
  session_id?: string;
  /** What else may be offered beside "once". Missing: nothing. */
  remember?: Remember[];
}

export interface Answer {
  approve: boolean;
  remember?: Remember;
}

export interface Outcome {
  outcome: "approved" | "denied" | "expired" | "void";
  /** The envelope of the call. */
  result?: Envelope | null;
}

/** Sends the answer. Gives the outcome, or nothing where that comes as a message of its own. */
export type Answering = (answer: Answer) => Promise<Outcome | void> | Outcome | void;

export interface Asked {
  question: Question;
  /** A clear yes may also be spoken: it was asked in a conversation, and the risk is low. */
  spoken: boolean;
  /** Why the answer before was not taken. */
  problem: string | null;
}

interface Entry extends Asked {
  answering: Answering;
  /** Asked in the conversation: it is void when that is over. */
  live: boolean;
  answer: Answer | null;
  timer: ReturnType<typeof setTimeout> | undefined;
  outcome: Promise<Outcome>;
  settle: (outcome: Outcome) => void;
}

/** The server denies by its own clock; when it has said nothing by then, we do. */
export const GRACE_MS = 2000;

const entries = new Map<string, Entry>();
/** Those that wait for an answer, the oldest first. The first one is shown. */
export const questions = signal<Asked[]>([]);
export const current = computed(() => questions.value[0] ?? null);

/**
 * Asks the person. `answering` sends what they say; the promise is what came of it. Pages use
 * this for their own calls; asking again under the same id renews the question.
 */
export function ask(question: Question, answering: Answering): Promise<Outcome> {
  return put(question, answering, false);
}

function put(question: Question, answering: Answering, live: boolean): Promise<Outcome> {
  const spoken = live && question.risk === "low";
  const before = entries.get(question.id);
  if (before) {
    Object.assign(before, { question, answering, spoken, live, answer: null, problem: null });
    startClock(before);
    refresh();
    return before.outcome;
  }
  let settle!: (outcome: Outcome) => void;
  const outcome = new Promise<Outcome>((resolve) => (settle = resolve));
  const entry: Entry = {
    ...{ question, answering, spoken, live, outcome, settle },
    ...{ problem: null, answer: null, timer: undefined },
  };
  entries.set(question.id, entry);
  startClock(entry);
  refresh();
  return outcome;
}

/** Asks about a call over HTTP that waits: its envelope names the id of the confirmation. */
export async function askById(id: string, sessionId: string): Promise<Outcome> {
  const question = await get<Question & { status: string }>(
    `/api/confirmations/${encodeURIComponent(id)}`,
    { query: { session_id: sessionId } },
  );
  if (question.status !== "pending") return { outcome: question.status as Outcome["outcome"] };
  return ask(question, overHttp(question));
}

/** An answer by `POST /api/confirmations/{id}`; for questions that came with their token. */
export function overHttp(question: Question): Answering {
  return (answer) =>
    post<Outcome>(`/api/confirmations/${encodeURIComponent(question.id)}`, {
      token: question.token ?? "",
      ...answer,
    });
}

/** The person has answered. The dialog closes at once; it comes back if that was not taken. */
export async function respond(id: string, answer: Answer): Promise<void> {
  const entry = entries.get(id);
  if (!entry || entry.answer) return;
  entry.answer = answer;
  entry.problem = null;
  clearTimeout(entry.timer);
  refresh();
  try {
    const outcome = await entry.answering(answer);
    if (outcome) settled({ id, ...outcome });
  } catch (error) {
    const known = settledElsewhere(error);
    if (known) settled({ id, outcome: known });
    else reopen(id, said(error));
  }
}

/** What came of a question, whoever answered it: `confirmation_resolved`. */
export function settled(message: { id: string } & Outcome): void {
  const entry = entries.get(message.id);
  if (!entry) return;
  clearTimeout(entry.timer);
  entries.delete(message.id);
  refresh();
  tell(entry, message);
  entry.settle({ outcome: message.outcome, result: message.result ?? null });
}

/** Questions that calls over HTTP left open, from before the page was loaded. Not in the way. */
export async function remind(sessionId: string): Promise<void> {
  const { confirmations } = await get<{ confirmations: Question[] }>("/api/confirmations", {
    query: { session_id: sessionId, status: "pending" },
  });
  for (const question of confirmations.filter((each) => !entries.has(each.id)).reverse()) {
    const id = toast(t("{tool} is waiting for your approval.", { tool: question.tool }), {
      stays: true,
      action: {
        label: t("Review"),
        run: () => {
          dismiss(id);
          void ask(question, overHttp(question));
        },
      },
    });
  }
}

function startClock(entry: Entry): void {
  clearTimeout(entry.timer);
  const left = entry.question.expires_at * 1000 - Date.now();
  entry.timer = setTimeout(() => expire(entry), Math.max(0, left));
}

function expire(entry: Entry): void {
  entry.answer = { approve: false };
  refresh();
  entry.timer = setTimeout(async () => {
    const { id } = entry.question;
    try {
      const outcome = await entry.answering({ approve: false });
      if (outcome) return settled({ id, ...outcome });
    } catch {
      // Nobody is there to be told, or it has been settled: it was not run either way.
    }
    settled({ id, outcome: "expired" });
  }, GRACE_MS);
}

function reopen(id: string, problem: string): void {
  const entry = entries.get(id);
  if (!entry) return;
  Object.assign(entry, { answer: null, problem });
  startClock(entry);
  refresh();
}

/** What the server says has become of it, when it does not take an answer any more. */
function settledElsewhere(error: unknown): Outcome["outcome"] | null {
  if (!(error instanceof ApiError)) return null;
  if (error.status === 404) return "void";
  const outcome = (error.body as { outcome?: string } | null)?.outcome;
  return error.status === 409 && outcome && outcome !== "pending"
    ? (outcome as Outcome["outcome"])
    : null;
}

function refresh(): void {
  questions.value = [...entries.values()]
    .filter((entry) => !entry.answer)
    .map(({ question, spoken, problem }) => ({ question, spoken, problem }));
}

function tell(entry: Entry, { outcome, result }: Outcome): void {
  // Where the conversation is seen, it says so itself.
  if (entry.live && route.value.page === "vox" && !entry.answer?.remember) return;
  const what = named(entry.question);
  if (outcome === "approved" && result?.ok === false) {
    toast(t("Approved, but it failed: {message}", { message: result.error?.message ?? what }), { kind: "bad" });
  } else if (outcome === "approved") {
    const remember = entry.answer?.approve ? entry.answer.remember : undefined;
    toast([t("Approved and done: {what}.", { what }), REMEMBERED[remember ?? "once"]].filter(Boolean).join(" "), {
      kind: "good",
      ...(remember ? { href: "#/settings/approvals" } : {}),
    });
  } else if (outcome === "denied") {
    toast(t("Denied: {what}. Nothing was done.", { what }));
  } else if (outcome === "expired") {
    toast(t("Denied because nobody answered in time: {what}.", { what }));
  } else {
    toast(t("Not run: {what}. The tools have changed, or the conversation has ended.", { what }));
  }
}

const REMEMBERED = {
  once: "",
  session: t("You will not be asked again in this session."),
  always: t("You will not be asked again."),
};

/** The question's title without the tool's id behind it. */
export function named({ title, tool }: Question): string {
  const plain = title?.replace(/\s*\([^()]*\)$/, "").trim();
  return plain || tool;
}

on("confirmation_required", (question) => {
  const { id, token } = question;
  const answering: Answering = (answer) => {
    if (say({ type: "confirmation_response", id, token, ...answer })) return;
    // The line is down, but the server may still be there.
    return overHttp(question)(answer);
  };
  void put(question, answering, true);
});
on("confirmation_resolved", settled);
on("voice_session_end", () => {
  for (const { live, question } of [...entries.values()]) {
    if (live) settled({ id: question.id, outcome: "void" });
  }
});
on("error", (message) => {
  if (message.about === "confirmation_response" && message.id) reopen(message.id, message.message);
});

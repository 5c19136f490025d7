/**
 * What a person is asked before something happens. Questions come from the conversation, from the
 * chat and from calls over HTTP; they queue up, and time that runs out is a no.
 */
import { computed, signal } from "@preact/signals";

import { ApiError, get, post, said } from "../api/http";
import { plural, t } from "../i18n";
import { go, route } from "../router";
import { on, say } from "../voice/bus";
import type { Envelope } from "../voice/transcript";
import { dismiss, toast } from "./toasts";

export type Remember = "session" | "always";

export interface QuestionField {
  name: string;
  label?: string;
  value: unknown;
  display?: string;
  full?: string;
  /** It may be left out, and says nothing. */
  empty?: boolean;
  /** Where the value comes from, as far as the server can tell. */
  origin?: { kind: "said" | "result" | "untrusted" | "default" | "model"; text: string };
  /** It goes to somewhere that the person has not named, and nothing went to before. */
  new?: boolean;
}

/** A value that the server does not take, at its JSON pointer. */
export interface WrongValue {
  pointer: string;
  message: string;
  expected?: string;
}

export interface Question {
  id: string;
  tool: string;
  title?: string;
  /** The text of others that may have led to it. */
  read_before?: string;
  /** What would happen, in words. */
  preview: string;
  /** The arguments as they will be used. */
  fields?: QuestionField[];
  /** False: there is more than `fields` can hold. */
  complete?: boolean;
  risk: "low" | "high";
  rule?: string | null;
  /** Seconds of the epoch. */
  expires_at: number;
  token?: string;
  session_id?: string;
  /** Whose call it is. */
  user?: string;
  /** What else may be offered beside "once". Missing: nothing. */
  remember?: Remember[];
  /** The arguments, to be changed before a yes. Missing: they cannot be. */
  args?: Record<string, unknown> | null;
  /** How many people have to approve it, and who has. */
  approvals?: number;
  approved_by?: string[];
}

export interface Answer {
  approve: boolean;
  remember?: Remember;
  /** To be run in place of those that were asked about. */
  args?: Record<string, unknown>;
  /** Who answers, where that is a second person at this browser. */
  user?: string;
}

export interface Outcome {
  /** `pending`: a second person has to approve it, too. */
  outcome: "approved" | "denied" | "expired" | "void" | "pending";
  /** The envelope of the call. */
  result?: Envelope | null;
}

/** Sends the answer. Gives the outcome, or nothing where that comes as a message of its own. */
export type Answering = (answer: Answer) => Promise<Outcome | void> | Outcome | void;

export interface Asked {
  question: Question;
  /** A clear yes may also be spoken: it was asked in a conversation, and the risk is low. */
  spoken: boolean;
  /** Why the answer before was not taken, the values that are wrong, and what was written. */
  problem: string | null;
  wrong: WrongValue[];
  draft: Record<string, unknown> | null;
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
/** An answer over the conversation's line that nothing came of is looked after this often. */
export const CHECK_MS = 4000;
const CHECKS = 3;

const entries = new Map<string, Entry>();
/** Those that wait for an answer, the oldest first. The first one is shown. */
export const questions = signal<Asked[]>([]);
export const current = computed(() => questions.value[0] ?? null);
/** How many wait for an answer on the server, of whatever session. For badges. */
export const openQuestions = signal(0);

/** Who looks at what waits on the server; it comes behind the page. */
export interface Watcher {
  opened: (id: string, what: string) => void;
  /** Null: other tabs need not be told. */
  settled: (message: { id: string; outcome: Outcome["outcome"] } | null) => void;
}
let watcher: Watcher | null = null;
export function watchBy(next: Watcher | null): void {
  watcher = next;
}

/** Those that this page asks or has answered, and whether their own answer tells what comes of them. */
export const held = (): { id: string; told: boolean }[] =>
  [...entries.values()].map(({ question, answer }) => ({ id: question.id, told: answer !== null && !question.approved_by?.length }));

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
    Object.assign(before, { question, answering, spoken, live, answer: null, problem: null, wrong: [], draft: null });
    startClock(before);
    refresh();
    return before.outcome;
  }
  let settle!: (outcome: Outcome) => void;
  const outcome = new Promise<Outcome>((resolve) => (settle = resolve));
  const entry: Entry = {
    ...{ question, answering, spoken, live, outcome, settle },
    ...{ problem: null, wrong: [], draft: null, answer: null, timer: undefined },
  };
  entries.set(question.id, entry);
  startClock(entry);
  refresh();
  watcher?.opened(question.id, named(question));
  return outcome;
}

/** Asks about a call over HTTP that waits: its envelope names the id of the confirmation. */
export async function askById(id: string, sessionId: string, user?: string): Promise<Outcome> {
  const question = await get<Question & { status: string }>(
    `/api/confirmations/${encodeURIComponent(id)}`,
    { query: { session_id: sessionId, ...(user ? { user } : {}) } },
  );
  if (question.status !== "pending") return { outcome: question.status as Outcome["outcome"] };
  const known = entries.get(id);
  // One that the conversation asks is answered there: it stops reading the question out.
  if (known?.live && !user) return put(question, known.answering, true);
  return ask(question, overHttp(question, user));
}

/** An answer by `POST /api/confirmations/{id}`; for questions that came with their token. */
export function overHttp(question: Question, user?: string): Answering {
  return (answer) =>
    post<Outcome>(`/api/confirmations/${encodeURIComponent(question.id)}`, {
      token: question.token ?? "",
      ...answer,
      ...(user ? { user } : {}),
    });
}

/** The person has answered. The dialog closes at once; it comes back if that was not taken. */
export async function respond(id: string, answer: Answer): Promise<void> {
  const entry = entries.get(id);
  if (!entry || entry.answer) return;
  Object.assign(entry, { answer, problem: null, wrong: [], draft: answer.args ?? null });
  clearTimeout(entry.timer);
  refresh();
  try {
    const outcome = await entry.answering(answer);
    if (outcome) settled({ id, ...outcome });
  } catch (error) {
    const known = settledElsewhere(error);
    if (known) settled({ id, outcome: known }, "elsewhere");
    else reopen(id, said(error), wrongIn(error));
  }
}

/** An answer went over the conversation's line. If that was lost with it, it is sent again over HTTP, or told. */
async function lookAfter(id: string, answering: Answering, left = CHECKS): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, CHECK_MS));
  const answer = entries.get(id)?.answer;
  if (!answer || entries.get(id)!.question.approved_by?.length) return;
  try {
    const { status } = await get<{ status: Outcome["outcome"] }>(`/api/confirmations/${encodeURIComponent(id)}`);
    if (!entries.get(id)?.answer) return;
    if (status === "pending") {
      const outcome = await answering(answer);
      if (outcome) settled({ id, ...outcome });
    } else if (left > 1) {
      // It was taken, and what was approved may take a while.
      await lookAfter(id, answering, left - 1);
    } else {
      settled({ id, outcome: status });
    }
  } catch (error) {
    const known = settledElsewhere(error);
    if (known) settled({ id, outcome: known });
    else reopen(id, t("Your answer did not get through, so nothing was done: {problem}", { problem: said(error) }), wrongIn(error));
  }
}

/** What came of a question, whoever answered it: `confirmation_resolved`. */
export function settled(message: { id: string; answered_by?: string } & Outcome, where: "here" | "elsewhere" = "here"): void {
  const entry = entries.get(message.id);
  if (!entry) return;
  clearTimeout(entry.timer);
  if (message.outcome === "pending") return second(entry);
  entries.delete(message.id);
  refresh();
  tell(entry, message, where === "elsewhere" && !entry.answer);
  entry.settle({ outcome: message.outcome, result: message.result ?? null });
  watcher?.settled(where === "here" ? { id: message.id, outcome: message.outcome } : null);
}

/** This person has said yes; another one has to, too. It is found among the approvals. */
function second(entry: Entry): void {
  entry.answer ??= { approve: true };
  refresh();
  toast(t("Approved by you. A second person must approve it too: {what}.", { what: named(entry.question) }), { href: `#/inbox/${entry.question.id}` });
  watcher?.settled(null);
}

/** Questions that calls over HTTP left open, from before the page was loaded. Not in the way. */
export async function remind(sessionId: string): Promise<void> {
  const { confirmations } = await get<{ confirmations: Question[] }>("/api/confirmations", {
    query: { session_id: sessionId, status: "pending" },
  });
  const waiting = confirmations.filter((each) => !entries.has(each.id));
  const [question, ...more] = waiting;
  // Where they are listed, nobody has to be told.
  if (!question || route.value.page === "inbox") return;
  const text = more.length
    ? plural(waiting.length, "{count} call is waiting for your approval.", "{count} calls are waiting for your approval.")
    : t("Waiting for your approval: {what}?", { what: named(question) });
  const id = toast(text, {
    stays: true,
    action: {
      label: t("Review"),
      run: () => {
        dismiss(id);
        if (more.length) go("#/inbox?status=pending");
        else void ask(question, overHttp(question));
      },
    },
  });
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

function reopen(id: string, problem: string, wrong: WrongValue[] = []): void {
  const entry = entries.get(id);
  if (!entry) return;
  Object.assign(entry, { answer: null, problem, wrong });
  startClock(entry);
  refresh();
}

function wrongIn(error: unknown): WrongValue[] {
  const errors = error instanceof ApiError ? (error.body as { errors?: unknown } | null)?.errors : null;
  return Array.isArray(errors) ? (errors as WrongValue[]).filter((each) => typeof each.pointer === "string") : [];
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
    .map(({ question, spoken, problem, wrong, draft }) => ({ question, spoken, problem, wrong, draft }));
}

function tell(entry: Entry, { outcome, result }: Outcome, elsewhere: boolean): void {
  // Where the conversation is seen, it says so itself.
  const seen = route.value.page === "vox" || route.value.page === "chat";
  const written = entry.question.session_id !== undefined && !entry.question.session_id.startsWith("rest-");
  if ((entry.live || written) && seen && !entry.answer?.remember) return;
  const what = named(entry.question);
  if (elsewhere && (outcome === "approved" || outcome === "denied")) {
    toast(outcome === "approved" ? t("Approved in another window: {what}.", { what }) : t("Denied in another window: {what}. Nothing was done.", { what }));
    return;
  }
  if (outcome === "approved" && result?.ok === false) {
    toast(t("Approved, but it failed: {message}", { message: result.error?.message ?? what }), { kind: "bad" });
  } else if (outcome === "approved") {
    const remember = entry.answer?.approve ? entry.answer.remember : undefined;
    const done = entry.answer?.args ? t("Approved with your changes and done.") : t("Approved and done: {what}.", { what });
    toast([done, REMEMBERED[remember ?? "once"]].filter(Boolean).join(" "), {
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

/** What is asked, as a statement. */
export function named({ title, tool }: Pick<Question, "title" | "tool">): string {
  const plain = title?.replace(/[?\s]+$/, "").trim();
  return plain || tool;
}

on("confirmation_required", (question) => {
  const { id, token } = question;
  const known = entries.get(id);
  if (known && question.approved_by?.length) {
    // Of two people, one has said yes.
    known.question = question;
    if (known.answer) return second(known);
  }
  const answering: Answering = (answer) => {
    if (!say({ type: "confirmation_response", id, token, ...answer })) {
      // The line is down, but the server may still be there.
      return overHttp(question)(answer);
    }
    void lookAfter(id, overHttp(question));
    return undefined;
  };
  void put(question, answering, true);
});
on("confirmation_resolved", (message) => settled(message));
on("voice_session_end", () => {
  for (const { live, question } of [...entries.values()]) {
    if (live) settled({ id: question.id, outcome: "void" });
  }
});
on("error", (message) => {
  if (message.about !== "confirmation_response" || !message.id) return;
  reopen(message.id, message.message, (message.errors ?? []) as unknown as WrongValue[]);
});

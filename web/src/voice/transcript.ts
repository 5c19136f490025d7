/**
 * What was said and done, in order. Each entry has signals of its own, so that a word that is added
 * concerns nobody but its entry; the list changes only when an entry comes or finds its place.
 */
import { batch, signal, type Signal } from "@preact/signals";

import { t } from "../i18n";
import type { Decision, MessageOf, VoiceMessage } from "./messages";

interface Base {
  id: number;
  /** Seconds of the epoch, by the clock of the server. */
  at: number;
}

export type Opinion = "up" | "down";

export interface UserEntry extends Base {
  kind: "user";
  /** What names it at the server; null until it was loaded from there. */
  stored: string | null;
  spoken: boolean;
  text: Signal<string>;
  /** It is not said to its end, or not yet understood for good. */
  open: Signal<boolean>;
}

export interface AssistantEntry extends Base {
  kind: "assistant";
  stored: string | null;
  turn: number;
  text: Signal<string>;
  /** `interrupted`: the person cut in. */
  state: Signal<"open" | "done" | "interrupted">;
  /** How many characters of it were heard, where its speech was stopped; null: all, or none was spoken. */
  heard: Signal<number | null>;
  opinion: Signal<Opinion | null>;
  /** Records that tools found for it: those that it names are what it rests on. */
  evidence: string[];
  /** Those records, where the server has told of them. */
  known?: ReadonlyMap<string, Source>;
}

export interface ToolOutcome {
  ok: boolean;
  /** As it came: an envelope from the chat, `success` beside the data from the conversation. */
  result: unknown;
  error: string | null;
  errorType: string | null;
  durationMs: number | null;
  replayed: boolean;
  meta: Record<string, unknown>;
}

export interface ToolEntry extends Base {
  kind: "tool";
  callId: string | null;
  name: string;
  args: unknown;
  decision: Decision | null;
  /** It ran in this browser. */
  here: boolean;
  outcome: Signal<ToolOutcome | null>;
  /** What the person said when they were asked about it. */
  consent: Signal<string | null>;
}

export interface NoteEntry extends Base {
  kind: "note";
  tone: "info" | "good" | "bad";
  text: string;
}

/** A picture that a tool shows to the person. */
export interface Picture {
  url: string;
  caption: string;
  alt: string;
  width: number | null;
  height: number | null;
}

export interface ImageEntry extends Base {
  kind: "image";
  /** Of the message: one that comes twice is the same. */
  key: string;
  picture: Picture;
}

export type Entry = UserEntry | AssistantEntry | ToolEntry | NoteEntry | ImageEntry;

/** A record that a tool found: what a citation of it means. */
export interface Source {
  title: string;
  snippet: string;
  database: string | null;
}

/** An utterance of which nothing more was heard for so many seconds was none. */
const FORGOTTEN_S = 5;

export class Transcript {
  readonly entries = signal<Entry[]>([]);
  readonly sources = signal<ReadonlyMap<string, Source>>(new Map());
  private last = 0;
  /** How far the server's clock is ahead of ours. */
  private ahead: number | null = null;
  /** The utterance that is being understood, and when it was last heard of. */
  private partial: { entry: UserEntry; heard: number; startedAt: number | null } | null = null;
  private answer: AssistantEntry | null = null;
  /** What tools have found since the person spoke last. */
  private found: string[] = [];
  private passed: NoteEntry | null = null;

  constructor(private readonly now: () => number = () => Date.now() / 1000) {}

  /** What a message of the server changes. Those that are none of its business change nothing. */
  take(message: VoiceMessage): void {
    batch(() => this.taken(message));
  }

  private taken(message: VoiceMessage): void {
    this.dropForgotten();
    switch (message.type) {
      case "partial_transcript":
        if (message.role === "user") this.understood(message.text);
        break;
      case "transcript":
        if (message.role === "user") this.heard(message);
        else this.answered(message.text, message);
        break;
      case "text":
        if (message.filler) this.note(message.text);
        else this.answered(message.text, message);
        break;
      case "function_call":
        this.called(message);
        break;
      case "function_result":
        this.finish(message.fn_call_id, message.name, flatOutcome(message));
        break;
      case "turn_complete":
        this.closeAnswer(message.reason === "interrupted" ? "interrupted" : "done");
        break;
      case "interrupted":
        this.cutOff(message.turn_id, message.cut_in !== false);
        break;
      case "image":
        this.pictured(message);
        break;
      case "waiting":
        this.passing(message.message);
        break;
    }
  }

  // -- the person ------------------------------------------------------------------------------

  /** Something that the person wrote, or that was recognised in this browser. */
  add(text: string, spoken = false): UserEntry {
    this.closePerson();
    this.found = [];
    const entry = this.user(text, spoken, false);
    this.append(entry);
    return entry;
  }

  /** So far; replaced by what is understood next. */
  understood(text: string): void {
    if (!this.partial) {
      if (!text) return;
      const entry = this.user(text, true, true);
      this.append(entry);
      this.partial = { entry, heard: this.now(), startedAt: null };
    }
    this.partial.entry.text.value = text;
    this.partial.heard = this.now();
  }

  /** A piece of an utterance that is understood for good; it stands where it began. */
  private heard({ text, started_at: startedAt, final, replaces }: MessageOf<"transcript">): void {
    if (replaces) this.takeBack(replaces);
    if (this.partial && (this.partial.startedAt === null || this.partial.startedAt === startedAt)) {
      const { entry } = this.partial;
      // The first piece takes the place of what was guessed, the next ones follow it.
      entry.text.value = this.partial.startedAt === null ? text : entry.text.value + text;
      if (this.partial.startedAt === null && startedAt) this.place(entry, startedAt);
    } else {
      this.closePerson();
      const entry = this.user(text, true, true);
      if (startedAt) this.place(entry, startedAt);
      else this.append(entry);
      this.partial = { entry, heard: this.now(), startedAt };
    }
    this.partial!.startedAt = startedAt ?? null;
    this.partial!.heard = this.now();
    this.found = [];
    if (final) this.closePerson();
  }

  /** The person went on with what they had said: neither it nor its answer stands any longer. */
  private takeBack(said: string): void {
    const entries = this.entries.value;
    const half = entries.findLastIndex((each) => each.kind === "user" && each.text.value === said);
    if (half < 0) return;
    this.entries.value = entries.filter((each, at) => at < half || each === this.partial?.entry);
    this.answer = null;
  }

  private user(text: string, spoken: boolean, open: boolean): UserEntry {
    return { kind: "user", id: ++this.last, at: this.time(), stored: null, spoken, text: signal(text), open: signal(open) };
  }

  private closePerson(): void {
    if (this.partial) this.partial.entry.open.value = false;
    this.partial = null;
  }

  /** Noise that was taken for speech leaves a guess and no words. */
  private dropForgotten(): void {
    const { partial } = this;
    if (!partial || partial.startedAt !== null || this.now() - partial.heard < FORGOTTEN_S) return;
    this.entries.value = this.entries.value.filter((each) => each !== partial.entry);
    this.partial = null;
  }

  // -- the model -------------------------------------------------------------------------------

  answered(text: string, message: { turn_id?: number; replaces?: string } = {}): void {
    if (!text) return;
    this.dropPassing();
    const turn = message.turn_id ?? 0;
    if (this.partial?.startedAt != null) this.closePerson();
    if (!this.answer || this.answer.turn !== turn) {
      this.closeAnswer("done");
      this.answer = {
        ...{ kind: "assistant", id: ++this.last, at: this.time(), turn, evidence: this.found },
        ...{ text: signal(""), state: signal("open"), stored: null, heard: signal(null), opinion: signal(null) },
      };
      this.append(this.answer);
    }
    const before = this.answer.text.value;
    const corrected = message.replaces && before.endsWith(message.replaces);
    this.answer.text.value = (corrected ? before.slice(0, -message.replaces!.length) : before) + text;
  }

  /** The answer in hand is over. */
  closeAnswer(state: "done" | "interrupted"): void {
    if (this.answer && this.answer.state.value === "open") this.answer.state.value = state;
    this.answer = null;
  }

  /** No more of it comes. `cutIn`: because the person did not want to hear it to its end. */
  private cutOff(turn: number | undefined, cutIn: boolean): void {
    const cut = this.entries.value.findLast(
      (each): each is AssistantEntry => each.kind === "assistant" && each.turn === turn,
    );
    if (cut && (cutIn || cut.state.value === "open")) cut.state.value = cutIn ? "interrupted" : "done";
    if (cut === this.answer) this.answer = null;
  }

  // -- tools -----------------------------------------------------------------------------------

  called(message: Omit<MessageOf<"function_call">, "type">): ToolEntry {
    this.closeAnswer("done");
    this.dropPassing();
    if (typeof message.started_at === "number") {
      this.ahead = Math.max(this.ahead ?? -Infinity, message.started_at - this.now());
    }
    const entry: ToolEntry = {
      kind: "tool",
      id: ++this.last,
      at: this.time(),
      callId: message.fn_call_id ?? null,
      name: message.name,
      args: message.args,
      decision: message.decision ?? null,
      here: message.server_handled === false,
      outcome: signal(null),
      consent: signal(null),
    };
    this.append(entry);
    return entry;
  }

  /** A call that ran in this browser. */
  ranHere(callId: string): void {
    const entry = this.entries.peek().findLast((each): each is ToolEntry => each.kind === "tool" && each.callId === callId);
    if (entry) entry.here = true;
  }

  /** What came of a call; ids that a model made up may come again, so the last one counts. */
  finish(callId: string | null | undefined, name: string | undefined, outcome: ToolOutcome): void {
    const waiting = this.entries.value.findLast(
      (each): each is ToolEntry =>
        each.kind === "tool" && each.callId === (callId ?? null) && (!name || each.name === name),
    );
    if (!waiting) return;
    waiting.outcome.value = outcome;
    this.learn(outcome.result, waiting.args);
  }

  /** Remembers what was found, so that citations can be told by their titles. */
  private learn(result: unknown, args: unknown): void {
    const found = new Map<string, Source>();
    collect(result, homeOf(args), found, 0);
    if (!found.size) return;
    this.found = [...this.found, ...found.keys()];
    this.sources.value = new Map([...this.sources.value, ...found]);
  }

  // -- the rest --------------------------------------------------------------------------------

  pictured(message: MessageOf<"image">): void {
    const { id: key, url, caption, alt, width, height } = message;
    if (this.entries.value.some((each) => each.kind === "image" && each.key === key)) return;
    this.closeAnswer("done");
    this.append({ kind: "image", id: ++this.last, at: this.time(), key: String(key), picture: { url, caption, alt: alt ?? "", width, height } });
  }

  note(text: string, tone: NoteEntry["tone"] = "info"): void {
    this.append({ kind: "note", id: ++this.last, at: this.time(), tone, text });
  }

  /** A note that is true until the agent says or does something. */
  passing(text: string): void {
    this.dropPassing();
    this.note(text);
    this.passed = this.entries.peek().at(-1) as NoteEntry;
  }

  private dropPassing(): void {
    if (this.passed) this.remove(this.passed);
    this.passed = null;
  }

  /** What a person has decided about a call. The agent says what came of it; nobody else has to. */
  resolved(tool: string, outcome: string): void {
    const asked = this.entries.peek().findLast((each): each is ToolEntry => each.kind === "tool" && each.name === tool);
    if (asked) asked.consent.value = outcome;
    if (outcome === "expired") this.note(t("No one answered in time, so {tool} was not run.", { tool: nameOf(tool) }));
    else if (outcome !== "approved" && outcome !== "denied") this.note(t("{tool} was not run: the approval is out of date.", { tool: nameOf(tool) }));
  }

  /** Something that did not become part of the conversation after all. */
  remove(entry: Entry): void {
    this.entries.value = this.entries.value.filter((each) => each !== entry);
  }

  /** How far the answer of a turn was heard when its speech was stopped: a share of it. */
  heardUpTo(turn: number, share: number): void {
    const cut = this.entries.peek().findLast((each): each is AssistantEntry => each.kind === "assistant" && each.turn === turn);
    if (!cut || share >= 1) return;
    const text = cut.text.peek();
    const end = text.indexOf(" ", Math.round(text.length * share));
    if (end > 0) cut.heard.value = end;
  }

  /** The line is lost: whatever was being said is not said to its end. */
  interrupted(): void {
    this.dropPassing();
    this.closePerson();
    this.closeAnswer("interrupted");
  }

  /** Entries from before, such as those of a conversation that is taken up again. */
  restore(entries: Entry[]): void {
    this.last = Math.max(this.last, ...entries.map((each) => each.id));
    this.partial = this.answer = null;
    this.entries.value = entries;
    for (const each of entries) {
      if (each.kind === "tool") this.learn(each.outcome.peek()?.result, each.args);
      else if (each.kind === "user") this.found = [];
      else if (each.kind === "assistant") {
        if (!each.evidence.length) each.evidence = this.found;
        if (each.known?.size) this.sources.value = new Map([...this.sources.value, ...each.known]);
      }
    }
  }

  clear(): void {
    this.partial = this.answer = null;
    this.found = [];
    this.ahead = null;
    this.entries.value = [];
    this.sources.value = new Map();
  }

  private time(): number {
    return this.now() + (this.ahead ?? 0);
  }

  /** At the end, whatever its clock says. */
  private append(entry: Entry): void {
    const last = this.entries.value.at(-1);
    if (last && entry.at < last.at) entry.at = last.at;
    this.entries.value = [...this.entries.value, entry];
  }

  /** Where it began: an answer may have begun before its question was understood. */
  private place(entry: Entry, at: number): void {
    const others = this.entries.value.filter((each) => each !== entry);
    entry.at = at;
    const before = others.findLastIndex((each) => each.at <= at);
    this.entries.value = others.toSpliced(before + 1, 0, entry);
  }
}

/** A tool in words: `calendar_create_event` is "Calendar create event". */
export function nameOf(tool: string): string {
  const words = tool.replace(/[_-]+/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** From `function_result`: `success` beside the data. */
function flatOutcome(message: MessageOf<"function_result">): ToolOutcome {
  const { result, meta } = message;
  const ok = result?.["success"] !== false;
  return {
    ok,
    result,
    error: ok ? null : String(result?.["error"] ?? t("It failed without a message.")),
    errorType: ok ? null : ((result?.["error_type"] as string) ?? null),
    durationMs: typeof meta["duration"] === "number" ? meta["duration"] : null,
    replayed: meta["replayed"] === true,
    meta,
  };
}

/** What every call answers. */
export interface Envelope {
  ok?: boolean;
  data?: unknown;
  error?: { message?: string; type?: string } | null;
  meta?: Record<string, unknown>;
}

/** From an envelope, as the chat and the store have it. */
export function envelopeOutcome(envelope: Envelope | null | undefined, durationMs?: number): ToolOutcome {
  const meta = envelope?.meta ?? {};
  const ok = envelope?.ok === true;
  return {
    ok,
    result: ok ? envelope?.data : envelope?.error,
    error: ok ? null : (envelope?.error?.message ?? t("It failed without a message.")),
    errorType: ok ? null : (envelope?.error?.type ?? null),
    durationMs: durationMs ?? (typeof meta["duration"] === "number" ? meta["duration"] : null),
    replayed: meta["replayed"] === true,
    meta,
  };
}

/** The database that something is about; the tools call it by one of these names. */
function homeOf(fields: unknown): string | null {
  const { database_id, database, namespace } = (fields ?? {}) as Record<string, unknown>;
  const named = database_id ?? database ?? namespace;
  return typeof named === "string" ? named : null;
}

const RECORD_ID = /^[a-z][a-z0-9_]*:[^\s()]+$/;
const DEEP = 4;

function collect(value: unknown, database: string | null, into: Map<string, Source>, depth: number): void {
  if (depth > DEEP || value === null || typeof value !== "object") return;
  if (Array.isArray(value)) {
    for (const each of value) collect(each, database, into, depth + 1);
    return;
  }
  const record = value as Record<string, unknown>;
  const home = homeOf(record) ?? database;
  const { id, title } = record;
  if (typeof id === "string" && typeof title === "string" && RECORD_ID.test(id)) {
    into.set(id, { title, snippet: String(record["snippet"] ?? ""), database: home });
  }
  for (const each of Object.values(record)) {
    if (typeof each === "object") collect(each, home, into, depth + 1);
  }
}

/**
 * Work in the background, as toasts: what the conversation tells of it, and what the server knows
 * of tasks that were started elsewhere or before the page was loaded.
 */
import { signal } from "@preact/signals";

import { ApiError, get, post, said } from "../api/http";
import { t } from "../i18n";
import { at, type PageId } from "../router";
import { on } from "../voice/bus";
import type { MessageOf } from "../voice/messages";
import { dismiss, toast } from "./toasts";

export interface Task {
  id: string;
  tool: string;
  status: "queued" | "running" | "succeeded" | "failed" | "cancelled" | "unknown";
  message: string;
  /** 0 to 1; null where nobody knows. */
  fraction: number | null;
  stopping: boolean;
}

/** Those that are under way, the newest last. */
export const tasks = signal<Task[]>([]);

const PAGE: Record<string, PageId> = {
  run_workflow: "workflows",
  run_agent: "agents",
  ingest_to_kg: "kg-studio",
  cross_kg_search: "kg-studio",
};
const BUSY_MS = 1500;
const IDLE_MS = 20_000;

const shown = new Map<string, number>();
/** Closed by the person: only their end is told. */
const closed = new Set<string>();
/** Whose end was told, or that had ended before we came. */
const over = new Set<string>();

/** `run_workflow` as people would say it. */
export function titled(tool: string): string {
  const words = tool.replaceAll("_", " ").replace(/\bkg\b/g, "knowledge");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function pageOf(tool: string, id: string): string {
  const page = PAGE[tool];
  return page ? at(page, [], { task: id }) : at("sessions");
}

function underWay(task: Task): void {
  if (over.has(task.id)) return;
  const index = tasks.value.findIndex((each) => each.id === task.id);
  tasks.value = index < 0 ? [...tasks.value, task] : tasks.value.with(index, task);
  if (closed.has(task.id)) return;
  const doing = task.stopping ? t("stopping…") : task.message || t("started");
  const id = toast(`${titled(task.tool)}: ${doing}`, {
    ...(shown.has(task.id) ? { id: shown.get(task.id)! } : {}),
    href: pageOf(task.tool, task.id),
    progress: task.fraction,
    onDismiss: () => closed.add(task.id),
    ...(task.stopping ? {} : { action: { label: t("Stop"), run: () => void cancel(task.id) } }),
  });
  shown.set(task.id, id);
}

function ended(id: string, tool: string, status: string, words: string): void {
  if (over.has(id)) return;
  over.add(id);
  tasks.value = tasks.value.filter((each) => each.id !== id);
  const before = shown.get(id);
  if (before !== undefined) dismiss(before);
  const ending = (ENDINGS[status] ?? ENDINGS["over"]!)(titled(tool));
  toast(words ? `${ending}: ${words}` : `${ending}.`, {
    kind: status === "succeeded" ? "good" : status === "cancelled" ? "info" : "bad",
    href: pageOf(tool, id),
  });
}

const ENDINGS: Record<string, (what: string) => string> = {
  succeeded: (what) => t("{what} finished", { what }),
  failed: (what) => t("{what} failed", { what }),
  cancelled: (what) => t("{what} was stopped", { what }),
  unknown: (what) => t("{what} was cut off and may or may not have taken effect", { what }),
  over: (what) => t("{what} ended", { what }),
};

/** Asks for a task to stop; what comes of it is shown. */
export async function cancel(id: string): Promise<void> {
  try {
    merge([await post<TaskRow>(`/api/tasks/${encodeURIComponent(id)}/cancel`)]);
  } catch (error) {
    // 409: it has ended meanwhile, and the next look tells how.
    if (error instanceof ApiError && error.status === 409) await look();
    else toast(said(error), { kind: "bad" });
  }
}

export interface TaskRow {
  id: string;
  tool: string;
  status: Task["status"];
  progress: { message?: string; fraction?: number | null } | null;
  cancel_requested: boolean;
  result?: { ok: boolean; data?: { summary?: string } | null; error?: { message: string } } | null;
}

/** What the server lists. `known`: those that are over by now are not told of. */
export function merge(rows: TaskRow[], known = false): string[] {
  const finished: string[] = [];
  for (const row of rows) {
    if (row.status === "queued" || row.status === "running") {
      const { message, fraction } = row.progress ?? {};
      underWay({
        ...{ id: row.id, tool: row.tool, status: row.status },
        ...{ message: message ?? "", fraction: fraction ?? null, stopping: row.cancel_requested },
      });
    } else if (known) over.add(row.id);
    else if (!over.has(row.id)) {
      // The list does not say what came of it.
      if (row.result === undefined) finished.push(row.id);
      else ended(row.id, row.tool, row.status, outcome(row.result));
    }
  }
  return finished;
}

function outcome(result: TaskRow["result"]): string {
  return (result?.ok === false ? result.error?.message : result?.data?.summary) ?? "";
}

let first = true;

async function look(): Promise<void> {
  const { tasks: rows } = await get<{ tasks: TaskRow[] }>("/api/tasks", { query: { limit: 20 } });
  const finished = merge([...rows].reverse(), first);
  first = false;
  for (const id of finished) {
    merge([await get<TaskRow>(`/api/tasks/${encodeURIComponent(id)}`)]);
  }
}

/** Keeps looking; often while something is under way. The answer stops it. */
export function watchTasks(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let gone = false;
  const round = async () => {
    clearTimeout(timer);
    // A server that is away is told of by whatever the person does next, not by us.
    if (!document.hidden) await look().catch(() => {});
    if (!gone) timer = setTimeout(round, tasks.value.length ? BUSY_MS : IDLE_MS);
  };
  const back = () => {
    if (!document.hidden) void round();
  };
  document.addEventListener("visibilitychange", back);
  void round();
  return () => {
    gone = true;
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", back);
  };
}

/** From the conversation's socket, and from the stream of a chat. */
export function taskMessage(message: TaskMessage): void {
  const { task_id: id, function: tool } = message;
  if (!id || !tool) return;
  if (message.type === "async_task_complete") {
    const { result } = message;
    const words = result["success"] === false ? result["error"] : result["summary"];
    ended(id, tool, message.status, typeof words === "string" ? words : "");
    return;
  }
  const { message: words, fraction } = message.type === "async_task_progress" ? message : {};
  underWay({
    ...{ id, tool, status: "running", stopping: false },
    ...{ message: words ?? "", fraction: fraction ?? null },
  });
}

const TASK_MESSAGES = ["async_task_started", "async_task_progress", "async_task_complete"] as const;
type TaskMessage = MessageOf<(typeof TASK_MESSAGES)[number]>;

for (const type of TASK_MESSAGES) on(type, taskMessage);

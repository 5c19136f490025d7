/** The functions that an agent calls in the browser. Each call is answered, whatever happens. */
import { get, said } from "../api/http";
import { prefer, prefs, type Theme } from "../stores/prefs";
import { conversation } from "../stores/talk";
import type { VoxStatus } from "../voice/backends";
import { on, say } from "../voice/bus";
import { switchModel } from "./model";
import { currentPage, navigate, readPage } from "./page";

type Args = Record<string, unknown>;
type Made = (args: Args) => object | Promise<object>;

const ASKING_MS = 3000;
const THEMES: readonly Theme[] = ["light", "dark", "high-contrast", "system"];

const FUNCTIONS: Record<string, Made> = {
  navigate_page: ({ path }) => navigate(text(path, "path")),
  get_current_page: () => currentPage(),
  get_workspace_state: () => workspaceState(),
  read_page_content: () => readPage(),
  switch_model: ({ provider, model }) => switchModel(text(provider, "provider"), text(model, "model")),
  switch_theme: ({ theme_id }) => switchTheme(text(theme_id, "theme_id")),
};

export interface Result {
  success: boolean;
  error?: string;
  [field: string]: unknown;
}

/** Runs one. Never throws: what goes wrong is a result in words. */
export async function run(name: string, args: unknown): Promise<Result> {
  try {
    const made = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
    if (!made) {
      throw new Error(`This browser has no function "${name}". It has ${Object.keys(FUNCTIONS).join(", ")}.`);
    }
    return { success: true, ...(await made((args ?? {}) as Args)) };
  } catch (error) {
    return { success: false, error: said(error) };
  }
}

function text(value: unknown, name: string): string {
  if (typeof value !== "string" || !value.trim()) throw new Error(`\`${name}\` must be text.`);
  return value.trim();
}

function switchTheme(theme: string): object {
  const known = THEMES.find((each) => each === theme);
  if (!known) throw new Error(`There is no theme "${theme}". There are ${THEMES.join(", ")}.`);
  prefer({ theme: known });
  return { theme_id: known };
}

async function workspaceState(): Promise<object> {
  const { mode, model } = conversation.value?.setup.value ?? {};
  const [status, count] = await Promise.all([
    get<VoxStatus>("/api/vox/status", { signal: AbortSignal.timeout(ASKING_MS) }),
    projects(),
  ]);
  const provider = mode || prefs.value.backend || status.backend;
  const backend = status.backends.find((each) => each.name === provider);
  return {
    provider,
    model: model || prefs.value.model || backend?.voice_model || backend?.model || "",
    page: currentPage().page,
    theme: prefs.value.theme,
    project_count: count,
    session: conversation.value?.conversationId.value ?? null,
  };
}

async function projects(): Promise<number> {
  const { count } = await get<{ count: number }>("/api/projects", { signal: AbortSignal.timeout(ASKING_MS) });
  return count;
}

on("function_call", async (message) => {
  if (message.server_handled !== false) return;
  const { fn_call_id, name, args } = message;
  const result = await run(name, args);
  say({ type: "browser_function_result", fn_call_id, name, result });
});

/** What the palette offers everywhere: pages, tools, knowledge, macros, themes and actions. */
import { get, post, said } from "../api/http";
import { t } from "../i18n";
import { installPrompt } from "../installed";
import { at, go, isOpen, labelOf, LISTED, route } from "../router";
import { may, mayForServer } from "../stores/account";
import { blocked } from "../stores/blocked";
import { askById } from "../stores/confirmations";
import type { Entry } from "../stores/palette";
import { prefer, prefs, type Theme } from "../stores/prefs";
import { conversation, talk, talking } from "../stores/talk";
import { dismiss, toast, toasts } from "../stores/toasts";
import { startTour } from "../stores/tour";
import { shortcutsOpen } from "./shortcuts";

export function actions(): Entry[] {
  const open = talking.value;
  const { page } = route.value;
  const found: (Entry | false)[] = [
    !open && !blocked.value && may("tools.call") && action("talk", t("Start talking"), "mic", t("conversation voice microphone"), () => {
      go(at("vox"));
      talk().catch((error: unknown) => toast(said(error), { kind: "bad" }));
    }),
    open && action("hang-up", t("Hang up"), "stop", t("end the conversation"), () => conversation.value?.hangUp()),
    page !== null && action("tour", t("Take the tour of this page"), "compass", t("guide help"), () => void startTour(page)),
    action("shortcuts", t("Keyboard shortcuts"), "info", t("keys help"), () => (shortcutsOpen.value = true)),
    mayForServer("audit.read") && action("verify", t("Verify the audit"), "shield", t("check the chain"), () => void verify()),
    action("link", t("Copy link to this page"), "copy", t("address share"), () => void copyLink()),
    action("menu", prefs.value.navOpen ? t("Hide menu") : t("Show menu"), "menu", t("navigation sidebar"), () =>
      prefer({ navOpen: !prefs.value.navOpen })),
    installPrompt.value !== null && action("install", t("Install Antiphon as an app"), "download", t("desktop home screen"), () =>
      void installPrompt.value?.prompt()),
    toasts.value.length > 0 && action("notices", t("Dismiss all notifications"), "close", "toasts", () =>
      toasts.value.forEach((each) => dismiss(each.id))),
  ];
  return found.filter((entry) => entry !== false);
}

function action(id: string, label: string, icon: string, words: string, run: () => void): Entry {
  return { id: `action:${id}`, kind: t("Actions"), label, icon, words, first: true, run };
}

const leadsTo = (address: string) => ({ address, run: () => go(address) });

export function pages(): Entry[] {
  return LISTED.filter(isOpen).map((page) => ({
    ...{ id: `page:${page.id}`, kind: t("Pages"), label: labelOf(page), icon: page.icon, first: true as const },
    words: `${page.id} ${page.title} ${page.menu ?? ""}`,
    ...leadsTo(at(page.id)),
  }));
}

const THEMES: Record<Theme, string> = {
  system: t("System default"),
  light: t("Light"),
  dark: t("Dark"),
  "high-contrast": t("High contrast"),
};

export function themes(): Entry[] {
  return Object.entries(THEMES).map(([theme, label]) => ({
    ...{ id: `theme:${theme}`, kind: t("Themes"), label, icon: "sun" },
    words: t("appearance colours mode"),
    ...(prefs.value.theme === theme ? { hint: t("in use") } : {}),
    run: () => prefer({ theme: theme as Theme }),
  }));
}

interface ConversationRow { id: string; title: string }

/** Those of late; older ones are found by their words. */
export async function conversations(): Promise<Entry[]> {
  const found = await get<{ conversations: ConversationRow[] }>("/api/conversations", { query: { limit: 4 } });
  return found.conversations.map(({ id, title }) => ({
    ...{ id: `conversation:${id}`, kind: t("Conversations"), label: title || t("Untitled conversation"), icon: "chat", first: true as const },
    ...leadsTo(at("chat", [id])),
  }));
}

interface ToolRow { toolId: string; description: string }

export async function tools(): Promise<Entry[]> {
  const found = await get<{ tools: ToolRow[] }>("/api/tools");
  return found.tools.map((tool) => ({
    ...{ id: `tool:${tool.toolId}`, kind: t("Tools"), label: tool.toolId, icon: "tool", hint: tool.description },
    ...leadsTo(at("tools", [tool.toolId])),
  }));
}

export async function databases(): Promise<Entry[]> {
  const found = await get<{ databases: { id: string; title: string }[] }>("/api/knowledge");
  return found.databases.map((base) => ({
    ...{ id: `kg:${base.id}`, kind: t("Databases"), label: base.title || base.id, icon: "graph", hint: base.id },
    ...leadsTo(at("kg-studio", [base.id])),
  }));
}

interface MacroRow { id: string; name: string; trigger_phrase: string; step_count: number }

export async function macros(): Promise<Entry[]> {
  const found = await get<{ macros: MacroRow[] }>("/api/vox/macros");
  return found.macros.map((macro) => ({
    ...{ id: `macro:${macro.id}`, kind: t("Run a macro"), label: macro.name, icon: "macro", hint: macro.trigger_phrase },
    run: () => void runMacro(macro),
  }));
}

interface Waiting { confirmation_request?: { id: string }; inside?: Waiting }
interface MacroRun { success: boolean; summary: string; waiting?: Waiting }

async function runMacro(macro: MacroRow): Promise<void> {
  const id = toast(t("{name}: running {step_count} steps…", { name: macro.name, step_count: macro.step_count }), { progress: null });
  try {
    const done = await post<MacroRun>(`/api/vox/macros/${macro.id}/run`);
    toast(done.summary, { id, kind: done.success ? "good" : "bad", href: at("macros", [macro.id]) });
    let { waiting } = done;
    while (waiting?.inside) waiting = waiting.inside;
    if (waiting?.confirmation_request) await askById(waiting.confirmation_request.id, "rest-text");
  } catch (error) {
    toast(said(error), { id, kind: "bad", href: at("macros", [macro.id]) });
  }
}

async function verify(): Promise<void> {
  const id = toast(t("Verifying every line of the audit…"), { progress: null });
  try {
    const found = await get<{ ok: boolean; count: number; problem: string | null }>("/api/audit/verify");
    if (found.ok) toast(t("The audit is intact: {count} lines verified.", { count: found.count }), { id, kind: "good", href: at("audit") });
    else toast(found.problem ?? t("The audit chain is broken."), { id, kind: "bad", href: at("audit") });
  } catch (error) {
    toast(said(error), { id, kind: "bad" });
  }
}

async function copyLink(): Promise<void> {
  try {
    await navigator.clipboard.writeText(location.href);
    toast(t("Link copied."), { kind: "good" });
  } catch {
    toast(t("The browser did not allow copying. Copy the address from the address bar."), { kind: "bad" });
  }
}

/** What the server finds for the palette: records, conversations, automations and more, by their words. */
import { get } from "../api/http";
import { t } from "../i18n";
import { go } from "../router";
import type { Entry } from "./palette";

/** What the server calls each kind of thing; what it may find besides is shown under its own name. */
const KINDS: Record<string, { kind: string; icon: string }> = {
  record: { kind: t("Records"), icon: "graph" },
  conversation: { kind: t("Conversations"), icon: "chat" },
  tool: { kind: t("Tools"), icon: "tool" },
  automation: { kind: t("Automations"), icon: "flow" },
  project: { kind: t("Projects"), icon: "folder" },
  event: { kind: t("Events"), icon: "calendar" },
  setting: { kind: t("Settings"), icon: "settings" },
};

interface Group {
  kind: string;
  items: { id: string; title: string; detail?: string | null; address: string }[];
}

/** As much as the server takes. */
const MOST = 200;

export interface ServerFound {
  found: Entry[];
  /** What could not be searched, and why. */
  problems: string[];
}

export async function searchServer(query: string, signal: AbortSignal): Promise<ServerFound> {
  const { groups, problems } = await get<{ groups: Group[]; problems: string[] }>("/api/search", { query: { q: query.slice(0, MOST) }, signal });
  const found = groups.flatMap((group) => {
    const { kind, icon } = KINDS[group.kind] ?? { kind: group.kind, icon: "chevron" };
    return group.items.map(({ id, title, detail, address }) => ({
      ...{ id: `${group.kind}:${id}`, kind, icon, label: title, address },
      ...(detail ? { hint: detail } : {}),
      run: () => go(address),
    }));
  });
  return { found, problems };
}

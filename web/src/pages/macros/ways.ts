/** Where a phrase runs a macro: by voice and in writing, in writing only, or in no conversation. */
import { t } from "../../i18n";
import type { ToolSummary } from "../tools/api";
import { innerOf, RUNNER, type Step } from "./draft";

export interface Ways {
  /** What the agent of conversations may call, and what of that by voice. */
  written: Set<string>;
  spoken: Set<string>;
}

interface Agent { tools: string[]; modes: Record<string, string[]> }

export function waysIn({ tools: names, modes }: Agent, tools: ToolSummary[]): Ways {
  const within = (mode: string) => new Set(
    tools.filter(({ toolId, allowedModes }) => names.includes(toolId) && [...allowedModes, ...(modes[toolId] ?? [])].includes(mode)).map(({ toolId }) => toolId),
  );
  return { written: within("text"), spoken: within("voice") };
}

/** A tool of the catalogue that the agent may not call by itself is called through another function. */
export function runnerFor(tool: ToolSummary, ways: Ways | null): boolean {
  return !!ways && !ways.written.has(tool.toolId) && !!tool.catalogue && ways.written.has(RUNNER);
}

/** What keeps the phrase from running these steps, in words; empty where nothing does. */
export function hindrance(steps: Pick<Step, "function" | "args">[], ways: Ways | null, tools: ToolSummary[] = []): string {
  if (!ways) return "";
  const names = [...new Set(steps.map((step) => step.function).filter(Boolean))];
  const never = names.filter((name) => !ways.written.has(name) && !ways.spoken.has(name));
  if (never.length) return t("The phrase does not run it: the conversation's agent may not call {tools}. Run it from here or on a schedule.", { tools: never.join(", ") });
  const inner = steps.map(innerOf).filter((id) => id && !(tools.find((tool) => tool.toolId === id)?.allowedModes.includes("voice") ?? true));
  const silent = [...new Set([...names.filter((name) => !ways.spoken.has(name)), ...inner])];
  if (silent.length) return t("Type its phrase; saying it does not run it. By voice, the agent may not call {tools}.", { tools: silent.join(", ") });
  const mute = names.filter((name) => !ways.written.has(name));
  return mute.length ? t("Say its phrase; typing it does not run it. In writing, the agent may not call {tools}.", { tools: mute.join(", ") }) : "";
}

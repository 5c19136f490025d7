/** A call as other programs make it. What is redacted in the audit is left out here as well. */
import { address } from "../api/address";

export interface CallToCopy {
  tool: string;
  args: Record<string, unknown>;
  mode: "text" | "voice";
}

/** What stands in the audit in place of what is kept from it. */
export const HIDDEN = "[redacted]";

/** The arguments without the values at these JSON pointers (`*` is any item), and without what was redacted before. */
export function withoutSecrets(args: Record<string, unknown>, pointers: readonly string[] = []): Record<string, unknown> {
  const copy = structuredClone(args);
  for (const pointer of pointers) {
    hide(copy, pointer.split("/").slice(1).map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~")));
  }
  return dropped(copy) as Record<string, unknown>;
}

function hide(value: unknown, [name, ...rest]: string[]): void {
  if (!value || typeof value !== "object" || name === undefined) return;
  const inside = value as Record<string, unknown>;
  for (const key of name === "*" ? Object.keys(inside) : [name]) {
    if (!(key in inside)) continue;
    if (rest.length) hide(inside[key], rest);
    else inside[key] = HIDDEN;
  }
}

function dropped(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((each) => each !== HIDDEN).map(dropped);
  if (!value || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== HIDDEN).map(([name, each]) => [name, dropped(each)]));
}

const place = (tool: string): string => `${location.origin}${address(`/api/tools/${encodeURIComponent(tool)}/call`)}`;

export function asCurl({ tool, args, mode }: CallToCopy): string {
  const body = JSON.stringify({ args, mode }).replaceAll("'", "'\\''");
  return `curl -s '${place(tool)}' -H 'Content-Type: application/json' -d '${body}'`;
}

export function asHttpx({ tool, args, mode }: CallToCopy): string {
  return [
    "import httpx",
    "",
    `answer = httpx.post(${python(place(tool))}, json=${python({ args, mode })}, timeout=60)`,
    "print(answer.json())",
    "",
  ].join("\n");
}

export function asAntiphon({ tool, args, mode }: CallToCopy): string {
  return [
    "from antiphon import Antiphon, Registry",
    "",
    'with Antiphon(tools=Registry.load("tool_registry.json"), settings={}).sync as app:',
    `    print(app.call(${python(tool)}, ${python(args)}${mode === "text" ? "" : `, mode=${python(mode)}`}).data)`,
    "",
  ].join("\n");
}

export function asMcp({ tool, args }: CallToCopy): string {
  return JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: tool, arguments: args } }, null, 2);
}

/** A value of JSON as Python writes it. */
export function python(value: unknown): string {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(python).join(", ")}]`;
  if (typeof value === "object") return `{${Object.entries(value).map(([name, each]) => `${python(name)}: ${python(each)}`).join(", ")}}`;
  // JSON's texts and numbers are Python's, but for signs that come as two halves.
  return JSON.stringify(value).replace(/[\u2028\u2029]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16)}`);
}

/** MCP servers, as the server has them, and what it takes to change them. */
import { del, type Options, post } from "../../api/http";
import { hasSession } from "../../stores/account";
import { t } from "../../i18n";

export interface McpServer {
  name: string;
  source: "settings" | "store";
  kind: "command" | "address";
  place: string;
  state: "idle" | "connecting" | "ready" | "failed" | "sign_in";
  words: string;
  since: number;
  title: string;
  protocol: string;
  accepted: number;
  quarantined: number;
  rejected: number;
  missing: number;
  sign_in: boolean;
  refused_requests: Record<string, number>;
}

export interface McpTool {
  name: string;
  key: string;
  tool_id: string;
  status: "accepted" | "quarantined" | "rejected";
  reason: string;
  problem: string;
  there: boolean | null;
  digest: string;
  differences: { field: string; before: string; after: string }[];
  warnings: string[];
  changed_at: number;
  decided_at: number | null;
  decided_by: string | null;
}

export type McpDetails = McpServer & { tools: McpTool[] };

export interface McpMessage {
  at: number;
  sender: "here" | "server";
  method: string;
  id: string | null;
  text: string;
}

/** A request beside its answer; what belongs to no other stands alone. */
export interface Exchange {
  request: McpMessage;
  answer: McpMessage | null;
}

/** Each request with the answer that has its id and comes from the other side, in the order of the requests. */
export function exchanges(messages: readonly McpMessage[]): Exchange[] {
  const found: Exchange[] = [];
  const open = new Map<string, Exchange>();
  for (const message of messages) {
    const asked = message.method === "" && message.id !== null ? open.get(`${message.sender === "here" ? "server" : "here"} ${message.id}`) : undefined;
    if (asked) {
      asked.answer = message;
      open.delete(`${asked.request.sender} ${asked.request.id}`);
      continue;
    }
    const exchange: Exchange = { request: message, answer: null };
    found.push(exchange);
    if (message.method !== "" && message.id !== null) open.set(`${message.sender} ${message.id}`, exchange);
  }
  return found;
}

/** A command line as one would type it, taken apart: quotes keep spaces together. */
export function commandOf(line: string): string[] {
  return [...line.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g)].map(([, double, single, plain]) => (double !== undefined ? double.replace(/\\(.)/g, "$1") : (single ?? plain ?? "")));
}

/** Lines such as `NAME=value`, taken apart; null where one is none. */
export function pairsOf(text: string, between: string): Record<string, string> | null {
  const found: Record<string, string> = {};
  for (const line of text.split("\n").filter((each) => each.trim())) {
    const at = line.indexOf(between);
    if (at < 1) return null;
    found[line.slice(0, at).trim()] = line.slice(at + between.length).trim();
  }
  return found;
}

/** Where nobody signs in, changes need the admin token. It is gone with the page. */
let token = "";
export const asksToken = (): boolean => !hasSession.value;
export const givenToken = (): string => token;
export function giveToken(given: string): void {
  token = given.trim();
}
const own = (): Options => (asksToken() && token ? { headers: { Authorization: `Bearer ${token}` } } : {});

const pathOf = (name: string): string => `/api/mcp/servers/${encodeURIComponent(name)}`;
export const addServer = (body: unknown): Promise<McpDetails> => post("/api/mcp/servers", body, own());
export const removeServer = (name: string): Promise<unknown> => del(pathOf(name), own());
export const connectServer = (name: string): Promise<McpDetails> => post(`${pathOf(name)}/connect`, {}, own());
export const decide = (name: string, what: "accept" | "reject", tools: readonly McpTool[]): Promise<McpDetails> =>
  post(`${pathOf(name)}/${what}`, { tools: Object.fromEntries(tools.map((each) => [each.key, each.digest])) }, own());
export { pathOf };

export const stateWords = (server: McpServer): string =>
  ({ idle: t("not connected"), connecting: t("connecting"), ready: t("ready"), failed: t("failed"), sign_in: t("sign-in needed") })[server.state];
export const stateKind = (server: McpServer): "good" | "bad" | "warn" | "plain" =>
  ({ idle: "plain", connecting: "plain", ready: "good", failed: "bad", sign_in: "warn" } as const)[server.state];

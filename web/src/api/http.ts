/** The server over HTTP. What goes wrong is an `ApiError` with words for a person. */

import { t } from "../i18n";
import { address } from "./address";

export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    /** The problem document or envelope that came with it. */
    readonly body: unknown = null,
    /** After so many seconds it may be asked again (`Retry-After`); null: that was not said. */
    readonly retryAfter: number | null = null,
  ) {
    super(message);
    this.name = "ApiError";
  }
}

export interface Options {
  query?: Record<string, string | number | boolean | undefined>;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** Nobody is signed in: only what leads in is asked for. */
let shut = false;
export function shutOut(on: boolean): void {
  shut = on;
}
const WAYS_IN = /^\/api\/(sign-in|sign-out|account)\b/;

const failures = new Set<(error: ApiError, path: string) => void>();

/** Hears of every answer that was an error; the answer takes it back. */
export function onFailure(listener: (error: ApiError, path: string) => void): () => void {
  failures.add(listener);
  return () => failures.delete(listener);
}

const answers = new Set<(status: number, own: boolean) => void>();

/** Hears the status of every answer (0: there was none); `own`: the request had a token. The answer takes it back. */
export function onAnswer(listener: (status: number, own: boolean) => void): () => void {
  answers.add(listener);
  return () => answers.delete(listener);
}

/** GET as JSON. */
export function get<T>(path: string, options: Options = {}): Promise<T> {
  return request<T>("GET", path, undefined, options);
}
export function post<T>(path: string, body: unknown = {}, options: Options = {}): Promise<T> {
  return request<T>("POST", path, body, options);
}
export function put<T>(path: string, body: unknown, options: Options = {}): Promise<T> {
  return request<T>("PUT", path, body, options);
}
export function patch<T>(path: string, body: unknown, options: Options = {}): Promise<T> {
  return request<T>("PATCH", path, body, options);
}

export function del<T = unknown>(path: string, options: Options = {}): Promise<T> {
  return request<T>("DELETE", path, undefined, options);
}

async function request<T>(
  method: string,
  path: string,
  body: unknown,
  options: Options,
): Promise<T> {
  const answer = await send(method, path, body, options);
  const text = await answer.text();
  let value: unknown = null;
  if (text) {
    try {
      value = JSON.parse(text);
    } catch {
      if (answer.ok) throw new ApiError(answer.status, t("The server's response could not be read."), text);
      value = text;
    }
  }
  if (!answer.ok) {
    const wait = Number.parseInt(answer.headers.get("Retry-After") ?? "", 10);
    const error = new ApiError(answer.status, words(answer.status, value), value, Number.isNaN(wait) ? null : wait);
    for (const hear of failures) hear(error, path);
    throw error;
  }
  return value as T;
}

/** Sends a file as the body, and tells how much of it is on its way (0 to 1). */
export function upload<T>(path: string, file: Blob, { signal, onProgress }: { signal: AbortSignal; onProgress: (fraction: number) => void }): Promise<T> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest(); // `fetch` does not tell
    const read = () => {
      try {
        return JSON.parse(request.responseText) as unknown;
      } catch {
        return null;
      }
    };
    request.open("POST", address(path));
    request.setRequestHeader("Accept", "application/json");
    request.setRequestHeader("Content-Type", file.type || "application/octet-stream");
    request.upload.onprogress = ({ loaded, total, lengthComputable }) => lengthComputable && onProgress(loaded / total);
    request.onload = () => {
      const body = read();
      if (request.status >= 200 && request.status < 300) resolve(body as T);
      else reject(new ApiError(request.status, words(request.status, body), body));
    };
    request.onerror = () => reject(new ApiError(0, t("The server cannot be reached. Is it still running?")));
    request.onabort = () => reject(new DOMException(t("Stopped."), "AbortError"));
    signal.addEventListener("abort", () => request.abort());
    request.send(file);
  });
}

/** The answer itself, for streams and downloads. Only a server that cannot be reached throws. */
export async function send(
  method: string,
  path: string,
  body: unknown,
  { query, headers, signal }: Options = {},
): Promise<Response> {
  if (shut && !WAYS_IN.test(path)) throw new ApiError(401, t("Sign in first."));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== "") search.set(name, String(value));
  }
  const target = address(search.size ? `${path}?${search}` : path);
  const raw = body instanceof Blob || typeof body === "string";
  const told = (status: number) => answers.forEach((hear) => hear(status, headers?.["Authorization"] !== undefined));
  try {
    const answer = await fetch(target, {
      method,
      signal: signal ?? null,
      headers: {
        Accept: "application/json",
        ...(body === undefined || raw ? {} : { "Content-Type": "application/json" }),
        ...headers,
      },
      body: body === undefined ? null : raw ? (body as BodyInit) : JSON.stringify(body),
    });
    told(answer.status);
    return answer;
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    told(0);
    throw new ApiError(0, t("The server cannot be reached. Is it still running?"));
  }
}

/** What a problem document (RFC 9457) or an envelope of a tool says is wrong. */
export function words(status: number, body: unknown): string {
  if (body && typeof body === "object") {
    const problem = body as Record<string, unknown>;
    const error = problem["error"];
    const nested =
      error && typeof error === "object" ? (error as Record<string, unknown>)["message"] : error;
    for (const candidate of [problem["detail"], nested, problem["title"]]) {
      if (typeof candidate === "string" && candidate) return candidate + pointers(problem);
    }
  }
  return t("The server responded with status {status}.", { status });
}

function pointers(problem: Record<string, unknown>): string {
  const errors = problem["errors"];
  if (!Array.isArray(errors)) return "";
  // Those of a form stand at their fields, and in the detail.
  const lines = errors.flatMap((each: Record<string, unknown>) =>
    each["in"] ? [] : [[each["pointer"] ?? each["path"], each["message"] ?? each["detail"]].filter(Boolean).join(": ")],
  );
  return lines.length ? ` ${lines.join("; ")}` : "";
}

export function said(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

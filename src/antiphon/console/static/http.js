import { l as t } from "./app.js";
import { t as address } from "./address.js";
// src/api/http.ts
/** The server over HTTP. What goes wrong is an `ApiError` with words for a person. */
var ApiError = class extends Error {
	status;
	body;
	constructor(status, message, body = null) {
		super(message);
		this.status = status;
		this.body = body;
		this.name = "ApiError";
	}
};
var failures = /* @__PURE__ */ new Set();
/** Hears of every answer that was an error; the answer takes it back. */
function onFailure(listener) {
	failures.add(listener);
	return () => failures.delete(listener);
}
var answers = /* @__PURE__ */ new Set();
/** Hears the status of every answer (0: there was none); `own`: the request had a token. The answer takes it back. */
function onAnswer(listener) {
	answers.add(listener);
	return () => answers.delete(listener);
}
/** GET as JSON. */
function get(path, options = {}) {
	return request("GET", path, void 0, options);
}
function post(path, body = {}, options = {}) {
	return request("POST", path, body, options);
}
function put(path, body, options = {}) {
	return request("PUT", path, body, options);
}
function del(path, options = {}) {
	return request("DELETE", path, void 0, options);
}
async function request(method, path, body, options) {
	const answer = await send(method, path, body, options);
	const text = await answer.text();
	let value = null;
	if (text) try {
		value = JSON.parse(text);
	} catch {
		if (answer.ok) throw new ApiError(answer.status, t("The server's response could not be read."), text);
		value = text;
	}
	if (!answer.ok) {
		const error = new ApiError(answer.status, words(answer.status, value), value);
		for (const hear of failures) hear(error, path);
		throw error;
	}
	return value;
}
/** Sends a file as the body, and tells how much of it is on its way (0 to 1). */
function upload(path, file, { signal, onProgress }) {
	return new Promise((resolve, reject) => {
		const request = new XMLHttpRequest();
		const read = () => {
			try {
				return JSON.parse(request.responseText);
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
			if (request.status >= 200 && request.status < 300) resolve(body);
			else reject(new ApiError(request.status, words(request.status, body), body));
		};
		request.onerror = () => reject(new ApiError(0, t("The server cannot be reached. Is it still running?")));
		request.onabort = () => reject(new DOMException(t("Stopped."), "AbortError"));
		signal.addEventListener("abort", () => request.abort());
		request.send(file);
	});
}
/** The answer itself, for streams and downloads. Only a server that cannot be reached throws. */
async function send(method, path, body, { query, headers, signal } = {}) {
	const search = new URLSearchParams();
	for (const [name, value] of Object.entries(query ?? {})) if (value !== void 0 && value !== "") search.set(name, String(value));
	const target = address(search.size ? `${path}?${search}` : path);
	const raw = body instanceof Blob || typeof body === "string";
	const told = (status) => answers.forEach((hear) => hear(status, headers?.["Authorization"] !== void 0));
	try {
		const answer = await fetch(target, {
			method,
			signal: signal ?? null,
			headers: {
				Accept: "application/json",
				...body === void 0 || raw ? {} : { "Content-Type": "application/json" },
				...headers
			},
			body: body === void 0 ? null : raw ? body : JSON.stringify(body)
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
function words(status, body) {
	if (body && typeof body === "object") {
		const problem = body;
		const error = problem["error"];
		const nested = error && typeof error === "object" ? error["message"] : error;
		for (const candidate of [
			problem["detail"],
			nested,
			problem["title"]
		]) if (typeof candidate === "string" && candidate) return candidate + pointers(problem);
	}
	return t("The server responded with status {status}.", { status });
}
function pointers(problem) {
	const errors = problem["errors"];
	if (!Array.isArray(errors)) return "";
	const lines = errors.map((each) => [each["pointer"] ?? each["path"], each["message"] ?? each["detail"]].filter(Boolean).join(": "));
	return lines.length ? ` ${lines.join("; ")}` : "";
}
function said(error) {
	return error instanceof Error ? error.message : String(error);
}
export { onFailure as a, said as c, words as d, onAnswer as i, send as l, del as n, post as o, get as r, put as s, ApiError as t, upload as u };

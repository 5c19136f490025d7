import { a as y, n as O } from "./vendor-preact.js";
import { c as said, o as post, r as get, t as ApiError } from "./http.js";
import { l as t, s as plural } from "./app.js";
import { d as route, o as go } from "./router.js";
import { n as on, r as say } from "./bus.js";
import { r as toast, t as dismiss } from "./toasts.js";
// src/stores/confirmations.ts
/**
* What a person is asked before something happens. Questions come from the conversation, from the
* chat and from calls over HTTP; they queue up, and time that runs out is a no.
*/
/** The server denies by its own clock; when it has said nothing by then, we do. */
var GRACE_MS = 2e3;
/** An answer over the conversation's line that nothing came of is looked after this often. */
var CHECK_MS = 4e3;
var CHECKS = 3;
var entries = /* @__PURE__ */ new Map();
/** Those that wait for an answer, the oldest first. The first one is shown. */
var questions = y([]);
var current = O(() => questions.value[0] ?? null);
/** How many wait for an answer on the server, of whatever session. For badges. */
var openQuestions = y(0);
var watcher = null;
function watchBy(next) {
	watcher = next;
}
/** Those that this page asks or has answered, and whether their own answer tells what comes of them. */
var held = () => [...entries.values()].map(({ question, answer }) => ({
	id: question.id,
	told: answer !== null && !question.approved_by?.length
}));
/**
* Asks the person. `answering` sends what they say; the promise is what came of it. Pages use
* this for their own calls; asking again under the same id renews the question.
*/
function ask(question, answering) {
	return put(question, answering, false);
}
function put(question, answering, live) {
	const spoken = live && question.risk === "low";
	const before = entries.get(question.id);
	if (before) {
		Object.assign(before, {
			question,
			answering,
			spoken,
			live,
			answer: null,
			problem: null,
			wrong: [],
			draft: null
		});
		startClock(before);
		refresh();
		return before.outcome;
	}
	let settle;
	const outcome = new Promise((resolve) => settle = resolve);
	const entry = {
		question,
		answering,
		spoken,
		live,
		outcome,
		settle,
		problem: null,
		wrong: [],
		draft: null,
		answer: null,
		timer: void 0
	};
	entries.set(question.id, entry);
	startClock(entry);
	refresh();
	watcher?.opened(question.id, named(question));
	return outcome;
}
/** Asks about a call over HTTP that waits: its envelope names the id of the confirmation. */
async function askById(id, sessionId, user) {
	const question = await get(`/api/confirmations/${encodeURIComponent(id)}`, { query: {
		session_id: sessionId,
		...user ? { user } : {}
	} });
	if (question.status !== "pending") return { outcome: question.status };
	const known = entries.get(id);
	if (known?.live && !user) return put(question, known.answering, true);
	return ask(question, overHttp(question, user));
}
/** An answer by `POST /api/confirmations/{id}`; for questions that came with their token. */
function overHttp(question, user) {
	return (answer) => post(`/api/confirmations/${encodeURIComponent(question.id)}`, {
		token: question.token ?? "",
		...answer,
		...user ? { user } : {}
	});
}
/** The person has answered. The dialog closes at once; it comes back if that was not taken. */
async function respond(id, answer) {
	const entry = entries.get(id);
	if (!entry || entry.answer) return;
	Object.assign(entry, {
		answer,
		problem: null,
		wrong: [],
		draft: answer.args ?? null
	});
	clearTimeout(entry.timer);
	refresh();
	try {
		const outcome = await entry.answering(answer);
		if (outcome) settled({
			id,
			...outcome
		});
	} catch (error) {
		const known = settledElsewhere(error);
		if (known) settled({
			id,
			outcome: known
		}, "elsewhere");
		else reopen(id, said(error), wrongIn(error));
	}
}
/** An answer went over the conversation's line. If that was lost with it, it is sent again over HTTP, or told. */
async function lookAfter(id, answering, left = CHECKS) {
	await new Promise((resolve) => setTimeout(resolve, CHECK_MS));
	const answer = entries.get(id)?.answer;
	if (!answer || entries.get(id).question.approved_by?.length) return;
	try {
		const { status } = await get(`/api/confirmations/${encodeURIComponent(id)}`);
		if (!entries.get(id)?.answer) return;
		if (status === "pending") {
			const outcome = await answering(answer);
			if (outcome) settled({
				id,
				...outcome
			});
		} else if (left > 1) await lookAfter(id, answering, left - 1);
		else settled({
			id,
			outcome: status
		});
	} catch (error) {
		const known = settledElsewhere(error);
		if (known) settled({
			id,
			outcome: known
		});
		else reopen(id, t("Your answer did not get through, so nothing was done: {problem}", { problem: said(error) }), wrongIn(error));
	}
}
/** What came of a question, whoever answered it: `confirmation_resolved`. */
function settled(message, where = "here") {
	const entry = entries.get(message.id);
	if (!entry) return;
	clearTimeout(entry.timer);
	if (message.outcome === "pending") return second(entry);
	entries.delete(message.id);
	refresh();
	tell(entry, message, where === "elsewhere" && !entry.answer);
	entry.settle({
		outcome: message.outcome,
		result: message.result ?? null
	});
	watcher?.settled(where === "here" ? {
		id: message.id,
		outcome: message.outcome
	} : null);
}
/** This person has said yes; another one has to, too. It is found among the approvals. */
function second(entry) {
	entry.answer ??= { approve: true };
	refresh();
	toast(t("Approved by you. A second person must approve it too: {what}.", { what: named(entry.question) }), { href: `#/inbox/${entry.question.id}` });
	watcher?.settled(null);
}
/** Questions that calls over HTTP left open, from before the page was loaded. Not in the way. */
async function remind(sessionId) {
	const { confirmations } = await get("/api/confirmations", { query: {
		session_id: sessionId,
		status: "pending"
	} });
	const waiting = confirmations.filter((each) => !entries.has(each.id));
	const [question, ...more] = waiting;
	if (!question || route.value.page === "inbox") return;
	const text = more.length ? plural(waiting.length, "{count} call is waiting for your approval.", "{count} calls are waiting for your approval.") : t("Waiting for your approval: {what}?", { what: named(question) });
	const id = toast(text, {
		stays: true,
		action: {
			label: t("Review"),
			run: () => {
				dismiss(id);
				if (more.length) go("#/inbox?status=pending");
				else ask(question, overHttp(question));
			}
		}
	});
}
function startClock(entry) {
	clearTimeout(entry.timer);
	const left = entry.question.expires_at * 1e3 - Date.now();
	entry.timer = setTimeout(() => expire(entry), Math.max(0, left));
}
function expire(entry) {
	entry.answer = { approve: false };
	refresh();
	entry.timer = setTimeout(async () => {
		const { id } = entry.question;
		try {
			const outcome = await entry.answering({ approve: false });
			if (outcome) return settled({
				id,
				...outcome
			});
		} catch {}
		settled({
			id,
			outcome: "expired"
		});
	}, GRACE_MS);
}
function reopen(id, problem, wrong = []) {
	const entry = entries.get(id);
	if (!entry) return;
	Object.assign(entry, {
		answer: null,
		problem,
		wrong
	});
	startClock(entry);
	refresh();
}
function wrongIn(error) {
	const errors = error instanceof ApiError ? error.body?.errors : null;
	return Array.isArray(errors) ? errors.filter((each) => typeof each.pointer === "string") : [];
}
/** What the server says has become of it, when it does not take an answer any more. */
function settledElsewhere(error) {
	if (!(error instanceof ApiError)) return null;
	if (error.status === 404) return "void";
	const outcome = error.body?.outcome;
	return error.status === 409 && outcome && outcome !== "pending" ? outcome : null;
}
function refresh() {
	questions.value = [...entries.values()].filter((entry) => !entry.answer).map(({ question, spoken, problem, wrong, draft }) => ({
		question,
		spoken,
		problem,
		wrong,
		draft
	}));
}
function tell(entry, { outcome, result }, elsewhere) {
	const seen = route.value.page === "vox" || route.value.page === "chat";
	const written = entry.question.session_id !== void 0 && !entry.question.session_id.startsWith("rest-");
	if ((entry.live || written) && seen && !entry.answer?.remember) return;
	const what = named(entry.question);
	if (elsewhere && (outcome === "approved" || outcome === "denied")) {
		toast(outcome === "approved" ? t("Approved in another window: {what}.", { what }) : t("Denied in another window: {what}. Nothing was done.", { what }));
		return;
	}
	if (outcome === "approved" && result?.ok === false) toast(t("Approved, but it failed: {message}", { message: result.error?.message ?? what }), { kind: "bad" });
	else if (outcome === "approved") {
		const remember = entry.answer?.approve ? entry.answer.remember : void 0;
		const done = entry.answer?.args ? t("Approved with your changes and done.") : t("Approved and done: {what}.", { what });
		toast([done, REMEMBERED[remember ?? "once"]].filter(Boolean).join(" "), {
			kind: "good",
			...remember ? { href: "#/settings/approvals" } : {}
		});
	} else if (outcome === "denied") toast(t("Denied: {what}. Nothing was done.", { what }));
	else if (outcome === "expired") toast(t("Denied because nobody answered in time: {what}.", { what }));
	else toast(t("Not run: {what}. The tools have changed, or the conversation has ended.", { what }));
}
var REMEMBERED = {
	once: "",
	session: t("You will not be asked again in this session."),
	always: t("You will not be asked again.")
};
/** What is asked, as a statement. */
function named({ title, tool }) {
	return title?.replace(/[?\s]+$/, "").trim() || tool;
}
on("confirmation_required", (question) => {
	const { id, token } = question;
	const known = entries.get(id);
	if (known && question.approved_by?.length) {
		known.question = question;
		if (known.answer) return second(known);
	}
	const answering = (answer) => {
		if (!say({
			type: "confirmation_response",
			id,
			token,
			...answer
		})) return overHttp(question)(answer);
		lookAfter(id, overHttp(question));
	};
	put(question, answering, true);
});
on("confirmation_resolved", (message) => settled(message));
on("voice_session_end", () => {
	for (const { live, question } of [...entries.values()]) if (live) settled({
		id: question.id,
		outcome: "void"
	});
});
on("error", (message) => {
	if (message.about !== "confirmation_response" || !message.id) return;
	reopen(message.id, message.message, message.errors ?? []);
});
export { named as a, questions as c, settled as d, watchBy as f, held as i, remind as l, askById as n, openQuestions as o, current as r, overHttp as s, ask as t, respond as u };

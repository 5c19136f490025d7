import { a as y, d, l as T, m as $, o as A, t as a } from "./vendor-preact.js";
import { a as locale, c as rich, l as t, o as number, s as plural } from "./app.js";
import { c as said, n as del, o as post, r as get, s as put, t as ApiError } from "./http.js";
import { a as at, o as go } from "./router.js";
import { r as useLoad } from "./load.js";
import { r as toast } from "./toasts.js";
import { n as Icon } from "./icons.js";
import { a as Empty, d as Shown, f as Spinner, g as save, i as CopyButton, l as Loading, n as Button, o as Field, p as Switch, r as Card, s as IconButton, t as Badge, u as Problem } from "./kit.js";
import { i as Unread, s as unread } from "./form.js";
import { n as askById } from "./confirmations.js";
import { t as useReload } from "./poll.js";
import { a as fullTime, i as duration, r as clockTime, t as ago } from "./time.js";
import { t as Markdown } from "./markdown.js";
import { t as Readable } from "./readable.js";
import { n as loadRules } from "./rules.js";
import { n as GateStrip } from "./gates.js";
import { t as zoneHere } from "./zone.js";
import { v as zones } from "./dates.js";
// src/pages/macros/draft.ts
/**
* A macro while it is being built. Steps have names of their own, so that what is handed from one
* to another still fits after they were moved. Drafts outlive the page: they are kept in this tab.
*/
/** The function that runs a tool of the catalogue: `{tool_id, params}`. */
var RUNNER = "run_tool";
/** The tool of the catalogue that a step runs; empty where it calls a function itself. */
function innerOf({ function: name, args }) {
	const id = name === "run_tool" && args && typeof args === "object" ? args["tool_id"] : "";
	return typeof id === "string" ? id : "";
}
var made = 0;
var newKey = () => `s${Date.now().toString(36)}${(++made).toString(36)}`;
/** The steps of what is saved are called by their place. */
var savedKey = (index) => `k${index + 1}`;
var newStep = (name = "") => ({
	key: newKey(),
	function: name,
	args: {},
	pipes: []
});
var emptyDraft = () => ({
	id: null,
	name: "",
	phrase: "",
	policy: "abort",
	steps: [newStep()]
});
/** Any document that looks like a macro: a saved one, an example, or one from a file. */
function draftOf(macro) {
	const steps = (macro.steps ?? []).map((step, index) => ({
		key: savedKey(index),
		function: step.function,
		args: step.args ?? {},
		pipes: []
	}));
	(macro.steps ?? []).forEach((step, index) => {
		const given = step.pipe_from == null ? [] : Array.isArray(step.pipe_from) ? step.pipe_from : [step.pipe_from];
		steps[index].pipes = given.map((each) => {
			const body = typeof each === "object" && each !== null ? each : { step: each };
			return {
				from: steps[Number(body["step"]) - 1]?.key ?? "",
				path: String(body["path"] ?? ""),
				to: String(body["to"] ?? "")
			};
		});
	});
	return {
		id: macro.id ?? null,
		...macro.updated_at === void 0 ? {} : { base: macro.updated_at },
		name: macro.name ?? "",
		phrase: macro.trigger_phrase ?? "",
		policy: macro.error_policy ?? "abort",
		steps: steps.length ? steps : [newStep()]
	};
}
/** What is sent. */
function bodyOf$1(draft) {
	const numbers = new Map(draft.steps.map((step, index) => [step.key, index + 1]));
	return {
		name: draft.name,
		trigger_phrase: draft.phrase,
		steps: draft.steps.map((step) => {
			const pipes = step.pipes.map((pipe) => pipeOf(pipe, numbers));
			const from = pipes.length ? { pipe_from: pipes.length === 1 ? pipes[0] : pipes } : {};
			return {
				function: step.function,
				args: step.args,
				...from
			};
		}),
		error_policy: draft.policy,
		...draft.id ? { id: draft.id } : {}
	};
}
function pipeOf({ from, path, to }, numbers) {
	const step = numbers.get(from) ?? 0;
	if (!path && !to) return step;
	return {
		step,
		...path ? { path } : {},
		...to ? { to } : {}
	};
}
/** What is sent to save it: what was changed meanwhile is not written over, unless `over`. */
var savingBody = (draft, over = false) => ({
	...bodyOf$1(draft),
	...draft.id && draft.base !== void 0 && !over ? { updated_at: draft.base } : {}
});
/** Whether saving would change anything. */
function differs(draft, saved) {
	return written(bodyOf$1(draft)) !== written(bodyOf$1(saved ? draftOf(saved) : {
		...emptyDraft(),
		id: draft.id
	}));
}
/** Where something was written that is no value yet. */
function unreadIn(draft) {
	return draft.steps.flatMap((step, index) => unread(step.args, `/steps/${index}/args`));
}
function moved(draft, index, to) {
	const steps = draft.steps.toSpliced(index, 1).toSpliced(to, 0, draft.steps[index]);
	return {
		...draft,
		steps
	};
}
/** Without a step; what came from it has to be chosen anew. */
function removed(draft, index) {
	const gone = draft.steps[index].key;
	const steps = draft.steps.toSpliced(index, 1).map((step) => ({
		...step,
		pipes: step.pipes.map((pipe) => pipe.from === gone ? {
			...pipe,
			from: ""
		} : pipe)
	}));
	return {
		...draft,
		steps: steps.length ? steps : [newStep()]
	};
}
function repeated(draft, index) {
	const step = draft.steps[index];
	return {
		...draft,
		steps: draft.steps.toSpliced(index + 1, 0, {
			...step,
			key: newKey()
		})
	};
}
/** As a new macro, under a name and a phrase that are not taken. */
function duplicate(macro, others) {
	const free = (text, taken) => {
		for (let number = 1;; number++) {
			const tried = `${text} copy${number > 1 ? ` ${number}` : ""}`;
			if (!taken.includes(tried.toLowerCase())) return tried;
		}
	};
	const name = free(macro.name, others.map((each) => each.name.toLowerCase()));
	const phrase = free(macro.trigger_phrase, others.map((each) => each.trigger_phrase.toLowerCase()));
	return {
		...draftOf({
			...macro,
			name,
			trigger_phrase: phrase
		}),
		id: null
	};
}
/** A draft as a new macro, under a name and a phrase that are not taken. */
function asCopy(draft, others) {
	const { steps: _, ...named } = duplicate({
		...others[0],
		name: draft.name,
		trigger_phrase: draft.phrase,
		steps: []
	}, others);
	return {
		...named,
		policy: draft.policy,
		steps: draft.steps
	};
}
/** Those inside a place, with pointers from there on. */
function inside(errors, at) {
	return errors.filter((each) => each.pointer === at || each.pointer.startsWith(`${at}/`)).map((each) => ({
		...each,
		pointer: each.pointer.slice(at.length)
	}));
}
/** What is wrong with one pipe. A single one has no number in its pointers. */
function pipeErrors(errors, index, count) {
	const numbered = inside(errors, `/pipe_from/${index}`);
	const plain = inside(errors, "/pipe_from").filter((each) => !/^\/\d/.test(each.pointer));
	return count === 1 || index === 0 ? [...numbered, ...plain] : numbered;
}
var exported = ({ name, trigger_phrase, steps, error_policy }) => ({
	name,
	trigger_phrase,
	steps,
	error_policy
});
/** The macros in a text: one, a list, or `{"macros": […]}`. Throws what is wrong, in words. */
function imported(text) {
	let value;
	try {
		value = JSON.parse(text);
	} catch (error) {
		throw new Error(t("This is not valid JSON: {reason}", { reason: error instanceof Error ? error.message : String(error) }));
	}
	const inner = value && typeof value === "object" && "macros" in value ? value.macros : value;
	const list = Array.isArray(inner) ? inner : [inner];
	if (!list.length) throw new Error(t("It contains no macro."));
	list.forEach((each, index) => {
		const one = each;
		const where = list.length > 1 ? t("Macro {number}", { number: index + 1 }) : t("This");
		if (!one || typeof one !== "object" || !Array.isArray(one.steps)) throw new Error(t("{where} is not a macro: it has no list of steps.", { where }));
		const bad = one.steps.findIndex((step) => !step || typeof step !== "object" || typeof step.function !== "string");
		if (bad >= 0) throw new Error(t("{where} is not a macro: step {number} names no function.", {
			where,
			number: bad + 1
		}));
	});
	return list.map((each) => {
		const { id: _, ...rest } = each;
		return rest;
	});
}
var KEY = "antiphon.macros.drafts";
var written = (value) => JSON.stringify(value, (_, each) => each instanceof Unread ? { $unread: [each.text, each.problem] } : each);
function read(text) {
	return JSON.parse(text, (_, each) => each && Array.isArray(each.$unread) ? new Unread(each.$unread[0], each.$unread[1]) : each);
}
function stored() {
	try {
		return read(sessionStorage.getItem(KEY) ?? "{}");
	} catch {
		return {};
	}
}
/** Unsaved drafts, by the id of their macro or `new`. */
var drafts = y(stored());
function keep(place, draft) {
	const { [place]: _, ...others } = drafts.value;
	drafts.value = draft ? {
		...others,
		[place]: draft
	} : others;
	try {
		sessionStorage.setItem(KEY, written(drafts.value));
	} catch {}
}
// src/pages/automations/api.ts
/** Automations (macros, workflows, agents), and runs of them: one shape for every kind. */
var PAGE = {
	macro: "macros",
	workflow: "workflows",
	agent: "agents"
};
var isOver = (run) => run.status !== "pending" && run.status !== "running";
/** What a person has to answer, in this macro or inside of one that it runs. */
var requestOf = (waiting) => waiting?.confirmation_request ?? (waiting?.inside ? requestOf(waiting.inside) : void 0);
var STATUS = {
	pending: {
		said: t("Pending"),
		kind: "plain"
	},
	running: {
		said: t("Running"),
		kind: "accent"
	},
	waiting: {
		said: t("Waiting for approval"),
		kind: "warn"
	},
	succeeded: {
		said: t("Succeeded"),
		kind: "good"
	},
	failed: {
		said: t("Failed"),
		kind: "bad"
	},
	stopped: {
		said: t("Stopped"),
		kind: "plain"
	}
};
var inPath = encodeURIComponent;
var runAddress = (run) => at(PAGE[run.kind], [run.name, run.id]);
async function loadPipelines(kind, signal) {
	const body = await get(`/api/${PAGE[kind]}`, { signal });
	return {
		found: body[PAGE[kind]],
		folder: body.folder,
		left_out: body.left_out
	};
}
/** How each stands, by its name. */
async function loadStandings(kind, signal) {
	const { automations } = await get("/api/automations", { signal });
	return new Map(automations.filter((each) => each.kind === kind).map((each) => [each.name, each]));
}
function loadRuns(kind, name, signal, limit, before = "") {
	return get("/api/automations/runs", {
		signal,
		query: {
			kind,
			name,
			limit,
			...before ? { before } : {}
		}
	});
}
function loadRun(id, signal, details = false) {
	return get(`/api/automations/runs/${inPath(id)}`, {
		signal,
		query: details ? { details } : {}
	});
}
/** Runs that were started in this tab: their questions are asked at once. */
var own = /* @__PURE__ */ new Set();
var isOwn = (id) => own.has(id);
function owned(id) {
	own.add(id);
	return id;
}
async function start(kind, name, input = "") {
	const headers = { "Idempotency-Key": crypto.randomUUID() };
	return owned((await post(`/api/automations/${kind}/${inPath(name)}/run`, { input }, { headers })).id);
}
var stop = (id) => post(`/api/automations/runs/${inPath(id)}/stop`);
/** Goes on after the finished steps, or from `step` on. */
async function resume(id, step) {
	const headers = step ? { "Idempotency-Key": crypto.randomUUID() } : {};
	const made = await post(`/api/automations/runs/${inPath(id)}/resume`, step ? { step } : {}, { headers });
	owned(made.id);
	return made;
}
/** Which workflow or agent a task is a run of; null: of none. */
async function nameOfTask(kind, task, signal) {
	const { args } = await get(`/api/tasks/${inPath(task)}`, { signal });
	const said = args[`${kind}_name`];
	return typeof said === "string" ? (await get(`/api/${PAGE[kind]}/${inPath(said)}`, { signal })).name : null;
}
// src/pages/automations/log.tsx
/** What happened in a run, line by line. */
function RunLog({ run }) {
	if (!run.events.length) return null;
	const first = run.events[0].at;
	return /* @__PURE__ */ a("details", {
		class: "flow-log",
		children: [/* @__PURE__ */ a("summary", { children: t("Event log ({count})", { count: run.events.length }) }), /* @__PURE__ */ a("table", { children: [/* @__PURE__ */ a("thead", { children: /* @__PURE__ */ a("tr", { children: [
			/* @__PURE__ */ a("th", {
				scope: "col",
				children: t("Time")
			}),
			/* @__PURE__ */ a("th", {
				scope: "col",
				children: t("After")
			}),
			/* @__PURE__ */ a("th", {
				scope: "col",
				children: t("Event")
			})
		] }) }), /* @__PURE__ */ a("tbody", { children: run.events.map((event, place) => /* @__PURE__ */ a("tr", { children: [
			/* @__PURE__ */ a("td", {
				class: "number",
				children: clockTime(event.at)
			}),
			/* @__PURE__ */ a("td", {
				class: "number",
				children: duration((event.at - first) * 1e3)
			}),
			/* @__PURE__ */ a("td", { children: [inWords(event, run), event.details.error ? /* @__PURE__ */ a("p", {
				class: "wrong",
				children: event.details.error
			}) : null] })
		] }, place)) })] })]
	});
}
function inWords(event, run) {
	const [outer = "", inner] = event.step.split("/");
	const place = run.steps.findIndex((step) => step.step === outer) + 1;
	const title = run.steps[place - 1]?.title ?? "";
	const step = inner ? t("Step {place}.{inner}", {
		place: String(place),
		inner
	}) : t("Step {place} ({title})", {
		place: String(place),
		title
	});
	switch (event.event) {
		case "run_started": return t("Run started");
		case "run_finished": return t("Run finished: {status}", { status: ENDS[event.details.status ?? ""] ?? event.details.status ?? "" });
		case "step_started": return t("{step} started", { step });
		case "step_retried": return t("{step} failed on attempt {attempt} and is retried", {
			step,
			attempt: event.details.attempt ?? 1
		});
		case "step_reused": return t("{step} kept from the earlier run", { step });
		case "step_finished": return t("{step} finished: {status}", {
			step,
			status: ENDS[event.details.status ?? ""] ?? ""
		});
	}
}
var ENDS = {
	done: t("succeeded"),
	succeeded: t("succeeded"),
	failed: t("failed"),
	stopped: t("stopped"),
	left_out: t("skipped"),
	waiting: t("waiting for approval")
};
// src/pages/automations/steps.tsx
/** Steps in their order, as they are planned or as they went. */
var SAID = {
	pending: t("Pending"),
	running: t("Running"),
	done: t("Succeeded"),
	left_out: t("Skipped"),
	failed: t("Failed"),
	waiting: t("Waiting for approval"),
	stopped: t("Stopped")
};
var ICON = {
	done: "check",
	left_out: "chevron",
	failed: "warn",
	waiting: "shield",
	stopped: "stop"
};
var KIND = {
	failed: "bad",
	waiting: "warn",
	running: "accent",
	done: "good"
};
function PlannedSteps({ steps }) {
	return /* @__PURE__ */ a("ol", {
		class: "flow-steps",
		children: steps.map((step, place) => /* @__PURE__ */ a("li", {
			class: `flow-step ${step.optional ? "is-optional" : ""}`,
			children: [/* @__PURE__ */ a("span", {
				class: "flow-mark",
				"aria-hidden": "true",
				children: place + 1
			}), /* @__PURE__ */ a("div", {
				class: "flow-body",
				children: [
					/* @__PURE__ */ a("p", {
						class: "flow-title",
						children: step.title
					}),
					/* @__PURE__ */ a("p", {
						class: "row flow-facts",
						children: [
							step.tool ? /* @__PURE__ */ a(ToolLink, { tool: step.tool }) : /* @__PURE__ */ a("span", { children: t("Writes text") }),
							step.asks_model ? /* @__PURE__ */ a(Badge, {
								kind: "accent",
								children: t("Model, or rules without one")
							}) : null,
							step.optional ? /* @__PURE__ */ a(Badge, { children: t("Optional") }) : null,
							step.asks_first ? /* @__PURE__ */ a(Badge, {
								kind: "warn",
								children: t("Needs approval")
							}) : null,
							!step.known ? /* @__PURE__ */ a(Badge, {
								kind: "bad",
								children: t("No such tool")
							}) : null
						]
					}),
					step.condition ? /* @__PURE__ */ a("p", {
						class: "hint",
						children: condition(step.condition)
					}) : null
				]
			})]
		}, step.id))
	});
}
/** `found/results` in words. */
function condition(path) {
	const not = path.startsWith("not ");
	const [step = "", ...rest] = path.replace(/^not /, "").split("/");
	const what = rest.join(" ").replaceAll("_", " ") || t("anything");
	if (step === "input") return not ? t("Only without {what} in the input.", { what }) : t("Only with {what} in the input.", { what });
	return not ? t("Only if “{step}” returned no {what}.", {
		step,
		what
	}) : t("Only if “{step}” returned {what}.", {
		step,
		what
	});
}
var ToolLink = ({ tool }) => /* @__PURE__ */ a("a", {
	class: "flow-tool",
	href: at("tools", [tool]),
	children: tool
});
function RunSteps({ run, onResume }) {
	const [open, set] = d("");
	const done = run.steps.filter((step) => step.status === "done" || step.status === "left_out").length;
	const kept = run.steps.findIndex((step) => step.status !== "done" && step.status !== "left_out");
	const last = kept < 0 ? run.steps.length - 1 : kept;
	return /* @__PURE__ */ a("ol", {
		class: "flow-steps",
		"aria-label": t("Steps, {done} of {count} finished", {
			done,
			count: run.steps.length
		}),
		children: run.steps.map((step, place) => /* @__PURE__ */ a("li", {
			class: `flow-step is-${step.status}`,
			"data-status": step.status,
			"aria-current": step.status === "running" ? "step" : void 0,
			children: [/* @__PURE__ */ a("span", {
				class: "flow-mark",
				"aria-hidden": "true",
				children: step.status === "running" ? /* @__PURE__ */ a(Spinner, {}) : ICON[step.status] ? /* @__PURE__ */ a(Icon, {
					name: ICON[step.status],
					size: 14
				}) : place + 1
			}), /* @__PURE__ */ a("div", {
				class: "flow-body",
				children: [
					/* @__PURE__ */ a("p", {
						class: "flow-title",
						children: step.title
					}),
					/* @__PURE__ */ a("p", {
						class: "row flow-facts",
						children: [
							/* @__PURE__ */ a(StatusBadge, {
								step,
								over: isOver(run)
							}),
							step.seconds !== null ? /* @__PURE__ */ a("span", {
								class: "number",
								children: duration(step.seconds * 1e3)
							}) : null,
							step.tries > 1 ? /* @__PURE__ */ a("span", { children: plural(step.tries, "{count} try", "{count} tries") }) : null,
							step.tool && step.tool !== step.title ? /* @__PURE__ */ a(ToolLink, { tool: step.tool }) : null,
							step.tool && step.status !== "pending" && step.status !== "left_out" ? /* @__PURE__ */ a("button", {
								type: "button",
								class: "link-button",
								"aria-expanded": open === step.step,
								onClick: () => set(open === step.step ? "" : step.step),
								children: open === step.step ? t("Hide details") : t("Details")
							}) : null,
							isOver(run) && place <= last ? /* @__PURE__ */ a("button", {
								type: "button",
								class: "link-button",
								onClick: () => onResume(step.step),
								children: [t("Resume from here"), /* @__PURE__ */ a("span", {
									class: "hidden-visually",
									children: [": ", step.title]
								})]
							}) : null
						]
					}),
					step.error ? /* @__PURE__ */ a("p", {
						class: "wrong",
						children: step.error
					}) : null,
					open === step.step ? /* @__PURE__ */ a(Details, {
						run,
						step
					}) : null
				]
			})]
		}, step.step))
	});
}
function StatusBadge({ step, over }) {
	const kind = KIND[step.status] ?? "plain";
	const words = step.reused ? t("Kept from the earlier run") : over && step.status === "pending" ? t("Not run") : SAID[step.status];
	return /* @__PURE__ */ a(Badge, {
		kind,
		children: words
	});
}
/** What it was called with, which gates the call passed, and what it gave. */
function Details({ run, step }) {
	const loaded = useLoad((signal) => loadRun(run.id, signal, true), [
		run.id,
		step.step,
		step.status
	]);
	const rules = useLoad(loadRules, []);
	return /* @__PURE__ */ a("div", {
		class: "flow-given",
		children: /* @__PURE__ */ a(Shown, {
			of: loaded,
			children: (full) => {
				const one = full.steps.find((each) => each.step === step.step);
				return /* @__PURE__ */ a($, { children: [
					one?.gates.length ? /* @__PURE__ */ a(GateStrip, {
						gates: one.gates,
						rules: rules.data
					}) : null,
					one?.args && Object.keys(one.args).length ? /* @__PURE__ */ a($, { children: [/* @__PURE__ */ a("h4", { children: t("Arguments") }), /* @__PURE__ */ a(Readable, { value: one.args })] }) : null,
					one?.result != null ? /* @__PURE__ */ a($, { children: [/* @__PURE__ */ a("h4", { children: t("Output") }), /* @__PURE__ */ a(Readable, {
						value: one.result,
						...step.tool ? { name: step.tool } : {}
					})] }) : null
				] });
			}
		})
	});
}
// src/pages/automations/watch.ts
/** Looks at a run again and again until it is over: soon at first, then less and less often. */
var FIRST_MS = 250;
var SLOWEST_MS = 2e3;
var GROWTH = 1.4;
/** So often one that is not there is looked for. */
var LATE = 3;
/** How long to wait before the next look. What moved is looked at soon again. */
function nextWait(before, moved) {
	return moved ? FIRST_MS : Math.min(SLOWEST_MS, Math.round(before * GROWTH));
}
/** What a person would see as a change. */
function mark(run) {
	return [
		run.status,
		run.stop_requested,
		...run.steps.map((step) => step.status)
	].join("|");
}
function useRun(task, onOver) {
	const [state, set] = d({
		run: null,
		error: null,
		task
	});
	const [round, again] = d(0);
	A(() => {
		const leave = new AbortController();
		let timer;
		let wait = FIRST_MS;
		let before = "";
		let looks = 0;
		const look = async () => {
			clearTimeout(timer);
			try {
				let run = await loadRun(task, leave.signal);
				if (run.kind === "macro" && run.status === "succeeded") run = await loadRun(task, leave.signal, true);
				if (leave.signal.aborted) return;
				set({
					run,
					error: null,
					task
				});
				if (isOver(run)) {
					onOver();
					return;
				}
				wait = nextWait(wait, mark(run) !== before);
				before = mark(run);
			} catch (error) {
				if (leave.signal.aborted) return;
				set((old) => ({
					run: old.task === task ? old.run : null,
					error,
					task
				}));
				if (error.status === 404 && (looks += 1) >= LATE) return;
				wait = SLOWEST_MS;
			}
			if (!document.hidden) timer = setTimeout(look, wait);
		};
		const back = () => {
			if (!document.hidden) look();
		};
		document.addEventListener("visibilitychange", back);
		look();
		return () => {
			leave.abort();
			clearTimeout(timer);
			document.removeEventListener("visibilitychange", back);
		};
	}, [task, round]);
	const own = state.task === task;
	return {
		run: own ? state.run : null,
		error: own ? state.error : null,
		look: () => again((count) => count + 1)
	};
}
// src/pages/automations/run.tsx
/** One run of a macro, workflow or agent: how far it is, stop, resume, what came of it, and its log. */
function RunBadge({ run }) {
	const { said: words, kind } = STATUS[run.status];
	return /* @__PURE__ */ a(Badge, {
		kind,
		children: words
	});
}
function RunCard({ id, onOver, tour }) {
	const { run, error, look } = useRun(id, onOver);
	const top = T(null);
	A(() => top.current?.scrollIntoView({ block: "start" }), [id, !run]);
	return /* @__PURE__ */ a("div", {
		ref: top,
		class: "flow-run",
		children: /* @__PURE__ */ a(Card, {
			title: t("Run"),
			tour,
			...run ? { actions: /* @__PURE__ */ a(Acts, {
				run,
				look
			}, run.id) } : {},
			children: [error ? /* @__PURE__ */ a(Problem, {
				error,
				retry: look
			}) : null, run ? /* @__PURE__ */ a($, { children: [
				/* @__PURE__ */ a(Head, { run }),
				run.input ? /* @__PURE__ */ a(Input, { text: run.input }) : null,
				/* @__PURE__ */ a(RunSteps, {
					run,
					onResume: (step) => void goOn(run, look, step)
				}),
				/* @__PURE__ */ a(Ending, { run }),
				/* @__PURE__ */ a(RunLog, { run })
			] }) : error ? null : /* @__PURE__ */ a(Loading, {})]
		})
	});
}
function Head({ run }) {
	const over = isOver(run);
	const done = run.steps.filter((step) => step.status === "done" || step.status === "left_out").length;
	const current = run.steps.find((step) => step.status === "running");
	const words = run.stop_requested ? t("Stopping…") : current ? t("Step {place} of {count}: {title}", {
		place: run.steps.indexOf(current) + 1,
		count: run.steps.length,
		title: current.title
	}) : STATUS[run.status].said;
	return /* @__PURE__ */ a("div", {
		class: "flow-head",
		children: [
			/* @__PURE__ */ a("p", {
				class: "row",
				children: [
					/* @__PURE__ */ a(RunBadge, { run }),
					/* @__PURE__ */ a("span", {
						title: fullTime(run.created_at),
						children: ago(run.created_at)
					}),
					run.finished_at ? /* @__PURE__ */ a("span", {
						class: "muted number",
						children: duration((run.finished_at - run.created_at) * 1e3)
					}) : null,
					run.attempts > 1 ? /* @__PURE__ */ a(Badge, { children: plural(run.attempts, "{count} start", "{count} starts") }) : null,
					run.schedule_id ? /* @__PURE__ */ a(Badge, { children: t("Scheduled") }) : null,
					run.resumed_from ? /* @__PURE__ */ a("a", {
						href: runAddress({
							...run,
							id: run.resumed_from
						}),
						children: t("Resumed from an earlier run")
					}) : null
				]
			}),
			over ? null : /* @__PURE__ */ a("progress", {
				class: "flow-bar",
				max: Math.max(1, run.steps.length),
				value: run.steps.length ? done : void 0,
				"aria-label": t("Progress")
			}),
			/* @__PURE__ */ a("p", {
				class: over ? "hidden-visually" : "hint",
				role: "status",
				children: over ? t("The run has ended: {words}.", { words: STATUS[run.status].said }) : words
			})
		]
	});
}
function Input({ text }) {
	if (text.length <= 160 && !text.includes("\n")) return /* @__PURE__ */ a("p", {
		class: "flow-asked",
		children: text
	});
	return /* @__PURE__ */ a("details", {
		class: "flow-asked",
		children: [/* @__PURE__ */ a("summary", { children: t("Input ({length} characters)", { length: number(text.length) }) }), /* @__PURE__ */ a("pre", { children: text })]
	});
}
/** Goes on with a run: what waits is answered first. */
async function goOn(run, look, step) {
	try {
		const request = step ? void 0 : requestOf(run.waiting);
		if (run.status === "waiting" && request) {
			const { outcome } = await askById(request.id, run.session_id);
			if (outcome !== "approved") {
				await stop(run.id).catch(() => void 0);
				return look();
			}
		}
		const { id, reused, warnings } = await resume(run.id, step);
		toast(reused.length ? plural(reused.length, "Resumed. {count} finished step is not run again.", "Resumed. {count} finished steps are not run again.") : t("Resumed from the beginning."), { kind: "good" });
		for (const words of warnings) toast(words, { kind: "bad" });
		go(runAddress({
			...run,
			id
		}));
	} catch (error) {
		toast(said(error), { kind: "bad" });
		look();
	}
}
function Acts({ run, look }) {
	const [busy, set] = d(false);
	const act = async (work) => {
		set(true);
		try {
			await work();
		} catch (error) {
			if (!(error instanceof ApiError && error.status === 409 && !isOver(run))) toast(said(error), { kind: "bad" });
		} finally {
			set(false);
			look();
		}
	};
	const asks = run.status === "waiting" && requestOf(run.waiting) !== void 0;
	A(() => {
		if (asks && isOwn(run.id)) act(() => goOn(run, look));
	}, [asks]);
	if (!isOver(run)) return /* @__PURE__ */ a(Button, {
		kind: "danger",
		icon: "stop",
		busy: busy || run.stop_requested,
		onClick: () => act(async () => {
			await stop(run.id);
		}),
		children: t("Stop")
	});
	const again = () => act(async () => go(runAddress({
		...run,
		id: await start(run.kind, run.name, run.input)
	})));
	return /* @__PURE__ */ a($, { children: [
		run.can_resume ? /* @__PURE__ */ a(Button, {
			kind: "primary",
			icon: "play",
			busy,
			onClick: () => act(() => goOn(run, look)),
			children: asks ? t("Review and resume") : t("Resume")
		}) : null,
		asks ? /* @__PURE__ */ a(Button, {
			icon: "stop",
			disabled: busy,
			onClick: () => act(async () => {
				await stop(run.id);
			}),
			children: t("Stop")
		}) : null,
		/* @__PURE__ */ a(Button, {
			kind: "quiet",
			icon: "refresh",
			disabled: busy,
			onClick: again,
			children: t("Run again")
		}),
		run.text && run.kind !== "macro" ? /* @__PURE__ */ a(CopyButton, {
			text: run.text,
			label: t("Copy result")
		}) : null,
		run.text && run.kind !== "macro" ? /* @__PURE__ */ a(Button, {
			kind: "quiet",
			icon: "download",
			onClick: () => save(`${run.name}.md`, run.text, "text/markdown"),
			children: t("Download")
		}) : null
	] });
}
function Ending({ run }) {
	if (!isOver(run)) return null;
	const stopped = run.status === "stopped";
	const outcome = run.kind === "macro" ? run.steps.findLast((step) => step.result != null) ?? null : null;
	return /* @__PURE__ */ a("div", {
		class: "stack",
		children: [
			stopped ? /* @__PURE__ */ a("p", {
				class: "flow-note",
				children: [/* @__PURE__ */ a(Icon, {
					name: "info",
					size: 16
				}), t("It was stopped. Results of finished steps are kept for a week; Resume continues after them.")]
			}) : null,
			run.status === "waiting" ? /* @__PURE__ */ a("p", {
				class: "flow-note",
				children: [/* @__PURE__ */ a(Icon, {
					name: "shield",
					size: 16
				}), requestOf(run.waiting)?.preview ?? t("A step needs your approval.")]
			}) : null,
			run.error && !stopped ? /* @__PURE__ */ a(Problem, { error: new Error(explained(run)) }) : null,
			run.text && run.status === "succeeded" ? /* @__PURE__ */ a("section", {
				class: "flow-result",
				"aria-label": t("Result"),
				children: [
					/* @__PURE__ */ a("div", {
						class: "row",
						children: [/* @__PURE__ */ a("h3", { children: t("Result") }), run.by ? /* @__PURE__ */ a(Badge, { children: run.by === "model" ? t("Written by a model") : t("Assembled by rules") }) : null]
					}),
					run.note ? /* @__PURE__ */ a("p", {
						class: "hint",
						children: run.note
					}) : null,
					/* @__PURE__ */ a(Markdown, { text: cited(run.text, run.evidence) }),
					outcome === null ? null : /* @__PURE__ */ a(Readable, {
						value: outcome.result,
						...outcome.tool ? { name: outcome.tool } : {}
					})
				]
			}) : null,
			run.evidence.length ? /* @__PURE__ */ a(Sources, { evidence: run.evidence }) : null
		]
	});
}
function explained(run) {
	if (run.error_type === "VALIDATION" && !run.can_resume) return `${run.error} ${t("Change the input and run it again.")}`;
	return run.can_resume ? `${run.error} ${t("Fix the cause, then resume after the finished steps.")}` : run.error;
}
/** Tools that give records without saying which graph they are in. */
var LOOKED_UP = [
	"kb_search",
	"kb_get",
	"cross_kg_search",
	"search_kg",
	"query_kg",
	"rank_results"
];
function recordAddress(one) {
	if (one.database_id) return at("kg-studio", [
		one.database_id,
		"record",
		one.id
	]);
	if (LOOKED_UP.includes(one.tool)) return at("kg-studio", [], { q: one.title });
	return one.tool === "search_playbooks" ? at("playbooks", [one.id]) : null;
}
/** Ids in square brackets lead to what they name. */
function cited(text, evidence) {
	const known = new Map(evidence.map((one) => [one.id, recordAddress(one)]));
	return text.replace(/\[([^\][\n]{1,200})\](?!\()/g, (whole, id) => {
		const address = known.get(id);
		return address ? `[\\[${id}\\]](<${address}>)` : whole;
	});
}
function Sources({ evidence }) {
	return /* @__PURE__ */ a("section", {
		"aria-label": t("Sources"),
		children: [/* @__PURE__ */ a("h3", { children: t("Sources") }), /* @__PURE__ */ a("ul", {
			class: "flow-sources",
			children: evidence.map((one) => {
				const address = recordAddress(one);
				return /* @__PURE__ */ a("li", { children: [address ? /* @__PURE__ */ a("a", {
					href: address,
					children: one.title
				}) : /* @__PURE__ */ a("span", { children: one.title }), /* @__PURE__ */ a("small", {
					class: "muted",
					children: [
						" ",
						one.database_id ? rich("{id} in {database}", {
							id: one.id,
							database: one.database_id
						}) : one.id,
						" · ",
						one.tool
					]
				})] }, `${one.database_id}/${one.id}`);
			})
		})]
	});
}
// src/pages/automations/history.tsx
var PAGE_SIZE = 25;
var LIVE_MS = 1500;
var IDLE_MS = 1e4;
/** The card with the list, and a way to bring it up to date at once. */
function useHistory(kind, name, chosen, tour, nothing) {
	const [size, show] = d(PAGE_SIZE);
	const runs = useLoad((signal) => loadRuns(kind, name, signal, size), [
		kind,
		name,
		chosen,
		size
	]);
	const live = runs.data?.runs.some((run) => !isOver(run)) ?? false;
	useReload(runs, live ? LIVE_MS : IDLE_MS);
	return {
		list: /* @__PURE__ */ a(Card, {
			title: t("Runs"),
			class: "flow-history",
			...tour ? { tour } : {},
			children: /* @__PURE__ */ a(Shown, {
				of: runs,
				children: ({ runs: found, next_before }) => found.length ? /* @__PURE__ */ a($, { children: [
					/* @__PURE__ */ a("ul", {
						class: "list",
						children: found.map((run) => /* @__PURE__ */ a("li", { children: /* @__PURE__ */ a(Row, {
							run,
							chosen: run.id === chosen
						}) }, run.id))
					}),
					next_before && size < 200 ? /* @__PURE__ */ a(Button, {
						kind: "quiet",
						busy: runs.loading,
						onClick: () => show(Math.min(200, size * 2)),
						children: t("Show more")
					}) : null,
					next_before && size >= 200 ? /* @__PURE__ */ a(Older, {
						kind,
						name,
						before: next_before,
						chosen
					}) : null
				] }) : /* @__PURE__ */ a(Empty, {
					icon: "clock",
					title: t("No runs yet"),
					children: nothing
				})
			})
		}),
		reload: runs.reload
	};
}
/** Beyond what is kept up to date: a page at a time. */
function Older({ kind, name, before, chosen }) {
	const [open, show] = d(false);
	const page = useLoad(async (signal) => open ? loadRuns(kind, name, signal, 200, before) : {
		runs: [],
		next_before: before
	}, [open, before]);
	if (!open) return /* @__PURE__ */ a(Button, {
		kind: "quiet",
		onClick: () => show(true),
		children: t("Show more")
	});
	return /* @__PURE__ */ a(Shown, {
		of: page,
		children: ({ runs, next_before }) => /* @__PURE__ */ a($, { children: [/* @__PURE__ */ a("ul", {
			class: "list",
			children: runs.map((run) => /* @__PURE__ */ a("li", { children: /* @__PURE__ */ a(Row, {
				run,
				chosen: run.id === chosen
			}) }, run.id))
		}), next_before && runs.length ? /* @__PURE__ */ a(Older, {
			kind,
			name,
			before: next_before,
			chosen
		}) : null] })
	});
}
function Row({ run, chosen }) {
	return /* @__PURE__ */ a("a", {
		class: "list-item flow-row",
		href: runAddress(run),
		"aria-current": chosen ? "true" : void 0,
		children: [
			/* @__PURE__ */ a(RunBadge, { run }),
			/* @__PURE__ */ a("span", {
				class: "flow-said",
				children: run.input.slice(0, 200) || (run.schedule_id ? t("Scheduled") : run.resumed_from ? t("Resumed") : t("Started by hand or in a conversation"))
			}),
			/* @__PURE__ */ a("small", {
				class: "number",
				title: fullTime(run.created_at),
				children: [ago(run.created_at), run.finished_at ? ` · ${duration((run.finished_at - run.created_at) * 1e3)}` : ""]
			})
		]
	});
}
// src/pages/automations/schedule-api.ts
/** When automations run by themselves, as the server tells it, and cron expressions for the usual wishes. */
var path = (id, more = "") => `/api/schedules/${encodeURIComponent(id)}${more}`;
async function loadSchedules(kind, name, signal) {
	return (await get("/api/schedules", {
		signal,
		query: {
			kind,
			name
		}
	})).schedules;
}
var preview = (trigger, zone, signal) => post("/api/schedules/preview", {
	trigger,
	zone
}, { signal });
var saveSchedule = (body, id) => id ? put(path(id), body) : post("/api/schedules", body);
var deleteSchedule = (id) => del(path(id));
var runSchedule = async (id) => (await post(path(id, "/run"))).id;
var bodyOf = ({ kind, name, input, trigger, zone, missed, enabled }) => ({
	kind,
	name,
	input,
	trigger,
	zone,
	missed,
	enabled
});
var times = new Intl.DateTimeFormat(locale, {
	weekday: "short",
	day: "numeric",
	month: "short",
	hour: "2-digit",
	minute: "2-digit"
});
var timeInWords = (seconds) => times.format(/* @__PURE__ */ new Date(seconds * 1e3));
function cronOf({ rhythm, time, weekday, day }) {
	const [hour = 0, minute = 0] = time.split(":").map(Number);
	switch (rhythm) {
		case "hour": return `${minute} * * * *`;
		case "day": return `${minute} ${hour} * * *`;
		case "weekdays": return `${minute} ${hour} * * 1-5`;
		case "week": return `${minute} ${hour} * * ${weekday}`;
		case "month": return `${minute} ${hour} ${day} * *`;
		case "custom": return "";
	}
}
/** What an expression wishes for, where that is a usual wish. */
function wishOf(expression) {
	const [minute = "", hour = "", day = "", month = "", weekday = ""] = expression.trim().split(/\s+/);
	const number = (text) => /^\d+$/.test(text) ? Number(text) : null;
	const at = number(minute);
	const time = `${(hour === "*" ? "0" : hour).padStart(2, "0")}:${minute.padStart(2, "0")}`;
	const wish = (rhythm) => ({
		rhythm,
		time,
		weekday: number(weekday) ?? 1,
		day: number(day) ?? 1
	});
	const custom = {
		rhythm: "custom",
		time: "08:00",
		weekday: 1,
		day: 1
	};
	if (at === null || month !== "*") return custom;
	if (hour === "*" && day === "*" && weekday === "*") return wish("hour");
	if (number(hour) === null) return custom;
	if (day === "*") return weekday === "*" ? wish("day") : weekday === "1-5" ? wish("weekdays") : /^[0-6]$/.test(weekday) ? wish("week") : custom;
	return weekday === "*" && number(day) !== null ? wish("month") : custom;
}
// src/pages/automations/item.tsx
function Item({ href, title, about, facts, chosen, standing, children }) {
	return /* @__PURE__ */ a("a", {
		class: "list-item flow-item",
		href,
		"aria-current": chosen ? "true" : void 0,
		children: [
			/* @__PURE__ */ a("span", {
				class: "row",
				children: [/* @__PURE__ */ a("strong", { children: title }), children]
			}),
			/* @__PURE__ */ a("small", {
				class: "flow-about",
				children: about
			}),
			/* @__PURE__ */ a("small", {
				class: "row flow-last",
				children: [
					/* @__PURE__ */ a("span", { children: facts }),
					standing?.last_run ? /* @__PURE__ */ a($, { children: [/* @__PURE__ */ a(RunBadge, { run: standing.last_run }), /* @__PURE__ */ a("span", { children: ago(standing.last_run.created_at) })] }) : /* @__PURE__ */ a("span", { children: t("Not run yet") }),
					standing?.next_at ? /* @__PURE__ */ a("span", {
						class: "flow-next",
						children: [/* @__PURE__ */ a(Icon, {
							name: "clock",
							size: 13
						}), t("Next: {time}", { time: timeInWords(standing.next_at) })]
					}) : null
				]
			})
		]
	});
}
// src/pages/automations/schedule-form.tsx
/** When it should run: by the clock or by the calendar, with the next times as one chooses. */
var RHYTHMS = [
	["hour", t("Every hour")],
	["day", t("Every day")],
	["weekdays", t("Monday to Friday")],
	["week", t("Every week")],
	["month", t("Every month")],
	["custom", t("Cron expression")]
];
var BEFORE = [
	[0, t("At its start")],
	[5, t("5 minutes before")],
	[10, t("10 minutes before")],
	[15, t("15 minutes before")],
	[30, t("30 minutes before")],
	[60, t("1 hour before")],
	[1440, t("1 day before")]
];
var weekdays = [
	0,
	1,
	2,
	3,
	4,
	5,
	6
].map((day) => new Intl.DateTimeFormat(locale, {
	weekday: "long",
	timeZone: "UTC"
}).format(Date.UTC(2025, 0, 5 + day)));
function ScheduleForm({ kind, name, input, schedule, onDone, onCancel }) {
	const [draft, set] = d(() => schedule ?? {
		kind,
		name,
		input: "",
		trigger: {
			type: "cron",
			expression: "0 8 * * 1-5"
		},
		zone: zoneHere(),
		missed: "skip",
		enabled: true
	});
	const [busy, work] = d(false);
	const [problem, fail] = d(null);
	const { trigger } = draft;
	const change = (next) => {
		fail(null);
		set({
			...draft,
			...next
		});
	};
	const press = async (event) => {
		event.preventDefault();
		work(true);
		try {
			const { kind: of, name: which, input: text, trigger: when, zone, missed, enabled } = draft;
			await saveSchedule({
				kind: of,
				name: which,
				input: text,
				trigger: when,
				zone,
				missed,
				enabled
			}, schedule?.id ?? null);
			onDone();
		} catch (error) {
			fail(error);
			work(false);
		}
	};
	return /* @__PURE__ */ a("form", {
		class: "stack flow-schedule-form",
		onSubmit: (event) => void press(event),
		"aria-label": schedule ? t("Edit schedule") : t("New schedule"),
		children: [
			/* @__PURE__ */ a("fieldset", {
				class: "row flow-way",
				children: [
					/* @__PURE__ */ a("legend", {
						class: "hidden-visually",
						children: t("Runs by")
					}),
					/* @__PURE__ */ a("label", { children: [
						/* @__PURE__ */ a("input", {
							type: "radio",
							name: "way",
							checked: trigger.type === "cron",
							onChange: () => change({ trigger: {
								type: "cron",
								expression: "0 8 * * 1-5"
							} })
						}),
						" ",
						t("Clock")
					] }),
					/* @__PURE__ */ a("label", { children: [
						/* @__PURE__ */ a("input", {
							type: "radio",
							name: "way",
							checked: trigger.type === "event",
							onChange: () => change({ trigger: {
								type: "event",
								title: "",
								minutes_before: 10
							} })
						}),
						" ",
						t("Calendar events")
					] })
				]
			}),
			trigger.type === "cron" ? /* @__PURE__ */ a(Clock, {
				expression: trigger.expression,
				zone: draft.zone,
				onExpression: (expression) => change({ trigger: {
					type: "cron",
					expression
				} }),
				onZone: (zone) => change({ zone })
			}) : /* @__PURE__ */ a("div", {
				class: "flow-fields",
				children: [/* @__PURE__ */ a(Field, {
					label: t("Events called"),
					hint: t("Events whose title contains this."),
					children: (attributes) => /* @__PURE__ */ a("input", {
						...attributes,
						type: "text",
						required: true,
						maxLength: 200,
						value: trigger.title,
						placeholder: t("Stand-up"),
						onInput: (event) => change({ trigger: {
							...trigger,
							title: event.currentTarget.value
						} })
					})
				}), /* @__PURE__ */ a(Field, {
					label: t("When"),
					children: (attributes) => /* @__PURE__ */ a("select", {
						...attributes,
						value: trigger.minutes_before,
						onChange: (event) => change({ trigger: {
							...trigger,
							minutes_before: Number(event.currentTarget.value)
						} }),
						children: [BEFORE.some(([minutes]) => minutes === trigger.minutes_before) ? null : /* @__PURE__ */ a("option", {
							value: trigger.minutes_before,
							children: t("{count} minutes before", { count: trigger.minutes_before })
						}), BEFORE.map(([minutes, words]) => /* @__PURE__ */ a("option", {
							value: minutes,
							children: words
						}, minutes))]
					})
				})]
			}),
			/* @__PURE__ */ a(Foreseen, {
				trigger,
				zone: draft.zone
			}),
			input === null ? null : /* @__PURE__ */ a(Field, {
				label: t("Input"),
				hint: t("What each run works on: {input}.", { input }),
				children: (attributes) => /* @__PURE__ */ a("textarea", {
					...attributes,
					rows: 2,
					maxLength: 2e4,
					value: draft.input,
					onInput: (event) => change({ input: event.currentTarget.value })
				})
			}),
			/* @__PURE__ */ a(Field, {
				label: t("If the server was down at the time"),
				children: (attributes) => /* @__PURE__ */ a("select", {
					...attributes,
					value: draft.missed,
					onChange: (event) => change({ missed: event.currentTarget.value }),
					children: [/* @__PURE__ */ a("option", {
						value: "skip",
						children: t("Skip the run")
					}), /* @__PURE__ */ a("option", {
						value: "run_once",
						children: t("Run once when it is back")
					})]
				})
			}),
			/* @__PURE__ */ a("p", {
				class: "hint",
				children: t("It runs with your rights. A step that needs your approval waits in the inbox.")
			}),
			problem ? /* @__PURE__ */ a(Problem, { error: problem }) : null,
			/* @__PURE__ */ a("div", {
				class: "row",
				children: [
					/* @__PURE__ */ a("span", { class: "spring" }),
					/* @__PURE__ */ a(Button, {
						onClick: onCancel,
						children: t("Cancel")
					}),
					/* @__PURE__ */ a(Button, {
						kind: "primary",
						type: "submit",
						icon: "check",
						busy,
						children: t("Save schedule")
					})
				]
			})
		]
	});
}
function Clock({ expression, zone, onExpression, onZone }) {
	const [custom, type] = d(() => wishOf(expression).rhythm === "custom");
	const wish = wishOf(expression);
	const rhythm = custom ? "custom" : wish.rhythm;
	const choose = (next) => {
		type(next === "custom");
		if (next !== "custom") onExpression(cronOf({
			...wish,
			rhythm: next
		}));
	};
	return /* @__PURE__ */ a("div", {
		class: "flow-fields",
		children: [
			/* @__PURE__ */ a(Field, {
				label: t("Repeats"),
				children: (attributes) => /* @__PURE__ */ a("select", {
					...attributes,
					value: rhythm,
					onChange: (event) => choose(event.currentTarget.value),
					children: RHYTHMS.map(([id, words]) => /* @__PURE__ */ a("option", {
						value: id,
						children: words
					}, id))
				})
			}),
			rhythm === "week" ? /* @__PURE__ */ a(Field, {
				label: t("On"),
				children: (attributes) => /* @__PURE__ */ a("select", {
					...attributes,
					value: wish.weekday,
					onChange: (event) => onExpression(cronOf({
						...wish,
						weekday: Number(event.currentTarget.value)
					})),
					children: [
						1,
						2,
						3,
						4,
						5,
						6,
						0
					].map((day) => /* @__PURE__ */ a("option", {
						value: day,
						children: weekdays[day]
					}, day))
				})
			}) : null,
			rhythm === "month" ? /* @__PURE__ */ a(Field, {
				label: t("Day"),
				children: (attributes) => /* @__PURE__ */ a("input", {
					...attributes,
					type: "number",
					min: 1,
					max: 31,
					value: wish.day,
					onChange: (event) => onExpression(cronOf({
						...wish,
						day: event.currentTarget.valueAsNumber || 1
					}))
				})
			}) : null,
			rhythm === "custom" ? /* @__PURE__ */ a(Field, {
				label: t("Cron expression"),
				hint: t("Minute, hour, day of month, month, day of week."),
				children: (attributes) => /* @__PURE__ */ a("input", {
					...attributes,
					type: "text",
					required: true,
					maxLength: 200,
					spellcheck: false,
					autocomplete: "off",
					value: expression,
					onInput: (event) => onExpression(event.currentTarget.value)
				})
			}) : /* @__PURE__ */ a(Field, {
				label: rhythm === "hour" ? t("At minute") : t("At"),
				children: (attributes) => rhythm === "hour" ? /* @__PURE__ */ a("input", {
					...attributes,
					type: "number",
					min: 0,
					max: 59,
					value: Number(wish.time.slice(3)),
					onChange: (event) => onExpression(cronOf({
						...wish,
						time: `00:${event.currentTarget.valueAsNumber || 0}`
					}))
				}) : /* @__PURE__ */ a("input", {
					...attributes,
					type: "time",
					required: true,
					value: wish.time,
					onChange: (event) => event.currentTarget.value && onExpression(cronOf({
						...wish,
						time: event.currentTarget.value
					}))
				})
			}),
			/* @__PURE__ */ a(Field, {
				label: t("Time zone"),
				children: (attributes) => /* @__PURE__ */ a("select", {
					...attributes,
					value: zone,
					onChange: (event) => onZone(event.currentTarget.value),
					children: [.../* @__PURE__ */ new Set([zone, ...zones()])].map((each) => /* @__PURE__ */ a("option", {
						value: each,
						children: each
					}, each))
				})
			})
		]
	});
}
/** When that would be, in words and in the person's own time. */
function Foreseen({ trigger, zone }) {
	const whole = trigger.type === "cron" ? trigger.expression.trim() : trigger.title.trim();
	const found = useLoad(async (signal) => whole ? preview(trigger, zone, signal) : null, [JSON.stringify(trigger), zone]);
	if (!whole) return null;
	const errors = found.error instanceof ApiError ? found.error.body?.errors : void 0;
	if (found.error) return /* @__PURE__ */ a("p", {
		class: "wrong",
		role: "alert",
		children: errors?.[0]?.message ?? found.error.message
	});
	if (!found.data) return null;
	return /* @__PURE__ */ a("div", {
		class: "flow-foreseen",
		role: "status",
		children: [/* @__PURE__ */ a("p", { children: found.data.words }), /* @__PURE__ */ a("p", {
			class: "hint",
			children: found.data.next.length ? t("Next: {times}", { times: found.data.next.map(timeInWords).join(" · ") }) : trigger.type === "event" ? t("No such event in the next five weeks. New events are included automatically.") : t("It would never run.")
		})]
	});
}
// src/pages/automations/schedules.tsx
/** The schedules of one automation: when it runs by itself, next and last time, on and off. */
var LOOK_MS = 1e4;
function Schedules({ kind, name, input, onRun }) {
	const schedules = useLoad((signal) => loadSchedules(kind, name, signal), [kind, name]);
	useReload(schedules, LOOK_MS);
	const [editing, edit] = d(null);
	const done = () => {
		edit(null);
		schedules.reload();
	};
	return /* @__PURE__ */ a(Card, {
		title: t("Schedules"),
		class: "flow-schedules",
		actions: editing === null ? /* @__PURE__ */ a(Button, {
			kind: "quiet",
			icon: "plus",
			onClick: () => edit(""),
			children: t("Add schedule")
		}) : null,
		children: [editing === "" ? /* @__PURE__ */ a(ScheduleForm, {
			kind,
			name,
			input,
			schedule: null,
			onDone: done,
			onCancel: () => edit(null)
		}) : null, /* @__PURE__ */ a(Shown, {
			of: schedules,
			children: (found) => found.length ? /* @__PURE__ */ a("ul", {
				class: "flow-schedule-list",
				children: found.map((each) => /* @__PURE__ */ a("li", { children: editing === each.id ? /* @__PURE__ */ a(ScheduleForm, {
					kind,
					name,
					input,
					schedule: each,
					onDone: done,
					onCancel: () => edit(null)
				}) : /* @__PURE__ */ a(One, {
					schedule: each,
					onEdit: () => edit(each.id),
					onChange: schedules.reload,
					onRun
				}) }, each.id))
			}) : editing === null ? /* @__PURE__ */ a(Empty, {
				icon: "clock",
				title: t("Not scheduled"),
				children: t("Run it at fixed times or around calendar events.")
			}) : null
		})]
	});
}
function One({ schedule, onEdit, onChange, onRun }) {
	const [busy, set] = d(false);
	const act = async (work) => {
		set(true);
		try {
			await work();
		} catch (error) {
			toast(said(error), { kind: "bad" });
		} finally {
			set(false);
			onChange();
		}
	};
	const [first, ...later] = schedule.next;
	return /* @__PURE__ */ a("div", {
		class: "flow-schedule",
		children: [
			/* @__PURE__ */ a("div", {
				class: "row",
				children: [
					/* @__PURE__ */ a("strong", { children: schedule.words }),
					/* @__PURE__ */ a("span", { class: "spring" }),
					/* @__PURE__ */ a(Switch, {
						label: t("On"),
						checked: schedule.enabled,
						onChange: (enabled) => void act(() => saveSchedule({
							...bodyOf(schedule),
							enabled
						}, schedule.id))
					}),
					/* @__PURE__ */ a(Button, {
						kind: "quiet",
						icon: "play",
						disabled: busy,
						onClick: () => void act(async () => {
							const id = await runSchedule(schedule.id);
							onRun();
							go(runAddress({
								...schedule,
								id
							}));
						}),
						children: t("Run now")
					}),
					/* @__PURE__ */ a(IconButton, {
						label: t("Edit schedule: {words}", { words: schedule.words }),
						icon: "edit",
						onClick: onEdit
					}),
					/* @__PURE__ */ a(IconButton, {
						label: t("Delete schedule: {words}", { words: schedule.words }),
						icon: "trash",
						disabled: busy,
						onClick: () => void act(async () => {
							await deleteSchedule(schedule.id);
							toast(t("Schedule deleted."), { action: {
								label: t("Undo"),
								run: () => void saveSchedule(bodyOf(schedule), null).then(onChange)
							} });
						})
					})
				]
			}),
			/* @__PURE__ */ a("p", {
				class: "row flow-facts",
				children: [
					!schedule.enabled ? /* @__PURE__ */ a("span", { children: t("Off") }) : first ? /* @__PURE__ */ a("span", {
						title: fullTime(first),
						children: [t("Next: {time}", { time: timeInWords(first) }), later.length ? /* @__PURE__ */ a("span", {
							class: "muted",
							children: [" · ", later.map(timeInWords).join(" · ")]
						}) : null]
					}) : /* @__PURE__ */ a("span", { children: t("No time in the next five weeks") }),
					schedule.last_at ? /* @__PURE__ */ a("span", { children: t("Last: {when}", { when: ago(schedule.last_at) }) }) : null,
					schedule.last_run ? /* @__PURE__ */ a("a", {
						href: runAddress(schedule.last_run),
						children: /* @__PURE__ */ a(RunBadge, { run: schedule.last_run })
					}) : null
				]
			}),
			schedule.input ? /* @__PURE__ */ a("p", {
				class: "flow-said hint",
				children: schedule.input
			}) : null,
			schedule.problem ? /* @__PURE__ */ a("p", {
				class: "wrong",
				children: schedule.problem
			}) : null
		]
	});
}
export { removed as A, innerOf as C, newKey as D, moved as E, savedKey as M, savingBody as N, newStep as O, unreadIn as P, imported as S, keep as T, draftOf as _, PlannedSteps as a, emptyDraft as b, loadRun as c, runAddress as d, start as f, differs as g, bodyOf$1 as h, RunCard as i, repeated as j, pipeErrors as k, loadStandings as l, asCopy as m, Item as n, PAGE as o, RUNNER as p, useHistory as r, loadPipelines as s, Schedules as t, nameOfTask as u, drafts as v, inside as w, exported as x, duplicate as y };

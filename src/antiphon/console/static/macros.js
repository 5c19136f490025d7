import { c as F, f as d, h as $, l as P, o as y, s as A, t as a, u as T } from "./vendor-preact.js";
import { a as post, c as send, n as del, r as get, s as said, t as ApiError, u as words } from "./http.js";
import { r as useLoad } from "./load.js";
import { a as at, d as route, o as go } from "./router.js";
import { t as TALK_PROFILE } from "./talk.js";
import { a as Empty, d as Spinner, g as Icon, h as save, l as Problem, n as Button, o as Field, r as Card, s as IconButton, t as Badge, u as Shown } from "./kit.js";
import { n as on } from "./bus.js";
import { r as toast } from "./toasts.js";
import { f as askById, u as Dialog } from "./start.js";
import { t as ago } from "./time.js";
import { _ as startValue, a as related, b as flat, d as adviceFor, h as SchemaForm, l as loadTool, m as ruleInWords, s as loadCatalogue, t as Facts, v as Unread, x as unread, y as brief } from "./catalogue.js";
import { t as Readable } from "./readable.js";
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
		name: macro.name ?? "",
		phrase: macro.trigger_phrase ?? "",
		policy: macro.error_policy ?? "abort",
		steps: steps.length ? steps : [newStep()]
	};
}
/** What is sent. */
function bodyOf(draft) {
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
/** Whether saving would change anything. */
function differs(draft, saved) {
	return written(bodyOf(draft)) !== written(bodyOf(saved ? draftOf(saved) : {
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
		throw new Error(`This is no JSON: ${error instanceof Error ? error.message : String(error)}`);
	}
	const inner = value && typeof value === "object" && "macros" in value ? value.macros : value;
	const list = Array.isArray(inner) ? inner : [inner];
	if (!list.length) throw new Error("There is no macro in it.");
	list.forEach((each, index) => {
		const one = each;
		const where = list.length > 1 ? `Macro ${index + 1}` : "This";
		if (!one || typeof one !== "object" || !Array.isArray(one.steps)) throw new Error(`${where} is no macro: it has no list of steps.`);
		const bad = one.steps.findIndex((step) => !step || typeof step !== "object" || typeof step.function !== "string");
		if (bad >= 0) throw new Error(`${where} is no macro: step ${bad + 1} names no function.`);
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
// src/pages/macros/examples.tsx
var EXAMPLES = [
	{
		name: "Good morning",
		trigger_phrase: "good morning",
		steps: [
			{
				function: "list_kgs",
				args: {},
				pipe_from: null
			},
			{
				function: "get_kg_analytics",
				args: {},
				pipe_from: 1
			},
			{
				function: "list_projects",
				args: {},
				pipe_from: null
			}
		]
	},
	{
		name: "Find and tell",
		trigger_phrase: "look it up",
		steps: [
			{
				function: "list_kgs",
				args: {},
				pipe_from: null
			},
			{
				function: "search_kg",
				args: {
					query: "automation",
					limit: 1
				},
				pipe_from: 1
			},
			{
				function: "query_kg",
				args: {},
				pipe_from: [{
					step: 1,
					path: "databases/0/id",
					to: "database_id"
				}, {
					step: 2,
					path: "results/0/title",
					to: "query"
				}]
			}
		]
	},
	{
		name: "Show the numbers",
		trigger_phrase: "show the numbers",
		steps: [{
			function: "navigate_page",
			args: { path: "metrics" },
			pipe_from: null
		}]
	}
];
function Examples({ tools, onChoose }) {
	const known = new Set(tools.map((tool) => tool.toolId));
	const usable = EXAMPLES.filter((each) => each.steps.every((step) => known.has(step.function)));
	if (!usable.length) return null;
	return /* @__PURE__ */ a("div", {
		class: "row",
		role: "group",
		"aria-label": "Examples",
		children: [/* @__PURE__ */ a("span", {
			class: "hint",
			children: "Start from an example:"
		}), usable.map((each) => /* @__PURE__ */ a("button", {
			type: "button",
			class: "macros-chip",
			onClick: () => onChoose(draftOf(each)),
			children: each.name
		}, each.name))]
	});
}
// src/pages/macros/runs.ts
/** A run of a macro as it happens: each step from "waits its turn" to what came of it. */
/** The latest run of each macro. */
var runs = y({});
var put = (run) => runs.value = {
	...runs.value,
	[run.macroId]: run
};
/** Runs it and follows every step. Never throws: what goes wrong is part of the run. */
async function start(macro) {
	let run = {
		macroId: macro.id,
		name: macro.name,
		state: "running",
		steps: macro.steps.map((step) => ({
			function: step.function,
			state: "pending"
		})),
		summary: ""
	};
	put(run);
	try {
		const answer = await send("POST", `/api/vox/macros/${encodeURIComponent(macro.id)}/run/events`, void 0, { headers: {
			Accept: "text/event-stream",
			"Idempotency-Key": `console-${crypto.randomUUID()}`
		} });
		if (!answer.ok || !answer.body) throw new ApiError(answer.status, words(answer.status, await answer.json().catch(() => null)));
		for await (const told of events(answer.body)) put(run = after(run, told));
		if (run.state === "running") throw new Error("The connection was lost. The run goes on at the server; the audit says what came of it.");
	} catch (error) {
		put(run = {
			...run,
			state: "failed",
			problem: said(error),
			steps: stopped(run.steps)
		});
	}
	if (run.waiting) decide(run);
	return run;
}
/** What is known after one more message. */
function after(run, told) {
	if (told.type === "failed") return {
		...run,
		state: "failed",
		problem: told.error?.message ?? "It was refused.",
		steps: stopped(run.steps)
	};
	if (told.type === "done") {
		const steps = run.steps.map((step, index) => {
			const result = told.results.find((each) => each.step === index + 1);
			if (!result) return {
				...step,
				state: "not run"
			};
			const waits = told.waiting?.step === index + 1;
			return {
				...step,
				result,
				state: waits ? "waiting" : result.success ? "done" : "failed"
			};
		});
		const state = told.waiting ? "waiting" : told.success ? "done" : "failed";
		return {
			...run,
			state,
			steps,
			summary: told.summary,
			...told.waiting ? { waiting: told.waiting } : {}
		};
	}
	if (told.macro_id !== run.macroId) {
		const steps = run.steps.map((step) => step.state === "running" ? {
			...step,
			inner: told.message
		} : step);
		return {
			...run,
			steps
		};
	}
	const steps = run.steps.map((step, index) => {
		const number = index + 1;
		if (number === told.step) return {
			...step,
			state: "running"
		};
		if (number === told.last?.step) return {
			...step,
			result: told.last,
			state: told.last.success ? "done" : "failed"
		};
		return step;
	});
	return {
		...run,
		steps
	};
}
var stopped = (steps) => steps.map((step) => step.state === "pending" || step.state === "running" ? {
	...step,
	state: "not run"
} : step);
var requestOf = (waiting) => waiting.confirmation_request ?? (waiting.inside && requestOf(waiting.inside));
/** Asks the person about the step that waits, and shows what came of it. */
async function decide(run) {
	const request = run.waiting && requestOf(run.waiting);
	if (!request) return;
	const index = run.waiting.step - 1;
	const change = (step, state, summary) => {
		const now = runs.value[run.macroId];
		if (now?.waiting !== run.waiting) return;
		const { waiting: _, ...rest } = now;
		put({
			...rest,
			state,
			summary,
			steps: now.steps.map((each, at) => at === index ? {
				...each,
				...step
			} : each)
		});
	};
	try {
		const { outcome, result } = await askById(request.id, "rest-text");
		const later = run.steps.length > index + 1 ? " Later steps were not run." : "";
		const base = run.steps[index].result;
		if (outcome !== "approved") change({
			state: "not run",
			answered: outcome
		}, "failed", `Step ${index + 1} was not approved (${outcome}).${later}`);
		else if (result?.ok) {
			const { error: _e, error_type: _t, ...rest } = base;
			change({
				state: "done",
				answered: outcome,
				result: {
					...rest,
					success: true,
					result: result.data
				}
			}, "done", `Approved: step ${index + 1} is done.${later}`);
		} else change({
			state: "failed",
			answered: outcome,
			result: {
				...base,
				error: result?.error?.message ?? "It did not work."
			}
		}, "failed", `Approved, but step ${index + 1} did not work.${later}`);
	} catch (error) {
		change({}, "failed", said(error));
	}
}
/** The messages of a stream of server-sent events. */
async function* events(body) {
	const reader = body.pipeThrough(new TextDecoderStream()).getReader();
	let rest = "";
	try {
		for (;;) {
			const { value, done } = await reader.read();
			if (done) return;
			const frames = (rest + value).split("\n\n");
			rest = frames.pop();
			for (const frame of frames) {
				const data = frame.split("\n").filter((line) => line.startsWith("data: ")).map((line) => line.slice(6)).join("\n");
				if (data) yield JSON.parse(data);
			}
		}
	} finally {
		reader.cancel().catch(() => void 0);
	}
}
// src/pages/macros/outcome.tsx
/** What a run would do, and what a run did, step by step. */
/** Brings what is new into sight. */
function useShown(what) {
	const box = T(null);
	A(() => box.current?.parentElement?.scrollIntoView({ block: "nearest" }), [what]);
	return box;
}
var OUTCOMES = {
	run: {
		word: "would run",
		kind: "good"
	},
	confirm: {
		word: "would ask you",
		kind: "warn"
	},
	refuse: {
		word: "would be refused",
		kind: "bad"
	}
};
function PlanCard({ steps }) {
	const stops = steps.find((each) => each.outcome !== "run");
	const box = useShown(steps);
	return /* @__PURE__ */ a(Card, {
		title: "Dry run",
		class: "macros-plan",
		children: [
			/* @__PURE__ */ a("span", {
				ref: box,
				hidden: true
			}),
			/* @__PURE__ */ a("p", {
				role: "status",
				children: stops ? `Nothing was called. A run would stop at step ${stops.step}: ${stops.outcome === "confirm" ? "it asks you first" : stops.message ?? "it would be refused"}` : "Nothing was called. No gate would stop any of these steps."
			}),
			/* @__PURE__ */ a(Plan, { steps })
		]
	});
}
function Plan({ steps }) {
	return /* @__PURE__ */ a("ol", {
		class: "macros-results",
		children: steps.map((each) => {
			const { word, kind } = OUTCOMES[each.outcome];
			return /* @__PURE__ */ a("li", { children: [
				/* @__PURE__ */ a("span", {
					class: "row",
					children: [
						/* @__PURE__ */ a("span", {
							class: "macros-number",
							children: each.step
						}),
						/* @__PURE__ */ a("strong", {
							class: "macros-function",
							children: each.function
						}),
						/* @__PURE__ */ a(Badge, {
							kind,
							children: word
						}),
						each.rule !== "run" ? /* @__PURE__ */ a("span", {
							class: "muted",
							children: [
								"rule ",
								/* @__PURE__ */ a("code", { children: each.rule }),
								ruleInWords(each.rule) ? `: ${ruleInWords(each.rule)}` : ""
							]
						}) : null
					]
				}),
				each.message && each.outcome === "refuse" ? /* @__PURE__ */ a("p", {
					class: "wrong",
					children: each.message
				}) : null,
				/* @__PURE__ */ a("code", {
					class: "macros-call",
					children: brief(each.args, 300)
				}),
				each.steps ? /* @__PURE__ */ a(Plan, { steps: each.steps }) : null
			] }, each.step);
		})
	});
}
var STATES = {
	pending: {
		word: "waits its turn",
		kind: "plain"
	},
	running: {
		word: "running",
		kind: "accent"
	},
	waiting: {
		word: "waits for you",
		kind: "warn"
	},
	done: {
		word: "done",
		kind: "good"
	},
	failed: {
		word: "failed",
		kind: "bad"
	},
	"not run": {
		word: "not run",
		kind: "plain"
	}
};
function RunCard({ run }) {
	const done = run.steps.filter((step) => step.state === "done").length;
	const request = run.waiting && requestOf(run.waiting);
	const box = useShown(run.state);
	return /* @__PURE__ */ a(Card, {
		title: `Run of ${run.name}`,
		class: "macros-run",
		children: [
			/* @__PURE__ */ a("span", {
				ref: box,
				hidden: true
			}),
			/* @__PURE__ */ a("div", {
				role: "status",
				class: "macros-run-status",
				children: [run.state === "running" ? /* @__PURE__ */ a("p", {
					class: "row",
					children: [/* @__PURE__ */ a(Spinner, {}), `Step ${Math.min(done + 1, run.steps.length)} of ${run.steps.length}`]
				}) : /* @__PURE__ */ a("p", { children: run.summary }), run.problem ? /* @__PURE__ */ a("p", {
					class: "wrong",
					children: run.problem
				}) : null]
			}),
			request ? /* @__PURE__ */ a("div", {
				class: "macros-waiting",
				children: [/* @__PURE__ */ a("p", { children: request.preview }), /* @__PURE__ */ a(Button, {
					kind: "primary",
					icon: "shield",
					onClick: () => void decide(run),
					children: "Look at it and decide"
				})]
			}) : null,
			/* @__PURE__ */ a("ol", {
				class: "macros-results",
				children: run.steps.map((step, index) => {
					const { word, kind } = STATES[step.state];
					return /* @__PURE__ */ a("li", {
						"data-state": step.state,
						children: [
							/* @__PURE__ */ a("span", {
								class: "row",
								children: [
									/* @__PURE__ */ a("span", {
										class: "macros-number",
										children: index + 1
									}),
									/* @__PURE__ */ a("strong", {
										class: "macros-function",
										children: step.function
									}),
									step.state === "running" ? /* @__PURE__ */ a(Spinner, {}) : null,
									/* @__PURE__ */ a(Badge, {
										kind,
										children: step.answered && step.state === "not run" ? step.answered : word
									}),
									step.result?.tries ? /* @__PURE__ */ a("span", {
										class: "muted",
										children: [step.result.tries, " tries"]
									}) : null
								]
							}),
							step.inner && step.state === "running" ? /* @__PURE__ */ a("p", {
								class: "hint",
								children: step.inner
							}) : null,
							step.state === "failed" && step.result?.error ? /* @__PURE__ */ a("p", {
								class: "wrong",
								children: [
									step.result.error,
									" ",
									/* @__PURE__ */ a("span", {
										class: "hint",
										children: step.result.error_type ? adviceFor(step.result.error_type).advice : ""
									})
								]
							}) : null,
							step.result?.result !== void 0 ? /* @__PURE__ */ a("details", {
								open: run.steps.length <= 3,
								children: [/* @__PURE__ */ a("summary", { children: "Result" }), /* @__PURE__ */ a(Readable, {
									value: step.result.result,
									name: step.function
								})]
							}) : null
						]
					}, index);
				})
			})
		]
	});
}
// src/pages/macros/picker.tsx
/** Chooses a function of the registry: type a few letters, then arrows and Enter. */
var MOST$1 = 12;
var MOST_OTHERS = 4;
function wayOf(tool, spoken) {
	if (!spoken || spoken.has(tool.toolId)) return "itself";
	return tool.catalogue && spoken.has("run_tool") ? "runner" : null;
}
function Picker({ tools, spoken, value, onChoose, label, error }) {
	const [typed, type] = d(null);
	const [active, point] = d(0);
	const box = T(null);
	const id = P();
	const open = typed !== null;
	const fits = open ? related(tools, typed).map((tool) => ({
		tool,
		way: wayOf(tool, spoken)
	})) : [];
	const offered = fits.filter(({ way }) => way !== null).slice(0, MOST$1);
	const others = typed ? fits.filter(({ way }) => way === null).slice(0, MOST_OTHERS) : [];
	const close = () => {
		type(null);
		point(0);
	};
	const choose = ({ tool, way }) => {
		if (way === "runner") onChoose(RUNNER, { tool_id: tool.toolId });
		else onChoose(tool.toolId);
		close();
	};
	A(() => {
		if (open) box.current?.querySelector("[aria-selected=\"true\"]")?.scrollIntoView({ block: "nearest" });
	}, [active, open]);
	const key = (event) => {
		if (event.key === "ArrowDown" || event.key === "ArrowUp") {
			event.preventDefault();
			if (!open) return type("");
			const step = event.key === "ArrowDown" ? 1 : -1;
			point((active + step + offered.length) % Math.max(1, offered.length));
		} else if (event.key === "Enter" && open) {
			event.preventDefault();
			if (offered[active]) choose(offered[active]);
		} else if (event.key === "Escape" && open) {
			event.stopPropagation();
			close();
		}
	};
	return /* @__PURE__ */ a("div", {
		class: "macros-picker",
		ref: box,
		onFocusOut: (event) => {
			if (!box.current?.contains(event.relatedTarget)) close();
		},
		children: [
			/* @__PURE__ */ a("label", {
				for: id,
				children: label
			}),
			/* @__PURE__ */ a("input", {
				id,
				type: "text",
				role: "combobox",
				"aria-expanded": open,
				"aria-controls": `${id}-list`,
				"aria-autocomplete": "list",
				autocomplete: "off",
				spellcheck: false,
				placeholder: "Type what it should do, or a name",
				"aria-activedescendant": open && offered[active] ? `${id}-${active}` : void 0,
				"aria-invalid": error ? true : void 0,
				"aria-describedby": error ? `${id}-wrong` : void 0,
				value: typed ?? value,
				onKeyDown: key,
				onClick: () => open || type(""),
				onInput: (event) => {
					type(event.currentTarget.value);
					point(0);
				}
			}),
			/* @__PURE__ */ a("ul", {
				id: `${id}-list`,
				role: "listbox",
				"aria-label": label,
				hidden: !open,
				class: "macros-options",
				children: [
					offered.map((each, index) => /* @__PURE__ */ a("li", {
						id: `${id}-${index}`,
						role: "option",
						"aria-selected": index === active,
						onMouseDown: (event) => {
							event.preventDefault();
							choose(each);
						},
						onMouseMove: () => index !== active && point(index),
						children: [/* @__PURE__ */ a("span", {
							class: "row",
							children: [/* @__PURE__ */ a("strong", {
								class: "macros-function",
								children: each.tool.toolId
							}), /* @__PURE__ */ a(Facts, { tool: each.tool })]
						}), /* @__PURE__ */ a("small", { children: each.tool.description })]
					}, each.tool.toolId)),
					others.map(({ tool }) => /* @__PURE__ */ a("li", {
						class: "macros-other",
						role: "option",
						"aria-selected": false,
						"aria-disabled": "true",
						children: [/* @__PURE__ */ a("span", {
							class: "row",
							children: [/* @__PURE__ */ a("strong", {
								class: "macros-function",
								children: tool.toolId
							}), /* @__PURE__ */ a(Badge, {
								kind: "warn",
								children: "not by voice"
							})]
						}), /* @__PURE__ */ a("small", { children: tool.allowedModes.includes("voice") ? `The agent on Talk may not call it: its profile, ${TALK_PROFILE}, does not include it.` : "It works in writing only, so a spoken phrase cannot run it." })]
					}, tool.toolId)),
					open && !offered.length && !others.length ? /* @__PURE__ */ a("li", {
						class: "hint",
						role: "option",
						"aria-selected": false,
						"aria-disabled": "true",
						children: [
							"No function fits “",
							typed,
							"”."
						]
					}) : null
				]
			}),
			error ? /* @__PURE__ */ a("p", {
				class: "wrong",
				id: `${id}-wrong`,
				children: error
			}) : null
		]
	});
}
// src/pages/macros/suggest.ts
/** Which values of an earlier step could go where: from its output schema, or from a real result. */
var DEEP = 4;
var MOST = 40;
var escaped = (name) => name.replaceAll("~", "~0").replaceAll("/", "~1");
/** Paths into what a tool promises to return. */
function pathsOf(output) {
	if (!output) return [];
	const found = [];
	const look = (given, path, depth) => {
		const schema = flat(given, output);
		if (path) found.push({
			path,
			about: schema.description ?? String(schema.type ?? "")
		});
		if (depth >= DEEP) return;
		for (const [name, member] of Object.entries(schema.properties ?? {})) look(member, join(path, escaped(name)), depth + 1);
		if (schema.items) look(schema.items, join(path, "0"), depth + 1);
	};
	look(output, "", 0);
	return found.slice(0, MOST);
}
/** Paths into a result that was there, each with its value. */
function pathsIn(result) {
	const found = [];
	const look = (value, path, depth) => {
		if (path) found.push({
			path,
			about: shortly(value)
		});
		if (depth >= DEEP || !value || typeof value !== "object") return;
		const members = Array.isArray(value) ? value.slice(0, 1).map((each, index) => [String(index), each]) : Object.entries(value);
		for (const [name, each] of members) look(each, join(path, escaped(name)), depth + 1);
	};
	look(result, "", 0);
	return found.slice(0, MOST);
}
/** The parameters that can take a value, and those inside of objects. */
function targetsOf(parameters) {
	const found = [];
	const look = (given, path, depth) => {
		const schema = flat(given, parameters);
		if (path) found.push({
			path,
			about: schema.description ?? String(schema.type ?? "")
		});
		if (depth < 2) for (const [name, member] of Object.entries(schema.properties ?? {})) look(member, join(path, escaped(name)), depth + 1);
	};
	look(parameters, "", 0);
	return found;
}
var join = (path, name) => path ? `${path}/${name}` : name;
function shortly(value) {
	const text = JSON.stringify(value) ?? "";
	return text.length > 50 ? `${text.slice(0, 49)}…` : text;
}
// src/pages/macros/step.tsx
/** One step of a macro: the function, its arguments, and what it gets from steps before it. */
var known = /* @__PURE__ */ new Map();
/** A tool with its schema; each is asked for once. */
function useTool(id) {
	const [state, set] = d({
		id: "",
		tool: null,
		error: null
	});
	A(() => {
		if (!id) return;
		let here = true;
		const asked = known.get(id) ?? loadTool(id);
		known.set(id, asked);
		asked.then((tool) => here && set({
			id,
			tool,
			error: null
		}), (error) => {
			known.delete(id);
			if (here) set({
				id,
				tool: null,
				error
			});
		});
		return () => {
			here = false;
		};
	}, [id]);
	return state.id === id ? state : {
		tool: null,
		error: null
	};
}
function StepCard(props) {
	const { step, index, steps, tools, errors, open, onChange, onOpen } = props;
	const inner = innerOf(step);
	const shown = inner || step.function;
	const { tool, error } = useTool(shown);
	const summary = tools.find((each) => each.toolId === shown);
	const body = P();
	const here = inside(errors, `/steps/${index}`);
	const choose = async (name, args) => {
		const run = typeof args?.["tool_id"] === "string" ? args["tool_id"] : "";
		if ((run || name) === shown) return;
		const asked = known.get(run || name) ?? loadTool(run || name);
		known.set(run || name, asked);
		const given = argsOf(step);
		onChange((now) => ({
			...now,
			function: name,
			args: run ? {
				tool_id: run,
				params: given
			} : given
		}));
		const schema = await asked.then((found) => found.jsonSchema, () => null);
		if (schema) onChange((now) => (innerOf(now) || now.function) === (run || name) ? withArgs(now, fitting(argsOf(now), schema)) : now);
	};
	return /* @__PURE__ */ a("li", {
		class: `macros-step ${here.length ? "is-wrong" : ""}`,
		"data-step": index + 1,
		children: [/* @__PURE__ */ a("div", {
			class: "macros-step-head",
			children: [/* @__PURE__ */ a("button", {
				type: "button",
				class: "macros-step-title",
				"aria-expanded": open,
				"aria-controls": body,
				onClick: () => onOpen(!open),
				children: [
					/* @__PURE__ */ a("span", {
						class: "macros-number",
						"aria-hidden": "true",
						children: index + 1
					}),
					/* @__PURE__ */ a("span", {
						class: "hidden-visually",
						children: [
							"Step ",
							index + 1,
							": "
						]
					}),
					/* @__PURE__ */ a("strong", {
						class: "macros-function",
						children: shown || "choose a function"
					}),
					summary?.requiresConfirmation ? /* @__PURE__ */ a(Badge, {
						kind: "accent",
						children: "asks first"
					}) : null,
					here.length ? /* @__PURE__ */ a(Badge, {
						kind: "bad",
						children: here.length === 1 ? "1 thing is wrong" : `${here.length} things are wrong`
					}) : null,
					open ? null : /* @__PURE__ */ a("small", {
						class: "muted macros-args",
						children: argsInShort(step, steps)
					})
				]
			}), /* @__PURE__ */ a("span", {
				class: "macros-step-acts",
				children: [
					/* @__PURE__ */ a(IconButton, {
						"data-act": "up",
						label: `Move step ${index + 1} up`,
						icon: "up",
						disabled: index === 0,
						onClick: () => props.onMove(index - 1)
					}),
					/* @__PURE__ */ a(IconButton, {
						"data-act": "down",
						label: `Move step ${index + 1} down`,
						icon: "down",
						disabled: index === steps.length - 1,
						onClick: () => props.onMove(index + 1)
					}),
					/* @__PURE__ */ a(IconButton, {
						label: `Repeat step ${index + 1}`,
						icon: "copy",
						onClick: props.onRepeat
					}),
					/* @__PURE__ */ a(IconButton, {
						label: `Remove step ${index + 1}`,
						icon: "trash",
						onClick: props.onRemove
					})
				]
			})]
		}), /* @__PURE__ */ a("div", {
			id: body,
			class: "macros-step-body",
			hidden: !open,
			children: open ? /* @__PURE__ */ a($, { children: [
				/* @__PURE__ */ a(Picker, {
					tools,
					spoken: props.spoken,
					value: shown,
					label: "Function",
					onChoose: (name, args) => void choose(name, args),
					...one(here, inner ? "/args/tool_id" : "/function")
				}),
				summary ? /* @__PURE__ */ a("p", {
					class: "hint",
					children: [
						summary.description,
						" ",
						/* @__PURE__ */ a("a", {
							href: at("tools", [shown]),
							children: ["About ", shown]
						})
					]
				}) : null,
				!step.function ? null : error ? /* @__PURE__ */ a(Problem, { error }) : tool === null ? /* @__PURE__ */ a(Spinner, { label: "Loading the function" }) : /* @__PURE__ */ a($, { children: [/* @__PURE__ */ a(SchemaForm, {
					label: `Arguments of step ${index + 1}`,
					schema: tool.jsonSchema,
					value: argsOf(step),
					errors: inside(here, inner ? "/args/params" : "/args"),
					notes: notes(step, steps),
					onChange: (args) => onChange((now) => withArgs(now, args))
				}), /* @__PURE__ */ a(Pipes, {
					...props,
					tool,
					here
				})] })
			] }) : null
		})]
	});
}
/** The arguments of what a step runs, whatever runs it. */
var argsOf = (step) => innerOf(step) ? step.args["params"] ?? {} : step.args;
var withArgs = (step, args) => innerOf(step) ? {
	...step,
	args: {
		...step.args,
		params: args
	}
} : {
	...step,
	args
};
/** Where a value goes, as it is called in the form. */
var INSIDE = "params/";
var targetOf = (step, pipe) => innerOf(step) && pipe.to.startsWith(INSIDE) ? pipe.to.slice(7) : pipe.to;
/** Of these arguments, those that the function has too; with what it starts with. */
function fitting(args, schema) {
	const before = Object.entries(args && typeof args === "object" ? args : {});
	return {
		...startValue(schema),
		...Object.fromEntries(before.filter(([name]) => schema.properties && name in schema.properties))
	};
}
var one = (errors, at) => {
	const found = errors.find((each) => each.pointer === at || each.pointer === "");
	return found ? { error: found.message } : {};
};
/** What a closed step would be called with. */
function argsInShort(step, steps) {
	const args = Object.entries(argsOf(step) ?? {}).map(([name, value]) => `${name}: ${brief(value, 30)}`);
	const piped = step.pipes.map((pipe) => {
		const from = steps.findIndex((each) => each.key === pipe.from) + 1;
		return `${targetOf(step, pipe) || "its input"}: from ${from ? `step ${from}` : "a step to be chosen"}`;
	});
	return [...args, ...piped].join(", ") || "no arguments";
}
/** Fields that get their value when it runs. */
function notes(step, steps) {
	return Object.fromEntries(step.pipes.filter((pipe) => pipe.to).map((pipe) => {
		const from = steps.findIndex((each) => each.key === pipe.from) + 1;
		return [`/${targetOf(step, pipe).replace(/^\/+/, "")}`, from ? `from step ${from}` : "from a step"];
	}));
}
function Pipes({ step, index, steps, tools, results, onChange, tool, here }) {
	if (index === 0 && !step.pipes.length) return null;
	const change = (pipes) => onChange((now) => ({
		...now,
		pipes
	}));
	const earlier = steps.slice(0, index);
	return /* @__PURE__ */ a("fieldset", {
		class: "macros-pipes",
		children: [
			/* @__PURE__ */ a("legend", { children: "Values from earlier steps" }),
			step.pipes.length ? null : /* @__PURE__ */ a("p", {
				class: "hint",
				children: "What an earlier step finds can fill a field of this one when it runs."
			}),
			step.pipes.map((pipe, number) => /* @__PURE__ */ a(PipeRow, {
				pipe: {
					...pipe,
					to: targetOf(step, pipe)
				},
				number,
				step: index,
				earlier,
				all: steps,
				tools,
				tool,
				results,
				errors: pipeErrors(here, number, step.pipes.length),
				onChange: (changed) => change(step.pipes.with(number, {
					...changed,
					to: changed.to && innerOf(step) ? INSIDE + changed.to : changed.to
				})),
				onRemove: () => change(step.pipes.toSpliced(number, 1))
			}, number)),
			/* @__PURE__ */ a(Button, {
				kind: "quiet",
				icon: "plus",
				onClick: () => change([...step.pipes, {
					from: earlier.at(-1)?.key ?? "",
					path: "",
					to: ""
				}]),
				children: "Hand on a value"
			})
		]
	});
}
function PipeRow({ pipe, number, step, earlier, all, tools, tool, results, errors, onChange, onRemove }) {
	const id = P();
	const from = all.findIndex((each) => each.key === pipe.from);
	const source = all[from];
	const ran = source ? innerOf(source) : "";
	const output = tools.find((each) => each.toolId === (ran || source?.function))?.output;
	const result = results.get(from + 1);
	const promised = pathsOf(output).map((each) => ran ? {
		...each,
		path: `result/${each.path}`
	} : each);
	const paths = result === void 0 ? promised : pathsIn(result);
	const targets = targetsOf(tool.jsonSchema);
	const wrong = (name) => errors.filter((each) => each.pointer === name).map((each) => each.message + (each.expected ? ` (expected: ${each.expected})` : "")).join("; ");
	const late = from >= step && from >= 0;
	const whole = wrong("");
	return /* @__PURE__ */ a("div", {
		class: "macros-pipe",
		role: "group",
		"aria-label": `Value ${number + 1}`,
		children: [
			/* @__PURE__ */ a("label", { children: ["From", /* @__PURE__ */ a("select", {
				value: pipe.from,
				onChange: (event) => onChange({
					...pipe,
					from: event.currentTarget.value
				}),
				"aria-invalid": wrong("/step") || late ? true : void 0,
				children: [
					from < 0 ? /* @__PURE__ */ a("option", {
						value: "",
						children: "choose a step"
					}) : null,
					earlier.map((each, at) => /* @__PURE__ */ a("option", {
						value: each.key,
						children: [
							"step ",
							at + 1,
							": ",
							innerOf(each) || each.function || "no function"
						]
					}, each.key)),
					late ? /* @__PURE__ */ a("option", {
						value: pipe.from,
						children: [
							"step ",
							from + 1,
							" (comes later)"
						]
					}) : null
				]
			})] }),
			/* @__PURE__ */ a("label", { children: ["what is at", /* @__PURE__ */ a("input", {
				type: "text",
				list: `${id}-paths`,
				value: pipe.path,
				placeholder: "all of it",
				autocomplete: "off",
				spellcheck: false,
				"aria-invalid": wrong("/path") ? true : void 0,
				onInput: (event) => onChange({
					...pipe,
					path: event.currentTarget.value
				})
			})] }),
			/* @__PURE__ */ a("label", { children: ["goes into", /* @__PURE__ */ a("input", {
				type: "text",
				list: `${id}-targets`,
				value: pipe.to,
				placeholder: "where it usually belongs",
				autocomplete: "off",
				spellcheck: false,
				"aria-invalid": wrong("/to") ? true : void 0,
				onInput: (event) => onChange({
					...pipe,
					to: event.currentTarget.value
				})
			})] }),
			/* @__PURE__ */ a(IconButton, {
				label: `Remove value ${number + 1}`,
				icon: "trash",
				onClick: onRemove
			}),
			/* @__PURE__ */ a(Choices, {
				id: `${id}-paths`,
				of: paths
			}),
			/* @__PURE__ */ a(Choices, {
				id: `${id}-targets`,
				of: targets
			}),
			[
				["/step", "From"],
				["/path", "The path"],
				["/to", "The parameter"]
			].map(([name, title]) => wrong(name) ? /* @__PURE__ */ a("p", {
				class: "wrong",
				children: [
					title,
					" ",
					wrong(name)
				]
			}, name) : null),
			late ? /* @__PURE__ */ a("p", {
				class: "wrong",
				children: "That step comes after this one. Move it up, or choose another."
			}) : null,
			whole ? /* @__PURE__ */ a("p", {
				class: "wrong",
				children: whole
			}) : null,
			result !== void 0 && pipe.path ? /* @__PURE__ */ a("p", {
				class: "hint",
				children: ["In the last run: ", paths.find((each) => each.path === pipe.path)?.about ?? "nothing was there"]
			}) : null
		]
	});
}
function Choices({ id, of }) {
	return /* @__PURE__ */ a("datalist", {
		id,
		children: of.map((each) => /* @__PURE__ */ a("option", {
			value: each.path,
			children: brief(each.about, 60)
		}, each.path))
	});
}
// src/pages/macros/builder.tsx
/** Building a macro: name, phrase, steps, what to do on failure; then dry run, save and run it. */
var MOST_STEPS = 20;
/** Which steps are open, by macro; it stays when one saves or comes back. */
var unfolded = /* @__PURE__ */ new Map();
/** The macro that was saved last: it says so until something is changed. */
var justSaved = y("");
function Builder({ macro, macros, tools, spoken, onSaved }) {
	const place = macro?.id ?? "new";
	const [fresh] = d(() => macro ? draftOf(macro) : emptyDraft());
	const current = () => drafts.value[place] ?? fresh;
	const draft = current();
	const dirty = differs(draft, macro);
	const [errors, blame] = d([]);
	const [problem, fail] = d(null);
	const [plan, foresee] = d(null);
	const [busy, work] = d("");
	const [asking, ask] = d(false);
	const [open, setOpen] = d(() => unfolded.get(place) ?? new Set(macro && draft.steps.length > 1 ? [] : draft.steps.map((step) => step.key)));
	const unfold = (keys) => {
		unfolded.set(place, keys);
		setOpen(keys);
	};
	const steps = T(null);
	const focus = T("");
	const run = macro ? runs.value[macro.id] : void 0;
	const results = new Map(dirty ? [] : run?.steps.map((step, index) => [index + 1, step.result?.result]).filter(([, result]) => result !== void 0));
	const unspoken = [...new Set(draft.steps.map((step) => step.function))].filter((name) => name && spoken && !spoken.has(name));
	F(() => {
		if (!focus.current) return;
		steps.current?.querySelector(focus.current)?.focus();
		focus.current = "";
	});
	/** `at` is the place that changed: what was wrong there is not known any more. */
	const change = (next, at) => {
		justSaved.value = "";
		keep(place, differs(next, macro) ? next : null);
		blame((those) => those.filter((each) => !each.pointer.startsWith(at)));
		foresee(null);
	};
	/** As the step is by then, wherever it is: some changes come a little later. */
	const alter = (key, changed) => {
		const now = current();
		const at = now.steps.findIndex((step) => step.key === key);
		if (at >= 0) change({
			...now,
			steps: now.steps.with(at, changed(now.steps[at]))
		}, `/steps/${at}`);
	};
	const told = (pointer) => errors.find((each) => each.pointer === pointer)?.message;
	/** Shows what the server found wrong at its place. */
	const refused = (error) => {
		const body = error instanceof ApiError ? error.body : null;
		const found = body?.errors ?? [];
		if (body?.macro_id) found.push({
			pointer: "/trigger_phrase",
			message: "belongs to another macro"
		});
		blame(found);
		const wrong = new Set(found.map((each) => Number(/^\/steps\/(\d+)/.exec(each.pointer)?.[1] ?? -1)));
		unfold(/* @__PURE__ */ new Set([...open, ...draft.steps.filter((_, index) => wrong.has(index)).map((step) => step.key)]));
		fail(found.length ? /* @__PURE__ */ new Error("It cannot be used like this. What is wrong is said at each place.") : error);
		requestAnimationFrame(() => document.querySelector(".macros-main [aria-invalid=\"true\"]")?.focus());
	};
	/** Something was written that is no value: the server need not be asked. */
	const readable = () => {
		const bad = unreadIn(draft);
		if (bad.length) refused(new ApiError(0, "", { errors: bad }));
		return !bad.length;
	};
	const begin = (what) => {
		work(what);
		fail(null);
		blame([]);
	};
	const store = async () => {
		if (!readable()) return null;
		begin("save");
		try {
			const { macro: saved } = await post("/api/vox/macros", bodyOf(draft));
			keep(place, null);
			unfolded.set(saved.id, new Set(draft.steps.flatMap((step, index) => open.has(step.key) ? [savedKey(index)] : [])));
			unfolded.delete("new");
			onSaved();
			return saved;
		} catch (error) {
			refused(error);
			return null;
		} finally {
			work("");
		}
	};
	const pressSave = async () => {
		const saved = await store();
		if (!saved) return;
		justSaved.value = saved.id;
		if (!macro) go(at("macros", [saved.id]), true);
	};
	const pressDry = async () => {
		if (!readable()) return;
		begin("dry");
		try {
			const { steps: planned } = await post("/api/vox/macros/dry-run", {
				steps: bodyOf(draft).steps,
				...draft.id ? { id: draft.id } : {}
			});
			foresee(planned);
		} catch (error) {
			refused(error);
		} finally {
			work("");
		}
	};
	const pressRun = async () => {
		const saved = dirty ? await store() : macro;
		if (!saved) return;
		foresee(null);
		if (!macro) go(at("macros", [saved.id]), true);
		await start(saved);
	};
	const pressDelete = async () => {
		work("delete");
		try {
			await del(`/api/vox/macros/${macro.id}`);
			keep(place, null);
			toast(`${macro.name} was deleted.`);
			go(at("macros"));
			onSaved();
		} catch (error) {
			fail(error);
		} finally {
			work("");
			ask(false);
		}
	};
	const add = () => {
		const step = newStep();
		unfold(/* @__PURE__ */ new Set([...open, step.key]));
		focus.current = ":scope > li:last-child input";
		change({
			...draft,
			steps: [...draft.steps, step]
		}, "/steps");
	};
	const arrange = (next, then) => {
		focus.current = then;
		change(next, "/steps");
	};
	return /* @__PURE__ */ a("div", {
		class: "stack macros-main",
		children: [
			/* @__PURE__ */ a("a", {
				class: "macros-back",
				href: at("macros"),
				children: [/* @__PURE__ */ a(Icon, {
					name: "chevron",
					size: 16
				}), "All macros"]
			}),
			/* @__PURE__ */ a(Card, {
				title: macro ? macro.name : "New macro",
				actions: macro ? /* @__PURE__ */ a($, { children: [
					/* @__PURE__ */ a(Button, {
						kind: "quiet",
						icon: "copy",
						onClick: () => {
							keep("new", duplicate(macro, macros));
							go(at("macros", ["new"]));
						},
						children: "Duplicate"
					}),
					/* @__PURE__ */ a(Button, {
						kind: "quiet",
						icon: "download",
						onClick: () => save(`${macro.trigger_phrase.replaceAll(/\W+/g, "-")}.json`, JSON.stringify(exported(macro), null, 2), "application/json"),
						children: "Export"
					}),
					/* @__PURE__ */ a(Button, {
						kind: "danger",
						icon: "trash",
						onClick: () => ask(true),
						children: "Delete"
					})
				] }) : null,
				children: [
					macro ? /* @__PURE__ */ a("p", {
						class: "hint",
						children: [
							"Changed ",
							ago(macro.updated_at),
							" · id ",
							/* @__PURE__ */ a("code", { children: macro.id })
						]
					}) : /* @__PURE__ */ a(Examples, {
						tools,
						onChoose: (next) => {
							unfold(/* @__PURE__ */ new Set());
							change(next, "/");
						}
					}),
					/* @__PURE__ */ a("div", {
						class: "macros-names",
						children: [/* @__PURE__ */ a(Field, {
							label: "Name",
							error: told("/name"),
							children: (attributes) => /* @__PURE__ */ a("input", {
								...attributes,
								type: "text",
								maxLength: 100,
								value: draft.name,
								autocomplete: "off",
								onInput: (event) => change({
									...draft,
									name: event.currentTarget.value
								}, "/name")
							})
						}), /* @__PURE__ */ a("div", {
							"data-tour": "macros-phrase",
							children: /* @__PURE__ */ a(Field, {
								label: "Trigger phrase",
								error: told("/trigger_phrase"),
								hint: "What you say to run it. Small differences are understood.",
								children: (attributes) => /* @__PURE__ */ a("input", {
									...attributes,
									type: "text",
									maxLength: 200,
									value: draft.phrase,
									autocomplete: "off",
									placeholder: "good morning",
									onInput: (event) => change({
										...draft,
										phrase: event.currentTarget.value
									}, "/trigger_phrase")
								})
							})
						})]
					}),
					unspoken.length ? /* @__PURE__ */ a("p", {
						class: "macros-unsaved",
						children: [
							/* @__PURE__ */ a(Icon, {
								name: "mic-off",
								size: 16
							}),
							"It runs from this page. Saying the phrase on Talk will not run it: the agent there may not call ",
							unspoken.join(", "),
							"."
						]
					}) : null,
					/* @__PURE__ */ a("section", {
						"data-tour": "macros-steps",
						"aria-label": "Steps",
						class: "stack",
						children: [
							/* @__PURE__ */ a("h3", { children: "Steps" }),
							told("/steps") ? /* @__PURE__ */ a("p", {
								class: "wrong",
								children: ["Steps: ", told("/steps")]
							}) : null,
							/* @__PURE__ */ a("ol", {
								class: "macros-steps",
								ref: steps,
								children: draft.steps.map((step, index) => /* @__PURE__ */ a(StepCard, {
									step,
									index,
									steps: draft.steps,
									tools,
									spoken,
									errors,
									results,
									open: open.has(step.key),
									onOpen: (on) => unfold(on ? /* @__PURE__ */ new Set([...open, step.key]) : new Set([...open].filter((key) => key !== step.key))),
									onChange: (changed) => alter(step.key, changed),
									onMove: (to) => {
										const way = to < index ? "up" : "down";
										const end = to === 0 || to === draft.steps.length - 1;
										arrange(moved(draft, index, to), `:scope > li:nth-child(${to + 1}) [data-act="${end ? way === "up" ? "down" : "up" : way}"]`);
									},
									onRemove: () => arrange(removed(draft, index), `:scope > li:nth-child(${Math.max(1, index)}) .macros-step-title`),
									onRepeat: () => arrange(repeated(draft, index), `:scope > li:nth-child(${index + 2}) .macros-step-title`)
								}, step.key))
							}),
							/* @__PURE__ */ a(Button, {
								icon: "plus",
								class: "macros-add",
								disabled: draft.steps.length >= MOST_STEPS,
								onClick: add,
								children: "Add a step"
							})
						]
					}),
					/* @__PURE__ */ a("div", {
						"data-tour": "macros-policy",
						children: /* @__PURE__ */ a(Field, {
							label: "When a step fails",
							error: told("/error_policy"),
							children: (attributes) => /* @__PURE__ */ a("select", {
								...attributes,
								value: draft.policy,
								onChange: (event) => change({
									...draft,
									policy: event.currentTarget.value
								}, "/error_policy"),
								children: [
									/* @__PURE__ */ a("option", {
										value: "abort",
										children: "Stop"
									}),
									/* @__PURE__ */ a("option", {
										value: "skip",
										children: "Skip it and go on; steps that needed it fail too"
									}),
									/* @__PURE__ */ a("option", {
										value: "retry",
										children: "Try up to three times, then stop"
									})
								]
							})
						})
					}),
					problem ? /* @__PURE__ */ a(Problem, { error: problem }) : null,
					dirty ? /* @__PURE__ */ a("p", {
						class: "macros-unsaved",
						children: [
							/* @__PURE__ */ a(Icon, {
								name: "info",
								size: 16
							}),
							"Not saved yet. It is kept in this tab, also when you go to another page.",
							/* @__PURE__ */ a(Button, {
								kind: "quiet",
								class: "sf-act",
								onClick: () => {
									keep(place, null);
									blame([]);
									fail(null);
								},
								children: "Discard changes"
							})
						]
					}) : macro && justSaved.value === macro.id ? /* @__PURE__ */ a("p", {
						class: "macros-saved",
						role: "status",
						children: [
							/* @__PURE__ */ a(Icon, {
								name: "check",
								size: 16
							}),
							"Saved. Say “",
							macro.trigger_phrase,
							"” to run it."
						]
					}) : null,
					/* @__PURE__ */ a("div", {
						class: "row macros-bar",
						children: [
							/* @__PURE__ */ a(Button, {
								icon: "info",
								"data-tour": "macros-dry-run",
								busy: busy === "dry",
								onClick: () => void pressDry(),
								children: "Dry run"
							}),
							/* @__PURE__ */ a("span", { class: "spring" }),
							/* @__PURE__ */ a(Button, {
								icon: "check",
								busy: busy === "save",
								disabled: !dirty && !!macro,
								onClick: () => void pressSave(),
								children: "Save"
							}),
							/* @__PURE__ */ a(Button, {
								kind: "primary",
								icon: "play",
								"data-tour": "macros-run",
								busy: run?.state === "running",
								onClick: () => void pressRun(),
								children: dirty ? "Save and run" : "Run"
							})
						]
					})
				]
			}),
			plan ? /* @__PURE__ */ a(PlanCard, { steps: plan }) : null,
			run ? /* @__PURE__ */ a(RunCard, { run }) : null,
			asking && macro ? /* @__PURE__ */ a(Dialog, {
				title: `Delete ${macro.name}?`,
				onClose: () => ask(false),
				children: [/* @__PURE__ */ a("p", { children: [
					"“",
					macro.trigger_phrase,
					"” will do nothing any more. This cannot be taken back; export it first if you may want it again."
				] }), /* @__PURE__ */ a("div", {
					class: "row",
					children: [
						/* @__PURE__ */ a("span", { class: "spring" }),
						/* @__PURE__ */ a(Button, {
							onClick: () => ask(false),
							children: "Keep it"
						}),
						/* @__PURE__ */ a(Button, {
							kind: "danger",
							icon: "trash",
							busy: busy === "delete",
							onClick: () => void pressDelete(),
							children: "Delete"
						})
					]
				})]
			}) : null
		]
	});
}
// src/pages/macros/list.tsx
/** The saved macros, and the way in and out for files. */
var POLICIES = {
	abort: "stops on failure",
	skip: "skips failures",
	retry: "tries again"
};
function MacroList({ macros, chosen, onSaved }) {
	const [importing, ask] = d(false);
	return /* @__PURE__ */ a(Card, {
		title: "Macros",
		tour: "macros-list",
		class: "macros-list",
		actions: /* @__PURE__ */ a("a", {
			class: "button plain",
			href: at("macros", ["new"]),
			children: "New"
		}),
		children: [
			macros.length ? /* @__PURE__ */ a("ul", {
				class: "list",
				children: macros.map((macro) => /* @__PURE__ */ a("li", { children: /* @__PURE__ */ a("a", {
					class: "list-item",
					href: at("macros", [macro.id]),
					"aria-current": macro.id === chosen ? "true" : void 0,
					children: [
						/* @__PURE__ */ a("span", {
							class: "row",
							children: [/* @__PURE__ */ a("strong", { children: macro.name }), drafts.value[macro.id] ? /* @__PURE__ */ a(Badge, {
								kind: "warn",
								children: "unsaved"
							}) : null]
						}),
						/* @__PURE__ */ a("small", { children: [
							"“",
							macro.trigger_phrase,
							"”"
						] }),
						/* @__PURE__ */ a("small", { children: [
							macro.step_count === 1 ? "1 step" : `${macro.step_count} steps`,
							" · ",
							POLICIES[macro.error_policy]
						] })
					]
				}) }, macro.id))
			}) : /* @__PURE__ */ a(Empty, {
				icon: "macro",
				title: "No macros yet",
				children: "Build one here, or ask in a conversation: “Make a macro called good morning …”."
			}),
			/* @__PURE__ */ a("div", {
				class: "row",
				children: [/* @__PURE__ */ a(Button, {
					kind: "quiet",
					icon: "upload",
					onClick: () => ask(true),
					children: "Import"
				}), /* @__PURE__ */ a(Button, {
					kind: "quiet",
					icon: "download",
					disabled: !macros.length,
					onClick: () => save("macros.json", JSON.stringify({ macros: macros.map(exported) }, null, 2), "application/json"),
					children: "Export all"
				})]
			}),
			importing ? /* @__PURE__ */ a(ImportDialog, {
				onClose: () => ask(false),
				onSaved
			}) : null
		]
	});
}
function ImportDialog({ onClose, onSaved }) {
	const [text, write] = d("");
	const [problem, fail] = d([]);
	const [busy, work] = d(false);
	const file = T(null);
	const take = async () => {
		fail([]);
		let found;
		try {
			found = imported(text);
		} catch (error) {
			return fail([said(error)]);
		}
		if (found.length === 1) {
			keep("new", {
				...draftOf(found[0]),
				id: null
			});
			onClose();
			return go(at("macros", ["new"]));
		}
		work(true);
		const wrong = [];
		for (const macro of found) try {
			await post("/api/vox/macros", bodyOf({
				...draftOf(macro),
				id: null
			}));
		} catch (error) {
			wrong.push(`${macro.name ?? "A macro without a name"}: ${said(error)}`);
		}
		work(false);
		onSaved();
		const count = found.length - wrong.length;
		if (count) toast(count === 1 ? "1 macro was saved." : `${count} macros were saved.`, { kind: "good" });
		if (wrong.length) fail(wrong);
		else onClose();
	};
	return /* @__PURE__ */ a(Dialog, {
		title: "Import macros",
		onClose,
		children: [
			/* @__PURE__ */ a("p", {
				class: "hint",
				children: "One macro is opened as a draft so that you can look at it first. Several are saved at once."
			}),
			/* @__PURE__ */ a("label", {
				class: "stack",
				children: ["Choose a file", /* @__PURE__ */ a("input", {
					ref: file,
					type: "file",
					accept: "application/json,.json",
					onChange: async () => write(await file.current?.files?.[0]?.text() ?? "")
				})]
			}),
			/* @__PURE__ */ a("label", {
				class: "stack",
				children: ["or paste JSON", /* @__PURE__ */ a("textarea", {
					rows: 8,
					class: "sf-json",
					spellcheck: false,
					value: text,
					onInput: (event) => write(event.currentTarget.value)
				})]
			}),
			problem.length ? /* @__PURE__ */ a("ul", {
				class: "wrong",
				role: "alert",
				children: problem.map((each) => /* @__PURE__ */ a("li", { children: each }, each))
			}) : null,
			/* @__PURE__ */ a("div", {
				class: "row",
				children: [
					/* @__PURE__ */ a("span", { class: "spring" }),
					/* @__PURE__ */ a(Button, {
						onClick: onClose,
						children: "Cancel"
					}),
					/* @__PURE__ */ a(Button, {
						kind: "primary",
						busy,
						disabled: !text.trim(),
						onClick: () => void take(),
						children: "Import"
					})
				]
			})
		]
	});
}
// src/pages/macros.tsx
/** Macros: several steps behind one phrase. They are listed, built, tried and run here. */
/** The agent on Talk: only steps that it may call run when the phrase is said. */
async function loadSpoken(signal) {
	const { profiles } = await get("/api/profiles", { signal });
	return profiles.find((each) => each.name === "workspace") ?? null;
}
/** Those of its tools that may be called by voice. */
function byVoice({ tools: names, modes }, tools) {
	const spoken = ({ toolId, allowedModes }) => [...allowedModes, ...modes[toolId] ?? []].includes("voice");
	return new Set(tools.filter((tool) => names.includes(tool.toolId) && spoken(tool)).map((tool) => tool.toolId));
}
var CHANGING = ["create_macro", "delete_macro"];
function Macros() {
	const macros = useLoad((signal) => get("/api/vox/macros", { signal }), []);
	const catalogue = useLoad(loadCatalogue, []);
	const spoken = useLoad(loadSpoken, []);
	const chosen = route.value.rest[0] ?? "";
	const unknown = chosen !== "" && chosen !== "new" && macros.data !== null && !macros.data.macros.some((each) => each.id === chosen);
	const lookedFor = T("");
	A(() => {
		if (!unknown || lookedFor.current === chosen) return;
		lookedFor.current = chosen;
		macros.reload();
	}, [unknown, chosen]);
	A(() => on("function_result", (message) => {
		if (CHANGING.includes(String(message.name))) macros.reload();
	}), []);
	return /* @__PURE__ */ a(Shown, {
		of: macros,
		children: (data) => /* @__PURE__ */ a("div", {
			class: `split macros ${chosen ? "has-chosen" : ""}`,
			children: [/* @__PURE__ */ a(MacroList, {
				macros: data.macros,
				chosen,
				onSaved: macros.reload
			}), /* @__PURE__ */ a(Shown, {
				of: catalogue,
				children: ({ tools }) => {
					const macro = data.macros.find((each) => each.id === chosen) ?? null;
					if (unknown) return macros.loading ? /* @__PURE__ */ a("div", {
						class: "loading",
						children: /* @__PURE__ */ a(Spinner, { label: "Looking for the macro" })
					}) : /* @__PURE__ */ a(Missing, { id: chosen });
					return /* @__PURE__ */ a(Builder, {
						macro,
						macros: data.macros,
						tools,
						spoken: spoken.data && byVoice(spoken.data, tools),
						onSaved: macros.reload
					}, macro ? `${macro.id} ${macro.updated_at}` : "new");
				}
			})]
		})
	});
}
function Missing({ id }) {
	return /* @__PURE__ */ a(Card, { children: /* @__PURE__ */ a(Empty, {
		icon: "macro",
		title: `There is no macro ${id}`,
		children: [
			"It may have been deleted. ",
			/* @__PURE__ */ a("a", {
				href: at("macros"),
				children: "See all macros"
			}),
			" or ",
			/* @__PURE__ */ a("a", {
				href: at("macros", ["new"]),
				children: "build a new one"
			}),
			"."
		]
	}) });
}
export { Macros as default };

import { f as d, h as $, s as A, t as a, u as T } from "./vendor-preact.js";
import { a as post, r as get, s as said, t as ApiError } from "./http.js";
import { r as useLoad } from "./load.js";
import { a as at, d as route, o as go } from "./router.js";
import { r as toast } from "./toasts.js";
import { a as Empty, d as Spinner, g as Icon, h as save, i as CopyButton, l as Problem, n as Button, o as Field, r as Card, t as Badge, u as Shown } from "./kit.js";
import { a as fullTime, i as duration, t as ago } from "./time.js";
import { t as LeftOutFiles } from "./left-out.js";
import { t as callTool } from "./calls.js";
import { f as askById } from "./start.js";
import { t as Markdown } from "./markdown.js";
import { t as Readable } from "./readable.js";
// src/pages/workflows/api.ts
/** Workflows and agents are the same thing under two names: steps over tools, and runs of them. */
var isOver = (run) => run.status !== "queued" && run.status !== "running";
var inPath = encodeURIComponent;
async function loadPipelines(kind, signal) {
	const { [kind]: found, folder, left_out } = await get(`/api/${kind}`, { signal });
	return {
		found,
		folder,
		left_out
	};
}
async function loadRuns(kind, name, signal) {
	return (await get(`/api/${kind}/${inPath(name)}/runs`, { signal })).runs;
}
function loadRun(kind, name, task, signal, results = false) {
	return get(`/api/${kind}/${inPath(name)}/runs/${inPath(task)}`, {
		signal,
		query: results ? { results } : {}
	});
}
/** Starts a run like any call of a tool; the answer is its task. */
async function start(kind, name, input) {
	return (await callTool(kind === "workflows" ? "run_workflow" : "run_agent", kind === "workflows" ? {
		workflow_name: name,
		input
	} : {
		agent_name: name,
		input
	}, crypto.randomUUID())).task_id;
}
var stop = (task) => post(`/api/tasks/${inPath(task)}/cancel`);
function resume(kind, name, task) {
	return post(`/api/${kind}/${inPath(name)}/runs/${inPath(task)}/resume`);
}
/** Which workflow or agent a task is a run of; null: of none. */
async function nameOfTask(kind, task, signal) {
	const { args } = await get(`/api/tasks/${inPath(task)}`, { signal });
	const said = args[kind === "workflows" ? "workflow_name" : "agent_name"];
	return typeof said === "string" ? (await get(`/api/${kind}/${inPath(said)}`, { signal })).name : null;
}
// src/pages/workflows/steps.tsx
/** Steps in their order, as they are planned or as they went. */
var SAID = {
	pending: "not begun",
	running: "at work",
	done: "done",
	left_out: "left out",
	failed: "failed",
	waiting: "waits for you",
	stopped: "stopped here"
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
	stopped: "warn",
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
							step.tool ? /* @__PURE__ */ a(ToolLink, { tool: step.tool }) : /* @__PURE__ */ a("span", { children: "writes a text" }),
							step.asks_model ? /* @__PURE__ */ a(Badge, {
								kind: "accent",
								children: "by a model, else by rules"
							}) : null,
							step.optional ? /* @__PURE__ */ a(Badge, { children: "optional" }) : null,
							step.asks_first ? /* @__PURE__ */ a(Badge, {
								kind: "warn",
								children: "asks first"
							}) : null,
							!step.known ? /* @__PURE__ */ a(Badge, {
								kind: "bad",
								children: "the registry has no such tool"
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
	const what = `${rest.join(" ").replaceAll("_", " ") || "something"}`;
	const from = step === "input" ? "you gave" : `“${step}” gave`;
	return not ? `Only if ${from} no ${what}.` : `Only if ${from} ${what}.`;
}
var ToolLink = ({ tool }) => /* @__PURE__ */ a("a", {
	class: "flow-tool",
	href: at("tools", [tool]),
	children: tool
});
function RunSteps({ kind, run }) {
	const [open, set] = d("");
	const done = run.steps.filter((step) => step.status === "done" || step.status === "left_out").length;
	return /* @__PURE__ */ a("ol", {
		class: "flow-steps",
		"aria-label": `Steps, ${done} of ${run.steps.length} finished`,
		children: run.steps.map((step, place) => /* @__PURE__ */ a("li", {
			class: `flow-step is-${step.status}`,
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
							/* @__PURE__ */ a(StatusBadge, { step }),
							step.seconds !== null ? /* @__PURE__ */ a("span", {
								class: "number",
								children: duration(step.seconds * 1e3)
							}) : null,
							step.tool ? /* @__PURE__ */ a(ToolLink, { tool: step.tool }) : null,
							step.tool && step.status === "done" ? /* @__PURE__ */ a("button", {
								type: "button",
								class: "link-button",
								"aria-expanded": open === step.step,
								onClick: () => set(open === step.step ? "" : step.step),
								children: open === step.step ? "Hide what it gave" : "What it gave"
							}) : null
						]
					}),
					step.error ? /* @__PURE__ */ a("p", {
						class: "wrong",
						children: step.error
					}) : null,
					open === step.step ? /* @__PURE__ */ a(Given, {
						kind,
						run,
						step: step.step
					}) : null
				]
			})]
		}, step.step))
	});
}
function StatusBadge({ step }) {
	const kind = KIND[step.status] ?? "plain";
	return /* @__PURE__ */ a(Badge, {
		kind,
		children: step.reused ? "done before" : SAID[step.status]
	});
}
function Given({ kind, run, step }) {
	const loaded = useLoad((signal) => loadRun(kind, run.name, run.task_id, signal, true), [run.task_id, step]);
	return /* @__PURE__ */ a("div", {
		class: "flow-given",
		children: /* @__PURE__ */ a(Shown, {
			of: loaded,
			children: (full) => /* @__PURE__ */ a(Readable, { value: full.steps.find((each) => each.step === step)?.result ?? null })
		})
	});
}
// src/pages/workflows/watch.ts
/** Looks at a run again and again until it is over: soon at first, then less and less often. */
var FIRST_MS = 250;
var SLOWEST_MS = 2e3;
var GROWTH = 1.4;
/** How long to wait before the next look. What moved is looked at soon again. */
function nextWait(before, moved) {
	return moved ? FIRST_MS : Math.min(SLOWEST_MS, Math.round(before * GROWTH));
}
/** What a person would see as a change. */
function mark(run) {
	return [
		run.status,
		run.cancel_requested,
		run.message,
		run.fraction,
		...run.steps.map((step) => step.status)
	].join("|");
}
function useRun(kind, name, task, onOver) {
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
		const look = async () => {
			clearTimeout(timer);
			try {
				const run = await loadRun(kind, name, task, leave.signal);
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
				if (error.status === 404) return;
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
	}, [
		kind,
		name,
		task,
		round
	]);
	const own = state.task === task;
	return {
		run: own ? state.run : null,
		error: own ? state.error : null,
		look: () => again((count) => count + 1)
	};
}
// src/pages/workflows/run.tsx
/** One run: how far it is, how to stop it or go on with it, and what came of it. */
var STATUS = {
	queued: {
		said: "waiting to begin",
		kind: "plain"
	},
	running: {
		said: "running",
		kind: "accent"
	},
	succeeded: {
		said: "done",
		kind: "good"
	},
	failed: {
		said: "failed",
		kind: "bad"
	},
	cancelled: {
		said: "stopped",
		kind: "warn"
	},
	unknown: {
		said: "cut short",
		kind: "warn"
	}
};
function RunBadge({ run }) {
	if (run.waits) return /* @__PURE__ */ a(Badge, {
		kind: "warn",
		children: "waits for you"
	});
	const { said: words, kind } = STATUS[run.status];
	return /* @__PURE__ */ a(Badge, {
		kind,
		children: words
	});
}
function RunCard({ kind, name, task, onOver, tour }) {
	const { run, error, look } = useRun(kind, name, task, onOver);
	const top = T(null);
	A(() => top.current?.scrollIntoView({ block: "start" }), [task, !run]);
	if (!run) return /* @__PURE__ */ a("div", {
		ref: top,
		class: "flow-run",
		children: /* @__PURE__ */ a(Card, {
			title: "Run",
			tour,
			children: error ? /* @__PURE__ */ a(Problem, {
				error,
				retry: look
			}) : /* @__PURE__ */ a("div", {
				class: "loading",
				children: /* @__PURE__ */ a(Spinner, { label: "Loading the run" })
			})
		})
	});
	return /* @__PURE__ */ a("div", {
		ref: top,
		class: "flow-run",
		children: /* @__PURE__ */ a(Card, {
			title: "Run",
			tour,
			actions: /* @__PURE__ */ a(Acts, {
				kind,
				run,
				look
			}),
			children: [
				error ? /* @__PURE__ */ a(Problem, {
					error,
					retry: look
				}) : null,
				/* @__PURE__ */ a(Head, { run }),
				run.input ? /* @__PURE__ */ a(Input, { text: run.input }) : null,
				/* @__PURE__ */ a(RunSteps, {
					kind,
					run
				}),
				/* @__PURE__ */ a(Ending, {
					kind,
					run
				})
			]
		})
	});
}
function Head({ run }) {
	const over = isOver(run);
	const taken = run.finished_at && run.started_at ? duration((run.finished_at - run.started_at) * 1e3) : "";
	const words = over ? STATUS[run.status].said : run.cancel_requested ? "Stopping…" : run.message ?? "Waiting to begin";
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
					taken ? /* @__PURE__ */ a("span", {
						class: "muted",
						children: ["took ", /* @__PURE__ */ a("span", {
							class: "number",
							children: taken
						})]
					}) : null,
					run.attempts > 1 ? /* @__PURE__ */ a(Badge, { children: [
						"begun ",
						run.attempts,
						" times"
					] }) : null,
					run.resumed_from ? /* @__PURE__ */ a(Badge, { children: "goes on from an earlier run" }) : null
				]
			}),
			over ? null : /* @__PURE__ */ a("progress", {
				class: "flow-bar",
				max: 1,
				value: run.fraction ?? void 0,
				"aria-label": "How far it is"
			}),
			/* @__PURE__ */ a("p", {
				class: over ? "hidden-visually" : "hint",
				role: "status",
				children: over ? `The run is over: ${words}.` : words
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
		children: [/* @__PURE__ */ a("summary", { children: [
			"What it was told (",
			text.length.toLocaleString(),
			" characters)"
		] }), /* @__PURE__ */ a("pre", { children: text })]
	});
}
function Acts({ kind, run, look }) {
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
	const goOn = () => act(async () => {
		if (run.waiting) {
			const { outcome } = await askById(run.waiting.confirmation_request.id, run.session_id);
			if (outcome === "denied") return;
		}
		const { task_id, reused, warnings } = await resume(kind, run.name, run.task_id);
		toast(reused.length ? `It goes on. ${reused.length} finished ${reused.length === 1 ? "step is" : "steps are"} not run again.` : "It goes on from the beginning.", { kind: "good" });
		for (const words of warnings) toast(words, { kind: "bad" });
		go(at(kind, [run.name, task_id]));
	});
	if (!isOver(run)) return /* @__PURE__ */ a(Button, {
		kind: "danger",
		icon: "stop",
		busy: busy || run.cancel_requested,
		onClick: () => act(async () => {
			await stop(run.task_id);
		}),
		children: "Stop it"
	});
	return /* @__PURE__ */ a($, { children: [
		run.can_resume ? /* @__PURE__ */ a(Button, {
			kind: "primary",
			icon: "play",
			busy,
			onClick: goOn,
			children: run.waiting ? "Answer and go on" : "Resume"
		}) : null,
		run.text ? /* @__PURE__ */ a(CopyButton, {
			text: run.text,
			label: "Copy the result"
		}) : null,
		run.text ? /* @__PURE__ */ a(Button, {
			kind: "quiet",
			icon: "download",
			onClick: () => save(`${run.name}.md`, run.text, "text/markdown"),
			children: "Download"
		}) : null
	] });
}
function Ending({ kind, run }) {
	if (!isOver(run)) return null;
	return /* @__PURE__ */ a("div", {
		class: "stack",
		children: [
			run.error ? /* @__PURE__ */ a(Problem, { error: new Error(explained(run, kind)) }) : null,
			run.text ? /* @__PURE__ */ a("section", {
				class: "flow-result",
				"aria-label": "Result",
				children: [
					/* @__PURE__ */ a("div", {
						class: "row",
						children: [/* @__PURE__ */ a("h3", { children: "Result" }), run.by ? /* @__PURE__ */ a(Badge, { children: run.by === "model" ? "written by a model" : "put together by rules" }) : null]
					}),
					run.note ? /* @__PURE__ */ a("p", {
						class: "hint",
						children: run.note
					}) : null,
					/* @__PURE__ */ a(Markdown, { text: cited(run.text, run.evidence) })
				]
			}) : null,
			run.evidence.length ? /* @__PURE__ */ a(Sources, { evidence: run.evidence }) : null
		]
	});
}
function explained(run, kind) {
	const noun = kind === "workflows" ? "workflow" : "agent";
	if (run.status === "cancelled") return "It was stopped. Steps that were finished are kept for a week: Resume goes on after them.";
	if (run.error_type === "VALIDATION") return `${run.error} Change what you tell the ${noun}, and run it again.`;
	return run.can_resume ? `${run.error} When that is mended, Resume goes on after the finished steps.` : run.error;
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
		"aria-label": "What it used",
		children: [/* @__PURE__ */ a("h3", { children: "What it used" }), /* @__PURE__ */ a("ul", {
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
						one.id,
						one.database_id ? ` in ${one.database_id}` : "",
						" · ",
						one.tool
					]
				})] }, `${one.database_id}/${one.id}`);
			})
		})]
	});
}
// src/pages/workflows/pipeline-page.tsx
function PipelinePage({ words }) {
	const { kind } = words;
	const pipelines = useLoad((signal) => loadPipelines(kind, signal), [kind]);
	useTaskLink(kind);
	const [wanted = "", task = ""] = route.value.rest;
	return /* @__PURE__ */ a(Shown, {
		of: pipelines,
		children: ({ found, folder, left_out }) => {
			const chosen = wanted ? found.find((each) => each.name === wanted) : found[0];
			return /* @__PURE__ */ a("div", {
				class: `split flow ${wanted ? "has-chosen" : ""}`,
				children: [/* @__PURE__ */ a(Choices, {
					words,
					found,
					chosen: chosen?.name ?? "",
					children: [/* @__PURE__ */ a(LeftOutFiles, {
						files: left_out,
						folder,
						what: words.one
					}), /* @__PURE__ */ a("p", {
						class: "hint",
						children: [
							"Your own: a ",
							words.format,
							" file with ",
							/* @__PURE__ */ a("code", { children: "title" }),
							", ",
							/* @__PURE__ */ a("code", { children: "description" }),
							", ",
							/* @__PURE__ */ a("code", { children: "input" }),
							" and ",
							/* @__PURE__ */ a("code", { children: "steps" }),
							", in ",
							/* @__PURE__ */ a("code", { children: folder }),
							"."
						]
					})]
				}), /* @__PURE__ */ a("div", {
					class: "stack flow-main",
					children: [wanted ? /* @__PURE__ */ a("a", {
						class: "flow-back",
						href: at(kind),
						children: [
							/* @__PURE__ */ a(Icon, {
								name: "chevron",
								size: 16
							}),
							"All ",
							kind
						]
					}) : null, chosen ? /* @__PURE__ */ a(One, {
						words,
						pipeline: chosen,
						task
					}, chosen.name) : /* @__PURE__ */ a(Problem, { error: /* @__PURE__ */ new Error(`There is no ${words.one} “${wanted}”. Choose one from the list.`) })]
				})]
			});
		}
	});
}
/** `?task=…` is where notices lead: the page of the run that the task is. */
function useTaskLink(kind) {
	const task = route.value.query.get("task");
	A(() => {
		if (!task) return;
		const leave = new AbortController();
		nameOfTask(kind, task, leave.signal).then((name) => go(name ? at(kind, [name, task]) : at(kind), true), (error) => {
			if (leave.signal.aborted) return;
			toast(said(error), { kind: "bad" });
			go(at(kind), true);
		});
		return () => leave.abort();
	}, [kind, task]);
}
function Choices({ words, found, chosen, children }) {
	return /* @__PURE__ */ a("section", {
		class: "flow-side",
		"aria-label": words.list,
		"data-tour": words.tours.list,
		children: [/* @__PURE__ */ a("ul", {
			class: "list",
			children: found.map((each) => /* @__PURE__ */ a("li", { children: /* @__PURE__ */ a("a", {
				class: "list-item",
				href: at(words.kind, [each.name]),
				"aria-current": each.name === chosen ? "true" : void 0,
				children: [
					/* @__PURE__ */ a("strong", { children: each.title }),
					/* @__PURE__ */ a("small", {
						class: "flow-about",
						children: each.description
					}),
					/* @__PURE__ */ a("small", {
						class: "row flow-badges",
						children: [
							/* @__PURE__ */ a(Badge, { children: [each.steps.length, " steps"] }),
							each.uses_model ? /* @__PURE__ */ a(Badge, { children: "uses a model if there is one" }) : null,
							each.modes.includes("voice") ? null : /* @__PURE__ */ a(Badge, { children: "text only" })
						]
					})
				]
			}) }, each.name))
		}), children]
	});
}
function One({ words, pipeline, task }) {
	const { kind, tours } = words;
	const runs = useLoad((signal) => loadRuns(kind, pipeline.name, signal), [pipeline.name, task]);
	return /* @__PURE__ */ a($, { children: [
		/* @__PURE__ */ a(Card, {
			title: pipeline.title,
			children: [
				/* @__PURE__ */ a("p", { children: pipeline.description }),
				/* @__PURE__ */ a(Start, {
					words,
					pipeline
				}),
				/* @__PURE__ */ a("details", {
					class: "flow-plan",
					open: !task,
					children: [/* @__PURE__ */ a("summary", { children: words.steps }), /* @__PURE__ */ a(PlannedSteps, { steps: pipeline.steps })]
				})
			]
		}),
		task ? /* @__PURE__ */ a(RunCard, {
			kind,
			name: pipeline.name,
			task,
			onOver: runs.reload,
			tour: tours.outcome
		}, task) : null,
		/* @__PURE__ */ a(Card, {
			title: "Past runs",
			...task ? {} : { tour: tours.outcome },
			actions: /* @__PURE__ */ a(Button, {
				kind: "quiet",
				icon: "refresh",
				onClick: runs.reload,
				children: "Refresh"
			}),
			children: /* @__PURE__ */ a(Shown, {
				of: runs,
				children: (found) => found.length ? /* @__PURE__ */ a(PastRuns, {
					kind,
					runs: found,
					task
				}) : /* @__PURE__ */ a(Empty, {
					icon: "clock",
					title: "Nothing has run yet",
					children: words.nothing
				})
			})
		})
	] });
}
function Start({ words, pipeline }) {
	const [input, type] = d("");
	const [busy, set] = d(false);
	const [problem, tell] = d(null);
	const begin = async () => {
		if (pipeline.needs_input && !input.trim()) {
			tell(`It has nothing to work on. Tell it ${pipeline.input}.`);
			return;
		}
		set(true);
		tell(null);
		try {
			const task = await start(words.kind, pipeline.name, input.trim());
			go(at(words.kind, [pipeline.name, task]));
		} catch (error) {
			tell(said(error));
		} finally {
			set(false);
		}
	};
	return /* @__PURE__ */ a("form", {
		class: "flow-start",
		onSubmit: (event) => {
			event.preventDefault();
			begin();
		},
		children: [/* @__PURE__ */ a("div", {
			"data-tour": words.tours.input,
			children: /* @__PURE__ */ a(Field, {
				label: pipeline.needs_input ? "What should it work on?" : "Anything to add? (it works without)",
				hint: /* @__PURE__ */ a($, { children: [
					"Tell it ",
					pipeline.input,
					". ",
					/* @__PURE__ */ a("kbd", { children: "Ctrl" }),
					" ",
					/* @__PURE__ */ a("kbd", { children: "Enter" }),
					" starts it."
				] }),
				error: problem,
				children: (attributes) => /* @__PURE__ */ a("textarea", {
					...attributes,
					rows: 3,
					value: input,
					maxLength: words.kind === "workflows" ? 2e4 : 1e5,
					onInput: (event) => type(event.currentTarget.value),
					onKeyDown: (event) => {
						if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
							event.preventDefault();
							begin();
						}
					}
				})
			})
		}), /* @__PURE__ */ a(Button, {
			type: "submit",
			kind: "primary",
			icon: "play",
			busy,
			"data-tour": words.tours.run,
			children: words.run
		})]
	});
}
function PastRuns({ kind, runs, task }) {
	return /* @__PURE__ */ a("ul", {
		class: "list",
		children: runs.map((run) => /* @__PURE__ */ a("li", { children: /* @__PURE__ */ a("a", {
			class: "list-item",
			href: at(kind, [run.name, run.task_id]),
			"aria-current": run.task_id === task ? "true" : void 0,
			children: [/* @__PURE__ */ a("span", {
				class: "flow-said",
				children: run.input.slice(0, 200) || "without a note"
			}), /* @__PURE__ */ a("small", {
				class: "row",
				children: [/* @__PURE__ */ a(RunBadge, { run }), ago(run.created_at)]
			})]
		}) }, run.task_id))
	});
}
export { PipelinePage as t };

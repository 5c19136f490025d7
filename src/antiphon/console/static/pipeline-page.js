import { d, m as $, o as A, t as a } from "./vendor-preact.js";
import { c as said } from "./http.js";
import { r as useLoad } from "./load.js";
import { c as rich, l as t, s as plural } from "./app.js";
import { a as at, d as route, o as go } from "./router.js";
import { r as toast } from "./toasts.js";
import { n as Icon } from "./icons.js";
import { d as Shown, n as Button, o as Field, r as Card, t as Badge, u as Problem } from "./kit.js";
import { t as useReload } from "./poll.js";
import { D as newKey, T as keep, a as PlannedSteps, d as runAddress, f as start, i as RunCard, l as loadStandings, n as Item, o as PAGE, r as useHistory, s as loadPipelines, t as Schedules, u as nameOfTask } from "./flow.js";
import { t as LeftOutFiles } from "./left-out.js";
// src/pages/macros/copies.ts
/** What its steps take from each other is kept; what came from the input is left to be filled in. */
function asMacro(pipeline) {
	const keys = new Map(pipeline.steps.filter((step) => step.tool).map((step) => [step.id, newKey()]));
	const steps = pipeline.steps.filter((step) => step.tool).map((step) => ({
		key: keys.get(step.id),
		function: step.tool,
		args: step.args,
		pipes: Object.entries(step.sources).flatMap(([to, source]) => {
			const [from = "", ...path] = source.split("/");
			const key = keys.get(from);
			return key ? [{
				from: key,
				path: path.join("/"),
				to
			}] : [];
		})
	}));
	const optional = pipeline.steps.some((step) => step.tool && step.optional);
	return {
		id: null,
		name: pipeline.title,
		phrase: pipeline.title.toLowerCase(),
		policy: optional ? "skip" : "abort",
		steps
	};
}
// src/pages/automations/pipeline-page.tsx
var LAST_MS = 5e3;
function PipelinePage({ words }) {
	const { kind } = words;
	const pipelines = useLoad((signal) => loadPipelines(kind, signal), [kind]);
	const last = useLoad((signal) => loadStandings(kind, signal), [kind]);
	useReload(last, LAST_MS);
	useTaskLink(kind);
	const [wanted = "", run = ""] = route.value.rest;
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
					last: last.data,
					children: [/* @__PURE__ */ a(LeftOutFiles, {
						files: left_out,
						folder
					}), /* @__PURE__ */ a("p", {
						class: "hint",
						children: words.files(/* @__PURE__ */ a("code", { children: folder }))
					})]
				}), /* @__PURE__ */ a("div", {
					class: "stack flow-main",
					children: [wanted ? /* @__PURE__ */ a("a", {
						class: "flow-back",
						href: at(PAGE[kind]),
						children: [/* @__PURE__ */ a(Icon, {
							name: "chevron",
							size: 16
						}), words.back]
					}) : null, chosen ? /* @__PURE__ */ a(One, {
						words,
						pipeline: chosen,
						run,
						onRun: last.reload
					}, chosen.name) : /* @__PURE__ */ a(Problem, { error: new Error(words.missing(wanted)) })]
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
		nameOfTask(kind, task, leave.signal).then((name) => go(name ? at(PAGE[kind], [name, task]) : at(PAGE[kind]), true), (error) => {
			if (leave.signal.aborted) return;
			toast(said(error), { kind: "bad" });
			go(at(PAGE[kind]), true);
		});
		return () => leave.abort();
	}, [kind, task]);
}
function Choices({ words, found, chosen, last, children }) {
	return /* @__PURE__ */ a("section", {
		class: "flow-side",
		"aria-label": words.list,
		"data-tour": words.tours.list,
		children: [/* @__PURE__ */ a("ul", {
			class: "list",
			children: found.map((each) => /* @__PURE__ */ a("li", { children: /* @__PURE__ */ a(Item, {
				href: at(PAGE[words.kind], [each.name]),
				title: each.title,
				about: each.description,
				chosen: each.name === chosen,
				standing: last?.get(each.name),
				facts: plural(each.steps.length, "{count} step", "{count} steps"),
				children: each.modes.includes("voice") ? null : /* @__PURE__ */ a(Badge, { children: t("Text only") })
			}) }, each.name))
		}), children]
	});
}
function One({ words, pipeline, run, onRun }) {
	const { kind, tours } = words;
	const history = useHistory(kind, pipeline.name, run, run ? null : tours.outcome, words.nothing);
	const over = () => {
		history.reload();
		onRun();
	};
	return /* @__PURE__ */ a($, { children: [
		/* @__PURE__ */ a(Card, {
			title: pipeline.title,
			actions: /* @__PURE__ */ a(Button, {
				kind: "quiet",
				icon: "copy",
				title: t("The steps that call tools become a macro that you can change."),
				onClick: () => {
					keep("new", asMacro(pipeline));
					go(at("macros", ["new"]));
				},
				children: t("Make a copy")
			}),
			children: [
				/* @__PURE__ */ a("p", { children: pipeline.description }),
				/* @__PURE__ */ a(Start, {
					words,
					pipeline,
					onRun
				}),
				/* @__PURE__ */ a("details", {
					class: "flow-plan",
					open: !run,
					children: [/* @__PURE__ */ a("summary", { children: plural(pipeline.steps.length, "{count} step", "{count} steps") }), /* @__PURE__ */ a(PlannedSteps, { steps: pipeline.steps })]
				})
			]
		}),
		run ? /* @__PURE__ */ a(RunCard, {
			id: run,
			onOver: over,
			tour: tours.outcome
		}, run) : null,
		/* @__PURE__ */ a(Schedules, {
			kind,
			name: pipeline.name,
			input: pipeline.input,
			onRun
		}),
		history.list
	] });
}
function Start({ words, pipeline, onRun }) {
	const [input, type] = d("");
	const [busy, set] = d(false);
	const [problem, tell] = d(null);
	const begin = async () => {
		if (pipeline.needs_input && !input.trim()) {
			tell(t("Enter the input: {input}.", { input: pipeline.input }));
			return;
		}
		set(true);
		tell(null);
		try {
			const id = await start(words.kind, pipeline.name, input.trim());
			go(runAddress({
				kind: words.kind,
				name: pipeline.name,
				id
			}));
			onRun();
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
				label: pipeline.needs_input ? t("Input") : t("Input (optional)"),
				hint: rich("Enter {input}. Press {keys} to run.", {
					input: pipeline.input,
					keys: /* @__PURE__ */ a($, { children: [
						/* @__PURE__ */ a("kbd", { children: "Ctrl" }),
						" ",
						/* @__PURE__ */ a("kbd", { children: "Enter" })
					] })
				}),
				error: problem,
				children: (attributes) => /* @__PURE__ */ a("textarea", {
					...attributes,
					rows: 3,
					value: input,
					maxLength: words.kind === "workflow" ? 2e4 : 1e5,
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
export { PipelinePage as t };

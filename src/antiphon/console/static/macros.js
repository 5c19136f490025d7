import { a as y, c as P, d, l as T, m as $, o as A, s as F, t as a } from "./vendor-preact.js";
import { c as said, n as del, o as post, r as get, t as ApiError } from "./http.js";
import { r as useLoad } from "./load.js";
import { c as rich, l as t, s as plural } from "./app.js";
import { a as at, d as route, o as go } from "./router.js";
import "./talk.js";
import { a as Empty, d as Shown, g as save, l as Loading, n as Button, o as Field, r as Card, s as IconButton, t as Badge, u as Problem } from "./kit.js";
import { t as useReload } from "./poll.js";
import { n as on } from "./bus.js";
import { A as removed, C as innerOf, E as moved, M as savedKey, N as savingBody, O as newStep, P as unreadIn, S as imported, T as keep, _ as draftOf, b as emptyDraft, c as loadRun, d as runAddress, f as start, g as differs, h as bodyOf, i as RunCard, j as repeated, k as pipeErrors, l as loadStandings, m as asCopy, n as Item, p as RUNNER, r as useHistory, t as Schedules, v as drafts, w as inside, x as exported, y as duplicate } from "./flow.js";
import { r as toast } from "./toasts.js";
import { U as Dialog } from "./start.js";
import { n as Icon } from "./icons.js";
import { t as ago } from "./time.js";
import { a as brief, o as flat, r as startValue, t as SchemaForm } from "./form.js";
import { d as ruleInWords, o as related, t as Facts } from "./catalogue.js";
import { t as callTool } from "./calls.js";
import { t as Readable } from "./readable.js";
import { r as loadTool, t as loadCatalogue } from "./api2.js";
// src/pages/macros/examples.tsx
/** Macros to begin with. Each uses functions that are here, and is a draft until it is saved. */
var EXAMPLES = [
	{
		name: t("Good morning"),
		trigger_phrase: t("good morning"),
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
		name: t("Find and tell"),
		trigger_phrase: t("look it up"),
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
		name: t("Show the numbers"),
		trigger_phrase: t("show the numbers"),
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
		"aria-label": t("Examples"),
		children: [/* @__PURE__ */ a("span", {
			class: "hint",
			children: t("Start from an example:")
		}), usable.map((each) => /* @__PURE__ */ a("button", {
			type: "button",
			class: "macros-chip",
			onClick: () => onChoose(draftOf(each)),
			children: each.name
		}, each.name))]
	});
}
// src/pages/macros/outcome.tsx
/** What a run would do, step by step. */
var OUTCOMES = {
	run: {
		word: t("Would run"),
		kind: "good"
	},
	confirm: {
		word: t("Would ask you"),
		kind: "warn"
	},
	refuse: {
		word: t("Would be refused"),
		kind: "bad"
	}
};
function PlanCard({ steps }) {
	const stops = steps.find((each) => each.outcome !== "run");
	const box = T(null);
	A(() => box.current?.parentElement?.scrollIntoView({ block: "nearest" }), [steps]);
	return /* @__PURE__ */ a(Card, {
		title: t("Dry run"),
		class: "macros-plan",
		children: [
			/* @__PURE__ */ a("span", {
				ref: box,
				hidden: true
			}),
			/* @__PURE__ */ a("p", {
				role: "status",
				children: [
					t("Nothing was called."),
					" ",
					!stops ? t("No gate would stop any of these steps.") : stops.outcome === "confirm" ? t("A run would stop at step {step} and ask you first.", { step: stops.step }) : t("A run would stop at step {step}: {reason}", {
						step: stops.step,
						reason: stops.message ?? t("it would be refused.")
					})
				]
			}),
			/* @__PURE__ */ a(Plan, { steps })
		]
	});
}
/** A tool of the catalogue goes by its own name. */
function shownAs({ function: name, args }) {
	const { tool_id: tool, params } = args;
	return name === "run_tool" && typeof tool === "string" ? [tool, params ?? {}] : [name, args];
}
function Plan({ steps }) {
	return /* @__PURE__ */ a("ol", {
		class: "macros-results",
		children: steps.map((each) => {
			const { word, kind } = OUTCOMES[each.outcome];
			const [name, args] = shownAs(each);
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
							children: name
						}),
						/* @__PURE__ */ a(Badge, {
							kind,
							children: word
						}),
						each.rule !== "run" ? /* @__PURE__ */ a("span", {
							class: "muted",
							children: [
								t("Rule"),
								" ",
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
					children: brief(args, 300)
				}),
				each.steps ? /* @__PURE__ */ a(Plan, { steps: each.steps }) : null
			] }, each.step);
		})
	});
}
// src/pages/macros/paths.ts
/** Paths into results: names with slashes between them; `~1` stands for a slash in a name. */
var names = (path) => path.split("/").filter((name) => name !== "").map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
function lookUp(value, path) {
	let here = value;
	for (const name of names(path)) {
		if (here === null || typeof here !== "object") return void 0;
		here = here[name];
	}
	return here;
}
/** A copy with `value` at a path. */
function putAt(into, path, value) {
	const [first, ...rest] = names(path);
	if (first === void 0) return into;
	const inner = into[first];
	const object = inner && typeof inner === "object" && !Array.isArray(inner) ? inner : {};
	return {
		...into,
		[first]: rest.length ? putAt(object, rest.join("/"), value) : value
	};
}
// src/pages/macros/outputs.ts
/** What steps gave when they were tested or run: values for later steps to choose from. */
/** By the macro (or `new`), then by the key of the step. */
var outputs = y({});
function keepOutput(place, key, output) {
	outputs.value = {
		...outputs.value,
		[place]: {
			...outputs.value[place],
			[key]: output
		}
	};
}
/** The arguments of a step with what earlier steps gave. Throws what is missing, in words. */
function argsFor(draft, step, known) {
	let args = structuredClone(step.args);
	for (const pipe of step.pipes) {
		const number = draft.steps.findIndex((each) => each.key === pipe.from) + 1;
		const source = known[pipe.from];
		if (!number) throw new Error(t("Choose the step that a value comes from."));
		if (source?.state !== "done") throw new Error(t("Test step {number} first: this step takes a value from it.", { number }));
		const to = pipe.to || usual(source.value);
		const value = pipe.to ? lookUp(source.value, pipe.path) : usualValue(source.value, to);
		if (value === void 0) throw new Error(t("Step {number} returned nothing at “{path}”.", {
			number,
			path: pipe.path || to
		}));
		args = putAt(args, to, value);
	}
	return args;
}
/** Where a value without a target goes, as the server puts it. */
var FIRST = {
	databases: "database_id",
	tools: "tool_id"
};
var usual = (result) => {
	const name = result && typeof result === "object" ? Object.keys(FIRST).find((each) => each in result) : void 0;
	return name ? FIRST[name] : "_piped_input";
};
function usualValue(result, to) {
	const name = Object.keys(FIRST).find((each) => FIRST[each] === to);
	const first = name ? lookUp(result, `${name}/0`) : lookUp(result, "result") ?? result;
	return name && first && typeof first === "object" ? first["id"] : first;
}
/** Calls the step through every gate, as a run would; what it gives is kept. */
async function test(place, draft, step) {
	let args;
	try {
		args = argsFor(draft, step, outputs.value[place] ?? {});
	} catch (error) {
		return keepOutput(place, step.key, {
			state: "failed",
			problem: said(error)
		});
	}
	keepOutput(place, step.key, { state: "running" });
	try {
		keepOutput(place, step.key, {
			state: "done",
			value: await callTool(step.function, args, crypto.randomUUID())
		});
	} catch (error) {
		keepOutput(place, step.key, {
			state: "failed",
			problem: said(error)
		});
	}
}
// src/pages/macros/ways.ts
/** Where a phrase runs a macro: by voice and in writing, in writing only, or in no conversation. */
function waysIn({ tools: names, modes }, tools) {
	const within = (mode) => new Set(tools.filter(({ toolId, allowedModes }) => names.includes(toolId) && [...allowedModes, ...modes[toolId] ?? []].includes(mode)).map(({ toolId }) => toolId));
	return {
		written: within("text"),
		spoken: within("voice")
	};
}
/** A tool of the catalogue that the agent may not call by itself is called through another function. */
function runnerFor(tool, ways) {
	return !!ways && !ways.written.has(tool.toolId) && !!tool.catalogue && ways.written.has("run_tool");
}
/** What keeps the phrase from running these steps, in words; empty where nothing does. */
function hindrance(steps, ways, tools = []) {
	if (!ways) return "";
	const names = [...new Set(steps.map((step) => step.function).filter(Boolean))];
	const never = names.filter((name) => !ways.written.has(name) && !ways.spoken.has(name));
	if (never.length) return t("The phrase does not run it: the conversation's agent may not call {tools}. Run it from here or on a schedule.", { tools: never.join(", ") });
	const inner = steps.map(innerOf).filter((id) => id && !(tools.find((tool) => tool.toolId === id)?.allowedModes.includes("voice") ?? true));
	const silent = [.../* @__PURE__ */ new Set([...names.filter((name) => !ways.spoken.has(name)), ...inner])];
	if (silent.length) return t("Type its phrase; saying it does not run it. By voice, the agent may not call {tools}.", { tools: silent.join(", ") });
	const mute = names.filter((name) => !ways.written.has(name));
	return mute.length ? t("Say its phrase; typing it does not run it. In writing, the agent may not call {tools}.", { tools: mute.join(", ") }) : "";
}
// src/pages/macros/picker.tsx
/** Chooses a function of the registry: type a few letters, then arrows and Enter. */
var MOST$1 = 12;
function Picker({ tools, ways, value, onChoose, label, error }) {
	const [typed, type] = d(null);
	const [active, point] = d(0);
	const box = T(null);
	const id = P();
	const open = typed !== null;
	const offered = open ? related(tools, typed).slice(0, MOST$1) : [];
	const close = () => {
		type(null);
		point(0);
	};
	const choose = (tool) => {
		if (runnerFor(tool, ways)) onChoose(RUNNER, { tool_id: tool.toolId });
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
				placeholder: t("Describe what it should do, or type a name"),
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
				children: [offered.map((tool, index) => /* @__PURE__ */ a("li", {
					id: `${id}-${index}`,
					role: "option",
					"aria-selected": index === active,
					onMouseDown: (event) => {
						event.preventDefault();
						choose(tool);
					},
					onMouseMove: () => index !== active && point(index),
					children: [/* @__PURE__ */ a("span", {
						class: "row",
						children: [
							/* @__PURE__ */ a("strong", {
								class: "macros-function",
								children: tool.toolId
							}),
							/* @__PURE__ */ a(Facts, { tool }),
							tool.allowedModes.includes("voice") ? null : /* @__PURE__ */ a(Badge, { children: t("Not by voice") })
						]
					}), /* @__PURE__ */ a("small", { children: tool.description })]
				}, tool.toolId)), open && !offered.length ? /* @__PURE__ */ a("li", {
					class: "hint",
					role: "option",
					"aria-selected": false,
					"aria-disabled": "true",
					children: t("No function matches “{typed}”.", { typed })
				}) : null]
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
// src/pages/macros/pipes.tsx
/** Values that a step takes from earlier ones, chosen from what those gave when they were tested or run. */
function Pipes(props) {
	const { step, index, steps, onChange, here } = props;
	if (index === 0 && !step.pipes.length) return null;
	const change = (pipes) => onChange((now) => ({
		...now,
		pipes
	}));
	const earlier = steps.slice(0, index);
	return /* @__PURE__ */ a("fieldset", {
		class: "macros-pipes",
		children: [
			/* @__PURE__ */ a("legend", { children: t("Values from earlier steps") }),
			step.pipes.length ? null : /* @__PURE__ */ a("p", {
				class: "hint",
				children: t("Output of an earlier step can fill a field of this one. Test that step to choose from its output.")
			}),
			step.pipes.map((pipe, number) => /* @__PURE__ */ a(PipeRow, {
				...props,
				pipe: {
					...pipe,
					to: targetOf(step, pipe)
				},
				number,
				earlier,
				wrongs: pipeErrors(here, number, step.pipes.length),
				onPipe: (changed) => change(step.pipes.with(number, {
					...changed,
					to: changed.to && innerOf(step) ? INSIDE + changed.to : changed.to
				})),
				onDrop: () => change(step.pipes.toSpliced(number, 1))
			}, number)),
			/* @__PURE__ */ a(Button, {
				kind: "quiet",
				icon: "plus",
				onClick: () => change([...step.pipes, {
					from: earlier.at(-1)?.key ?? "",
					path: "",
					to: ""
				}]),
				children: t("Use a value")
			})
		]
	});
}
function PipeRow({ pipe, number, index, steps, tools, tool, outputs, earlier, wrongs, onPipe, onDrop }) {
	const id = P();
	const from = steps.findIndex((each) => each.key === pipe.from);
	const source = steps[from];
	const ran = source ? innerOf(source) : "";
	const schema = tools.find((each) => each.toolId === (ran || source?.function))?.output;
	const output = source ? outputs[source.key] : void 0;
	const promised = pathsOf(schema).map((each) => ran ? {
		...each,
		path: `result/${each.path}`
	} : each);
	const paths = output?.state === "done" ? pathsIn(output.value) : promised;
	const wrong = (name) => wrongs.filter((each) => each.pointer === name).map((each) => each.message + (each.expected ? ` (${t("expected")}: ${each.expected})` : "")).join("; ");
	const late = from >= index && from >= 0;
	return /* @__PURE__ */ a("div", {
		class: "macros-pipe",
		role: "group",
		"aria-label": t("Value {number}", { number: number + 1 }),
		children: [
			/* @__PURE__ */ a("div", {
				class: "macros-pipe-field",
				children: [/* @__PURE__ */ a("label", {
					for: id,
					children: t("From")
				}), /* @__PURE__ */ a("select", {
					id,
					value: pipe.from,
					onChange: (event) => onPipe({
						...pipe,
						from: event.currentTarget.value,
						path: ""
					}),
					"aria-invalid": wrong("/step") || late ? true : void 0,
					children: [
						from < 0 ? /* @__PURE__ */ a("option", {
							value: "",
							children: t("Choose a step")
						}) : null,
						earlier.map((each, at) => /* @__PURE__ */ a("option", {
							value: each.key,
							children: [
								t("Step {number}:", { number: at + 1 }),
								" ",
								innerOf(each) || each.function || t("no function")
							]
						}, each.key)),
						late ? /* @__PURE__ */ a("option", {
							value: pipe.from,
							children: t("Step {number} (comes later)", { number: from + 1 })
						}) : null
					]
				})]
			}),
			/* @__PURE__ */ a(PathChoice, {
				label: t("Value"),
				value: pipe.path,
				none: t("Whole output"),
				of: paths,
				invalid: !!wrong("/path"),
				onChoose: (path) => onPipe({
					...pipe,
					path
				})
			}),
			/* @__PURE__ */ a(PathChoice, {
				label: t("Into field"),
				value: pipe.to,
				none: t("Automatic"),
				of: targetsOf(tool.jsonSchema),
				invalid: !!wrong("/to"),
				onChoose: (to) => onPipe({
					...pipe,
					to
				})
			}),
			/* @__PURE__ */ a(IconButton, {
				label: t("Remove value {number}", { number: number + 1 }),
				icon: "trash",
				onClick: onDrop
			}),
			wrong("/step") ? /* @__PURE__ */ a("p", {
				class: "wrong",
				children: [
					t("From"),
					": ",
					wrong("/step")
				]
			}) : null,
			wrong("/path") ? /* @__PURE__ */ a("p", {
				class: "wrong",
				children: [
					t("Value"),
					": ",
					wrong("/path")
				]
			}) : null,
			wrong("/to") ? /* @__PURE__ */ a("p", {
				class: "wrong",
				children: [
					t("Into field"),
					": ",
					wrong("/to")
				]
			}) : null,
			late ? /* @__PURE__ */ a("p", {
				class: "wrong",
				children: t("That step comes after this one. Move it up, or choose another.")
			}) : null,
			wrong("") ? /* @__PURE__ */ a("p", {
				class: "wrong",
				children: wrong("")
			}) : null,
			output?.state === "done" && pipe.path && !paths.some((each) => each.path === pipe.path) ? /* @__PURE__ */ a("p", {
				class: "hint",
				children: t("The last output has nothing there.")
			}) : null
		]
	});
}
var CUSTOM = "\0custom";
/** A path from a list with an example of each value; or one that is typed. */
function PathChoice({ label, value, none, of, invalid, onChoose }) {
	const listed = value === "" || of.some((each) => each.path === value);
	const [typing, type] = d(false);
	const id = P();
	if (typing || !listed && !of.length) return /* @__PURE__ */ a("div", {
		class: "macros-pipe-field",
		children: [/* @__PURE__ */ a("label", {
			for: id,
			children: label
		}), /* @__PURE__ */ a("input", {
			id,
			type: "text",
			value,
			placeholder: none,
			autocomplete: "off",
			spellcheck: false,
			"aria-invalid": invalid || void 0,
			onInput: (event) => onChoose(event.currentTarget.value),
			onBlur: () => type(false)
		})]
	});
	return /* @__PURE__ */ a("div", {
		class: "macros-pipe-field",
		children: [/* @__PURE__ */ a("label", {
			for: id,
			children: label
		}), /* @__PURE__ */ a("select", {
			id,
			value,
			"aria-invalid": invalid || void 0,
			onChange: (event) => {
				const chosen = event.currentTarget.value;
				if (chosen === CUSTOM) type(true);
				else onChoose(chosen);
			},
			children: [
				/* @__PURE__ */ a("option", {
					value: "",
					children: none
				}),
				listed ? null : /* @__PURE__ */ a("option", {
					value,
					children: value
				}),
				of.map((each) => /* @__PURE__ */ a("option", {
					value: each.path,
					children: [each.path, each.about ? ` – ${brief(each.about, 50)}` : ""]
				}, each.path)),
				/* @__PURE__ */ a("option", {
					value: CUSTOM,
					children: t("Other path…")
				})
			]
		})]
	});
}
// src/pages/macros/step.tsx
/** One step of a macro: the function, its own form, values from earlier steps, and a test of it alone. */
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
	const output = props.outputs[step.key];
	const number = index + 1;
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
		class: `macros-step ${here.length ? "is-wrong" : ""} ${output ? `is-${output.state}` : ""}`,
		"data-step": number,
		children: [/* @__PURE__ */ a("div", {
			class: "macros-step-head",
			children: [/* @__PURE__ */ a("button", {
				type: "button",
				class: "macros-step-title",
				"aria-expanded": open,
				"aria-controls": body,
				onClick: () => onOpen(!open),
				children: [
					/* @__PURE__ */ a(Icon, {
						name: "chevron",
						size: 16
					}),
					/* @__PURE__ */ a("span", {
						class: "macros-number",
						"aria-hidden": "true",
						children: output?.state === "done" ? /* @__PURE__ */ a(Icon, {
							name: "check",
							size: 14
						}) : number
					}),
					/* @__PURE__ */ a("span", {
						class: "hidden-visually",
						children: [t("Step {number}:", { number }), " "]
					}),
					/* @__PURE__ */ a("strong", {
						class: "macros-function",
						children: shown || t("Choose a function")
					}),
					summary?.requiresConfirmation ? /* @__PURE__ */ a(Badge, {
						kind: "accent",
						children: t("Needs approval")
					}) : null,
					here.length ? /* @__PURE__ */ a(Badge, {
						kind: "bad",
						children: plural(here.length, "{count} problem", "{count} problems")
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
						label: t("Move step {number} up", { number }),
						icon: "up",
						disabled: index === 0,
						onClick: () => props.onMove(index - 1)
					}),
					/* @__PURE__ */ a(IconButton, {
						"data-act": "down",
						label: t("Move step {number} down", { number }),
						icon: "down",
						disabled: index === steps.length - 1,
						onClick: () => props.onMove(index + 1)
					}),
					/* @__PURE__ */ a(IconButton, {
						label: t("Duplicate step {number}", { number }),
						icon: "copy",
						onClick: props.onRepeat
					}),
					/* @__PURE__ */ a(IconButton, {
						label: t("Remove step {number}", { number }),
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
					ways: props.ways,
					value: shown,
					label: t("Function"),
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
							children: t("About {shown}", { shown })
						})
					]
				}) : null,
				!step.function ? null : error ? /* @__PURE__ */ a(Problem, { error }) : tool === null ? /* @__PURE__ */ a(Loading, {}) : /* @__PURE__ */ a($, { children: [
					/* @__PURE__ */ a(SchemaForm, {
						label: t("Arguments of step {number}", { number }),
						schema: tool.jsonSchema,
						value: argsOf(step),
						errors: inside(here, inner ? "/args/params" : "/args"),
						notes: notes(step, steps),
						onChange: (args) => onChange((now) => withArgs(now, args))
					}),
					/* @__PURE__ */ a(Pipes, {
						...props,
						tool,
						here
					}),
					/* @__PURE__ */ a(Tested, {
						...props,
						writes: summary?.sideEffects === "writes",
						asks: summary?.requiresConfirmation ?? false,
						name: shown
					})
				] })
			] }) : null
		})]
	});
}
/** The step alone, as it is now. What writes and does not ask by itself is asked about here. */
function Tested({ step, index, outputs, onTest, writes, asks, name }) {
	const [sure, ask] = d(false);
	const output = outputs[step.key];
	const number = index + 1;
	return /* @__PURE__ */ a("div", {
		class: "macros-test",
		role: "group",
		"aria-label": t("Test of step {number}", { number }),
		children: [
			/* @__PURE__ */ a("div", {
				class: "row",
				children: [sure ? /* @__PURE__ */ a($, { children: [
					/* @__PURE__ */ a("span", { children: t("This step changes data. Run it now?") }),
					/* @__PURE__ */ a(Button, {
						kind: "primary",
						icon: "play",
						onClick: () => {
							ask(false);
							onTest();
						},
						children: t("Run it")
					}),
					/* @__PURE__ */ a(Button, {
						onClick: () => ask(false),
						children: t("Cancel")
					})
				] }) : /* @__PURE__ */ a(Button, {
					icon: "play",
					busy: output?.state === "running",
					onClick: () => writes && !asks ? ask(true) : onTest(),
					children: t("Test this step")
				}), output?.state === "done" ? /* @__PURE__ */ a(Badge, {
					kind: "good",
					children: t("Succeeded")
				}) : output?.state === "failed" ? /* @__PURE__ */ a(Badge, {
					kind: "bad",
					children: t("Failed")
				}) : null]
			}),
			output?.state === "failed" ? /* @__PURE__ */ a("p", {
				class: "wrong",
				role: "alert",
				children: output.problem
			}) : null,
			output?.state === "done" ? /* @__PURE__ */ a("details", {
				open: true,
				children: [/* @__PURE__ */ a("summary", { children: t("Output") }), /* @__PURE__ */ a("div", {
					class: "macros-output",
					children: /* @__PURE__ */ a(Readable, {
						value: output.value,
						name
					})
				})]
			}) : null
		]
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
var targetOf = (step, pipe) => innerOf(step) && pipe.to.startsWith("params/") ? pipe.to.slice(7) : pipe.to;
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
/** Which step a value comes from, in words. */
var sourceOf = (pipe, steps) => {
	const from = steps.findIndex((each) => each.key === pipe.from) + 1;
	return from ? t("from step {from}", { from }) : t("from a step");
};
/** What a closed step would be called with. */
function argsInShort(step, steps) {
	const args = Object.entries(argsOf(step) ?? {}).map(([name, value]) => `${name}: ${brief(value, 30)}`);
	const piped = step.pipes.map((pipe) => `${targetOf(step, pipe) || t("input")}: ${sourceOf(pipe, steps)}`);
	return [...args, ...piped].join(", ") || t("No arguments");
}
/** Fields that get their value when it runs. */
function notes(step, steps) {
	return Object.fromEntries(step.pipes.filter((pipe) => pipe.to).map((pipe) => [`/${targetOf(step, pipe).replace(/^\/+/, "")}`, sourceOf(pipe, steps)]));
}
// src/pages/macros/builder.tsx
/** Building a macro: name, phrase, steps, what to do on failure; then test, dry run, save and run it. */
var MOST_STEPS = 20;
/** Which steps are open, by macro; it stays when one saves or comes back. */
var unfolded = /* @__PURE__ */ new Map();
/** The macro that was saved last: it says so until something is changed. */
var justSaved = y("");
function Builder({ macro, macros, tools, ways, run, onSaved, onRun }) {
	const place = macro?.id ?? "new";
	const [fresh] = d(() => macro ? draftOf(macro) : emptyDraft());
	const current = () => drafts.value[place] ?? fresh;
	const draft = current();
	const dirty = differs(draft, macro);
	const [errors, blame] = d([]);
	const [problem, fail] = d(null);
	const [plan, foresee] = d(null);
	const [busy, work] = d("");
	/** What somebody else has saved since the draft was begun. */
	const [theirs, meet] = d(null);
	const [asking, ask] = d(false);
	const [open, setOpen] = d(() => unfolded.get(place) ?? new Set(macro && draft.steps.length > 1 ? [] : draft.steps.map((step) => step.key)));
	const unfold = (keys) => {
		unfolded.set(place, keys);
		setOpen(keys);
	};
	const steps = T(null);
	const focus = T("");
	const known = outputs.value[place] ?? {};
	const history = useHistory("macro", place, run, null, t("A run continues on the server, even when you leave this page."));
	const [ended, end] = d(0);
	useRunOutputs(place, run, !dirty, ended);
	const hint = hindrance(draft.steps, ways, tools);
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
			message: t("belongs to another macro")
		});
		blame(found);
		const wrong = new Set(found.map((each) => Number(/^\/steps\/(\d+)/.exec(each.pointer)?.[1] ?? -1)));
		unfold(/* @__PURE__ */ new Set([...open, ...draft.steps.filter((_, index) => wrong.has(index)).map((step) => step.key)]));
		fail(found.length ? new Error(t("Fix the problems shown at the fields, then try again.")) : error);
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
	const store = async (over = false) => {
		if (!readable()) return null;
		begin("save");
		try {
			const { macro: saved } = await post("/api/vox/macros", savingBody(draft, over));
			keep(place, null);
			unfolded.set(saved.id, new Set(draft.steps.flatMap((step, index) => open.has(step.key) ? [savedKey(index)] : [])));
			unfolded.delete("new");
			draft.steps.forEach((step, index) => known[step.key] && keepOutput(saved.id, savedKey(index), known[step.key]));
			onSaved();
			return saved;
		} catch (error) {
			const current = error instanceof ApiError ? error.body?.current : void 0;
			if (current) meet(current);
			else refused(error);
			return null;
		} finally {
			work("");
		}
	};
	const pressSave = async (over = false) => {
		meet(null);
		const saved = await store(over);
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
		work("run");
		try {
			go(runAddress({
				kind: "macro",
				name: saved.id,
				id: await start("macro", saved.id)
			}), !macro);
			onRun();
		} catch (error) {
			fail(error);
		} finally {
			work("");
		}
	};
	const pressDelete = async () => {
		work("delete");
		try {
			await del(`/api/vox/macros/${macro.id}`);
			keep(place, null);
			toast(t("Macro {name} deleted.", { name: macro.name }));
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
	const discard = () => {
		keep(place, null);
		blame([]);
		fail(null);
		if (!macro) unfold(new Set(fresh.steps.map((step) => step.key)));
	};
	return /* @__PURE__ */ a("div", {
		class: "stack flow-main macros-main",
		children: [
			/* @__PURE__ */ a("a", {
				class: "flow-back",
				href: at("macros"),
				children: [/* @__PURE__ */ a(Icon, {
					name: "chevron",
					size: 16
				}), t("All macros")]
			}),
			/* @__PURE__ */ a(Card, {
				title: macro ? macro.name : t("New macro"),
				actions: macro ? /* @__PURE__ */ a($, { children: [
					/* @__PURE__ */ a(Button, {
						kind: "quiet",
						icon: "copy",
						onClick: () => {
							keep("new", duplicate(macro, macros));
							go(at("macros", ["new"]));
						},
						children: t("Make a copy")
					}),
					/* @__PURE__ */ a(Button, {
						kind: "quiet",
						icon: "download",
						onClick: () => save(`${macro.trigger_phrase.replaceAll(/\W+/g, "-")}.json`, JSON.stringify(exported(macro), null, 2), "application/json"),
						children: t("Export")
					}),
					/* @__PURE__ */ a(Button, {
						kind: "quiet",
						icon: "trash",
						onClick: () => ask(true),
						children: t("Delete")
					})
				] }) : null,
				children: [
					macro ? /* @__PURE__ */ a("p", {
						class: "hint",
						children: rich("Changed {when} · ID {id}", {
							when: ago(macro.updated_at),
							id: /* @__PURE__ */ a("code", { children: macro.id })
						})
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
							label: t("Name"),
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
								label: t("Trigger phrase"),
								error: told("/trigger_phrase"),
								hint: t("Say or type it in a conversation to run the macro. Small differences are fine."),
								children: (attributes) => /* @__PURE__ */ a("input", {
									...attributes,
									type: "text",
									maxLength: 200,
									value: draft.phrase,
									autocomplete: "off",
									placeholder: t("good morning"),
									onInput: (event) => change({
										...draft,
										phrase: event.currentTarget.value
									}, "/trigger_phrase")
								})
							})
						})]
					}),
					hint ? /* @__PURE__ */ a("p", {
						class: "flow-note macros-hint",
						children: [/* @__PURE__ */ a(Icon, {
							name: "info",
							size: 16
						}), hint]
					}) : null,
					/* @__PURE__ */ a("section", {
						"data-tour": "macros-steps",
						"aria-label": t("Steps"),
						class: "stack",
						children: [
							/* @__PURE__ */ a("h3", { children: t("Steps") }),
							told("/steps") ? /* @__PURE__ */ a("p", {
								class: "wrong",
								children: [
									t("Steps"),
									": ",
									told("/steps")
								]
							}) : null,
							/* @__PURE__ */ a("ol", {
								class: "macros-steps",
								ref: steps,
								children: draft.steps.map((step, index) => /* @__PURE__ */ a(StepCard, {
									step,
									index,
									steps: draft.steps,
									tools,
									ways,
									errors,
									outputs: known,
									open: open.has(step.key),
									onOpen: (on) => unfold(on ? /* @__PURE__ */ new Set([...open, step.key]) : new Set([...open].filter((key) => key !== step.key))),
									onChange: (changed) => alter(step.key, changed),
									onTest: () => {
										if (readable()) test(place, current(), current().steps.find((each) => each.key === step.key));
									},
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
								children: t("Add step")
							})
						]
					}),
					/* @__PURE__ */ a("div", {
						"data-tour": "macros-policy",
						children: /* @__PURE__ */ a(Field, {
							label: t("If a step fails"),
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
										children: t("Stop")
									}),
									/* @__PURE__ */ a("option", {
										value: "skip",
										children: t("Skip it and continue; steps that need it fail too")
									}),
									/* @__PURE__ */ a("option", {
										value: "retry",
										children: t("Try up to three times, then stop")
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
							t("Unsaved changes. They stay in this tab, even when you go to another page."),
							/* @__PURE__ */ a(Button, {
								kind: "quiet",
								class: "sf-act",
								onClick: discard,
								children: t("Discard changes")
							})
						]
					}) : macro && justSaved.value === macro.id ? /* @__PURE__ */ a("p", {
						class: "macros-saved",
						role: "status",
						children: [/* @__PURE__ */ a(Icon, {
							name: "check",
							size: 16
						}), t("Saved. Say “{phrase}” to run it.", { phrase: macro.trigger_phrase })]
					}) : null,
					/* @__PURE__ */ a("div", {
						class: "row macros-bar",
						children: [
							/* @__PURE__ */ a(Button, {
								icon: "info",
								"data-tour": "macros-dry-run",
								busy: busy === "dry",
								onClick: () => void pressDry(),
								children: t("Dry run")
							}),
							/* @__PURE__ */ a("span", { class: "spring" }),
							/* @__PURE__ */ a(Button, {
								icon: "check",
								busy: busy === "save",
								disabled: !dirty && !!macro,
								onClick: () => void pressSave(),
								children: t("Save")
							}),
							/* @__PURE__ */ a(Button, {
								kind: "primary",
								icon: "play",
								"data-tour": "macros-run",
								busy: busy === "run",
								onClick: () => void pressRun(),
								children: dirty ? t("Save and run") : t("Run")
							})
						]
					})
				]
			}),
			plan ? /* @__PURE__ */ a(PlanCard, { steps: plan }) : null,
			run && macro ? /* @__PURE__ */ a(RunCard, {
				id: run,
				tour: "macros-outcome",
				onOver: () => {
					history.reload();
					onRun();
					end((count) => count + 1);
				}
			}, run) : null,
			macro ? /* @__PURE__ */ a(Schedules, {
				kind: "macro",
				name: macro.id,
				input: null,
				onRun
			}) : null,
			macro ? history.list : null,
			asking && macro ? /* @__PURE__ */ a(Dialog, {
				title: t("Delete {name}?", { name: macro.name }),
				onClose: () => ask(false),
				children: [/* @__PURE__ */ a("p", { children: t("“{phrase}” will no longer do anything. This cannot be undone; export the macro first if you may need it again.", { phrase: macro.trigger_phrase }) }), /* @__PURE__ */ a("div", {
					class: "row",
					children: [
						/* @__PURE__ */ a("span", { class: "spring" }),
						/* @__PURE__ */ a(Button, {
							onClick: () => ask(false),
							children: t("Cancel")
						}),
						/* @__PURE__ */ a(Button, {
							kind: "danger",
							icon: "trash",
							busy: busy === "delete",
							onClick: () => void pressDelete(),
							children: t("Delete")
						})
					]
				})]
			}) : null,
			theirs ? /* @__PURE__ */ a(Dialog, {
				title: t("Changed meanwhile"),
				onClose: () => meet(null),
				children: [/* @__PURE__ */ a("p", { children: t("This macro was saved elsewhere {when}, after you started editing. Nothing is lost: choose what to keep.", { when: ago(theirs.updated_at) }) }), /* @__PURE__ */ a("div", {
					class: "row",
					children: [
						/* @__PURE__ */ a("span", { class: "spring" }),
						/* @__PURE__ */ a(Button, {
							onClick: () => {
								meet(null);
								keep(place, null);
								onSaved();
							},
							children: t("Use the saved version")
						}),
						/* @__PURE__ */ a(Button, {
							onClick: () => {
								keep("new", asCopy(draft, macros));
								keep(place, null);
								meet(null);
								onSaved();
								go(at("macros", ["new"]));
							},
							children: t("Keep mine as a copy")
						}),
						/* @__PURE__ */ a(Button, {
							kind: "primary",
							onClick: () => void pressSave(true),
							children: t("Overwrite with mine")
						})
					]
				})]
			}) : null
		]
	});
}
/** What the steps of a run gave can be handed on, too: where the run is of the steps as they are. */
function useRunOutputs(place, run, same, ended) {
	A(() => {
		if (!run || !same || !ended) return;
		const leave = new AbortController();
		loadRun(run, leave.signal, true).then(({ steps }) => steps.forEach((step, index) => {
			if (step.status === "done") keepOutput(place, savedKey(index), {
				state: "done",
				value: step.result
			});
		}), () => void 0);
		return () => leave.abort();
	}, [
		place,
		run,
		same,
		ended
	]);
}
// src/pages/macros/list.tsx
/** The saved macros, and the way in and out for files. */
function MacroList({ macros, chosen, last, onSaved }) {
	const [importing, ask] = d(false);
	return /* @__PURE__ */ a("section", {
		class: "stack flow-side",
		"aria-label": t("Macros"),
		"data-tour": "macros-list",
		children: [
			/* @__PURE__ */ a("div", {
				class: "row",
				children: [
					/* @__PURE__ */ a("a", {
						class: "button primary",
						href: at("macros", ["new"]),
						children: t("New macro")
					}),
					/* @__PURE__ */ a("span", { class: "spring" }),
					/* @__PURE__ */ a(IconButton, {
						label: t("Import"),
						icon: "upload",
						onClick: () => ask(true)
					}),
					/* @__PURE__ */ a(IconButton, {
						label: t("Export all"),
						icon: "download",
						disabled: !macros.length,
						onClick: () => save("macros.json", JSON.stringify({ macros: macros.map(exported) }, null, 2), "application/json")
					})
				]
			}),
			macros.length ? /* @__PURE__ */ a("ul", {
				class: "list",
				children: macros.map((macro) => /* @__PURE__ */ a("li", { children: /* @__PURE__ */ a(Item, {
					href: at("macros", [macro.id]),
					title: macro.name,
					about: `“${macro.trigger_phrase}”`,
					chosen: macro.id === chosen,
					standing: last?.get(macro.id),
					facts: plural(macro.step_count, "{count} step", "{count} steps"),
					children: drafts.value[macro.id] ? /* @__PURE__ */ a(Badge, {
						kind: "warn",
						children: t("Unsaved")
					}) : null
				}) }, macro.id))
			}) : /* @__PURE__ */ a(Empty, {
				icon: "macro",
				title: t("No macros yet"),
				children: t("Build one here, or ask for one in a conversation: “Make a macro called good morning …”.")
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
			wrong.push(`${macro.name ?? t("Unnamed macro")}: ${said(error)}`);
		}
		work(false);
		onSaved();
		const count = found.length - wrong.length;
		if (count) toast(plural(count, "{count} macro saved.", "{count} macros saved."), { kind: "good" });
		if (wrong.length) fail(wrong);
		else onClose();
	};
	return /* @__PURE__ */ a(Dialog, {
		title: t("Import macros"),
		onClose,
		children: [
			/* @__PURE__ */ a("p", {
				class: "hint",
				children: t("One macro opens as a draft, so you can check it first. Several are saved at once.")
			}),
			/* @__PURE__ */ a("label", {
				class: "stack",
				children: [t("Choose a file"), /* @__PURE__ */ a("input", {
					ref: file,
					type: "file",
					accept: "application/json,.json",
					onChange: async () => write(await file.current?.files?.[0]?.text() ?? "")
				})]
			}),
			/* @__PURE__ */ a("label", {
				class: "stack",
				children: [t("or paste JSON"), /* @__PURE__ */ a("textarea", {
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
						children: t("Cancel")
					}),
					/* @__PURE__ */ a(Button, {
						kind: "primary",
						busy,
						disabled: !text.trim(),
						onClick: () => void take(),
						children: t("Import")
					})
				]
			})
		]
	});
}
// src/pages/macros.tsx
/** Macros: several steps behind one phrase. They are listed, built, tested, run and scheduled here. */
var LAST_MS = 5e3;
/** The agent of conversations: only steps that it may call run when the phrase is said or typed. */
async function loadAgent(signal) {
	const { profiles } = await get("/api/profiles", { signal });
	return profiles.find((each) => each.name === "workspace") ?? null;
}
var CHANGING = ["create_macro", "delete_macro"];
function Macros() {
	const macros = useLoad((signal) => get("/api/vox/macros", { signal }), []);
	const catalogue = useLoad(loadCatalogue, []);
	const agent = useLoad(loadAgent, []);
	const last = useLoad((signal) => loadStandings("macro", signal), []);
	useReload(last, LAST_MS);
	const [chosen = "", run = ""] = route.value.rest;
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
			class: `split flow macros ${chosen ? "has-chosen" : ""}`,
			children: [/* @__PURE__ */ a(MacroList, {
				macros: data.macros,
				chosen,
				last: last.data,
				onSaved: macros.reload
			}), /* @__PURE__ */ a(Shown, {
				of: catalogue,
				children: ({ tools }) => {
					const macro = data.macros.find((each) => each.id === chosen) ?? null;
					if (unknown) return macros.loading ? /* @__PURE__ */ a(Loading, {}) : /* @__PURE__ */ a(Missing, { id: chosen });
					const ways = agent.data && waysIn(agent.data, tools);
					return /* @__PURE__ */ a(Builder, {
						macro,
						macros: data.macros,
						tools,
						ways,
						run,
						onSaved: macros.reload,
						onRun: last.reload
					}, macro ? `${macro.id} ${macro.updated_at}` : "new");
				}
			})]
		})
	});
}
function Missing({ id }) {
	return /* @__PURE__ */ a(Card, { children: /* @__PURE__ */ a(Empty, {
		icon: "macro",
		title: t("There is no macro {id}", { id }),
		children: rich("It may have been deleted. {all} or {create}.", {
			all: /* @__PURE__ */ a("a", {
				href: at("macros"),
				children: t("See all macros")
			}),
			create: /* @__PURE__ */ a("a", {
				href: at("macros", ["new"]),
				children: t("create a new one")
			})
		})
	}) });
}
export { Macros as default };

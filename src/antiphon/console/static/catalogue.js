import { d, l as T, m as $, t as a } from "./vendor-preact.js";
import { l as t, s as plural } from "./app.js";
import { a as at, d as route, o as go } from "./router.js";
import { a as Empty, n as Button, t as Badge } from "./kit.js";
import { t as useSome } from "./some.js";
// src/pages/tools/words.ts
/** What decisions, errors and losses mean, in words, and what to do about them. */
/** By the type of an error in an envelope. */
var ERRORS = {
	VALIDATION: {
		title: t("The arguments are not valid"),
		advice: t("Each invalid field says why. Nothing ran.")
	},
	NOT_FOUND: {
		title: t("There is no such tool"),
		advice: t("Check the closest names; the registry may have changed.")
	},
	INTERNAL: {
		title: t("The tool failed unexpectedly"),
		advice: t("See the server's log. Part of its work may be done.")
	},
	MODE_RESTRICTED: {
		title: t("Not in this mode"),
		advice: t("Choose a mode that the tool allows.")
	},
	BUDGET_EXCEEDED: {
		title: t("The turn's budget is used up"),
		advice: t("Every call here is its own turn, so just try again.")
	},
	CONFIRMATION_REQUIRED: {
		title: t("A person must approve this"),
		advice: t("Nothing has run. Review the values, then approve or deny.")
	},
	LOOP_DETECTED: {
		title: t("The same call too often"),
		advice: t("Change the arguments, or start another turn.")
	},
	UNAVAILABLE: {
		title: t("Not available here"),
		advice: t("Not for this session, user or environment; the message says what is missing.")
	},
	IN_PROGRESS: {
		title: t("Still running"),
		advice: t("Send the same key again to get the result when it is done.")
	},
	OUTCOME_UNKNOWN: {
		title: t("Its outcome is unknown"),
		advice: t("Check whether it took effect before you repeat it.")
	},
	CANCELLED: {
		title: t("It was stopped"),
		advice: t("By a person, by the provider, or because nobody approved it.")
	},
	SESSION_INACTIVE: {
		title: t("The session is over"),
		advice: t("Start a new one and try again.")
	},
	SESSION_ACTIVE: {
		title: t("The session is already running"),
		advice: t("There is nothing to start.")
	},
	TRANSIENT: {
		title: t("It failed this time"),
		advice: t("Try again in a moment.")
	},
	PERMANENT: {
		title: t("It cannot work like this"),
		advice: t("Retrying does not help; the message says why.")
	},
	CONFLICT: {
		title: t("It conflicts with existing data"),
		advice: t("The key may belong to another call, or the item already exists.")
	},
	AUTH: {
		title: t("Access denied"),
		advice: t("A key or permission is needed. See Settings.")
	},
	RATE_LIMIT: {
		title: t("Too many calls"),
		advice: t("Wait, then try again.")
	}
};
var adviceFor = (type) => ERRORS[type] ?? {
	title: type,
	advice: t("The message says what happened.")
};
/** By the rule that decided, as the audit has it. */
var RULES = {
	run: t("no rule objected"),
	duplicate: t("the same call was made before, so its record answers"),
	shape: t("a call is a name and one object of arguments"),
	known: t("the tool must exist"),
	blocked: t("the user is blocked"),
	active: t("the session has ended"),
	"registry.version": t("the tools have changed since the session began"),
	mode: t("the tool may not be used in this mode"),
	availability: t("the tool is not available to this user or environment"),
	rate: t("the tool was called too often"),
	nesting: t("nested calls are limited"),
	"loop.empty": t("it has returned nothing twice"),
	"loop.repeat": t("the same call came a third time"),
	"budget.rounds": t("no rounds are left in this turn"),
	"budget.calls": t("no calls are left in this turn"),
	"budget.retrieval": t("no searches are left in this turn"),
	"confirmation.token": t("only a person may confirm"),
	arguments: t("the arguments violate the tool's schema"),
	confirmation: t("a person must approve it"),
	approval: t("a person has approved this tool beforehand"),
	client: t("it runs in the browser, and none is connected")
};
var ruleInWords = (rule) => RULES[rule] ?? "";
var KEYWORDS = {
	additionalProperties: t("that other members are refused"),
	maxLength: t("the longest length"),
	minLength: t("the shortest length"),
	maximum: t("the largest value"),
	minimum: t("the smallest value"),
	maxItems: t("the most items"),
	minItems: t("the fewest items"),
	maxProperties: t("the most entries"),
	minProperties: t("the fewest entries"),
	pattern: "the pattern",
	format: t("the format"),
	default: t("the default"),
	uniqueItems: t("that items are unique"),
	enum: t("the allowed values"),
	const: t("the one allowed value"),
	anyOf: t("the choice between forms"),
	oneOf: t("the choice between forms"),
	allOf: t("the combination of forms"),
	$ref: t("the reference"),
	type: "the type",
	required: t("what is required")
};
/** One loss as a sentence: "The longest length of `title`: not in strict mode; …". */
function lossInWords({ keyword, pointer, reason }) {
	const what = KEYWORDS[keyword] ?? t("the keyword {keyword}", { keyword });
	return {
		what: what[0].toUpperCase() + what.slice(1),
		where: placeOf(pointer),
		reason
	};
}
/** A pointer into a schema as the place in the arguments: `series[].name`. */
function placeOf(pointer) {
	const parts = pointer.split("/").slice(1);
	let place = "";
	for (let index = 0; index < parts.length; index++) {
		const part = parts[index];
		if (part === "properties" && index + 1 < parts.length) place += `${place ? "." : ""}${parts[++index]}`;
		else if (part === "items") place += "[]";
		else if ([
			"anyOf",
			"oneOf",
			"allOf",
			"prefixItems"
		].includes(part)) place += ` ${t("(form {number})", { number: Number(parts[++index]) + 1 })}`;
		else if (part === "additionalProperties") place += ".*";
		else if (part === "$defs") place += `${parts[++index]}`;
		else place += `/${part}`;
	}
	return place.trim() || t("the arguments as a whole");
}
/** The JSON objects in a guide that could be arguments, with what stands before each. */
function examplesIn(guide, schema) {
	const known = new Set(Object.keys(schema.properties ?? {}));
	const found = [];
	let before = "";
	for (const piece of guide.split(/```json\s*\n([\s\S]*?)```/).entries()) {
		const [index, text] = piece;
		if (index % 2 === 0) {
			before = text.trim().split("\n").at(-1)?.replace(/^[#\-*\s]+/, "").replace(/:$/, "") || before;
			if (/^examples?$/i.test(before)) before = "";
			continue;
		}
		try {
			const args = JSON.parse(text);
			const names = Object.keys(args);
			if (!Array.isArray(args) && names.length && names.every((name) => known.has(name)) && (schema.required ?? []).every((name) => name in args)) found.push({
				title: before || t("Example {count}", { count: found.length + 1 }),
				args
			});
		} catch {}
	}
	return found.slice(0, 5);
}
// src/pages/tools/search.ts
/** Finding tools: what the address asks for, what fits it, how much there is of each kind. */
/** Each filter by its name in the address. */
var FACETS = {
	category: {
		title: t("Category"),
		of: (tool) => [tool.category]
	},
	effects: {
		title: t("Side effects"),
		of: (tool) => [tool.sideEffects]
	},
	mode: {
		title: t("Mode"),
		of: (tool) => tool.allowedModes
	},
	confirm: {
		title: t("Confirmation"),
		of: (tool) => [tool.requiresConfirmation ? "asks" : "none"]
	},
	runs: {
		title: t("Execution"),
		of: (tool) => [tool.execution]
	},
	area: {
		title: t("Area"),
		of: (tool) => [tool.catalogue ?? "workspace"]
	},
	available: {
		title: t("Available"),
		of: (tool) => [tool.available ? "yes" : "no"]
	}
};
var FACET_NAMES = Object.keys(FACETS);
var WORDS = {
	retrieval: t("Retrieval"),
	action: t("Action"),
	utility: t("Utility"),
	none: t("none"),
	read_only: t("read-only"),
	writes: t("writes"),
	voice: t("voice"),
	text: t("text"),
	yes: t("yes"),
	no: t("no"),
	asks: t("needs approval"),
	server: t("on the server"),
	client: t("in the browser"),
	background: t("in the background")
};
var SORTS = {
	"": t("Name or best match"),
	category: t("Category"),
	used: t("Most used"),
	slow: t("Slowest (p95)"),
	budget: t("Latency budget")
};
function readView(query) {
	const sort = query.get("sort") ?? "";
	const chosen = {};
	for (const name of FACET_NAMES) {
		const value = query.get(name);
		if (value) chosen[name] = value;
	}
	return {
		q: query.get("q") ?? "",
		sort: sort in SORTS ? sort : "",
		chosen
	};
}
function writeView({ q, sort, chosen }) {
	return {
		q,
		...chosen,
		sort
	};
}
/** They say nothing of what a tool does. */
var SMALL = new Set("a an and at by for from in into is it me my of on or the this to what which with".split(" "));
/** The words that count; all of them, where there are no others. */
function wordsIn(q) {
	const all = q.toLowerCase().split(/\s+/).filter(Boolean);
	const telling = all.filter((word) => !SMALL.has(word));
	return telling.length ? telling : all;
}
/** How well a tool fits the words; 0 when one of them is nowhere in it. */
function score(tool, q) {
	const words = wordsIn(q);
	const id = tool.toolId.toLowerCase();
	const parts = id.split("_");
	const about = `${tool.summary}\n${tool.description}`.toLowerCase();
	const whole = q.trim().toLowerCase().replace(/[\s-]+/g, "_");
	let sum = id === whole ? 100 : whole && id.startsWith(whole) ? 40 : 0;
	for (const word of words) {
		const plain = word.replaceAll("-", "_");
		if (parts.includes(plain)) sum += 12;
		else if (parts.some((part) => part.startsWith(plain))) sum += 8;
		else if (id.includes(plain)) sum += 6;
		else if (new RegExp(`\\b${word.replace(/[^\w]/g, "\\$&")}`).test(about)) sum += 3;
		else if (about.includes(word)) sum += 1;
		else return 0;
	}
	return words.length ? sum : 1;
}
/** What fits the words, or where nothing fits them all, what fits most of them best. */
function related(tools, q) {
	const all = found(tools, {
		q,
		sort: "",
		chosen: {}
	});
	if (all.length) return all;
	const words = wordsIn(q);
	const hits = new Map(tools.map((tool) => [tool, words.reduce((sum, word) => sum + score(tool, word), 0)]));
	return tools.filter((tool) => hits.get(tool) > 0).sort((one, two) => hits.get(two) - hits.get(one) || one.toolId.localeCompare(two.toolId));
}
var fitsFacet = (tool, name, value) => value === void 0 || FACETS[name].of(tool).includes(value);
/** What fits, in order. */
function found(tools, view, metrics) {
	const scores = new Map(tools.map((tool) => [tool, score(tool, view.q)]));
	const fitting = tools.filter((tool) => scores.get(tool) > 0 && FACET_NAMES.every((name) => fitsFacet(tool, name, view.chosen[name])));
	const calls = (tool) => Object.values(metrics?.calls[tool.toolId] ?? {}).reduce((sum, each) => sum + each, 0);
	const by = view.q || view.sort ? {
		"": (one, two) => scores.get(two) - scores.get(one),
		category: (one, two) => one.category.localeCompare(two.category),
		used: (one, two) => calls(two) - calls(one),
		slow: (one, two) => (metrics?.latency[two.toolId]?.p95 ?? -1) - (metrics?.latency[one.toolId]?.p95 ?? -1),
		budget: (one, two) => one.latencyBudgetMs - two.latencyBudgetMs
	}[view.sort] : () => 0;
	return fitting.sort((one, two) => by(one, two) || one.toolId.localeCompare(two.toolId));
}
/** How many there would be with each value of a filter, the others as they are. */
function counts(tools, view, name) {
	const { [name]: _, ...others } = view.chosen;
	const made = /* @__PURE__ */ new Map();
	for (const tool of tools) for (const value of FACETS[name].of(tool)) made.set(value, 0);
	for (const tool of found(tools, {
		...view,
		chosen: others
	})) for (const value of FACETS[name].of(tool)) made.set(value, made.get(value) + 1);
	return new Map([...made].sort(([one], [two]) => one.localeCompare(two)));
}
// src/pages/tools/catalogue.tsx
/** The list of tools: search as you type, filters, counts. What is chosen is in the address. */
var toolAddress = (id) => at("tools", [id], writeView(readView(route.value.query)));
function ToolList({ catalogue, metrics, chosen }) {
	const view = readView(route.value.query);
	const fitting = found(catalogue.tools, view, metrics);
	const list = T(null);
	const show = (change) => go(at("tools", route.value.rest, writeView({
		...view,
		...change
	})), true);
	const narrowed = view.q !== "" || Object.keys(view.chosen).length > 0;
	const { some, more } = useSome(fitting, (tool) => tool.toolId === chosen);
	const [last, remember] = d("");
	const stop = [last, chosen].find((id) => fitting.some((tool) => tool.toolId === id)) ?? fitting[0]?.toolId;
	const step = (event) => {
		const links = [...list.current?.querySelectorAll("a") ?? []];
		const here = links.indexOf(event.target);
		const to = {
			ArrowDown: here + 1,
			ArrowUp: here - 1,
			Home: 0,
			End: links.length - 1
		}[event.key];
		if (to === void 0 || here < 0 && event.key !== "ArrowDown") return;
		event.preventDefault();
		links[Math.max(0, Math.min(links.length - 1, to))]?.focus();
	};
	return /* @__PURE__ */ a("section", {
		class: "tools-side",
		"aria-label": t("All tools"),
		children: [
			/* @__PURE__ */ a("input", {
				type: "search",
				"data-tour": "tools-search",
				"aria-label": t("Search tools"),
				placeholder: t("Search by name or purpose"),
				value: view.q,
				onInput: (event) => show({ q: event.currentTarget.value }),
				onKeyDown: (event) => {
					if (event.key === "Enter" && fitting[0]) go(toolAddress(fitting[0].toolId));
					else if (event.key === "ArrowDown") step(event);
				}
			}),
			/* @__PURE__ */ a("div", {
				class: "tools-filters",
				"data-tour": "tools-filters",
				children: [/* @__PURE__ */ a(Chips, {
					tools: catalogue.tools,
					view,
					show
				}), /* @__PURE__ */ a("details", {
					open: FACET_NAMES.some((name) => name !== "category" && view.chosen[name]),
					children: [/* @__PURE__ */ a("summary", { children: t("More filters and sorting") }), /* @__PURE__ */ a("div", {
						class: "tools-selects",
						children: [FACET_NAMES.filter((name) => name !== "category").map((name) => /* @__PURE__ */ a(FacetSelect, {
							name,
							tools: catalogue.tools,
							view,
							show
						}, name)), /* @__PURE__ */ a("label", {
							class: "tools-select",
							children: [t("Sort by"), /* @__PURE__ */ a("select", {
								value: view.sort,
								onChange: (event) => show({ sort: event.currentTarget.value }),
								children: Object.entries(SORTS).map(([id, title]) => /* @__PURE__ */ a("option", {
									value: id,
									children: title
								}, id))
							})]
						})]
					})]
				})]
			}),
			/* @__PURE__ */ a("div", {
				class: "tools-count",
				role: "status",
				children: [fitting.length === catalogue.count ? plural(catalogue.count, "{count} tool", "{count} tools") : t("{shown} of {all} tools", {
					shown: fitting.length,
					all: catalogue.count
				}), narrowed ? /* @__PURE__ */ a(Button, {
					kind: "quiet",
					class: "sf-act",
					onClick: () => show({
						q: "",
						chosen: {}
					}),
					children: t("Clear")
				}) : null]
			}),
			fitting.length ? /* @__PURE__ */ a("ul", {
				class: "list tools-list",
				"data-tour": "tools-list",
				ref: list,
				onKeyDown: step,
				onFocusCapture: (event) => remember(event.target.dataset["tool"] ?? ""),
				children: some.map((tool) => /* @__PURE__ */ a(Entry, {
					tool,
					here: tool.toolId === chosen,
					stop: tool.toolId === stop
				}, tool.toolId))
			}) : /* @__PURE__ */ a("div", {
				"data-tour": "tools-list",
				children: /* @__PURE__ */ a(Empty, {
					icon: "search",
					title: t("No matching tools"),
					action: /* @__PURE__ */ a(Button, {
						onClick: () => show({
							q: "",
							chosen: {}
						}),
						children: t("Show all tools")
					}),
					children: t("Try other words, or clear the filters. The search covers names, summaries and descriptions.")
				})
			}),
			more
		]
	});
}
function Entry({ tool, here, stop }) {
	return /* @__PURE__ */ a("li", { children: /* @__PURE__ */ a("a", {
		class: "list-item",
		"data-tool": tool.toolId,
		href: toolAddress(tool.toolId),
		"aria-current": here ? "true" : void 0,
		tabIndex: stop ? 0 : -1,
		children: [
			/* @__PURE__ */ a("strong", {
				class: "tools-name",
				children: tool.toolId
			}),
			/* @__PURE__ */ a("small", {
				class: "tools-summary",
				children: tool.description
			}),
			/* @__PURE__ */ a("span", {
				class: "row tools-badges",
				children: /* @__PURE__ */ a(Facts, { tool })
			})
		]
	}) });
}
/** What one should know of a tool before calling it. */
function Facts({ tool }) {
	return /* @__PURE__ */ a($, { children: [
		/* @__PURE__ */ a(Badge, { children: WORDS[tool.category] ?? tool.category }),
		tool.sideEffects === "writes" ? /* @__PURE__ */ a(Badge, {
			kind: "warn",
			children: t("writes")
		}) : null,
		tool.requiresConfirmation ? /* @__PURE__ */ a(Badge, {
			kind: "accent",
			children: t("needs approval")
		}) : null,
		tool.execution !== "server" ? /* @__PURE__ */ a(Badge, { children: WORDS[tool.execution] }) : null,
		tool.allowedModes.length === 1 ? /* @__PURE__ */ a(Badge, { children: tool.allowedModes[0] === "voice" ? t("voice only") : t("text only") }) : null,
		tool.available ? null : /* @__PURE__ */ a(Badge, {
			kind: "bad",
			children: t("not available")
		})
	] });
}
function without(view, name, value) {
	const { [name]: _, ...others } = view.chosen;
	return value ? {
		...others,
		[name]: value
	} : others;
}
function Chips({ tools, view, show }) {
	const each = counts(tools, view, "category");
	const all = [...each.values()].reduce((sum, count) => sum + count, 0);
	const chosen = view.chosen.category ?? "";
	return /* @__PURE__ */ a("div", {
		class: "tools-chips",
		role: "group",
		"aria-label": t("Category"),
		children: [["", all], ...each].map(([value, count]) => /* @__PURE__ */ a("button", {
			type: "button",
			class: "tools-chip",
			"aria-pressed": chosen === value,
			onClick: () => show({ chosen: without(view, "category", value) }),
			children: [
				value ? WORDS[value] : t("All"),
				" ",
				/* @__PURE__ */ a("span", {
					class: "number",
					children: count
				})
			]
		}, value))
	});
}
function FacetSelect({ name, tools, view, show }) {
	return /* @__PURE__ */ a("label", {
		class: "tools-select",
		children: [FACETS[name].title, /* @__PURE__ */ a("select", {
			value: view.chosen[name] ?? "",
			onChange: (event) => show({ chosen: without(view, name, event.currentTarget.value) }),
			children: [
				/* @__PURE__ */ a("option", {
					value: "",
					children: t("any")
				}),
				[...counts(tools, view, name)].map(([value, count]) => /* @__PURE__ */ a("option", {
					value,
					children: [
						WORDS[value] ?? value,
						" (",
						count,
						")"
					]
				}, value)),
				view.chosen[name] && !tools.some((tool) => FACETS[name].of(tool).includes(view.chosen[name])) ? /* @__PURE__ */ a("option", {
					value: view.chosen[name],
					children: [view.chosen[name], " (0)"]
				}) : null
			]
		})]
	});
}
export { readView as a, adviceFor as c, ruleInWords as d, WORDS as i, examplesIn as l, ToolList as n, related as o, toolAddress as r, writeView as s, Facts as t, lossInWords as u };

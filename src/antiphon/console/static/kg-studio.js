import { a as y, c as P, d, l as T, m as $, o as A, s as F, t as a } from "./vendor-preact.js";
import { r as useLoad } from "./load.js";
import { a as locale, c as rich, i as listed$1, l as t, m as shownTheme, o as number, s as plural } from "./app.js";
import { a as at, d as route, o as go } from "./router.js";
import { K as guided, U as Dialog } from "./start.js";
import { n as Icon } from "./icons.js";
import { a as Empty, c as Json, d as Shown, f as Spinner, i as CopyButton, m as Tabs, n as Button, o as Field, r as Card, s as IconButton, t as Badge, u as Problem } from "./kit.js";
import { t as address } from "./address.js";
import { c as said, n as del, o as post, r as get, s as put, t as ApiError, u as upload } from "./http.js";
import { r as toast } from "./toasts.js";
import { a as fullTime, t as ago } from "./time.js";
import { n as TypeMark, r as kindOf, t as Legend } from "./legend.js";
import { t as callTool } from "./calls.js";
import { t as useTyped } from "./typed.js";
// src/pages/kg-studio/api.ts
/** The knowledge base over HTTP, with the shapes of its answers. */
var base = (database) => `/api/knowledge/${encodeURIComponent(database)}`;
var recordPath = (database, id) => `${base(database)}/records/${encodeURIComponent(id)}`;
var listDatabases = (signal) => get("/api/knowledge", { signal }).then((body) => body.databases);
var readDatabase = (database, signal) => get(base(database), { signal });
var makeDatabase = (body) => post("/api/knowledge", body);
var deleteDatabase = (database) => del(base(database));
var exportPath = (database) => address(`${base(database)}/export`);
function search(database, asked, k, signal) {
	const query = new URLSearchParams({
		q: asked.q,
		k: String(k),
		explain: "true"
	});
	for (const type of asked.types) query.append("type", type);
	for (const tag of asked.tags) query.append("tags", tag);
	if (asked.since) query.set("since", asked.since);
	if (asked.until) query.set("until", asked.until);
	return get(`${base(database)}/search?${query}`, { signal });
}
var readRecord = (database, id, signal) => get(recordPath(database, id), { signal });
/** `fresh`: it is refused (412) where there is one with this id. */
var writeRecord = (database, { id, ...body }, fresh) => put(recordPath(database, id), body, fresh ? { headers: { "If-None-Match": "*" } } : {});
var deleteRecord = (database, id) => del(recordPath(database, id));
var neighbourhood = (database, id, depth, limit, options = {}) => get(`${base(database)}/neighbourhood/${encodeURIComponent(id)}`, {
	...options,
	query: {
		depth,
		limit
	}
});
var overview = (database, limit, options = {}) => get(`${base(database)}/graph`, {
	...options,
	query: { limit }
});
var writeEdge = (database, edge) => put(`${base(database)}/edges`, edge);
var deleteEdge = (database, { source, target, relation }) => del(`${base(database)}/edges`, { query: {
	source,
	target,
	relation
} });
var analytics = (database, signal) => get(`${base(database)}/analytics`, { signal });
var ingestFile = (database, file, signal, onProgress) => upload(`${base(database)}/files?name=${encodeURIComponent(file.name)}`, file, {
	signal,
	onProgress
});
var ingestText = (database, body, signal) => post(`${base(database)}/ingest`, body, { signal });
/** JSON lines or CSV. Rows that do not fit stop it, or are left out. */
var importRows = (database, text, format, skip, signal) => post(`${base(database)}/import`, text, {
	query: { on_error: skip ? "skip" : "stop" },
	headers: { "Content-Type": format === "csv" ? "text/csv" : "application/x-ndjson" },
	signal
});
// src/pages/kg-studio/address.ts
/** What the address says of KG Studio: `#/kg-studio/<database>[/record/<id>|/new]?tab=…&q=…`. */
var TABS = [
	{
		id: "search",
		title: t("Search")
	},
	{
		id: "graph",
		title: t("Graph")
	},
	{
		id: "ingest",
		title: t("Add")
	},
	{
		id: "analytics",
		title: t("Analytics")
	}
];
function here() {
	const { rest, query } = route.value;
	const [database = "", what = "", ...more] = rest;
	const record = what === "record" && more.length ? more.join("/") : null;
	const tab = TABS.find((each) => each.id === query.get("tab"))?.id;
	return {
		database,
		record,
		editing: what === "new" || record !== null && query.has("edit"),
		tab: tab ?? (query.has("task") ? "ingest" : "search"),
		asked: {
			q: query.get("q") ?? "",
			types: listed(query.get("type")),
			tags: listed(query.get("tag")),
			since: query.get("since") ?? "",
			until: query.get("until") ?? ""
		},
		query
	};
}
/** The address of a search. */
function searchAt(database, asked) {
	return at("kg-studio", [database], told(asked));
}
/** A record's page; what was searched for stays beside it. */
function recordAt(database, id, asked = {}, edit = false) {
	return at("kg-studio", [
		database,
		"record",
		id
	], {
		...told(asked),
		edit: edit ? "1" : ""
	});
}
function newRecordAt(database) {
	return at("kg-studio", [database, "new"]);
}
function tabAt(database, tab, query = {}) {
	return at("kg-studio", [database], {
		...tab === "search" ? {} : { tab },
		...query
	});
}
function told({ q = "", types = [], tags = [], since = "", until = "" }) {
	return {
		q,
		type: types.join(","),
		tag: tags.join(","),
		since,
		until
	};
}
var listed = (value) => (value ?? "").split(",").map((each) => each.trim()).filter(Boolean);
/** Changes some of the query in place, without a step in the history. */
function change(values) {
	const { rest, query } = route.value;
	const next = Object.fromEntries(query);
	for (const [key, value] of Object.entries(values)) if (value === null) delete next[key];
	else next[key] = value;
	go(at("kg-studio", rest, next), true);
}
// src/pages/kg-studio/analytics-tab.tsx
var ROWS = 10;
function AnalyticsTab({ database, round }) {
	const found = useLoad((signal) => analytics(database, signal), [database, round]);
	return /* @__PURE__ */ a(Shown, {
		of: found,
		children: (data) => data.nodes ? /* @__PURE__ */ a(Numbers, {
			database,
			data
		}) : /* @__PURE__ */ a(Empty, {
			icon: "metrics",
			title: t("Nothing to analyse yet"),
			action: /* @__PURE__ */ a("a", {
				class: "button primary",
				href: tabAt(database, "ingest"),
				children: t("Add text")
			})
		})
	});
}
function Numbers({ database, data }) {
	const facts = [
		[
			t("Records"),
			number(data.nodes),
			t("nodes in the graph")
		],
		[
			t("Edges"),
			number(data.edges),
			t("{mean} per record on average", { mean: decimals(data.degree.mean, 1) })
		],
		[
			t("Density"),
			percent(data.density),
			t("of all possible edges")
		],
		[
			t("Components"),
			number(data.components.count),
			t("the largest has {largest} records", { largest: data.components.largest })
		],
		[
			t("Communities"),
			number(data.communities.count),
			data.communities.modularity > .3 ? t("well separated (modularity {value})", { value: decimals(data.communities.modularity, 2) }) : t("overlapping (modularity {value})", { value: decimals(data.communities.modularity, 2) })
		],
		[
			t("Isolated"),
			number(data.isolated.count),
			t("records without an edge")
		]
	];
	const ranked = (rows, shown) => rows.slice(0, ROWS).map((row) => ({
		key: row.id,
		href: recordAt(database, row.id),
		title: row.title || row.id,
		hint: row.type,
		value: row.value,
		shown: shown(row.value)
	}));
	const counts = (values, href) => Object.entries(values).slice(0, ROWS).map(([key, value]) => ({
		key,
		title: key.replaceAll("_", " "),
		value,
		shown: number(value),
		...href ? { href: href(key) } : {}
	}));
	return /* @__PURE__ */ a("div", {
		class: "stack",
		children: [
			/* @__PURE__ */ a("dl", {
				class: "kg-numbers",
				children: facts.map(([title, value, hint]) => /* @__PURE__ */ a("div", {
					class: "card",
					children: [
						/* @__PURE__ */ a("dt", { children: title }),
						/* @__PURE__ */ a("dd", {
							class: "number",
							children: value
						}),
						/* @__PURE__ */ a("dd", {
							class: "hint",
							children: hint
						})
					]
				}, title))
			}),
			/* @__PURE__ */ a("div", {
				class: "kg-bars",
				children: [
					/* @__PURE__ */ a(Bars, {
						title: "PageRank",
						hint: t("How likely a random walk along the edges ends here."),
						rows: ranked(data.pagerank, (value) => value.toFixed(4))
					}),
					/* @__PURE__ */ a(Bars, {
						title: t("Degree"),
						hint: t("How many edges a record has."),
						rows: ranked(data.degree.top, (value) => number(value))
					}),
					/* @__PURE__ */ a(Bars, {
						title: t("Betweenness"),
						rows: ranked(data.betweenness.top, (value) => value.toFixed(4)),
						hint: data.betweenness.sampled ? t("How often it lies on the shortest path between two others, estimated from {sampled} starting points.", { sampled: data.betweenness.sampled }) : t("How often it lies on the shortest path between two others.")
					}),
					/* @__PURE__ */ a(Bars, {
						title: t("Types"),
						hint: t("Records by type."),
						rows: counts(data.types, (type) => searchAt(database, { types: [type] }))
					}),
					/* @__PURE__ */ a(Bars, {
						title: t("Relations"),
						hint: t("Edges by relation."),
						rows: counts(data.relations)
					}),
					/* @__PURE__ */ a(Bars, {
						title: t("Components"),
						hint: t("Parts of the graph with no edge between them, by number of records."),
						rows: data.components.sizes.slice(0, ROWS).map((size, at) => ({
							key: String(at),
							title: t("Part {at}", { at: at + 1 }),
							value: size,
							shown: number(size)
						}))
					})
				]
			}),
			/* @__PURE__ */ a("section", {
				class: "card",
				"aria-label": t("Communities"),
				children: [
					/* @__PURE__ */ a("header", {
						class: "card-head",
						children: /* @__PURE__ */ a("h2", { children: t("Communities") })
					}),
					/* @__PURE__ */ a("p", {
						class: "hint",
						children: t("Groups with more edges inside than outside, named after their most central record.")
					}),
					/* @__PURE__ */ a("ul", {
						class: "kg-communities",
						children: data.communities.top.slice(0, 12).map((group) => /* @__PURE__ */ a("li", { children: [
							/* @__PURE__ */ a("h3", { children: [
								group.name,
								" ",
								/* @__PURE__ */ a("span", {
									class: "muted number",
									children: group.size
								})
							] }),
							/* @__PURE__ */ a("p", {
								class: "hint",
								children: Object.entries(group.types).map(([type, count]) => `${count} ${type}`).join(", ")
							}),
							/* @__PURE__ */ a("p", { children: [group.members.slice(0, 6).map((member, at) => /* @__PURE__ */ a($, { children: [at ? ", " : "", /* @__PURE__ */ a("a", {
								href: recordAt(database, member.id),
								children: member.title || member.id
							})] })), group.size > 6 ? "…" : ""] })
						] }, group.members[0]?.id ?? group.name))
					})
				]
			}),
			data.isolated.count ? /* @__PURE__ */ a("section", {
				class: "card",
				"aria-label": t("Without edges"),
				children: [/* @__PURE__ */ a("header", {
					class: "card-head",
					children: /* @__PURE__ */ a("h2", { children: t("Without edges") })
				}), /* @__PURE__ */ a("p", { children: [data.isolated.records.map((each, at) => /* @__PURE__ */ a($, { children: [at ? ", " : "", /* @__PURE__ */ a("a", {
					href: recordAt(database, each.id),
					children: each.title || each.id
				})] })), data.isolated.count > data.isolated.records.length ? `, ${t("and {count} more", { count: data.isolated.count - data.isolated.records.length })}` : ""] })]
			}) : null
		]
	});
}
/** A list with numbers, and a bar behind each that shows how they compare. */
function Bars({ title, hint, rows }) {
	const most = Math.max(...rows.map((row) => row.value), 1e-12);
	return /* @__PURE__ */ a("section", {
		class: "card",
		"aria-label": title,
		children: [
			/* @__PURE__ */ a("header", {
				class: "card-head",
				children: /* @__PURE__ */ a("h2", { children: title })
			}),
			/* @__PURE__ */ a("p", {
				class: "hint",
				children: hint
			}),
			rows.length ? /* @__PURE__ */ a("ol", {
				class: "kg-bar-list",
				children: rows.map((row) => /* @__PURE__ */ a("li", { children: [
					/* @__PURE__ */ a("span", {
						class: "kg-bar-back",
						style: { width: `${row.value / most * 100}%` }
					}),
					/* @__PURE__ */ a("span", {
						class: "kg-bar-title",
						children: [row.href ? /* @__PURE__ */ a("a", {
							href: row.href,
							children: row.title
						}) : row.title, row.hint ? /* @__PURE__ */ a("small", {
							class: "muted",
							children: [" ", row.hint]
						}) : null]
					}),
					/* @__PURE__ */ a("span", {
						class: "number",
						children: row.shown
					})
				] }, row.key))
			}) : /* @__PURE__ */ a("p", {
				class: "hint",
				children: t("None.")
			})
		]
	});
}
var decimals = (value, digits) => number(value, {
	minimumFractionDigits: digits,
	maximumFractionDigits: digits
});
var percent = (value) => number(value, {
	style: "percent",
	maximumSignificantDigits: 3
});
// src/pages/kg-studio/databases.tsx
/** The databases: which there are, a new one, and the end of one. */
/** More would push the search out of sight. */
var FIRST$2 = 8;
function Databases({ databases, chosen, onMade }) {
	const [making, make] = d(false);
	const [all, unfold] = d(false);
	const first = databases.slice(0, FIRST$2);
	const open = databases.find((each) => each.id === chosen);
	const shown = all ? databases : !open || first.includes(open) ? first : [...first.slice(0, -1), open];
	return /* @__PURE__ */ a("nav", {
		class: "kg-databases",
		"aria-label": t("Databases"),
		"data-tour": "kg-studio-databases",
		children: [/* @__PURE__ */ a("ul", { children: [
			shown.map((each) => /* @__PURE__ */ a("li", { children: /* @__PURE__ */ a("a", {
				class: "kg-database",
				href: tabAt(each.id, "search"),
				"aria-current": each.id === chosen ? "true" : void 0,
				children: [/* @__PURE__ */ a("strong", { children: each.title || each.id }), /* @__PURE__ */ a("small", {
					class: "number",
					title: each.updated ? t("Updated {ago}, {date}", {
						ago: since(each.updated),
						date: whole(each.updated)
					}) : "",
					children: [
						records(each.records),
						" · ",
						edges$1(each.edges)
					]
				})]
			}) }, each.id)),
			shown.length < databases.length ? /* @__PURE__ */ a("li", { children: /* @__PURE__ */ a("button", {
				type: "button",
				class: "kg-database kg-new",
				onClick: () => unfold(true),
				children: t("Show all {count}", { count: databases.length })
			}) }) : null,
			/* @__PURE__ */ a("li", { children: /* @__PURE__ */ a("button", {
				type: "button",
				class: "kg-database kg-new",
				onClick: () => make(true),
				children: [/* @__PURE__ */ a(Icon, { name: "plus" }), t("New database")]
			}) })
		] }), making ? /* @__PURE__ */ a(Make, {
			taken: databases.map((each) => each.id),
			onClose: () => make(false),
			onMade
		}) : null]
	});
}
var records = (count) => plural(count, "{count} record", "{count} records");
var edges$1 = (count) => plural(count, "{count} edge", "{count} edges");
var seconds = (iso) => Date.parse(/[zZ]|[+-]\d\d:?\d\d$/.test(iso) || !iso.includes("T") ? iso : `${iso}Z`) / 1e3;
var MONTHS = 3888e3;
var day = new Intl.DateTimeFormat(locale, { dateStyle: "medium" });
/** An ISO time in words; as it is written where it is none. */
function since(iso, now = Date.now() / 1e3) {
	const then = seconds(iso);
	if (Number.isNaN(then)) return iso;
	return Math.abs(now - then) < MONTHS ? ago(then, now) : day.format(then * 1e3);
}
var whole = (iso) => Number.isNaN(seconds(iso)) ? iso : fullTime(seconds(iso));
/** An id made of a title, as the server takes it. */
function idOf(title) {
	return title.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase().replace(/[^a-z0-9_-]+/g, "-").replace(/^[-_]+|-+$/g, "").slice(0, 64);
}
function Make({ taken, onClose, onMade }) {
	const [title, setTitle] = d("");
	const [own, setOwn] = d(null);
	const [description, describe] = d("");
	const [problem, fail] = d(null);
	const [busy, work] = d(false);
	const id = own ?? idOf(title);
	const wrong = !id ? null : taken.includes(id) ? t("A database with this ID already exists.") : /^[a-z0-9][a-z0-9_-]{0,63}$/.test(id) ? null : t("Lowercase letters, digits, - and _, at most 64 characters.");
	const submit = async (event) => {
		event.preventDefault();
		work(true);
		fail(null);
		try {
			await makeDatabase({
				id,
				title: title.trim(),
				description: description.trim()
			});
			onMade();
			toast(t("Database {title} created. Add something to it.", { title: title.trim() || id }), { kind: "good" });
			onClose();
			go(tabAt(id, "ingest"));
		} catch (error) {
			fail(error);
		}
		work(false);
	};
	return /* @__PURE__ */ a(Dialog, {
		title: t("New database"),
		onClose,
		children: /* @__PURE__ */ a("form", {
			class: "stack",
			onSubmit: submit,
			children: [
				problem ? /* @__PURE__ */ a(Problem, { error: problem }) : null,
				/* @__PURE__ */ a(Field, {
					label: t("Title"),
					children: (field) => /* @__PURE__ */ a("input", {
						...field,
						autofocus: true,
						value: title,
						maxLength: 1e3,
						required: true,
						onInput: (event) => setTitle(event.currentTarget.value)
					})
				}),
				/* @__PURE__ */ a(Field, {
					label: t("ID"),
					hint: t("Used by tools and addresses. It cannot be changed later."),
					error: wrong,
					children: (field) => /* @__PURE__ */ a("input", {
						...field,
						value: id,
						required: true,
						onInput: (event) => setOwn(event.currentTarget.value)
					})
				}),
				/* @__PURE__ */ a(Field, {
					label: t("Description"),
					children: (field) => /* @__PURE__ */ a("textarea", {
						...field,
						rows: 2,
						value: description,
						onInput: (event) => describe(event.currentTarget.value)
					})
				}),
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
							type: "submit",
							busy,
							disabled: !id || wrong !== null,
							children: t("Create")
						})
					]
				})
			]
		})
	});
}
/** Nothing brings a database back, so its id has to be typed. */
function Unmake({ database, onClose, onGone }) {
	const [typed, type] = d("");
	const [problem, fail] = d(null);
	const [busy, work] = d(false);
	const submit = async (event) => {
		event.preventDefault();
		if (typed !== database.id) return;
		work(true);
		try {
			await deleteDatabase(database.id);
			toast(t("Database {title} deleted.", { title: database.title || database.id }));
			onGone();
		} catch (error) {
			fail(said(error));
			work(false);
		}
	};
	return /* @__PURE__ */ a(Dialog, {
		title: t("Delete {title}?", { title: database.title || database.id }),
		onClose,
		children: /* @__PURE__ */ a("form", {
			class: "stack",
			onSubmit: submit,
			children: [
				problem ? /* @__PURE__ */ a(Problem, { error: problem }) : null,
				/* @__PURE__ */ a("p", { children: rich("This deletes {records} and {edges} and cannot be undone. If you are not sure, {export}.", {
					records: records(database.records),
					edges: edges$1(database.edges),
					export: /* @__PURE__ */ a("a", {
						href: exportPath(database.id),
						download: `${database.id}.jsonl`,
						children: t("export it first")
					})
				}) }),
				/* @__PURE__ */ a(Field, {
					label: t("Type {id} to confirm", { id: database.id }),
					children: (field) => /* @__PURE__ */ a("input", {
						...field,
						autofocus: true,
						autocomplete: "off",
						value: typed,
						onInput: (event) => type(event.currentTarget.value)
					})
				}),
				/* @__PURE__ */ a("div", {
					class: "row",
					children: [
						/* @__PURE__ */ a("span", { class: "spring" }),
						/* @__PURE__ */ a(Button, {
							onClick: onClose,
							children: t("Cancel")
						}),
						/* @__PURE__ */ a(Button, {
							kind: "danger",
							type: "submit",
							icon: "trash",
							busy,
							disabled: typed !== database.id,
							children: t("Delete permanently")
						})
					]
				})
			]
		})
	});
}
// src/pages/kg-studio/editor.tsx
/** A record is written. What does not fit is said at its field, before and after it is sent. */
var NEW = {
	id: "",
	type: "",
	title: "",
	text: "",
	tags: "",
	url: "",
	source_type: "console",
	last_updated: "",
	metadata: "{}"
};
function drafted(record) {
	return {
		...record,
		tags: record.tags.join(", "),
		last_updated: "",
		metadata: JSON.stringify(record.metadata, null, 2)
	};
}
/** The record that a draft stands for, or what is wrong with it. */
function readDraft(draft, now = /* @__PURE__ */ new Date()) {
	const wrong = {};
	const line = (name) => {
		if (!draft[name].trim()) wrong[name] = t("This field is required.");
		else if (/[\p{Cc}\u2028\u2029]/u.test(draft[name])) wrong[name] = t("Enter a single line.");
	};
	line("id");
	line("type");
	if (draft.id.length > 200) wrong.id = t("At most 200 characters.");
	if (draft.last_updated && Number.isNaN(Date.parse(draft.last_updated))) wrong.last_updated = t("Enter a date such as 2026-03-01 or a time such as 2026-03-01T09:30:00Z.");
	let metadata = {};
	try {
		metadata = JSON.parse(draft.metadata.trim() || "{}");
		if (metadata === null || typeof metadata !== "object" || Array.isArray(metadata)) wrong.metadata = t("Enter a JSON object, such as {\"status\": \"active\"}.");
	} catch (error) {
		wrong.metadata = t("This is not valid JSON: {message}", { message: error.message });
	}
	if (Object.keys(wrong).length) return { wrong };
	const tags = [...new Set(draft.tags.split(",").map((tag) => tag.trim()).filter(Boolean))];
	const last_updated = draft.last_updated.trim() || `${now.toISOString().slice(0, 19)}Z`;
	return { record: {
		id: draft.id.trim(),
		type: draft.type.trim(),
		title: draft.title.trim(),
		url: draft.url.trim(),
		source_type: draft.source_type.trim(),
		text: draft.text,
		tags,
		last_updated,
		metadata
	} };
}
/** Words of the server that are about one field. */
function fieldsOf(error) {
	if (error instanceof ApiError && error.status === 412) return { id: "There is a record with this id. Open it to change it, or choose another." };
	const body = error instanceof ApiError ? error.body : null;
	const found = {};
	for (const { name = "", message = "" } of body?.errors ?? []) {
		const field = name.split(".")[0];
		if (field in NEW) found[field] = message;
	}
	return found;
}
function Editor({ database, record, onDone, onCancel }) {
	const [draft, set] = d(record ? drafted(record) : NEW);
	const [wrong, blame] = d({});
	const [problem, fail] = d(null);
	const [busy, work] = d(false);
	const ownId = T(false);
	const form = T(null);
	const write = (name) => (event) => {
		const next = {
			...draft,
			[name]: event.currentTarget.value
		};
		if (name === "id") ownId.current = true;
		else if (!record && !ownId.current) next.id = suggested(next);
		set(next);
	};
	const submit = async (event) => {
		event.preventDefault();
		const read = readDraft(draft);
		fail(null);
		if ("wrong" in read) return show(read.wrong);
		blame({});
		work(true);
		try {
			await writeRecord(database, read.record, record === null);
			toast(t("{title} saved.", { title: read.record.title || read.record.id }), { kind: "good" });
			onDone(read.record.id);
		} catch (error) {
			const about = fieldsOf(error);
			if (Object.keys(about).length) show(about);
			else fail(error);
		}
		work(false);
	};
	const show = (found) => {
		blame(found);
		requestAnimationFrame(() => form.current?.querySelector("[aria-invalid]")?.focus());
	};
	return /* @__PURE__ */ a("form", {
		class: "stack",
		ref: form,
		onSubmit: submit,
		noValidate: true,
		"aria-label": record ? t("Edit {title}", { title: record.title || record.id }) : t("New record"),
		onKeyDown: (event) => {
			if ((event.ctrlKey || event.metaKey) && event.key === "Enter") submit(event);
		},
		children: [
			/* @__PURE__ */ a("h2", { children: record ? t("Edit {title}", { title: record.title || record.id }) : t("New record") }),
			problem ? /* @__PURE__ */ a(Problem, { error: problem }) : null,
			/* @__PURE__ */ a("div", {
				class: "kg-two",
				children: [/* @__PURE__ */ a(Field, {
					label: t("Type"),
					error: wrong.type,
					hint: t("What it is: person, project, document…"),
					children: (field) => /* @__PURE__ */ a("input", {
						...field,
						value: draft.type,
						maxLength: 100,
						onInput: write("type"),
						autofocus: !record
					})
				}), /* @__PURE__ */ a(Field, {
					label: t("Title"),
					error: wrong.title,
					children: (field) => /* @__PURE__ */ a("input", {
						...field,
						value: draft.title,
						maxLength: 1e3,
						onInput: write("title"),
						autofocus: !!record
					})
				})]
			}),
			/* @__PURE__ */ a(Field, {
				label: t("ID"),
				error: wrong.id,
				hint: record ? t("It cannot be changed: edges and links use it.") : t("Unique in this database."),
				children: (field) => /* @__PURE__ */ a("input", {
					...field,
					value: draft.id,
					readOnly: !!record,
					maxLength: 200,
					onInput: write("id")
				})
			}),
			/* @__PURE__ */ a(Field, {
				label: t("Text"),
				error: wrong.text,
				children: (field) => /* @__PURE__ */ a("textarea", {
					...field,
					rows: 8,
					value: draft.text,
					onInput: write("text")
				})
			}),
			/* @__PURE__ */ a("div", {
				class: "kg-two",
				children: [
					/* @__PURE__ */ a(Field, {
						label: t("Tags"),
						error: wrong.tags,
						hint: t("Separated by commas."),
						children: (field) => /* @__PURE__ */ a("input", {
							...field,
							value: draft.tags,
							onInput: write("tags")
						})
					}),
					/* @__PURE__ */ a(Field, {
						label: t("Address"),
						error: wrong.url,
						children: (field) => /* @__PURE__ */ a("input", {
							...field,
							type: "url",
							value: draft.url,
							placeholder: "https://",
							onInput: write("url")
						})
					}),
					/* @__PURE__ */ a(Field, {
						label: t("Source"),
						error: wrong.source_type,
						hint: t("Kind of source: wiki, web, mail…"),
						children: (field) => /* @__PURE__ */ a("input", {
							...field,
							value: draft.source_type,
							maxLength: 100,
							onInput: write("source_type")
						})
					}),
					/* @__PURE__ */ a(Field, {
						label: t("Updated"),
						error: wrong.last_updated,
						hint: record?.last_updated ? t("Leave empty for now. It was {last_updated}.", { last_updated: record.last_updated }) : t("Leave empty for the current time."),
						children: (field) => /* @__PURE__ */ a("input", {
							...field,
							value: draft.last_updated,
							placeholder: "2026-03-01",
							onInput: write("last_updated")
						})
					})
				]
			}),
			/* @__PURE__ */ a(Field, {
				label: t("Metadata"),
				error: wrong.metadata,
				hint: t("Any JSON object."),
				children: (field) => /* @__PURE__ */ a("textarea", {
					...field,
					class: "kg-code",
					rows: 4,
					spellcheck: false,
					value: draft.metadata,
					onInput: write("metadata")
				})
			}),
			/* @__PURE__ */ a("div", {
				class: "row",
				children: [/* @__PURE__ */ a(Button, {
					kind: "primary",
					type: "submit",
					icon: "check",
					busy,
					children: t("Save")
				}), /* @__PURE__ */ a(Button, {
					onClick: onCancel,
					children: t("Cancel")
				})]
			})
		]
	});
}
var suggested = ({ type, title }) => type.trim() && title.trim() ? `${idOf(type)}:${idOf(title).replaceAll("-", "_")}` : "";
// src/ui/graph/communities.ts
/** Groups of nodes that are closer to each other than to the rest, and the outlines around them. */
var ROUNDS = 12;
/**
* The group of each node, by the number of a node in it: each takes the group that most of its neighbours have, until
* nothing changes. The same graph has the same groups.
*/
function communities(count, links) {
	const around = Array.from({ length: count }, () => []);
	for (let at = 0; at < links.length; at += 2) {
		const [from, to] = [links[at], links[at + 1]];
		if (from === to) continue;
		around[from].push(to);
		around[to].push(from);
	}
	const group = Int32Array.from({ length: count }, (_, at) => at);
	const order = [...group].sort((one, two) => around[one].length - around[two].length || one - two);
	for (let round = 0; round < ROUNDS; round++) {
		let changed = false;
		for (const node of order) {
			const votes = /* @__PURE__ */ new Map();
			for (const other of around[node]) votes.set(group[other], (votes.get(group[other]) ?? 0) + 1 / Math.sqrt(around[other].length));
			let [best, most] = [group[node], (votes.get(group[node]) ?? 0) + 1e-9];
			for (const [one, weight] of votes) if (weight > most + 1e-9 || weight > most - 1e-9 && one < best) [best, most] = [one, weight];
			if (best !== group[node]) changed = true;
			group[node] = best;
		}
		if (!changed) break;
	}
	return group;
}
/** The members of each group that is large enough to be seen as one, the largest first. */
function members(group) {
	const found = /* @__PURE__ */ new Map();
	group.forEach((one, node) => (found.get(one) ?? found.set(one, []).get(one)).push(node));
	return [...found.values()].filter((those) => those.length >= 4).sort((one, two) => two.length - one.length);
}
/** The convex outline of some points: `places` has x and y of all nodes. */
function hull(places, nodes) {
	const points = nodes.map((node) => [places[node * 2], places[node * 2 + 1]]).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
	if (points.length < 3) return points;
	const half = (those) => {
		const line = [];
		for (const point of those) {
			while (line.length > 1 && turn(line.at(-2), line.at(-1), point) <= 0) line.pop();
			line.push(point);
		}
		return line.slice(0, -1);
	};
	return [...half(points), ...half(points.toReversed())];
}
var turn = (a, b, c) => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
// src/ui/graph/model.ts
/** The part of a knowledge graph that is on the screen: nodes, the edges among them, positions. */
/** More cannot be taken in at once, by a person or by the layout. */
var MOST_NODES = 1e3;
var name = (node) => node.title || node.id;
var edgeKey = (edge) => JSON.stringify([
	edge.source,
	edge.relation,
	edge.target
]);
var GraphModel = class GraphModel {
	nodes = [];
	edges = [];
	/** x and y of each node, in the order of `nodes`. */
	positions = /* @__PURE__ */ new Float32Array(0);
	#index = /* @__PURE__ */ new Map();
	#edges = /* @__PURE__ */ new Set();
	#around = /* @__PURE__ */ new Map();
	#links = null;
	#order = null;
	#groups = null;
	indexOf(id) {
		return this.#index.get(id) ?? -1;
	}
	node(id) {
		const at = this.indexOf(id);
		return at < 0 ? void 0 : this.nodes[at];
	}
	/** The shown edges at a node. */
	edgesAt(id) {
		return this.#around.get(id) ?? [];
	}
	/** How many edges of a node lead to what is not shown. */
	hidden(id) {
		return Math.max(0, (this.node(id)?.degree ?? 0) - this.edgesAt(id).length);
	}
	/**
	* Takes in what came from the server, as far as there is room; new nodes begin near the shown
	* node `from`. Answers how many nodes were added and how many had to stay out.
	*/
	add(piece, from) {
		this.#links = this.#order = this.#groups = null;
		const fresh = piece.nodes.filter((node) => !this.#index.has(node.id));
		for (const node of piece.nodes) {
			const at = this.indexOf(node.id);
			if (at >= 0) this.nodes[at] = node;
		}
		const taken = fresh.slice(0, MOST_NODES - this.nodes.length);
		const first = this.nodes.length;
		for (const node of taken) {
			this.#index.set(node.id, this.nodes.length);
			this.nodes.push(node);
		}
		for (const edge of piece.edges) this.#addEdge(edge);
		this.#place(first, from === void 0 ? -1 : this.indexOf(from));
		return {
			added: taken.length,
			left: fresh.length - taken.length
		};
	}
	#addEdge(edge) {
		const key = edgeKey(edge);
		if (this.#edges.has(key) || !this.#index.has(edge.source) || !this.#index.has(edge.target)) return;
		this.#edges.add(key);
		this.edges.push(edge);
		for (const end of [edge.source, edge.target]) {
			const those = this.#around.get(end);
			if (those) those.push(edge);
			else this.#around.set(end, [edge]);
		}
	}
	/** On a spiral, so that no two begin at the same spot, and the same every time. */
	#place(first, from) {
		const before = this.positions;
		const grown = new Float32Array(this.nodes.length * 2);
		grown.set(before);
		const [x, y] = from < 0 ? [0, 0] : [before[from * 2] ?? 0, before[from * 2 + 1] ?? 0];
		for (let at = first; at < this.nodes.length; at++) {
			const step = at - first + 1;
			const radius = (from < 0 ? 14 : 24) * Math.sqrt(step);
			grown[at * 2] = x + radius * Math.cos(step * 2.4);
			grown[at * 2 + 1] = y + radius * Math.sin(step * 2.4);
		}
		this.positions = grown;
	}
	/** A graph without one node and its edges; the others stay where they are. */
	without(id) {
		const left = new GraphModel();
		const kept = this.nodes.filter((node) => node.id !== id);
		left.add({
			nodes: kept,
			edges: this.edges
		});
		kept.forEach((node, at) => {
			const was = this.indexOf(node.id);
			left.positions[at * 2] = this.positions[was * 2];
			left.positions[at * 2 + 1] = this.positions[was * 2 + 1];
		});
		return left;
	}
	/** The numbers of nodes, those with most edges first. */
	byDegree() {
		this.#order ??= this.nodes.map((_, at) => at).sort((a, b) => this.nodes[b].degree - this.nodes[a].degree || a - b);
		return this.#order;
	}
	/** Numbers of nodes that belong together, the largest group first. */
	groups() {
		return this.#groups ??= members(communities(this.nodes.length, this.links()));
	}
	/** The ends of each edge as numbers of nodes, two by two. */
	links() {
		if (this.#links) return this.#links;
		const ends = new Uint32Array(this.edges.length * 2);
		this.edges.forEach((edge, at) => {
			ends[at * 2] = this.#index.get(edge.source);
			ends[at * 2 + 1] = this.#index.get(edge.target);
		});
		return this.#links = ends;
	}
};
function radius(node) {
	return Math.min(15, 5 + 1.6 * Math.sqrt(node.degree));
}
var FARTHEST = .05;
function toScreen(view, size, x, y) {
	return {
		x: (x - view.x) * view.scale + size.width / 2,
		y: (y - view.y) * view.scale + size.height / 2
	};
}
function toGraph(view, size, x, y) {
	return {
		x: (x - size.width / 2) / view.scale + view.x,
		y: (y - size.height / 2) / view.scale + view.y
	};
}
/** By so many pixels of the screen. */
function panned(view, dx, dy) {
	return {
		...view,
		x: view.x - dx / view.scale,
		y: view.y - dy / view.scale
	};
}
/** Nearer or farther, while what is under `at` stays there. */
function zoomed(view, size, factor, at) {
	const scale = Math.min(4, Math.max(FARTHEST, view.scale * factor));
	const point = at ?? {
		x: size.width / 2,
		y: size.height / 2
	};
	const fixed = toGraph(view, size, point.x, point.y);
	const now = toGraph({
		...view,
		scale
	}, size, point.x, point.y);
	return {
		scale,
		x: view.x + fixed.x - now.x,
		y: view.y + fixed.y - now.y
	};
}
/** Everything in sight. */
function fitted(positions, size, margin = 48) {
	if (!positions.length) return {
		x: 0,
		y: 0,
		scale: 1
	};
	let [left, top, right, bottom] = [
		Infinity,
		Infinity,
		-Infinity,
		-Infinity
	];
	for (let at = 0; at < positions.length; at += 2) {
		left = Math.min(left, positions[at]);
		right = Math.max(right, positions[at]);
		top = Math.min(top, positions[at + 1]);
		bottom = Math.max(bottom, positions[at + 1]);
	}
	const scale = Math.min(1.2, Math.max(1, size.width - 2 * margin) / Math.max(1, right - left), Math.max(1, size.height - 2 * margin) / Math.max(1, bottom - top));
	return {
		x: (left + right) / 2,
		y: (top + bottom) / 2,
		scale: Math.max(FARTHEST, scale)
	};
}
/** The node nearest to a point, if it is no farther than `reach`; -1: none. */
function nearest(positions, at, reach) {
	let [best, least] = [-1, reach * reach];
	for (let node = 0; node * 2 < positions.length; node++) {
		const dx = positions[node * 2] - at.x;
		const dy = positions[node * 2 + 1] - at.y;
		const distance = dx * dx + dy * dy;
		if (distance <= least) [best, least] = [node, distance];
	}
	return best;
}
/** The next node that way from another: near, and rather straight ahead than aside. -1: none. */
function towards(positions, from, dx, dy) {
	let [best, least] = [-1, Infinity];
	const x = positions[from * 2];
	const y = positions[from * 2 + 1];
	for (let node = 0; node * 2 < positions.length; node++) {
		const ax = positions[node * 2] - x;
		const ay = positions[node * 2 + 1] - y;
		const ahead = ax * dx + ay * dy;
		if (node === from || ahead <= 0) continue;
		const aside = Math.abs(ax * dy - ay * dx);
		if (aside > ahead * 1.5) continue;
		const cost = ahead + aside * 2;
		if (cost < least) [best, least] = [node, cost];
	}
	return best;
}
// src/ui/graph/pointer.ts
/** A press that moves less than this is a click. */
var STILL = {
	mouse: 4,
	touch: 9
};
/** Listens on the canvas; the answer takes it back. */
function pointing(canvas, stage, { onClick, onOpen }) {
	const down = /* @__PURE__ */ new Map();
	let start = {
		x: 0,
		y: 0
	};
	let grabbed = -1;
	let moved = false;
	const place = (event) => {
		const box = canvas.getBoundingClientRect();
		return {
			x: event.clientX - box.left,
			y: event.clientY - box.top
		};
	};
	const how = (event) => event.pointerType === "touch" ? "touch" : "mouse";
	const press = (event) => {
		if (event.button > 0) return;
		canvas.setPointerCapture(event.pointerId);
		const at = place(event);
		down.set(event.pointerId, at);
		if (down.size > 1) {
			letGo();
			moved = true;
			return;
		}
		start = at;
		moved = false;
		grabbed = stage.at(at, how(event));
	};
	const move = (event) => {
		const at = place(event);
		const before = down.get(event.pointerId);
		if (!before) {
			const over = event.pointerType === "mouse" ? stage.at(at, "mouse") : -1;
			if (over !== stage.hovered) {
				stage.hovered = over;
				canvas.style.cursor = over < 0 ? "" : "pointer";
				stage.draw();
			}
			return;
		}
		if (down.size > 1) pinch(event.pointerId, before, at);
		else if (moved || Math.hypot(at.x - start.x, at.y - start.y) > STILL[how(event)]) {
			moved = true;
			if (grabbed >= 0) {
				stage.following = false;
				stage.hold(grabbed, toGraph(stage.view, stage.size, at.x, at.y));
			} else stage.look(panned(stage.view, at.x - before.x, at.y - before.y));
		}
		down.set(event.pointerId, at);
	};
	const pinch = (id, before, at) => {
		const other = [...down].find(([each]) => each !== id)[1];
		const [was, now] = [distance(before, other), distance(at, other)];
		const centre = {
			x: (at.x + other.x) / 2,
			y: (at.y + other.y) / 2
		};
		const slid = panned(stage.view, (at.x - before.x) / 2, (at.y - before.y) / 2);
		stage.look(zoomed(slid, stage.size, was > 0 ? now / was : 1, centre));
	};
	const lift = (event) => {
		if (!down.delete(event.pointerId)) return;
		if (!moved && event.type === "pointerup") onClick(grabbed);
		letGo();
	};
	const letGo = () => {
		if (grabbed >= 0 && moved) stage.pin(grabbed);
		grabbed = -1;
	};
	const leave = () => {
		if (stage.hovered < 0) return;
		stage.hovered = -1;
		stage.draw();
	};
	const wheel = (event) => {
		event.preventDefault();
		const step = event.deltaMode === 1 ? event.deltaY * 16 : event.deltaY;
		stage.look(zoomed(stage.view, stage.size, Math.exp(-step * (event.ctrlKey ? .01 : .0015)), place(event)));
	};
	const twice = (event) => {
		const node = stage.at(place(event), "mouse");
		if (node >= 0) onOpen(node);
	};
	const listeners = [
		["pointerdown", press],
		["pointermove", move],
		["pointerup", lift],
		["pointercancel", lift],
		["pointerleave", leave],
		["wheel", wheel],
		["dblclick", twice]
	];
	for (const [type, listener] of listeners) canvas.addEventListener(type, listener, { passive: false });
	return () => {
		for (const [type, listener] of listeners) canvas.removeEventListener(type, listener);
	};
}
var distance = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);
// src/ui/graph/paint.ts
/** Draws a graph on a canvas. Everything of one colour is one path: a thousand nodes in a frame. */
var LABELS_MOVING = 14;
/** The nearer one looks, the more names there are; from afar only those of the best connected. */
var LABELS_STILL = [
	[.45, 10],
	[.7, 24],
	[.95, 45]
];
var LABELS_NEAR = 70;
var EDGE_LABELS = 24;
var LONGEST = 26;
/** The colours in force, from the style sheet. */
function lookOf(element) {
	const style = getComputedStyle(element);
	const value = (name) => style.getPropertyValue(name).trim();
	return {
		text: value("--text"),
		muted: value("--muted"),
		ground: value("--surface"),
		line: value("--line-strong"),
		accent: value("--accent"),
		font: style.fontFamily,
		types: Array.from({ length: 8 }, (_, at) => value(`--kind-${at}`))
	};
}
function paint(context, scene) {
	const { size, density, look } = scene;
	context.setTransform(density, 0, 0, density, 0, 0);
	context.fillStyle = look.ground;
	context.fillRect(0, 0, size.width, size.height);
	const places = screenPlaces(scene);
	const lit = neighbours(scene);
	if (scene.grouped) outlines(context, scene, places);
	const told = edges(context, scene, places, lit);
	nodes(context, scene, places, lit);
	const taken = labels(context, scene, places, lit);
	if (!scene.moving) relations(context, look, told, taken);
}
/** A soft ground under each group, in the colour of most of its nodes. */
function outlines(context, { model, look }, places) {
	const groups = model.groups();
	if (groups.length < 2) return;
	context.lineJoin = "round";
	for (const nodes of groups) {
		const counts = /* @__PURE__ */ new Map();
		for (const node of nodes) {
			const { colour } = kindOf(model.nodes[node].type);
			counts.set(colour, (counts.get(colour) ?? 0) + 1);
		}
		const [colour] = [...counts].reduce((best, each) => each[1] > best[1] ? each : best);
		const path = new Path2D();
		for (const [x, y] of hull(places, nodes)) path.lineTo(x, y);
		path.closePath();
		context.globalAlpha = .06;
		context.fillStyle = context.strokeStyle = look.types[colour];
		context.lineWidth = 44;
		context.fill(path);
		context.stroke(path);
	}
	context.globalAlpha = 1;
}
function free([left, top, right, bottom], taken) {
	return taken.every((other) => right < other[0] || left > other[2] || bottom < other[1] || top > other[3]);
}
function screenPlaces({ model, view, size }) {
	const { positions } = model;
	const places = new Float32Array(positions.length);
	for (let at = 0; at < positions.length; at += 2) {
		places[at] = (positions[at] - view.x) * view.scale + size.width / 2;
		places[at + 1] = (positions[at + 1] - view.y) * view.scale + size.height / 2;
	}
	return places;
}
/** The chosen node and those at its edges; null: nothing is chosen, all are alike. */
function neighbours({ model, selected, hovered }) {
	const centre = selected >= 0 ? selected : hovered;
	const node = model.nodes[centre];
	if (!node) return null;
	const found = /* @__PURE__ */ new Set([centre]);
	for (const edge of model.edgesAt(node.id)) found.add(model.indexOf(edge.source)).add(model.indexOf(edge.target));
	return found;
}
function edges(context, scene, places, lit) {
	const { model, size, look } = scene;
	const links = model.links();
	const centre = scene.selected >= 0 ? scene.selected : scene.hovered;
	const near = [];
	context.beginPath();
	for (let at = 0; at < links.length; at += 2) {
		const from = links[at];
		const to = links[at + 1];
		if (lit && (from === centre || to === centre)) {
			near.push(at / 2);
			continue;
		}
		const [x1, y1, x2, y2] = [
			places[from * 2],
			places[from * 2 + 1],
			places[to * 2],
			places[to * 2 + 1]
		];
		if (Math.max(x1, x2) < 0 || Math.min(x1, x2) > size.width || Math.max(y1, y2) < 0 || Math.min(y1, y2) > size.height) continue;
		context.moveTo(x1, y1);
		context.lineTo(x2, y2);
	}
	context.strokeStyle = look.line;
	context.globalAlpha = lit ? .35 : model.nodes.length > 60 ? .6 : 1;
	context.lineWidth = 1;
	context.stroke();
	context.globalAlpha = 1;
	return near.length ? arrows(context, scene, places, near) : [];
}
/** The edges at the chosen node, with their direction. */
function arrows(context, scene, places, near) {
	const { model, look, view } = scene;
	const told = /* @__PURE__ */ new Map();
	context.strokeStyle = context.fillStyle = look.accent;
	context.lineWidth = 1.5;
	context.beginPath();
	const heads = new Path2D();
	for (const at of near) {
		const edge = model.edges[at];
		const [from, to] = [model.indexOf(edge.source), model.indexOf(edge.target)];
		const [x1, y1, x2, y2] = [
			places[from * 2],
			places[from * 2 + 1],
			places[to * 2],
			places[to * 2 + 1]
		];
		context.moveTo(x1, y1);
		context.lineTo(x2, y2);
		const length = Math.hypot(x2 - x1, y2 - y1) || 1;
		const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
		const back = radius(model.nodes[to]) * Math.min(1.4, view.scale) + 2;
		const [tx, ty] = [x2 - dx * back, y2 - dy * back];
		heads.moveTo(tx, ty);
		heads.lineTo(tx - dx * 8 - dy * 4, ty - dy * 8 + dx * 4);
		heads.lineTo(tx - dx * 8 + dy * 4, ty - dy * 8 - dx * 4);
		const pair = from < to ? `${from} ${to}` : `${to} ${from}`;
		const before = told.get(pair);
		const says = edge.relation.replaceAll("_", " ");
		told.set(pair, {
			x: (x1 + x2) / 2,
			y: (y1 + y2) / 2,
			length,
			says: before ? `${before.says}, ${says}` : says
		});
	}
	context.stroke();
	context.fill(heads);
	return [...told.values()];
}
/** What the edges at the chosen node say, where there is room for it. */
function relations(context, look, told, taken) {
	context.font = `11px ${look.font}`;
	for (const { x, y, length, says } of told.slice(0, EDGE_LABELS)) {
		const half = says.length * 3 + 2;
		const box = [
			x - half,
			y - 7,
			x + half,
			y + 7
		];
		if (length < 2 * half + 24 || !free(box, taken)) continue;
		taken.push(box);
		written$1(context, look, says, x, y + 4, look.muted);
	}
}
function nodes(context, scene, places, lit) {
	const { model, size, look, view, pale } = scene;
	const paths = /* @__PURE__ */ new Map();
	const rings = new Path2D();
	const scale = Math.min(1.4, Math.max(.35, view.scale));
	model.nodes.forEach((node, at) => {
		const [x, y, r] = [
			places[at * 2],
			places[at * 2 + 1],
			radius(node) * scale
		];
		if (x < -r || y < -r || x > size.width + r || y > size.height + r) return;
		const faint = lit && !lit.has(at) || pale.has(node.type);
		const { colour, shape: form } = kindOf(node.type);
		const key = `${colour} ${faint ? 1 : 0}`;
		let path = paths.get(key);
		if (!path) paths.set(key, path = new Path2D());
		shape(path, form, x, y, r);
		if (!faint && node.degree > model.edgesAt(node.id).length) {
			rings.moveTo(x + r + 3, y);
			rings.arc(x, y, r + 3, 0, 2 * Math.PI);
		}
	});
	context.lineWidth = 1;
	context.strokeStyle = look.ground;
	for (const [key, path] of paths) {
		const [colour, faint] = key.split(" ").map(Number);
		context.globalAlpha = faint ? .25 : 1;
		context.fillStyle = look.types[colour];
		context.fill(path);
		context.stroke(path);
	}
	context.globalAlpha = .7;
	context.strokeStyle = look.muted;
	context.stroke(rings);
	context.globalAlpha = 1;
	for (const [at, width] of [[scene.hovered, 1.5], [scene.selected, 3]]) {
		const node = model.nodes[at];
		if (!node) continue;
		context.beginPath();
		context.arc(places[at * 2], places[at * 2 + 1], radius(node) * scale + 5, 0, 2 * Math.PI);
		context.strokeStyle = look.accent;
		context.lineWidth = width;
		context.stroke();
	}
}
/** Circle, square, diamond, triangle: types can be told apart without colours. */
function shape(path, kind, x, y, r) {
	if (kind === 0) {
		path.moveTo(x + r, y);
		path.arc(x, y, r, 0, 2 * Math.PI);
	} else if (kind === 1) path.rect(x - r * .88, y - r * .88, r * 1.76, r * 1.76);
	else if (kind === 2) {
		path.moveTo(x, y - r * 1.2);
		path.lineTo(x + r * 1.2, y);
		path.lineTo(x, y + r * 1.2);
		path.lineTo(x - r * 1.2, y);
		path.closePath();
	} else {
		path.moveTo(x, y - r * 1.2);
		path.lineTo(x + r * 1.15, y + r * .8);
		path.lineTo(x - r * 1.15, y + r * .8);
		path.closePath();
	}
}
/** Names, the most important first, each where no other is. */
function labels(context, scene, places, lit) {
	const { model, size, look, view } = scene;
	const order = model.byDegree();
	const first = [scene.selected, scene.hovered].filter((at) => at >= 0);
	const wanted = lit ? [
		...first,
		...lit,
		...order
	] : order;
	const most = scene.moving ? LABELS_MOVING : LABELS_STILL.find(([scale]) => view.scale < scale)?.[1] ?? LABELS_NEAR;
	const taken = [];
	const done = /* @__PURE__ */ new Set();
	const scale = Math.min(1.4, Math.max(.35, view.scale));
	context.textAlign = "center";
	context.font = `12px ${look.font}`;
	for (const at of wanted) {
		if (done.size >= most) break;
		const node = model.nodes[at];
		if (!node || done.has(at) || lit && !lit.has(at) || scene.pale.has(node.type)) continue;
		const [x, y] = [places[at * 2], places[at * 2 + 1] + radius(node) * scale + 14];
		if (x < 0 || y < 0 || x > size.width || y > size.height + 14) continue;
		const text = short(name(node));
		const half = widthOf(context, text) / 2 + 4;
		const box = [
			x - half,
			y - 12,
			x + half,
			y + 4
		];
		if (!first.includes(at) && !free(box, taken)) continue;
		taken.push(box);
		done.add(at);
		written$1(context, look, text, x, y, look.text);
	}
	return taken;
}
var widths = /* @__PURE__ */ new Map();
function widthOf(context, text) {
	let width = widths.get(text);
	if (width === void 0) {
		if (widths.size > 5e3) widths.clear();
		widths.set(text, width = context.measureText(text).width);
	}
	return width;
}
function written$1(context, look, text, x, y, colour) {
	context.strokeStyle = look.ground;
	context.lineWidth = 3;
	context.lineJoin = "round";
	context.strokeText(text, x, y);
	context.fillStyle = colour;
	context.fillText(text, x, y);
}
function short(text) {
	return text.length > LONGEST ? `${text.slice(0, 25).trimEnd()}…` : text;
}
// src/ui/graph/stage.ts
/** The canvas at work: it asks for the layout, and draws when something has changed, never else. */
/** How far beside a node a pointer still means it, in pixels. */
var REACH = {
	mouse: 6,
	touch: 14
};
var MANY = 300;
var SETTLED_MS = 120;
var Stage = class {
	model;
	view = {
		x: 0,
		y: 0,
		scale: 1
	};
	size = {
		width: 0,
		height: 0
	};
	selected = -1;
	hovered = -1;
	pale = /* @__PURE__ */ new Set();
	grouped = false;
	/** Shows all of it as it moves, until the person looks somewhere else. */
	following = true;
	#canvas;
	#context;
	#worker;
	#pinned = /* @__PURE__ */ new Set();
	#changed;
	#look;
	#density = 1;
	#round = 0;
	#moving = false;
	#frame = 0;
	/** The person is moving the view of a large graph: most names wait until they stop. */
	#hurried = false;
	#settling;
	/** `changed` is told when things begin to move and come to rest; `failed`, why they cannot. */
	constructor(canvas, model, changed, failed) {
		this.#canvas = canvas;
		this.#context = canvas.getContext("2d", { alpha: false });
		this.#look = lookOf(canvas);
		this.#changed = changed;
		this.model = model;
		this.#worker = new Worker(new URL(
			/* @vite-ignore */
			new URL("graph-worker.js", import.meta.url).href,
			"" + import.meta.url
		), { type: "module" });
		this.#worker.onmessage = (event) => this.#moved(event.data);
		this.#worker.onerror = () => failed(t("The graph cannot be arranged: its worker did not start. The table shows the same."));
	}
	/** Arranges the model anew; `heat` 1 is from scratch. */
	arrange(model, heat) {
		this.model = model;
		this.#round++;
		const ask = {
			type: "arrange",
			round: this.#round,
			positions: model.positions,
			links: model.links(),
			radii: Float32Array.from(model.nodes, radius),
			pinned: [...this.#pinned].map((id) => model.indexOf(id)).filter((at) => at >= 0),
			heat,
			still: matchMedia("(prefers-reduced-motion: reduce)").matches
		};
		this.#worker.postMessage(ask);
		this.#rest(model.nodes.length === 0);
		this.draw();
	}
	hold(node, at) {
		this.model.positions[node * 2] = at.x;
		this.model.positions[node * 2 + 1] = at.y;
		this.#worker.postMessage({
			type: "hold",
			node,
			...at
		});
		this.draw();
	}
	/** Where a person has put a node, it stays. */
	pin(node) {
		this.#pinned.add(this.model.nodes[node].id);
		this.#worker.postMessage({
			type: "release",
			node,
			pinned: true
		});
	}
	get pins() {
		return this.#pinned.size;
	}
	unpin() {
		this.#pinned.clear();
		this.arrange(this.model, .5);
	}
	fit() {
		this.following = true;
		this.#follow();
		this.draw();
	}
	look(view) {
		this.following = false;
		this.view = view;
		if (this.model.nodes.length > MANY) {
			clearTimeout(this.#settling);
			this.#hurried = true;
			this.#settling = setTimeout(() => {
				this.#hurried = false;
				this.draw();
			}, SETTLED_MS);
		}
		this.draw();
	}
	/** The node under a point of the canvas; -1: none. */
	at(point, how) {
		const place = toGraph(this.view, this.size, point.x, point.y);
		const scale = this.view.scale;
		const node = nearest(this.model.positions, place, 15 + REACH[how] / scale);
		if (node < 0) return -1;
		const [dx, dy] = [this.model.positions[node * 2] - place.x, this.model.positions[node * 2 + 1] - place.y];
		const reach = radius(this.model.nodes[node]) * Math.min(1, 1.4 / scale) + REACH[how] / scale;
		return Math.hypot(dx, dy) <= reach ? node : -1;
	}
	resize(size) {
		this.size = size;
		this.#density = Math.min(2, devicePixelRatio || 1);
		this.#canvas.width = Math.round(size.width * this.#density);
		this.#canvas.height = Math.round(size.height * this.#density);
		if (this.following) this.#follow();
		this.draw();
	}
	/** The theme has changed. */
	restyle() {
		this.#look = lookOf(this.#canvas);
		this.draw();
	}
	/** At the next frame, once. */
	draw() {
		this.#frame ||= requestAnimationFrame(() => {
			this.#frame = 0;
			if (!this.size.width) return;
			paint(this.#context, {
				model: this.model,
				view: this.view,
				size: this.size,
				density: this.#density,
				look: this.#look,
				selected: this.selected,
				hovered: this.hovered,
				moving: this.#moving || this.#hurried,
				pale: this.pale,
				grouped: this.grouped
			});
		});
	}
	close() {
		cancelAnimationFrame(this.#frame);
		clearTimeout(this.#settling);
		this.#worker.terminate();
	}
	#moved({ round, positions, done }) {
		if (round !== this.#round || positions.length !== this.model.positions.length) return;
		this.model.positions = positions;
		if (this.following) this.#follow();
		this.#rest(done);
		this.draw();
	}
	#rest(done) {
		if (this.#moving === !done) return;
		this.#moving = !done;
		this.#changed(this.#moving);
	}
	#follow() {
		if (this.size.width) this.view = fitted(this.model.positions, this.size);
	}
};
// src/ui/graph/canvas.tsx
var PAN = 60;
var ZOOM = 1.25;
var ARROWS = {
	ArrowLeft: [-1, 0],
	ArrowRight: [1, 0],
	ArrowUp: [0, -1],
	ArrowDown: [0, 1]
};
/**
* A graph that is looked at and unfolded. `version` goes up when the model has changed; the same
* is to be had as a table, which is what is read out.
*/
function GraphCanvas({ model, version, selected, pale, grouped, onSelect, onExpand, onOpen, onHide }) {
	const canvas = T(null);
	const stage = T(null);
	const drawn = T(null);
	const [moving, move] = d(false);
	const [problem, fail] = d(null);
	const help = P();
	const told = T({
		onSelect,
		onExpand,
		onOpen,
		onHide
	});
	told.current = {
		onSelect,
		onExpand,
		onOpen,
		onHide
	};
	const idAt = (at) => stage.current?.model.nodes[at]?.id ?? null;
	F(() => {
		const element = canvas.current;
		const made = new Stage(element, model, move, fail);
		stage.current = made;
		const leave = pointing(element, made, {
			onClick: (node) => {
				const id = idAt(node);
				told.current.onSelect(id);
				if (id && made.model.hidden(id)) told.current.onExpand(id);
			},
			onOpen: (node) => told.current.onOpen(idAt(node))
		});
		const sizes = new ResizeObserver(([entry]) => {
			const { width, height } = entry.contentRect;
			made.resize({
				width,
				height
			});
		});
		sizes.observe(element);
		return () => {
			leave();
			sizes.disconnect();
			made.close();
			stage.current = drawn.current = null;
		};
	}, []);
	F(() => stage.current.restyle(), [shownTheme.value]);
	F(() => {
		stage.current.arrange(model, drawn.current === model ? .5 : 1);
		drawn.current = model;
	}, [model, version]);
	F(() => {
		const now = stage.current;
		now.selected = selected === null ? -1 : model.indexOf(selected);
		now.pale = pale;
		now.grouped = grouped;
		now.draw();
	}, [
		selected,
		pale,
		grouped,
		model,
		version
	]);
	const choose = (at) => {
		const now = stage.current;
		const id = idAt(at);
		onSelect(id);
		if (!id) return;
		const place = toScreen(now.view, now.size, now.model.positions[at * 2], now.model.positions[at * 2 + 1]);
		const margin = 40;
		const out = (value, end) => value < margin ? value - margin : value > end - margin ? value - end + margin : 0;
		const [dx, dy] = [out(place.x, now.size.width), out(place.y, now.size.height)];
		if (dx || dy) now.look(panned(now.view, -dx, -dy));
	};
	const centre = () => {
		const now = stage.current;
		const { selected: at, model: { positions } } = now;
		if (at >= 0) now.look({
			...now.view,
			x: positions[at * 2],
			y: positions[at * 2 + 1]
		});
	};
	const onKeyDown = (event) => {
		const now = stage.current;
		if (event.ctrlKey || event.metaKey || event.altKey) return;
		const arrow = ARROWS[event.key];
		if (arrow && event.shiftKey) now.look(panned(now.view, -arrow[0] * PAN, -arrow[1] * PAN));
		else if (arrow) {
			const from = now.selected;
			const to = from < 0 ? now.model.byDegree()[0] ?? -1 : towards(now.model.positions, from, ...arrow);
			if (to >= 0) choose(to);
		} else if (event.key === "Enter" && selected) onExpand(selected);
		else if (event.key === "o" && selected) onOpen(selected);
		else if (event.key === "Delete" && selected) onHide(selected);
		else if (event.key === "Escape" && selected) onSelect(null);
		else if (event.key === "c") centre();
		else if (event.key === "0" || event.key === "f") now.fit();
		else if (event.key === "+" || event.key === "=") now.look(zoomed(now.view, now.size, ZOOM));
		else if (event.key === "-") now.look(zoomed(now.view, now.size, 1 / ZOOM));
		else return;
		event.preventDefault();
		event.stopPropagation();
	};
	const zoom = (factor) => {
		const now = stage.current;
		now.look(zoomed(now.view, now.size, factor));
	};
	const node = selected === null ? void 0 : model.node(selected);
	return /* @__PURE__ */ a("div", {
		class: "graph-frame",
		children: [
			problem ? /* @__PURE__ */ a(Problem, { error: problem }) : null,
			/* @__PURE__ */ a("div", {
				class: "graph-tools",
				role: "group",
				"aria-label": t("View"),
				children: [
					/* @__PURE__ */ a(IconButton, {
						label: t("Zoom in"),
						icon: "plus",
						onClick: () => zoom(ZOOM)
					}),
					/* @__PURE__ */ a(IconButton, {
						label: t("Zoom out"),
						icon: "minus",
						onClick: () => zoom(1 / ZOOM)
					}),
					/* @__PURE__ */ a(IconButton, {
						label: t("Fit to view"),
						icon: "fit",
						onClick: () => stage.current.fit()
					}),
					/* @__PURE__ */ a(IconButton, {
						label: t("Release all nodes"),
						icon: "refresh",
						onClick: () => stage.current.unpin()
					})
				]
			}),
			/* @__PURE__ */ a("canvas", {
				ref: canvas,
				class: "graph-canvas",
				tabIndex: 0,
				role: "application",
				"aria-roledescription": t("graph"),
				"aria-label": t("Graph: {nodes} nodes, {edges} edges", {
					nodes: model.nodes.length,
					edges: model.edges.length
				}),
				"aria-describedby": help,
				"data-moving": moving,
				onKeyDown
			}),
			/* @__PURE__ */ a("p", {
				class: "hidden-visually",
				id: help,
				children: t("Arrow keys move between nodes, Enter expands the neighbours, O opens the record, Delete hides the node, Shift with an arrow key pans, plus and minus zoom, 0 fits the view, C centres the node, Escape clears the selection.")
			}),
			/* @__PURE__ */ a("p", {
				class: "hidden-visually",
				role: "status",
				children: node ? spoken(model, node.id) : ""
			})
		]
	});
}
/** What is read out when a node is chosen. */
function spoken(model, id) {
	const node = model.node(id);
	const shown = model.edgesAt(id).slice(0, 5).map((edge) => {
		const relation = edge.relation.replaceAll("_", " ");
		const other = model.node(edge.source === id ? edge.target : edge.source);
		return edge.source === id ? `${relation} ${name(other)}` : `${name(other)} ${relation} ${name(node)}`;
	});
	const more = model.hidden(id);
	return [
		`${name(node)}, ${node.type}, ${plural(node.degree, "{count} edge", "{count} edges")}.`,
		shown.length ? `${shown.join("; ")}.` : "",
		more ? plural(more, "{count} neighbour hidden.", "{count} neighbours hidden.") : ""
	].filter(Boolean).join(" ");
}
// src/ui/graph/table.tsx
var PAGE = 100;
function GraphTable({ model, selected, pale, onSelect, onExpand, href }) {
	const [filter, set] = d("");
	const wanted = filter.trim().toLowerCase();
	const has = (text) => text.toLowerCase().includes(wanted);
	const nodes = model.nodes.filter((node) => !pale.has(node.type) && (has(node.id) || has(node.title) || has(node.type)));
	const kept = new Set(nodes.map((node) => node.id));
	const edges = model.edges.filter((edge) => kept.has(edge.source) || kept.has(edge.target) || wanted && has(edge.relation));
	const link = (id) => /* @__PURE__ */ a("a", {
		href: href(id),
		children: name(model.node(id) ?? {
			id,
			title: ""
		})
	});
	return /* @__PURE__ */ a("div", {
		class: "stack",
		children: [
			/* @__PURE__ */ a(Field, {
				label: t("Filter by text"),
				children: (field) => /* @__PURE__ */ a("input", {
					...field,
					type: "search",
					value: filter,
					placeholder: t("name, type or relation"),
					onInput: (event) => set(event.currentTarget.value)
				})
			}),
			/* @__PURE__ */ a(Table, {
				title: t("Nodes ({count})", { count: nodes.length }),
				rows: nodes,
				id: (node) => node.id,
				selected,
				columns: [
					{
						title: t("Name"),
						value: (node) => name(node).toLowerCase(),
						cell: (node) => link(node.id)
					},
					{
						title: t("Type"),
						value: (node) => node.type,
						cell: (node) => /* @__PURE__ */ a("span", {
							class: "graph-kind",
							children: [/* @__PURE__ */ a(TypeMark, { type: node.type }), node.type]
						})
					},
					{
						title: t("Edges"),
						number: true,
						value: (node) => -node.degree,
						cell: (node) => node.degree
					},
					{
						title: t("Hidden"),
						number: true,
						value: (node) => -model.hidden(node.id),
						cell: (node) => model.hidden(node.id)
					},
					{
						title: "",
						value: () => "",
						cell: (node) => model.hidden(node.id) ? /* @__PURE__ */ a(Button, {
							kind: "quiet",
							"aria-label": t("Expand {node}", { node: name(node) }),
							onClick: () => {
								onSelect(node.id);
								onExpand(node.id);
							},
							children: t("Expand")
						}) : null
					}
				]
			}),
			/* @__PURE__ */ a(Table, {
				title: t("Edges ({count})", { count: edges.length }),
				rows: edges,
				id: edgeKey,
				columns: [
					{
						title: t("Source"),
						value: (edge) => edge.source,
						cell: (edge) => link(edge.source)
					},
					{
						title: t("Relation"),
						value: (edge) => edge.relation,
						cell: (edge) => edge.relation.replaceAll("_", " ")
					},
					{
						title: t("Target"),
						value: (edge) => edge.target,
						cell: (edge) => link(edge.target)
					},
					{
						title: t("Weight"),
						number: true,
						value: (edge) => -edge.weight,
						cell: (edge) => Number(edge.weight.toFixed(2))
					}
				]
			})
		]
	});
}
function Table({ title, rows, columns, id, selected }) {
	const [by, sort] = d(null);
	const [most, more] = d(PAGE);
	const sorted = by ? rows.toSorted((a, b) => order(columns[by.at].value(a), columns[by.at].value(b)) * (by.down ? -1 : 1)) : rows;
	return /* @__PURE__ */ a("section", {
		class: "stack",
		"aria-label": title,
		children: [
			/* @__PURE__ */ a("h3", { children: title }),
			/* @__PURE__ */ a("div", {
				class: "graph-table",
				tabIndex: 0,
				role: "region",
				"aria-label": title,
				children: /* @__PURE__ */ a("table", { children: [/* @__PURE__ */ a("thead", { children: /* @__PURE__ */ a("tr", { children: columns.map((column, at) => /* @__PURE__ */ a("th", {
					scope: "col",
					class: column.number ? "number" : "",
					"aria-sort": by?.at === at ? by.down ? "descending" : "ascending" : void 0,
					children: column.title === "" ? /* @__PURE__ */ a("span", {
						class: "hidden-visually",
						children: t("Actions")
					}) : /* @__PURE__ */ a("button", {
						type: "button",
						class: "graph-sort",
						onClick: () => sort({
							at,
							down: by?.at === at && !by.down
						}),
						children: [column.title, by?.at === at ? by.down ? " ↓" : " ↑" : ""]
					})
				}, column.title)) }) }), /* @__PURE__ */ a("tbody", { children: sorted.slice(0, most).map((row) => /* @__PURE__ */ a("tr", {
					"aria-current": selected === id(row) || void 0,
					children: columns.map((column) => /* @__PURE__ */ a("td", {
						class: column.number ? "number" : "",
						children: column.cell(row)
					}, column.title))
				}, id(row))) })] })
			}),
			sorted.length > most ? /* @__PURE__ */ a("div", { children: /* @__PURE__ */ a(Button, {
				onClick: () => more(most + PAGE),
				children: t("Show {count} more", { count: Math.min(PAGE, sorted.length - most) })
			}) }) : null
		]
	});
}
var order = (a, b) => a < b ? -1 : a > b ? 1 : 0;
// src/pages/kg-studio/graph-tab.tsx
/** The graph to look around in, and its twin as a table. */
/** So many neighbours unfold at a time, the closest first. */
var UNFOLDED = 40;
/** First a part that can be taken in, around the best connected record; the whole graph is a press away. */
var FIRST$1 = 40;
var SIZES = [
	FIRST$1,
	100,
	200,
	500,
	MOST_NODES
];
function GraphTab({ place, records, round }) {
	const { database, query } = place;
	const around = query.get("around") ?? "";
	const depth = Math.min(6, Math.max(1, Number(query.get("depth")) || 1));
	const most = Math.min(MOST_NODES, Math.max(1, Number(query.get("most")) || FIRST$1));
	const selected = query.get("node");
	const table = query.get("view") === "table";
	const groups = query.get("groups");
	const grouped = groups ? groups === "on" : !around && most > FIRST$1;
	const loaded = useLoad(async (signal) => {
		const model = new GraphModel();
		const piece = around ? {
			...await neighbourhood(database, around, depth, most, { signal }),
			complete: false
		} : await overview(database, most, { signal });
		model.add(piece);
		return {
			model,
			complete: piece.complete
		};
	}, [
		database,
		around,
		depth,
		most,
		round
	]);
	const [version, grow] = d(0);
	const [pale, setPale] = d(/* @__PURE__ */ new Set());
	const [hidden, hide] = d(null);
	const [unfolding, unfold] = d(null);
	A(() => hide(null), [loaded.data]);
	const model = hidden ?? loaded.data?.model ?? null;
	const latest = T(model);
	latest.current = model;
	const expand = async (id) => {
		if (!model || unfolding) return;
		if (!model.hidden(id)) {
			toast(t("All neighbours of {id} are shown.", { id: name(model.node(id)) }));
			return;
		}
		unfold(id);
		try {
			const shown = new Set(model.edgesAt(id).flatMap((edge) => [edge.source, edge.target])).size || 1;
			const piece = await neighbourhood(database, id, 1, Math.min(MOST_NODES, shown + UNFOLDED));
			if (latest.current === model) {
				const { left } = model.add(piece, id);
				if (left) toast(t("The graph shows at most {MOST_NODES} nodes; {left} were left out. Hide some, or focus on one node.", {
					MOST_NODES,
					left
				}));
				grow((count) => count + 1);
			}
		} catch (error) {
			toast(said(error), { kind: "bad" });
		}
		unfold(null);
	};
	const select = (id) => change({ node: id });
	const open = (id) => go(recordAt(database, id));
	const take = (id) => {
		hide(model.without(id));
		if (selected === id) select(null);
	};
	const toggle = (type) => {
		const next = new Set(pale);
		if (!next.delete(type)) next.add(type);
		setPale(next);
	};
	const centre = around ? model?.node(around) : void 0;
	if (!records) return /* @__PURE__ */ a(Empty, {
		icon: "graph",
		title: t("No graph yet"),
		action: /* @__PURE__ */ a("a", {
			class: "button primary",
			href: tabAt(database, "ingest"),
			children: t("Add text")
		}),
		children: /* @__PURE__ */ a("p", { children: rich("People, places and what connects them appear here. You can also {link}.", { link: /* @__PURE__ */ a("a", {
			href: newRecordAt(database),
			children: t("create a record")
		}) }) })
	});
	return /* @__PURE__ */ a("div", {
		class: "stack",
		children: [
			/* @__PURE__ */ a("div", {
				class: "kg-graph-bar",
				children: [
					/* @__PURE__ */ a("p", {
						class: "kg-graph-what",
						children: [
							around ? /* @__PURE__ */ a($, { children: rich("Around {centre}", { centre: /* @__PURE__ */ a("strong", { children: centre ? name(centre) : around }) }) }) : loaded.data?.complete ? t("Whole graph") : t("Around the best-connected record"),
							model ? /* @__PURE__ */ a("span", {
								class: "muted number",
								children: [" ", t("{shown} of {records} nodes, {edges} edges", {
									shown: model.nodes.length,
									records,
									edges: model.edges.length
								})]
							}) : null,
							loaded.loading || unfolding ? /* @__PURE__ */ a(Spinner, { label: t("Loading graph") }) : null
						]
					}),
					around ? /* @__PURE__ */ a(Field, {
						label: t("Steps"),
						children: (field) => /* @__PURE__ */ a("select", {
							...field,
							value: depth,
							onChange: (event) => change({ depth: event.currentTarget.value }),
							children: [
								1,
								2,
								3,
								4,
								5,
								6
							].map((each) => /* @__PURE__ */ a("option", {
								value: each,
								children: each
							}, each))
						})
					}) : null,
					/* @__PURE__ */ a(Field, {
						label: t("Max nodes"),
						children: (field) => /* @__PURE__ */ a("select", {
							...field,
							value: most,
							onChange: (event) => change({ most: event.currentTarget.value }),
							children: [.../* @__PURE__ */ new Set([...SIZES, most])].sort((a, b) => a - b).map((each) => /* @__PURE__ */ a("option", {
								value: each,
								children: each.toLocaleString()
							}, each))
						})
					}),
					/* @__PURE__ */ a("div", {
						class: "row",
						children: [
							around || !(loaded.data?.complete ?? true) ? /* @__PURE__ */ a(Button, {
								kind: "quiet",
								icon: "fit",
								onClick: () => change({
									around: null,
									depth: null,
									most: String(MOST_NODES)
								}),
								children: t("Whole graph")
							}) : most > FIRST$1 && records > FIRST$1 ? /* @__PURE__ */ a(Button, {
								kind: "quiet",
								icon: "search",
								onClick: () => change({ most: null }),
								children: t("Focus")
							}) : null,
							table ? null : /* @__PURE__ */ a(Button, {
								icon: "people",
								"aria-pressed": grouped,
								onClick: () => change({ groups: grouped ? "off" : "on" }),
								children: t("Communities")
							}),
							/* @__PURE__ */ a(Button, {
								icon: table ? "graph" : "list",
								"aria-pressed": table,
								onClick: () => change({ view: table ? null : "table" }),
								children: table ? t("Graph view") : t("Table view")
							})
						]
					})
				]
			}),
			loaded.error ? /* @__PURE__ */ a(Problem, {
				error: loaded.error,
				retry: loaded.reload
			}) : null,
			model ? /* @__PURE__ */ a($, { children: [/* @__PURE__ */ a(Legend, {
				model,
				pale,
				onToggle: toggle
			}), /* @__PURE__ */ a("div", {
				class: `kg-graph ${table && !selected ? "alone" : ""}`,
				children: [table ? /* @__PURE__ */ a(GraphTable, {
					model,
					version,
					selected,
					pale,
					onSelect: select,
					onExpand: (id) => void expand(id),
					href: (id) => recordAt(database, id)
				}) : /* @__PURE__ */ a(GraphCanvas, {
					model,
					version,
					selected,
					pale,
					grouped,
					onSelect: select,
					onExpand: (id) => void expand(id),
					onOpen: open,
					onHide: take
				}), table && !selected ? null : /* @__PURE__ */ a(Chosen, {
					model,
					id: selected,
					place,
					onSelect: select,
					onExpand: (id) => void expand(id),
					onHide: take,
					busy: unfolding !== null
				})]
			})] }) : null
		]
	});
}
function Chosen({ model, id, place: { database }, busy, onSelect, onExpand, onHide }) {
	const node = id === null ? void 0 : model.node(id);
	if (!node) return /* @__PURE__ */ a("aside", {
		class: "card kg-chosen",
		"aria-label": t("Selected node"),
		children: [/* @__PURE__ */ a("p", {
			class: "hint",
			children: t("Click a node to select it and show its neighbours; a ring marks nodes with more. Drag nodes to move them, and the background to pan. Pinch or scroll to zoom.")
		}), /* @__PURE__ */ a("p", {
			class: "hint",
			children: rich("By keyboard: {key} enters the graph, arrow keys move between nodes, {key2} expands, {key3} opens, {key4} hides, {key5} with arrow keys pans, {key6} {key7} {key8} zoom.", {
				key: /* @__PURE__ */ a("kbd", { children: "Tab" }),
				key2: /* @__PURE__ */ a("kbd", { children: "Enter" }),
				key3: /* @__PURE__ */ a("kbd", { children: "O" }),
				key4: /* @__PURE__ */ a("kbd", { children: "Delete" }),
				key5: /* @__PURE__ */ a("kbd", { children: "Shift" }),
				key6: /* @__PURE__ */ a("kbd", { children: "+" }),
				key7: /* @__PURE__ */ a("kbd", { children: "-" }),
				key8: /* @__PURE__ */ a("kbd", { children: "0" })
			})
		})]
	});
	const more = model.hidden(node.id);
	const edges = model.edgesAt(node.id);
	return /* @__PURE__ */ a("aside", {
		class: "card kg-chosen",
		"aria-label": t("Selected node"),
		children: [
			/* @__PURE__ */ a("h2", { children: [
				/* @__PURE__ */ a(TypeMark, { type: node.type }),
				" ",
				name(node)
			] }),
			/* @__PURE__ */ a("p", {
				class: "row",
				children: [/* @__PURE__ */ a(Badge, { children: node.type }), /* @__PURE__ */ a("span", {
					class: "hint number",
					children: [plural(node.degree, "{count} edge", "{count} edges"), more ? t("{count} not shown", { count: more }) : ""].filter(Boolean).join(", ")
				})]
			}),
			/* @__PURE__ */ a("div", {
				class: "row",
				children: [
					/* @__PURE__ */ a(Button, {
						kind: "primary",
						icon: "plus",
						disabled: !more,
						busy,
						onClick: () => onExpand(node.id),
						children: more ? t("Expand") : t("Fully expanded")
					}),
					/* @__PURE__ */ a("a", {
						class: "button plain",
						href: recordAt(database, node.id),
						children: t("Open")
					}),
					/* @__PURE__ */ a("a", {
						class: "button quiet",
						href: tabAt(database, "graph", {
							around: node.id,
							node: node.id
						}),
						children: t("Focus")
					}),
					/* @__PURE__ */ a(Button, {
						kind: "quiet",
						onClick: () => onHide(node.id),
						children: t("Hide")
					})
				]
			}),
			/* @__PURE__ */ a("ul", {
				class: "kg-chosen-edges",
				"aria-label": t("Edges of the node"),
				children: edges.slice(0, 60).map((edge) => {
					const out = edge.source === node.id;
					const other = model.node(out ? edge.target : edge.source);
					return /* @__PURE__ */ a("li", { children: [
						/* @__PURE__ */ a("span", {
							class: "muted",
							children: [
								/* @__PURE__ */ a(Icon, {
									name: out ? "right" : "left",
									size: 12
								}),
								" ",
								edge.relation.replaceAll("_", " ")
							]
						}),
						" ",
						/* @__PURE__ */ a("button", {
							type: "button",
							class: "kg-link",
							onClick: () => onSelect(other.id),
							children: name(other)
						})
					] }, `${edge.relation} ${out} ${other.id}`);
				})
			})
		]
	});
}
// src/stores/shared-files.ts
/** Files that another application shared with this one; the service worker has put them aside. */
var SHARED = "antiphon-shared";
/** Takes them, once. */
async function takeShared() {
	if (!("caches" in globalThis)) return [];
	const aside = await caches.open(SHARED);
	const answers = await Promise.all((await aside.keys()).map((key) => aside.match(key)));
	await caches.delete(SHARED);
	return Promise.all(answers.filter((each) => each !== void 0).map(async (answer) => {
		const name = decodeURIComponent(answer.headers.get("x-name") ?? "shared");
		return new File([await answer.blob()], name, { type: answer.headers.get("content-type") ?? "" });
	}));
}
// src/pages/kg-studio/files.ts
/** Which files can be taken in, and as what. */
var HOW = {
	text: t("Read as text"),
	markdown: t("Read as Markdown"),
	html: t("Read as HTML"),
	pdf: t("Read as PDF"),
	docx: t("Read as a Word document"),
	csv: t("Import rows (CSV)"),
	jsonl: t("Import rows (JSON Lines)")
};
var BY_ENDING = {
	txt: "text",
	text: "text",
	log: "text",
	eml: "text",
	srt: "text",
	vtt: "text",
	md: "markdown",
	markdown: "markdown",
	html: "html",
	htm: "html",
	pdf: "pdf",
	docx: "docx",
	csv: "csv",
	jsonl: "jsonl",
	ndjson: "jsonl"
};
var ACCEPTED = Object.keys(BY_ENDING).map((ending) => `.${ending}`).join(",");
var LARGEST = 20971520;
/** These are sent as they are: the server takes the text out of them. */
var isBinary = (how) => how === "pdf" || how === "docx";
/** What else a file may be taken as. */
var choicesOf = (how) => isBinary(how) ? [how] : Object.keys(HOW).filter((each) => !isBinary(each));
var ELSEWHERE = {
	graphml: t("Import GraphML on the command line: antiphon kb import <database> <file>."),
	json: t("Convert it to JSON Lines, with one record or edge per line (.jsonl)."),
	doc: t("Save it as .docx or PDF first."),
	odt: t("Save it as .docx or PDF first."),
	rtf: t("Save it as .docx or PDF first."),
	xlsx: t("Save the sheet as CSV first.")
};
/** How a file is taken, or why it cannot be. */
function howOf(name, size) {
	const ending = name.toLowerCase().split(".").at(-1) ?? "";
	const elsewhere = ELSEWHERE[ending];
	if (elsewhere) return { why: elsewhere };
	if (size === 0) return { why: t("The file is empty.") };
	if (size > LARGEST) return { why: t("The file has {size} MB. For files larger than 20 MB, use the command line: antiphon kb ingest <database> <file>.", { size: Math.ceil(size / 1024 / 1024) }) };
	const how = BY_ENDING[ending];
	return how ? { how } : { why: t("This file type is not supported. Use PDF, Word, text, Markdown, HTML, CSV or JSON Lines.") };
}
/** What files begin with, whatever they are called. */
var BEGINNINGS = [
	[[
		37,
		80,
		68,
		70
	], "PDF"],
	[[
		80,
		75,
		3,
		4
	], "ZIP"],
	[[
		137,
		80,
		78,
		71
	], t("a PNG image")],
	[[
		255,
		216,
		255
	], t("a JPEG image")],
	[[
		71,
		73,
		70,
		56
	], t("a GIF image")],
	[[
		208,
		207,
		17,
		224
	], t("an old Office document (.doc, .xls)")],
	[[31, 139], t("a gzip archive")]
];
var NAMED = {
	PDF: t("a PDF"),
	ZIP: t("a ZIP archive or an Office document")
};
/** What a file is that is not what its name says; null: it may be what it says. */
async function mistaken(file, how) {
	const head = new Uint8Array(await file.slice(0, 8).arrayBuffer());
	const found = BEGINNINGS.find(([start]) => start.every((byte, at) => head[at] === byte))?.[1];
	const wanted = how === "pdf" ? "PDF" : how === "docx" ? "ZIP" : void 0;
	if (found === wanted) return null;
	const said = {
		pdf: t("a PDF"),
		docx: t("a Word document")
	}[how] ?? t("text");
	return found ? t("This is {found}, not {said}.", {
		found: NAMED[found] ?? found,
		said
	}) : wanted ? t("This is not {said}, whatever its name says.", { said }) : null;
}
/** The text of a file. Raises with words for what is no text. */
async function textOf(file) {
	try {
		return new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
	} catch {
		throw new Error(t("The file is not UTF-8 text. Save it as UTF-8 and try again."));
	}
}
// src/pages/kg-studio/splitting.ts
/** Cuts what is too large for one request into parts that are not, at places that make sense. */
/** A request may have 256 KiB; the rest is for the JSON around a text. */
var MOST_BYTES = 245760;
/** `ingest_to_kg` takes no more. */
var MOST_CHARACTERS = 1e5;
var encoder = new TextEncoder();
/** As much as it takes inside a JSON body. */
var jsonBytes = (text) => encoder.encode(JSON.stringify(text)).length;
/** Between paragraphs, else between sentences, else between words. */
var SEAMS = [
	/\n\s*\n/g,
	/[.!?]\s+|\n/g,
	/\s+/g
];
function splitText(text, characters = MOST_CHARACTERS, bytes = MOST_BYTES) {
	const parts = [];
	let rest = text;
	while (rest.length > characters || jsonBytes(rest) > bytes) {
		let most = Math.min(characters, rest.length);
		while (jsonBytes(rest.slice(0, most)) > bytes) most = Math.floor(most * .8);
		const end = seam(rest, most);
		parts.push(rest.slice(0, end).trim());
		rest = rest.slice(end);
	}
	parts.push(rest.trim());
	return parts.filter(Boolean);
}
function seam(text, most) {
	const head = text.slice(0, most);
	for (const pattern of SEAMS) {
		const last = [...head.matchAll(pattern)].at(-1);
		if (last && last.index > most / 2) return last.index + last[0].length;
	}
	return /[\uD800-\uDBFF]/.test(text[most - 1]) ? most - 1 : most;
}
var TooLong = class extends Error {};
/** JSON lines: records come before the edges that join them. */
function splitJsonLines(text, bytes = MOST_BYTES) {
	const lines = text.split(/\r?\n/).map((line, at) => ({
		line,
		number: at + 1
	})).filter(({ line }) => line.trim());
	if (encoder.encode(text).length <= bytes) return [{
		text,
		lines: numbered(text)
	}];
	const isEdge = ({ line }) => /"kind"\s*:\s*"edge"/.test(line);
	return packed([...lines.filter((each) => !isEdge(each)), ...lines.filter(isEdge)], [], bytes);
}
/** CSV: each part has the header; a row may have line breaks in quotation marks. */
function splitCsv(text, bytes = MOST_BYTES) {
	if (encoder.encode(text).length <= bytes) return [{
		text,
		lines: numbered(text)
	}];
	const rows = [];
	let [row, number, quoted] = [
		"",
		1,
		false
	];
	text.split(/\r?\n/).forEach((line, at) => {
		if (!row) number = at + 1;
		row = row || quoted ? `${row}\n${line}` : line;
		if ((line.match(/"/g)?.length ?? 0) % 2) quoted = !quoted;
		if (!quoted) {
			if (row.trim()) rows.push({
				line: row,
				number
			});
			row = "";
		}
	});
	if (row.trim()) rows.push({
		line: row,
		number
	});
	const [header, ...others] = rows;
	return header ? packed(others, [header], bytes) : [];
}
function packed(rows, head, bytes) {
	const parts = [];
	let [now, size] = [[...head], 0];
	const headSize = head.reduce((sum, each) => sum + encoder.encode(each.line).length + 1, 0);
	const close = () => {
		if (now.length > head.length) {
			const text = now.map((each) => each.line).join("\n") + "\n";
			parts.push({
				text,
				lines: now.flatMap(({ line, number }) => line.split("\n").map((_, at) => number + at))
			});
		}
		now = [...head];
		size = headSize;
	};
	size = headSize;
	for (const each of rows) {
		const length = encoder.encode(each.line).length + 1;
		if (headSize + length > bytes) throw new TooLong(t("Line {number} alone is larger than {bytes} KiB, the most the server accepts at once. Import the file with `antiphon kb import`.", {
			number: each.number,
			bytes: Math.round(bytes / 1024)
		}));
		if (size + length > bytes) close();
		now.push(each);
		size += length;
	}
	close();
	return parts;
}
var numbered = (text) => text.split("\n").map((_, at) => at + 1);
// src/pages/kg-studio/jobs.ts
/** Knowledge that is being taken in. Jobs go on while other pages are open. */
var jobs = y([]);
/** Goes up when something was written: what is shown of a database may be old. */
var written = y(0);
var LOOK_EVERY_MS = 350;
var last = 0;
function begin(database, title, work) {
	const leave = new AbortController();
	const id = ++last;
	jobs.value = [{
		id,
		database,
		title,
		state: "running",
		message: t("Waiting"),
		fraction: null,
		reports: [],
		imports: [],
		problem: null,
		bad: [],
		again: null,
		stop: () => leave.abort()
	}, ...jobs.value].slice(0, 30);
	work({
		signal: leave.signal,
		say: (change) => update(id, change)
	}).then(() => update(id, {
		state: "done",
		fraction: 1
	}), (error) => update(id, leave.signal.aborted ? {
		state: "stopped",
		problem: t("Stopped. What was already added stays.")
	} : {
		state: "failed",
		problem: said(error)
	})).finally(() => written.value += 1);
}
function update(id, change) {
	jobs.value = jobs.value.map((job) => job.id === id ? {
		...job,
		...typeof change === "function" ? change(job) : change
	} : job);
}
function dismiss(id) {
	jobs.value = jobs.value.filter((job) => job.id !== id);
}
var part = (at, of) => of > 1 ? `${t("Part {at} of {of}", {
	at: at + 1,
	of
})}: ` : "";
/** What a text is called in a list: how it begins. */
function headline(text) {
	const line = text.trim().split("\n", 1)[0];
	return line.length > 70 ? `${line.slice(0, 70).replace(/\s+\S*$/, "")}…` : line;
}
/** A pasted text: a task in the background, which goes on whatever becomes of this page. */
function addText(database, text) {
	begin(database, headline(text), async ({ signal, say }) => {
		const parts = splitText(text);
		for (const [at, piece] of parts.entries()) {
			say({
				message: `${part(at, parts.length)}starting`,
				fraction: at / parts.length
			});
			const { task_id } = await callTool("ingest_to_kg", {
				database_id: database,
				text: piece
			});
			const report = await watched(task_id, signal, (message, fraction) => say({
				message: part(at, parts.length) + message,
				fraction: fraction === null ? null : (at + fraction) / parts.length
			}));
			say((job) => ({ reports: [...job.reports, report] }));
		}
	});
}
/** A task that was started before, by this page or by the conversation. */
function followTask(id, database, title) {
	begin(database, title, async ({ signal, say }) => {
		say({ reports: [await watched(id, signal, (message, fraction) => say({
			message,
			fraction
		}))] });
	});
}
/** Waits for a task; to stop waiting is to ask it to stop. */
async function watched(id, signal, tell) {
	let asked = false;
	for (;;) {
		if (signal.aborted && !asked) {
			asked = true;
			await post(`/api/tasks/${id}/cancel`).catch((error) => {
				if (!(error instanceof ApiError && error.status === 409)) throw error;
			});
		}
		const { status, progress, result } = await get(`/api/tasks/${id}`);
		if (status === "succeeded" && result?.data) return result.data.report;
		if (status !== "queued" && status !== "running") throw new Error(result?.error?.message ?? (status === "cancelled" ? t("It was stopped.") : t("It did not finish.")));
		tell(status === "queued" ? t("Queued") : progress?.message ?? t("Reading the text"), progress?.fraction ?? null);
		await new Promise((wake) => setTimeout(wake, LOOK_EVERY_MS));
	}
}
/** A file: read for what it says, or imported row by row. */
function addFile(database, file, how, skip = false) {
	begin(database, file.name, async (handle) => {
		if (isBinary(how)) return sending(database, file, handle);
		handle.say({ message: t("Reading the file") });
		if (how === "csv" || how === "jsonl") return importing(database, file, await textOf(file), how, skip, handle);
		const text = await textOf(file).catch(() => null);
		if (text === null) await sending(database, file, handle);
		else await reading(database, file, text, how, handle);
	});
}
/** Sent as it is; the server reads it. */
async function sending(database, file, { signal, say }) {
	say({
		message: t("Uploading"),
		fraction: 0
	});
	const report = await ingestFile(database, file, signal, (fraction) => say(fraction < 1 ? {
		message: t("Uploading"),
		fraction
	} : {
		message: t("Reading and writing"),
		fraction: null
	}));
	say((job) => ({ reports: [...job.reports, report] }));
}
async function reading(database, file, text, kind, { signal, say }) {
	const parts = splitText(text);
	if (!parts.length) throw new Error(t("The file contains no text."));
	for (const [at, piece] of parts.entries()) {
		signal.throwIfAborted();
		say({
			message: `${part(at, parts.length)}${t("Reading and writing")}`,
			fraction: parts.length > 1 ? at / parts.length : null
		});
		const report = await ingestText(database, {
			text: piece,
			kind,
			source: parts.length > 1 ? t("{name} (part {at} of {count})", {
				name: file.name,
				at: at + 1,
				count: parts.length
			}) : file.name
		}, signal);
		say((job) => ({ reports: [...job.reports, report] }));
	}
}
async function importing(database, file, text, how, skip, { signal, say }) {
	const parts = how === "csv" ? splitCsv(text) : splitJsonLines(text);
	if (!parts.length) throw new Error(t("The file contains no rows."));
	for (const [at, { text: rows, lines }] of parts.entries()) {
		signal.throwIfAborted();
		say({
			message: `${part(at, parts.length)}importing`,
			fraction: parts.length > 1 ? at / parts.length : null
		});
		const placed = (bad) => bad.map((row) => ({
			...row,
			line: lines[row.line - 1] ?? row.line
		}));
		try {
			const report = await importRows(database, rows, how, skip, signal);
			say((job) => ({
				imports: [...job.imports, report],
				bad: [...job.bad, ...placed(report.problems)]
			}));
		} catch (error) {
			const found = error instanceof ApiError ? error.body?.problems : void 0;
			if (found?.length) say({
				bad: placed(found),
				again: () => addFile(database, file, how, true)
			});
			if (at > 0) throw new Error(t("{error} (Part {at} of {count}; earlier parts are imported.)", {
				error: said(error),
				at: at + 1,
				count: parts.length
			}));
			throw error;
		}
	}
}
// src/pages/kg-studio/job.tsx
/** One job: how far it is, and what came of it. */
var STATES = {
	running: ["accent", t("running")],
	done: ["good", "done"],
	failed: ["bad", t("failed")],
	stopped: ["warn", "stopped"]
};
function JobCard({ job }) {
	const [kind, words] = STATES[job.state];
	return /* @__PURE__ */ a(Card, {
		class: "kg-job",
		title: /* @__PURE__ */ a($, { children: [
			job.title,
			" ",
			/* @__PURE__ */ a("span", {
				role: "status",
				children: /* @__PURE__ */ a(Badge, {
					kind,
					children: words
				})
			})
		] }),
		actions: job.state === "running" ? /* @__PURE__ */ a(Button, {
			kind: "quiet",
			icon: "stop",
			onClick: job.stop,
			children: t("Stop")
		}) : /* @__PURE__ */ a(IconButton, {
			label: t("Dismiss {title}", { title: job.title }),
			icon: "close",
			onClick: () => dismiss(job.id)
		}),
		children: [
			job.state === "running" ? /* @__PURE__ */ a("div", {
				class: "stack",
				children: [/* @__PURE__ */ a("progress", {
					"aria-label": t("Progress of {title}", { title: job.title }),
					max: 1,
					...job.fraction === null ? {} : { value: job.fraction }
				}), /* @__PURE__ */ a("p", {
					class: "hint",
					children: [job.message, job.fraction === null ? "" : `, ${Math.round(job.fraction * 100)} %`]
				})]
			}) : null,
			job.problem ? /* @__PURE__ */ a(Problem, { error: job.problem }) : null,
			job.bad.length ? /* @__PURE__ */ a(Bad, { job }) : null,
			job.reports.length ? /* @__PURE__ */ a(Learned$1, {
				database: job.database,
				reports: job.reports
			}) : null,
			job.imports.length ? /* @__PURE__ */ a(Imported, { imports: job.imports }) : null
		]
	});
}
function Bad({ job }) {
	return /* @__PURE__ */ a("div", {
		class: "stack",
		children: [
			/* @__PURE__ */ a("p", { children: plural(job.bad.length, "{count} row is not valid:", "{count} rows are not valid:") }),
			/* @__PURE__ */ a("ul", {
				class: "kg-bad",
				children: job.bad.slice(0, 20).map((row) => /* @__PURE__ */ a("li", { children: t("line {line}: {reason}", {
					line: row.line,
					reason: row.reason
				}) }, row.line))
			}),
			job.again && job.state === "failed" ? /* @__PURE__ */ a("div", { children: /* @__PURE__ */ a(Button, {
				onClick: () => {
					dismiss(job.id);
					job.again();
				},
				children: t("Import the valid rows")
			}) }) : null
		]
	});
}
var summed = (all) => {
	const found = /* @__PURE__ */ new Map();
	for (const each of all) for (const [key, count] of Object.entries(each)) found.set(key, (found.get(key) ?? 0) + count);
	return [...found].sort((a, b) => b[1] - a[1]);
};
var total = (reports, key) => reports.reduce((sum, each) => sum + each[key], 0);
function Learned$1({ database, reports }) {
	const first = reports[0];
	if (reports.every((each) => each.unchanged)) return /* @__PURE__ */ a("p", { children: [
		t("This text has been added before, so nothing changed."),
		" ",
		/* @__PURE__ */ a("a", {
			href: recordAt(database, first.document),
			children: t("Open the document")
		})
	] });
	const by = new Set(reports.map((each) => each.extractor));
	const skipped = summed(reports.map((each) => each.skipped));
	const notes = [...new Set(reports.flatMap((each) => [...each.notes, ...each.by_rules.map((one) => t("Parts {first} to {last} were read by rules only: {reason}", {
		first: one.first,
		last: one.last,
		reason: one.reason
	}))]))];
	return /* @__PURE__ */ a("div", {
		class: "stack",
		children: [
			/* @__PURE__ */ a("dl", {
				class: "kg-found",
				children: [/* @__PURE__ */ a("div", { children: [
					/* @__PURE__ */ a("dt", { children: t("Entities") }),
					/* @__PURE__ */ a("dd", { children: rich("{added} new, {merged} merged", {
						added: /* @__PURE__ */ a("strong", {
							class: "number",
							children: total(reports, "entities_new")
						}),
						merged: /* @__PURE__ */ a("span", {
							class: "number",
							children: total(reports, "entities_merged")
						})
					}) }),
					/* @__PURE__ */ a("dd", {
						class: "row",
						children: summed(reports.map((each) => each.entities)).map(([type, count]) => /* @__PURE__ */ a(Badge, { children: [
							count,
							" ",
							type
						] }, type))
					})
				] }), /* @__PURE__ */ a("div", { children: [
					/* @__PURE__ */ a("dt", { children: t("Relations") }),
					/* @__PURE__ */ a("dd", { children: rich("{added} new, {merged} merged", {
						added: /* @__PURE__ */ a("strong", {
							class: "number",
							children: total(reports, "relations_new")
						}),
						merged: /* @__PURE__ */ a("span", {
							class: "number",
							children: total(reports, "relations_merged")
						})
					}) }),
					/* @__PURE__ */ a("dd", {
						class: "row",
						children: summed(reports.map((each) => each.relations)).map(([relation, count]) => /* @__PURE__ */ a(Badge, { children: [
							count,
							" ",
							relation.replaceAll("_", " ")
						] }, relation))
					})
				] })]
			}),
			/* @__PURE__ */ a("p", {
				class: "row",
				children: [/* @__PURE__ */ a("a", {
					href: tabAt(database, "graph", {
						around: first.document,
						node: first.document
					}),
					children: t("Show in graph")
				}), /* @__PURE__ */ a("a", {
					href: recordAt(database, first.document),
					children: t("Open the document")
				})]
			}),
			/* @__PURE__ */ a("p", {
				class: "hint",
				children: [plural(reports.reduce((sum, each) => sum + each.sentences, 0), "{count} sentence, read by {readers}.", "{count} sentences, read by {readers}.", { readers: listed$1([...by]) }), skipped.length ? ` ${t("Skipped: {list}.", { list: skipped.map(([why, count]) => `${count} (${why})`).join(", ") })}` : ""]
			}),
			notes.map((note) => /* @__PURE__ */ a("p", {
				class: "hint",
				children: note
			}, note))
		]
	});
}
function Imported({ imports }) {
	const sum = (key) => imports.reduce((all, each) => all + each[key], 0);
	return /* @__PURE__ */ a("table", { children: [
		/* @__PURE__ */ a("caption", {
			class: "hidden-visually",
			children: t("Imported")
		}),
		/* @__PURE__ */ a("thead", { children: /* @__PURE__ */ a("tr", { children: [
			/* @__PURE__ */ a("th", {}),
			/* @__PURE__ */ a("th", {
				scope: "col",
				class: "number",
				children: t("New")
			}),
			/* @__PURE__ */ a("th", {
				scope: "col",
				class: "number",
				children: t("Changed")
			}),
			/* @__PURE__ */ a("th", {
				scope: "col",
				class: "number",
				children: t("Unchanged")
			})
		] }) }),
		/* @__PURE__ */ a("tbody", { children: [/* @__PURE__ */ a("tr", { children: [
			/* @__PURE__ */ a("th", {
				scope: "row",
				children: t("Records")
			}),
			/* @__PURE__ */ a("td", {
				class: "number",
				children: sum("records_added")
			}),
			/* @__PURE__ */ a("td", {
				class: "number",
				children: sum("records_changed")
			}),
			/* @__PURE__ */ a("td", {
				class: "number",
				children: sum("records_unchanged")
			})
		] }), /* @__PURE__ */ a("tr", { children: [
			/* @__PURE__ */ a("th", {
				scope: "row",
				children: t("Edges")
			}),
			/* @__PURE__ */ a("td", {
				class: "number",
				children: sum("edges_added")
			}),
			/* @__PURE__ */ a("td", {
				class: "number",
				children: sum("edges_changed")
			}),
			/* @__PURE__ */ a("td", {
				class: "number",
				children: sum("edges_unchanged")
			})
		] })] })
	] });
}
// src/pages/kg-studio/ingest-tab.tsx
/** New knowledge: a pasted text, files to read or to import; and the way out, an export. */
function IngestTab({ place, title }) {
	const { database } = place;
	useTask(place);
	const own = jobs.value.filter((job) => job.database === database);
	return /* @__PURE__ */ a("div", {
		class: "kg-ingest",
		children: [/* @__PURE__ */ a("div", {
			class: "stack",
			children: [
				/* @__PURE__ */ a(Paste, {
					database,
					title
				}),
				/* @__PURE__ */ a(Files, { place }),
				/* @__PURE__ */ a(Card, {
					title: t("Export"),
					children: [
						/* @__PURE__ */ a("p", { children: rich("All records and edges of {title}, one per line. The file can be imported again, here or elsewhere.", { title }) }),
						/* @__PURE__ */ a("div", {
							class: "row",
							children: /* @__PURE__ */ a("a", {
								class: "button plain",
								href: exportPath(database),
								download: `${database}.jsonl`,
								children: [/* @__PURE__ */ a(Icon, {
									name: "download",
									size: 16
								}), t("Export as JSON Lines")]
							})
						}),
						/* @__PURE__ */ a("p", {
							class: "hint",
							children: rich("For CSV, Markdown, GraphML and large files: {code}.", { code: /* @__PURE__ */ a("code", { children: [
								"antiphon kb export ",
								database,
								" file.graphml"
							] }) })
						})
					]
				})
			]
		}), /* @__PURE__ */ a("section", {
			class: "stack",
			"aria-label": t("Recently added"),
			children: [/* @__PURE__ */ a("h2", { children: t("Recently added") }), own.length ? own.map((job) => /* @__PURE__ */ a(JobCard, { job }, job.id)) : /* @__PURE__ */ a("p", {
				class: "hint",
				children: t("Nothing since you opened this page. What is found in a text appears here: people, organisations, places and relations, what is new and what was merged.")
			})]
		})]
	});
}
/** `?task=` names a task whose notice was clicked. */
function useTask({ database, query }) {
	const id = query.get("task");
	A(() => {
		if (!id) return;
		get(`/api/tasks/${encodeURIComponent(id)}`).then(({ tool, args }) => {
			if (tool !== "ingest_to_kg" || !args.database_id) return;
			const title = headline(args.text ?? id);
			if (!jobs.peek().some((job) => job.title === title)) followTask(id, args.database_id, title);
			if (args.database_id !== database) go(tabAt(args.database_id, "ingest"), true);
		}, () => {});
	}, [id]);
}
function Paste({ database, title }) {
	const [text, write] = d("");
	const parts = text.length > 1e5 ? splitText(text).length : 1;
	const submit = (event) => {
		event.preventDefault();
		if (!text.trim()) return;
		addText(database, text);
		write("");
	};
	return /* @__PURE__ */ a(Card, {
		title: t("Paste text"),
		children: /* @__PURE__ */ a("form", {
			class: "stack",
			onSubmit: submit,
			onKeyDown: (event) => {
				if ((event.ctrlKey || event.metaKey) && event.key === "Enter") submit(event);
			},
			children: [/* @__PURE__ */ a(Field, {
				label: t("Text"),
				hint: parts > 1 ? plural(parts, "{length} characters, read in {count} part.", "{length} characters, read in {count} parts.", { length: text.length }) : t("Full names work better than he and she. Every sentence is kept with what was learned from it."),
				children: (field) => /* @__PURE__ */ a("textarea", {
					...field,
					rows: 7,
					value: text,
					placeholder: t("Greta Lindqvall leads Project Aurora at Aurora Labs. Aurora started on 2 March 2026."),
					onInput: (event) => write(event.currentTarget.value)
				})
			}), /* @__PURE__ */ a("div", {
				class: "row",
				children: [/* @__PURE__ */ a(Button, {
					kind: "primary",
					type: "submit",
					icon: "plus",
					disabled: !text.trim(),
					children: rich("Add to {title}", { title })
				}), /* @__PURE__ */ a("span", {
					class: "hint",
					children: t("This runs in the background; you can leave the page.")
				})]
			})]
		})
	});
}
function Files({ place: { database, query } }) {
	const [chosen, choose] = d([]);
	const [over, hover] = d(false);
	const [problem, fail] = d(null);
	const input = T(null);
	const take = async (files) => {
		fail(null);
		const taken = await Promise.all([...files].map(async (file) => {
			const read = howOf(file.name, file.size);
			const why = "how" in read ? await mistaken(file, read.how) : read.why;
			return "how" in read && why === null ? {
				file,
				how: read.how,
				why: ""
			} : {
				file,
				how: null,
				why: why ?? ""
			};
		}));
		choose((before) => [...before, ...taken].slice(0, 50));
	};
	const shared = query.has("shared");
	A(() => {
		if (!shared) return;
		go(tabAt(database, "ingest"), true);
		takeShared().then(take, (error) => fail(said(error)));
	}, [shared]);
	const start = () => {
		try {
			for (const { file, how } of chosen) if (how) addFile(database, file, how);
			choose([]);
		} catch (error) {
			fail(said(error));
		}
	};
	const ready = chosen.filter((each) => each.how).length;
	return /* @__PURE__ */ a(Card, {
		title: t("Upload files"),
		children: [
			problem ? /* @__PURE__ */ a(Problem, { error: problem }) : null,
			/* @__PURE__ */ a("div", {
				class: `kg-drop ${over ? "over" : ""}`,
				onDragOver: (event) => {
					event.preventDefault();
					hover(true);
				},
				onDragLeave: () => hover(false),
				onDrop: (event) => {
					event.preventDefault();
					hover(false);
					take(event.dataTransfer?.files ?? []);
				},
				children: [
					/* @__PURE__ */ a(Icon, {
						name: "upload",
						size: 24
					}),
					/* @__PURE__ */ a("p", { children: rich("Drop files here, or {button}.", { button: /* @__PURE__ */ a("button", {
						type: "button",
						class: "kg-link",
						onClick: () => input.current.click(),
						children: t("browse")
					}) }) }),
					/* @__PURE__ */ a("p", {
						class: "hint",
						children: t("PDF, Word (.docx), text, Markdown and HTML are read; CSV and JSON Lines are imported row by row. Up to 20 MB each.")
					}),
					/* @__PURE__ */ a("input", {
						ref: input,
						class: "hidden-visually",
						type: "file",
						multiple: true,
						accept: ACCEPTED,
						tabIndex: -1,
						"aria-label": t("Files"),
						onChange: (event) => {
							take([...event.currentTarget.files ?? []]);
							event.currentTarget.value = "";
						}
					})
				]
			}),
			chosen.length ? /* @__PURE__ */ a($, { children: [/* @__PURE__ */ a("ul", {
				class: "list",
				"aria-label": t("Selected files"),
				children: chosen.map((each, at) => /* @__PURE__ */ a("li", {
					class: "kg-file",
					children: [
						/* @__PURE__ */ a("span", { children: [
							/* @__PURE__ */ a("strong", { children: each.file.name }),
							" ",
							/* @__PURE__ */ a("small", {
								class: "muted number",
								children: size(each.file.size)
							})
						] }),
						each.how ? /* @__PURE__ */ a("select", {
							"aria-label": t("How to add {name}", { name: each.file.name }),
							value: each.how,
							onChange: (event) => choose(chosen.with(at, {
								...each,
								how: event.currentTarget.value
							})),
							children: choicesOf(each.how).map((how) => /* @__PURE__ */ a("option", {
								value: how,
								children: HOW[how]
							}, how))
						}) : /* @__PURE__ */ a("span", {
							class: "wrong",
							children: each.why
						}),
						/* @__PURE__ */ a(IconButton, {
							label: t("Remove {name}", { name: each.file.name }),
							icon: "close",
							onClick: () => choose(chosen.filter((_, other) => other !== at))
						})
					]
				}, `${at} ${each.file.name}`))
			}), /* @__PURE__ */ a("div", {
				class: "row",
				children: /* @__PURE__ */ a(Button, {
					kind: "primary",
					icon: "plus",
					disabled: !ready,
					onClick: start,
					children: plural(ready, "Add {count} file", "Add {count} files")
				})
			})] }) : null
		]
	});
}
var size = (bytes) => bytes < 1024 ? `${bytes} B` : bytes < 1048576 ? `${Math.round(bytes / 1024)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
// src/pages/kg-studio/edges.tsx
/** The edges at a record: where they lead, where they were learned; one more, one less. */
function Edges({ database, record, near, onChanged }) {
	const [adding, add] = d(false);
	const [problem, fail] = d(null);
	const nodes = new Map(near.nodes.map((node) => [node.id, node]));
	const own = near.edges.filter((edge) => edge.source === record.id || edge.target === record.id);
	const groups = /* @__PURE__ */ new Map();
	for (const edge of own) {
		const title = `${edge.relation.replaceAll("_", " ")}${edge.source === record.id ? "" : " (from)"}`;
		groups.set(title, [...groups.get(title) ?? [], edge]);
	}
	const remove = async (edge) => {
		fail(null);
		try {
			await deleteEdge(database, edge);
			toast(t("Removed: {source} {relation} {target}.", {
				source: edge.source,
				relation: edge.relation,
				target: edge.target
			}), { action: {
				label: t("Undo"),
				run: () => void writeEdge(database, edge).then(onChanged)
			} });
			onChanged();
		} catch (error) {
			fail(error);
		}
	};
	return /* @__PURE__ */ a("section", {
		class: "stack",
		"aria-label": t("Edges"),
		children: [
			/* @__PURE__ */ a("header", {
				class: "card-head",
				children: [/* @__PURE__ */ a("h3", { children: rich("Connections {count}", { count: /* @__PURE__ */ a("span", {
					class: "muted number",
					children: own.length
				}) }) }), /* @__PURE__ */ a(Button, {
					icon: "plus",
					kind: "quiet",
					"aria-expanded": adding,
					onClick: () => add(!adding),
					children: t("Add edge")
				})]
			}),
			problem ? /* @__PURE__ */ a(Problem, { error: problem }) : null,
			adding ? /* @__PURE__ */ a(AddEdge, {
				database,
				record,
				onAdded: () => {
					add(false);
					onChanged();
				}
			}) : null,
			own.length ? [...groups].map(([title, edges]) => /* @__PURE__ */ a("div", {
				class: "kg-edges",
				children: [/* @__PURE__ */ a("h4", { children: title }), /* @__PURE__ */ a("ul", { children: edges.map((edge) => {
					const other = edge.source === record.id ? edge.target : edge.source;
					const node = nodes.get(other);
					return /* @__PURE__ */ a("li", { children: [
						/* @__PURE__ */ a("a", {
							href: recordAt(database, other),
							children: node ? name(node) : other
						}),
						node ? /* @__PURE__ */ a("small", {
							class: "muted",
							children: [" ", node.type]
						}) : null,
						/* @__PURE__ */ a(IconButton, {
							label: t("Remove edge {relation} {node}", {
								relation: edge.relation.replaceAll("_", " "),
								node: node ? name(node) : other
							}),
							icon: "close",
							onClick: () => void remove(edge)
						}),
						/* @__PURE__ */ a(Learned, { edge })
					] }, edgeKey(edge));
				}) })]
			}, title)) : /* @__PURE__ */ a("p", {
				class: "hint",
				children: t("No connections yet. An edge says how this record relates to another.")
			})
		]
	});
}
/** The sentence that an edge was learned from. */
function Learned({ edge: { provenance, weight } }) {
	const { sentence, source } = provenance;
	if (typeof sentence !== "string" || !sentence) return null;
	return /* @__PURE__ */ a("p", {
		class: "hint kg-learned",
		children: [
			`“${sentence}”`,
			typeof source === "string" ? source : "",
			t("weight {weight}", { weight: Number(weight.toFixed(2)) })
		].filter(Boolean).join(", ")
	});
}
function AddEdge({ database, record, onAdded }) {
	const [relation, relate] = d("");
	const [outward, turn] = d(true);
	const [typed, type] = d("");
	const [other, choose] = d(null);
	const [problem, fail] = d(null);
	const [busy, work] = d(false);
	const asked = {
		q: typed.trim(),
		types: [],
		tags: [],
		since: "",
		until: ""
	};
	const found = useLoad(async (signal) => asked.q && !other ? (await search(database, asked, 6, signal)).results : [], [
		database,
		asked.q,
		other
	]);
	const submit = async (event) => {
		event.preventDefault();
		if (!other) return;
		work(true);
		fail(null);
		const [source, target] = outward ? [record.id, other.id] : [other.id, record.id];
		try {
			await writeEdge(database, {
				source,
				target,
				relation: relation.trim().replace(/\s+/g, "_"),
				weight: 1,
				provenance: { source: "console" }
			});
			onAdded();
		} catch (error) {
			fail(error);
			work(false);
		}
	};
	return /* @__PURE__ */ a("form", {
		class: "card stack",
		onSubmit: submit,
		"aria-label": t("New edge"),
		children: [
			problem ? /* @__PURE__ */ a(Problem, { error: problem }) : null,
			/* @__PURE__ */ a("div", {
				class: "kg-two",
				children: [/* @__PURE__ */ a(Field, {
					label: t("Relation"),
					children: (field) => /* @__PURE__ */ a("input", {
						...field,
						autofocus: true,
						value: relation,
						maxLength: 100,
						required: true,
						placeholder: t("works on, leads, cites…"),
						onInput: (event) => relate(event.currentTarget.value)
					})
				}), /* @__PURE__ */ a(Field, {
					label: t("Direction"),
					children: (field) => /* @__PURE__ */ a("select", {
						...field,
						value: outward ? "out" : "in",
						onChange: (event) => turn(event.currentTarget.value === "out"),
						children: [/* @__PURE__ */ a("option", {
							value: "out",
							children: t("from this record to the other")
						}), /* @__PURE__ */ a("option", {
							value: "in",
							children: t("from the other to this record")
						})]
					})
				})]
			}),
			/* @__PURE__ */ a(Field, {
				label: t("Other record"),
				hint: other ? /* @__PURE__ */ a("code", { children: other.id }) : t("Search by name, then select."),
				children: (field) => /* @__PURE__ */ a("input", {
					...field,
					type: "search",
					value: typed,
					onInput: (event) => {
						type(event.currentTarget.value);
						choose(null);
					}
				})
			}),
			found.data?.length ? /* @__PURE__ */ a("ul", {
				class: "list",
				"aria-label": t("Matching records"),
				children: found.data.filter((each) => each.id !== record.id).map((each) => /* @__PURE__ */ a("li", { children: /* @__PURE__ */ a("button", {
					type: "button",
					class: "list-item",
					onClick: () => {
						choose(each);
						type(each.title);
					},
					children: [each.title, /* @__PURE__ */ a("small", { children: [
						each.type,
						" · ",
						each.id
					] })]
				}) }, each.id))
			}) : null,
			/* @__PURE__ */ a("div", {
				class: "row",
				children: /* @__PURE__ */ a(Button, {
					kind: "primary",
					type: "submit",
					busy,
					disabled: !other || !relation.trim(),
					children: t("Add")
				})
			})
		]
	});
}
// src/pages/kg-studio/explain.tsx
/** The share of each side in the value that the score is made from. */
function shares({ cosine, graph, fused }) {
	return {
		meaning: Math.max(0, cosine ?? 0),
		words: Math.max(0, fused - (cosine ?? 0) - graph),
		graph
	};
}
/** How the score came about: meaning, words, neighbours. */
function Explained({ found, database }) {
	const why = found.explain;
	const { meaning, words, graph } = shares(why);
	const matched = Object.entries(why.matched);
	return /* @__PURE__ */ a("details", {
		class: "kg-explain",
		children: [/* @__PURE__ */ a("summary", { children: rich("Why {score}?", { score: found.score.toFixed(2) }) }), /* @__PURE__ */ a("div", {
			class: "stack",
			children: why.named ? /* @__PURE__ */ a("p", { children: t("The query is its ID, so nothing could match better.") }) : /* @__PURE__ */ a("table", { children: [
				/* @__PURE__ */ a("caption", {
					class: "hidden-visually",
					children: rich("How {title} got its score", { title: found.title })
				}),
				/* @__PURE__ */ a("thead", { children: /* @__PURE__ */ a("tr", { children: [
					/* @__PURE__ */ a("th", {
						scope: "col",
						children: t("Part")
					}),
					/* @__PURE__ */ a("th", {
						scope: "col",
						class: "number",
						children: t("Contribution")
					}),
					/* @__PURE__ */ a("th", {
						scope: "col",
						children: t("Reason")
					})
				] }) }),
				/* @__PURE__ */ a("tbody", { children: [
					/* @__PURE__ */ a(Part, {
						title: t("Meaning"),
						value: meaning,
						of: why.fused,
						why: why.cosine === null ? t("not embedded yet, so only its words count") : t("similarity of its embedding to the query (cosine {cosine})", { cosine: why.cosine.toFixed(2) })
					}),
					/* @__PURE__ */ a(Part, {
						title: t("Words"),
						value: words,
						of: why.fused,
						why: matched.length ? t("contains {words}: {covered} of the query, BM25 {bm25}", {
							words: matched.map(([word, weight]) => `“${word}” (${weight.toFixed(1)})`).join(", "),
							covered: number(why.covered, {
								style: "percent",
								maximumFractionDigits: 0
							}),
							bm25: why.bm25.toFixed(1)
						}) : t("contains none of the query's words")
					}),
					/* @__PURE__ */ a(Part, {
						title: t("Neighbours"),
						value: graph,
						of: why.fused,
						why: why.neighbours.length ? /* @__PURE__ */ a($, { children: rich("linked to {records}, which match well", { records: why.neighbours.map(({ id, relation }, at) => /* @__PURE__ */ a($, { children: [
							at ? ", " : "",
							/* @__PURE__ */ a("a", {
								href: recordAt(database, id),
								children: id
							}),
							" (",
							relation.replaceAll("_", " "),
							")"
						] })) }) }) : t("no edge to any of the best results")
					}),
					/* @__PURE__ */ a("tr", { children: [
						/* @__PURE__ */ a("th", {
							scope: "row",
							children: t("Total")
						}),
						/* @__PURE__ */ a("td", {
							class: "number",
							children: why.fused.toFixed(2)
						}),
						/* @__PURE__ */ a("td", { children: found.score >= .5 ? t("a score of {score}: a strong match", { score: found.score.toFixed(2) }) : found.score >= .2 ? t("a score of {score}: a possible match", { score: found.score.toFixed(2) }) : t("a score of {score}: a weak match", { score: found.score.toFixed(2) }) })
					] })
				] })
			] })
		})]
	});
}
function Part({ title, value, of, why }) {
	return /* @__PURE__ */ a("tr", { children: [
		/* @__PURE__ */ a("th", {
			scope: "row",
			children: title
		}),
		/* @__PURE__ */ a("td", {
			class: "number",
			children: [value.toFixed(2), /* @__PURE__ */ a("span", {
				class: "kg-bar",
				style: { width: `${Math.round(value / Math.max(of, .01) * 100)}%` }
			})]
		}),
		/* @__PURE__ */ a("td", { children: why })
	] });
}
// src/pages/kg-studio/highlight.ts
/**
* `stems` are words as the search compares them, cut at the end: `host` stands for `hosting` too.
*/
function parts(text, stems) {
	const wanted = stems.map(plain).filter(Boolean);
	if (!wanted.length) return [{
		text,
		hit: false
	}];
	const found = [];
	for (const piece of text.split(/([\p{L}\p{N}]+)/u)) {
		if (!piece) continue;
		const word = plain(piece);
		const hit = wanted.some((stem) => word === stem || stem.length > 2 && word.startsWith(stem) && word.length - stem.length <= 4);
		const last = found.at(-1);
		if (last && last.hit === hit) last.text += piece;
		else found.push({
			text: piece,
			hit
		});
	}
	return found;
}
var plain = (word) => word.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
// src/pages/kg-studio/search.tsx
/** Search with evidence: what was found, how sure that is, and how the score came about. */
var FIRST = 10;
var MOST = 100;
/** The types of a larger database would take long to count. */
var COUNTED = 2e4;
function Search({ place, records, round }) {
	const { database, asked } = place;
	const key = JSON.stringify(asked);
	const [k, more] = d(FIRST);
	A(() => more(FIRST), [database, key]);
	const found = useLoad((signal) => search(database, asked, k, signal), [
		database,
		key,
		k,
		round
	]);
	return /* @__PURE__ */ a("div", {
		class: "stack",
		children: [/* @__PURE__ */ a(SearchForm, {
			place,
			records,
			seen: found.data?.results ?? []
		}), /* @__PURE__ */ a("section", {
			class: "stack",
			"data-tour": "kg-studio-results",
			"aria-label": t("Results"),
			"aria-busy": found.loading,
			children: /* @__PURE__ */ a(Shown, {
				of: found,
				children: ({ results, query_time_ms }) => results.length ? /* @__PURE__ */ a($, { children: [
					/* @__PURE__ */ a("p", {
						class: "hint",
						role: "status",
						children: asked.q ? plural(results.length, "{count} result in {ms} ms, best first", "{count} results in {ms} ms, best first", { ms: Math.max(1, Math.round(query_time_ms)) }) : t("Recently changed: {count}", { count: results.length })
					}),
					/* @__PURE__ */ a("ol", {
						class: "kg-results",
						children: results.map((each) => /* @__PURE__ */ a(Result, {
							found: each,
							place
						}, each.id))
					}),
					results.length >= k && k < MOST ? /* @__PURE__ */ a("div", { children: /* @__PURE__ */ a(Button, {
						onClick: () => more(Math.min(MOST, k + 20)),
						children: t("Show more")
					}) }) : null
				] }) : /* @__PURE__ */ a(Nothing, {
					place,
					records
				})
			})
		})]
	});
}
function Nothing({ place: { database, asked }, records }) {
	if (!records) return /* @__PURE__ */ a(Empty, {
		icon: "graph",
		title: t("This database is empty"),
		action: /* @__PURE__ */ a("a", {
			class: "button primary",
			href: tabAt(database, "ingest"),
			children: t("Add text")
		}),
		children: /* @__PURE__ */ a("p", { children: rich("Paste text or drop a file; it is split into records that are linked and can be searched. You can also {link}.", { link: /* @__PURE__ */ a("a", {
			href: newRecordAt(database),
			children: t("create a record")
		}) }) })
	});
	const filtered = asked.types.length + asked.tags.length > 0 || asked.since || asked.until;
	return /* @__PURE__ */ a(Empty, {
		icon: "search",
		title: t("No results"),
		children: filtered ? /* @__PURE__ */ a("p", { children: [
			t("No record passes the filters."),
			" ",
			/* @__PURE__ */ a("a", {
				href: searchAt(database, { q: asked.q }),
				children: t("Search without filters")
			})
		] }) : /* @__PURE__ */ a("p", { children: t("Try other words. The search matches words and meaning.") })
	});
}
function SearchForm({ place, records, seen }) {
	const { database, asked, record, editing } = place;
	const ask = (change) => {
		const next = {
			...asked,
			...change
		};
		go(record === null ? searchAt(database, next) : recordAt(database, record, next, editing), true);
	};
	const [typed, type] = useTyped(asked.q, (q) => ask({ q }));
	const filters = asked.types.length + asked.tags.length + (asked.since ? 1 : 0) + (asked.until ? 1 : 0);
	const [open, toggle] = d(filters > 0);
	return /* @__PURE__ */ a("form", {
		role: "search",
		class: "kg-search",
		"data-tour": "kg-studio-search",
		onSubmit: (event) => {
			event.preventDefault();
			go(searchAt(database, {
				...asked,
				q: typed.trim()
			}));
		},
		children: [/* @__PURE__ */ a("div", {
			class: "kg-search-box",
			children: [
				/* @__PURE__ */ a(Icon, { name: "search" }),
				/* @__PURE__ */ a("input", {
					type: "search",
					"aria-label": t("Search {database}", { database }),
					placeholder: t("Search by words, a question or an ID"),
					value: typed,
					maxLength: 1e3,
					onInput: (event) => type(event.currentTarget.value)
				}),
				/* @__PURE__ */ a(Button, {
					icon: open ? "down" : "chevron",
					kind: "quiet",
					"aria-expanded": open,
					onClick: () => toggle(!open),
					children: filters ? t("Filters ({count})", { count: filters }) : t("Filters")
				})
			]
		}), open ? /* @__PURE__ */ a(Filters, {
			database,
			records,
			asked,
			seen,
			onChange: (change) => ask({
				q: typed.trim(),
				...change
			})
		}) : null]
	});
}
function Filters({ database, records, asked, seen, onChange }) {
	const counts = useLoad(async (signal) => records <= COUNTED ? (await analytics(database, signal)).types : null, [database, records]);
	const [tag, write] = d("");
	const known = counts.data ? Object.keys(counts.data) : seen.map((each) => each.type);
	const types = [.../* @__PURE__ */ new Set([...asked.types, ...known])];
	const addTag = () => {
		const added = tag.split(",").map((each) => each.trim()).filter(Boolean);
		write("");
		if (added.length) onChange({ tags: [.../* @__PURE__ */ new Set([...asked.tags, ...added])] });
	};
	return /* @__PURE__ */ a("div", {
		class: "kg-filters",
		children: [/* @__PURE__ */ a("fieldset", { children: [/* @__PURE__ */ a("legend", {
			class: "field-label",
			children: t("Types")
		}), /* @__PURE__ */ a("div", {
			class: "row",
			children: types.map((each) => /* @__PURE__ */ a("button", {
				type: "button",
				class: "kg-chip",
				"aria-pressed": asked.types.includes(each),
				onClick: () => onChange({ types: asked.types.includes(each) ? asked.types.filter((one) => one !== each) : [...asked.types, each] }),
				children: [each, counts.data?.[each] ? /* @__PURE__ */ a("span", {
					class: "number",
					children: counts.data[each]
				}) : null]
			}, each))
		})] }), /* @__PURE__ */ a("div", {
			class: "kg-filter-row",
			children: [
				/* @__PURE__ */ a(Field, {
					label: t("Tags"),
					hint: asked.tags.length ? void 0 : t("Records must have all of them."),
					children: (field) => /* @__PURE__ */ a("div", {
						class: "row",
						children: [/* @__PURE__ */ a("input", {
							...field,
							value: tag,
							placeholder: t("type a tag, press Enter"),
							onInput: (event) => write(event.currentTarget.value),
							onBlur: addTag,
							onKeyDown: (event) => {
								if (event.key === "Enter") {
									event.preventDefault();
									addTag();
								}
							}
						}), asked.tags.map((each) => /* @__PURE__ */ a("span", {
							class: "kg-chip on",
							children: [each, /* @__PURE__ */ a(IconButton, {
								label: t("Remove tag {each}", { each }),
								icon: "close",
								onClick: () => onChange({ tags: asked.tags.filter((one) => one !== each) })
							})]
						}, each))]
					})
				}),
				/* @__PURE__ */ a(Field, {
					label: t("Changed since"),
					children: (field) => /* @__PURE__ */ a("input", {
						...field,
						type: "date",
						value: asked.since,
						max: asked.until,
						onChange: (event) => onChange({ since: event.currentTarget.value })
					})
				}),
				/* @__PURE__ */ a(Field, {
					label: t("Changed until"),
					children: (field) => /* @__PURE__ */ a("input", {
						...field,
						type: "date",
						value: asked.until,
						min: asked.since,
						onChange: (event) => onChange({ until: event.currentTarget.value })
					})
				}),
				asked.types.length + asked.tags.length || asked.since || asked.until ? /* @__PURE__ */ a(Button, {
					kind: "quiet",
					icon: "close",
					onClick: () => onChange({
						types: [],
						tags: [],
						since: "",
						until: ""
					}),
					children: t("Clear filters")
				}) : null
			]
		})]
	});
}
function Result({ found, place: { database, asked, record } }) {
	const strength = found.score >= .5 ? "good" : found.score >= .2 ? "accent" : "plain";
	const words = Object.keys(found.explain?.matched ?? {});
	return /* @__PURE__ */ a("li", {
		class: "kg-result",
		"aria-current": found.id === record ? "true" : void 0,
		children: [
			/* @__PURE__ */ a("div", {
				class: "row kg-result-head",
				children: [
					/* @__PURE__ */ a("a", {
						href: recordAt(database, found.id, asked),
						children: found.title
					}),
					/* @__PURE__ */ a(Badge, { children: found.type }),
					/* @__PURE__ */ a("span", { class: "spring" }),
					asked.q ? /* @__PURE__ */ a(Badge, {
						kind: strength,
						children: [/* @__PURE__ */ a("span", {
							class: "hidden-visually",
							children: [t("Score"), " "]
						}), found.score.toFixed(2)]
					}) : null
				]
			}),
			/* @__PURE__ */ a("p", { children: parts(found.snippet, words).map(({ text, hit }, at) => hit ? /* @__PURE__ */ a("mark", { children: text }, at) : text) }),
			/* @__PURE__ */ a("p", {
				class: "kg-facts hint",
				children: [
					/* @__PURE__ */ a("code", { children: found.id }),
					found.source_type ? /* @__PURE__ */ a("span", { children: rich("from {source_type}", { source_type: found.source_type }) }) : null,
					found.last_updated ? /* @__PURE__ */ a("span", {
						title: whole(found.last_updated),
						children: rich("updated {last_updated}", { last_updated: since(found.last_updated) })
					}) : null,
					found.url ? /* @__PURE__ */ a(Outside, { url: found.url }) : null
				]
			}),
			asked.q && found.explain ? /* @__PURE__ */ a(Explained, {
				found,
				database
			}) : null
		]
	});
}
/** A link that leaves the console; only those that a browser opens without danger. */
function Outside({ url }) {
	if (!/^(https?|mailto):/i.test(url)) return /* @__PURE__ */ a("span", { children: url });
	return /* @__PURE__ */ a("a", {
		href: url,
		target: "_blank",
		rel: "noopener noreferrer",
		children: url.replace(/^https?:\/\//, "")
	});
}
// src/pages/kg-studio/record.tsx
/** One record: what it says, what it is connected to, and a way to change it. */
function RecordPane({ place, onChanged }) {
	const { database, record: id, asked, editing } = place;
	const found = useLoad(async (signal) => {
		const [record, near] = await Promise.all([readRecord(database, id, signal), neighbourhood(database, id, 1, 1e3, { signal })]);
		return {
			record,
			near
		};
	}, [database, id]);
	const changed = () => {
		found.reload();
		onChanged();
	};
	const current = found.data?.record.id === id ? found : {
		...found,
		data: null
	};
	return /* @__PURE__ */ a("article", {
		class: "card kg-record",
		"aria-label": t("Record"),
		children: [/* @__PURE__ */ a("p", {
			class: "row",
			children: /* @__PURE__ */ a("a", {
				href: searchAt(database, asked),
				class: "kg-back",
				children: [/* @__PURE__ */ a(Icon, {
					name: "left",
					size: 16
				}), asked.q ? t("Results for “{q}”", { q: asked.q }) : t("All records")]
			})
		}), /* @__PURE__ */ a(Shown, {
			of: current,
			children: ({ record, near }) => editing ? /* @__PURE__ */ a(Editor, {
				database,
				record,
				onDone: () => {
					changed();
					go(recordAt(database, record.id, asked), true);
				},
				onCancel: () => go(recordAt(database, record.id, asked), true)
			}) : /* @__PURE__ */ a(Read, {
				place,
				record,
				near,
				onChanged: changed,
				onGone: () => {
					go(searchAt(database, asked));
					onChanged();
				}
			})
		})]
	});
}
function Read({ place: { database, asked }, record, near, onChanged, onGone }) {
	const [removing, remove] = d(false);
	const heading = T(null);
	F(() => {
		if (!(document.activeElement instanceof HTMLInputElement)) heading.current.focus({ preventScroll: true });
		heading.current.scrollIntoView({ block: "nearest" });
	}, []);
	const edges = near.edges.filter((edge) => edge.source === record.id || edge.target === record.id).length;
	return /* @__PURE__ */ a($, { children: [
		/* @__PURE__ */ a("header", {
			class: "stack kg-record-head",
			children: [
				/* @__PURE__ */ a("h2", {
					ref: heading,
					tabIndex: -1,
					children: record.title || record.id
				}),
				/* @__PURE__ */ a("div", {
					class: "row",
					children: [
						/* @__PURE__ */ a(Badge, {
							kind: "accent",
							children: record.type
						}),
						/* @__PURE__ */ a("code", { children: record.id }),
						/* @__PURE__ */ a(CopyButton, {
							text: record.id,
							label: t("Copy ID")
						})
					]
				}),
				/* @__PURE__ */ a("div", {
					class: "row",
					children: [
						/* @__PURE__ */ a(Button, {
							icon: "edit",
							onClick: () => go(recordAt(database, record.id, asked, true)),
							children: t("Edit")
						}),
						/* @__PURE__ */ a("a", {
							class: "button plain",
							href: tabAt(database, "graph", {
								around: record.id,
								node: record.id
							}),
							children: [/* @__PURE__ */ a(Icon, {
								name: "graph",
								size: 16
							}), t("Show in graph")]
						}),
						/* @__PURE__ */ a(CopyButton, {
							text: () => location.href,
							label: t("Copy link")
						}),
						/* @__PURE__ */ a(Button, {
							kind: "danger",
							icon: "trash",
							onClick: () => remove(true),
							children: t("Delete")
						})
					]
				})
			]
		}),
		record.text ? /* @__PURE__ */ a("p", {
			class: "as-text kg-text",
			children: record.text
		}) : /* @__PURE__ */ a("p", {
			class: "hint",
			children: t("No text.")
		}),
		record.tags.length ? /* @__PURE__ */ a("ul", {
			class: "row kg-tags",
			"aria-label": t("Tags"),
			children: record.tags.map((tag) => /* @__PURE__ */ a("li", { children: /* @__PURE__ */ a("a", {
				class: "kg-chip",
				href: searchAt(database, { tags: [tag] }),
				children: tag
			}) }, tag))
		}) : null,
		/* @__PURE__ */ a("dl", {
			class: "kg-dl",
			children: [
				record.url ? /* @__PURE__ */ a($, { children: [/* @__PURE__ */ a("dt", { children: t("Address") }), /* @__PURE__ */ a("dd", { children: /* @__PURE__ */ a(Outside, { url: record.url }) })] }) : null,
				record.source_type ? /* @__PURE__ */ a($, { children: [/* @__PURE__ */ a("dt", { children: t("Source") }), /* @__PURE__ */ a("dd", { children: record.source_type })] }) : null,
				record.last_updated ? /* @__PURE__ */ a($, { children: [/* @__PURE__ */ a("dt", { children: t("Updated") }), /* @__PURE__ */ a("dd", {
					title: record.last_updated,
					children: whole(record.last_updated)
				})] }) : null
			]
		}),
		Object.keys(record.metadata).length ? /* @__PURE__ */ a("details", { children: [/* @__PURE__ */ a("summary", { children: t("Metadata") }), /* @__PURE__ */ a(Json, {
			value: record.metadata,
			label: t("Metadata")
		})] }) : null,
		/* @__PURE__ */ a(Edges, {
			database,
			record,
			near,
			onChanged
		}),
		removing ? /* @__PURE__ */ a(Remove, {
			database,
			record,
			edges,
			onClose: () => remove(false),
			onGone
		}) : null
	] });
}
function Remove({ database, record, edges, onClose, onGone }) {
	const [problem, fail] = d(null);
	const [busy, work] = d(false);
	const go = async () => {
		work(true);
		try {
			await deleteRecord(database, record.id);
			toast(t("{title} deleted.", { title: record.title || record.id }));
			onClose();
			onGone();
		} catch (error) {
			fail(said(error));
			work(false);
		}
	};
	return /* @__PURE__ */ a(Dialog, {
		title: t("Delete {title}?", { title: record.title || record.id }),
		onClose,
		children: [
			problem ? /* @__PURE__ */ a(Problem, { error: problem }) : null,
			/* @__PURE__ */ a("p", { children: edges ? plural(edges, "The record and its {count} edge are deleted. This cannot be undone.", "The record and its {count} edges are deleted. This cannot be undone.") : t("The record is deleted. This cannot be undone.") }),
			/* @__PURE__ */ a("div", {
				class: "row",
				children: [
					/* @__PURE__ */ a("span", { class: "spring" }),
					/* @__PURE__ */ a(Button, {
						autofocus: true,
						onClick: onClose,
						children: t("Cancel")
					}),
					/* @__PURE__ */ a(Button, {
						kind: "danger",
						icon: "trash",
						busy,
						onClick: go,
						children: t("Delete")
					})
				]
			})
		]
	});
}
// src/pages/kg-studio.tsx
/** KG Studio: knowledge to search, look around in, teach and count. */
function KgStudio() {
	const place = here();
	const [round, again] = d(0);
	const [gone, bury] = d([]);
	const changed = () => again((count) => count + 1);
	const all = useLoad(listDatabases, [round, written.value]);
	const databases = all.data?.filter((each) => !gone.includes(each.id)) ?? null;
	const asked = T("");
	F(() => void (asked.current = ""), [place.database]);
	A(() => {
		if (!databases || all.loading) return;
		if (!place.database) {
			const first = databases.find((each) => each.id === lastSeen()) ?? databases.toSorted((a, b) => b.records - a.records)[0];
			if (first) go(tabAt(first.id, place.tab, Object.fromEntries(place.query)), true);
		} else if (databases.some((each) => each.id === place.database)) see(place.database);
		else if (asked.current !== place.database && !gone.includes(place.database)) {
			asked.current = place.database;
			all.reload();
		}
	}, [
		place.database,
		databases?.length,
		all.loading
	]);
	return /* @__PURE__ */ a(Shown, {
		of: databases ? {
			...all,
			data: databases
		} : {
			...all,
			data: null
		},
		children: (known) => {
			const chosen = known.find((each) => each.id === place.database);
			return /* @__PURE__ */ a($, { children: [/* @__PURE__ */ a(Databases, {
				databases: known,
				chosen: place.database,
				onMade: () => {
					bury([]);
					changed();
				}
			}), chosen ? /* @__PURE__ */ a(Studio, {
				place,
				database: chosen,
				round: round + written.value,
				onChanged: changed,
				onGone: () => {
					go("kg-studio", true);
					bury([...gone, chosen.id]);
					changed();
				}
			}, chosen.id) : place.database ? all.loading || asked.current !== place.database ? null : /* @__PURE__ */ a(Missing, {
				id: place.database,
				known,
				onRetry: all.reload
			}) : known.length ? null : /* @__PURE__ */ a(Empty, {
				icon: "graph",
				title: t("No databases yet"),
				children: /* @__PURE__ */ a("p", { children: rich("Create one above, or restore the sample: delete {code} in the knowledge folder and restart the server.", { code: /* @__PURE__ */ a("code", { children: ".sample.json" }) }) })
			})] });
		}
	});
}
var SEEN = "antiphon.kg";
function lastSeen() {
	try {
		return localStorage.getItem(SEEN);
	} catch {
		return null;
	}
}
function see(database) {
	try {
		localStorage.setItem(SEEN, database);
	} catch {}
}
function Missing({ id, known, onRetry }) {
	return /* @__PURE__ */ a($, { children: [/* @__PURE__ */ a(Problem, {
		error: t("There is no database {id}. It may have been deleted or renamed.", { id }),
		retry: onRetry
	}), known.length ? /* @__PURE__ */ a("p", { children: rich("Databases: {names}.", { names: known.map((each, at) => /* @__PURE__ */ a($, { children: [at ? ", " : "", /* @__PURE__ */ a("a", {
		href: tabAt(each.id, "search"),
		children: each.title || each.id
	})] })) }) }) : null] });
}
/** Which tab a step of the tour is about. */
var TOUR = {
	"kg-studio-search": "search",
	"kg-studio-results": "search",
	"kg-studio-graph": "graph",
	"kg-studio-ingest": "ingest",
	"kg-studio-analytics": "analytics"
};
function Studio({ place, database, round, onChanged, onGone }) {
	const [deleting, remove] = d(false);
	const { tab } = place;
	const title = database.title || database.id;
	const detail = useLoad((signal) => readDatabase(database.id, signal), [database.id, round]);
	const now = guided.value;
	const step = now?.page === "kg-studio" ? now.tour.steps[now.index]?.target : void 0;
	A(() => {
		const wanted = Object.entries(TOUR).find(([name]) => step?.includes(`"${name}"`))?.[1];
		if (wanted && wanted !== here().tab) go(tabAt(database.id, wanted), true);
	}, [step]);
	const panel = (id) => ({
		role: "tabpanel",
		"aria-label": TABS.find((each) => each.id === id).title,
		hidden: tab !== id,
		class: "kg-panel"
	});
	return /* @__PURE__ */ a($, { children: [
		/* @__PURE__ */ a("div", {
			class: "kg-head",
			children: [/* @__PURE__ */ a(Tabs, {
				label: t("Views of {title}", { title }),
				tabs: TABS,
				chosen: tab,
				onChoose: (id) => go(tabAt(database.id, id))
			}), /* @__PURE__ */ a("div", {
				class: "row",
				children: [/* @__PURE__ */ a("a", {
					class: "button quiet",
					href: newRecordAt(database.id),
					children: [/* @__PURE__ */ a(Icon, {
						name: "plus",
						size: 16
					}), t("New record")]
				}), /* @__PURE__ */ a(Button, {
					kind: "quiet",
					icon: "trash",
					onClick: () => remove(true),
					children: t("Delete {title}…", { title })
				})]
			})]
		}),
		tab === "search" && place.record === null && !place.editing && (database.description || detail.data?.pending) ? /* @__PURE__ */ a("p", {
			class: "hint",
			children: [database.description, detail.data?.pending ? ` ${plural(detail.data.pending, "{count} record is waiting to be embedded; full-text search finds it already.", "{count} records are waiting to be embedded; full-text search finds them already.")}` : ""]
		}) : null,
		/* @__PURE__ */ a("div", {
			...panel("search"),
			children: tab === "search" ? /* @__PURE__ */ a(SearchTab, {
				place,
				database,
				round,
				onChanged
			}) : null
		}),
		/* @__PURE__ */ a("div", {
			...panel("graph"),
			"data-tour": "kg-studio-graph",
			children: tab === "graph" ? /* @__PURE__ */ a(GraphTab, {
				place,
				records: database.records,
				round
			}) : null
		}),
		/* @__PURE__ */ a("div", {
			...panel("ingest"),
			"data-tour": "kg-studio-ingest",
			children: tab === "ingest" ? /* @__PURE__ */ a(IngestTab, {
				place,
				title
			}) : null
		}),
		/* @__PURE__ */ a("div", {
			...panel("analytics"),
			"data-tour": "kg-studio-analytics",
			children: tab === "analytics" ? /* @__PURE__ */ a(AnalyticsTab, {
				database: database.id,
				round
			}) : null
		}),
		deleting ? /* @__PURE__ */ a(Unmake, {
			database,
			onClose: () => remove(false),
			onGone
		}) : null
	] });
}
function SearchTab({ place, database, round, onChanged }) {
	const { record, editing, asked } = place;
	return /* @__PURE__ */ a("div", {
		class: `kg-split ${record !== null || editing ? "open" : ""}`,
		children: [/* @__PURE__ */ a("div", {
			class: "kg-side",
			children: /* @__PURE__ */ a(Search, {
				place,
				records: database.records,
				round
			})
		}), record !== null ? /* @__PURE__ */ a(RecordPane, {
			place,
			onChanged
		}, record) : editing ? /* @__PURE__ */ a("article", {
			class: "card kg-record",
			children: /* @__PURE__ */ a(Editor, {
				database: database.id,
				record: null,
				onCancel: () => go(searchAt(database.id, asked)),
				onDone: (id) => {
					onChanged();
					go(recordAt(database.id, id));
				}
			})
		}) : null]
	});
}
export { KgStudio as default };

import { d, l as T, m as $, o as A, t as a } from "./vendor-preact.js";
import { c as said, o as post, r as get } from "./http.js";
import { r as useLoad } from "./load.js";
import { c as rich, l as t, s as plural } from "./app.js";
import { a as at, d as route, o as go } from "./router.js";
import { a as named, d as settled, n as askById, o as openQuestions } from "./confirmations.js";
import { r as toast } from "./toasts.js";
import { t as Drawer } from "./drawer.js";
import { n as filtersInAddress, t as FilterChips } from "./filter-chips.js";
import { a as Empty, d as Shown, n as Button, o as Field, t as Badge } from "./kit.js";
import { t as useReload } from "./poll.js";
import { n as cannotBeUndone, t as Fields } from "./confirm.js";
import { a as fullTime, n as briefAgo } from "./time.js";
import { it as useNow } from "./start.js";
/* empty css     */
// src/pages/inbox/shapes.ts
/** Questions of all sessions, open and settled. */
var FILTERS = [
	"status",
	"tool",
	"risk",
	"session_id"
];
var STATUSES = {
	pending: t("Open"),
	approved: t("Approved"),
	denied: t("Denied"),
	expired: t("Expired"),
	void: t("Withdrawn")
};
var KINDS = {
	pending: "accent",
	approved: "good",
	denied: "plain",
	expired: "plain",
	void: "plain"
};
var ABOUT = {
	pending: t("Waiting for an answer."),
	approved: t("It was approved and ran."),
	denied: t("It was denied and did not run."),
	expired: t("No one answered in time, so it did not run."),
	void: t("The conversation ended or the tools changed first, so it did not run.")
};
/** Who settled it and how, in one sentence. */
function settledHow({ status, answered_by: by, via }) {
	if (!by || status === "pending") return ABOUT[status];
	const you = by === "local";
	if (via === "voice") return status === "approved" ? t("Approved by voice.") : t("Denied by voice.");
	if (status === "approved") return you ? t("You approved it.") : t("{who} approved it.", { who: by });
	return you ? t("You denied it.") : t("{who} denied it.", { who: by });
}
/** A value as one line of text. */
function brief(value) {
	if (value === void 0 || value === null || value === "") return t("not set");
	return typeof value === "string" ? value : JSON.stringify(value);
}
// src/pages/inbox/detail.tsx
function Detail({ id, onAnswer }) {
	const loaded = useLoad((signal) => load(id, signal), [id]);
	return /* @__PURE__ */ a(Shown, {
		of: loaded,
		children: (row) => /* @__PURE__ */ a(Whole, {
			row,
			onAnswer
		})
	});
}
/** With the values, where it is still open and this person may see them. */
async function load(id, signal) {
	const path = `/api/confirmations/${encodeURIComponent(id)}`;
	const row = await get(path, { signal });
	return row.status === "pending" ? get(path, {
		query: { session_id: row.session_id },
		signal
	}) : row;
}
function Whole({ row, onAnswer }) {
	const open = row.status === "pending";
	const changes = Object.entries(row.changes);
	const fields = row.fields?.filter((field) => !field.empty) ?? [];
	return /* @__PURE__ */ a($, { children: [
		/* @__PURE__ */ a("p", {
			class: "row",
			children: [/* @__PURE__ */ a(Badge, {
				kind: KINDS[row.status],
				children: STATUSES[row.status]
			}), /* @__PURE__ */ a("span", {
				class: "hint",
				children: settledHow(row)
			})]
		}),
		/* @__PURE__ */ a("p", {
			class: "inbox-sentence",
			children: row.title || row.preview
		}),
		fields.length ? /* @__PURE__ */ a(Fields, { fields }) : row.title ? /* @__PURE__ */ a("p", {
			class: "hint",
			children: row.preview
		}) : null,
		open ? /* @__PURE__ */ a(Answering, {
			row,
			onAnswer
		}) : null,
		changes.length ? /* @__PURE__ */ a("section", {
			class: "stack",
			"aria-label": t("Changed values"),
			children: [/* @__PURE__ */ a("h3", { children: t("Changed before approval") }), /* @__PURE__ */ a("dl", {
				class: "confirm-fields",
				children: changes.map(([name, { asked, approved }]) => /* @__PURE__ */ a("div", { children: [/* @__PURE__ */ a("dt", { children: name }), /* @__PURE__ */ a("dd", { children: [
					/* @__PURE__ */ a("del", {
						class: "muted",
						children: brief(asked)
					}),
					" ",
					brief(approved)
				] })] }, name))
			})]
		}) : null,
		/* @__PURE__ */ a("dl", {
			class: "facts",
			children: [
				/* @__PURE__ */ a("div", { children: [/* @__PURE__ */ a("dt", { children: t("Tool") }), /* @__PURE__ */ a("dd", { children: /* @__PURE__ */ a("a", {
					href: at("tools", [row.tool]),
					children: row.tool
				}) })] }),
				/* @__PURE__ */ a("div", { children: [/* @__PURE__ */ a("dt", { children: t("Risk") }), /* @__PURE__ */ a("dd", { children: cannotBeUndone(row) ? t("High, cannot be undone") : row.risk === "high" ? t("High") : t("Low") })] }),
				/* @__PURE__ */ a("div", { children: [/* @__PURE__ */ a("dt", { children: t("Asked") }), /* @__PURE__ */ a("dd", { children: fullTime(row.created_at) })] }),
				/* @__PURE__ */ a("div", { children: [/* @__PURE__ */ a("dt", { children: row.resolved_at ? t("Answered") : t("Expires") }), /* @__PURE__ */ a("dd", { children: fullTime(row.resolved_at ?? row.expires_at) })] }),
				/* @__PURE__ */ a("div", { children: [/* @__PURE__ */ a("dt", { children: t("Session") }), /* @__PURE__ */ a("dd", { children: /* @__PURE__ */ a("a", {
					href: at("sessions", [row.session_id]),
					children: row.session_id.slice(0, 12)
				}) })] }),
				row.rule ? /* @__PURE__ */ a("div", { children: [/* @__PURE__ */ a("dt", { children: t("Rule") }), /* @__PURE__ */ a("dd", { children: /* @__PURE__ */ a("code", { children: row.rule }) })] }) : null,
				row.audit_seq ? /* @__PURE__ */ a("div", { children: [/* @__PURE__ */ a("dt", { children: t("Audit") }), /* @__PURE__ */ a("dd", { children: /* @__PURE__ */ a("a", {
					href: at("audit", [], { line: String(row.audit_seq) }),
					children: t("Line {number}", { number: String(row.audit_seq) })
				}) })] }) : null
			]
		})
	] });
}
function Answering({ row, onAnswer }) {
	const [name, type] = d("");
	const waits = row.approvals > 1 && row.approved_by.length > 0;
	return /* @__PURE__ */ a("form", {
		class: "stack inbox-answer",
		onSubmit: (event) => {
			event.preventDefault();
			onAnswer(row, name.trim());
		},
		children: [
			row.approvals > 1 ? /* @__PURE__ */ a("p", {
				class: "hint",
				children: waits ? rich("Approved by {names}. A second person must approve it too.", { names: /* @__PURE__ */ a("b", { children: row.approved_by.join(", ") }) }) : t("Two people must approve this. After you, a second person is asked.")
			}) : null,
			waits ? /* @__PURE__ */ a(Field, {
				label: t("Second person"),
				hint: t("The name of the person who approves now. Leave it empty if you are signed in under your own name."),
				children: (field) => /* @__PURE__ */ a("input", {
					...field,
					type: "text",
					autocomplete: "off",
					maxLength: 200,
					value: name,
					onInput: (event) => type(event.currentTarget.value)
				})
			}) : null,
			/* @__PURE__ */ a("div", {
				class: "row",
				children: /* @__PURE__ */ a(Button, {
					kind: "primary",
					type: "submit",
					icon: "shield",
					children: t("Review…")
				})
			})
		]
	});
}
// src/pages/inbox/rows.tsx
function Rows({ rows, here, filters, chosen, onChoose }) {
	const open = rows.filter((row) => row.status === "pending");
	const people = new Set(rows.map((row) => row.user)).size > 1;
	const all = open.length > 0 && open.every((row) => chosen.has(row.id));
	return /* @__PURE__ */ a($, { children: [open.length > 1 ? /* @__PURE__ */ a("label", {
		class: "inbox-all",
		children: [/* @__PURE__ */ a("input", {
			type: "checkbox",
			checked: all,
			onChange: () => onChoose(all ? /* @__PURE__ */ new Set() : new Set(open.map((row) => row.id)))
		}), t("Select all open approvals")]
	}) : null, /* @__PURE__ */ a("ul", {
		class: "rows inbox-rows",
		children: rows.map((row) => /* @__PURE__ */ a("li", { children: /* @__PURE__ */ a(Row, {
			row,
			here: row.id === here,
			filters,
			people,
			chosen,
			onChoose
		}) }, row.id))
	})] });
}
function Row({ row, here, filters, people, chosen, onChoose }) {
	const link = T(null);
	A(() => {
		if (here) link.current?.scrollIntoView({ block: "nearest" });
	}, [here]);
	const open = row.status === "pending";
	const flip = () => {
		const next = new Set(chosen);
		if (!next.delete(row.id)) next.add(row.id);
		onChoose(next);
	};
	return /* @__PURE__ */ a("div", {
		class: "inbox-row",
		children: [/* @__PURE__ */ a("span", {
			class: "inbox-pick",
			children: open ? /* @__PURE__ */ a("input", {
				type: "checkbox",
				checked: chosen.has(row.id),
				onChange: flip,
				"aria-label": t("Select: {what}", { what: named(row) })
			}) : null
		}), /* @__PURE__ */ a("a", {
			class: "rows-item",
			ref: link,
			href: at("inbox", [row.id], filters),
			"aria-current": here ? "true" : void 0,
			children: [
				/* @__PURE__ */ a("span", {
					class: "rows-title",
					title: named(row),
					children: named(row)
				}),
				row.approvals > 1 ? /* @__PURE__ */ a("span", {
					class: "rows-wide",
					children: /* @__PURE__ */ a(Badge, { children: t("{done} of {count} approved", {
						done: open ? row.approved_by.length : row.status === "approved" ? row.approvals : row.approved_by.length,
						count: row.approvals
					}) })
				}) : null,
				/* @__PURE__ */ a("code", {
					class: "rows-wide muted",
					children: row.tool
				}),
				people ? /* @__PURE__ */ a("span", {
					class: "rows-wide muted",
					children: row.user
				}) : null,
				/* @__PURE__ */ a("span", {
					title: settledHow(row),
					children: /* @__PURE__ */ a(Badge, {
						kind: KINDS[row.status],
						children: STATUSES[row.status]
					})
				}),
				open ? /* @__PURE__ */ a(Left, { until: row.expires_at }) : /* @__PURE__ */ a("time", {
					class: "number muted",
					title: fullTime(row.created_at),
					children: briefAgo(row.resolved_at ?? row.created_at)
				})
			]
		})]
	});
}
/** How long an answer is waited for. */
function Left({ until }) {
	const now = useNow(1e3);
	if (until * 1e3 <= now) return /* @__PURE__ */ a("span", {
		class: "number muted",
		children: t("expires now")
	});
	return /* @__PURE__ */ a("time", {
		class: "number muted",
		title: t("Expires {when}", { when: fullTime(until) }),
		children: t("{left} left", { left: clock(until - now / 1e3) })
	});
}
var clock = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
// src/pages/inbox.tsx
/** Approvals: every question before something happens, of all sessions, open and settled. */
var POLL_MS = 1e4;
var PAGE = 100;
var toolNames = () => get("/api/tools").then((found) => found.tools.map((tool) => tool.toolId));
var CHOICES = [
	{
		id: "status",
		label: t("Status"),
		options: Object.entries(STATUSES).map(([value, label]) => ({
			value,
			label
		}))
	},
	{
		id: "tool",
		label: t("Tool"),
		suggest: toolNames
	},
	{
		id: "risk",
		label: t("Risk"),
		options: [{
			value: "low",
			label: t("Low")
		}, {
			value: "high",
			label: t("High")
		}]
	},
	{
		id: "session_id",
		label: t("Session ID")
	}
];
var READY = [
	{
		title: t("Open"),
		values: () => ({ status: "pending" })
	},
	{
		title: t("Approved"),
		values: () => ({ status: "approved" })
	},
	{
		title: t("Expired"),
		values: () => ({ status: "expired" })
	}
];
function Inbox() {
	const filters = filtersInAddress(FILTERS);
	const key = JSON.stringify(filters);
	const [older, add] = d(null);
	const [chosen, choose] = d(/* @__PURE__ */ new Set());
	const loaded = useLoad((signal) => ask(filters, null, signal), [key]);
	useReload(loaded, POLL_MS);
	A(() => add(null), [key]);
	A(() => loaded.reload(), [openQuestions.value]);
	const rows = [...loaded.data?.confirmations ?? [], ...older?.confirmations ?? []];
	const next = older ? older.next : loaded.data?.next ?? null;
	const here = route.value.rest[0] ?? "";
	const place = rows.findIndex((each) => each.id === here);
	const open = (id) => go(at("inbox", [id], filters), true);
	const more = async () => {
		try {
			const page = await ask(filters, next);
			add({
				...page,
				confirmations: [...older?.confirmations ?? [], ...page.confirmations]
			});
		} catch (error) {
			toast(said(error), { kind: "bad" });
		}
	};
	const deny = async () => {
		try {
			const denied = await denyAll([...chosen]);
			toast(plural(denied, "{count} approval denied. Nothing was done.", "{count} approvals denied. Nothing was done."));
			choose(/* @__PURE__ */ new Set());
		} catch (error) {
			toast(said(error), { kind: "bad" });
		}
		loaded.reload();
	};
	return /* @__PURE__ */ a("div", {
		class: "with-drawer inbox",
		children: [/* @__PURE__ */ a("section", {
			class: "stack inbox-main",
			"aria-label": t("Approvals"),
			"data-tour": "inbox-list",
			children: [/* @__PURE__ */ a(FilterChips, {
				label: t("Filters"),
				tour: "inbox-filters",
				filters: CHOICES,
				values: filters,
				ready: READY,
				onChange: (values) => go(at("inbox", route.value.rest, values), true),
				children: chosen.size ? /* @__PURE__ */ a(Button, {
					icon: "close",
					onClick: () => void deny(),
					children: plural(chosen.size, "Deny {count}", "Deny {count}")
				}) : null
			}), /* @__PURE__ */ a(Shown, {
				of: loaded,
				children: (data) => /* @__PURE__ */ a($, { children: [
					/* @__PURE__ */ a("p", {
						class: "hint",
						role: "status",
						"data-tour": "inbox-count",
						children: plural(data.open, "{count} open approval", "{count} open approvals")
					}),
					rows.length ? /* @__PURE__ */ a(Rows, {
						rows,
						here,
						filters,
						chosen,
						onChoose: choose
					}) : /* @__PURE__ */ a(Nothing, { filtered: Object.values(filters).some(Boolean) }),
					next ? /* @__PURE__ */ a("div", {
						class: "row",
						children: /* @__PURE__ */ a(Button, {
							onClick: () => void more(),
							children: t("Show older")
						})
					}) : null
				] })
			})]
		}), here ? /* @__PURE__ */ a(Drawer, {
			title: titleOf(rows[place]),
			onClose: () => go(at("inbox", [], filters)),
			onPrev: place > 0 ? () => open(rows[place - 1].id) : null,
			onNext: place >= 0 && rows[place + 1] ? () => open(rows[place + 1].id) : null,
			children: /* @__PURE__ */ a(Detail, {
				id: here,
				onAnswer: (row, user) => void answer(row, user, loaded.reload)
			}, `${here} ${rows[place]?.status ?? ""} ${rows[place]?.approved_by.length ?? 0}`)
		}) : null]
	});
}
function ask(filters, before, signal) {
	const set = Object.fromEntries(Object.entries(filters).filter(([, value]) => value));
	return get("/api/confirmations", {
		query: {
			...set,
			limit: PAGE,
			...before ? { before } : {}
		},
		...signal ? { signal } : {}
	});
}
/** Denies many at once, without a question each. How many were denied. */
async function denyAll(ids) {
	const { denied, results } = await post("/api/confirmations/deny", { ids });
	for (const { id, outcome } of results) if (outcome && outcome !== "pending") settled({
		id,
		outcome
	}, "here");
	return denied;
}
async function answer(row, user, done) {
	try {
		await askById(row.id, row.session_id, user || void 0);
	} catch (error) {
		toast(said(error), { kind: "bad" });
	}
	done();
}
var titleOf = (row) => row ? named(row) : t("Question");
function Nothing({ filtered }) {
	if (filtered) return /* @__PURE__ */ a(Empty, {
		icon: "search",
		title: t("No approval matches these filters"),
		children: /* @__PURE__ */ a("p", { children: /* @__PURE__ */ a("a", {
			href: at("inbox"),
			children: t("Clear filters")
		}) })
	});
	return /* @__PURE__ */ a(Empty, {
		icon: "shield",
		title: t("Nothing to approve"),
		children: /* @__PURE__ */ a("p", { children: t("The agent asks you before it changes anything important. Open approvals wait here, along with past decisions.") })
	});
}
export { Inbox as default };

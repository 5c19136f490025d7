import { a as y, d, t as a } from "./vendor-preact.js";
import { f as prefer, l as t, p as prefs } from "./app.js";
import { n as Chart, t as Sparkline } from "./sparkline.js";
import { n as Count } from "./start.js";
import { t as Drawer } from "./drawer.js";
import { t as FilterChips } from "./filter-chips.js";
import { n as GateStrip, t as GateList } from "./gates.js";
import { n as TypeMark } from "./legend.js";
import { n as Icon, t as ICONS } from "./icons.js";
import { a as Empty, c as Json, f as Spinner, i as CopyButton, l as Loading, m as Tabs, n as Button, o as Field, p as Switch, r as Card, s as IconButton, t as Badge, u as Problem } from "./kit.js";
import { t as Markdown } from "./markdown.js";
import { t as Readable } from "./readable.js";
import { t as SchemaForm } from "./form.js";
import { i as duration } from "./time.js";
import { i as Calls, n as Words } from "./words3.js";
/* empty css     */
// src/pages/gallery.tsx
/** Every piece that pages are made of, in every state: to look at, and compared picture by picture by a test. */
var THEMES = [
	"light",
	"dark",
	"high-contrast"
];
var COLOURS = [
	"ground",
	"surface",
	"raised",
	"line",
	"line-strong",
	"mark",
	"text",
	"muted",
	"accent",
	"accent-soft",
	"second",
	"second-soft",
	"good",
	"good-soft",
	"bad",
	"bad-soft",
	"warn",
	"warn-soft"
];
var SIZES = [
	"xs",
	"s",
	"m",
	"read",
	"l",
	"xl",
	"xxl"
];
var KINDS = [
	"person",
	"org",
	"project",
	"event",
	"doc",
	"place",
	"term",
	"link",
	"process",
	"client",
	"note",
	"fact"
];
/** The same at every look: a test compares it. */
var BEGIN = 17e8;
var WAVE = Array.from({ length: 36 }, (_, at) => 40 + Math.round(30 * Math.sin(at / 4)) + at % 5 * 4);
var TIMES = WAVE.map((_, at) => BEGIN + at * 10);
var LATENCY = {
	times: TIMES,
	series: [
		{
			label: "p50",
			values: WAVE
		},
		{
			label: "p95",
			values: WAVE.map((value) => value * 1.8)
		},
		{
			label: "p99",
			values: WAVE.map((value, at) => at % 6 ? null : value * 2.4)
		}
	]
};
var CALLS = {
	times: TIMES,
	counts: true,
	series: [
		{
			label: "succeeded",
			values: WAVE.map((value) => value % 9)
		},
		{
			label: "refused",
			values: WAVE.map((value) => value % 3)
		},
		{
			label: "failed",
			values: WAVE.map((value) => value % 7 ? 0 : 1)
		}
	]
};
var SCHEMA = {
	type: "object",
	required: ["title"],
	properties: {
		title: {
			type: "string",
			description: "What it is called.",
			maxLength: 80
		},
		minutes: {
			type: "integer",
			minimum: 5,
			maximum: 480,
			default: 30
		},
		kind: { enum: [
			"call",
			"visit",
			"letter"
		] },
		urgent: { type: "boolean" }
	}
};
var ROWS = [
	{
		tool: "kb_search",
		calls: 128,
		p95: "41 ms",
		state: "ok"
	},
	{
		tool: "calendar_create_event",
		calls: 9,
		p95: "171 ms",
		state: "asks first"
	},
	{
		tool: "calculator",
		calls: 1204,
		p95: "3 ms",
		state: "ok"
	}
];
var FILTERS = [
	{
		id: "tool",
		label: "Tool"
	},
	{
		id: "since",
		label: "From"
	},
	{
		id: "user",
		label: "User"
	}
];
var GATES = [
	{
		id: "known",
		outcome: "passed",
		rule: null
	},
	{
		id: "session",
		outcome: "passed",
		rule: null
	},
	{
		id: "shape",
		outcome: "idle",
		rule: null
	},
	{
		id: "confirmation",
		outcome: "asked",
		rule: "confirmation.required"
	},
	{
		id: "run",
		outcome: "not_reached",
		rule: null
	}
];
var SOURCES = y(/* @__PURE__ */ new Map([["project:harbor_light", {
	title: "Harbor Light",
	snippet: "",
	database: "studio"
}]]));
var ANSWER = "Kenji Okuhara leads Harbor Light. (project:harbor_light)";
var HEARD = "This was said to its end, and this was not heard any more.";
var call = (id, name, args, result) => ({
	kind: "tool",
	id,
	at: BEGIN,
	callId: null,
	name,
	args,
	decision: {
		outcome: "run",
		rule: "run"
	},
	here: false,
	consent: y(null),
	outcome: y({
		ok: true,
		result,
		error: null,
		errorType: null,
		durationMs: 120,
		replayed: false,
		meta: {}
	})
});
var CALLED = [call(1, "kb_search", {
	query: "Who leads Harbor Light?",
	namespace: "studio"
}, { results: [{}, {}] })];
var GUIDE = "### A guide\n\nWords *lean*, are **strong** or `code`, and [lead on](#/tools).\n\n- 2*pi is a product\n- a list has items\n\n> What somebody said.\n\n```\ncurl -s localhost:8080/api/tools\n```";
function Gallery() {
	const [tab, choose] = d("one");
	const [on, turn] = d(true);
	const [filters, filter] = d({
		tool: "kb_search",
		since: "",
		user: "ada"
	});
	const [value, write] = d({
		title: "Review",
		minutes: 45
	});
	return /* @__PURE__ */ a("div", {
		class: "gallery",
		children: [
			/* @__PURE__ */ a("p", {
				class: "row gallery-themes",
				role: "group",
				"aria-label": t("Theme"),
				children: THEMES.map((theme) => /* @__PURE__ */ a(Button, {
					"aria-pressed": prefs.value.theme === theme,
					onClick: () => prefer({ theme }),
					children: theme
				}, theme))
			}),
			/* @__PURE__ */ a(Part, {
				title: t("Colours"),
				children: /* @__PURE__ */ a("ul", {
					class: "gallery-colours",
					children: COLOURS.map((name) => /* @__PURE__ */ a("li", { children: [/* @__PURE__ */ a("i", { style: { background: `var(--${name})` } }), /* @__PURE__ */ a("code", { children: name })] }, name))
				})
			}),
			/* @__PURE__ */ a(Part, {
				title: t("Type"),
				children: [SIZES.map((size) => /* @__PURE__ */ a("p", {
					style: { fontSize: `var(--text-${size})` },
					children: ["Grüße, 0123456789 ", /* @__PURE__ */ a("span", {
						class: "muted",
						children: size
					})]
				}, size)), /* @__PURE__ */ a("p", { children: [
					/* @__PURE__ */ a("code", { children: "code" }),
					" ",
					/* @__PURE__ */ a("kbd", { children: "Ctrl" }),
					" ",
					/* @__PURE__ */ a("kbd", { children: "K" }),
					" ",
					/* @__PURE__ */ a("a", {
						href: "#/gallery",
						children: t("A link")
					}),
					" ",
					/* @__PURE__ */ a("mark", { children: t("found") })
				] })]
			}),
			/* @__PURE__ */ a(Part, {
				title: t("Buttons"),
				children: [
					/* @__PURE__ */ a("div", {
						class: "row",
						children: [
							/* @__PURE__ */ a(Button, {
								kind: "primary",
								icon: "play",
								children: t("Run")
							}),
							/* @__PURE__ */ a(Button, {
								icon: "edit",
								children: t("Edit")
							}),
							/* @__PURE__ */ a(Button, {
								kind: "danger",
								icon: "trash",
								children: t("Delete")
							}),
							/* @__PURE__ */ a(Button, {
								kind: "quiet",
								children: t("Cancel")
							})
						]
					}),
					/* @__PURE__ */ a("div", {
						class: "row",
						children: [
							/* @__PURE__ */ a(Button, {
								kind: "primary",
								disabled: true,
								children: t("Run")
							}),
							/* @__PURE__ */ a(Button, {
								disabled: true,
								children: t("Edit")
							}),
							/* @__PURE__ */ a(Button, {
								kind: "danger",
								disabled: true,
								children: t("Delete")
							}),
							/* @__PURE__ */ a(Button, {
								kind: "primary",
								busy: true,
								children: t("Save")
							})
						]
					}),
					/* @__PURE__ */ a("div", {
						class: "row",
						children: [
							/* @__PURE__ */ a(Button, {
								"aria-pressed": true,
								children: t("Pressed")
							}),
							/* @__PURE__ */ a(CopyButton, { text: "x" }),
							/* @__PURE__ */ a(IconButton, {
								label: t("Settings"),
								icon: "settings"
							}),
							/* @__PURE__ */ a(IconButton, {
								label: t("Close"),
								icon: "close",
								disabled: true
							})
						]
					})
				]
			}),
			/* @__PURE__ */ a(Part, {
				title: t("Fields"),
				children: [
					/* @__PURE__ */ a(Field, {
						label: t("Title"),
						hint: t("At most 80 characters."),
						children: (field) => /* @__PURE__ */ a("input", {
							...field,
							value: "Review",
							readOnly: true
						})
					}),
					/* @__PURE__ */ a(Field, {
						label: t("Empty"),
						children: (field) => /* @__PURE__ */ a("input", {
							...field,
							placeholder: t("Type here")
						})
					}),
					/* @__PURE__ */ a(Field, {
						label: t("Wrong"),
						error: t("This is not a number."),
						children: (field) => /* @__PURE__ */ a("input", {
							...field,
							value: "abc",
							readOnly: true
						})
					}),
					/* @__PURE__ */ a(Field, {
						label: t("Disabled"),
						children: (field) => /* @__PURE__ */ a("input", {
							...field,
							value: "fixed",
							disabled: true
						})
					}),
					/* @__PURE__ */ a(Field, {
						label: t("Choice"),
						children: (field) => /* @__PURE__ */ a("select", {
							...field,
							children: [/* @__PURE__ */ a("option", { children: "Server default" }), /* @__PURE__ */ a("option", { children: "Gemini" })]
						})
					}),
					/* @__PURE__ */ a(Field, {
						label: t("Date"),
						children: (field) => /* @__PURE__ */ a("input", {
							...field,
							type: "date",
							value: "2026-11-16"
						})
					}),
					/* @__PURE__ */ a(Field, {
						label: t("Time"),
						children: (field) => /* @__PURE__ */ a("input", {
							...field,
							type: "time",
							value: "15:30"
						})
					}),
					/* @__PURE__ */ a(Field, {
						label: t("Text"),
						children: (field) => /* @__PURE__ */ a("textarea", {
							...field,
							rows: 2,
							value: "Two lines\nof text",
							readOnly: true
						})
					})
				]
			}),
			/* @__PURE__ */ a(Part, {
				title: t("Choices"),
				children: [
					/* @__PURE__ */ a(Switch, {
						label: t("Captions"),
						checked: on,
						onChange: turn,
						hint: t("What is spoken also appears in large letters.")
					}),
					/* @__PURE__ */ a(Switch, {
						label: t("Off"),
						checked: false,
						onChange: () => {}
					}),
					/* @__PURE__ */ a("div", {
						class: "row",
						children: [
							/* @__PURE__ */ a("label", {
								class: "row",
								children: [/* @__PURE__ */ a("input", {
									type: "checkbox",
									checked: true,
									readOnly: true
								}), t("On")]
							}),
							/* @__PURE__ */ a("label", {
								class: "row",
								children: [/* @__PURE__ */ a("input", { type: "checkbox" }), t("Off")]
							}),
							/* @__PURE__ */ a("label", {
								class: "row",
								children: [/* @__PURE__ */ a("input", {
									type: "checkbox",
									checked: true,
									disabled: true
								}), t("Disabled")]
							}),
							/* @__PURE__ */ a("label", {
								class: "row",
								children: [/* @__PURE__ */ a("input", {
									type: "radio",
									name: "gallery",
									checked: true,
									readOnly: true
								}), t("One")]
							}),
							/* @__PURE__ */ a("label", {
								class: "row",
								children: [/* @__PURE__ */ a("input", {
									type: "radio",
									name: "gallery"
								}), t("Two")]
							})
						]
					}),
					/* @__PURE__ */ a("input", {
						type: "range",
						"aria-label": t("Level"),
						min: 0,
						max: 10,
						value: 4,
						readOnly: true
					}),
					/* @__PURE__ */ a("progress", {
						"aria-label": t("Progress"),
						value: .4
					})
				]
			}),
			/* @__PURE__ */ a(Part, {
				title: t("Badges"),
				children: [/* @__PURE__ */ a("p", {
					class: "row",
					children: [
						"plain",
						"accent",
						"second",
						"good",
						"warn",
						"bad"
					].map((kind) => /* @__PURE__ */ a(Badge, {
						kind,
						children: kind
					}, kind))
				}), /* @__PURE__ */ a("p", {
					class: "row",
					children: KINDS.map((kind) => /* @__PURE__ */ a("span", {
						class: "row gallery-kind",
						children: [/* @__PURE__ */ a(TypeMark, { type: kind }), kind]
					}, kind))
				})]
			}),
			/* @__PURE__ */ a(Part, {
				title: t("Tabs and lists"),
				children: [/* @__PURE__ */ a(Tabs, {
					label: t("Views"),
					tabs: [
						{
							id: "one",
							title: "Search"
						},
						{
							id: "two",
							title: "Graph"
						},
						{
							id: "three",
							title: "Add"
						}
					],
					chosen: tab,
					onChoose: choose
				}), /* @__PURE__ */ a("ul", {
					class: "list",
					children: ROWS.map((row, at) => /* @__PURE__ */ a("li", { children: /* @__PURE__ */ a("button", {
						type: "button",
						class: "list-item",
						"aria-current": at === 1 ? "true" : void 0,
						children: [/* @__PURE__ */ a("strong", {
							class: "cut",
							children: row.tool
						}), /* @__PURE__ */ a("small", { children: row.state })]
					}) }, row.tool))
				})]
			}),
			/* @__PURE__ */ a(Part, {
				title: t("Nothing, loading, wrong"),
				children: [
					/* @__PURE__ */ a(Empty, {
						icon: "folder",
						title: t("No projects yet"),
						action: /* @__PURE__ */ a(Button, {
							kind: "primary",
							icon: "plus",
							children: t("New project")
						}),
						children: t("A project collects everything that mentions it.")
					}),
					/* @__PURE__ */ a(Loading, {}),
					/* @__PURE__ */ a("p", {
						class: "row",
						children: [
							/* @__PURE__ */ a(Spinner, {}),
							" ",
							t("Loading")
						]
					}),
					/* @__PURE__ */ a(Problem, {
						error: t("The server cannot be reached."),
						retry: () => {}
					})
				]
			}),
			/* @__PURE__ */ a(Part, {
				title: t("Notices"),
				children: [
					"info",
					"good",
					"bad"
				].map((kind) => /* @__PURE__ */ a("div", {
					class: `toast ${kind}`,
					children: [/* @__PURE__ */ a(Icon, {
						name: kind === "bad" ? "warn" : kind === "good" ? "check" : "info",
						size: 16
					}), /* @__PURE__ */ a("span", {
						class: "toast-text",
						children: kind === "bad" ? t("The browser did not allow copying.") : t("Saved.")
					})]
				}, kind))
			}),
			/* @__PURE__ */ a(Part, {
				title: t("An answer"),
				children: [
					/* @__PURE__ */ a(Words, {
						text: ANSWER,
						heard: null,
						evidence: [],
						sources: SOURCES,
						onSource: void 0
					}),
					/* @__PURE__ */ a("div", {
						role: "list",
						children: /* @__PURE__ */ a(Calls, { calls: CALLED })
					}),
					/* @__PURE__ */ a("div", {
						class: "entry",
						children: /* @__PURE__ */ a(Words, {
							text: HEARD,
							heard: 26,
							evidence: [],
							sources: SOURCES,
							onSource: void 0
						})
					})
				]
			}),
			/* @__PURE__ */ a(Part, {
				title: t("Gates"),
				children: [
					/* @__PURE__ */ a(GateStrip, {
						gates: GATES,
						rules: null
					}),
					/* @__PURE__ */ a(GateList, {
						gates: GATES,
						rules: null
					}),
					/* @__PURE__ */ a("p", {
						class: "row",
						children: [
							t("Activity"),
							" ",
							/* @__PURE__ */ a(Count, {
								of: 3,
								label: ""
							}),
							" ",
							/* @__PURE__ */ a(Count, {
								of: 120,
								label: ""
							})
						]
					})
				]
			}),
			/* @__PURE__ */ a(Part, {
				title: t("Filters, rows and details"),
				wide: true,
				children: /* @__PURE__ */ a("div", {
					class: "with-drawer",
					children: [/* @__PURE__ */ a("div", { children: [/* @__PURE__ */ a(FilterChips, {
						label: t("Filters"),
						filters: FILTERS,
						values: filters,
						onChange: filter
					}), /* @__PURE__ */ a("ul", {
						class: "rows",
						children: ROWS.map((row, at) => /* @__PURE__ */ a("li", { children: /* @__PURE__ */ a("button", {
							type: "button",
							class: "rows-item",
							"aria-current": at === 1 ? "true" : void 0,
							children: [
								/* @__PURE__ */ a("span", {
									class: "rows-title",
									children: row.tool
								}),
								/* @__PURE__ */ a("span", {
									class: "muted",
									children: row.state
								}),
								/* @__PURE__ */ a("span", {
									class: "number",
									children: row.p95
								})
							]
						}) }, row.tool))
					})] }), /* @__PURE__ */ a(Drawer, {
						title: ROWS[1].tool,
						onClose: () => {},
						onPrev: () => {},
						children: /* @__PURE__ */ a("dl", {
							class: "facts",
							children: [/* @__PURE__ */ a("div", { children: [/* @__PURE__ */ a("dt", { children: t("Calls") }), /* @__PURE__ */ a("dd", { children: "9" })] }), /* @__PURE__ */ a("div", { children: [/* @__PURE__ */ a("dt", { children: t("Status") }), /* @__PURE__ */ a("dd", { children: ROWS[1].state })] })]
						})
					})]
				})
			}),
			/* @__PURE__ */ a(Part, {
				title: t("Data"),
				wide: true,
				children: [/* @__PURE__ */ a(Readable, { value: ROWS }), /* @__PURE__ */ a(Json, { value: {
					ok: true,
					data: { count: 3 }
				} })]
			}),
			/* @__PURE__ */ a(Part, {
				title: t("Charts"),
				wide: true,
				children: /* @__PURE__ */ a("div", {
					class: "gallery-charts",
					children: [
						/* @__PURE__ */ a(Chart, {
							title: t("Call latency"),
							data: LATENCY,
							show: duration,
							empty: ""
						}),
						/* @__PURE__ */ a(Chart, {
							title: t("Calls"),
							data: CALLS,
							show: String,
							empty: ""
						}),
						/* @__PURE__ */ a(Chart, {
							title: t("Tokens"),
							data: {
								times: [],
								series: []
							},
							show: String,
							empty: t("No tokens were counted in this period.")
						}),
						/* @__PURE__ */ a("div", {
							class: "gallery-sparks",
							children: [
								"accent",
								"second",
								"good",
								"warn",
								"bad"
							].map((kind, at) => /* @__PURE__ */ a(Sparkline, {
								kind,
								values: WAVE.slice(at * 4, at * 4 + 16)
							}, kind))
						})
					]
				})
			}),
			/* @__PURE__ */ a(Part, {
				title: t("Form of a tool"),
				children: /* @__PURE__ */ a(SchemaForm, {
					label: t("Arguments"),
					schema: SCHEMA,
					value,
					onChange: write
				})
			}),
			/* @__PURE__ */ a(Part, {
				title: t("Text"),
				children: /* @__PURE__ */ a(Markdown, { text: GUIDE })
			}),
			/* @__PURE__ */ a(Part, {
				title: t("Icons"),
				wide: true,
				children: /* @__PURE__ */ a("ul", {
					class: "gallery-icons",
					children: ICONS.map((name) => /* @__PURE__ */ a("li", { children: [/* @__PURE__ */ a(Icon, { name }), /* @__PURE__ */ a("code", { children: name })] }, name))
				})
			})
		]
	});
}
function Part({ title, wide, children }) {
	return /* @__PURE__ */ a(Card, {
		title,
		class: wide ? "gallery-wide" : "",
		children
	});
}
export { Gallery as default };

import { d, l as T, m as $, o as A, p as w, t as a } from "./vendor-preact.js";
import { c as said, r as get, t as ApiError } from "./http.js";
import { r as useLoad } from "./load.js";
import { c as rich, l as t, s as plural } from "./app.js";
import { a as at, d as route, o as go } from "./router.js";
import { n as Icon } from "./icons.js";
import { c as Json, d as Shown, i as CopyButton, l as Loading, m as Tabs, n as Button, r as Card, s as IconButton, t as Badge, u as Problem } from "./kit.js";
import { t as Markdown } from "./markdown.js";
import { i as recentCalls, n as loadMetrics, r as loadTool, t as loadCatalogue } from "./api2.js";
import { a as readView, c as adviceFor, d as ruleInWords, i as WORDS, l as examplesIn, n as ToolList, r as toolAddress, s as writeView, t as Facts, u as lossInWords } from "./catalogue.js";
import { a as fullTime, i as duration, r as clockTime, t as ago } from "./time.js";
import { t as address } from "./address.js";
import { n as SavedRequests, t as CallMenu } from "./call-menu.js";
import { a as brief, n as focusWrong, r as startValue, s as unread, t as SchemaForm } from "./form.js";
import { t as Readable } from "./readable.js";
import { a as isEnvelope, i as forget, n as attemptHere, o as opening, r as decide, s as tries, t as attempt } from "./tries.js";
// src/pages/tools/facts.tsx
function Metadata({ tool }) {
	const rows = [
		[t("Version"), tool.version],
		[t("Category"), WORDS[tool.category] ?? tool.category],
		[t("Area"), tool.catalogue ?? "workspace"],
		[t("Side effects"), {
			none: t("none"),
			read_only: t("read-only"),
			writes: t("writes")
		}[tool.sideEffects]],
		[t("Idempotent"), tool.idempotent ? t("yes: repeating a call changes nothing more") : t("no")],
		[t("Confirmation"), tool.requiresConfirmation ? t("a person approves each call") : t("none")],
		[t("Risk"), tool.requiresConfirmation ? tool.risk === "low" ? t("low: a spoken yes is enough") : t("high: cannot be approved by voice") : tool.risk],
		[t("Modes"), tool.allowedModes.join(", ")],
		[t("Execution"), {
			server: t("on the server"),
			client: t("in the user's browser"),
			background: t("in the background, as a task")
		}[tool.execution]],
		[t("Isolation"), tool.execution === "client" ? t("none: the browser runs it") : {
			inline: t("none: runs in the server"),
			thread: t("a thread"),
			process: t("a worker process with limits")
		}[tool.isolation]],
		[t("Latency budget"), duration(tool.latencyBudgetMs)],
		[t("Timeout"), duration(tool.timeoutMs)],
		[t("Rate limit"), tool.rateLimit ? t("{count} in {time}", {
			count: tool.rateLimit.calls,
			time: duration(tool.rateLimit.windowMs)
		}) : t("none")],
		[t("Availability"), tool.availability ? /* @__PURE__ */ a("code", { children: JSON.stringify(tool.availability) }) : t("always")],
		[t("When interrupted"), {
			cancel: t("stops"),
			finish: t("finishes and answers"),
			detach: t("continues without answering")
		}[tool.interruption]],
		[t("Redacted in the audit"), tool.redact?.length ? tool.redact.map((each) => /* @__PURE__ */ a("code", { children: [each, " "] }, each)) : t("nothing")],
		[t("Handlers"), tool.variants?.length ? tool.variants.map((each) => `${each.name ?? "?"} (${each.weight ?? 1})`).join(", ") : t("one")],
		[t("Digest"), /* @__PURE__ */ a("span", {
			class: "tools-digest",
			children: [/* @__PURE__ */ a("code", { children: tool.digest }), /* @__PURE__ */ a(CopyButton, { text: tool.digest })]
		})]
	];
	return /* @__PURE__ */ a(Card, {
		title: t("Contract"),
		children: /* @__PURE__ */ a("div", {
			class: "table-box",
			children: /* @__PURE__ */ a("table", {
				class: "tools-facts",
				children: /* @__PURE__ */ a("tbody", { children: rows.map(([name, value]) => /* @__PURE__ */ a("tr", { children: [/* @__PURE__ */ a("th", {
					scope: "row",
					children: name
				}), /* @__PURE__ */ a("td", { children: value })] }, name)) })
			})
		})
	});
}
function Numbers({ tool, metrics, calls }) {
	const id = tool.toolId;
	const outcomes = metrics?.calls[id] ?? {};
	const latency = metrics?.latency[id];
	const total = Object.values(outcomes).reduce((sum, each) => sum + each, 0);
	const failed = Object.entries(outcomes).filter(([type]) => type !== "ok");
	return /* @__PURE__ */ a(Card, {
		title: t("Usage"),
		actions: /* @__PURE__ */ a("a", {
			href: at("metrics"),
			children: t("All metrics")
		}),
		children: [
			total && latency ? /* @__PURE__ */ a("dl", {
				class: "tools-figures",
				children: [
					/* @__PURE__ */ a(Figure, {
						name: "Calls",
						value: String(total)
					}),
					/* @__PURE__ */ a(Figure, {
						name: "Errors",
						value: String(total - (outcomes["ok"] ?? 0)),
						note: failed.map(([type, count]) => `${type} ${count}`).join(", ")
					}),
					/* @__PURE__ */ a(Figure, {
						name: "p50",
						value: duration(latency.p50)
					}),
					/* @__PURE__ */ a(Figure, {
						name: "p95",
						value: duration(latency.p95)
					}),
					/* @__PURE__ */ a(Figure, {
						name: "p99",
						value: duration(latency.p99)
					}),
					/* @__PURE__ */ a(Figure, {
						name: "Over budget",
						value: String(latency.overBudget),
						note: `of ${duration(tool.latencyBudgetMs)}`
					}),
					/* @__PURE__ */ a(Figure, {
						name: t("Response"),
						value: t("{count} tokens", { count: metrics?.responseTokens[id]?.avg ?? 0 }),
						note: `p95 ${metrics?.responseTokens[id]?.p95 ?? 0}`
					})
				]
			}) : /* @__PURE__ */ a("p", {
				class: "hint",
				children: t("No runs since the server started.")
			}),
			/* @__PURE__ */ a("h3", { children: t("Recent calls") }),
			/* @__PURE__ */ a(Shown, {
				of: calls,
				children: ({ lines }) => lines.length ? /* @__PURE__ */ a("div", {
					class: "table-box",
					tabIndex: 0,
					role: "region",
					"aria-label": t("Recent calls"),
					children: [/* @__PURE__ */ a("table", { children: [/* @__PURE__ */ a("thead", { children: /* @__PURE__ */ a("tr", { children: [
						/* @__PURE__ */ a("th", {
							scope: "col",
							children: t("Time")
						}),
						/* @__PURE__ */ a("th", {
							scope: "col",
							children: t("Decision")
						}),
						/* @__PURE__ */ a("th", {
							scope: "col",
							children: t("Rule")
						}),
						/* @__PURE__ */ a("th", {
							scope: "col",
							children: t("Outcome")
						}),
						/* @__PURE__ */ a("th", {
							scope: "col",
							class: "number",
							children: t("Duration")
						}),
						/* @__PURE__ */ a("th", {
							scope: "col",
							children: t("Session")
						})
					] }) }), /* @__PURE__ */ a("tbody", { children: lines.map((line) => /* @__PURE__ */ a("tr", { children: [
						/* @__PURE__ */ a("td", { children: /* @__PURE__ */ a("time", {
							title: fullTime(line.at),
							children: ago(line.at)
						}) }),
						/* @__PURE__ */ a("td", { children: line.decision ?? line.event.replaceAll("_", " ") }),
						/* @__PURE__ */ a("td", {
							title: ruleInWords(line.rule ?? ""),
							children: /* @__PURE__ */ a("code", { children: line.rule ?? "–" })
						}),
						/* @__PURE__ */ a("td", { children: line.ok ? /* @__PURE__ */ a(Badge, {
							kind: "good",
							children: "ok"
						}) : line.errorType ? /* @__PURE__ */ a("code", { children: line.errorType }) : "–" }),
						/* @__PURE__ */ a("td", {
							class: "number",
							children: line.duration == null ? "–" : duration(line.duration)
						}),
						/* @__PURE__ */ a("td", { children: /* @__PURE__ */ a("a", {
							href: at("sessions", [line.sessionId]),
							children: line.source ?? line.sessionId
						}) })
					] }, line.seq)) })] }), /* @__PURE__ */ a("p", { children: /* @__PURE__ */ a("a", {
						href: at("audit", [], { tool: id }),
						children: t("All calls in the audit")
					}) })]
				}) : /* @__PURE__ */ a("p", {
					class: "hint",
					children: t("No calls yet.")
				})
			})
		]
	});
}
function Figure({ name, value, note }) {
	return /* @__PURE__ */ a("div", { children: [/* @__PURE__ */ a("dt", { children: name }), /* @__PURE__ */ a("dd", { children: [/* @__PURE__ */ a("span", {
		class: "number",
		children: value
	}), note ? /* @__PURE__ */ a("small", {
		class: "hint",
		children: note
	}) : null] })] });
}
// src/pages/tools/schemas.tsx
/** The tool as each provider is told of it, and what that form could not say. */
var FORMS = [
	{
		id: "canonical",
		title: t("Canonical"),
		about: t("Calls are validated against this, whatever form the model saw.")
	},
	{
		id: "openai",
		title: "OpenAI",
		about: t("Chat Completions; the Responses and Realtime APIs get the same, one level flatter.")
	},
	{
		id: "openaiStrict",
		title: "OpenAI strict",
		about: t("Every member required, every object closed; arguments are converted back before validation.")
	},
	{
		id: "geminiNative",
		title: "Gemini",
		about: t("The native form, for Live.")
	},
	{
		id: "geminiJson",
		title: "Gemini JSON",
		about: t("The same as JSON Schema.")
	},
	{
		id: "anthropic",
		title: "Anthropic",
		about: t("For Claude.")
	},
	{
		id: "mcp",
		title: "MCP",
		about: t("As a Model Context Protocol server would list it.")
	}
];
function Schemas({ tool }) {
	const asked = route.value.query.get("form");
	const form = FORMS.find((each) => each.id === asked) ?? FORMS[0];
	const shown = form.id === "canonical" ? tool.jsonSchema : tool.providerSchemas[form.id];
	const losses = tool.losses?.[form.id] ?? [];
	const characters = JSON.stringify(shown).length;
	const choose = (id) => go(at("tools", [tool.toolId], {
		...Object.fromEntries(route.value.query),
		form: id === "canonical" ? "" : id
	}), true);
	const tabs = FORMS.map(({ id, title }) => {
		const lost = tool.losses?.[id]?.length;
		return {
			id,
			title: lost ? `${title} (${lost})` : title
		};
	});
	return /* @__PURE__ */ a(Card, {
		title: t("Schema by provider"),
		actions: /* @__PURE__ */ a(CopyButton, { text: () => JSON.stringify(shown, null, 2) }),
		children: [
			/* @__PURE__ */ a(Tabs, {
				label: t("Provider"),
				tabs,
				chosen: form.id,
				onChoose: choose
			}),
			/* @__PURE__ */ a("p", {
				class: "hint",
				children: `${form.about} ${t("About {count} tokens.", { count: Math.ceil(characters / 4) })}`
			}),
			losses.length ? /* @__PURE__ */ a("div", {
				class: "tools-losses",
				children: [/* @__PURE__ */ a("p", { children: [
					/* @__PURE__ */ a(Badge, {
						kind: "warn",
						children: plural(losses.length, "{count} loss", "{count} losses")
					}),
					" ",
					t("This form cannot express everything. The server still validates all of it.")
				] }), /* @__PURE__ */ a("ul", { children: losses.map((loss, index) => {
					const { what, where, reason } = lossInWords(loss);
					return /* @__PURE__ */ a("li", { children: [
						what,
						" ",
						what.startsWith("That") ? "at" : "of",
						" ",
						/* @__PURE__ */ a("code", { children: where }),
						": ",
						reason,
						"."
					] }, index);
				}) })]
			}) : form.id === "canonical" ? null : /* @__PURE__ */ a("p", {
				class: "hint",
				children: t("Nothing is lost in this form.")
			}),
			/* @__PURE__ */ a(Json, {
				value: shown,
				label: t("Schema: {title}", { title: form.title })
			})
		]
	});
}
// src/pages/tools/outcome.tsx
/** What came of a try: the decision, the advice, and the result as people and as programs read it. */
/** In one word how it stands. */
function standing({ state, envelope, problem, answered, line }) {
	if (state === "running") return {
		word: "running",
		kind: "plain"
	};
	if (state === "waiting") return {
		word: t("waiting for you"),
		kind: "warn"
	};
	if (problem) return {
		word: t("no answer"),
		kind: "bad"
	};
	if (envelope?.meta.replayed) return {
		word: "replayed",
		kind: "plain"
	};
	if (envelope?.ok) return {
		word: "done",
		kind: "good"
	};
	if (answered && answered !== "approved") return {
		word: answered,
		kind: "warn"
	};
	return line?.decision === "refuse" ? {
		word: "refused",
		kind: "warn"
	} : {
		word: "failed",
		kind: "bad"
	};
}
function Outcome({ tried }) {
	const [form, choose] = d("readable");
	const { envelope, problem, line, state } = tried;
	const { word, kind } = standing(tried);
	return /* @__PURE__ */ a("section", {
		class: "tools-outcome",
		"aria-label": t("Result"),
		children: [
			/* @__PURE__ */ a("div", {
				class: "row",
				role: "status",
				children: [
					/* @__PURE__ */ a(Badge, {
						kind,
						children: word
					}),
					envelope?.error ? /* @__PURE__ */ a("code", { children: envelope.error.type }) : null,
					envelope && state !== "waiting" ? /* @__PURE__ */ a("span", {
						class: "muted number",
						children: duration(envelope.meta.duration)
					}) : null,
					tried.status ? /* @__PURE__ */ a("span", {
						class: "muted",
						children: ["HTTP ", tried.status]
					}) : null,
					line?.decision ? /* @__PURE__ */ a("span", {
						class: "muted",
						children: [rich("decision {decision}, rule {rule}", {
							decision: /* @__PURE__ */ a("code", { children: line.decision }),
							rule: /* @__PURE__ */ a("code", { children: line.rule })
						}), ruleInWords(line.rule ?? "") ? `: ${ruleInWords(line.rule ?? "")}` : ""]
					}) : null
				]
			}),
			problem ? /* @__PURE__ */ a("p", {
				class: "wrong",
				role: "alert",
				children: problem
			}) : null,
			tried.here ? /* @__PURE__ */ a("p", {
				class: "hint",
				children: t("This browser ran it directly, so it passed no gates and is not in the audit. An agent asks the server first.")
			}) : null,
			envelope?.meta.replayed ? /* @__PURE__ */ a("p", {
				class: "hint",
				children: envelope.meta.originalTurn != null ? t("Stored result of turn {turn}; nothing ran again.", { turn: envelope.meta.originalTurn }) : t("Stored result of an earlier call; nothing ran again.")
			}) : null,
			envelope?.meta.budget ? /* @__PURE__ */ a(BudgetNote, { budget: envelope.meta.budget }) : null,
			envelope?.error ? /* @__PURE__ */ a(Failure, {
				tried,
				error: envelope.error
			}) : null,
			envelope ? /* @__PURE__ */ a($, { children: [/* @__PURE__ */ a(Tabs, {
				label: t("Result format"),
				chosen: form,
				onChoose: choose,
				tabs: [{
					id: "readable",
					title: t("Readable")
				}, {
					id: "json",
					title: t("Envelope")
				}]
			}), form === "json" ? /* @__PURE__ */ a("div", {
				class: "stack",
				children: [/* @__PURE__ */ a(Json, {
					value: envelope,
					label: t("Envelope")
				}), /* @__PURE__ */ a(CopyButton, { text: () => JSON.stringify(envelope, null, 2) })]
			}) : envelope.ok ? /* @__PURE__ */ a(Data, { envelope }) : /* @__PURE__ */ a("p", {
				class: "muted",
				children: t("There is no result to show. The envelope has all details.")
			})] }) : null,
			/* @__PURE__ */ a("p", {
				class: "hint tools-key",
				children: [rich("Key {key}", { key: /* @__PURE__ */ a("code", { children: tried.key }) }), line ? /* @__PURE__ */ a($, { children: [" · ", /* @__PURE__ */ a("a", {
					href: at("audit", [], { line: String(line.seq) }),
					children: t("audit line {seq}", { seq: line.seq })
				})] }) : null]
			})
		]
	});
}
function BudgetNote({ budget }) {
	const { warning, clamped, ...more } = budget;
	return /* @__PURE__ */ a("p", {
		class: "hint",
		children: [
			/* @__PURE__ */ a(Icon, {
				name: "clock",
				size: 14
			}),
			" ",
			clamped !== void 0 ? `${t("Reduced to what the mode allows: {values}.", { values: brief(clamped, 80) })} ` : "",
			warning ?? "",
			" ",
			Object.keys(more).length ? brief(more, 80) : ""
		]
	});
}
function Failure({ tried, error }) {
	const { title, advice } = adviceFor(error.type);
	const waits = error.confirmation_request;
	return /* @__PURE__ */ a("div", {
		class: `tools-failure ${waits ? "is-waiting" : ""}`,
		children: [
			/* @__PURE__ */ a("p", { children: [
				/* @__PURE__ */ a("strong", { children: [title, "."] }),
				" ",
				error.message
			] }),
			/* @__PURE__ */ a("p", {
				class: "hint",
				children: [
					advice,
					error.suggestion ? ` ${error.suggestion}` : "",
					error.retryAfter ? ` ${t("You can retry in {seconds} s.", { seconds: Math.ceil(error.retryAfter) })}` : "",
					error.partialSideEffects ? ` ${t("Part of it may have taken effect.")}` : ""
				]
			}),
			error.nearest?.length ? /* @__PURE__ */ a("p", {
				class: "hint",
				children: rich("Closest: {names}", { names: error.nearest.map((name) => /* @__PURE__ */ a("a", {
					href: at("tools", [name]),
					children: [name, " "]
				}, name)) })
			}) : null,
			waits && tried.state === "waiting" ? /* @__PURE__ */ a($, { children: [/* @__PURE__ */ a("blockquote", { children: waits.preview }), /* @__PURE__ */ a(Button, {
				kind: "primary",
				icon: "shield",
				onClick: () => void decide(tried.id, waits.id),
				children: t("Review and decide")
			})] }) : null
		]
	});
}
function Data({ envelope }) {
	const task = envelope.data?.["task_id"];
	return /* @__PURE__ */ a($, { children: [
		/* @__PURE__ */ a(Readable, { value: envelope.data }),
		envelope.intents.length ? /* @__PURE__ */ a("p", {
			class: "hint",
			children: t("Requests to the session: {list}.", { list: envelope.intents.map((each) => each.type).join(", ") })
		}) : null,
		typeof task === "string" ? /* @__PURE__ */ a(Task, { id: task }) : null
	] });
}
var LOOK_MS = 700;
/** Work in the background, until it is over. */
function Task({ id }) {
	const [task, set] = d(null);
	const [problem, fail] = d("");
	A(() => {
		const leave = new AbortController();
		let timer;
		const look = async () => {
			try {
				const now = await get(`/api/tasks/${encodeURIComponent(id)}`, { signal: leave.signal });
				set(now);
				if (["queued", "running"].includes(now.status)) timer = setTimeout(look, LOOK_MS);
			} catch (error) {
				if (!leave.signal.aborted) fail(said(error));
			}
		};
		look();
		return () => {
			leave.abort();
			clearTimeout(timer);
		};
	}, [id]);
	if (problem) return /* @__PURE__ */ a("p", {
		class: "wrong",
		role: "alert",
		children: problem
	});
	const result = task?.result;
	return /* @__PURE__ */ a("div", {
		class: "tools-task",
		role: "status",
		children: [
			/* @__PURE__ */ a("p", { children: [
				/* @__PURE__ */ a("strong", { children: t("In the background:") }),
				" ",
				task ? task.status : t("checking…"),
				task?.progress?.message ? `: ${task.progress.message}` : ""
			] }),
			task && !task.result ? /* @__PURE__ */ a("progress", {
				"aria-label": t("Task progress"),
				max: 1,
				...task.progress?.fraction != null ? { value: task.progress.fraction } : {}
			}) : null,
			isEnvelope(result) ? result.ok ? /* @__PURE__ */ a(Readable, { value: result.data }) : /* @__PURE__ */ a("p", {
				class: "wrong",
				children: result.error?.message
			}) : null
		]
	});
}
// src/pages/tools/try-it.tsx
/** Calling a tool by hand: the form, the mode, the result, and what was tried before. */
/** What was written for each tool is there when one comes back to it. */
var written = /* @__PURE__ */ new Map();
function TryIt({ tool, onDone }) {
	const id = tool.toolId;
	const [value, set] = d(() => fromAddress() ?? written.get(id) ?? startValue(tool.jsonSchema));
	const [mode, choose] = d(tool.allowedModes[0] ?? "text");
	const [shown, show] = d(opening.value);
	const form = T(null);
	const own = tries.value.filter((each) => each.toolId === id);
	const current = own.find((each) => each.id === shown) ?? null;
	const examples = w(() => examplesIn(tool.documentation, tool.jsonSchema), [tool]);
	const errors = current?.args === value ? current?.envelope?.error?.errors ?? [] : [];
	const bad = unread(value);
	const change = (next) => {
		written.set(id, next);
		set(next);
	};
	const run = async (calling) => {
		show(tries.value[0].id);
		const tried = await calling;
		onDone();
		if (tried.envelope?.error?.errors?.length) requestAnimationFrame(() => focusWrong(form.current));
	};
	const press = (event) => {
		event.preventDefault();
		if (bad.length) return focusWrong(form.current);
		run(attempt(id, value, mode));
	};
	A(() => {
		if (route.value.query.has("args")) {
			const { args: _, ...rest } = Object.fromEntries(route.value.query);
			go(at("tools", [id], rest), true);
		}
	}, []);
	const args = bad.length ? null : value;
	const inBrowser = tool.execution === "client";
	const running = current?.state === "running";
	return /* @__PURE__ */ a(Card, {
		title: t("Try it"),
		tour: "tools-form",
		class: "tools-try",
		children: [
			inBrowser ? /* @__PURE__ */ a("p", {
				class: "tools-note",
				children: t("This function runs in the user's browser. During a conversation, an agent asks this page to run it; calls over HTTP have no browser and are refused. You can also run it in this browser now.")
			}) : null,
			tool.available ? null : /* @__PURE__ */ a("p", {
				class: "tools-note is-warn",
				children: rich("Not available here: {unavailableBecause}. Calls will be refused.", { unavailableBecause: tool.unavailableBecause })
			}),
			examples.length ? /* @__PURE__ */ a("div", {
				class: "row",
				role: "group",
				"aria-label": t("Examples from the guide"),
				children: [/* @__PURE__ */ a("span", {
					class: "hint",
					children: t("Examples:")
				}), examples.map((each) => /* @__PURE__ */ a("button", {
					type: "button",
					class: "tools-chip",
					onClick: () => change(each.args),
					children: brief(each.title, 50)
				}, each.title))]
			}) : null,
			/* @__PURE__ */ a("form", {
				ref: form,
				onSubmit: press,
				noValidate: true,
				class: "stack",
				children: [/* @__PURE__ */ a(SchemaForm, {
					label: t("Arguments of {id}", { id }),
					schema: tool.jsonSchema,
					value,
					onChange: change,
					errors
				}), /* @__PURE__ */ a("div", {
					class: "row tools-try-bar",
					children: [
						/* @__PURE__ */ a("fieldset", {
							class: "tools-try-mode",
							children: [/* @__PURE__ */ a("legend", {
								class: "hidden-visually",
								children: t("Mode")
							}), ["text", "voice"].map((each) => /* @__PURE__ */ a("label", { children: [
								/* @__PURE__ */ a("input", {
									type: "radio",
									name: "mode",
									checked: mode === each,
									onChange: () => choose(each)
								}),
								" ",
								each,
								tool.allowedModes.includes(each) ? "" : " (refused)"
							] }, each))]
						}),
						/* @__PURE__ */ a("span", { class: "spring" }),
						/* @__PURE__ */ a(Button, {
							kind: "quiet",
							onClick: () => change(startValue(tool.jsonSchema)),
							children: t("Reset")
						}),
						inBrowser ? /* @__PURE__ */ a(Button, {
							icon: "play",
							onClick: () => args && void run(attemptHere(id, args)),
							children: t("Run in this browser")
						}) : null,
						/* @__PURE__ */ a(Button, {
							kind: "primary",
							icon: "play",
							type: "submit",
							busy: running,
							children: t("Try it")
						})
					]
				})]
			}),
			/* @__PURE__ */ a("div", {
				class: "row tools-copy",
				children: [
					/* @__PURE__ */ a(CopyButton, {
						text: id,
						label: t("Copy name")
					}),
					args ? /* @__PURE__ */ a($, { children: [/* @__PURE__ */ a(CopyButton, {
						label: t("Copy link"),
						text: () => `${location.origin}${address("/")}${at("tools", [id], { args: JSON.stringify(args) })}`
					}), /* @__PURE__ */ a(CallMenu, {
						call: {
							tool: id,
							args,
							mode
						},
						redact: tool.redact ?? [],
						runs: false
					})] }) : null,
					/* @__PURE__ */ a(SavedRequests, { tool: id })
				]
			}),
			tool.requiresConfirmation ? /* @__PURE__ */ a("p", {
				class: "hint",
				children: t("It needs approval: you will see the values and decide.")
			}) : null,
			current ? /* @__PURE__ */ a(Outcome, { tried: current }) : null,
			own.length ? /* @__PURE__ */ a(History, {
				own,
				shown,
				onShow: show,
				onLoad: (tried) => {
					change(tried.args);
					choose(tried.mode);
				},
				onAgain: (tried, same) => void run(attempt(id, tried.args, tried.mode, same ? tried.key : void 0))
			}) : null
		]
	});
}
function fromAddress() {
	const given = route.value.query.get("args");
	if (!given) return void 0;
	try {
		const args = JSON.parse(given);
		return args && typeof args === "object" && !Array.isArray(args) ? args : void 0;
	} catch {
		return;
	}
}
function History({ own, shown, onShow, onLoad, onAgain }) {
	return /* @__PURE__ */ a("details", {
		class: "tools-tries",
		open: own.length > 1,
		children: [
			/* @__PURE__ */ a("summary", { children: rich("Calls in this visit ({count})", { count: own.length }) }),
			/* @__PURE__ */ a("ul", {
				class: "list",
				children: own.map((tried) => {
					const { word, kind } = standing(tried);
					return /* @__PURE__ */ a("li", {
						class: "tools-tries-item",
						children: [/* @__PURE__ */ a("button", {
							type: "button",
							class: "list-item",
							"aria-current": tried.id === shown ? "true" : void 0,
							onClick: () => onShow(tried.id),
							children: [/* @__PURE__ */ a("span", {
								class: "row",
								children: [
									/* @__PURE__ */ a(Badge, {
										kind,
										children: word
									}),
									/* @__PURE__ */ a("span", {
										class: "muted number",
										children: clockTime(tried.at)
									}),
									tried.envelope && tried.state === "done" ? /* @__PURE__ */ a("span", {
										class: "muted number",
										children: duration(tried.envelope.meta.duration)
									}) : null,
									/* @__PURE__ */ a("span", {
										class: "muted",
										children: tried.mode
									})
								]
							}), /* @__PURE__ */ a("small", { children: /* @__PURE__ */ a("code", { children: brief(tried.args, 90) }) })]
						}), /* @__PURE__ */ a("span", {
							class: "row tools-tries-acts",
							children: [
								/* @__PURE__ */ a(Button, {
									kind: "quiet",
									onClick: () => onAgain(tried, true),
									title: t("Same key: answered from the record"),
									disabled: tried.here,
									children: t("Replay")
								}),
								/* @__PURE__ */ a(Button, {
									kind: "quiet",
									onClick: () => onAgain(tried, false),
									title: t("New key: runs again"),
									disabled: tried.here,
									children: t("Run again")
								}),
								/* @__PURE__ */ a(IconButton, {
									label: t("Copy these arguments into the form"),
									icon: "edit",
									onClick: () => onLoad(tried)
								})
							]
						})]
					}, tried.id);
				})
			}),
			/* @__PURE__ */ a("p", {
				class: "hint",
				children: [t("Replay reuses the key, so the recorded answer is returned and nothing happens twice. Run again uses a new key."), /* @__PURE__ */ a(Button, {
					kind: "quiet",
					class: "sf-act",
					onClick: () => forget(own[0].toolId),
					children: t("Clear list")
				})]
			})
		]
	});
}
// src/pages/tools.tsx
/** The registry as a catalogue, and each tool with its guide, schemas, numbers, and a way to try it. */
var LINES = 10;
function Tools() {
	const catalogue = useLoad(loadCatalogue, []);
	const metrics = useLoad(loadMetrics, []);
	const chosen = route.value.rest[0] ?? "";
	return /* @__PURE__ */ a(Shown, {
		of: catalogue,
		children: (data) => /* @__PURE__ */ a("div", {
			class: `split tools ${chosen ? "has-chosen" : ""}`,
			children: [/* @__PURE__ */ a(ToolList, {
				catalogue: data,
				metrics: metrics.data,
				chosen
			}), chosen ? /* @__PURE__ */ a(ToolPage, {
				id: chosen,
				metrics: metrics.data,
				onDone: metrics.reload
			}, chosen) : /* @__PURE__ */ a(Welcome, {
				catalogue: data,
				metrics: metrics.data
			})]
		})
	});
}
/** Nothing is chosen yet: what there is, and where to begin. */
function Welcome({ catalogue, metrics }) {
	const { tools } = catalogue;
	const count = (test) => tools.filter(test).length;
	const used = Object.entries(metrics?.calls ?? {}).map(([id, outcomes]) => ({
		id,
		count: Object.values(outcomes).reduce((sum, each) => sum + each, 0)
	})).sort((one, two) => two.count - one.count).filter(({ id }) => tools.some((tool) => tool.toolId === id)).slice(0, 6);
	const first = [
		"kb_search",
		"format_datetime",
		"svg_chart",
		"calendar_create_event"
	].filter((id) => tools.some((tool) => tool.toolId === id));
	return /* @__PURE__ */ a("div", {
		class: "stack tools-main",
		children: [/* @__PURE__ */ a(Card, {
			title: t("One registry for every agent"),
			tour: "tools-guide",
			class: "tools-welcome",
			children: [
				/* @__PURE__ */ a("p", { children: t("Every model and you call these tools the same way: same schema, same gates, same audit. Select one to read its guide, the text that agents read.") }),
				/* @__PURE__ */ a("dl", {
					class: "tools-figures",
					children: [
						/* @__PURE__ */ a("div", { children: [/* @__PURE__ */ a("dt", { children: t("Tools") }), /* @__PURE__ */ a("dd", {
							class: "number",
							children: tools.length
						})] }),
						/* @__PURE__ */ a("div", { children: [/* @__PURE__ */ a("dt", { children: t("Can write") }), /* @__PURE__ */ a("dd", {
							class: "number",
							children: count((tool) => tool.sideEffects === "writes")
						})] }),
						/* @__PURE__ */ a("div", { children: [/* @__PURE__ */ a("dt", { children: t("Need approval") }), /* @__PURE__ */ a("dd", {
							class: "number",
							children: count((tool) => tool.requiresConfirmation)
						})] }),
						/* @__PURE__ */ a("div", { children: [/* @__PURE__ */ a("dt", { children: t("Voice-enabled") }), /* @__PURE__ */ a("dd", {
							class: "number",
							children: count((tool) => tool.allowedModes.includes("voice"))
						})] })
					]
				}),
				/* @__PURE__ */ a("p", {
					class: "hint",
					children: rich("Registry version {code}", { code: /* @__PURE__ */ a("code", { children: catalogue.registryVersion }) })
				})
			]
		}), /* @__PURE__ */ a(Card, {
			title: t("Try one"),
			tour: "tools-form",
			children: [/* @__PURE__ */ a("p", {
				class: "hint",
				children: t("The form is built from the tool's schema. Choose Try it to see the decision, the time and the result.")
			}), /* @__PURE__ */ a(Links, {
				title: used.length ? t("Most used since the server started") : t("Good starting points"),
				ids: used.length ? used.map((each) => each.id) : first
			})]
		})]
	});
}
function Links({ title, ids }) {
	return /* @__PURE__ */ a("div", {
		class: "row",
		role: "group",
		"aria-label": title,
		children: [/* @__PURE__ */ a("span", {
			class: "hint",
			children: [title, ":"]
		}), ids.map((id) => /* @__PURE__ */ a("a", {
			class: "tools-chip",
			href: toolAddress(id),
			children: id
		}, id))]
	});
}
function ToolPage({ id, metrics, onDone }) {
	const tool = useLoad((signal) => loadTool(id, signal), [id]);
	const calls = useLoad((signal) => recentCalls(id, LINES, signal), [id]);
	const all = at("tools", [], writeView(readView(route.value.query)));
	A(() => {
		const entry = document.querySelector(".tools-list [aria-current=\"true\"]");
		const list = entry?.closest(".tools-list");
		if (!entry || !list) return;
		const below = entry.getBoundingClientRect().bottom - list.getBoundingClientRect().bottom;
		const above = entry.getBoundingClientRect().top - list.getBoundingClientRect().top;
		if (below > 0) list.scrollTop += below;
		else if (above < 0) list.scrollTop += above;
	}, []);
	const missing = tool.error instanceof ApiError && tool.error.status === 404;
	const nearest = missing ? tool.error.body.nearest ?? [] : [];
	return /* @__PURE__ */ a("div", {
		class: "stack tools-main",
		children: [/* @__PURE__ */ a("a", {
			class: "tools-back",
			href: all,
			children: [/* @__PURE__ */ a(Icon, {
				name: "chevron",
				size: 16
			}), t("All tools")]
		}), missing ? /* @__PURE__ */ a($, { children: [/* @__PURE__ */ a(Problem, { error: tool.error }), nearest.length ? /* @__PURE__ */ a(Links, {
			title: t("Did you mean"),
			ids: nearest
		}) : null] }) : tool.data === null ? tool.error ? /* @__PURE__ */ a(Problem, {
			error: tool.error,
			retry: tool.reload
		}) : /* @__PURE__ */ a(Loading, {}) : /* @__PURE__ */ a($, { children: [
			/* @__PURE__ */ a("header", {
				class: "tools-head",
				children: [
					/* @__PURE__ */ a("div", {
						class: "row",
						children: [/* @__PURE__ */ a("h2", {
							class: "tools-name",
							children: tool.data.toolId
						}), /* @__PURE__ */ a("span", {
							class: "muted number",
							children: tool.data.version
						})]
					}),
					/* @__PURE__ */ a("p", { children: tool.data.description }),
					/* @__PURE__ */ a("p", {
						class: "row",
						children: /* @__PURE__ */ a(Facts, { tool: tool.data })
					})
				]
			}),
			/* @__PURE__ */ a(TryIt, {
				tool: tool.data,
				onDone: () => {
					calls.reload();
					onDone();
				}
			}),
			/* @__PURE__ */ a(Card, {
				title: t("Guide"),
				tour: "tools-guide",
				children: /* @__PURE__ */ a(Markdown, { text: withoutTitle(tool.data.documentation) })
			}),
			/* @__PURE__ */ a(Schemas, { tool: tool.data }),
			/* @__PURE__ */ a(Metadata, { tool: tool.data }),
			/* @__PURE__ */ a(Numbers, {
				tool: tool.data,
				metrics,
				calls
			})
		] })]
	});
}
/** The guide begins with the tool's name, which stands above already. */
var withoutTitle = (guide) => guide.replace(/^# .*\n+/, "");
export { Tools as default };

import { f as d, h as $, l as P, n as useSignal, s as A, t as a, u as T } from "./vendor-preact.js";
import { t as address } from "./address.js";
import { a as at } from "./router.js";
import { c as Json, f as Spinner, n as Button, t as Badge, v as Icon } from "./kit.js";
import { a as fullTime, i as duration, r as clockTime } from "./time.js";
import { t as Markdown } from "./markdown.js";
import { n as pictureIn, t as Figure } from "./view.js";
import { c as parts$1, d as titleOf, s as isMarkdown, u as restsOn } from "./microphone.js";
// src/voice/export.ts
/** A transcript as Markdown, for copying and keeping. */
function toMarkdown(entries, title = "Conversation") {
	const began = entries[0];
	const lines = [`# ${title}`, ...began ? ["", fullTime(began.at)] : []];
	for (const entry of entries) lines.push("", written(entry));
	return `${lines.join("\n")}\n`;
}
function written(entry) {
	const at = clockTime(entry.at);
	if (entry.kind === "user") return `**You** (${at}): ${entry.text.peek()}`;
	if (entry.kind === "assistant") {
		const cut = entry.state.peek() === "interrupted" ? " *(interrupted)*" : "";
		return `**Antiphon** (${at}): ${entry.text.peek()}${cut}`;
	}
	if (entry.kind === "image") {
		const { url, caption, alt } = entry.picture;
		return `![${alt}](${new URL(address(url), location.href)})${caption ? `\n\n${caption}` : ""} (${at})`;
	}
	if (entry.kind === "note") return `*${entry.text}* (${at})`;
	const outcome = entry.outcome.peek();
	const decided = entry.decision ? ` ${entry.decision.outcome}${entry.decision.rule ? ` (rule ${entry.decision.rule})` : ""}` : "";
	const took = outcome?.durationMs != null ? `, ${duration(outcome.durationMs)}` : "";
	const came = !outcome ? ", no answer yet" : outcome.ok ? `${took}${outcome.replayed ? ", replayed" : ""}` : `${took}, failed: ${outcome.error}`;
	return `> \`${entry.name}\`${decided}${came}\n> \`${JSON.stringify(entry.args ?? {})}\``;
}
// src/voice/view/composer.tsx
/** The text box: Enter sends, Shift and Enter make a new line. */
function Composer({ label, placeholder, tour, onSend, onStop, disabled, draft }) {
	const own = useSignal("");
	const text = draft ?? own;
	const id = P();
	const send = () => {
		if (!text.value.trim() || disabled) return;
		onSend(text.value.trim());
		text.value = "";
	};
	return /* @__PURE__ */ a("form", {
		class: "composer",
		"data-tour": tour,
		onSubmit: (event) => {
			event.preventDefault();
			send();
		},
		children: [
			/* @__PURE__ */ a("label", {
				class: "hidden-visually",
				for: id,
				children: label
			}),
			/* @__PURE__ */ a("textarea", {
				id,
				rows: 1,
				placeholder,
				value: text.value,
				maxLength: 32e3,
				onInput: (event) => {
					text.value = event.currentTarget.value;
				},
				onKeyDown: (event) => {
					if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
					event.preventDefault();
					send();
				}
			}),
			onStop ? /* @__PURE__ */ a(Button, {
				icon: "stop",
				onClick: onStop,
				children: "Stop"
			}) : null,
			/* @__PURE__ */ a(Button, {
				kind: "primary",
				type: "submit",
				icon: "send",
				disabled: disabled || !text.value.trim(),
				children: "Send"
			})
		]
	});
}
// src/voice/view/summary.ts
var LONG = 70;
/** The values that say most: words before numbers. */
function argsInWords(args) {
	if (args === null || typeof args !== "object") return args === void 0 || args === null ? "" : cut(String(args));
	const values = Object.values(args);
	const texts = values.filter((value) => typeof value === "string" && value !== "");
	return cut((texts.length ? texts : values.filter((value) => typeof value === "number" || typeof value === "boolean")).map((value) => typeof value === "string" && value.includes(" ") ? `“${value}”` : String(value)).join(", "));
}
/** Under these names results are lists. */
var NOUNS = {
	results: "result",
	records: "record",
	databases: "database",
	messages: "message"
};
function resultInWords({ ok, error, errorType, result }) {
	if (!ok) return errorType === "CONFIRMATION_REQUIRED" ? "waits for your answer" : cut(error ?? "failed");
	if (result === null || typeof result !== "object") return result === void 0 || result === null ? "done" : cut(String(result));
	const fields = Object.entries(result).filter(([name]) => name !== "success");
	const lists = fields.filter((field) => Array.isArray(field[1]));
	const said = fields.find(([name, value]) => [
		"summary",
		"answer",
		"message",
		"text"
	].includes(name) && typeof value === "string");
	if (said) return cut(said[1]);
	if (lists.length === 1) {
		const [name, list] = lists[0];
		const noun = NOUNS[name] ?? name.replace(/_/g, " ").replace(/s$/, "");
		return `${list.length} ${noun}${list.length === 1 ? "" : "s"}`;
	}
	const short = fields.filter(([, value]) => [
		"string",
		"number",
		"boolean"
	].includes(typeof value));
	if (!short.length) return "done";
	return cut(short.slice(0, 3).map(([name, value]) => `${name.replace(/_/g, " ")} ${value}`).join(", "));
}
function cut(text) {
	const line = text.replace(/\s+/g, " ").trim();
	return line.length > LONG ? `${line.slice(0, 69).trimEnd()}…` : line;
}
// src/voice/view/tool-card.tsx
/** One call of a tool: a line that says what came of it, and everything else when it is opened. */
function ToolCard({ entry }) {
	const [open, set] = d(false);
	const outcome = entry.outcome.value;
	const picture = outcome?.ok && entry.name !== "send_image" ? pictureIn(outcome.result) : null;
	return /* @__PURE__ */ a($, { children: [/* @__PURE__ */ a("details", {
		class: `tool-card ${outcome && !outcome.ok ? "failed" : ""}`,
		"data-tour": "chat-tool-card",
		onToggle: (event) => set(event.currentTarget.open),
		children: [/* @__PURE__ */ a("summary", { children: [
			outcome ? /* @__PURE__ */ a(Icon, {
				name: outcome.ok ? "tool" : "warn",
				size: 16
			}) : /* @__PURE__ */ a(Spinner, { label: "Running" }),
			/* @__PURE__ */ a("span", {
				class: "tool-name",
				children: entry.name
			}),
			/* @__PURE__ */ a("span", {
				class: "tool-line",
				children: [argsInWords(entry.args), outcome ? /* @__PURE__ */ a("span", {
					class: "tool-result",
					children: resultInWords(outcome)
				}) : null]
			}),
			/* @__PURE__ */ a(Marks, {
				decision: entry.decision,
				outcome
			}),
			outcome?.durationMs != null ? /* @__PURE__ */ a("span", {
				class: "tool-time number",
				children: duration(outcome.durationMs)
			}) : null
		] }), open ? /* @__PURE__ */ a(Details, {
			entry,
			outcome
		}) : null]
	}), picture ? /* @__PURE__ */ a(Figure, {
		...picture,
		alt: picture.alt || argsInWords(entry.args)
	}) : null] });
}
function Marks({ decision, outcome }) {
	return /* @__PURE__ */ a($, { children: [
		decision?.outcome === "refuse" ? /* @__PURE__ */ a(Badge, {
			kind: "bad",
			children: "refused"
		}) : null,
		decision?.outcome === "confirm" ? /* @__PURE__ */ a(Badge, {
			kind: "warn",
			children: "asked you"
		}) : null,
		outcome?.replayed || decision?.outcome === "replay" ? /* @__PURE__ */ a(Badge, {
			kind: "accent",
			children: "replayed"
		}) : null
	] });
}
var OUTCOMES = {
	run: "allowed to run",
	replay: "answered from before, not run again",
	wait: "waited for the same call that was under way",
	recover: "looked up after an interruption",
	confirm: "held back until a person answers",
	refuse: "refused"
};
function Details({ entry, outcome }) {
	const { decision } = entry;
	return /* @__PURE__ */ a("div", {
		class: "tool-details",
		children: [
			/* @__PURE__ */ a("dl", { children: [
				decision ? /* @__PURE__ */ a(Line, {
					name: "Decision",
					children: OUTCOMES[decision.outcome] ?? decision.outcome
				}) : null,
				decision?.rule ? /* @__PURE__ */ a(Line, {
					name: "Rule",
					children: /* @__PURE__ */ a("code", { children: decision.rule })
				}) : null,
				/* @__PURE__ */ a(Line, {
					name: "Ran",
					children: [entry.here ? "in this browser" : "on the server", outcome?.durationMs != null ? `, ${duration(outcome.durationMs)}` : ""]
				}),
				outcome?.errorType ? /* @__PURE__ */ a(Line, {
					name: "Error",
					children: [
						/* @__PURE__ */ a("code", { children: outcome.errorType }),
						" ",
						outcome.error
					]
				}) : null,
				/* @__PURE__ */ a(Line, {
					name: "Tool",
					children: /* @__PURE__ */ a("a", {
						href: at("tools", [entry.name]),
						children: entry.name
					})
				})
			] }),
			/* @__PURE__ */ a("p", {
				class: "tool-part",
				children: "Arguments"
			}),
			/* @__PURE__ */ a(Json, {
				value: entry.args,
				label: `Arguments of ${entry.name}`
			}),
			outcome ? /* @__PURE__ */ a($, { children: [/* @__PURE__ */ a("p", {
				class: "tool-part",
				children: "Result"
			}), /* @__PURE__ */ a(Json, {
				value: outcome.result,
				label: `Result of ${entry.name}`
			})] }) : null
		]
	});
}
function Line({ name, children }) {
	return /* @__PURE__ */ a("div", { children: [/* @__PURE__ */ a("dt", { children: name }), /* @__PURE__ */ a("dd", { children })] });
}
// src/voice/view/words.tsx
function Words({ text, sources }) {
	const pieces = parts$1(text);
	if (isMarkdown(text)) return /* @__PURE__ */ a(Markdown, { text: withLinks(text, sources) });
	return /* @__PURE__ */ a("p", {
		class: "as-text",
		children: pieces.map((piece) => "text" in piece ? piece.text : piece.cites.map((id) => /* @__PURE__ */ a(Citation, {
			id,
			sources
		}, id)))
	});
}
/** What an answer rests on, where it does not say so itself: speech has no brackets. */
function Evidence({ text, evidence, sources }) {
	const named = evidence.length ? restsOn(text, evidence, sources.value) : [];
	if (!named.length) return null;
	return /* @__PURE__ */ a("p", {
		class: "evidence",
		children: ["From", named.map((id) => /* @__PURE__ */ a(Citation, {
			id,
			sources
		}, id))]
	});
}
function Citation({ id, sources }) {
	const source = sources.value.get(id);
	return /* @__PURE__ */ a("a", {
		class: "citation",
		href: placeOf(id, source),
		title: id,
		children: titleOf(id, source)
	});
}
/** Where a record can be read. */
function placeOf(id, source) {
	return source?.database ? at("kg-studio", [
		source.database,
		"record",
		id
	]) : at("kg-studio");
}
/** For Markdown: each citation as a link of its own. */
function withLinks(text, sources) {
	const escaped = (title) => title.replace(/[[\]\\]/g, "\\$&");
	return parts$1(text).map((piece) => {
		if ("text" in piece) return piece.text;
		return ` (${piece.cites.map((id) => {
			const source = sources.value.get(id);
			return `[${escaped(titleOf(id, source))}](<${placeOf(id, source)}> "${id}")`;
		}).join(", ")})`;
	}).join("");
}
// src/voice/view/entries.tsx
var NEAR_PX = 60;
function Entries({ transcript, label, tour, children }) {
	const entries = transcript.entries.value;
	const box = T(null);
	const list = T(null);
	const follows = T(true);
	const [behind, set] = d(false);
	const elements = T(/* @__PURE__ */ new WeakMap()).current;
	const drawn = (entry) => {
		const before = elements.get(entry);
		const element = before ?? /* @__PURE__ */ a(One, {
			entry,
			transcript
		}, entry.id);
		if (!before) elements.set(entry, element);
		return element;
	};
	const toEnd = () => box.current?.scrollTo(0, box.current.scrollHeight);
	A(() => {
		const { current: scrolled } = box;
		let before = 0;
		const moved = () => {
			const { scrollHeight, scrollTop, clientHeight } = scrolled;
			if (scrollHeight - scrollTop - clientHeight < NEAR_PX || !transcript.entries.peek().length) follows.current = true;
			else if (scrollTop < before) follows.current = false;
			before = scrollTop;
			set(!follows.current);
		};
		const grown = new ResizeObserver(() => {
			if (follows.current && transcript.entries.peek().length) toEnd();
		});
		grown.observe(list.current);
		grown.observe(scrolled);
		scrolled.addEventListener("scroll", moved, { passive: true });
		return () => {
			grown.disconnect();
			scrolled.removeEventListener("scroll", moved);
		};
	}, []);
	return /* @__PURE__ */ a("div", {
		class: "entries-frame",
		"data-tour": tour,
		children: [/* @__PURE__ */ a("div", {
			class: "entries",
			ref: box,
			tabIndex: 0,
			role: "region",
			"aria-label": label,
			onClick: (event) => {
				if (event.target.closest("summary")) follows.current = false;
			},
			children: [entries.length ? null : children, /* @__PURE__ */ a("div", {
				role: "list",
				ref: list,
				children: parts(entries).map((part, n) => /* @__PURE__ */ a("div", {
					class: "entries-part",
					role: "none",
					children: part.map(drawn)
				}, n))
			})]
		}), behind && entries.length ? /* @__PURE__ */ a(Button, {
			class: "entries-end",
			icon: "chevron",
			onClick: toEnd,
			children: "Newest"
		}) : null]
	});
}
/** The browser skips whole parts that are out of sight; watching every entry would cost more. */
var PART = 25;
function parts(entries) {
	return Array.from({ length: Math.ceil(entries.length / PART) }, (_, n) => entries.slice(n * PART, (n + 1) * PART));
}
function One({ entry, transcript }) {
	switch (entry.kind) {
		case "user": return /* @__PURE__ */ a(FromPerson, { entry });
		case "assistant": return /* @__PURE__ */ a(FromModel, {
			entry,
			transcript
		});
		case "tool": return /* @__PURE__ */ a("div", {
			role: "listitem",
			class: "entry tool",
			children: /* @__PURE__ */ a(ToolCard, { entry })
		});
		case "image": return /* @__PURE__ */ a(Shown, { entry });
		case "note": return /* @__PURE__ */ a("div", {
			role: "listitem",
			class: `entry note ${entry.tone}`,
			children: [/* @__PURE__ */ a("p", { children: entry.text }), /* @__PURE__ */ a(Time, { at: entry.at })]
		});
	}
}
function FromPerson({ entry }) {
	return /* @__PURE__ */ a("div", {
		role: "listitem",
		class: `entry user ${entry.open.value ? "open" : ""}`,
		children: [/* @__PURE__ */ a("p", {
			class: "who",
			children: [
				"You",
				entry.spoken ? /* @__PURE__ */ a(Icon, {
					name: "mic",
					size: 13
				}) : null,
				/* @__PURE__ */ a(Time, { at: entry.at })
			]
		}), /* @__PURE__ */ a("p", {
			class: "as-text",
			children: entry.text.value
		})]
	});
}
function FromModel({ entry, transcript }) {
	const state = entry.state.value;
	return /* @__PURE__ */ a("div", {
		role: "listitem",
		class: `entry assistant ${state}`,
		"aria-busy": state === "open" || void 0,
		children: [
			/* @__PURE__ */ a("p", {
				class: "who",
				children: ["Antiphon", /* @__PURE__ */ a(Time, { at: entry.at })]
			}),
			/* @__PURE__ */ a(Words, {
				text: entry.text.value,
				sources: transcript.sources
			}),
			/* @__PURE__ */ a(Evidence, {
				text: entry.text.value,
				evidence: entry.evidence,
				sources: transcript.sources
			}),
			state === "interrupted" ? /* @__PURE__ */ a("p", {
				class: "cut",
				children: "interrupted"
			}) : null
		]
	});
}
function Shown({ entry }) {
	return /* @__PURE__ */ a("div", {
		role: "listitem",
		class: "entry image",
		children: [/* @__PURE__ */ a("p", {
			class: "who",
			children: ["Antiphon", /* @__PURE__ */ a(Time, { at: entry.at })]
		}), /* @__PURE__ */ a(Figure, { ...entry.picture })]
	});
}
function Time({ at }) {
	return /* @__PURE__ */ a("time", {
		dateTime: (/* @__PURE__ */ new Date(at * 1e3)).toISOString(),
		children: clockTime(at)
	});
}
export { toMarkdown as i, ToolCard as n, Composer as r, Entries as t };

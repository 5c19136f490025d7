const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["./artefacts.js","./address.js","./app.js","./vendor-preact.js","./icons.js","./kit.js","./toasts.js","./readable.js","./markdown.js","./figure.js","./words3.js","./router.js","./words.js","./time.js","./transcript.js","./start.js","./load.js","./http.js","./confirmations.js","./bus.js","./talk.js","./blocked.js","./server-voice.js","./backends.js","./microphone.js","./zone.js","./ear.js"])))=>i.map(i=>d[i]);
import { d, l as T, m as $, o as A, s as F, t as a } from "./vendor-preact.js";
import { d as __vitePreload, l as t } from "./app.js";
import { d as words, l as send, n as del, o as post, r as get, s as put, t as ApiError } from "./http.js";
import { r as toast } from "./toasts.js";
import { n as Icon } from "./icons.js";
import { n as Button, s as IconButton } from "./kit.js";
import { o as minuteTime } from "./time.js";
import { i as Calls, n as Words, t as Sources } from "./words3.js";
import { t as Figure } from "./figure.js";
import { V as lazy } from "./start.js";
// src/voice/view/actions.tsx
/** What can be done with one message: copied, judged, asked again in other words, branched off. */
/** There when one points at the message, or comes to it by keyboard. */
function Actions({ near, entry, deeds, onEdit }) {
	const [open, set] = d(false);
	const opinion = entry.kind === "assistant" ? entry.opinion.value : null;
	return /* @__PURE__ */ a("div", {
		class: `entry-actions ${opinion ? "judged" : ""}`,
		role: "group",
		"aria-label": t("Message actions"),
		children: near || open || opinion ? /* @__PURE__ */ a($, { children: [
			/* @__PURE__ */ a(IconButton, {
				label: t("Copy"),
				icon: "copy",
				onClick: () => void copy(entry.text.peek())
			}),
			entry.kind === "user" && deeds.askAgain && onEdit ? /* @__PURE__ */ a(IconButton, {
				label: t("Edit and ask again"),
				icon: "edit",
				onClick: onEdit
			}) : null,
			deeds.branch ? /* @__PURE__ */ a(IconButton, {
				label: t("Branch from here"),
				icon: "branch",
				onClick: () => void deeds.branch(entry)
			}) : null,
			entry.kind === "assistant" && deeds.judge ? /* @__PURE__ */ a($, { children: [/* @__PURE__ */ a(Thumb, {
				entry,
				judge: deeds.judge,
				which: "up",
				label: t("Good answer")
			}), /* @__PURE__ */ a(Thumb, {
				entry,
				judge: deeds.judge,
				which: "down",
				label: t("Bad answer")
			})] }) : null
		] }) : /* @__PURE__ */ a("button", {
			type: "button",
			class: "entry-more",
			"aria-label": t("Message actions"),
			onFocus: () => set(true),
			onClick: () => set(true),
			children: "⋯"
		})
	});
}
function Thumb({ entry, judge, which, label }) {
	const on = entry.opinion.value === which;
	return /* @__PURE__ */ a(IconButton, {
		label,
		icon: `thumb-${which}`,
		"aria-pressed": on,
		class: on ? "on" : "",
		onClick: () => void judge(entry, on ? null : which)
	});
}
async function copy(text) {
	try {
		await navigator.clipboard.writeText(text);
		toast(t("Copied."), { kind: "good" });
	} catch {
		toast(t("The browser did not allow copying. Select the text and copy it manually."), { kind: "bad" });
	}
}
/** A message as it would have been better put. */
function Asking({ text, onAsk, onCancel }) {
	const [typed, type] = d(text);
	const box = T(null);
	F(() => {
		box.current.focus();
		box.current.setSelectionRange(text.length, text.length);
	}, []);
	const ask = () => typed.trim() && onAsk(typed.trim());
	return /* @__PURE__ */ a("form", {
		class: "asking",
		onSubmit: (event) => {
			event.preventDefault();
			ask();
		},
		children: [/* @__PURE__ */ a("textarea", {
			ref: box,
			"aria-label": t("Edited message"),
			value: typed,
			rows: 2,
			onInput: (event) => type(event.currentTarget.value),
			onKeyDown: (event) => {
				if (event.key === "Escape") {
					event.preventDefault();
					event.stopPropagation();
					onCancel();
				}
				if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
				event.preventDefault();
				ask();
			}
		}), /* @__PURE__ */ a("div", {
			class: "row",
			children: [
				/* @__PURE__ */ a("span", {
					class: "hint",
					children: t("This starts a branch. The original conversation stays as it is.")
				}),
				/* @__PURE__ */ a("span", { class: "spring" }),
				/* @__PURE__ */ a(Button, {
					onClick: onCancel,
					children: t("Cancel")
				}),
				/* @__PURE__ */ a(Button, {
					kind: "primary",
					type: "submit",
					disabled: !typed.trim(),
					children: t("Ask again")
				})
			]
		})]
	});
}
// src/voice/view/blocks.ts
/** In order. Whatever lies between two things that the person says is one answer. */
function blocks(entries) {
	const found = [];
	let open = null;
	for (const entry of entries) {
		if (entry.kind === "user") {
			open = null;
			found.push(entry);
			continue;
		}
		if (!open && entry.kind === "note") {
			found.push(entry);
			continue;
		}
		if (!open) found.push(open = {
			kind: "answer",
			id: entry.id,
			said: [],
			calls: [],
			images: [],
			notes: [],
			mark: ""
		});
		open.mark += `${entry.id},`;
		if (entry.kind === "assistant") open.said.push(entry);
		else if (entry.kind === "tool") open.calls.push(entry);
		else if (entry.kind === "image") open.images.push(entry);
		else open.notes.push(entry);
	}
	return found;
}
// src/voice/view/entries.tsx
var Artefacts = lazy(() => __vitePreload(() => import("./artefacts.js").then((made) => made.Artefacts), __vite__mapDeps([0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26]), import.meta.url));
var NEAR_PX = 60;
function Entries({ transcript, label, deeds, children }) {
	const entries = transcript.entries.value;
	const box = T(null);
	const list = T(null);
	const follows = T(true);
	const [behind, set] = d(false);
	const elements = T(/* @__PURE__ */ new Map());
	const before = elements.current;
	elements.current = /* @__PURE__ */ new Map();
	const drawn = (block) => {
		const mark = block.kind === "answer" ? block.mark : "";
		const known = before.get(block.id);
		const element = known && known.mark === mark && (block.kind === "answer" || known.block === block) ? known.element : /* @__PURE__ */ a(One, {
			block,
			transcript,
			deeds
		}, block.id);
		elements.current.set(block.id, {
			block,
			mark,
			element
		});
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
		"data-tour": "vox-transcript",
		children: [/* @__PURE__ */ a("div", {
			class: "entries",
			ref: box,
			tabIndex: 0,
			role: "region",
			"aria-label": label,
			"data-tour": "chat-messages",
			onClick: (event) => {
				if (event.target.closest("summary")) follows.current = false;
			},
			children: [entries.length ? null : children, /* @__PURE__ */ a("div", {
				role: "list",
				class: "entries-list",
				ref: list,
				children: parts(blocks(entries)).map((part, n) => /* @__PURE__ */ a("div", {
					class: "entries-part",
					role: "none",
					children: part.map(drawn)
				}, n))
			})]
		}), behind && entries.length ? /* @__PURE__ */ a(Button, {
			class: "entries-end",
			icon: "down",
			onClick: toEnd,
			children: t("Newest")
		}) : null]
	});
}
/** The browser skips whole parts that are out of sight; watching every entry would cost more. */
var PART = 10;
function parts(all) {
	return Array.from({ length: Math.ceil(all.length / PART) }, (_, n) => all.slice(n * PART, (n + 1) * PART));
}
function One({ block, transcript, deeds }) {
	if (block.kind === "user") return /* @__PURE__ */ a(FromPerson, {
		entry: block,
		deeds
	});
	if (block.kind === "note") return /* @__PURE__ */ a(Note, { entry: block });
	return /* @__PURE__ */ a(FromAgent, {
		answer: block,
		transcript,
		deeds
	});
}
function FromPerson({ entry, deeds }) {
	const [near, come] = d(false);
	const [editing, edit] = d(false);
	const open = entry.open.value;
	if (editing && deeds?.askAgain) return /* @__PURE__ */ a("div", {
		role: "listitem",
		class: "entry user editing",
		children: /* @__PURE__ */ a(Asking, {
			text: entry.text.value,
			onCancel: () => edit(false),
			onAsk: (text) => {
				edit(false);
				deeds.askAgain(entry, text);
			}
		})
	});
	return /* @__PURE__ */ a("div", {
		role: "listitem",
		class: `entry user ${open ? "open" : ""}`,
		onPointerEnter: () => come(true),
		children: [
			/* @__PURE__ */ a("p", {
				class: "who",
				children: [
					/* @__PURE__ */ a("span", {
						class: "hidden-visually",
						children: t("You")
					}),
					entry.spoken ? /* @__PURE__ */ a("span", {
						class: "spoken",
						title: t("Spoken"),
						children: [/* @__PURE__ */ a(Icon, {
							name: "mic",
							size: 13
						}), /* @__PURE__ */ a("span", {
							class: "hidden-visually",
							children: t("Spoken")
						})]
					}) : null,
					/* @__PURE__ */ a(Time, { at: entry.at })
				]
			}),
			/* @__PURE__ */ a("p", {
				class: "as-text bubble",
				children: entry.text.value
			}),
			deeds && !open ? /* @__PURE__ */ a(Actions, {
				near,
				entry,
				deeds,
				onEdit: () => edit(true)
			}) : null
		]
	});
}
/** What it says first, then what that rests on, and what was done for it in one line. */
function FromAgent({ answer, transcript, deeds }) {
	const { said, calls, images, notes } = answer;
	return /* @__PURE__ */ a($, { children: [
		said.map((entry, n) => /* @__PURE__ */ a(Said, {
			entry,
			first: n === 0,
			transcript,
			deeds
		}, entry.id)),
		images.map((entry) => /* @__PURE__ */ a(Shown, { entry }, entry.id)),
		calls.length ? /* @__PURE__ */ a(Artefacts, { calls }, "made") : null,
		calls.length ? /* @__PURE__ */ a(Calls, { calls }, "calls") : null,
		notes.map((entry) => /* @__PURE__ */ a(Note, { entry }, entry.id))
	] });
}
function Said({ entry, first, transcript, deeds }) {
	const [near, come] = d(false);
	const state = entry.state.value;
	return /* @__PURE__ */ a("div", {
		role: "listitem",
		class: `entry assistant ${state}`,
		"aria-busy": state === "open" || void 0,
		onPointerEnter: () => come(true),
		children: [
			first ? /* @__PURE__ */ a("p", {
				class: "who",
				children: ["Antiphon", /* @__PURE__ */ a(Time, { at: entry.at })]
			}) : null,
			/* @__PURE__ */ a(Words, {
				text: entry.text.value,
				heard: entry.heard.value,
				evidence: entry.evidence,
				sources: transcript.sources,
				onSource: deeds?.openSource
			}),
			/* @__PURE__ */ a(Sources, {
				text: entry.text.value,
				evidence: entry.evidence,
				sources: transcript.sources,
				onSource: deeds?.openSource
			}),
			state === "interrupted" || entry.heard.value !== null ? /* @__PURE__ */ a("p", {
				class: "cut",
				children: cutOff(state === "interrupted", entry.heard.value !== null)
			}) : null,
			deeds && state !== "open" ? /* @__PURE__ */ a(Actions, {
				near,
				entry,
				deeds
			}) : null
		]
	});
}
function cutOff(interrupted, marked) {
	if (!marked) return t("interrupted");
	return interrupted ? t("interrupted; heard up to the mark") : t("heard up to the mark");
}
function Shown({ entry }) {
	return /* @__PURE__ */ a("div", {
		role: "listitem",
		class: "entry image",
		children: /* @__PURE__ */ a(Figure, { ...entry.picture })
	});
}
function Note({ entry }) {
	return /* @__PURE__ */ a("div", {
		role: "listitem",
		class: `entry note ${entry.tone}`,
		children: /* @__PURE__ */ a("p", { children: entry.text })
	});
}
function Time({ at }) {
	return /* @__PURE__ */ a("time", {
		dateTime: (/* @__PURE__ */ new Date(at * 1e3)).toISOString(),
		children: minuteTime(at)
	});
}
// src/pages/conversation/api.ts
/** Conversations over HTTP. */
var path = (id, more = "") => `/api/conversations/${encodeURIComponent(id)}${more}`;
function listed(query, signal) {
	return get("/api/conversations", {
		query,
		signal
	});
}
/** Refused where somebody else has changed it meanwhile. */
async function change({ id, version }, what) {
	const answer = await send("PATCH", path(id), what, version === void 0 ? {} : { headers: { "If-Match": `"${version}"` } });
	const body = await answer.json().catch(() => null);
	if (!answer.ok) throw new ApiError(answer.status, words(answer.status, body), body);
}
var remove = (id) => del(path(id));
var share = (id) => post(path(id, "/share"));
var unshare = (id) => del(path(id, "/share"));
var exported = (id, format) => `${path(id, "/export")}?format=${format}`;
var readShared = (token, signal) => get(`/api/shared/${encodeURIComponent(token)}`, { signal });
/** A new conversation with everything before that message, or with the message too. */
var branch = (id, turn, include) => post(path(id, "/branch"), {
	turn,
	...include ? { include } : {}
});
var judge = (id, turn, value) => put(path(id, `/turns/${encodeURIComponent(turn)}/feedback`), { value });
/** What names a message at the server. One that was said just now is looked up there. */
async function turnOf(id, entry) {
	if (entry.stored) return entry.stored;
	const { entries } = await get(path(id));
	const found = entries.findLast((each) => each.kind === "said" && each.role === entry.kind && same(each.text, entry.text.peek()));
	if (found?.kind !== "said" || !found.turn) throw new ApiError(404, t("This message is not saved yet. Try again in a moment."));
	entry.stored = found.turn;
	return found.turn;
}
var same = (a, b) => a.trim() === b.trim();
export { listed as a, share as c, Entries as d, judge as i, turnOf as l, change as n, readShared as o, exported as r, remove as s, branch as t, unshare as u };

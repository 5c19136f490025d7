const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["./change-form.js","./vendor-preact.js","./http.js","./app.js","./address.js","./load.js","./kit.js","./toasts.js","./form.js","./conversation.js","./zone.js","./talk.js","./backends.js","./microphone.js","./bus.js","./ear.js","./player.js","./agents.js","./pipeline-page.js","./router.js","./poll.js","./flow.js","./time.js","./confirmations.js","./notifications.js","./markdown.js","./rules.js","./gates.js","./readable.js","./dates.js","./left-out.js","./audit.js","./call-menu.js","./rows.js","./filter-chips.js","./calendar.js","./words.js","./chat.js","./entries.js","./view.js","./written.js","./experts.js","./calls.js","./gallery.js","./chart.js","./vendor-uplot.js","./legend.js","./inbox.js","./now.js","./kg-studio.js","./typed.js","./macros.js","./catalogue.js","./some.js","./api.js","./metrics.js","./nowhere.js","./playbooks2.js","./projects.js","./sessions.js","./older.js","./settings.js","./tools.js","./tries.js","./traces.js","./vox.js","./workflows.js"])))=>i.map(i=>d[i]);
import { a as x, c as F, f as d, g as Q, h as $, l as P, m as w, o as y, s as A, t as a, u as T } from "./vendor-preact.js";
import { a as onReturn, c as watchConnection, i as check, o as outdated, s as standing$1, t as AWAY_MS } from "./load.js";
import { a as locale, c as rich, d as __vitePreload, f as prefer, l as t, m as shownTheme, n as language, p as prefs, s as plural, u as translated } from "./app.js";
import { t as address } from "./address.js";
import { a as onFailure, c as said, d as words, l as send, o as post, r as get, t as ApiError } from "./http.js";
import { a as at, c as pageOf$1, d as route, f as tabsOf, i as PAGES, l as pageTitle, n as MENU, o as go, r as NOWHERE, s as labelOf, t as LISTED, u as parseRoute } from "./router.js";
import { a as named$1, c as questions, f as watchOpen, l as remind, n as askById, o as openQuestions, r as current, u as respond } from "./confirmations.js";
import { f as Spinner, l as Loading, n as Button, s as IconButton, t as Badge, u as Problem, v as Icon } from "./kit.js";
import { a as talk, i as conversation, n as ask, o as talking, r as compose } from "./talk.js";
import { n as on, r as say } from "./bus.js";
import { i as toasts, n as holdToasts, r as toast, t as dismiss } from "./toasts.js";
import { t as Player } from "./player.js";
import { n as inWords, r as useNow, t as countdown } from "./now.js";
import { a as held, i as hearing, o as listening, p as __exportAll, s as microphone } from "./ear.js";
import { d as usable, i as loadStatus, l as status, n as backendStatus, t as backend } from "./backends.js";
import { b as hush, c as muted, g as setup, h as setMuted, l as phase, o as hangUp, s as interrupt } from "./conversation.js";
// src/functions/model.ts
/** Who answers: what there is to choose from, and changing it. */
/** What `provider` and `model` mean for conversations. Throws, in words, what cannot be. */
function chosen(status, provider, model) {
	const backend = status.backends.find((each) => each.name === provider.toLowerCase());
	if (!backend) throw new Error(`There is no provider "${provider}". There are ${status.backends.map((each) => each.name).join(", ")}.`);
	if (!backend.configured || backend.reachable === false) throw new Error(backend.why ?? `${backend.label} cannot be used right now.`);
	const own = [backend.model, backend.voice_model].filter((each) => each !== null);
	const known = [.../* @__PURE__ */ new Set([...own, ...backend.models.map((each) => each.id)])];
	const found = known.find((each) => each.toLowerCase() === model.toLowerCase());
	if (!found) throw new Error(`${backend.label} has no model "${model}" here. There are ${known.join(", ")}.`);
	const modes = backend.models.find((each) => each.id === found)?.modes;
	if (backend.voice_model && found !== backend.voice_model && modes && !modes.includes("voice")) return {
		backend: backend.name,
		model: backend.voice_model,
		note: `${found} only writes; in conversations ${backend.voice_model} answers.`
	};
	return {
		backend: backend.name,
		model: found
	};
}
/** How long the model may go on speaking before the other one takes over. */
var FAREWELL_MS = 6e3;
/** What can be used. A provider that did not answer a while ago is asked once more. */
async function lately(provider) {
	const known = await get("/api/vox/status", { signal: AbortSignal.timeout(2e3) });
	return known.backends.some((each) => each.name === provider && each.configured && each.reachable === false) ? get("/api/vox/status", {
		query: { probe: true },
		signal: AbortSignal.timeout(5e3)
	}) : known;
}
async function switchModel(provider, model) {
	const choice = chosen(await lately(provider), provider, model);
	prefer({
		backend: choice.backend,
		model: choice.model,
		...choice.backend === prefs.value.backend ? {} : { voice: "" }
	});
	if (talking.value) {
		const { backend, model: name } = choice;
		afterTurn(() => conversation.value?.restart({
			backend,
			model: name
		}).catch(() => {}));
	}
	return {
		provider: choice.backend,
		model: choice.model,
		...choice.note ? { note: choice.note } : {}
	};
}
function afterTurn(go) {
	const once = () => {
		stop();
		clearTimeout(timer);
		go();
	};
	const stop = on("turn_complete", once);
	const timer = setTimeout(once, FAREWELL_MS);
}
// src/functions/page.ts
/** What a person sees of the open page: where it is and what is written on it. */
var LOADS_MS = 3e3;
var LOOK_EVERY_MS$1 = 50;
/** About as much as a model can use of one page. */
var MOST$1 = 8e3;
function currentPage() {
	const { page, wanted, rest, query } = route.value;
	const path = page ? at(page, rest, Object.fromEntries(query)).slice(1) : `/${[wanted, ...rest].join("/")}`;
	return {
		page: page ?? "",
		title: pageTitle.value,
		path
	};
}
/** Goes to a page or a place on one, and answers when it is there to be seen. */
async function navigate(path) {
	const to = parseRoute(`#/${path.trim().replace(/^#?\/+/, "")}`);
	if (!to.page) throw new Error(`There is no page "${to.wanted}". There are ${PAGES.map((page) => page.id).join(", ")}.`);
	go(at(to.page, to.rest, Object.fromEntries(to.query)));
	await shown$1();
	return { navigated_to: [to.page, ...to.rest].join("/") };
}
/** The text that can be seen, cut to a size that a model can use. */
async function readPage() {
	await shown$1();
	const { page, title } = currentPage();
	return {
		page,
		title,
		content: visibleText(document.getElementById("main"))
	};
}
function visibleText(element) {
	const text = (element?.innerText ?? "").replace(/[^\S\n]+/g, " ").replace(/ ?\n ?/g, "\n").replace(/\n{3,}/g, "\n\n").trim();
	if (text.length <= 8e3) return text;
	const left = text.length - MOST$1;
	return `${text.slice(0, MOST$1).trimEnd()}\n… (${left} more characters are on the page)`;
}
/** Waits until the page has loaded what it shows, but not for ever. */
async function shown$1() {
	const until = Date.now() + LOADS_MS;
	const ready = () => document.querySelector(`main .page-${route.value.page ?? "nowhere"}`) && !document.querySelector("main .loading");
	while (!ready() && Date.now() < until) await new Promise((wake) => setTimeout(wake, LOOK_EVERY_MS$1));
}
// src/functions/index.ts
/** The functions that an agent calls in the browser. Each call is answered, whatever happens. */
var ASKING_MS = 3e3;
var THEMES$1 = [
	"light",
	"dark",
	"high-contrast",
	"system"
];
var FUNCTIONS = {
	navigate_page: ({ path }) => navigate(text(path, "path")),
	get_current_page: () => currentPage(),
	get_workspace_state: () => workspaceState(),
	read_page_content: () => readPage(),
	switch_model: ({ provider, model }) => switchModel(text(provider, "provider"), text(model, "model")),
	switch_theme: ({ theme_id }) => switchTheme(text(theme_id, "theme_id"))
};
/** Runs one. Never throws: what goes wrong is a result in words. */
async function run(name, args) {
	try {
		const made = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : void 0;
		if (!made) throw new Error(`This browser has no function "${name}". It has ${Object.keys(FUNCTIONS).join(", ")}.`);
		return {
			success: true,
			...await made(args ?? {})
		};
	} catch (error) {
		return {
			success: false,
			error: said(error)
		};
	}
}
function text(value, name) {
	if (typeof value !== "string" || !value.trim()) throw new Error(`\`${name}\` must be text.`);
	return value.trim();
}
function switchTheme(theme) {
	const known = THEMES$1.find((each) => each === theme);
	if (!known) throw new Error(`There is no theme "${theme}". There are ${THEMES$1.join(", ")}.`);
	prefer({ theme: known });
	return { theme_id: known };
}
async function workspaceState() {
	const { mode, model } = conversation.value?.setup.value ?? {};
	const [status, count] = await Promise.all([get("/api/vox/status", { signal: AbortSignal.timeout(ASKING_MS) }), projects()]);
	const provider = mode || prefs.value.backend || status.backend;
	const backend = status.backends.find((each) => each.name === provider);
	return {
		provider,
		model: model || prefs.value.model || backend?.voice_model || backend?.model || "",
		page: currentPage().page,
		theme: prefs.value.theme,
		project_count: count,
		session: conversation.value?.sessionId.value ?? null
	};
}
async function projects() {
	const { count } = await get("/api/projects", { signal: AbortSignal.timeout(ASKING_MS) });
	return count;
}
on("function_call", async (message) => {
	if (message.server_handled !== false) return;
	const { fn_call_id, name, args } = message;
	const result = await run(name, args);
	say({
		type: "browser_function_result",
		fn_call_id,
		name,
		result
	});
});
// src/ui/dialog.tsx
/**
* A modal window on the browser's own `<dialog>`: focus stays inside, Escape closes it, and focus
* goes back to where it was. Shown while it is rendered.
*/
function Dialog({ title, onClose, children, class: more }) {
	const element = T(null);
	const heading = P();
	F(() => {
		const dialog = element.current;
		const before = document.activeElement;
		if (!dialog.open) dialog.showModal();
		return () => {
			dialog.close();
			if (before instanceof HTMLElement && before.isConnected) before.focus();
		};
	}, []);
	return /* @__PURE__ */ a("dialog", {
		ref: element,
		class: `dialog ${more ?? ""}`,
		"aria-labelledby": heading,
		onCancel: (event) => {
			event.preventDefault();
			onClose();
		},
		onClick: (event) => {
			if (event.target === element.current) onClose();
		},
		children: /* @__PURE__ */ a("div", {
			class: "dialog-body",
			children: [/* @__PURE__ */ a("header", {
				class: "dialog-head",
				children: [/* @__PURE__ */ a("h2", {
					id: heading,
					children: title
				}), /* @__PURE__ */ a(IconButton, {
					label: t("Close"),
					icon: "close",
					onClick: onClose
				})]
			}), children]
		})
	});
}
// src/stores/blocked.ts
/** A person who is kept out for a while: until when, and what was said about it. */
/** Null: talking and writing are open. It becomes null by itself when the time is over. */
var blocked = y(null);
var timer;
var LONGEST_MS = 2 ** 31 - 1;
function block(timeout) {
	const { timeoutUntil: until, message } = timeout;
	if (until <= Date.now()) return;
	blocked.value = {
		until,
		message: message || t("This conversation is paused.")
	};
	wait();
}
/** It was lifted: whoever is still kept out is told so again. */
function unblock() {
	clearTimeout(timer);
	blocked.value = null;
}
function wait() {
	clearTimeout(timer);
	const left = (blocked.value?.until ?? 0) - Date.now();
	if (left <= 0) blocked.value = null;
	else timer = setTimeout(wait, Math.min(left, LONGEST_MS));
}
on("timeout", block);
// src/overlays/confirm.tsx
function Confirm() {
	const asked = current.value;
	return asked ? /* @__PURE__ */ a(Ask, { asked }, asked.question.id) : null;
}
var SCOPES = [
	{
		id: "once",
		label: t("Just this once")
	},
	{
		id: "session",
		label: t("For the rest of this session")
	},
	{
		id: "always",
		label: t("Always, until I revoke it in Settings")
	}
];
function Ask({ asked }) {
	const { question, spoken, problem, wrong, draft } = asked;
	const { id, preview, fields = [] } = question;
	const element = T(null);
	const deny = T(null);
	const [scope, choose] = d("once");
	const [changing, change] = d(draft !== null);
	const [args, write] = d(draft ?? question.args ?? null);
	const heading = P();
	const about = P();
	const final = cannotBeUndone(question);
	F(() => {
		const dialog = element.current;
		const before = document.activeElement;
		dialog.showModal();
		deny.current.querySelector("button").focus();
		return () => {
			dialog.close();
			if (before instanceof HTMLElement && before.isConnected) before.focus();
		};
	}, []);
	const refuse = () => void respond(id, { approve: false });
	const approve = () => {
		if (changing && !args) return;
		respond(id, {
			approve: true,
			...scope === "once" ? {} : { remember: scope },
			...changing && args ? { args } : {}
		});
	};
	const shown = fields.filter((field) => !field.empty);
	return /* @__PURE__ */ a("dialog", {
		ref: element,
		class: `dialog confirm ${final ? "is-final" : ""}`,
		role: "alertdialog",
		"aria-labelledby": heading,
		"aria-describedby": about,
		onCancel: (event) => {
			event.preventDefault();
			refuse();
		},
		onClose: () => element.current && refuse(),
		onKeyDown: (event) => event.stopPropagation(),
		children: [
			/* @__PURE__ */ a("header", {
				class: "confirm-head",
				children: [
					/* @__PURE__ */ a(Icon, {
						name: "shield",
						size: 22
					}),
					/* @__PURE__ */ a("h2", {
						id: heading,
						children: [named$1(question), "?"]
					}),
					questions.value.length > 1 ? /* @__PURE__ */ a(Badge, { children: rich("1 of {count}", { count: questions.value.length }) }) : null
				]
			}),
			/* @__PURE__ */ a("div", {
				class: "confirm-body",
				tabIndex: shown.length > 3 ? 0 : void 0,
				role: "group",
				"aria-label": t("What would happen"),
				children: [
					/* @__PURE__ */ a("p", {
						id: about,
						class: shown.length ? "hidden-visually" : "",
						children: preview
					}),
					changing ? /* @__PURE__ */ a(Changing, {
						question,
						value: args ?? question.args ?? {},
						wrong,
						onChange: write
					}) : shown.length ? /* @__PURE__ */ a(Fields, { fields: shown }) : null,
					question.complete === false ? /* @__PURE__ */ a("p", {
						class: "wrong",
						children: t("There is more than can be shown here. Approve only if you know the rest.")
					}) : null,
					/* @__PURE__ */ a(Facts, {
						question,
						final,
						changing,
						onChange: () => change(true)
					}),
					/* @__PURE__ */ a(Scopes, {
						question,
						scope,
						onChoose: choose
					}),
					problem ? /* @__PURE__ */ a("p", {
						class: "wrong",
						role: "alert",
						children: problem
					}) : null
				]
			}),
			/* @__PURE__ */ a("footer", {
				class: "confirm-actions",
				children: [/* @__PURE__ */ a(TimeLeft, {
					until: question.expires_at * 1e3,
					spoken: spoken && hearing.value
				}), /* @__PURE__ */ a("span", {
					class: "row",
					ref: deny,
					children: [/* @__PURE__ */ a(Button, {
						onClick: refuse,
						class: "confirm-deny",
						children: rich("Deny {key}", { key: /* @__PURE__ */ a("kbd", {
							"aria-hidden": "true",
							children: "Esc"
						}) })
					}), /* @__PURE__ */ a(Button, {
						kind: final ? "danger" : "primary",
						icon: "check",
						disabled: changing && !args,
						onClick: approve,
						children: changing ? t("Approve with changes") : t("Approve")
					})]
				})]
			})
		]
	});
}
/** What stands red: a high risk that nobody can take back. */
var FINAL = /(^|_)(delete|remove|drop|purge|erase|wipe|send|pay|transfer|wire|publish)(_|$)/;
var cannotBeUndone = ({ risk, tool }) => risk === "high" && FINAL.test(tool);
function Facts({ question, final, changing, onChange }) {
	const { tool, args, approvals = 1, approved_by: by = [] } = question;
	const untrusted = question.rule === "confirmation.untrusted";
	return /* @__PURE__ */ a($, { children: [
		/* @__PURE__ */ a("p", {
			class: "row confirm-facts",
			children: [
				/* @__PURE__ */ a(Badge, { children: tool }),
				final ? /* @__PURE__ */ a(Badge, {
					kind: "bad",
					children: t("Cannot be undone")
				}) : null,
				question.rule && question.rule !== "confirmation" && !untrusted ? /* @__PURE__ */ a("span", {
					class: "hint",
					children: rich("Required by the rule {code}.", { code: /* @__PURE__ */ a("code", { children: question.rule }) })
				}) : null,
				/* @__PURE__ */ a("span", { class: "spring" }),
				args && !changing ? /* @__PURE__ */ a(Button, {
					kind: "quiet",
					icon: "edit",
					onClick: onChange,
					children: t("Change values")
				}) : null
			]
		}),
		untrusted ? /* @__PURE__ */ a("p", {
			class: "hint",
			children: t("Text written by others may have led to this.")
		}) : null,
		approvals > 1 ? /* @__PURE__ */ a("p", {
			class: "hint",
			children: by.length ? t("Approved by {names}. A second person must approve it too.", { names: by.join(", ") }) : t("Two people must approve this. After you, a second person is asked.")
		}) : null
	] });
}
function Scopes({ question, scope, onChoose }) {
	const name = P();
	const scopes = SCOPES.filter((each) => each.id === "once" || question.remember?.includes(each.id));
	if (scopes.length < 2) return null;
	return /* @__PURE__ */ a("fieldset", {
		class: "confirm-scope",
		children: [/* @__PURE__ */ a("legend", { children: t("Approval applies") }), scopes.map((each) => /* @__PURE__ */ a("label", { children: [/* @__PURE__ */ a("input", {
			type: "radio",
			name,
			checked: scope === each.id,
			onChange: () => onChoose(each.id)
		}), each.label] }, each.id))]
	});
}
function Fields({ fields }) {
	return /* @__PURE__ */ a("dl", {
		class: "confirm-fields",
		children: fields.map((field) => /* @__PURE__ */ a("div", { children: [/* @__PURE__ */ a("dt", { children: field.label || field.name }), /* @__PURE__ */ a("dd", { children: [/* @__PURE__ */ a(Value, { field }), /* @__PURE__ */ a(Origin, { field })] })] }, field.name))
	});
}
/** The whole of it: what is approved has to be seen. */
function Value({ field }) {
	const shown = inPeoplesForm(field.value) ?? field.full ?? field.display ?? String(field.value);
	if (!isLong(shown)) return /* @__PURE__ */ a($, { children: shown });
	return /* @__PURE__ */ a("div", {
		class: "confirm-long",
		tabIndex: 0,
		role: "group",
		"aria-label": t("{label}, in full", { label: field.label || field.name }),
		children: shown
	});
}
var isLong = (text) => text.length > 280 || text.split("\n").length > 6;
var MOMENT = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[+-]\d\d:?\d\d)$/;
var moment = new Intl.DateTimeFormat(locale, {
	dateStyle: "full",
	timeStyle: "short"
});
var offset = new Intl.DateTimeFormat(locale, { timeZoneName: "short" });
/** A moment in the person's own time zone. */
function inPeoplesForm(value) {
	if (typeof value !== "string" || !MOMENT.test(value)) return null;
	const date = new Date(value.replace(" ", "T"));
	if (Number.isNaN(date.getTime())) return null;
	const zone = offset.formatToParts(date).find((part) => part.type === "timeZoneName")?.value ?? "";
	return `${moment.format(date)} ${zone}`.trim();
}
function Origin({ field: { origin } }) {
	if (!origin) return null;
	const { kind, text } = origin;
	const words = kind === "said" ? t("you said “{words}”", { words: text }) : kind === "result" ? t("from {source}", { source: text }) : kind === "default" ? t("default") : t("chosen by the model");
	return /* @__PURE__ */ a("small", {
		class: `confirm-origin ${kind}`,
		children: words
	});
}
/** The form comes when somebody wants to change something. */
function Changing({ question, value, wrong, onChange }) {
	const [Form, have] = d(null);
	const [problem, fail] = d(false);
	A(() => {
		__vitePreload(() => import("./change-form.js").then((module) => have(() => module.ChangeForm), () => fail(true)), __vite__mapDeps([0,1,2,3,4,5,6,7,8]), import.meta.url);
	}, []);
	if (problem) return /* @__PURE__ */ a("p", {
		class: "wrong",
		role: "alert",
		children: t("The form could not be loaded. You can still approve or deny.")
	});
	return Form ? /* @__PURE__ */ a(Form, {
		tool: question.tool,
		value,
		wrong,
		onChange
	}) : /* @__PURE__ */ a(Loading, {});
}
/** Said aloud only now and then: every second would be too much. */
var ALOUD = [
	60,
	30,
	10
];
function TimeLeft({ until, spoken }) {
	const left = until - useNow(250);
	const seconds = Math.ceil(left / 1e3);
	const mark = ALOUD.findLast((each) => seconds <= each);
	const clock = /* @__PURE__ */ a("span", {
		role: "timer",
		"aria-label": t("{left} left", { left: inWords(left) }),
		class: `number ${seconds <= 10 ? "soon" : ""}`,
		children: countdown(left)
	});
	return /* @__PURE__ */ a("p", {
		class: "hint confirm-time",
		children: [
			rich("Denied in {time} without an answer.", { time: clock }),
			spoken ? /* @__PURE__ */ a($, { children: [" ", rich("You can also {answer}.", { answer: /* @__PURE__ */ a("strong", { children: t("say yes or no") }) })] }) : null,
			/* @__PURE__ */ a("span", {
				class: "hidden-visually",
				"aria-live": "polite",
				children: mark ? t("Denied in less than {mark}.", { mark: inWords(mark * 1e3) }) : ""
			})
		]
	});
}
// src/voice/server-voice.ts
/** A text said by the server's own voice, outside of any conversation. */
var PATH$1 = "/api/vox/speech";
/** What stands before the samples of a WAV file. */
var HEAD_BYTES = 44;
/** Each text is a turn of its own. */
var turn = 0;
var heardOut = null;
var player = new Player((progress) => {
	if (progress.done && progress.turn === turn) heardOut?.();
}, () => {});
/** Ends when it was heard to its end, or was stopped. Throws why it cannot be said. */
async function serverVoice(text, stopped) {
	const mine = ++turn;
	const over = new Promise((resolve) => {
		heardOut = resolve;
		stopped.addEventListener("abort", () => {
			player.flush(mine);
			resolve();
		});
	});
	try {
		const [answer] = await Promise.all([send("POST", PATH$1, { text }, { signal: stopped }), open()]);
		if (!answer.ok) throw new Error(await why(answer));
		const some = await play(answer.body, mine);
		player.complete(mine);
		if (some) await over;
	} catch (error) {
		if (!stopped.aborted) throw error;
	} finally {
		if (mine === turn) player.rest();
	}
}
function open() {
	return player.open(prefs.value.speaker).catch(() => {
		throw new Error("This browser cannot play sound.");
	});
}
async function why(answer) {
	const body = await answer.json().catch(() => null);
	return words(answer.status, body);
}
/** Hands on what comes as it comes, whole samples at a time. False: there was no sound in it. */
async function play(body, mine) {
	const reader = body.getReader();
	let waiting = /* @__PURE__ */ new Uint8Array(0);
	let skip = HEAD_BYTES;
	let some = false;
	for (;;) {
		const { done, value } = await reader.read();
		if (done) return some;
		const all = new Uint8Array(waiting.length + value.length);
		all.set(waiting);
		all.set(value, waiting.length);
		const from = Math.min(skip, all.length);
		skip -= from;
		const to = all.length - (all.length - from) % 2;
		if (to > from) {
			player.play(mine, all.slice(from, to).buffer);
			some = true;
		}
		waiting = all.slice(to);
	}
}
// src/stores/tour-voice.ts
/**
* The voice of tours: the browser's own, or the server's where the browser has none. It neither talks
* over the agent nor is heard by it.
*/
/** Why nothing is heard, in words; the tour itself goes on. */
var voiceTrouble = y("");
/** The agent may say a sentence first, but not for ever. */
var PATIENCE_MS$2 = 8e3;
/** Browsers look for their voices when they are first asked for them. */
var VOICES_MS = 800;
function tourVoice() {
	let speaking = null;
	const stop = () => {
		speaking?.abort();
		speaking = null;
	};
	const say = async (text) => {
		stop();
		voiceTrouble.value = "";
		const { signal: stopped } = speaking = new AbortController();
		await agentIsQuiet();
		const says = await browserHasVoice() ? browserSays : serverSays;
		if (stopped.aborted) return;
		const listen = await deaf();
		try {
			await says(text, stopped);
		} catch (error) {
			if (!stopped.aborted) voiceTrouble.value = error instanceof Error ? error.message : String(error);
		} finally {
			listen();
		}
	};
	return {
		say: (text) => void say(text),
		stop
	};
}
var synthesis = () => globalThis.speechSynthesis;
/** One that can speak at all may still have no voice: on Linux, or without a window. */
async function browserHasVoice() {
	const speech = synthesis();
	if (!speech) return false;
	if (fitting(speech) || waited) return fitting(speech);
	await new Promise((resolve) => {
		setTimeout(resolve, VOICES_MS);
		speech.addEventListener("voiceschanged", () => resolve(), { once: true });
	});
	waited = true;
	return fitting(speech);
}
var waited = false;
/** Any voice reads English somehow; another language needs one of its own. */
var fitting = (speech) => speech.getVoices().some((voice) => language === "en" || voice.lang.toLowerCase().startsWith(language));
/** The server's voice reads English only. */
var serverSays = (text, stopped) => {
	if (language !== "en") throw new Error(t("This browser has no voice for this language."));
	return serverVoice(text, stopped);
};
var browserSays = (text, stopped) => new Promise((resolve) => {
	if (stopped.aborted) return resolve();
	const utterance = new SpeechSynthesisUtterance(text);
	utterance.lang = locale;
	utterance.onend = () => resolve();
	utterance.onerror = () => resolve();
	stopped.addEventListener("abort", () => {
		synthesis()?.cancel();
		resolve();
	});
	synthesis()?.speak(utterance);
});
function agentIsQuiet() {
	return new Promise((resolve) => {
		const timer = setTimeout(resolve, PATIENCE_MS$2);
		const stop = x(() => {
			const phase = conversation.value?.phase.value;
			if (phase === "speaking" || phase === "thinking") return;
			clearTimeout(timer);
			queueMicrotask(() => stop());
			resolve();
		});
	});
}
/** The microphone would hear the browser and take it for the person. The answer opens it again. */
async function deaf() {
	if (!talking.value) return () => {};
	const { muted, setMuted } = await __vitePreload(async () => {
		const { muted, setMuted } = await import("./conversation.js").then((n) => n.r);
		return {
			muted,
			setMuted
		};
	}, __vite__mapDeps([9,1,10,3,11,12,2,4,5,13,14,15,16]), import.meta.url);
	if (muted.value) return () => {};
	setMuted(true);
	return () => setMuted(false);
}
// src/stores/tour.ts
/** A guided tour: one step after the other, each at something on the page, in words and aloud. */
var guided = y(null);
/** How long a target may take to appear: pages load their parts when they are opened. */
var PATIENCE_MS$1 = 3e3;
var LOOK_EVERY_MS = 50;
var voice = tourVoice();
/** The step that is looked for; an answer for an earlier one comes too late. */
var round = 0;
function inLanguage(tour) {
	return {
		...tour,
		name: translated(tour.name),
		steps: tour.steps.map((step) => ({
			...step,
			speech: translated(step.speech)
		}))
	};
}
/** Goes to the page and begins. Without `tour` the server is asked for it. */
async function startTour(page, tour) {
	const known = PAGES.find((each) => each.id === page);
	try {
		if (!known) throw new Error(t("There is no page “{page}” to show.", { page }));
		const wanted = inLanguage(tour ?? await get(`/api/vox/tours/${known.id}`));
		if (!wanted.steps.length) throw new Error(t("This tour has no steps."));
		if (route.value.page !== known.id) go(at(known.id));
		guided.value = {
			page: known.id,
			tour: wanted,
			index: 0,
			target: "looking"
		};
		await show(0);
	} catch (error) {
		toast(said(error), { kind: "bad" });
	}
}
function next() {
	const now = guided.value;
	if (!now) return;
	if (now.index + 1 < now.tour.steps.length) show(now.index + 1);
	else endTour();
}
function back() {
	if (guided.value && guided.value.index > 0) show(guided.value.index - 1);
}
function endTour() {
	round++;
	voice.stop();
	guided.value = null;
}
/** Says the step again, or stops saying it. */
function sayStep(aloud) {
	const now = guided.value;
	if (aloud && now) voice.say(now.tour.steps[now.index].speech);
	else voice.stop();
}
async function show(index) {
	const mine = ++round;
	const now = guided.value;
	const step = now.tour.steps[index];
	guided.value = {
		...now,
		index,
		target: "looking"
	};
	if (prefs.value.tourSpeech) voice.say(step.speech);
	const target = await appears(step.target, () => mine !== round);
	if (mine === round && guided.value) guided.value = {
		...guided.value,
		target
	};
}
/** The element when it can be seen; null when it does not come in time. */
async function appears(selector, overtaken) {
	const until = Date.now() + PATIENCE_MS$1;
	while (!overtaken()) {
		const found = find(selector);
		if (found) return found;
		if (Date.now() >= until) break;
		await new Promise((wake) => setTimeout(wake, LOOK_EVERY_MS));
	}
	return null;
}
function find(selector) {
	try {
		return [...document.querySelectorAll(selector)].find((element) => element.getClientRects().length > 0) ?? null;
	} catch {
		return null;
	}
}
x(() => {
	const { page } = route.value;
	const now = guided.peek();
	if (now && now.page !== page) endTour();
});
on("start_tour", ({ page, tour }) => void startTour(page, tour));
// src/stores/palette.ts
/** What the palette offers, and how it is found by a few letters. */
var paletteOpen = y(false);
var sources = /* @__PURE__ */ new Set();
/** A page or a part of the console offers entries of its own; the answer takes them back. */
function offer(source) {
	sources.add(source);
	return () => sources.delete(source);
}
/** Everything on offer now. `each` is called as the parts come; one that fails is left out. */
async function gather(each) {
	await Promise.all([...sources].map(async (source) => {
		try {
			each(await source());
		} catch {}
	}));
}
/** Under headings, the best of each heading first; at most so many of each. */
function grouped(found, most) {
	const groups = /* @__PURE__ */ new Map();
	for (const one of found) {
		const items = groups.get(one.entry.kind) ?? [];
		if (items.length < most) items.push(one);
		groups.set(one.entry.kind, items);
	}
	return [...groups].map(([kind, items]) => ({
		kind,
		items
	}));
}
var RECENT = "antiphon.recent";
var MOST_RECENT = 5;
function kept() {
	try {
		const found = JSON.parse(localStorage.getItem(RECENT) ?? "[]");
		return Array.isArray(found) ? found : [];
	} catch {
		return [];
	}
}
/** What was chosen goes to the front of what is offered next time. */
function remember({ id, label, icon, hint, address }) {
	if (id === "ask") return;
	const plain = id.replace(/^recent:/, "");
	const one = {
		id: plain,
		label,
		...icon ? { icon } : {},
		...hint ? { hint } : {},
		...address ? { address } : {}
	};
	try {
		localStorage.setItem(RECENT, JSON.stringify([one, ...kept().filter((each) => each.id !== plain)].slice(0, MOST_RECENT)));
	} catch {}
}
/** What was chosen last, as far as it can be chosen now. */
function recent$1(entries) {
	return kept().flatMap((one) => {
		const now = entries.find((entry) => entry.id === one.id);
		const run = now?.run ?? (one.address ? () => go(one.address) : null);
		return run ? [{
			...one,
			...now,
			first: true,
			id: `recent:${one.id}`,
			kind: t("Recent"),
			run
		}] : [];
	});
}
var START = 10;
var FOLLOWS = 11;
var INSIDE = 1;
/**
* How well `word` is found in `text`, letter by letter in order; null: not at all. Letters in a row
* count most, then starts of words, then scattered ones.
*/
function match(word, text) {
	const needle = word.toLowerCase();
	const hay = text.toLowerCase();
	if (!needle) return {
		score: 0,
		marks: []
	};
	if (needle.length > hay.length) return null;
	const best = [];
	for (let i = 0; i < needle.length; i++) {
		const row = [];
		let reach = {
			score: -Infinity,
			at: -1
		};
		for (let j = 0; j < hay.length; j++) {
			const above = best[i - 1];
			if (above && j > 0 && above[j - 1].score > reach.score) reach = {
				score: above[j - 1].score,
				at: j - 1
			};
			if (needle[i] !== hay[j] || i > 0 && reach.at < 0) {
				row.push({
					score: -Infinity,
					from: -1
				});
				continue;
			}
			const here = starts(text, j) ? START : INSIDE;
			if (i === 0) {
				row.push({
					score: here - j * .1,
					from: -1
				});
				continue;
			}
			const scattered = {
				score: reach.score + here,
				from: reach.at
			};
			const joined = {
				score: above[j - 1].score + Math.max(FOLLOWS, here),
				from: j - 1
			};
			row.push(joined.score >= scattered.score ? joined : scattered);
		}
		best.push(row);
	}
	const lastRow = best.at(-1);
	let at = -1;
	for (let j = 0; j < lastRow.length; j++) if (lastRow[j].score > (lastRow[at]?.score ?? -Infinity)) at = j;
	if (at < 0) return null;
	const score = lastRow[at].score;
	const marks = [];
	for (let i = needle.length - 1; i >= 0; i--) {
		marks.unshift(at);
		at = best[i][at].from;
	}
	return {
		score: score - hay.length * .05,
		marks
	};
}
function starts(text, at) {
	if (at === 0) return true;
	return /[^\p{L}\p{N}]/u.test(text[at - 1]) || /\p{Lu}/u.test(text[at]) && /\p{Ll}/u.test(text[at - 1]);
}
/** A scattering of letters that means nothing: less than this for each letter is not shown. */
var ENOUGH = 4;
/** Every word of the query has to be found, in the label or else beside it. */
function search(entries, query, limit = 40) {
	const words = query.trim().split(/\s+/).filter(Boolean);
	if (!words.length) return entries.slice(0, limit).map((entry) => ({
		entry,
		score: 0,
		marks: []
	}));
	const found = [];
	for (const entry of entries) {
		let score = 0;
		const marks = /* @__PURE__ */ new Set();
		if (words.every((word) => {
			const inLabel = match(word, entry.label);
			if (inLabel && inLabel.score >= ENOUGH * word.length) {
				score += inLabel.score;
				inLabel.marks.forEach((at) => marks.add(at));
				return true;
			}
			const letters = word.toLowerCase();
			if (letters.length < 2) return false;
			if (entry.kind.toLowerCase().startsWith(letters)) {
				score += word.length * FOLLOWS;
				return true;
			}
			if (!`${entry.kind} ${entry.hint ?? ""} ${entry.words ?? ""}`.toLowerCase().includes(letters)) return false;
			score += word.length * 2;
			return true;
		})) found.push({
			entry,
			score,
			marks: [...marks].sort((a, b) => a - b)
		});
	}
	return found.sort((a, b) => b.score - a.score).slice(0, limit);
}
// src/stores/shortcuts.ts
/** Every key that does something, in one list: it is what the overlay shows and what is heard. */
var shortcuts = y([]);
/** Adds some; the answer takes them away again. For a page: `useEffect(() => addShortcuts([…]), [])`. */
function addShortcuts(more) {
	shortcuts.value = [...shortcuts.value, ...more];
	return () => {
		shortcuts.value = shortcuts.value.filter((each) => !more.includes(each));
	};
}
function matches(keys, event) {
	const parts = keys.split("+");
	const key = parts.pop();
	if (parts.includes("Ctrl") !== (event.ctrlKey || event.metaKey) || parts.includes("Alt") !== event.altKey) return false;
	if ((event.key === " " ? "Space" : event.key).toLowerCase() !== key.toLowerCase()) return false;
	return !/^[a-z]$/i.test(key) || parts.includes("Shift") === event.shiftKey;
}
function typing(target) {
	return target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea, select"));
}
/** Listens on the whole page; the answer stops it. */
function hearShortcuts() {
	const hear = (event) => {
		if (event.defaultPrevented || event.isComposing) return;
		const found = shortcuts.value.findLast((each) => each.run && matches(each.keys, event));
		if (!found) return;
		if (!/Ctrl|Alt|^F\d/.test(found.keys) && (typing(event.target) || document.querySelector("dialog:modal"))) return;
		event.preventDefault();
		found.run();
	};
	document.addEventListener("keydown", hear);
	return () => document.removeEventListener("keydown", hear);
}
// src/voice/push.ts
/** Push-to-talk: what is said while the button, or the space bar, is held is one utterance. */
/** The end of a word is still on its way when the button is let go. */
var TAIL_MS = 150;
var letGo;
/** Held, or let go of. Does nothing where there is no line, or where nobody has to hold anything. */
function hold(on) {
	if (prefs.value.handsFree || !microphone.value) return;
	clearTimeout(letGo);
	if (on && !held.value) {
		hush();
		held.value = say({
			type: "activity",
			active: true
		});
	} else if (!on && held.value) letGo = setTimeout(() => {
		held.value = false;
		say({
			type: "activity",
			active: false
		});
	}, TAIL_MS);
}
// src/ui/count.tsx
function Count({ of, label }) {
	if (of <= 0) return null;
	return /* @__PURE__ */ a("span", {
		class: "count number",
		children: [/* @__PURE__ */ a("span", {
			"aria-hidden": "true",
			children: of > 99 ? "99+" : of
		}), /* @__PURE__ */ a("span", {
			class: "hidden-visually",
			children: [", ", label]
		})]
	});
}
// src/menu.tsx
/** The menu of the frame: beside the page, on a phone below it, with the tabs of merged pages. */
/** An entry with several pages opens at the one that was open last. */
function hrefOf(menu) {
	const pages = tabsOf(menu);
	return pages.length > 1 ? `#/${menu}` : at(pages[0].id);
}
var here = () => pageOf$1(route.value.page)?.menu ?? null;
function Entry({ entry, onFollow }) {
	return /* @__PURE__ */ a("a", {
		class: entry.thumb ? "thumb" : "",
		href: hrefOf(entry.id),
		title: entry.title,
		onClick: onFollow,
		"aria-current": entry.id === here() ? "page" : void 0,
		children: [
			/* @__PURE__ */ a(Icon, { name: entry.icon }),
			/* @__PURE__ */ a("span", { children: entry.title }),
			entry.id === "activity" ? /* @__PURE__ */ a(Waiting, {}) : null
		]
	});
}
/** How many questions wait for a yes. */
function Waiting() {
	const count = openQuestions.value;
	return /* @__PURE__ */ a(Count, {
		of: count,
		label: plural(count, "{count} open question", "{count} open questions")
	});
}
function Menu() {
	const more = MENU.some((entry) => !entry.thumb && entry.id === here());
	return /* @__PURE__ */ a("nav", {
		class: "nav",
		"aria-label": t("Pages"),
		children: [
			/* @__PURE__ */ a("a", {
				class: "brand",
				href: at("vox"),
				children: [/* @__PURE__ */ a("img", {
					src: address("/console/icon.svg"),
					alt: "",
					width: "28",
					height: "28"
				}), /* @__PURE__ */ a("span", { children: "Antiphon" })]
			}),
			/* @__PURE__ */ a("div", {
				class: "nav-list",
				children: MENU.map((entry) => /* @__PURE__ */ a(Entry, { entry }, entry.id))
			}),
			/* @__PURE__ */ a("button", {
				type: "button",
				class: `nav-more ${more ? "here" : ""}`,
				"aria-haspopup": "dialog",
				onClick: () => moreOpen.value = true,
				children: [/* @__PURE__ */ a(Icon, { name: "more" }), /* @__PURE__ */ a("span", { children: t("More") })]
			}),
			/* @__PURE__ */ a(Foot, { children: /* @__PURE__ */ a(Toggle, {}) })
		]
	});
}
var moreOpen = y(false);
/** On a phone: the pages that have no tab of their own. */
function More() {
	const close = () => moreOpen.value = false;
	if (!moreOpen.value) return null;
	return /* @__PURE__ */ a(Dialog, {
		title: t("More"),
		class: "more-sheet",
		onClose: close,
		children: [/* @__PURE__ */ a("nav", {
			class: "more-list",
			"aria-label": t("More pages"),
			children: MENU.filter((entry) => !entry.thumb).map((entry) => /* @__PURE__ */ a(Entry, {
				entry,
				onFollow: close
			}, entry.id))
		}), /* @__PURE__ */ a(Foot, {})]
	});
}
var version = y("");
async function askVersion() {
	if (version.value) return;
	version.value = await get("/healthz").then((found) => found.version, () => "");
}
function Toggle() {
	const open = prefs.value.navOpen;
	return /* @__PURE__ */ a(IconButton, {
		class: "nav-toggle",
		label: open ? t("Hide menu") : t("Show menu"),
		icon: "menu",
		"aria-expanded": open,
		onClick: () => prefer({ navOpen: !open })
	});
}
function Foot({ children }) {
	A(() => void askVersion(), []);
	const dark = shownTheme.value !== "light";
	return /* @__PURE__ */ a("div", {
		class: "nav-foot",
		children: [
			/* @__PURE__ */ a(IconButton, {
				label: dark ? t("Light theme") : t("Dark theme"),
				icon: dark ? "sun" : "moon",
				onClick: () => prefer({ theme: dark ? "light" : "dark" })
			}),
			/* @__PURE__ */ a("a", {
				class: "icon-button",
				href: address("/openapi.json"),
				target: "_blank",
				rel: "noopener",
				"aria-label": t("API description"),
				title: t("API description"),
				children: /* @__PURE__ */ a(Icon, { name: "book" })
			}),
			children,
			version.value ? /* @__PURE__ */ a("span", {
				class: "nav-version",
				title: t("Version {version}", { version: version.value }),
				children: version.value
			}) : null
		]
	});
}
/** Each page of a merged entry has an address of its own, so these are links. */
function PageTabs({ has }) {
	const menu = here();
	const pages = menu ? tabsOf(menu).filter((page) => has(page.id)) : [];
	if (pages.length < 2) return null;
	const entry = MENU.find((each) => each.id === menu);
	return /* @__PURE__ */ a("nav", {
		class: "page-tabs",
		"aria-label": entry.title,
		children: pages.map((page) => /* @__PURE__ */ a("a", {
			href: at(page.id),
			"aria-current": page.id === route.value.page ? "page" : void 0,
			children: [labelOf(page), page.id === "inbox" ? /* @__PURE__ */ a($, { children: [" ", /* @__PURE__ */ a(Waiting, {})] }) : null]
		}, page.id))
	});
}
// src/installed.ts
/** The console as an application of its own: a service worker opens it without the server, and a system can install it. */
/** What the browser gave to ask the person with; null where it cannot be installed, or is. */
var installPrompt = y(null);
function becomeInstallable() {
	addEventListener("beforeinstallprompt", (event) => {
		event.preventDefault();
		installPrompt.value = event;
	});
	addEventListener("appinstalled", () => installPrompt.value = null);
	if (!("serviceWorker" in navigator) || !document.querySelector("meta[name=\"build\"]")) return;
	const register = () => navigator.serviceWorker.register(address("/console/service-worker.js"), { scope: address("/") }).catch((error) => {
		console.info("The console cannot be opened offline:", error);
	});
	if (document.readyState === "complete") register();
	else addEventListener("load", () => void register());
}
// src/overlays/shortcuts.tsx
var shortcutsOpen = y(false);
function ShortcutsOverlay() {
	if (!shortcutsOpen.value) return null;
	const groups = [...new Set(shortcuts.value.map((each) => each.group))];
	return /* @__PURE__ */ a(Dialog, {
		title: t("Keyboard shortcuts"),
		class: "shortcuts",
		onClose: () => shortcutsOpen.value = false,
		children: /* @__PURE__ */ a("div", {
			class: "shortcuts-groups",
			children: groups.map((group) => /* @__PURE__ */ a("section", { children: [/* @__PURE__ */ a("h3", { children: group }), /* @__PURE__ */ a("dl", { children: shortcuts.value.filter((each) => each.group === group).map((each) => /* @__PURE__ */ a(Row, { of: each }, `${each.keys} ${each.label}`)) })] }, group))
		})
	});
}
var mac = /mac|iphone|ipad/i.test(navigator.platform);
function Row({ of }) {
	return /* @__PURE__ */ a("div", { children: [/* @__PURE__ */ a("dt", { children: of.label }), /* @__PURE__ */ a("dd", { children: of.keys.split("+").map((key) => /* @__PURE__ */ a("kbd", { children: mac && key === "Ctrl" ? "⌘" : key }, key)) })] });
}
// src/overlays/actions.ts
/** What the palette offers everywhere: pages, tools, knowledge, macros, themes and actions. */
function actions() {
	const open = talking.value;
	const { page } = route.value;
	return [
		!open && !blocked.value && action("talk", t("Start talking"), "mic", t("conversation voice microphone"), () => {
			go(at("vox"));
			talk().catch((error) => toast(said(error), { kind: "bad" }));
		}),
		open && action("hang-up", t("Hang up"), "stop", t("end the conversation"), () => conversation.value?.hangUp()),
		page !== null && action("tour", t("Take the tour of this page"), "compass", t("guide help"), () => void startTour(page)),
		action("shortcuts", t("Keyboard shortcuts"), "info", t("keys help"), () => shortcutsOpen.value = true),
		action("verify", t("Verify the audit"), "shield", t("check the chain"), () => void verify()),
		action("link", t("Copy link to this page"), "copy", t("address share"), () => void copyLink()),
		action("menu", prefs.value.navOpen ? t("Hide menu") : t("Show menu"), "menu", t("navigation sidebar"), () => prefer({ navOpen: !prefs.value.navOpen })),
		installPrompt.value !== null && action("install", t("Install Antiphon as an app"), "download", t("desktop home screen"), () => void installPrompt.value?.prompt()),
		toasts.value.length > 0 && action("notices", t("Dismiss all notifications"), "close", "toasts", () => toasts.value.forEach((each) => dismiss(each.id)))
	].filter((entry) => entry !== false);
}
function action(id, label, icon, words, run) {
	return {
		id: `action:${id}`,
		kind: t("Actions"),
		label,
		icon,
		words,
		first: true,
		run
	};
}
var leadsTo = (address) => ({
	address,
	run: () => go(address)
});
function pages() {
	return LISTED.map((page) => ({
		id: `page:${page.id}`,
		kind: t("Pages"),
		label: labelOf(page),
		icon: page.icon,
		first: true,
		words: `${page.id} ${page.title} ${page.menu ?? ""}`,
		...leadsTo(at(page.id))
	}));
}
var THEMES = {
	system: t("System default"),
	light: t("Light"),
	dark: t("Dark"),
	"high-contrast": t("High contrast")
};
function themes() {
	return Object.entries(THEMES).map(([theme, label]) => ({
		id: `theme:${theme}`,
		kind: t("Themes"),
		label,
		icon: "sun",
		words: t("appearance colours mode"),
		...prefs.value.theme === theme ? { hint: t("in use") } : {},
		run: () => prefer({ theme })
	}));
}
/** Those of late; older ones are found by their words. */
async function conversations() {
	return (await get("/api/conversations", { query: { limit: 4 } })).conversations.map(({ id, title }) => ({
		id: `conversation:${id}`,
		kind: t("Conversations"),
		label: title || t("Untitled conversation"),
		icon: "chat",
		first: true,
		...leadsTo(at("chat", [id]))
	}));
}
async function tools() {
	return (await get("/api/tools")).tools.map((tool) => ({
		id: `tool:${tool.toolId}`,
		kind: t("Tools"),
		label: tool.toolId,
		icon: "tool",
		hint: tool.description,
		...leadsTo(at("tools", [tool.toolId]))
	}));
}
async function databases() {
	return (await get("/api/knowledge")).databases.map((base) => ({
		id: `kg:${base.id}`,
		kind: t("Databases"),
		label: base.title || base.id,
		icon: "graph",
		hint: base.id,
		...leadsTo(at("kg-studio", [base.id]))
	}));
}
async function macros() {
	return (await get("/api/vox/macros")).macros.map((macro) => ({
		id: `macro:${macro.id}`,
		kind: t("Run a macro"),
		label: macro.name,
		icon: "macro",
		hint: macro.trigger_phrase,
		run: () => void runMacro(macro)
	}));
}
async function runMacro(macro) {
	const id = toast(t("{name}: running {step_count} steps…", {
		name: macro.name,
		step_count: macro.step_count
	}), { progress: null });
	try {
		const done = await post(`/api/vox/macros/${macro.id}/run`);
		toast(done.summary, {
			id,
			kind: done.success ? "good" : "bad",
			href: at("macros", [macro.id])
		});
		let { waiting } = done;
		while (waiting?.inside) waiting = waiting.inside;
		if (waiting?.confirmation_request) await askById(waiting.confirmation_request.id, "rest-text");
	} catch (error) {
		toast(said(error), {
			id,
			kind: "bad",
			href: at("macros", [macro.id])
		});
	}
}
async function verify() {
	const id = toast(t("Verifying every line of the audit…"), { progress: null });
	try {
		const found = await get("/api/audit/verify");
		if (found.ok) toast(t("The audit is intact: {count} lines verified.", { count: found.count }), {
			id,
			kind: "good",
			href: at("audit")
		});
		else toast(found.problem ?? t("The audit chain is broken."), {
			id,
			kind: "bad",
			href: at("audit")
		});
	} catch (error) {
		toast(said(error), {
			id,
			kind: "bad"
		});
	}
}
async function copyLink() {
	try {
		await navigator.clipboard.writeText(location.href);
		toast(t("Link copied."), { kind: "good" });
	} catch {
		toast(t("The browser did not allow copying. Copy the address from the address bar."), { kind: "bad" });
	}
}
// src/stores/kept-input.ts
/** What was typed into a page and not sent: kept over a reload that the console itself asks for. */
var KEY = "antiphon.typed";
var FIELDS = "main textarea, main input:not([type=checkbox], [type=radio], [type=file], [type=password])";
var PATIENCE_MS = 5e3;
var fields = () => [...document.querySelectorAll(FIELDS)];
/** Two fields of one name are told apart by their order. */
function named() {
	const found = /* @__PURE__ */ new Map();
	for (const field of fields()) {
		const label = field.labels?.[0]?.textContent ?? field.getAttribute("aria-label") ?? field.name ?? field.placeholder;
		let name = label;
		for (let nth = 2; found.has(name); nth++) name = `${label} ${nth}`;
		found.set(name, field);
	}
	return found;
}
function reload() {
	const typed = [...named()].filter(([, field]) => field.value).map(([name, { value }]) => ({
		name,
		value
	}));
	try {
		if (typed.length) sessionStorage.setItem(KEY, JSON.stringify({
			hash: location.hash,
			fields: typed
		}));
	} catch {
		toast(t("There is too much text on this page to keep it. Send or copy it, then reload."), { kind: "bad" });
		return;
	}
	location.reload();
}
/** Writes what was kept into the fields again, as soon as they are there. */
function restoreTyped() {
	let kept = null;
	try {
		kept = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
		sessionStorage.removeItem(KEY);
	} catch {}
	if (!kept || kept.hash !== location.hash) return;
	const waiting = new Map(kept.fields.map(({ name, value }) => [name, value]));
	const fill = () => {
		for (const [name, field] of named()) {
			const value = waiting.get(name);
			if (value === void 0) continue;
			waiting.delete(name);
			if (field.value) continue;
			Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value").set.call(field, value);
			field.dispatchEvent(new Event("input", { bubbles: true }));
			field.dispatchEvent(new Event("change", { bubbles: true }));
		}
		if (!waiting.size) stop();
	};
	const watch = new MutationObserver(fill);
	const timer = setTimeout(() => watch.disconnect(), PATIENCE_MS);
	const stop = () => {
		clearTimeout(timer);
		watch.disconnect();
	};
	watch.observe(document.body, {
		childList: true,
		subtree: true
	});
	fill();
}
// src/overlays/blocked.tsx
/** Who is kept out sees for how long. The pages stay; talking and writing come back by themselves. */
function BlockedBanner() {
	return blocked.value ? /* @__PURE__ */ a(Banner$1, {
		until: blocked.value.until,
		message: blocked.value.message
	}) : null;
}
function Banner$1({ until, message }) {
	const left = until - useNow(500);
	return /* @__PURE__ */ a("aside", {
		class: "blocked",
		"aria-label": t("Paused"),
		children: [/* @__PURE__ */ a(Icon, {
			name: "clock",
			size: 22
		}), /* @__PURE__ */ a("div", { children: [/* @__PURE__ */ a("p", {
			role: "alert",
			children: /* @__PURE__ */ a("strong", { children: message })
		}), /* @__PURE__ */ a("p", { children: rich("You can talk and write again in {left}. The other pages stay available.", { left: /* @__PURE__ */ a("span", {
			role: "timer",
			class: "number",
			"aria-label": inWords(left),
			children: countdown(left)
		}) }) })] })]
	});
}
// src/overlays/banners.tsx
function Banners() {
	return /* @__PURE__ */ a("div", {
		class: "banners",
		children: [/* @__PURE__ */ a(BlockedBanner, {}), /* @__PURE__ */ a(Connection, {})]
	});
}
function Connection() {
	const now = standing$1.value;
	if (now.kind === "away") return /* @__PURE__ */ a(Away, { next: now.next });
	if (now.kind === "signed-out") return /* @__PURE__ */ a(Banner, {
		label: t("Signed out"),
		icon: "key",
		text: t("You are signed out. Sign in again in another tab; what you typed stays here."),
		hint: now.words,
		children: [/* @__PURE__ */ a(Button, {
			onClick: () => window.open("/", "_blank", "noopener"),
			children: t("Sign in")
		}), /* @__PURE__ */ a(Button, {
			onClick: () => void check(),
			children: t("Try now")
		})]
	});
	if (outdated.value) return /* @__PURE__ */ a(Banner, {
		label: t("New version"),
		icon: "refresh",
		calm: true,
		text: t("A new version is available. What you typed is kept."),
		children: /* @__PURE__ */ a(Button, {
			onClick: reload,
			children: t("Reload")
		})
	});
	return null;
}
function Away({ next }) {
	const left = Math.max(0, Math.ceil((next - useNow(250)) / 1e3));
	return /* @__PURE__ */ a(Banner, {
		label: t("Server unavailable"),
		icon: "warn",
		text: t("The server cannot be reached. What you typed stays here."),
		hint: /* @__PURE__ */ a("span", {
			"aria-hidden": "true",
			class: "number",
			children: left ? t("Next attempt in {seconds} s", { seconds: left }) : t("Connecting…")
		}),
		children: /* @__PURE__ */ a(Button, {
			onClick: () => void check(),
			children: t("Try now")
		})
	});
}
function Banner({ label, icon, text, hint, calm, children }) {
	return /* @__PURE__ */ a("aside", {
		class: `banner ${calm ? "calm" : ""}`,
		"aria-label": label,
		children: [
			/* @__PURE__ */ a(Icon, { name: icon }),
			/* @__PURE__ */ a("p", {
				role: calm ? "status" : "alert",
				children: text
			}),
			hint ? /* @__PURE__ */ a("span", {
				class: "hint",
				children: hint
			}) : null,
			/* @__PURE__ */ a("span", { class: "spring" }),
			children
		]
	});
}
// src/stores/server-search.ts
/** What the server finds for the palette: records, conversations, automations and more, by their words. */
/** What the server calls each kind of thing; what it may find besides is shown under its own name. */
var KINDS = {
	record: {
		kind: t("Records"),
		icon: "graph"
	},
	conversation: {
		kind: t("Conversations"),
		icon: "chat"
	},
	tool: {
		kind: t("Tools"),
		icon: "tool"
	},
	automation: {
		kind: t("Automations"),
		icon: "flow"
	},
	project: {
		kind: t("Projects"),
		icon: "folder"
	},
	event: {
		kind: t("Events"),
		icon: "calendar"
	},
	setting: {
		kind: t("Settings"),
		icon: "settings"
	}
};
/** As much as the server takes. */
var MOST = 200;
async function searchServer(query, signal) {
	const { groups, problems } = await get("/api/search", {
		query: { q: query.slice(0, MOST) },
		signal
	});
	return {
		found: groups.flatMap((group) => {
			const { kind, icon } = KINDS[group.kind] ?? {
				kind: group.kind,
				icon: "chevron"
			};
			return group.items.map(({ id, title, detail, address }) => ({
				id: `${group.kind}:${id}`,
				kind,
				icon,
				label: title,
				address,
				...detail ? { hint: detail } : {},
				run: () => go(address)
			}));
		}),
		problems
	};
}
// src/overlays/palette.tsx
/** Go anywhere, find anything and do anything by a few letters: a combobox as the ARIA pattern says. */
function Palette() {
	return paletteOpen.value ? /* @__PURE__ */ a(Open, {}) : null;
}
/** So long after the last letter the server is asked. */
var PAUSE_MS = 120;
/** Fewer letters are in everything. */
var LEAST = 2;
var PER_GROUP = 6;
function Open() {
	const element = T(null);
	const list = T(null);
	const [query, type] = d("");
	const { entries, gathering } = useOffers();
	const server = useServer(query);
	const [at, move] = d(0);
	const id = P();
	const groups = w(() => listed(entries, server.found, query), [
		entries,
		server.found,
		query
	]);
	const found = groups.flatMap((group) => group.items);
	const close = () => paletteOpen.value = false;
	F(() => {
		const dialog = element.current;
		const before = document.activeElement;
		dialog.showModal();
		return () => {
			dialog.close();
			if (before instanceof HTMLElement && before.isConnected) before.focus();
		};
	}, []);
	A(() => {
		list.current?.querySelector("[aria-selected=\"true\"]")?.scrollIntoView({ block: "nearest" });
	}, [at, groups]);
	const choose = (one) => {
		if (!one) return;
		remember(one.entry);
		close();
		setTimeout(() => one.entry.run());
	};
	const searching = gathering || server.searching;
	const [waiting, wait] = d(false);
	A(() => {
		if (waiting && !searching) choose(found[at]);
	}, [waiting, searching]);
	const onKeyDown = (event) => {
		const last = found.length - 1;
		const to = {
			ArrowDown: at < last ? at + 1 : 0,
			ArrowUp: at > 0 ? at - 1 : last,
			PageDown: Math.min(last, at + 8),
			PageUp: Math.max(0, at - 8)
		}[event.key];
		if (to !== void 0) {
			event.preventDefault();
			move(Math.max(0, to));
		} else if (event.key === "Enter" && !event.isComposing) {
			event.preventDefault();
			if (searching && at === 0 && (!found[0] || found[0].entry.id === ASK)) wait(true);
			else choose(found[at]);
		}
		event.stopPropagation();
	};
	let index = -1;
	return /* @__PURE__ */ a("dialog", {
		ref: element,
		class: "dialog palette",
		"aria-label": t("Search and commands"),
		onKeyDown,
		onCancel: (event) => {
			event.preventDefault();
			close();
		},
		onClose: () => element.current && close(),
		onClick: (event) => {
			if (event.target === element.current) close();
		},
		children: [
			/* @__PURE__ */ a("div", {
				class: "palette-box",
				children: [/* @__PURE__ */ a(Icon, { name: "search" }), /* @__PURE__ */ a("input", {
					type: "text",
					role: "combobox",
					"aria-label": t("Search or ask"),
					"aria-expanded": "true",
					"aria-autocomplete": "list",
					"aria-controls": `${id}-list`,
					"aria-activedescendant": found[at] ? `${id}-${at}` : void 0,
					placeholder: t("Find a page, a record, a tool … or ask"),
					autocomplete: "off",
					spellcheck: false,
					maxLength: 500,
					value: query,
					onInput: (event) => {
						type(event.currentTarget.value);
						move(0);
						wait(false);
					}
				})]
			}),
			/* @__PURE__ */ a("div", {
				class: "palette-list",
				role: "listbox",
				id: `${id}-list`,
				"aria-label": t("Results"),
				ref: list,
				children: groups.map((group) => /* @__PURE__ */ a("div", {
					role: "group",
					"aria-label": group.kind,
					children: [/* @__PURE__ */ a("p", {
						class: "palette-group",
						"aria-hidden": "true",
						children: group.kind
					}), group.items.map((one) => {
						const here = ++index;
						return /* @__PURE__ */ a("div", {
							class: "palette-item",
							id: `${id}-${here}`,
							role: "option",
							"aria-selected": here === at,
							onMouseMove: () => here !== at && move(here),
							onClick: () => choose(one),
							children: [
								/* @__PURE__ */ a(Icon, {
									name: one.entry.icon ?? "chevron",
									size: 16
								}),
								/* @__PURE__ */ a("span", {
									class: "palette-label",
									children: /* @__PURE__ */ a(Marked, {
										text: one.entry.label,
										marks: one.marks
									})
								}),
								one.entry.hint ? /* @__PURE__ */ a("span", {
									class: "palette-hint",
									children: one.entry.hint
								}) : null
							]
						}, one.entry.id);
					})]
				}, group.kind))
			}),
			server.problem ? /* @__PURE__ */ a("p", {
				class: "palette-problem",
				role: "alert",
				children: [
					/* @__PURE__ */ a(Icon, {
						name: "warn",
						size: 16
					}),
					" ",
					server.problem
				]
			}) : null,
			/* @__PURE__ */ a("p", {
				class: "palette-foot hint",
				"aria-live": "polite",
				children: [
					searching ? t("Searching…") : plural(found.length, "{count} result", "{count} results"),
					" ",
					/* @__PURE__ */ a("span", {
						"aria-hidden": "true",
						children: rich("{key} {key2} to select, {key3} to open, {key4} to close", {
							key: /* @__PURE__ */ a("kbd", { children: "↑" }),
							key2: /* @__PURE__ */ a("kbd", { children: "↓" }),
							key3: /* @__PURE__ */ a("kbd", { children: "Enter" }),
							key4: /* @__PURE__ */ a("kbd", { children: "Esc" })
						})
					})
				]
			})
		]
	});
}
var ASK = "ask";
function listed(entries, server, query) {
	const question = query.trim();
	const plain = (all) => all.map((entry) => ({
		entry,
		score: 0,
		marks: []
	}));
	if (!question) return grouped([...plain(recent$1(entries)), ...plain(entries.filter((entry) => entry.first))], Infinity);
	const here = search(entries, question);
	const known = new Set(here.map(({ entry }) => entry.address));
	const groups = grouped([...here, ...plain(server.filter((entry) => !known.has(entry.address)))], PER_GROUP);
	if (!blocked.value) {
		const label = t("Ask: {question}", { question });
		const run = () => void ask(question).catch((error) => toast(said(error), { kind: "bad" }));
		groups.push({
			kind: t("Ask"),
			items: plain([{
				id: ASK,
				kind: t("Ask"),
				label,
				icon: "chat",
				run
			}])
		});
	}
	return groups;
}
/** What the console itself offers, as the parts of it come. */
function useOffers() {
	const [entries, add] = d([]);
	const [gathering, gathered] = d(true);
	F(() => {
		let open = true;
		gather((more) => open && add((those) => [...those, ...more])).then(() => open && gathered(false));
		return () => {
			open = false;
		};
	}, []);
	return {
		entries,
		gathering
	};
}
/** What the server finds; an answer to what is not asked any more is dropped. */
function useServer(query) {
	const asked = query.trim();
	const [state, set] = d({
		found: [],
		problem: null,
		asked: ""
	});
	A(() => {
		if (asked.length < LEAST) return set({
			found: [],
			problem: null,
			asked
		});
		const leave = new AbortController();
		const timer = setTimeout(() => {
			searchServer(asked, leave.signal).then(({ found, problems }) => !leave.signal.aborted && set({
				found,
				problem: problems.join(" ") || null,
				asked
			}), (error) => !leave.signal.aborted && set({
				found: [],
				problem: t("Only pages, tools and actions were searched. {problem}", { problem: said(error) }),
				asked
			}));
		}, PAUSE_MS);
		return () => {
			clearTimeout(timer);
			leave.abort();
		};
	}, [asked]);
	return {
		...state,
		searching: asked.length >= LEAST && state.asked !== asked
	};
}
function Marked({ text, marks }) {
	if (!marks.length) return /* @__PURE__ */ a($, { children: text });
	return /* @__PURE__ */ a($, { children: [...text].map((letter, index) => marks.includes(index) ? /* @__PURE__ */ a("mark", { children: letter }, index) : letter) });
}
// src/overlays/toasts.tsx
/** Where the person was before they went to the notices. */
var before = null;
var closers = () => [...document.querySelectorAll(".toast-close")];
/** To the newest of them, and back to where one was from the last that is closed. */
function goToNotices() {
	const newest = closers().at(-1);
	if (!newest || newest.closest(".toasts").contains(document.activeElement)) return;
	before = document.activeElement;
	newest.focus();
}
function close(each, byKeyboard) {
	const at = toasts.value.indexOf(each);
	each.onDismiss?.();
	dismiss(each.id);
	if (!byKeyboard) return;
	setTimeout(() => {
		const next = closers()[Math.min(at, toasts.value.length - 1)];
		if (next) next.focus();
		else if (before instanceof HTMLElement && before.isConnected) before.focus();
	});
}
function Toasts() {
	const region = T(null);
	const hold = (focused = document.activeElement, hovered = region.current.matches(":hover")) => holdToasts(hovered || region.current.contains(focused));
	F(() => hold(), [toasts.value]);
	return /* @__PURE__ */ a("div", {
		class: "toasts",
		ref: region,
		role: "region",
		"aria-label": t("Notifications"),
		"aria-live": "polite",
		onMouseEnter: () => hold(null, true),
		onMouseLeave: () => hold(document.activeElement, false),
		onFocusIn: () => hold(),
		onFocusOut: (event) => hold(event.relatedTarget),
		children: toasts.value.map((each) => /* @__PURE__ */ a("div", {
			class: `toast ${each.kind}`,
			role: each.kind === "bad" ? "alert" : void 0,
			onKeyDown: (event) => {
				if (event.key !== "Escape") return;
				event.stopPropagation();
				close(each, true);
			},
			children: [
				/* @__PURE__ */ a(Icon, { name: {
					info: "info",
					good: "check",
					bad: "warn"
				}[each.kind] }),
				/* @__PURE__ */ a("div", {
					class: "toast-text",
					children: [each.href ? /* @__PURE__ */ a("a", {
						href: each.href,
						onClick: () => each.progress === void 0 && dismiss(each.id),
						children: each.text
					}) : each.text, each.progress !== void 0 ? /* @__PURE__ */ a("progress", {
						...each.progress === null ? {} : { value: each.progress },
						max: 1,
						"aria-label": t("Progress")
					}) : null]
				}),
				each.action ? /* @__PURE__ */ a("button", {
					type: "button",
					class: "toast-action",
					onClick: each.action.run,
					children: each.action.label
				}) : null,
				/* @__PURE__ */ a(IconButton, {
					class: "toast-close",
					label: t("Dismiss"),
					icon: "close",
					onClick: (event) => close(each, event.detail === 0)
				})
			]
		}, each.id))
	});
}
// src/overlays/place.ts
var GAP = 12;
/** Without a box it is in the middle; where no side has room, at the edge that covers less of it. */
function place(box, card, view, wanted) {
	const middle = {
		left: (view.width - card.width) / 2,
		top: (view.height - card.height) / 2
	};
	if (!box || wanted === "center") return inside(middle, card, view);
	const side = [
		wanted,
		{
			top: "bottom",
			bottom: "top",
			left: "right",
			right: "left"
		}[wanted],
		"bottom",
		"top",
		"right",
		"left"
	].find((each) => room(each, box, card, view));
	if (!side) {
		const low = box.top + box.height / 2 > view.height / 2;
		return inside({
			left: middle.left,
			top: low && box.top > card.height ? 0 : view.height
		}, card, view);
	}
	const across = box.left + (box.width - card.width) / 2;
	const along = box.top + (box.height - card.height) / 2;
	const at = {
		top: {
			left: across,
			top: box.top - GAP - card.height
		},
		bottom: {
			left: across,
			top: box.top + box.height + GAP
		},
		left: {
			left: box.left - GAP - card.width,
			top: along
		},
		right: {
			left: box.left + box.width + GAP,
			top: along
		}
	}[side];
	return inside(at, card, view);
}
function room(side, box, card, view) {
	return {
		top: box.top,
		bottom: view.height - box.top - box.height,
		left: box.left,
		right: view.width - box.left - box.width
	}[side] >= 24 + (side === "top" || side === "bottom" ? card.height : card.width);
}
function inside(at, card, view) {
	return {
		left: Math.max(GAP, Math.min(at.left, view.width - card.width - GAP)),
		top: Math.max(GAP, Math.min(at.top, view.height - card.height - GAP))
	};
}
// src/overlays/tour.tsx
/** The tour over the page: a light on one thing, and a card that says what it is for. */
function TourButton() {
	const { page } = route.value;
	if (!page || !pageOf$1(page)?.menu) return null;
	return /* @__PURE__ */ a("button", {
		type: "button",
		class: "tour-button",
		"aria-label": t("Tour of this page"),
		title: t("Tour of this page"),
		onClick: () => void startTour(page),
		children: [/* @__PURE__ */ a(Icon, { name: "compass" }), /* @__PURE__ */ a("span", { children: t("Tour") })]
	});
}
function TourOverlay() {
	return guided.value ? /* @__PURE__ */ a(Running, { now: guided.value }) : null;
}
function Running({ now }) {
	const { tour, index, target } = now;
	const step = tour.steps[index];
	const last = index === tour.steps.length - 1;
	const card = T(null);
	const heading = P();
	const caption = P();
	const box = useBox(target instanceof Element ? target : null);
	const [spot, settle] = d({
		left: 0,
		top: 0
	});
	F(() => {
		const before = document.activeElement;
		return () => {
			if (before instanceof HTMLElement && before.isConnected) before.focus();
		};
	}, []);
	F(() => {
		card.current?.querySelector(".tour-next")?.focus({ preventScroll: true });
	}, [index, tour]);
	F(() => {
		const { offsetWidth: width, offsetHeight: height } = card.current;
		settle(place(box, {
			width,
			height
		}, {
			width: innerWidth,
			height: innerHeight
		}, step.position));
	}, [box, step]);
	const onKeyDown = (event) => {
		event.stopPropagation();
		if (event.key === "Escape") endTour();
		else if (event.key === "ArrowRight") next();
		else if (event.key === "ArrowLeft") back();
		else if (event.key === "Tab") keepInside(event, card.current);
		else return;
		if (event.key !== "Tab") event.preventDefault();
	};
	return /* @__PURE__ */ a("div", {
		class: "tour",
		onKeyDown,
		children: [
			/* @__PURE__ */ a("div", {
				class: "tour-shade",
				onClick: () => card.current?.querySelector(".tour-next")?.focus()
			}),
			box && step.highlight ? /* @__PURE__ */ a("div", {
				class: "tour-light",
				style: px(box)
			}) : /* @__PURE__ */ a("div", { class: "tour-dim" }),
			/* @__PURE__ */ a("div", {
				class: "tour-card",
				ref: card,
				role: "dialog",
				"aria-modal": "true",
				"aria-labelledby": heading,
				"aria-describedby": caption,
				style: {
					left: `${spot.left}px`,
					top: `${spot.top}px`
				},
				children: [
					/* @__PURE__ */ a("header", { children: [
						/* @__PURE__ */ a("h2", {
							id: heading,
							children: tour.name
						}),
						/* @__PURE__ */ a("span", {
							class: "hint number",
							children: rich("{index} of {count}", {
								index: index + 1,
								count: tour.steps.length
							})
						}),
						/* @__PURE__ */ a(IconButton, {
							label: prefs.value.tourSpeech ? t("Do not read aloud") : t("Read aloud"),
							icon: "volume",
							class: prefs.value.tourSpeech ? "on" : "",
							"aria-pressed": prefs.value.tourSpeech,
							onClick: () => {
								prefer({ tourSpeech: !prefs.value.tourSpeech });
								sayStep(prefs.value.tourSpeech);
							}
						}),
						/* @__PURE__ */ a(IconButton, {
							label: t("Close tour"),
							icon: "close",
							onClick: endTour
						})
					] }),
					/* @__PURE__ */ a("p", {
						id: caption,
						"aria-live": "polite",
						children: step.speech
					}),
					prefs.value.tourSpeech && voiceTrouble.value ? /* @__PURE__ */ a("p", {
						class: "hint",
						children: rich("This cannot be read aloud. {voiceTrouble}", { voiceTrouble })
					}) : null,
					target === null ? /* @__PURE__ */ a("p", {
						class: "hint",
						children: t("This part is not on the page right now.")
					}) : null,
					/* @__PURE__ */ a("footer", { children: [
						/* @__PURE__ */ a(Button, {
							kind: "quiet",
							onClick: back,
							disabled: index === 0,
							children: t("Back")
						}),
						/* @__PURE__ */ a("span", {
							class: "tour-dots",
							"aria-hidden": "true",
							children: tour.steps.map((_, at) => /* @__PURE__ */ a("i", { class: at === index ? "here" : "" }, at))
						}),
						/* @__PURE__ */ a(Button, {
							kind: "primary",
							class: "tour-next",
							onClick: next,
							children: last ? t("Done") : t("Next")
						})
					] })
				]
			})
		]
	});
}
var px = (box) => ({
	left: `${box.left}px`,
	top: `${box.top}px`,
	width: `${box.width}px`,
	height: `${box.height}px`
});
var AROUND = 6;
/** Where the element is in the window, followed as the page scrolls and changes. */
function useBox(element) {
	const [box, set] = d(null);
	A(() => {
		if (!element) {
			set(null);
			return;
		}
		const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
		const tall = element.getBoundingClientRect().height > innerHeight * .7;
		element.scrollIntoView({
			block: tall ? "start" : "center",
			behavior: calm ? "auto" : "smooth"
		});
		let frame = 0;
		const follow = () => {
			const now = seen(element);
			set((before) => before && same(before, now) ? before : now);
			frame = requestAnimationFrame(follow);
		};
		follow();
		return () => cancelAnimationFrame(frame);
	}, [element]);
	return box;
}
/** The element with some room around it; what is taller than the window, as far as it is seen. */
function seen(element) {
	const { left, top, right, bottom } = element.getBoundingClientRect();
	const from = {
		left: Math.max(AROUND, left - AROUND),
		top: Math.max(AROUND, top - AROUND)
	};
	return {
		...from,
		width: Math.max(0, Math.min(innerWidth - AROUND, right + AROUND) - from.left),
		height: Math.max(0, Math.min(innerHeight - AROUND, bottom + AROUND) - from.top)
	};
}
var same = (a, b) => a.left === b.left && a.top === b.top && a.width === b.width && a.height === b.height;
function keepInside(event, card) {
	const stops = [...card.querySelectorAll("button:not(:disabled)")];
	const at = stops.indexOf(document.activeElement);
	const to = event.shiftKey ? at - 1 : at + 1;
	event.preventDefault();
	stops.at(to % stops.length)?.focus();
}
// src/stores/awareness.ts
/** Tells the server what the person does here, so that agents know what "this" and "here" mean. */
var SETTLES_MS = 600;
var ERRORS_PER_MINUTE = 10;
var PATH = "/api/vox/awareness";
var told = /* @__PURE__ */ new Map();
var recent = [];
/** Not being able to tell is no trouble of the person's. */
function report(event) {
	send("POST", PATH, event).catch(() => {});
}
/** What is in hand: `inHand("active_project", id)`; an empty value takes it back. */
function inHand(key, value) {
	if ((told.get(key) ?? "") === value) return;
	told.set(key, value);
	report({
		event_type: "context",
		key,
		value: value.slice(0, 500)
	});
}
function wentWrong(kind, message) {
	const now = Date.now();
	recent = recent.filter((at) => now - at < 6e4);
	if (recent.length >= ERRORS_PER_MINUTE) return;
	recent.push(now);
	const { page } = route.value;
	report({
		event_type: "error",
		error_type: kind,
		message: message.slice(0, 500) || kind,
		...pageOf$1(page)?.menu ? { page } : {}
	});
}
/** Begins to watch pages and errors; the answer stops it. */
function watchPerson() {
	let timer;
	let before = "";
	const stopRoute = x(() => {
		const { page, rest } = route.value;
		clearTimeout(timer);
		if (!page || !pageOf$1(page)?.menu) return;
		timer = setTimeout(() => {
			if (page === "kg-studio" && rest[0]) inHand("active_graph", rest[0]);
			if (page === before) return;
			before = page;
			report({
				event_type: "page_visit",
				page,
				...rest.length ? { metadata: { place: rest.join("/").slice(0, 200) } } : {}
			});
		}, SETTLES_MS);
	});
	const stopFailures = onFailure((error, path) => {
		if (error.status >= 500 && path !== PATH) wentWrong(`HTTP ${error.status}`, error.message);
	});
	const onError = (event) => wentWrong("script", event.message);
	const onRejection = (event) => {
		const reason = event.reason;
		wentWrong("script", reason instanceof Error ? reason.message : String(reason));
	};
	addEventListener("error", onError);
	addEventListener("unhandledrejection", onRejection);
	return () => {
		clearTimeout(timer);
		stopRoute();
		stopFailures();
		removeEventListener("error", onError);
		removeEventListener("unhandledrejection", onRejection);
	};
}
// src/stores/tasks.ts
/**
* Work in the background, as toasts: what the conversation tells of it, and what the server knows
* of tasks that were started elsewhere or before the page was loaded.
*/
/** Those that are under way, the newest last. */
var tasks = y([]);
var PAGE = {
	run_workflow: "workflows",
	run_agent: "agents",
	ingest_to_kg: "kg-studio",
	cross_kg_search: "kg-studio"
};
var BUSY_MS = 1500;
var IDLE_MS = 2e4;
var shown = /* @__PURE__ */ new Map();
/** Closed by the person: only their end is told. */
var closed = /* @__PURE__ */ new Set();
/** Whose end was told, or that had ended before we came. */
var over = /* @__PURE__ */ new Set();
/** `run_workflow` as people would say it. */
function titled(tool) {
	const words = tool.replaceAll("_", " ").replace(/\bkg\b/g, "knowledge");
	return words.charAt(0).toUpperCase() + words.slice(1);
}
function pageOf(tool, id) {
	const page = PAGE[tool];
	return page ? at(page, [], { task: id }) : at("sessions");
}
function underWay(task) {
	if (over.has(task.id)) return;
	const index = tasks.value.findIndex((each) => each.id === task.id);
	tasks.value = index < 0 ? [...tasks.value, task] : tasks.value.with(index, task);
	if (closed.has(task.id)) return;
	const doing = task.stopping ? t("stopping…") : task.message || t("started");
	const id = toast(`${titled(task.tool)}: ${doing}`, {
		...shown.has(task.id) ? { id: shown.get(task.id) } : {},
		href: pageOf(task.tool, task.id),
		progress: task.fraction,
		onDismiss: () => closed.add(task.id),
		...task.stopping ? {} : { action: {
			label: t("Stop"),
			run: () => void cancel(task.id)
		} }
	});
	shown.set(task.id, id);
}
function ended(id, tool, status, words) {
	if (over.has(id)) return;
	over.add(id);
	tasks.value = tasks.value.filter((each) => each.id !== id);
	const before = shown.get(id);
	if (before !== void 0) dismiss(before);
	const ending = (ENDINGS[status] ?? ENDINGS["over"])(titled(tool));
	toast(words ? `${ending}: ${words}` : `${ending}.`, {
		kind: status === "succeeded" ? "good" : status === "cancelled" ? "info" : "bad",
		href: pageOf(tool, id)
	});
}
var ENDINGS = {
	succeeded: (what) => t("{what} finished", { what }),
	failed: (what) => t("{what} failed", { what }),
	cancelled: (what) => t("{what} was stopped", { what }),
	unknown: (what) => t("{what} was cut off and may or may not have taken effect", { what }),
	over: (what) => t("{what} ended", { what })
};
/** Asks for a task to stop; what comes of it is shown. */
async function cancel(id) {
	try {
		merge([await post(`/api/tasks/${encodeURIComponent(id)}/cancel`)]);
	} catch (error) {
		if (error instanceof ApiError && error.status === 409) await look();
		else toast(said(error), { kind: "bad" });
	}
}
/** What the server lists. `known`: those that are over by now are not told of. */
function merge(rows, known = false) {
	const finished = [];
	for (const row of rows) if (row.status === "queued" || row.status === "running") {
		const { message, fraction } = row.progress ?? {};
		underWay({
			id: row.id,
			tool: row.tool,
			status: row.status,
			message: message ?? "",
			fraction: fraction ?? null,
			stopping: row.cancel_requested
		});
	} else if (known) over.add(row.id);
	else if (!over.has(row.id)) {
		if (row.result === void 0) finished.push(row.id);
		else ended(row.id, row.tool, row.status, outcome(row.result));
	}
	return finished;
}
function outcome(result) {
	return (result?.ok === false ? result.error?.message : result?.data?.summary) ?? "";
}
var first = true;
async function look() {
	const { tasks: rows } = await get("/api/tasks", { query: { limit: 20 } });
	const finished = merge([...rows].reverse(), first);
	first = false;
	for (const id of finished) merge([await get(`/api/tasks/${encodeURIComponent(id)}`)]);
}
/** Keeps looking; often while something is under way. The answer stops it. */
function watchTasks() {
	let timer;
	let gone = false;
	const round = async () => {
		clearTimeout(timer);
		if (!document.hidden) await look().catch(() => {});
		if (!gone) timer = setTimeout(round, tasks.value.length ? BUSY_MS : IDLE_MS);
	};
	const back = () => {
		if (!document.hidden) round();
	};
	document.addEventListener("visibilitychange", back);
	round();
	return () => {
		gone = true;
		clearTimeout(timer);
		document.removeEventListener("visibilitychange", back);
	};
}
/** From the conversation's socket, and from the stream of a chat. */
function taskMessage(message) {
	const { task_id: id, function: tool } = message;
	if (!id || !tool) return;
	if (message.type === "async_task_complete") {
		const { result } = message;
		const words = result["success"] === false ? result["error"] : result["summary"];
		ended(id, tool, message.status, typeof words === "string" ? words : "");
		return;
	}
	const { message: words, fraction } = message.type === "async_task_progress" ? message : {};
	underWay({
		id,
		tool,
		status: "running",
		stopping: false,
		message: words ?? "",
		fraction: fraction ?? null
	});
}
for (const type of [
	"async_task_started",
	"async_task_progress",
	"async_task_complete"
]) on(type, taskMessage);
// src/overlays.tsx
/** What lies over every page: dialogs that ask, toasts, the palette, shortcuts and tours. */
function openPalette() {
	paletteOpen.value = true;
}
var showShortcuts = () => shortcutsOpen.value = true;
/** Calls over HTTP without a session share this one. */
var SHARED_SESSION = "rest-text";
function Overlays() {
	F(() => {
		const undo = [
			...[
				conversations,
				actions,
				pages,
				macros,
				databases,
				themes,
				tools
			].map(offer),
			addShortcuts([
				{
					keys: "Ctrl+K",
					label: t("Go to a page or action"),
					group: t("Everywhere"),
					run: openPalette
				},
				{
					keys: "Ctrl+/",
					label: t("Show shortcuts"),
					group: t("Everywhere"),
					run: showShortcuts
				},
				{
					keys: "F8",
					label: t("Go to notifications; Esc closes one"),
					group: t("Everywhere"),
					run: goToNotices
				},
				{
					keys: "Esc",
					label: t("Close what is open; in an approval: deny"),
					group: t("Everywhere")
				}
			]),
			hearShortcuts(),
			watchPerson(),
			watchConnection(),
			watchTasks(),
			watchOpen()
		];
		restoreTyped();
		remind(SHARED_SESSION).catch(() => {});
		return () => undo.forEach((each) => each());
	}, []);
	return /* @__PURE__ */ a($, { children: [
		/* @__PURE__ */ a(Banners, {}),
		/* @__PURE__ */ a(Toasts, {}),
		/* @__PURE__ */ a(TourOverlay, {}),
		/* @__PURE__ */ a(Palette, {}),
		/* @__PURE__ */ a(ShortcutsOverlay, {}),
		/* @__PURE__ */ a(Confirm, {})
	] });
}
// src/voice/keys.ts
/** Keys of an open conversation, on every page: Space talks where it is push-to-talk, Esc cuts in. */
/** Space means something else there. */
var OWN_SPACE = "input, textarea, select, button:not(.vox-talk), a, summary, [contenteditable], [role='slider']";
function busyElsewhere() {
	return document.querySelector("dialog:modal, :popover-open, [role='dialog'][aria-modal='true']") !== null;
}
document.addEventListener("keydown", (event) => {
	if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
	if (event.key === "Escape" && !busyElsewhere()) interrupt();
	else if (event.code === "Space" && pushes(event.target)) {
		event.preventDefault();
		if (!event.repeat) hold(true);
	}
});
document.addEventListener("keyup", (event) => {
	if (event.code !== "Space" || !held.value) return;
	event.preventDefault();
	hold(false);
});
addEventListener("blur", () => hold(false));
function pushes(target) {
	if (prefs.value.handsFree || phase.value === "off" || !microphone.value || busyElsewhere()) return false;
	return !(target instanceof Element && target.closest(OWN_SPACE));
}
// src/voice/view/recorded.tsx
/** That the sound of the open conversation is recorded, wherever the person is. */
function Recorded() {
	const days = setup.value?.recordedDays;
	if (!days) return null;
	return /* @__PURE__ */ a("span", {
		role: "status",
		title: plural(days, "The sound of this conversation is recorded and kept for {count} day.", "The sound of this conversation is recorded and kept for {count} days."),
		children: /* @__PURE__ */ a(Badge, {
			kind: "bad",
			children: t("Recording")
		})
	});
}
// src/status.tsx
/** In the corner of every page: who answers, and the conversation that is open. */
var WORDS = {
	off: "",
	connecting: "Connecting",
	typing: "In writing",
	listening: "Listening",
	thinking: "Thinking",
	speaking: "Speaking",
	reconnecting: "Line lost"
};
/** How it stands, and the picture for it: a microphone only where one is on. */
function standing(now) {
	if (current.value) return ["Needs your answer", "shield"];
	if (now === "speaking") return [WORDS[now], "volume"];
	if (!listening.value) return [WORDS[now], "chat"];
	if (muted.value) return [now === "listening" ? "Muted" : WORDS[now], "mic-off"];
	return [WORDS[now], "mic"];
}
function Status() {
	A(() => void loadStatus(), []);
	const now = phase.value;
	const [words, icon] = standing(now);
	const here = route.value.page === "vox";
	return /* @__PURE__ */ a("div", {
		class: "status",
		role: "group",
		"aria-label": "Conversation",
		children: [
			/* @__PURE__ */ a(Who, {}),
			/* @__PURE__ */ a(Recorded, {}),
			now === "off" || here ? null : /* @__PURE__ */ a($, { children: [
				/* @__PURE__ */ a("a", {
					class: `status-phase ${now}`,
					href: at("vox"),
					title: "Back to the conversation",
					children: [/* @__PURE__ */ a(Icon, {
						name: icon,
						size: 15
					}), /* @__PURE__ */ a("span", { children: words })]
				}),
				now === "speaking" || now === "thinking" ? /* @__PURE__ */ a(IconButton, {
					label: "Interrupt (Esc)",
					icon: "stop",
					onClick: interrupt
				}) : null,
				listening.value ? /* @__PURE__ */ a(IconButton, {
					label: muted.value ? "Unmute" : "Mute",
					icon: muted.value ? "mic-off" : "mic",
					onClick: () => setMuted(!muted.value)
				}) : null,
				/* @__PURE__ */ a(IconButton, {
					class: "hang-up",
					label: "Hang up",
					icon: "close",
					onClick: hangUp
				})
			] })
		]
	});
}
function Who() {
	const one = backendStatus.value;
	const inForce = phase.value === "off" ? null : setup.value;
	const label = status.value?.backends.find((each) => each.name === (inForce?.mode ?? backend.value))?.label;
	if (!label) return null;
	const bad = !inForce && one !== null && !usable(one);
	const title = inForce ? `Answers now: ${inForce.model}` : bad ? one.why ?? "It cannot be used" : `Answers: ${one?.voice_model ?? one?.model ?? label}`;
	return /* @__PURE__ */ a("a", {
		class: `status-who ${bad ? "bad" : ""}`,
		href: at("settings"),
		title,
		children: [bad ? /* @__PURE__ */ a(Icon, {
			name: "warn",
			size: 14
		}) : null, label]
	});
}
// src/app.tsx
/** Each page is a module of its own, which comes when it is first opened. */
var MODULES = /* #__PURE__ */ Object.assign({
	"./pages/agents.tsx": () => __vitePreload(() => import("./agents.js"), __vite__mapDeps([17,3,1,18,2,4,5,19,7,6,20,21,8,22,23,14,24,25,26,27,28,10,29,30]), import.meta.url),
	"./pages/audit.tsx": () => __vitePreload(() => import("./audit.js"), __vite__mapDeps([31,1,2,3,4,5,19,7,32,6,33,34,20,26,22,27,28,25]), import.meta.url),
	"./pages/calendar.tsx": () => __vitePreload(() => import("./calendar.js"), __vite__mapDeps([35,1,5,4,2,3,6,7,14,36,19,29,25,10]), import.meta.url),
	"./pages/chat.tsx": () => __vitePreload(() => import("./chat.js"), __vite__mapDeps([37,1,19,3,6,7,38,4,22,25,39,13,9,10,11,12,2,5,14,15,16,40,23,24]), import.meta.url),
	"./pages/experts.tsx": () => __vitePreload(() => import("./experts.js"), __vite__mapDeps([41,5,1,4,2,3,19,6,7,42,23,14,24,25,22,30]), import.meta.url),
	"./pages/gallery.tsx": () => __vitePreload(() => import("./gallery.js"), __vite__mapDeps([43,1,3,44,45,15,13,22,46,6,7,25,28,4,8]), import.meta.url),
	"./pages/inbox.tsx": () => __vitePreload(() => import("./inbox.js"), __vite__mapDeps([47,1,2,3,4,5,19,23,14,24,7,34,6,33,20,22,48]), import.meta.url),
	"./pages/kg-studio.tsx": () => __vitePreload(() => import("./kg-studio.js"), __vite__mapDeps([49,1,5,4,2,3,19,6,7,22,46,42,23,14,24,50]), import.meta.url),
	"./pages/macros.tsx": () => __vitePreload(() => import("./macros.js"), __vite__mapDeps([51,1,2,3,4,5,19,11,6,7,20,14,21,8,22,23,24,25,26,27,28,10,29,52,53,42,54]), import.meta.url),
	"./pages/metrics.tsx": () => __vitePreload(() => import("./metrics.js"), __vite__mapDeps([55,1,4,2,3,5,19,44,45,15,13,22,6,7,20,26]), import.meta.url),
	"./pages/nowhere.tsx": () => __vitePreload(() => import("./nowhere.js"), __vite__mapDeps([56,3,1,19,6,7]), import.meta.url),
	"./pages/playbooks.tsx": () => __vitePreload(() => import("./playbooks2.js"), __vite__mapDeps([57,5,1,4,2,3,19,6,7,50,30,25]), import.meta.url),
	"./pages/projects.tsx": () => __vitePreload(() => import("./projects.js"), __vite__mapDeps([58,1,2,3,4,5,19,7,6,53,25,22,14,36,29]), import.meta.url),
	"./pages/sessions.tsx": () => __vitePreload(() => import("./sessions.js"), __vite__mapDeps([59,1,2,3,4,60,5,7,6,20,19,34,33,22,26,11,32,27,28,25,39]), import.meta.url),
	"./pages/settings.tsx": () => __vitePreload(() => import("./settings.js"), __vite__mapDeps([61,1,3,19,6,7,12,2,4,5,13,22,48,11,24]), import.meta.url),
	"./pages/tools.tsx": () => __vitePreload(() => import("./tools.js"), __vite__mapDeps([62,1,2,3,4,5,19,6,7,25,54,52,53,22,32,33,8,28,63,15,13,23,14,24]), import.meta.url),
	"./pages/traces.tsx": () => __vitePreload(() => import("./traces.js"), __vite__mapDeps([64,1,2,3,4,60,5,7,6,20,19,34,33,22,26,32,27,28,25]), import.meta.url),
	"./pages/vox.tsx": () => __vitePreload(() => import("./vox.js"), __vite__mapDeps([65,1,19,3,6,7,9,10,11,12,2,4,5,13,14,15,16,38,22,25,39,23,24]), import.meta.url),
	"./pages/workflows.tsx": () => __vitePreload(() => import("./workflows.js"), __vite__mapDeps([66,3,1,18,2,4,5,19,7,6,20,21,8,22,23,14,24,25,26,27,28,10,29,30]), import.meta.url)
});
var loaderOf = (id) => MODULES[`./pages/${id}.tsx`];
var has = (id) => loaderOf(id) !== void 0;
function App() {
	const { page } = route.value;
	const id = page && has(page) ? page : NOWHERE;
	const heading = useHeadingFocus(id);
	useDraft();
	return /* @__PURE__ */ a("div", {
		class: `shell ${prefs.value.navOpen ? "" : "nav-closed"}`,
		children: [
			/* @__PURE__ */ a("a", {
				class: "skip",
				href: "#main",
				onClick: (event) => {
					event.preventDefault();
					document.getElementById("main")?.focus();
				},
				children: t("Skip to content")
			}),
			/* @__PURE__ */ a(Menu, {}),
			/* @__PURE__ */ a("header", {
				class: "top",
				children: [
					/* @__PURE__ */ a("h1", {
						tabIndex: -1,
						ref: heading,
						children: pageTitle
					}),
					/* @__PURE__ */ a("span", { class: "spring" }),
					/* @__PURE__ */ a(Status, {}),
					/* @__PURE__ */ a(TourButton, {}),
					/* @__PURE__ */ a("button", {
						type: "button",
						class: "palette-button",
						"aria-label": t("Go to a page or action"),
						onClick: openPalette,
						children: [
							/* @__PURE__ */ a(Icon, {
								name: "search",
								size: 16
							}),
							/* @__PURE__ */ a("span", { children: t("Go to…") }),
							/* @__PURE__ */ a("kbd", { children: "Ctrl K" })
						]
					})
				]
			}),
			/* @__PURE__ */ a(PageTabs, { has }),
			/* @__PURE__ */ a("main", {
				id: "main",
				tabIndex: -1,
				children: /* @__PURE__ */ a(Page, { id })
			}),
			/* @__PURE__ */ a(More, {}),
			/* @__PURE__ */ a(Overlays, {})
		]
	});
}
/** `#/chat?draft=…`: a text for the message box, from a link or from another application. It is not sent. */
function useDraft() {
	const { page, rest, query } = route.value;
	const draft = page === "chat" ? query.get("draft") : null;
	A(() => {
		if (draft === null) return;
		go(at("chat", rest), true);
		if (draft) compose(draft);
	}, [draft]);
}
var byKey = false;
addEventListener("keydown", () => byKey = true, true);
addEventListener("pointerdown", () => byKey = false, true);
/** Whoever goes to another page by keyboard goes on from its heading, unless they are typing. */
function useHeadingFocus(page) {
	const heading = T(null);
	const before = T(page);
	F(() => {
		if (before.current === page) return;
		before.current = page;
		const busy = document.activeElement?.matches("input, textarea, select, [contenteditable], dialog *, .tour *");
		if (byKey && !busy) heading.current?.focus({ preventScroll: true });
	}, [page]);
	return heading;
}
var loaded = /* @__PURE__ */ new Map();
function Page({ id }) {
	const [, shown] = d("");
	const [problem, fail] = d(null);
	const load = () => {
		fail(null);
		loaderOf(id)().then((module) => {
			loaded.set(id, module.default);
			shown(id);
		}, () => {
			check();
			fail(new Error(t("This part of the console could not be loaded. Is the server still running?")));
		});
	};
	A(() => {
		document.title = `${pageTitle.value} · Antiphon`;
		if (!loaded.has(id)) load();
		else fail(null);
	}, [id]);
	A(() => {
		if (!problem) return;
		const timer = setTimeout(load, AWAY_MS);
		const stop = onReturn(load);
		return () => {
			clearTimeout(timer);
			stop();
		};
	}, [problem]);
	const Content = loaded.get(id);
	if (Content) return /* @__PURE__ */ a("div", {
		class: `page page-${id}`,
		children: /* @__PURE__ */ a(Content, {})
	}, id);
	if (problem) return /* @__PURE__ */ a("div", {
		class: "page",
		children: /* @__PURE__ */ a(Problem, {
			error: problem,
			retry: load
		})
	});
	return /* @__PURE__ */ a("div", {
		class: "loading",
		children: /* @__PURE__ */ a(Spinner, { label: t("Loading the page") })
	});
}
// src/start.tsx
var start_exports = /* @__PURE__ */ __exportAll({});
Q(/* @__PURE__ */ a(App, {}), document.getElementById("app"));
becomeInstallable();
export { guided as a, block as c, Dialog as d, run as f, paletteOpen as i, blocked as l, hold as n, Fields as o, addShortcuts as r, cannotBeUndone as s, start_exports as t, unblock as u };

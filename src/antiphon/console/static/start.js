const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["./menu-panels.js","./vendor-preact.js","./http.js","./app.js","./address.js","./load.js","./talk.js","./toasts.js","./kit.js","./icons.js","./backends.js","./microphone.js","./words.js","./confirm.js","./confirmations.js","./router.js","./bus.js","./ear.js","./tour.js","./palette.js","./blocked.js","./open-questions.js","./notifications.js","./agents.js","./pipeline-page.js","./poll.js","./flow.js","./form.js","./time.js","./markdown.js","./readable.js","./rules.js","./gates.js","./zone.js","./dates.js","./left-out.js","./audit.js","./call-menu.js","./popover.js","./drawer.js","./filter-chips.js","./calendar.js","./words2.js","./chat.js","./page.js","./api.js","./words3.js","./transcript.js","./figure.js","./experts.js","./calls.js","./gallery.js","./sparkline.js","./vendor-uplot.js","./legend.js","./inbox.js","./kg-studio.js","./typed.js","./macros.js","./catalogue.js","./some.js","./api2.js","./metrics.js","./nowhere.js","./playbooks2.js","./projects.js","./sessions.js","./older.js","./settings.js","./shared.js","./tools.js","./tries.js","./traces.js","./vox.js","./workflows.js"])))=>i.map(i=>d[i]);
import { a as y, c as P, d, h as Q, i as x, l as T, m as $, n as O, o as A, r, s as F, t as a } from "./vendor-preact.js";
import { a as onReturn, c as watchConnection, i as check, n as isAway, o as outdated, s as standing$1, t as AWAY_MS } from "./load.js";
import { a as locale, c as rich, d as __vitePreload, f as prefer, l as t, m as shownTheme, n as language, o as number, p as prefs, s as plural, u as translated } from "./app.js";
import { t as address } from "./address.js";
import { a as onFailure, c as said, d as words$1, l as send, o as post, r as get, t as ApiError } from "./http.js";
import { a as at, c as pageOf$1, d as route, f as tabsOf, i as PAGES, l as pageTitle, n as MENU, o as go, r as NOWHERE, s as labelOf, t as LISTED, u as parseRoute } from "./router.js";
import { d as settled, l as remind, n as askById, o as openQuestions, r as current, s as overHttp, t as ask } from "./confirmations.js";
import { f as Spinner, n as Button, s as IconButton, t as Badge, u as Problem } from "./kit.js";
import { n as Icon } from "./icons.js";
import { a as talk, i as conversation, o as talking, r as compose, t as TALK_PROFILE } from "./talk.js";
import { i as speakThrough, n as on, r as say, t as heard } from "./bus.js";
import { n as blocked, t as block } from "./blocked.js";
import { i as toasts, n as holdToasts, r as toast, t as dismiss } from "./toasts.js";
import { n as serverVoice, r as Player, t as openVoice } from "./server-voice.js";
import { c as speaksHere, d as usable, i as loadStatus, l as status, n as backendStatus, o as modelFor, r as choice, t as backend } from "./backends.js";
import { a as sentences, i as plain } from "./words.js";
import { t as zoneHere } from "./zone.js";
import { a as held, c as mute, d as recognise, f as trouble$1, i as hearing, l as open$1, n as close$1, o as listening, p as __exportAll, r as ear_exports, s as microphone, t as attach, u as opening } from "./ear.js";
import { i as BrowserVoice } from "./microphone.js";
import { n as envelopeOutcome, t as Transcript } from "./transcript.js";
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
var FAREWELL_MS$1 = 6e3;
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
	const timer = setTimeout(once, FAREWELL_MS$1);
}
// src/functions/page.ts
/** What a person sees of the open page: where it is and what is written on it. */
var LOADS_MS = 3e3;
var LOOK_EVERY_MS$1 = 50;
/** About as much as a model can use of one page. */
var MOST = 8e3;
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
	return {
		navigated_to: [to.page, ...to.rest].join("/"),
		title: pageTitle.value
	};
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
	const left = text.length - MOST;
	return `${text.slice(0, MOST).trimEnd()}\n… (${left} more characters are on the page)`;
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
		session: conversation.value?.conversationId.value ?? null
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
// src/overlays/now.ts
/** Milliseconds of the epoch, again every `every` milliseconds: for what counts down. */
function useNow(every) {
	const [now, set] = d(Date.now);
	A(() => {
		set(Date.now());
		const timer = setInterval(() => set(Date.now()), every);
		return () => clearInterval(timer);
	}, [every]);
	return now;
}
/** `4:05`, rounded up: it is not over before it says so. */
function countdown(ms) {
	const seconds = Math.max(0, Math.ceil(ms / 1e3));
	const rest = String(seconds % 60).padStart(2, "0");
	const minutes = Math.floor(seconds / 60);
	if (minutes < 60) return `${minutes}:${rest}`;
	return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}:${rest}`;
}
/** The same for a screen reader, which reads `4:05` as a time of day. */
function inWords(ms) {
	const seconds = Math.max(0, Math.ceil(ms / 1e3));
	if (seconds < 60) return plural(seconds, "{count} second", "{count} seconds");
	const minutes = Math.ceil(seconds / 60);
	return plural(minutes, "{count} minute", "{count} minutes");
}
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
function kept$1() {
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
		localStorage.setItem(RECENT, JSON.stringify([one, ...kept$1().filter((each) => each.id !== plain)].slice(0, MOST_RECENT)));
	} catch {}
}
/** What was chosen last, as far as it can be chosen now. */
function recent$1(entries) {
	return kept$1().flatMap((one) => {
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
	if (fitting(speech) || waited$1) return fitting(speech);
	await new Promise((resolve) => {
		setTimeout(resolve, VOICES_MS);
		speech.addEventListener("voiceschanged", () => resolve(), { once: true });
	});
	waited$1 = true;
	return fitting(speech);
}
var waited$1 = false;
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
		const { muted, setMuted } = await import("./conversation.js");
		return {
			muted,
			setMuted
		};
	}, [], import.meta.url);
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
var voice$1 = tourVoice();
/** The step that is looked for; an answer for an earlier one comes too late. */
var round$2 = 0;
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
		await show$1(0);
	} catch (error) {
		toast(said(error), { kind: "bad" });
	}
}
function next() {
	const now = guided.value;
	if (!now) return;
	if (now.index + 1 < now.tour.steps.length) show$1(now.index + 1);
	else endTour();
}
function back$1() {
	if (guided.value && guided.value.index > 0) show$1(guided.value.index - 1);
}
function endTour() {
	round$2++;
	voice$1.stop();
	guided.value = null;
}
/** Says the step again, or stops saying it. */
function sayStep(aloud) {
	const now = guided.value;
	if (aloud && now) voice$1.say(now.tour.steps[now.index].speech);
	else voice$1.stop();
}
async function show$1(index) {
	const mine = ++round$2;
	const now = guided.value;
	const step = now.tour.steps[index];
	guided.value = {
		...now,
		index,
		target: "looking"
	};
	if (prefs.value.tourSpeech) voice$1.say(step.speech);
	const target = await appears(step.target, () => mine !== round$2);
	if (mine === round$2 && guided.value) guided.value = {
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
// src/ui/lazy.tsx
function lazy(load) {
	let there = null;
	return function Lazy(props) {
		const [, come] = d(false);
		A(() => {
			let here = true;
			if (!there) load().then((part) => {
				there = part;
				if (here) come(true);
			}, () => {});
			return () => {
				here = false;
			};
		}, []);
		return there ? /* @__PURE__ */ a(Part, {
			of: there,
			props
		}) : null;
	};
}
function Part({ of: Content, props }) {
	return /* @__PURE__ */ a(Content, { ...props });
}
// src/voice/captions.ts
/** The words that are heard right now: each sentence is shown when its sound is played. */
var BYTES_PER_MS = 48;
var caption = y("");
var cues = [];
var turn$1 = -1;
var receivedMs = 0;
/** Where the newest piece of sound begins: its words are told right after it. */
var pieceFromMs = 0;
function soundCame(id, bytes) {
	if (id !== turn$1) {
		turn$1 = id;
		receivedMs = heardMs = 0;
		cues = cues.filter((cue) => cue.turn >= id - 1);
	}
	pieceFromMs = receivedMs;
	receivedMs += bytes / BYTES_PER_MS;
}
/** Words of a turn. Without sound they are shown at once. */
function wordsCame(id, text) {
	const shown = plain(text);
	if (!shown) return;
	if (id !== turn$1) caption.value = shown;
	else cues.push({
		turn: id,
		fromMs: pieceFromMs,
		text: shown
	});
}
var heardMs = 0;
/** How much of a turn's speech was heard so far: a share of what came of it. */
function heardShare(id) {
	return id !== turn$1 || !receivedMs ? 1 : Math.min(1, heardMs / receivedMs);
}
function played(id, playedMs) {
	if (id === turn$1) heardMs = playedMs;
	const due = cues.findLast((cue) => cue.turn === id && cue.fromMs <= playedMs);
	if (due) caption.value = due.text;
}
function clearCaptions() {
	cues = [];
	turn$1 = -1;
	caption.value = "";
}
// src/voice/keeping.ts
var KEY$1 = "antiphon.conversation";
var now = read$1();
function read$1() {
	try {
		const found = JSON.parse(sessionStorage.getItem(KEY$1) ?? "null");
		return typeof found?.conversation === "string" ? found : null;
	} catch {
		return null;
	}
}
function kept() {
	return now;
}
function keep(these) {
	now = these;
	write$1(KEY$1, JSON.stringify(these), sessionStorage);
}
function forget() {
	now = null;
	write$1(KEY$1, null, sessionStorage);
}
/** What is known of it stays, with this changed. */
function keepAlso(change) {
	if (now) keep({
		...now,
		...change
	});
}
var DRAFTS = "antiphon.drafts";
function drafts() {
	try {
		return JSON.parse(localStorage.getItem(DRAFTS) ?? "{}") ?? {};
	} catch {
		return {};
	}
}
function draftOf(conversation) {
	return drafts()[conversation ?? ""] ?? "";
}
function keepDraft(conversation, text) {
	const { [conversation ?? ""]: _, ...others } = drafts();
	const kept = text ? {
		...others,
		[conversation ?? ""]: text
	} : others;
	write$1(DRAFTS, JSON.stringify(Object.fromEntries(Object.entries(kept).slice(-20))), localStorage);
}
function write$1(key, value, where) {
	try {
		if (value === null) where.removeItem(key);
		else where.setItem(key, value);
	} catch {}
}
// src/voice/line.ts
/** One WebSocket to `/ws/vox`, from `start` to its end. */
/** A socket that does not open within this time is taken for one that will not. */
var OPENS_MS = 8e3;
/** Before the samples of a binary frame: the turn that they belong to. */
var HEAD_BYTES = 4;
var Line = class {
	ends;
	socket;
	over = false;
	constructor(start, ends) {
		this.ends = ends;
		this.socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${address("/ws/vox")}`);
		this.socket.binaryType = "arraybuffer";
		const impatient = setTimeout(() => this.end(1006), OPENS_MS);
		this.socket.onopen = () => {
			clearTimeout(impatient);
			this.say(start);
		};
		this.socket.onmessage = ({ data }) => this.take(data);
		this.socket.onclose = ({ code }) => {
			clearTimeout(impatient);
			this.end(code);
		};
	}
	/** False: it is not open. */
	say(message) {
		return this.send(JSON.stringify(message));
	}
	/** A frame of the person's speech. */
	sound(frame) {
		return this.send(frame);
	}
	close() {
		this.over = true;
		this.socket.close();
	}
	send(data) {
		if (this.over || this.socket.readyState !== WebSocket.OPEN) return false;
		this.socket.send(data);
		return true;
	}
	take(data) {
		if (this.over) return;
		if (typeof data === "string") this.ends.message(JSON.parse(data));
		else if (data.byteLength > HEAD_BYTES) this.ends.sound(new DataView(data).getUint32(0, true), data.slice(HEAD_BYTES));
	}
	end(code) {
		if (this.over) return;
		this.close();
		this.ends.closed(code);
	}
};
var GOODBYE = 1e3;
var RESTARTING = 1012;
/** After these the same would only happen again. */
var FINAL = /* @__PURE__ */ new Set([
	GOODBYE,
	4001,
	1008,
	1009
]);
var FIRST_MS = 250;
var LONGEST_MS = 3e3;
/** How long to wait before the so-many-th attempt to get a lost line back; null: it was the last. */
function patience(attempt, chance = Math.random()) {
	if (attempt >= 20) return null;
	return Math.min(LONGEST_MS, FIRST_MS * 2 ** attempt) * (.75 + chance / 2);
}
// src/voice/mouth.ts
/** What the person hears of the model: the speech of the server, or the voice of the browser. */
/** Something is heard right now. */
var sounding = y(false);
var REPORT_MS = 200;
/** Between two sentences it is quiet for a moment; that is not the end. */
var PAUSE_MS = 250;
var reported = {
	turn: -1,
	at: 0
};
var pause;
var player = new Player(({ turn, playedMs, done }) => {
	clearTimeout(pause);
	sounding.value = true;
	played(turn, playedMs);
	const now = performance.now();
	if (!done && turn === reported.turn && now - reported.at < REPORT_MS) return;
	reported = {
		turn,
		at: now
	};
	tell(turn, playedMs);
}, () => {
	clearTimeout(pause);
	pause = setTimeout(() => sounding.value = false, PAUSE_MS);
});
var voice = new BrowserVoice((on) => sounding.value = on);
var speaker = O(() => prefs.value.speaker);
x(() => void player.useSpeaker(speaker.value));
var speakerAnalyser = () => player.analyser;
/** Call it where something was pressed. Throws where the browser has no way to play. */
async function open() {
	await player.open(prefs.value.speaker);
}
/** A piece of the server's speech. */
function sound(turn, pcm) {
	soundCame(turn, pcm.byteLength);
	player.play(turn, pcm);
}
/** Words of the model; said by the browser where nobody else says them. */
function words(turn, text, here) {
	if (here) voice.say(text, prefs.value.voice);
	wordsCame(turn, text);
}
function complete(turn, here) {
	player.complete(turn);
	if (here) voice.finish(prefs.value.voice);
}
/** The server says that this turn was cut off. */
function cutOff(turn) {
	player.flush(turn);
	quiet();
}
/** Silence, now. When it is there the server is told how much was heard. */
async function hush() {
	const flushed = player.flush();
	quiet();
	const stopped = await flushed;
	if (stopped) tell(stopped.turn, stopped.playedMs);
}
var PLAYS_OUT_MS = 15e3;
/** When what is being said was heard to its end, or has taken too long. */
function playedOut() {
	return new Promise((resolve) => {
		const timer = setTimeout(resolve, PLAYS_OUT_MS);
		const stop = x(() => {
			if (sounding.value) return;
			clearTimeout(timer);
			queueMicrotask(() => stop());
			resolve();
		});
	});
}
/** What is still to be read; null: nobody wants to hear it. */
var toRead = null;
var unread = "";
var reading = null;
/** An answer begins that the person wants to hear as well. Call it where something was pressed. */
function beginReading() {
	hushReading();
	toRead = [];
	if (!speaksHere()) openVoice().catch(() => {});
}
/** The next piece of it; whole sentences are read as they are there. */
function read(text) {
	if (!toRead) return;
	const found = sentences(unread + text);
	unread = found.rest;
	toRead.push(...found.whole);
	readOn();
}
function finishReading() {
	if (!toRead) return;
	toRead.push(unread);
	unread = "";
	readOn();
}
function hushReading() {
	toRead = null;
	unread = "";
	if (!reading) return;
	reading.abort();
	reading = null;
	quiet();
}
/** The server says no more at a time. */
var MOST_CHARS$1 = 900;
function nextToRead() {
	let text = (toRead?.shift() ?? "").slice(0, MOST_CHARS$1);
	while (toRead?.length && text.length + toRead[0].length < MOST_CHARS$1) text += ` ${toRead.shift()}`;
	return text;
}
async function readOn() {
	if (reading || !toRead) return;
	const mine = reading = new AbortController();
	try {
		for (;;) {
			const text = plain(nextToRead());
			if (!text && toRead?.length) continue;
			if (!text || mine.signal.aborted) return;
			sounding.value = true;
			caption.value = text;
			if (speaksHere()) await browserReads(text, mine.signal);
			else await serverVoice(text, mine.signal);
		}
	} catch {
		toRead = null;
	} finally {
		if (reading === mine) {
			reading = null;
			quiet();
		}
	}
}
function browserReads(text, stopped) {
	voice.say(text, prefs.value.voice);
	voice.finish(prefs.value.voice);
	return new Promise((resolve) => {
		const stop = x(() => {
			if (sounding.value && !stopped.aborted) return;
			queueMicrotask(() => stop());
			resolve();
		});
		stopped.addEventListener("abort", () => resolve());
	});
}
/** The conversation is over: silence, and no more of it. */
function rest() {
	player.flush();
	quiet();
	player.rest();
}
/** Another conversation: its turns are counted anew. */
function reset() {
	player.reset();
	quiet();
}
function quiet() {
	clearTimeout(pause);
	voice.stop();
	clearCaptions();
	sounding.value = false;
}
function tell(turn, playedMs) {
	say({
		type: "playback",
		turn_id: turn,
		played_ms: playedMs
	});
}
// src/voice/stored.ts
/** A conversation as the server keeps it, as entries of a transcript. */
/** As many turns as the server gives at once. */
var LIMIT = 5e3;
/** All that was said in a conversation, over all its sessions. Throws ApiError. */
async function loadConversation(id) {
	const found = [];
	for (let before = null;;) {
		const page = await get(`/api/conversations/${encodeURIComponent(id)}`, { query: {
			limit: LIMIT,
			...before ? { before } : {}
		} });
		found.unshift(...page.entries);
		before = page.next;
		if (before === null) return found;
	}
}
function entriesOf(stored) {
	return stored.flatMap((each, n) => {
		const base = {
			id: n - stored.length,
			at: each.at
		};
		if (each.kind === "said") {
			if (each.role === "assistant") {
				const state = each.interrupted ? "interrupted" : "done";
				return [{
					...base,
					kind: "assistant",
					turn: -1,
					stored: each.turn,
					text: y(each.text),
					state: y(state),
					heard: y(each.heard ?? null),
					opinion: y(each.feedback?.value ?? null),
					evidence: each.sources?.map(({ id }) => id) ?? [],
					known: new Map(each.sources?.map(({ id, ...source }) => [id, source]))
				}];
			}
			const spoken = each.channel === "voice";
			return [{
				...base,
				kind: "user",
				stored: each.turn,
				spoken,
				text: y(each.text),
				open: y(false)
			}];
		}
		if (each.kind === "image") {
			const { id: key, url, caption, alt, width, height } = each;
			return [{
				...base,
				kind: "image",
				key,
				picture: {
					url,
					caption,
					alt,
					width,
					height
				}
			}];
		}
		const envelope = each.answer ?? {
			ok: each.ok,
			data: null,
			error: {
				type: each.error_type,
				message: each.error_type
			}
		};
		const outcome = envelopeOutcome(envelope, each.duration ?? void 0);
		return [{
			...base,
			kind: "tool",
			callId: each.call_id,
			name: each.tool,
			args: each.args,
			decision: null,
			here: false,
			outcome: y({
				...outcome,
				replayed: each.replayed
			}),
			consent: y(null)
		}];
	});
}
// src/voice/thread.ts
/**
* The one conversation of the console, spoken or written: what was said and done in it, which it is, and
* what is being typed. It stays while pages change.
*/
var transcript = new Transcript();
var { entries } = transcript;
/** The id of its first session. Null: nothing was said yet. */
var conversationId = y(null);
var loading = y(false);
/** What is in the way of the conversation as a whole, or of the message that was sent last. */
var problem = y(null);
/** What was typed and not sent. */
var draft = y(draftOf(null));
/** Counts changes of conversation: what belongs to an earlier one comes to nothing. */
var round$1 = y(0);
/** Before another conversation is shown: whoever is busy with this one lets go of it. */
var leaving = /* @__PURE__ */ new Set();
/** Shows a conversation from the server; null: an empty one. */
async function show(id) {
	if (id !== null && id === conversationId.peek() && !(problem.peek() && !entries.peek().length)) return;
	begin(id);
	if (id === null) {
		forget();
		return;
	}
	const mine = round$1.peek();
	keep(kept()?.conversation === id ? kept() : { conversation: id });
	loading.value = true;
	try {
		const stored = await loadConversation(id);
		if (mine !== round$1.peek()) return;
		transcript.restore([...entriesOf(stored), ...entries.peek().filter((each) => each.id > 0)]);
	} catch (error) {
		if (mine !== round$1.peek()) return;
		problem.value = error;
		forget();
	} finally {
		if (mine === round$1.peek()) loading.value = false;
	}
}
/** Goes on in a branch, of which everything is known already: what was said up to an entry of this one. */
function takeBranch(id, said) {
	const sources = transcript.sources.peek();
	begin(id);
	keep({ conversation: id });
	transcript.restore(said);
	transcript.sources.value = new Map([...sources, ...transcript.sources.peek()]);
	go(at("chat", [id]));
}
/** Begins a new one. */
function renew() {
	show(null);
	go(at(route.peek().page === "vox" ? "vox" : "chat"));
}
function begin(id) {
	for (const leave of leaving) leave();
	r(() => {
		round$1.value++;
		transcript.clear();
		conversationId.value = id;
		problem.value = null;
		loading.value = false;
		draft.value = draftOf(id);
	});
}
/** It has its name now: the address leads back to it. */
function named$1(id) {
	if (id === conversationId.peek()) return;
	const typed = draft.peek();
	keepDraft(conversationId.peek(), "");
	conversationId.value = id;
	keepDraft(id, typed);
	const { page, rest } = route.peek();
	if ((page === "vox" || page === "chat") && !rest.length) go(at(page, [id]), true);
}
var WAITS_MS = 300;
var saving;
x(() => {
	const text = draft.value;
	const id = conversationId.peek();
	clearTimeout(saving);
	saving = setTimeout(() => keepDraft(id, text), text ? WAITS_MS : 0);
});
addEventListener("pagehide", () => keepDraft(conversationId.peek(), draft.peek()));
/** Puts words into the composer, below those that are there. */
function putDraft(text) {
	draft.value = draft.peek() ? `${draft.peek()}\n${text}` : text;
}
// src/voice/chat-events.ts
var EventReader = class {
	rest = "";
	/** The events that are whole now. Comments, which keep the line open, are none. */
	feed(piece) {
		this.rest += piece;
		const blocks = this.rest.split(/\r?\n\r?\n/);
		this.rest = blocks.pop();
		return blocks.flatMap((block) => {
			const data = block.split(/\r?\n/).filter((line) => line.startsWith("data:")).map((line) => line.slice(5).replace(/^ /, "")).join("\n");
			return data ? [JSON.parse(data)] : [];
		});
	}
};
/** All events of an answer, as they come. */
async function* events(body) {
	const reader = new EventReader();
	const decoder = new TextDecoder();
	const pieces = body.getReader();
	try {
		for (;;) {
			const { done, value } = await pieces.read();
			if (done) return;
			yield* reader.feed(decoder.decode(value, { stream: true }));
		}
	} finally {
		pieces.releaseLock();
	}
}
// src/voice/written.ts
/** The conversation in writing: while the microphone is off, what is typed goes to `POST /api/chat`. */
var answering = y(false);
/** The server is away: how many times in a row it was asked again. */
var away = y(0);
/** Who answers in a new conversation; an old one keeps its own. */
var profile = y(TALK_PROFILE);
/** The answer to what was asked last, for those who hear the page. */
var announced = y("");
/** Longer than this the server takes no message. */
var MOST_CHARS = 32e3;
var stopping = null;
/** A message that went out, as long as the server has not said that it came. */
var sending = null;
var wake = null;
/** The session of the answer under way, for functions that run here. */
var session = null;
var turn = 0;
/** Who opens the microphone where the agent proposes to talk. */
var voiceStarts = () => {};
function onVoiceStart(start) {
	voiceStarts = start;
}
/** Stops the answer: what was called and only reads is cancelled, a write under way is finished. */
function stop() {
	stopping?.abort();
	stopping = null;
	hushReading();
}
leaving.add(() => {
	stop();
	answering.value = false;
	away.value = 0;
});
/** Asks now, whenever the next attempt would be. */
function tryNow() {
	wake?.();
}
addEventListener("online", tryNow);
async function write(text) {
	const entry = transcript.add(text);
	const mine = round$1.peek();
	sending = text;
	keepAlso({ sent: text });
	if (!await answer(text, entry) && mine === round$1.peek()) {
		transcript.remove(entry);
		if (!draft.peek()) draft.value = text;
		arrived();
	}
}
/** Whatever became of the message: it is not on its way any more. */
function arrived() {
	sending = null;
	keepAlso({ sent: void 0 });
}
addEventListener("pagehide", () => {
	if (sending !== null && !conversationId.peek() && !draft.peek()) keepDraft(null, sending);
});
/** After a reload: a question that went out and has no answer yet is answered; one that never came is asked again. */
async function answerLast() {
	const entries = transcript.entries.peek();
	const last = entries.findLast((each) => each.kind !== "note");
	const { asking, sent } = kept() ?? {};
	if (!(asking || sent) || answering.peek()) return;
	keepAlso({
		asking: false,
		sent: void 0
	});
	const asked = entries.findLast((each) => each.kind === "user");
	if (sent && asked?.text.peek() !== sent) {
		await write(sent);
		return;
	}
	if (last && (last.kind === "user" || last.kind === "tool")) await answer(null, null);
}
/** Lets the agent go on with what came of earlier calls, such as one that was approved. */
async function goOn() {
	if (!answering.peek()) await answer(null, null);
}
/** One turn. False: it did not begin, and `problem` says why. */
async function answer(message, entry) {
	const leave = stopping = new AbortController();
	const mine = round$1.peek();
	turn++;
	answering.value = true;
	problem.value = null;
	announced.value = "";
	if (prefs.peek().speakAnswers) beginReading();
	let begun = entry === null;
	let told = false;
	try {
		for (;;) try {
			const response = await posted(begun ? null : message, leave.signal);
			away.value = 0;
			begun = true;
			for await (const event of events(response.body)) {
				if (mine !== round$1.peek()) return true;
				told ||= event.type === "text";
				take$1(event);
			}
			return true;
		} catch (error) {
			if (mine !== round$1.peek()) return true;
			if (leave.signal.aborted) {
				transcript.interrupted();
				keepAlso({ asking: false });
				return begun;
			}
			if (begun && isEmpty(error)) {
				if (told || message === null) return true;
				begun = false;
				continue;
			}
			if (!lost$1(error)) throw error;
			transcript.closeAnswer("done");
			if (!await waited(leave.signal)) throw new ApiError(0, t("The server cannot be reached. Your message is back in the box."));
		}
	} catch (error) {
		if (mine !== round$1.peek()) return true;
		transcript.interrupted();
		keepAlso({ asking: false });
		problem.value = error instanceof ApiError ? error : new Error(t("The answer was cut off: {why}", { why: said(error) }));
		return begun;
	} finally {
		if (stopping === leave) stopping = null;
		if (mine === round$1.peek()) {
			answering.value = false;
			away.value = 0;
			finishReading();
		}
	}
}
/** The server went away: before it answered, or in the middle of it. */
var lost$1 = (error) => isAway(error) || error instanceof TypeError;
var isEmpty = (error) => error.body?.kind === "empty";
/** Waits before the next attempt. False: that was the last one, or nobody wants one. */
async function waited(stopped) {
	const wait = patience(away.peek());
	if (wait === null) return false;
	away.value++;
	await new Promise((resolve) => {
		wake = resolve;
		setTimeout(resolve, wait);
		stopped.addEventListener("abort", () => resolve());
	});
	wake = null;
	return !stopped.aborted;
}
/** An answer that was stopped needs a moment to end, and until then the next one is refused. */
var AGAIN_MS = 300;
var TIMES = 6;
async function posted(message, signal) {
	const { backend } = prefs.peek();
	const model = modelFor("text");
	const id = conversationId.peek();
	const body = {
		...message === null ? {} : { message },
		...id ? { conversation: id } : { profile: profile.peek() },
		...backend ? { backend } : {},
		...model ? { model } : {},
		time_zone: zoneHere(),
		client_functions: true
	};
	for (let time = 1;; time++) {
		const response = await send("POST", "/api/chat", body, {
			headers: { Accept: "text/event-stream" },
			signal
		});
		if (response.ok && response.body) return response;
		const refused = await refusal(response);
		if (refused.body?.kind !== "busy" || time === TIMES) throw refused;
		await new Promise((resume) => setTimeout(resume, AGAIN_MS));
	}
}
async function refusal(response) {
	const body = await response.json().catch(() => null);
	if (body?.timeout) block({
		...body.timeout,
		message: body.detail ?? ""
	});
	return new ApiError(response.status, words$1(response.status, body), body);
}
function take$1(event) {
	switch (event.type) {
		case "session":
			began(event);
			break;
		case "text":
			transcript.answered(event.delta, { turn_id: -turn });
			read(event.delta);
			break;
		case "tool_call":
			transcript.called({
				...event,
				fn_call_id: event.id,
				server_handled: true
			});
			break;
		case "client_call":
			runHere(event);
			break;
		case "tool_result":
			transcript.finish(event.id, event.name, envelopeOutcome(event.envelope, event.duration));
			break;
		case "late_result":
			transcript.finish(event.id, event.name, envelopeOutcome(event.envelope));
			break;
		case "confirmation_required":
			confirm(event);
			break;
		case "confirmation_resolved":
			settled(event);
			break;
		case "image":
			transcript.pictured(event);
			break;
		case "timeout":
			block(event);
			break;
		case "message":
			if (event.message.type) heard(event.message);
			break;
		case "async_task_started":
		case "async_task_progress":
		case "async_task_complete":
			heard(event);
			break;
		case "notice":
			transcript.passing(event.message);
			break;
		case "error":
			transcript.note(event.message, "bad");
			break;
		case "done": finished(event);
	}
}
function began({ session_id: id, conversation }) {
	session = id;
	sending = null;
	keep({
		conversation,
		asking: true
	});
	named$1(conversation);
}
/** A function of this browser, such as one that opens a page. */
async function runHere({ id, name, args }) {
	const of = session;
	const { run } = await __vitePreload(async () => {
		const { run } = await import("./functions.js");
		return { run };
	}, [], import.meta.url);
	const result = await run(name, args);
	transcript.ranHere(id);
	await post(`/api/chat/${encodeURIComponent(of)}/results`, {
		id,
		result
	}).catch(() => {});
}
function finished(event) {
	transcript.closeAnswer(event.finish === "interrupted" ? "interrupted" : "done");
	announced.value = event.message ?? "";
	keepAlso({ asking: false });
	heard({
		type: "turn_complete",
		turn: event.turn,
		reason: event.finish
	});
	if (event.startVoiceSession) voiceStarts(event.pendingRequest ?? null);
}
/** The person is asked; whatever they say, the agent hears of it and goes on. */
async function confirm(question) {
	const mine = round$1.peek();
	const { outcome } = await ask(question, overHttp(question));
	if (mine !== round$1.peek()) return;
	transcript.resolved(question.tool, outcome);
	if (outcome !== "expired") await goOn();
}
// src/voice/conversation.ts
/**
* The conversation by voice, over one socket while the microphone is on. There is one, whichever page is
* open: the model may lead the person from page to page while they talk. What is typed while it is off
* goes another way (`written.ts`), into the same conversation.
*/
var link = y("off");
var awaiting = y(false);
/** The line is there, or about to be: the microphone is on. */
var live = O(() => link.value !== "off");
var phase = O(() => {
	if (link.value === "connecting" || link.value === "reconnecting") return link.value;
	if (sounding.value) return "speaking";
	if (link.value === "open") return awaiting.value ? "thinking" : "listening";
	if (away.value) return "reconnecting";
	return answering.value ? "thinking" : "off";
});
var setup = y(null);
var { muted } = ear_exports;
var trouble = y(null);
/** How many times in a row the lost line was asked for. */
var attempt = y(0);
var line = null;
var wish = {};
/** Counts beginnings and ends: what was begun before the last of them comes to nothing. */
var round = 0;
var retry;
/** Who waits for the line to be there again, or for it to have failed. */
var settle = null;
/** What the person said while there was no line: frames of the last seconds, and texts. */
var unsent = [];
var untold = [];
/** The person typed last and reads the answer: nothing of it is spoken. */
var reads = false;
/** A person who is kept out hears what is being said to its end. */
var farewell;
/** Something was typed that has no answer yet. */
var owed = false;
var UNSENT_FRAMES = 250;
var FAREWELL_MS = 2e4;
/** Turns the microphone on, in the conversation that is shown. Call it where something was pressed. */
async function start(options = {}) {
	const { conversation: other, pendingRequest } = options;
	open().catch(() => transcript.note(t("This browser cannot play sound. You can read the answers."), "bad"));
	if (other && other !== conversationId.value) {
		hangUp();
		await show(other);
	}
	if (link.value !== "off") {
		await listen();
		return;
	}
	trouble.value = null;
	wish = options;
	const mine = ++round;
	link.value = "connecting";
	hushReading();
	mute(false);
	unsent = [];
	untold = [];
	const heard = await listen();
	if (mine !== round) return;
	if (!heard && !pendingRequest) {
		over$1();
		return;
	}
	await written();
	if (mine === round) connect();
}
/** When the answer in writing is complete: by voice it is part of what was said. */
function written() {
	return new Promise((resolve) => {
		const done = x(() => {
			if (answering.value) return;
			queueMicrotask(() => done());
			resolve();
		});
	});
}
/** After the page was loaded anew: shows what was said, and opens no microphone. */
async function restore() {
	const before = kept();
	const { page, rest } = route.peek();
	const wanted = page === "vox" || page === "chat" ? rest[0] : void 0;
	if (!before || conversationId.peek() || wanted && wanted !== before.conversation) return;
	await show(before.conversation);
	if (kept()?.conversation === before.conversation) await answerLast();
}
/** Turns the microphone off; the conversation stays, and goes on in writing. */
function hangUp() {
	hushReading();
	if (link.value === "off") return;
	const rest = untold.map((words) => words.text).join("\n");
	line?.say({ type: "end" });
	drop();
	transcript.interrupted();
	if (rest && !draft.value) draft.value = rest;
	keepAlso({ token: void 0 });
	over$1();
	heard({
		type: "voice_session_end",
		reason: "user_requested",
		textResponse: null
	});
}
leaving.add(hangUp);
onVoiceStart((pendingRequest) => void start(pendingRequest ? { pendingRequest } : {}));
function drop() {
	line?.close();
	line = null;
}
/** The microphone is off, for whatever reason. */
function over$1(problem = null) {
	round++;
	clearTimeout(retry);
	clearTimeout(farewell);
	farewell = void 0;
	speakThrough(null);
	close$1();
	rest();
	reset();
	unsent = [];
	untold = [];
	attempt.value = 0;
	awaiting.value = false;
	link.value = "off";
	setup.value = null;
	trouble.value = problem;
	settle?.();
	settle = null;
}
function connect() {
	const token = kept()?.conversation === conversationId.value ? kept()?.token : void 0;
	const { pendingRequest, profile } = wish;
	drop();
	const mine = new Line({
		type: "start",
		audio: "binary",
		...choice(),
		push_to_talk: !prefs.value.handsFree,
		greeting: entries.value.length === 0,
		speak: true,
		time_zone: zoneHere(),
		...token ? { session_token: token } : {
			pending_request: pendingRequest?.slice(0, 200),
			conversation: conversationId.value ?? void 0,
			profile: profile ?? "workspace"
		}
	}, {
		message: take,
		sound,
		closed: lost
	});
	line = mine;
	speakThrough((message) => {
		const sent = mine.say(message);
		if (sent) alsoShown(message);
		return sent;
	});
}
function lost(code) {
	line = null;
	speakThrough(null);
	if (FINAL.has(code)) {
		keepAlso({ token: void 0 });
		const refused = code === 1e3 || code === 4001 ? null : t("The server closed the connection: it received more than it accepts.");
		over$1(refused ? { message: refused } : trouble.value);
		return;
	}
	if (!kept()?.token) {
		back();
		over$1({ message: t("The server cannot be reached. Is it still running?") });
		return;
	}
	const wait = patience(attempt.value);
	if (wait === null) {
		back();
		over$1({ message: t("The connection to the server is lost. The conversation is kept: turn the microphone on again, or type.") });
		return;
	}
	if (link.value !== "reconnecting") {
		link.value = "reconnecting";
		transcript.interrupted();
		hush();
		awaiting.value = false;
	}
	attempt.value++;
	clearTimeout(retry);
	retry = setTimeout(connect, wait);
}
/** What was typed and could not be sent goes back to where it was typed. */
function back() {
	const rest = untold.splice(0);
	for (const { text } of rest) {
		const entry = entries.value.findLast((each) => each.kind === "user" && each.text.peek() === text);
		if (entry) transcript.remove(entry);
	}
	if (rest.length && !draft.value) draft.value = rest.map((words) => words.text).join("\n");
}
/** Tries now to get a lost line back, whenever the next attempt would be. */
function reconnect() {
	tryNow();
	if (link.value !== "reconnecting" || line) return;
	clearTimeout(retry);
	connect();
}
addEventListener("online", reconnect);
function ready(message) {
	const { mode, model, voice, profile, conversation: id } = message;
	if (message.resume_problem) reset();
	setup.value = {
		mode,
		model,
		voice,
		profile,
		conversation: id,
		recordedDays: message.recorded_days
	};
	keep({
		conversation: conversationId.value ?? id,
		token: message.session_token
	});
	named$1(conversationId.value ?? id);
	attempt.value = 0;
	link.value = "open";
	awaiting.value = owed = untold.length > 0 || Boolean(wish.pendingRequest && !message.resumed);
	wish = {};
	for (const words of untold.splice(0)) line?.say({
		type: "text",
		...words
	});
	for (const frame of unsent.splice(0)) line?.sound(frame);
	settle?.();
	settle = null;
}
/** The model only writes, and this browser says it. */
var spokenHere = () => !reads && setup.value?.voice === "browser" && speaksHere();
function take(message) {
	transcript.take(message);
	switch (message.type) {
		case "setup_complete":
			ready(message);
			break;
		case "partial_transcript":
			reads = false;
			break;
		case "transcript":
			if (message.role === "assistant") {
				if (!reads) words(message.turn_id ?? 0, message.text, false);
				break;
			}
			reads = false;
			if (message.final) awaiting.value = true;
			break;
		case "text":
			if (!reads) words(message.turn_id ?? 0, message.text, spokenHere());
			break;
		case "function_call":
			awaiting.value = true;
			break;
		case "turn_complete":
			if (message.reason !== "interrupted") awaiting.value = owed = false;
			complete(message.turn_id ?? 0, spokenHere());
			if (farewell) playedOut().then(() => leave(FAREWELL_MS / 10));
			break;
		case "interrupted":
			awaiting.value = owed;
			if (message.cut_in !== false) transcript.heardUpTo(message.turn_id ?? 0, heardShare(message.turn_id ?? 0));
			cutOff(message.turn_id);
			break;
		case "confirmation_resolved":
			transcript.resolved(message.tool, message.outcome);
			break;
		case "voice_session_end":
			ended$1(message);
			break;
		case "timeout":
			paused(message);
			break;
		case "go_away":
			keepAlso({ token: message.session_token });
			break;
		case "error": wrong(message);
	}
	heard(message);
}
/** The person is kept out for a while, as the banner says; the last words are still for them. */
function paused(message) {
	if (link.value !== "open") {
		drop();
		over$1();
		return;
	}
	if (!farewell && message.message) transcript.note(message.message, "bad");
	close$1();
	leave(FAREWELL_MS);
}
/** The server ends it; if it does not, we do. */
function leave(after) {
	const mine = round;
	clearTimeout(farewell);
	farewell = setTimeout(() => {
		if (mine !== round) return;
		drop();
		over$1();
	}, after);
}
function ended$1({ textResponse }) {
	transcript.closeAnswer("done");
	transcript.answered(textResponse ?? "");
	transcript.closeAnswer("done");
	keepAlso({ token: void 0 });
}
/** Errors about what other parts of the console sent are theirs to show. */
var THEIRS = /* @__PURE__ */ new Set([
	"confirmation_response",
	"browser_function_result",
	"playback"
]);
function wrong({ message, about, fatal, kind }) {
	if (about && THEIRS.has(about)) return;
	if (about !== "start" && !fatal) {
		transcript.note(message, "bad");
		awaiting.value = false;
		return;
	}
	drop();
	const strange = about === "start" && /session_token/.test(message);
	if (link.value === "reconnecting" && !kind && !strange) {
		lost(RESTARTING);
		return;
	}
	if (strange || kind === "taken_over" || !setup.value) keepAlso({ token: void 0 });
	transcript.interrupted();
	back();
	over$1({ message });
}
/** What another part of the console sent has its place here, too: a result belongs to its card, and
* a question that was answered is not read out any further. */
function alsoShown(message) {
	const { type, fn_call_id, name, result } = message;
	if (type === "confirmation_response") hush();
	if (type !== "browser_function_result" || !name || !result) return;
	transcript.take({
		type: "function_result",
		fn_call_id: fn_call_id ?? null,
		name,
		result,
		meta: {},
		decision: null
	});
}
/** Says something in writing: over the line while the microphone is on, else by the other way. */
function sendText(text) {
	const words = text.trim();
	if (!words) return;
	trouble.value = null;
	trouble$1.value = null;
	if (link.value === "off") {
		write(words);
		return;
	}
	transcript.add(words);
	const message = typed(words);
	if (link.value === "open") {
		awaiting.value = owed = true;
		hush().then(() => say({
			type: "text",
			...message
		}));
	} else untold.push(message);
}
function typed(text) {
	const speak = prefs.value.speakAnswers;
	reads = !speak;
	return {
		text,
		speak
	};
}
/** Silence, now; then the model is told, and how much of it was heard. In writing: no more of it. */
function interrupt() {
	if (phase.value !== "speaking" && phase.value !== "thinking") return;
	if (link.value === "off") {
		stop();
		return;
	}
	awaiting.value = owed = false;
	hush().then(() => say({ type: "interrupt" }));
}
/** Opens the ears: the microphone, or the browser's recognition for a model that only reads. */
async function listen() {
	if (!speaksHere()) return open$1();
	recognise({
		partial: (text) => {
			if (text && sounding.value) interrupt();
			transcript.understood(text);
		},
		said: (text) => {
			reads = false;
			transcript.take({
				type: "transcript",
				role: "user",
				text,
				final: true,
				started_at: null
			});
			if (link.value !== "open") untold.push({
				text,
				spoken: true
			});
			else awaiting.value = say({
				type: "text",
				text,
				spoken: true
			});
		},
		failed: (words) => transcript.note(words, "bad")
	});
	return true;
}
attach((frame) => {
	if (link.value === "open" && line?.sound(frame)) return;
	unsent.push(frame);
	if (unsent.length > UNSENT_FRAMES) unsent.shift();
}, () => say({ type: "audio_end" }));
function setMuted(on) {
	mute(on);
	if (on) say({ type: "audio_end" });
}
/**
* Takes the conversation up with another backend, model or way of talking, when what is being said
* was heard to its end. Without a conversation it only changes what the next one begins with. What
* goes wrong is in `trouble`.
*/
async function restart(change = {}) {
	const { backend, ...rest } = change;
	prefer({
		...rest,
		...backend === void 0 ? {} : { backend }
	});
	if (link.value !== "open") return;
	await playedOut();
	if (link.value !== "open") return;
	link.value = "connecting";
	const done = new Promise((resolve) => settle = resolve);
	if (listening.value && speaksHere() === (microphone.value !== null)) {
		close$1();
		await listen();
	}
	connect();
	await done;
}
var handsFree = O(() => prefs.value.handsFree);
var asked = handsFree.value;
x(() => {
	if (handsFree.value === asked) return;
	asked = handsFree.value;
	restart();
});
restore();
conversation.value = {
	phase,
	live,
	conversationId,
	setup,
	start,
	hangUp,
	restart,
	sendText
};
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
// src/ui/flyout.tsx
function Flyout({ label, class: more, tour, button, children, side = "start" }) {
	const [open, set] = d(false);
	const box = T(null);
	const id = P();
	const close = () => {
		set(false);
		box.current?.querySelector(":scope > button")?.focus();
	};
	A(() => {
		if (!open) return;
		const outside = (event) => {
			if (!box.current.contains(event.target)) set(false);
		};
		document.addEventListener("pointerdown", outside, true);
		document.addEventListener("focusin", outside, true);
		return () => {
			document.removeEventListener("pointerdown", outside, true);
			document.removeEventListener("focusin", outside, true);
		};
	}, [open]);
	return /* @__PURE__ */ a("div", {
		class: `flyout ${more ?? ""}`,
		ref: box,
		"data-tour": tour,
		onKeyDown: (event) => {
			if (event.key !== "Escape" || !open) return;
			event.preventDefault();
			event.stopPropagation();
			close();
		},
		children: [/* @__PURE__ */ a("button", {
			type: "button",
			class: "flyout-button",
			"aria-label": label,
			title: label,
			"aria-expanded": open,
			"aria-controls": id,
			onClick: () => set(!open),
			children: button
		}), open ? /* @__PURE__ */ a("div", {
			id,
			class: `flyout-panel ${side}`,
			role: "group",
			"aria-label": label,
			children: typeof children === "function" ? children(close) : children
		}) : null]
	});
}
// src/voice/view/menus.tsx
/** Small menus of the composer: which model answers, and how one talks with it. */
var ModelPanel = lazy(() => __vitePreload(() => import("./menu-panels.js").then((panels) => panels.ModelPanel), __vite__mapDeps([0,1,2,3,4,5,6,7,8,9,10,11,12]), import.meta.url));
var VoicePanel = lazy(() => __vitePreload(() => import("./menu-panels.js").then((panels) => panels.VoicePanel), __vite__mapDeps([0,1,2,3,4,5,6,7,8,9,10,11,12]), import.meta.url));
function ModelMenu() {
	A(() => void loadStatus(), []);
	const one = backendStatus.value;
	const inForce = live.value ? setup.value : null;
	const label = status.value?.backends.find((each) => each.name === (inForce?.mode ?? backend.value))?.label ?? t("Model");
	const bad = one !== null && !usable(one);
	return /* @__PURE__ */ a(Flyout, {
		label: t("Model: {name}", { name: label }),
		class: "model-menu",
		tour: "chat-model",
		button: /* @__PURE__ */ a($, { children: [/* @__PURE__ */ a("span", {
			"data-tour": "vox-backend",
			class: bad ? "bad" : "",
			children: label
		}), /* @__PURE__ */ a(Icon, {
			name: "down",
			size: 12
		})] }),
		children: /* @__PURE__ */ a(ModelPanel, {})
	});
}
function VoiceMenu() {
	return /* @__PURE__ */ a(Flyout, {
		label: t("Voice settings"),
		class: "voice-menu",
		tour: "vox-voice",
		button: /* @__PURE__ */ a(Icon, {
			name: "volume",
			size: 16
		}),
		children: /* @__PURE__ */ a(VoicePanel, {})
	});
}
// src/voice/view/composer.tsx
/** Where one types and speaks: Enter sends, Shift and Enter make a new line, the microphone is a button. */
/** `slim`: one line, for the dock. */
function Composer({ slim = false }) {
	const id = P();
	const box = T(null);
	const text = draft.value;
	const over = text.length > MOST_CHARS;
	const busy = answering.value && !live.value;
	const send = () => {
		if (!text.trim() || over || busy || blocked.value) return;
		draft.value = "";
		sendText(text);
	};
	A(() => {
		if (!slim && matchMedia("(pointer: fine)").matches && document.activeElement === document.body) box.current.focus({ preventScroll: true });
	}, []);
	return /* @__PURE__ */ a("form", {
		class: `composer ${slim ? "slim" : ""}`,
		"data-tour": "vox-text-box",
		onSubmit: (event) => {
			event.preventDefault();
			send();
		},
		children: [
			/* @__PURE__ */ a("label", {
				class: "hidden-visually",
				for: id,
				children: t("Message")
			}),
			/* @__PURE__ */ a("div", {
				class: "composer-text",
				"data-tour": "chat-input",
				children: [/* @__PURE__ */ a("textarea", {
					id,
					ref: box,
					rows: 1,
					value: text,
					"aria-invalid": over,
					"aria-describedby": over ? `${id}-over` : void 0,
					placeholder: live.value ? t("Speak, or type here") : t("Ask anything"),
					onInput: (event) => {
						draft.value = event.currentTarget.value;
					},
					onKeyDown: (event) => {
						if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
						event.preventDefault();
						send();
					}
				}), over ? /* @__PURE__ */ a("p", {
					class: "wrong",
					id: `${id}-over`,
					role: "alert",
					children: t("This message has {count} characters; the limit is {most}. Shorten it, or add the text under Knowledge and ask about it.", {
						count: number(text.length),
						most: number(MOST_CHARS)
					})
				}) : null]
			}),
			/* @__PURE__ */ a("div", {
				class: "composer-bar",
				children: [
					slim ? null : /* @__PURE__ */ a(ModelMenu, {}),
					slim ? null : /* @__PURE__ */ a(VoiceMenu, {}),
					slim ? null : /* @__PURE__ */ a("span", { class: "spring" }),
					/* @__PURE__ */ a(MicButton, {}),
					busy ? /* @__PURE__ */ a(Button, {
						icon: "stop",
						onClick: stop,
						children: t("Stop")
					}) : /* @__PURE__ */ a(IconButton, {
						class: "composer-send",
						label: t("Send"),
						icon: "send",
						type: "submit",
						disabled: blocked.value !== null || over || !text.trim()
					})
				]
			})
		]
	});
}
/** Turns the microphone on and off; with push-to-talk it is held while one speaks. */
function MicButton() {
	const now = phase.value;
	const push = live.value && !prefs.value.handsFree && microphone.value !== null;
	const label = now === "connecting" ? t("Cancel") : push ? t("Hold to talk") : live.value ? t("Turn the microphone off") : t("Talk");
	return /* @__PURE__ */ a("span", {
		"data-tour": "chat-to-voice",
		children: /* @__PURE__ */ a("button", {
			type: "button",
			class: `vox-talk ${now} ${live.value ? "on" : ""} ${hearing.value ? "hearing" : ""}`,
			"data-tour": "vox-talk-button",
			"aria-label": label,
			title: label,
			"aria-pressed": live.value,
			disabled: blocked.value !== null && !live.value,
			onClick: () => {
				if (!live.value) start();
				else if (!push) hangUp();
			},
			onPointerDown: (event) => {
				if (!push) return;
				event.currentTarget.setPointerCapture(event.pointerId);
				hold(true);
			},
			onPointerUp: () => hold(false),
			onPointerCancel: () => hold(false),
			onContextMenu: (event) => push && event.preventDefault(),
			children: /* @__PURE__ */ a(Icon, {
				name: "mic",
				size: 18
			})
		})
	});
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
// src/voice/view/standing.tsx
/** How the conversation stands, in words that are true: a microphone only where one is on. */
function standing() {
	if (blocked.value) return {
		words: t("Paused"),
		icon: "clock",
		tone: "wait"
	};
	if (current.value) return {
		words: t("Waiting for your approval"),
		icon: "shield",
		tone: "wait"
	};
	switch (phase.value) {
		case "off": return {
			words: t("Microphone off"),
			icon: "chat",
			tone: "off"
		};
		case "connecting": return {
			words: opening.value ? t("Allow the microphone in your browser…") : t("Connecting…"),
			icon: "mic",
			tone: "wait"
		};
		case "reconnecting": return {
			words: t("Offline. Reconnecting…"),
			icon: "warn",
			tone: "bad"
		};
		case "thinking": return {
			words: t("Thinking…"),
			icon: "clock",
			tone: "busy"
		};
		case "speaking": return {
			words: t("Speaking"),
			icon: "volume",
			tone: "busy"
		};
		case "listening":
			if (!listening.value) return {
				words: t("Type here"),
				icon: "chat",
				tone: "off"
			};
			if (muted.value) return {
				words: t("Microphone muted"),
				icon: "mic-off",
				tone: "off"
			};
			if (hearing.value) return {
				words: t("Listening: say something"),
				icon: "mic",
				tone: "on"
			};
			return {
				words: t("Hold Space or the microphone while you speak"),
				icon: "mic",
				tone: "off"
			};
	}
}
function Standing() {
	const { words, icon, tone } = standing();
	const moves = live.value && prefs.value.handsFree && tone === "on" ? "moves" : "";
	return /* @__PURE__ */ a("p", {
		class: `standing ${tone} ${moves}`,
		role: "status",
		children: [/* @__PURE__ */ a(Icon, {
			name: icon,
			size: 15
		}), /* @__PURE__ */ a("span", { children: words })]
	});
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
		label: plural(count, "{count} open approval", "{count} open approvals")
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
// src/overlays/tour-button.tsx
/** The button that begins the tour of the page. */
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
// src/overlays.tsx
/** What lies over every page: dialogs that ask, toasts, the palette, shortcuts and tours. */
var Confirm = lazy(() => __vitePreload(() => import("./confirm.js").then((n) => n.r).then((part) => part.Confirm), __vite__mapDeps([13,1,3,14,2,4,15,16,7,9,8,17,11,12]), import.meta.url));
var TourOverlay = lazy(() => __vitePreload(() => import("./tour.js").then((part) => part.TourOverlay), __vite__mapDeps([18,1,3,8,7,9]), import.meta.url));
var Palette = lazy(() => __vitePreload(() => import("./palette.js").then((part) => part.Palette), __vite__mapDeps([19,1,2,3,4,15,20,16,6,7,9]), import.meta.url));
function openPalette() {
	paletteOpen.value = true;
}
var showShortcuts = () => shortcutsOpen.value = true;
/** What waits on the server is looked at behind the page, too. */
function watchLater() {
	let over = false;
	let stop = null;
	__vitePreload(() => import("./open-questions.js").then((part) => {
		if (!over) stop = part.watchOpen();
	}, () => void 0), __vite__mapDeps([21,2,3,1,4,14,15,16,7,22]), import.meta.url);
	return () => {
		over = true;
		stop?.();
	};
}
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
			watchLater()
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
// src/dock.tsx
/** The conversation on every other page: how it stands, what was said last, and where to say the next word. */
function Dock() {
	A(() => void loadStatus(), []);
	const { page } = route.value;
	if (page === "vox" || page === "chat" || page === "shared") return null;
	const back = at("chat", conversationId.value ? [conversationId.value] : []);
	const now = phase.value;
	if (!prefs.value.dockOpen) return /* @__PURE__ */ a("aside", {
		class: "dock pill",
		"aria-label": t("Conversation"),
		children: [/* @__PURE__ */ a("button", {
			type: "button",
			class: `dock-pill ${standing().tone}`,
			"aria-expanded": false,
			onClick: () => prefer({ dockOpen: true }),
			children: [/* @__PURE__ */ a(Standing, {}), /* @__PURE__ */ a("span", {
				class: "hidden-visually",
				children: t("Open the conversation bar")
			})]
		}), live.value ? /* @__PURE__ */ a(IconButton, {
			class: "hang-up",
			label: t("Hang up"),
			icon: "close",
			onClick: hangUp
		}) : null]
	});
	return /* @__PURE__ */ a("aside", {
		class: "dock",
		"aria-label": t("Conversation"),
		children: [
			/* @__PURE__ */ a("a", {
				class: "dock-said",
				href: back,
				title: t("Back to the conversation"),
				children: [/* @__PURE__ */ a(Standing, {}), /* @__PURE__ */ a("span", {
					class: "dock-line",
					children: lastLine()
				})]
			}),
			/* @__PURE__ */ a(Composer, { slim: true }),
			/* @__PURE__ */ a("div", {
				class: "dock-buttons",
				children: [
					/* @__PURE__ */ a(Recorded, {}),
					now === "reconnecting" ? /* @__PURE__ */ a(IconButton, {
						label: t("Try now"),
						icon: "refresh",
						onClick: reconnect
					}) : null,
					now === "speaking" || now === "thinking" && live.value ? /* @__PURE__ */ a(IconButton, {
						label: t("Interrupt (Esc)"),
						icon: "stop",
						onClick: interrupt
					}) : null,
					live.value && listening.value ? /* @__PURE__ */ a(IconButton, {
						label: muted.value ? t("Unmute") : t("Mute"),
						icon: muted.value ? "mic-off" : "mic",
						onClick: () => setMuted(!muted.value)
					}) : null,
					live.value ? /* @__PURE__ */ a(IconButton, {
						class: "hang-up",
						label: t("Hang up"),
						icon: "close",
						onClick: hangUp
					}) : null,
					/* @__PURE__ */ a(IconButton, {
						label: t("Collapse the conversation bar"),
						icon: "down",
						"aria-expanded": true,
						onClick: () => prefer({ dockOpen: false })
					})
				]
			})
		]
	});
}
/** What is being said, or what was said last. */
function lastLine() {
	if (phase.value === "speaking" && caption.value) return caption.value;
	const last = entries.value.findLast((each) => each.kind === "assistant" || each.kind === "user");
	return last && (last.kind === "assistant" || last.kind === "user") ? plain(last.text.value).slice(0, 300) : "";
}
// src/app.tsx
/** Each page is a module of its own, which comes when it is first opened. */
var MODULES = /* #__PURE__ */ Object.assign({
	"./pages/agents.tsx": () => __vitePreload(() => import("./agents.js"), __vite__mapDeps([23,3,1,24,2,4,5,15,7,9,8,25,26,27,14,16,28,29,30,31,32,33,34,35]), import.meta.url),
	"./pages/audit.tsx": () => __vitePreload(() => import("./audit.js"), __vite__mapDeps([36,1,2,3,4,5,15,7,37,9,8,38,39,25,31,40,28,32,30,29]), import.meta.url),
	"./pages/calendar.tsx": () => __vitePreload(() => import("./calendar.js"), __vite__mapDeps([41,1,5,4,2,3,8,7,9,16,42,15,34,29,33]), import.meta.url),
	"./pages/chat.tsx": () => __vitePreload(() => import("./chat.js"), __vite__mapDeps([43,44,1,3,15,39,8,7,9,45,2,4,28,46,12,29,47,48,5,10,11,17]), import.meta.url),
	"./pages/experts.tsx": () => __vitePreload(() => import("./experts.js"), __vite__mapDeps([49,5,1,4,2,3,15,8,7,9,50,14,16,29,28,35]), import.meta.url),
	"./pages/gallery.tsx": () => __vitePreload(() => import("./gallery.js"), __vite__mapDeps([51,1,3,52,53,17,11,12,28,39,8,7,9,40,15,38,32,31,2,4,5,54,29,30,27,46,47]), import.meta.url),
	"./pages/inbox.tsx": () => __vitePreload(() => import("./inbox.js"), __vite__mapDeps([55,1,2,3,4,5,15,14,16,7,39,8,9,40,38,25,13,17,11,12,28]), import.meta.url),
	"./pages/kg-studio.tsx": () => __vitePreload(() => import("./kg-studio.js"), __vite__mapDeps([56,1,5,4,2,3,15,9,8,7,28,54,50,14,16,57]), import.meta.url),
	"./pages/macros.tsx": () => __vitePreload(() => import("./macros.js"), __vite__mapDeps([58,1,2,3,4,5,15,6,8,7,9,25,16,26,27,14,28,29,30,31,32,33,34,59,60,50,61]), import.meta.url),
	"./pages/metrics.tsx": () => __vitePreload(() => import("./metrics.js"), __vite__mapDeps([62,1,4,2,3,5,15,52,53,17,11,12,28,40,9,8,7,38,25,31]), import.meta.url),
	"./pages/nowhere.tsx": () => __vitePreload(() => import("./nowhere.js"), __vite__mapDeps([63,3,1,15,9,8,7]), import.meta.url),
	"./pages/playbooks.tsx": () => __vitePreload(() => import("./playbooks2.js"), __vite__mapDeps([64,5,1,4,2,3,15,9,8,7,57,35,29]), import.meta.url),
	"./pages/projects.tsx": () => __vitePreload(() => import("./projects.js"), __vite__mapDeps([65,1,2,3,4,5,15,7,9,8,60,29,28,16,42,34]), import.meta.url),
	"./pages/sessions.tsx": () => __vitePreload(() => import("./sessions.js"), __vite__mapDeps([66,1,2,3,4,67,5,7,8,9,25,15,39,40,38,28,31,6,37,32,30,29,48]), import.meta.url),
	"./pages/settings.tsx": () => __vitePreload(() => import("./settings.js"), __vite__mapDeps([68,1,3,15,9,10,2,4,5,11,12,7,8,28,20,16,6,22]), import.meta.url),
	"./pages/shared.tsx": () => __vitePreload(() => import("./shared.js"), __vite__mapDeps([69,1,5,4,2,3,15,8,7,9,28,47,45,46,12,29,48]), import.meta.url),
	"./pages/tools.tsx": () => __vitePreload(() => import("./tools.js"), __vite__mapDeps([70,1,2,3,4,5,15,9,8,7,29,61,59,60,28,37,38,27,30,71,17,11,12,14,16]), import.meta.url),
	"./pages/traces.tsx": () => __vitePreload(() => import("./traces.js"), __vite__mapDeps([72,1,2,3,4,67,5,7,8,9,25,15,39,40,38,28,31,37,32,30,29]), import.meta.url),
	"./pages/vox.tsx": () => __vitePreload(() => import("./vox.js"), __vite__mapDeps([73,44,1,3,15,39,8,7,9,45,2,4,28,46,12,29,47,48,5,10,11,17]), import.meta.url),
	"./pages/workflows.tsx": () => __vitePreload(() => import("./workflows.js"), __vite__mapDeps([74,3,1,24,2,4,5,15,7,9,8,25,26,27,14,16,28,29,30,31,32,33,34,35]), import.meta.url)
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
			/* @__PURE__ */ a("div", {
				class: "middle",
				children: [/* @__PURE__ */ a("main", {
					id: "main",
					tabIndex: -1,
					children: /* @__PURE__ */ a(Page, { id })
				}), /* @__PURE__ */ a(Dock, {})]
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
export { recent$1 as $, named$1 as A, caption as B, profile as C, entries as D, draft as E, show as F, endTour as G, addShortcuts as H, takeBranch as I, sayStep as J, guided as K, transcript as L, putDraft as M, renew as N, leaving as O, round$1 as P, paletteOpen as Q, entriesOf as R, answering as S, conversationId as T, Dialog as U, lazy as V, back$1 as W, gather as X, voiceTrouble as Y, grouped as Z, setMuted as _, Composer as a, run as at, trouble as b, hangUp as c, live as d, remember as et, muted as f, sendText as g, restart as h, Recorded as i, useNow as it, problem as j, loading as k, interrupt as l, reconnect as m, Count as n, countdown as nt, Flyout as o, phase as p, next as q, Standing as r, inWords as rt, attempt as s, start_exports as t, search as tt, listen as u, setup as v, stop as w, announced as x, start as y, speakerAnalyser as z };

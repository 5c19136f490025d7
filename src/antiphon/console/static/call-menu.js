const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["./tries.js","./ear.js","./vendor-preact.js","./app.js","./microphone.js","./words.js","./http.js","./address.js","./confirmations.js","./router.js","./bus.js","./toasts.js","./api2.js"])))=>i.map(i=>d[i]);
import { a as y, c as P, d, l as T, m as $, n as O, s as F, t as a } from "./vendor-preact.js";
import { c as said } from "./http.js";
import { d as __vitePreload, l as t } from "./app.js";
import { a as at, o as go } from "./router.js";
import { r as toast } from "./toasts.js";
import { t as address } from "./address.js";
import { U as Dialog } from "./start.js";
import { n as Icon } from "./icons.js";
import { a as Empty, n as Button, s as IconButton } from "./kit.js";
import { n as Popover, t as PopMenu } from "./popover.js";
/* empty css     */
// src/stores/saved-requests.ts
/** Calls that somebody keeps under a name, in this browser. Redacted values are not among them. */
var KEY = "antiphon.requests";
function isSaved(value) {
	const one = value;
	return !!one && typeof one === "object" && [
		one.id,
		one.name,
		one.tool
	].every((each) => typeof each === "string") && !!one.args && typeof one.args === "object" && (one.mode === "text" || one.mode === "voice");
}
function read() {
	try {
		const found = JSON.parse(localStorage.getItem(KEY) ?? "[]");
		return Array.isArray(found) ? found.filter(isSaved) : [];
	} catch {
		return [];
	}
}
var all = y(read());
var savedRequests = O(() => all.value);
addEventListener("storage", (event) => {
	if (event.key === KEY) all.value = read();
});
/** Throws where the browser has no room for it. */
function write(next) {
	localStorage.setItem(KEY, JSON.stringify(next));
	all.value = next;
}
/** The newest first; the same name of the same tool is replaced. */
function saveRequest(name, call) {
	const saved = {
		...call,
		name: name.trim() || call.tool,
		id: crypto.randomUUID()
	};
	write([saved, ...read().filter((each) => each.name !== saved.name || each.tool !== saved.tool)].slice(0, 200));
	return saved;
}
var forgetRequest = (id) => write(read().filter((each) => each.id !== id));
// src/ui/copy-call.ts
/** A call as other programs make it. What is redacted in the audit is left out here as well. */
/** What stands in the audit in place of what is kept from it. */
var HIDDEN = "[redacted]";
/** The arguments without the values at these JSON pointers (`*` is any item), and without what was redacted before. */
function withoutSecrets(args, pointers = []) {
	const copy = structuredClone(args);
	for (const pointer of pointers) hide(copy, pointer.split("/").slice(1).map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~")));
	return dropped(copy);
}
function hide(value, [name, ...rest]) {
	if (!value || typeof value !== "object" || name === void 0) return;
	const inside = value;
	for (const key of name === "*" ? Object.keys(inside) : [name]) {
		if (!(key in inside)) continue;
		if (rest.length) hide(inside[key], rest);
		else inside[key] = HIDDEN;
	}
}
function dropped(value) {
	if (Array.isArray(value)) return value.filter((each) => each !== HIDDEN).map(dropped);
	if (!value || typeof value !== "object") return value;
	return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== HIDDEN).map(([name, each]) => [name, dropped(each)]));
}
var place = (tool) => `${location.origin}${address(`/api/tools/${encodeURIComponent(tool)}/call`)}`;
function asCurl({ tool, args, mode }) {
	const body = JSON.stringify({
		args,
		mode
	}).replaceAll("'", "'\\''");
	return `curl -s '${place(tool)}' -H 'Content-Type: application/json' -d '${body}'`;
}
function asHttpx({ tool, args, mode }) {
	return [
		"import httpx",
		"",
		`answer = httpx.post(${python(place(tool))}, json=${python({
			args,
			mode
		})}, timeout=60)`,
		"print(answer.json())",
		""
	].join("\n");
}
function asAntiphon({ tool, args, mode }) {
	return [
		"from antiphon import Antiphon, Registry",
		"",
		"with Antiphon(tools=Registry.load(\"tool_registry.json\"), settings={}).sync as app:",
		`    print(app.call(${python(tool)}, ${python(args)}${mode === "text" ? "" : `, mode=${python(mode)}`}).data)`,
		""
	].join("\n");
}
function asMcp({ tool, args }) {
	return JSON.stringify({
		jsonrpc: "2.0",
		id: 1,
		method: "tools/call",
		params: {
			name: tool,
			arguments: args
		}
	}, null, 2);
}
/** A value of JSON as Python writes it. */
function python(value) {
	if (value === null || value === void 0) return "None";
	if (typeof value === "boolean") return value ? "True" : "False";
	if (Array.isArray(value)) return `[${value.map(python).join(", ")}]`;
	if (typeof value === "object") return `{${Object.entries(value).map(([name, each]) => `${python(name)}: ${python(each)}`).join(", ")}}`;
	return JSON.stringify(value).replace(/[\u2028\u2029]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16)}`);
}
// src/ui/call-menu.tsx
/** What can be done with a call: copy it for another program, run it again, keep it under a name. */
var FORMS = [
	{
		id: "curl",
		title: "curl",
		of: asCurl
	},
	{
		id: "antiphon",
		title: t("Python (antiphon)"),
		of: asAntiphon
	},
	{
		id: "httpx",
		title: t("Python (httpx)"),
		of: asHttpx
	},
	{
		id: "mcp",
		title: t("MCP (JSON-RPC)"),
		of: asMcp
	}
];
/** `redact` are the pointers of the tool's contract; a value that is redacted already is left out as well. */
function CallMenu({ call, redact = [], runs = true }) {
	const clean = {
		...call,
		args: withoutSecrets(call.args, redact)
	};
	const left = JSON.stringify(clean.args) !== JSON.stringify(call.args);
	const copy = async (form) => {
		try {
			await navigator.clipboard.writeText(form.of(clean));
			toast(left ? t("Copied without redacted values. Fill them in before you use it.") : t("Copied."), { kind: "good" });
		} catch {
			toast(t("The browser did not allow copying. Select the text and copy it manually."), { kind: "bad" });
		}
	};
	return /* @__PURE__ */ a("div", {
		class: "row call-menu",
		children: [
			/* @__PURE__ */ a(Popover, {
				class: "button quiet",
				face: /* @__PURE__ */ a($, { children: [/* @__PURE__ */ a(Icon, {
					name: "copy",
					size: 16
				}), t("Copy as")] }),
				children: (close) => /* @__PURE__ */ a(PopMenu, {
					label: t("Copy as"),
					items: FORMS.map((form) => ({
						value: form.id,
						label: form.title
					})),
					onChoose: (id) => {
						close();
						copy(FORMS.find((form) => form.id === id));
					}
				})
			}),
			/* @__PURE__ */ a(Save, { call: clean }),
			runs ? /* @__PURE__ */ a(Button, {
				kind: "quiet",
				icon: "play",
				onClick: () => go(placeOf(clean)),
				children: t("Open in Tools")
			}) : null
		]
	});
}
/** Where the tool's form has these arguments. */
var placeOf = ({ tool, args }) => at("tools", [tool], { args: JSON.stringify(args) });
/** Calls it with a key of its own, through all gates; the tool's page shows what comes of it. */
async function runAgain(call) {
	try {
		const { attempt, opening, tries } = await __vitePreload(async () => {
			const { attempt, opening, tries } = await import("./tries.js").then((n) => n.c);
			return {
				attempt,
				opening,
				tries
			};
		}, __vite__mapDeps([0,1,2,3,4,5,6,7,8,9,10,11,12]), import.meta.url);
		attempt(call.tool, call.args, call.mode);
		opening.value = tries.value[0].id;
		go(placeOf(call));
	} catch (error) {
		toast(said(error), { kind: "bad" });
	}
}
function Save({ call }) {
	const [open, show] = d(false);
	return /* @__PURE__ */ a($, { children: [/* @__PURE__ */ a(Button, {
		kind: "quiet",
		icon: "plus",
		onClick: () => show(true),
		children: t("Save request")
	}), open ? /* @__PURE__ */ a(SaveDialog, {
		call,
		onClose: () => show(false)
	}) : null] });
}
function SaveDialog({ call, onClose }) {
	const [name, type] = d("");
	const field = T(null);
	const id = P();
	F(() => field.current.focus(), []);
	return /* @__PURE__ */ a(Dialog, {
		title: t("Save request"),
		onClose,
		children: /* @__PURE__ */ a("form", {
			class: "stack",
			onSubmit: (event) => {
				event.preventDefault();
				try {
					saveRequest(name, call);
					toast(t("Request saved. Find it under Saved requests in Tools and Activity."), { kind: "good" });
					onClose();
				} catch (error) {
					toast(t("The browser could not save it: {reason}", { reason: said(error) }), { kind: "bad" });
				}
			},
			children: [
				/* @__PURE__ */ a("div", {
					class: "field",
					children: [/* @__PURE__ */ a("label", {
						for: id,
						children: t("Name")
					}), /* @__PURE__ */ a("input", {
						ref: field,
						id,
						type: "text",
						value: name,
						placeholder: call.tool,
						maxLength: 100,
						autocomplete: "off",
						onInput: (event) => type(event.currentTarget.value)
					})]
				}),
				/* @__PURE__ */ a("p", {
					class: "hint",
					children: t("Kept in this browser. Redacted values are not saved.")
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
							children: t("Save")
						})
					]
				})
			]
		})
	});
}
/** A button with the saved requests behind it; those of one tool, or all. */
function SavedRequests({ tool }) {
	const [open, show] = d(false);
	const saved = savedRequests.value.filter((each) => !tool || each.tool === tool);
	if (tool && !saved.length) return null;
	return /* @__PURE__ */ a($, { children: [/* @__PURE__ */ a(Button, {
		kind: "quiet",
		icon: "list",
		onClick: () => show(true),
		children: [t("Saved requests"), saved.length ? ` (${saved.length})` : ""]
	}), open ? /* @__PURE__ */ a(Dialog, {
		title: t("Saved requests"),
		onClose: () => show(false),
		class: "saved-requests",
		children: saved.length ? /* @__PURE__ */ a("ul", {
			class: "rows",
			children: saved.map((each) => /* @__PURE__ */ a("li", { children: /* @__PURE__ */ a(Saved, {
				saved: each,
				onRun: () => show(false)
			}) }, each.id))
		}) : /* @__PURE__ */ a(Empty, {
			icon: "list",
			title: t("No saved requests"),
			children: /* @__PURE__ */ a("p", { children: t("Open a call in Tools, Sessions, Audit or Traces and choose Save request.") })
		})
	}) : null] });
}
function Saved({ saved, onRun }) {
	return /* @__PURE__ */ a("div", {
		class: "rows-item saved-request",
		children: [
			/* @__PURE__ */ a("span", {
				class: "rows-title",
				title: JSON.stringify(saved.args),
				children: saved.name
			}),
			/* @__PURE__ */ a("code", {
				class: "muted",
				children: saved.tool
			}),
			/* @__PURE__ */ a(Button, {
				kind: "quiet",
				icon: "play",
				onClick: () => {
					onRun();
					runAgain(saved);
				},
				children: t("Run again")
			}),
			/* @__PURE__ */ a(IconButton, {
				label: t("Edit {name}", { name: saved.name }),
				icon: "edit",
				onClick: () => {
					onRun();
					go(placeOf(saved));
				}
			}),
			/* @__PURE__ */ a(IconButton, {
				label: t("Delete {name}", { name: saved.name }),
				icon: "trash",
				onClick: () => forgetRequest(saved.id)
			})
		]
	});
}
export { SavedRequests as n, CallMenu as t };

const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["./change-form.js","./vendor-preact.js","./http.js","./app.js","./address.js","./load.js","./kit.js","./toasts.js","./icons.js","./form.js"])))=>i.map(i=>d[i]);
import { c as P, d, l as T, m as $, o as A, s as F, t as a } from "./vendor-preact.js";
import { a as locale, c as rich, d as __vitePreload, l as t } from "./app.js";
import { a as named, c as questions, r as current, u as respond } from "./confirmations.js";
import { n as Icon } from "./icons.js";
import { l as Loading, n as Button, t as Badge } from "./kit.js";
import { i as hearing, p as __exportAll } from "./ear.js";
import { it as useNow, nt as countdown, rt as inWords } from "./start.js";
// src/overlays/confirm.tsx
var confirm_exports = /* @__PURE__ */ __exportAll({ Confirm: () => Confirm });
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
						children: [named(question), "?"]
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
		children: fields.map((field) => /* @__PURE__ */ a("div", { children: [/* @__PURE__ */ a("dt", { children: field.label || field.name }), /* @__PURE__ */ a("dd", { children: [/* @__PURE__ */ a("span", {
			class: "confirm-value",
			children: /* @__PURE__ */ a(Value, { field })
		}), /* @__PURE__ */ a(Origin, { field })] })] }, field.name))
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
		__vitePreload(() => import("./change-form.js").then((module) => have(() => module.ChangeForm), () => fail(true)), __vite__mapDeps([0,1,2,3,4,5,6,7,8,9]), import.meta.url);
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
export { cannotBeUndone as n, confirm_exports as r, Fields as t };

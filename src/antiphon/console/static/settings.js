import { c as P, d, l as T, m as $, o as A, s as F, t as a } from "./vendor-preact.js";
import { c as rich, f as prefer, i as listed, l as t, n as language, p as prefs, r as languageOf, s as plural, t as LANGUAGES } from "./app.js";
import { a as at, d as route } from "./router.js";
import { n as Icon } from "./icons.js";
import { a as loadVoices, f as voicesOf, i as loadStatus, l as status, s as modelsOf, t as backend, u as statusError } from "./backends.js";
import { c as said, n as del, o as post, r as get, t as ApiError } from "./http.js";
import { r as useLoad } from "./load.js";
import { r as toast } from "./toasts.js";
import { a as Empty, d as Shown, h as TextInput, n as Button, o as Field, p as Switch, t as Badge, u as Problem } from "./kit.js";
import { a as fullTime, i as duration, t as ago } from "./time.js";
import { r as unblock } from "./blocked.js";
import { rt as inWords } from "./start.js";
import { i as conversation, o as talking } from "./talk.js";
import { r as permission, t as allowNotifications } from "./notifications.js";
import { t as Microphone } from "./microphone.js";
// src/pages/settings/section.tsx
/** A part of the settings, under its heading. */
function Section({ part, title, actions, children }) {
	return /* @__PURE__ */ a("section", {
		class: "card settings-part",
		id: `settings-${part}`,
		"data-tour": part === "backend" ? "settings-backend" : void 0,
		"aria-labelledby": `settings-${part}-title`,
		children: [/* @__PURE__ */ a("header", {
			class: "card-head",
			children: [/* @__PURE__ */ a("h2", {
				id: `settings-${part}-title`,
				tabIndex: -1,
				children: title
			}), actions ? /* @__PURE__ */ a("div", {
				class: "row",
				children: actions
			}) : null]
		}), children]
	});
}
// src/pages/settings/approvals.tsx
function Approvals() {
	const loaded = useLoad((signal) => get("/api/approvals", { signal }), []);
	const [busy, set] = d("");
	const takeBack = async ({ id, tool }) => {
		set(id);
		try {
			await del(`/api/approvals/${encodeURIComponent(id)}`);
			toast(t("You will be asked again before {tool} runs.", { tool }), { kind: "good" });
		} catch (error) {
			toast(said(error), { kind: "bad" });
		}
		set("");
		loaded.reload();
	};
	return /* @__PURE__ */ a(Section, {
		part: "approvals",
		title: t("Standing approvals"),
		children: /* @__PURE__ */ a(Shown, {
			of: loaded,
			children: ({ approvals }) => approvals.length === 0 ? /* @__PURE__ */ a(Empty, {
				icon: "shield",
				title: t("You are asked every time"),
				children: t("For low-risk tools you can approve once for a session or for always. Such approvals are listed here.")
			}) : /* @__PURE__ */ a("ul", {
				class: "list",
				children: approvals.map((each) => /* @__PURE__ */ a("li", {
					class: "row settings-approval",
					children: [
						/* @__PURE__ */ a("a", {
							href: at("tools", [each.tool]),
							children: each.tool
						}),
						each.scope === "always" ? /* @__PURE__ */ a(Badge, {
							kind: "warn",
							children: t("always")
						}) : /* @__PURE__ */ a(Badge, { children: t("one session") }),
						/* @__PURE__ */ a("span", {
							class: "hint",
							title: fullTime(each.created_at),
							children: [t("approved {when}", { when: ago(each.created_at) }), each.session_id ? /* @__PURE__ */ a($, { children: [", ", /* @__PURE__ */ a("a", {
								href: at("sessions", [each.session_id]),
								children: t("session {id}", { id: each.session_id.slice(0, 8) })
							})] }) : null]
						}),
						/* @__PURE__ */ a("span", { class: "spring" }),
						/* @__PURE__ */ a(Button, {
							kind: "danger",
							busy: busy === each.id,
							onClick: () => void takeBack(each),
							children: [t("Revoke"), /* @__PURE__ */ a("span", {
								class: "hidden-visually",
								children: [" ", each.tool]
							})]
						})
					]
				}, each.id))
			})
		})
	});
}
// src/pages/settings/blocks.tsx
/** For the operator: who is kept out, and letting them in again. */
function Blocks() {
	const loaded = useLoad((signal) => get("/api/blocks", { signal }), []);
	const [token, setToken] = d("");
	const [busy, set] = d("");
	const [wrong, tell] = d();
	const lift = async ({ user }) => {
		if (!token.trim()) return tell(t("Enter the admin token to unblock a user."));
		set(user);
		tell(void 0);
		try {
			await del(`/api/blocks/${encodeURIComponent(user)}`, { headers: { Authorization: `Bearer ${token.trim()}` } });
			unblock();
			toast(t("{user} is no longer blocked.", { user }), { kind: "good" });
		} catch (error) {
			tell(error instanceof ApiError && error.status === 401 ? t("That is not the admin token. It is in the file admin-token in the data folder.") : said(error));
		}
		set("");
		loaded.reload();
	};
	return /* @__PURE__ */ a(Section, {
		part: "blocks",
		title: t("Blocked users"),
		children: /* @__PURE__ */ a(Shown, {
			of: loaded,
			children: ({ blocks }) => blocks.length === 0 ? /* @__PURE__ */ a(Empty, {
				icon: "check",
				title: t("No one is blocked"),
				children: t("An agent can block a user for a while. Blocked users are listed here until the time is up.")
			}) : /* @__PURE__ */ a($, { children: [/* @__PURE__ */ a("ul", {
				class: "list",
				children: blocks.map((each) => /* @__PURE__ */ a("li", {
					class: "row settings-approval",
					children: [
						/* @__PURE__ */ a("strong", { children: each.user }),
						/* @__PURE__ */ a("span", {
							class: "hint",
							title: t("Blocked {when}: {reason}", {
								when: ago(each.created_at),
								reason: each.reason
							}),
							children: t("until {time}", { time: fullTime(each.until) })
						}),
						/* @__PURE__ */ a("span", { class: "spring" }),
						/* @__PURE__ */ a(Button, {
							busy: busy === each.user,
							onClick: () => void lift(each),
							children: [t("Unblock"), /* @__PURE__ */ a("span", {
								class: "hidden-visually",
								children: [" ", each.user]
							})]
						})
					]
				}, each.user))
			}), /* @__PURE__ */ a(Field, {
				label: t("Admin token for blocks"),
				error: wrong,
				hint: t("Proves that you may unblock users. It is the same token as for keys, and it is not stored here."),
				children: (field) => /* @__PURE__ */ a("input", {
					...field,
					type: "password",
					autocomplete: "off",
					spellcheck: false,
					value: token,
					onInput: (event) => setToken(event.currentTarget.value)
				})
			})] })
		})
	});
}
// src/pages/settings/budgets.tsx
var ROWS = [
	{
		key: "total_calls",
		label: t("Tool calls"),
		rule: "budget.calls"
	},
	{
		key: "retrieval_calls",
		label: t("Lookups"),
		rule: "budget.retrieval"
	},
	{
		key: "write_calls",
		label: t("Writes"),
		rule: "budget.writes"
	},
	{
		key: "open_questions",
		label: t("Open approvals"),
		rule: "budget.questions"
	},
	{
		key: "rounds",
		label: t("Rounds of tool use"),
		rule: "budget.rounds"
	},
	{
		key: "top_k",
		label: t("Results per search"),
		rule: "arguments"
	},
	{
		key: "tool_time_ms",
		label: t("Time before a hurry-up notice"),
		rule: ""
	}
];
function Budgets() {
	const loaded = useLoad((signal) => get("/api/profiles", { signal }), []);
	return /* @__PURE__ */ a(Section, {
		part: "budgets",
		title: t("Budgets"),
		children: [/* @__PURE__ */ a("p", {
			class: "hint",
			children: t("What an agent may use in one turn: by voice / in writing. A call beyond that is refused, and the rule is named.")
		}), /* @__PURE__ */ a(Shown, {
			of: loaded,
			children: ({ profiles, limits, broken, ...known }) => /* @__PURE__ */ a($, { children: [
				/* @__PURE__ */ a("div", {
					class: "table-box",
					tabIndex: 0,
					role: "region",
					"aria-label": t("Budgets by agent"),
					children: /* @__PURE__ */ a("table", {
						class: "settings-budgets",
						children: [/* @__PURE__ */ a("thead", { children: /* @__PURE__ */ a("tr", { children: [/* @__PURE__ */ a("th", {
							scope: "col",
							children: t("Per turn")
						}), profiles.map(({ name, description, tools }) => /* @__PURE__ */ a("th", {
							scope: "col",
							class: "number",
							title: description,
							children: [
								name,
								" ",
								/* @__PURE__ */ a("small", { children: plural(tools.length, "{count} tool", "{count} tools") }),
								name === "workspace" ? /* @__PURE__ */ a(Badge, {
									kind: "accent",
									children: t("this console")
								}) : null,
								name === known.default ? /* @__PURE__ */ a(Badge, {
									kind: "second",
									children: t("HTTP, terminal")
								}) : null
							]
						}, name))] }) }), /* @__PURE__ */ a("tbody", { children: [ROWS.map(({ key, label, rule }) => /* @__PURE__ */ a("tr", { children: [/* @__PURE__ */ a("th", {
							scope: "row",
							children: [label, rule ? /* @__PURE__ */ a("code", { children: rule }) : null]
						}), profiles.map(({ name, voice, text }) => /* @__PURE__ */ a("td", {
							class: "number",
							children: [
								amount(key, voice.budget[key]),
								" / ",
								amount(key, text.budget[key])
							]
						}, name))] }, key)), /* @__PURE__ */ a("tr", { children: [/* @__PURE__ */ a("th", {
							scope: "row",
							children: t("Default model")
						}), profiles.map(({ name, voice, text }) => /* @__PURE__ */ a("td", {
							class: "number",
							children: voice.backend === text.backend ? voice.backend : `${voice.backend} / ${text.backend}`
						}, name))] })] })]
					})
				}),
				broken.map(({ name, problems }) => /* @__PURE__ */ a(Problem, { error: t("The agent {name} cannot be used. {problems}", {
					name,
					problems: problems.join(" ")
				}) }, name)),
				/* @__PURE__ */ a("p", {
					class: "hint",
					children: rich("For every agent: the same call at most {same_call_limit} times per turn, at most {empty_result_limit} empty results per tool, at most {nested_calls} nested calls, {nested_depth} deep; an approval that is not answered within {confirmation_seconds} is denied.", {
						same_call_limit: limits.same_call_limit - 1,
						empty_result_limit: limits.empty_result_limit,
						nested_calls: limits.nested_calls,
						nested_depth: limits.nested_depth,
						confirmation_seconds: inWords(limits.confirmation_seconds * 1e3)
					})
				})
			] })
		})]
	});
}
function amount(key, value) {
	if (value === null) return t("no limit");
	return key === "tool_time_ms" ? duration(value) : String(value);
}
// src/pages/settings/look.tsx
var THEMES = [
	{
		id: "system",
		label: t("System default")
	},
	{
		id: "light",
		label: t("Light")
	},
	{
		id: "dark",
		label: t("Dark")
	},
	{
		id: "high-contrast",
		label: t("High contrast")
	}
];
/** Every module has said its words by now: the page begins anew. What was typed is kept by whoever it was typed to. */
function speak(chosen) {
	prefer({ language: chosen });
	if (languageOf(chosen, navigator.languages) !== language) location.reload();
}
function Look() {
	const name = P();
	return /* @__PURE__ */ a(Section, {
		part: "theme",
		title: t("Appearance"),
		children: [
			/* @__PURE__ */ a("fieldset", {
				class: "settings-themes",
				children: [/* @__PURE__ */ a("legend", {
					class: "hidden-visually",
					children: t("Theme")
				}), THEMES.map(({ id, label }) => /* @__PURE__ */ a("label", {
					class: "settings-theme",
					children: [
						/* @__PURE__ */ a("input", {
							type: "radio",
							name,
							checked: prefs.value.theme === id,
							onChange: () => prefer({ theme: id })
						}),
						/* @__PURE__ */ a("span", {
							class: `settings-swatch ${id}`,
							"aria-hidden": "true",
							children: [/* @__PURE__ */ a("i", {}), /* @__PURE__ */ a("i", {})]
						}),
						label
					]
				}, id))]
			}),
			/* @__PURE__ */ a("p", {
				class: "hint",
				children: rich("You can also say “switch to the dark theme”, or find themes with {keys}.", { keys: /* @__PURE__ */ a($, { children: [
					/* @__PURE__ */ a("kbd", { children: "Ctrl" }),
					" ",
					/* @__PURE__ */ a("kbd", { children: "K" })
				] }) })
			}),
			/* @__PURE__ */ a(Field, {
				label: t("Language"),
				hint: t("The page reloads in that language. The agent and the server’s messages stay in English."),
				children: (field) => /* @__PURE__ */ a("select", {
					...field,
					value: prefs.value.language,
					onChange: (event) => speak(event.currentTarget.value),
					children: [/* @__PURE__ */ a("option", {
						value: "",
						children: t("Browser default")
					}), Object.entries(LANGUAGES).map(([id, name]) => /* @__PURE__ */ a("option", {
						value: id,
						lang: id,
						children: name
					}, id))]
				})
			})
		]
	});
}
// src/pages/settings/models.tsx
/** Which model answers, and the key of each provider: one card for each. */
/** What each one gives. */
var GIVES = {
	local: t("Listens, understands and speaks on this machine: no key, no network, nothing leaves it. Answers from your knowledge and operates the workspace."),
	gemini: t("Natural spoken conversation with 16 voices. Also creates images."),
	openai: t("Natural spoken conversation with 10 voices. Also creates images. Any compatible server works too."),
	claude: t("Thinks and writes; your browser listens and speaks.")
};
var STARTS = {
	gemini: "AIza…",
	openai: "sk-…",
	claude: "sk-ant-…"
};
function Models() {
	const status$1 = {
		data: status.value,
		error: statusError.value,
		loading: !status.value,
		reload: () => void loadStatus()
	};
	return /* @__PURE__ */ a(Section, {
		part: "backend",
		title: t("Models"),
		children: [/* @__PURE__ */ a("p", {
			class: "hint",
			children: t("Everything works without a key, with the built-in model. A key adds a model that can talk about anything.")
		}), /* @__PURE__ */ a(Shown, {
			of: status$1,
			children: (data) => /* @__PURE__ */ a(Providers, { status: data })
		})]
	});
}
function Providers({ status: status$2 }) {
	const { backend, model } = prefs.value;
	const name = P();
	const choose = (to) => prefer({
		backend: to,
		model: "",
		voice: ""
	});
	const usual = status$2.backends.find((each) => each.name === status$2.backend);
	const inForce = status$2.backends.find((each) => each.name === (backend || status$2.backend));
	const [keys, setKeys] = d({});
	const [token, setToken] = d("");
	const [busy, work] = d("");
	const [wrong, tell] = d({});
	const form = T(null);
	const given = Object.fromEntries(Object.entries(keys).filter(([, key]) => key?.trim()));
	const typed = Object.keys(given).length > 0;
	const send = async (body, done) => {
		if (!token.trim()) {
			tell({ token: t("Enter the admin token to change keys.") });
			form.current?.querySelector("[data-token]")?.focus();
			return;
		}
		work("keys");
		tell({});
		try {
			await post("/api/config/keys", body, { headers: { Authorization: `Bearer ${token.trim()}` } });
			setKeys((before) => ({
				...before,
				...Object.fromEntries(Object.keys(body).map((each) => [each, ""]))
			}));
			toast(done, { kind: "good" });
			await loadStatus();
		} catch (error) {
			const unknown = error instanceof ApiError && error.status === 401;
			tell(unknown ? { token: t("That is not the admin token. It is in the file admin-token in the data folder.") } : { keys: said(error) });
		} finally {
			work("");
		}
	};
	const save = (event) => {
		event.preventDefault();
		if (!typed) return tell({ keys: t("Enter a key first.") });
		const names = status$2.backends.filter((each) => given[each.name]).map((each) => each.label);
		send(given, t("Saved. Keys in use: {names}.", { names: listed(names) }));
	};
	const test = async (which) => {
		work(which);
		try {
			status.value = await get("/api/vox/status", { query: { probe: true } });
		} catch {
			await loadStatus();
		} finally {
			work("");
		}
	};
	return /* @__PURE__ */ a("form", {
		class: "stack",
		ref: form,
		onSubmit: save,
		autocomplete: "off",
		children: [
			/* @__PURE__ */ a("fieldset", {
				class: "settings-backends",
				children: [
					/* @__PURE__ */ a("legend", {
						class: "hidden-visually",
						children: t("Default model")
					}),
					/* @__PURE__ */ a("div", {
						class: "settings-provider",
						children: /* @__PURE__ */ a("label", {
							class: "settings-choice",
							children: [
								/* @__PURE__ */ a("input", {
									type: "radio",
									name,
									checked: backend === "",
									onChange: () => choose(""),
									...named(`${name}-usual`)
								}),
								/* @__PURE__ */ a("strong", {
									id: `${name}-usual`,
									children: t("Server default")
								}),
								/* @__PURE__ */ a("span", {
									class: "hint",
									id: `${name}-usual-about`,
									children: t("Currently {model}", { model: usual?.label ?? status$2.backend })
								})
							]
						})
					}),
					status$2.backends.map((each) => /* @__PURE__ */ a("div", {
						class: "settings-provider",
						"data-tour": each.name === "gemini" ? "settings-keys" : void 0,
						children: [
							/* @__PURE__ */ a("div", {
								class: "settings-provider-head",
								children: [/* @__PURE__ */ a("label", {
									class: "settings-choice",
									children: [
										/* @__PURE__ */ a("input", {
											type: "radio",
											name,
											checked: backend === each.name,
											onChange: () => choose(each.name),
											...named(`${name}-${each.name}`)
										}),
										/* @__PURE__ */ a("strong", {
											id: `${name}-${each.name}`,
											children: each.label
										}),
										" ",
										/* @__PURE__ */ a(State, { of: each })
									]
								}), each.configured ? /* @__PURE__ */ a(Button, {
									kind: "quiet",
									busy: busy === each.name,
									onClick: () => void test(each.name),
									children: [t("Test"), /* @__PURE__ */ a("span", {
										class: "hidden-visually",
										children: [" ", each.label]
									})]
								}) : null]
							}),
							/* @__PURE__ */ a("p", {
								class: "hint",
								id: `${name}-${each.name}-about`,
								children: GIVES[each.name]
							}),
							each.why && each.configured ? /* @__PURE__ */ a("p", {
								class: "settings-why",
								children: withCode(each.why)
							}) : null,
							STARTS[each.name] ? /* @__PURE__ */ a(Field, {
								label: t("{provider} API key", { provider: each.label }),
								children: (field) => /* @__PURE__ */ a("div", {
									class: "settings-key",
									children: [/* @__PURE__ */ a("input", {
										...field,
										type: "password",
										autocomplete: "off",
										spellcheck: false,
										placeholder: each.configured ? t("Set. Type to replace") : STARTS[each.name],
										value: keys[each.name] ?? "",
										onInput: (event) => setKeys({
											...keys,
											[each.name]: event.currentTarget.value
										})
									}), each.configured ? /* @__PURE__ */ a(Button, {
										kind: "quiet",
										icon: "trash",
										disabled: busy !== "",
										onClick: () => void send({ [each.name]: null }, t("{provider} API key removed.", { provider: each.label })),
										children: [t("Remove"), /* @__PURE__ */ a("span", {
											class: "hidden-visually",
											children: [" ", t("{provider} API key", { provider: each.label })]
										})]
									}) : null]
								})
							}) : null
						]
					}, each.name))
				]
			}),
			inForce && inForce.models.length > 1 ? /* @__PURE__ */ a(Model, {
				of: inForce,
				chosen: backend ? model : ""
			}) : null,
			/* @__PURE__ */ a("div", {
				class: "settings-save",
				children: [
					/* @__PURE__ */ a(Field, {
						label: t("Admin token"),
						error: wrong.token,
						hint: rich("Only needed to change keys. The server wrote it to the file {file} in its data folder. Keys are stored on the server and never shown again; the environment variable {name} does the same.", {
							file: /* @__PURE__ */ a("code", { children: "admin-token" }),
							name: /* @__PURE__ */ a("code", { children: "GEMINI_API_KEY" })
						}),
						children: (field) => /* @__PURE__ */ a("input", {
							...field,
							"data-token": true,
							type: "password",
							autocomplete: "off",
							spellcheck: false,
							value: token,
							onInput: (event) => setToken(event.currentTarget.value)
						})
					}),
					wrong.keys ? /* @__PURE__ */ a("p", {
						class: "wrong",
						role: "alert",
						children: wrong.keys
					}) : null,
					/* @__PURE__ */ a("div", {
						class: "row",
						children: /* @__PURE__ */ a(Button, {
							kind: typed ? "primary" : "plain",
							type: "submit",
							icon: "key",
							busy: busy === "keys",
							children: t("Save keys")
						})
					})
				]
			}),
			talking.value && backend ? /* @__PURE__ */ a("p", {
				class: "row",
				children: [/* @__PURE__ */ a("span", {
					class: "hint",
					children: t("The open conversation continues unchanged.")
				}), /* @__PURE__ */ a(Button, {
					onClick: () => conversation.value?.restart({
						backend,
						model
					}).catch((error) => toast(said(error), { kind: "bad" })),
					children: t("Use it in this conversation")
				})]
			}) : null
		]
	});
}
/** Called by its name alone; what it gives is read after that. */
var named = (id) => ({
	"aria-labelledby": id,
	"aria-describedby": `${id}-about`
});
/** What stands between backticks, as code. */
var withCode = (words) => words.split("`").map((part, index) => index % 2 ? /* @__PURE__ */ a("code", { children: part }, index) : part);
function State({ of }) {
	if (!of.configured) return /* @__PURE__ */ a(Badge, { children: t("No key") });
	if (of.reachable === false) return /* @__PURE__ */ a(Badge, {
		kind: "bad",
		children: t("Not reachable")
	});
	return /* @__PURE__ */ a(Badge, {
		kind: "good",
		children: of.reachable ? t("Ready") : t("Key set")
	});
}
function Model({ of, chosen }) {
	const list = P();
	const usual = of.voice_model ?? of.model;
	return /* @__PURE__ */ a(Field, {
		label: t("{provider} model for conversations", { provider: of.label }),
		hint: t("Leave empty for {model}. You can also type a name that is not listed.", { model: usual ?? "" }),
		children: (field) => /* @__PURE__ */ a($, { children: [/* @__PURE__ */ a(TextInput, {
			...field,
			list,
			value: chosen,
			placeholder: usual ?? "",
			onDone: (model) => prefer({
				backend: of.name,
				model
			})
		}), /* @__PURE__ */ a("datalist", {
			id: list,
			children: modelsOf(of, "voice").map((each) => /* @__PURE__ */ a("option", {
				value: each.id,
				children: each.label
			}, each.id))
		})] })
	});
}
// src/pages/settings/notifications.tsx
function Notifications() {
	const allowed = permission.value;
	return /* @__PURE__ */ a(Section, {
		part: "notifications",
		title: t("Notifications"),
		children: allowed === "granted" ? /* @__PURE__ */ a(Switch, {
			label: t("Notify me about new approvals while this page is hidden"),
			checked: prefs.value.notifications,
			onChange: (notifications) => prefer({ notifications })
		}) : allowed === "default" ? /* @__PURE__ */ a($, { children: [/* @__PURE__ */ a("p", {
			class: "hint",
			children: t("When the agent needs your approval and this page is hidden, your browser can notify you. It asks for your permission first.")
		}), /* @__PURE__ */ a("div", {
			class: "row",
			children: /* @__PURE__ */ a(Button, {
				icon: "bell",
				onClick: () => void allowNotifications(),
				children: t("Turn on notifications")
			})
		})] }) : allowed === "denied" ? /* @__PURE__ */ a("p", {
			class: "hint",
			children: t("This browser blocks notifications from this page. Allow them in the browser’s site settings, then reload.")
		}) : /* @__PURE__ */ a("p", {
			class: "hint",
			children: t("This browser does not support notifications.")
		})
	});
}
// src/pages/settings/tone.ts
/** Two notes at a moderate volume, with soft edges, at one loudspeaker. Ends when they are played. */
async function playTone(speaker) {
	const context = new AudioContext();
	try {
		if (speaker) await context.setSinkId?.(speaker).catch(() => {
			throw new Error(t("That speaker is no longer connected. Choose another one."));
		});
		await context.resume();
		const begin = context.currentTime + .05;
		const last = [523.25, 783.99].map((pitch, index) => note(context, pitch, begin + index * .25)).at(-1);
		await new Promise((done) => last.addEventListener("ended", done, { once: true }));
	} finally {
		await context.close();
	}
}
function note(context, pitch, from) {
	const tone = new OscillatorNode(context, { frequency: pitch });
	const volume = new GainNode(context, { gain: 0 });
	volume.gain.setValueAtTime(0, from);
	volume.gain.linearRampToValueAtTime(.15, from + .02);
	volume.gain.setValueAtTime(.15, from + .2);
	volume.gain.linearRampToValueAtTime(0, from + .3);
	tone.connect(volume).connect(context.destination);
	tone.start(from);
	tone.stop(from + .3);
	return tone;
}
// src/pages/settings/devices.tsx
/** Which microphone and which loudspeaker, and whether they work. */
function Devices() {
	const [devices, set] = d([]);
	const look = async () => set(await navigator.mediaDevices?.enumerateDevices?.().catch(() => []) ?? []);
	A(() => {
		look();
		navigator.mediaDevices?.addEventListener?.("devicechange", look);
		return () => navigator.mediaDevices?.removeEventListener?.("devicechange", look);
	}, []);
	return /* @__PURE__ */ a("div", {
		class: "settings-devices",
		children: [/* @__PURE__ */ a(MicrophoneChoice, {
			devices,
			onAllowed: look
		}), /* @__PURE__ */ a(SpeakerChoice, { devices })]
	});
}
function Choice({ kind, label, devices, value, onChoose, hint }) {
	const those = devices.filter((each) => each.kind === kind && each.deviceId && each.deviceId !== "default");
	const gone = value && !those.some((each) => each.deviceId === value);
	return /* @__PURE__ */ a(Field, {
		label,
		hint,
		children: (field) => /* @__PURE__ */ a("select", {
			...field,
			value,
			onChange: (event) => onChoose(event.currentTarget.value),
			children: [
				/* @__PURE__ */ a("option", {
					value: "",
					children: t("System default")
				}),
				gone ? /* @__PURE__ */ a("option", {
					value,
					children: t("Previously selected (not connected)")
				}) : null,
				those.map((each, index) => /* @__PURE__ */ a("option", {
					value: each.deviceId,
					children: each.label || `${label} ${index + 1}`
				}, each.deviceId))
			]
		})
	});
}
function MicrophoneChoice({ devices, onAllowed }) {
	const [testing, test] = d(null);
	const [opening, open] = d(false);
	const [wrong, tell] = d("");
	A(() => () => testing?.close(), [testing]);
	const start = async (device) => {
		open(true);
		tell("");
		try {
			test(await Microphone.open(device, () => {}, (lost) => {
				tell(lost.message);
				test(null);
			}));
			onAllowed();
		} catch (error) {
			tell(said(error));
		}
		open(false);
	};
	const choose = (microphone) => {
		prefer({ microphone });
		if (testing) start(microphone);
	};
	return /* @__PURE__ */ a("div", {
		class: "stack",
		children: [
			/* @__PURE__ */ a(Choice, {
				kind: "audioinput",
				label: t("Microphone"),
				devices,
				value: prefs.value.microphone,
				onChoose: choose,
				hint: t("Names appear once you allow the microphone, for example with the test.")
			}),
			/* @__PURE__ */ a("div", {
				class: "row",
				children: [testing ? /* @__PURE__ */ a(Button, {
					icon: "stop",
					onClick: () => test(null),
					children: t("Stop test")
				}) : /* @__PURE__ */ a(Button, {
					icon: "mic",
					busy: opening,
					onClick: () => void start(prefs.value.microphone),
					children: t("Test microphone")
				}), testing ? /* @__PURE__ */ a(Level, { of: testing.analyser }) : null]
			}),
			wrong ? /* @__PURE__ */ a("p", {
				class: "wrong",
				role: "alert",
				children: wrong
			}) : null
		]
	});
}
/** Above this, in parts of full scale, somebody speaks. */
var HEARD = .02;
function Level({ of }) {
	const [level, set] = d(0);
	const [heard, hear] = d(false);
	const most = T(0);
	A(() => {
		const samples = new Float32Array(of.fftSize);
		const timer = setInterval(() => {
			of.getFloatTimeDomainData(samples);
			const now = Math.sqrt(samples.reduce((sum, each) => sum + each * each, 0) / samples.length);
			most.current = Math.max(now, most.current * .8);
			set(most.current);
			if (now > HEARD) hear(true);
		}, 60);
		return () => clearInterval(timer);
	}, [of]);
	const shown = Math.max(0, Math.min(1, 1 + 20 * Math.log10(level || 1e-6) / 60));
	return /* @__PURE__ */ a("span", {
		class: "settings-level",
		children: [/* @__PURE__ */ a("meter", {
			min: 0,
			max: 1,
			low: .3,
			optimum: .6,
			value: shown,
			"aria-label": t("Microphone level"),
			children: [Math.round(shown * 100), " %"]
		}), /* @__PURE__ */ a("span", {
			role: "status",
			children: heard ? t("I hear you.") : t("Say something…")
		})]
	});
}
function SpeakerChoice({ devices }) {
	const [playing, set] = d(false);
	const [told, tell] = d("");
	const play = async () => {
		set(true);
		tell("");
		try {
			await playTone(prefs.value.speaker);
			tell(t("Two notes were played."));
		} catch (error) {
			tell(said(error));
		}
		set(false);
	};
	const choosable = "setSinkId" in AudioContext.prototype;
	return /* @__PURE__ */ a("div", {
		class: "stack",
		children: [choosable ? /* @__PURE__ */ a(Choice, {
			kind: "audiooutput",
			label: t("Speaker"),
			devices,
			value: prefs.value.speaker,
			onChoose: (speaker) => prefer({ speaker }),
			hint: t("Where you hear the agent.")
		}) : /* @__PURE__ */ a("p", {
			class: "hint",
			children: t("This browser always uses the system's speaker; choose it there.")
		}), /* @__PURE__ */ a("div", {
			class: "row",
			children: [/* @__PURE__ */ a(Button, {
				icon: "volume",
				busy: playing,
				onClick: () => void play(),
				children: t("Play test tone")
			}), /* @__PURE__ */ a("span", {
				role: "status",
				class: "hint",
				children: told
			})]
		})]
	});
}
// src/pages/settings/sound.tsx
function Sound() {
	return /* @__PURE__ */ a(Section, {
		part: "voice",
		title: t("Voice and sound"),
		children: [
			/* @__PURE__ */ a(Voice, { of: backend.value }),
			/* @__PURE__ */ a(Devices, {}),
			/* @__PURE__ */ a(Recording, {}),
			/* @__PURE__ */ a("div", {
				class: "stack settings-switches",
				children: [
					/* @__PURE__ */ a(Switch, {
						label: t("Hands-free"),
						checked: prefs.value.handsFree,
						onChange: (handsFree) => prefer({ handsFree }),
						hint: t("Just speak; the agent hears when you are done. Off: hold Space or the microphone button while you speak.")
					}),
					/* @__PURE__ */ a(Switch, {
						label: t("Speak answers to typed messages"),
						checked: prefs.value.speakAnswers,
						onChange: (speakAnswers) => prefer({ speakAnswers }),
						hint: t("Off: typed messages are answered in writing only. Spoken ones are always answered aloud.")
					}),
					/* @__PURE__ */ a(Switch, {
						label: t("Captions"),
						checked: prefs.value.captions,
						onChange: (captions) => prefer({ captions }),
						hint: t("What is spoken also appears in large type.")
					}),
					/* @__PURE__ */ a(Switch, {
						label: t("Read tours aloud"),
						checked: prefs.value.tourSpeech,
						onChange: (tourSpeech) => prefer({ tourSpeech }),
						hint: t("Each step is read aloud where the browser has a voice. The text is always shown.")
					})
				]
			})
		]
	});
}
/** What the server does with the sound; people change it there. */
function Recording() {
	const known = status.value;
	if (!known) return null;
	const days = known.recorded_days;
	return /* @__PURE__ */ a("p", {
		class: "row",
		children: [
			/* @__PURE__ */ a("strong", { children: t("Recording") }),
			days === null ? /* @__PURE__ */ a(Badge, { children: t("Off") }) : /* @__PURE__ */ a(Badge, {
				kind: "bad",
				children: t("On")
			}),
			/* @__PURE__ */ a("span", {
				class: "hint",
				children: days === null ? rich("Sound is not recorded. The server’s setting {setting} turns it on.", { setting: /* @__PURE__ */ a("code", { children: "voice.record" }) }) : plural(days, "The sound of spoken conversations is recorded and kept for {count} day.", "The sound of spoken conversations is recorded and kept for {count} days.")
			})
		]
	});
}
var HINTS = {
	local: t("The built-in model has one voice."),
	claude: t("With Claude the browser speaks, or the server with its built-in voice.")
};
function Voice({ of }) {
	const [wrong, tell] = d("");
	A(() => {
		tell("");
		loadVoices(of).catch((error) => tell(said(error)));
	}, [of]);
	const voices = voicesOf(of);
	const chosen = voices.some((voice) => voice.id === prefs.value.voice) ? prefs.value.voice : "";
	return /* @__PURE__ */ a(Field, {
		label: t("Voice"),
		hint: HINTS[of] ?? t("Applies from the next conversation."),
		error: wrong,
		children: (field) => /* @__PURE__ */ a("select", {
			...field,
			disabled: voices.length < 2,
			value: chosen,
			onChange: (event) => prefer({ voice: event.currentTarget.value }),
			children: [voices.some((voice) => voice.id === "") ? null : /* @__PURE__ */ a("option", {
				value: "",
				children: t("Agent default")
			}), voices.map(({ id, name, style, gender }) => /* @__PURE__ */ a("option", {
				value: id,
				children: [
					name,
					style,
					gender
				].filter(Boolean).join(", ")
			}, id))]
		})
	});
}
// src/pages/settings.tsx
var PARTS = [
	{
		id: "backend",
		also: "keys",
		title: t("Models"),
		icon: "bolt",
		body: () => /* @__PURE__ */ a(Models, {})
	},
	{
		id: "voice",
		title: t("Voice and sound"),
		icon: "volume",
		body: () => /* @__PURE__ */ a(Sound, {})
	},
	{
		id: "theme",
		title: t("Appearance"),
		icon: "sun",
		body: () => /* @__PURE__ */ a(Look, {})
	},
	{
		id: "notifications",
		title: t("Notifications"),
		icon: "bell",
		body: () => /* @__PURE__ */ a(Notifications, {})
	},
	{
		id: "budgets",
		title: t("Budgets"),
		icon: "metrics",
		body: () => /* @__PURE__ */ a(Budgets, {})
	},
	{
		id: "approvals",
		title: t("Standing approvals"),
		icon: "shield",
		body: () => /* @__PURE__ */ a(Approvals, {})
	},
	{
		id: "blocks",
		title: t("Blocked users"),
		icon: "user",
		body: () => /* @__PURE__ */ a(Blocks, {})
	}
];
function Settings() {
	A(() => void loadStatus(), []);
	const wanted = route.value.rest[0] ?? "";
	const part = PARTS.find(({ id, also }) => id === wanted || also === wanted) ?? PARTS[0];
	F(() => {
		if (wanted) document.getElementById(`settings-${part.id}-title`)?.focus({ preventScroll: true });
	}, [wanted]);
	return /* @__PURE__ */ a("div", {
		class: "settings",
		children: [/* @__PURE__ */ a("nav", {
			class: "settings-tabs",
			"aria-label": t("Settings"),
			children: PARTS.map(({ id, title, icon }) => /* @__PURE__ */ a("a", {
				href: at("settings", [id]),
				"aria-current": id === part.id ? "page" : void 0,
				"data-tour": id === PARTS[0].id ? void 0 : `settings-${id}`,
				children: [/* @__PURE__ */ a(Icon, {
					name: icon,
					size: 16
				}), /* @__PURE__ */ a("span", { children: title })]
			}, id))
		}), /* @__PURE__ */ a("div", {
			class: "stack",
			children: part.body()
		})]
	});
}
export { Settings as default };

const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["./written.js","./vendor-preact.js","./http.js","./app.js","./address.js","./zone.js","./router.js","./confirmations.js","./bus.js","./notifications.js","./toasts.js","./start.js","./load.js","./kit.js","./talk.js","./player.js","./now.js","./ear.js","./microphone.js","./backends.js","./conversation.js"])))=>i.map(i=>d[i]);
import { h as $, s as A, t as a, u as T } from "./vendor-preact.js";
import { a as at, o as go } from "./router.js";
import { a as guided, l as blocked, n as hold, r as addShortcuts } from "./start.js";
import { f as Spinner, g as save, i as CopyButton, n as Button, o as Field, p as Switch, u as Problem, v as Icon } from "./kit.js";
import { C as kept, S as caption, _ as start, a as goOn, c as muted, d as restart, f as restoring, g as setup, h as setMuted, i as entries, l as phase, m as sessionId, n as clear, o as hangUp, p as sendText, s as interrupt, t as attempt, u as reconnect, v as transcript, x as speakerAnalyser, y as trouble } from "./conversation.js";
import { i as toMarkdown, r as Composer, t as Entries } from "./entries.js";
import { r as current } from "./confirmations.js";
import { d as __vitePreload, f as prefer, p as prefs } from "./app.js";
import { f as trouble$1, i as hearing, o as listening, s as microphone, u as opening } from "./ear.js";
import { r as toast } from "./toasts.js";
import { a as loadVoices, d as usable, f as voicesOf, i as loadStatus, l as status, n as backendStatus, s as modelsOf, t as backend, u as statusError } from "./backends.js";
// src/pages/vox/first.tsx
/** Before anything was said: what this is, and things to say that work right away. */
/** Each works with the built-in model and the knowledge that ships. */
var EXAMPLES = [
	{
		text: "Who leads Harbor Light?",
		icon: "graph",
		about: "Looks it up and cites the record"
	},
	{
		text: "What does idempotent mean?",
		icon: "book",
		about: "Answers from the glossary"
	},
	{
		text: "Open the tools page",
		icon: "tool",
		about: "Drives this console"
	},
	{
		text: "Show me around",
		icon: "compass",
		about: "A tour of this page"
	}
];
function First() {
	return /* @__PURE__ */ a("div", {
		class: "vox-first",
		children: [
			/* @__PURE__ */ a("h2", { children: "Talk to your workspace" }),
			/* @__PURE__ */ a("p", {
				class: "muted",
				children: "Ask about what it knows, have it open pages and run tools. Press Talk and say one of these, or click it:"
			}),
			/* @__PURE__ */ a("ul", { children: EXAMPLES.map(({ text, icon, about }) => /* @__PURE__ */ a("li", { children: /* @__PURE__ */ a("button", {
				type: "button",
				class: "vox-example",
				onClick: () => sendText(text),
				children: [/* @__PURE__ */ a(Icon, { name: icon }), /* @__PURE__ */ a("span", { children: [
					"“",
					text,
					"”",
					/* @__PURE__ */ a("small", { children: about })
				] })]
			}) }, text)) }),
			/* @__PURE__ */ a("p", {
				class: "hint",
				children: [
					"You are asked before anything of high risk, or that cannot be taken back. Everything that is said and done is kept under ",
					/* @__PURE__ */ a("a", {
						href: "#/sessions",
						children: "Sessions"
					}),
					"."
				]
			})
		]
	});
}
// src/pages/vox/choices.tsx
/** Who answers, with which voice, and how the person talks. In force at once, also while talking. */
function Choices() {
	A(() => void loadStatus(), []);
	A(() => {
		loadVoices(backend.value).catch((error) => toast(error.message, { kind: "bad" }));
	}, [backend.value]);
	return /* @__PURE__ */ a("details", {
		class: "vox-choices",
		open: innerWidth > 900 || guided.value !== null,
		children: [/* @__PURE__ */ a("summary", { children: "Conversation settings" }), /* @__PURE__ */ a("div", {
			class: "stack",
			children: [
				statusError.value ? /* @__PURE__ */ a(Problem, {
					error: statusError.value,
					retry: () => void loadStatus()
				}) : null,
				/* @__PURE__ */ a(BackendChoice, {}),
				/* @__PURE__ */ a(ModelChoice, {}),
				/* @__PURE__ */ a(VoiceChoice, {}),
				/* @__PURE__ */ a(Switch, {
					label: "Hands-free",
					checked: prefs.value.handsFree,
					hint: prefs.value.handsFree ? "Speak when you like" : "Hold Space while you speak",
					onChange: (handsFree) => prefer({ handsFree })
				}),
				/* @__PURE__ */ a(Switch, {
					label: "Speak answers to typed messages",
					checked: prefs.value.speakAnswers,
					hint: prefs.value.speakAnswers ? "Everything is answered aloud" : "What you type is answered in writing",
					onChange: (speakAnswers) => prefer({ speakAnswers })
				}),
				/* @__PURE__ */ a(Switch, {
					label: "Captions",
					checked: prefs.value.captions,
					onChange: (captions) => prefer({ captions })
				})
			]
		})]
	});
}
function BackendChoice() {
	const found = status.value;
	const missing = found?.backends.filter((each) => !usable(each)) ?? [];
	const hint = missing.length ? /* @__PURE__ */ a($, { children: [
		missing.map((each) => each.label).join(", "),
		": add a key in ",
		/* @__PURE__ */ a("a", {
			href: "#/settings",
			children: "Settings"
		}),
		"."
	] }) : null;
	return /* @__PURE__ */ a("div", {
		"data-tour": "vox-backend",
		children: [/* @__PURE__ */ a(Field, {
			label: "Who answers",
			hint,
			children: (attributes) => /* @__PURE__ */ a("select", {
				...attributes,
				value: backend.value,
				disabled: !found,
				onChange: (event) => void restart({
					backend: event.currentTarget.value,
					model: "",
					voice: ""
				}),
				children: found?.backends.map((each) => /* @__PURE__ */ a("option", {
					value: each.name,
					disabled: !usable(each) && each.name !== backend.value,
					title: each.why ?? void 0,
					children: [each.label, usable(each) ? "" : each.configured ? " (not reachable)" : " (needs a key)"]
				}, each.name))
			})
		}), backendStatus.value && !usable(backendStatus.value) ? /* @__PURE__ */ a("p", {
			class: "wrong",
			children: backendStatus.value.why
		}) : null]
	});
}
function ModelChoice() {
	const one = backendStatus.value;
	if (!one) return null;
	const models = modelsOf(one, "voice");
	const usual = one.voice_model ?? one.model ?? "";
	const chosen = prefs.value.backend && prefs.value.model ? prefs.value.model : usual;
	const listed = models.some((model) => model.id === chosen) ? models : [...models, {
		id: chosen,
		label: chosen
	}];
	if (listed.length < 2) return null;
	return /* @__PURE__ */ a(Field, {
		label: "Model",
		children: (attributes) => /* @__PURE__ */ a("select", {
			...attributes,
			value: chosen,
			onChange: (event) => void restart({
				backend: backend.value,
				model: event.currentTarget.value
			}),
			children: listed.map((model) => /* @__PURE__ */ a("option", {
				value: model.id,
				children: model.label
			}, model.id))
		})
	});
}
var VOICE_HINTS = {
	local: "The built-in model has one voice. Gemini has sixteen.",
	claude: "Claude reads and writes. Your browser listens and speaks for it, and its maker may be sent what it hears; the built-in voice stays on your server."
};
function VoiceChoice() {
	const voices = voicesOf(backend.value);
	const chosen = voices.some((voice) => voice.id === prefs.value.voice) ? prefs.value.voice : voices[0]?.id ?? "";
	return /* @__PURE__ */ a("div", {
		"data-tour": "vox-voice",
		children: [/* @__PURE__ */ a(Field, {
			label: "Voice",
			hint: VOICE_HINTS[backend.value],
			children: (attributes) => /* @__PURE__ */ a("select", {
				...attributes,
				value: chosen,
				disabled: voices.length < 2,
				onChange: (event) => void restart({ voice: event.currentTarget.value }),
				children: voices.map(({ id, name, gender, style }) => /* @__PURE__ */ a("option", {
					value: id,
					children: [name, [gender, style].some(Boolean) ? ` (${[gender, style].filter(Boolean).join(", ")})` : ""]
				}, id))
			})
		}), phase.value === "connecting" ? /* @__PURE__ */ a("p", {
			class: "hint",
			children: "Changing…"
		}) : null]
	});
}
// src/pages/vox/waveform.tsx
/** Sound as it is heard: the person's while they speak, the model's while it does. */
var BARS = 40;
/** Most of what is said lies below this share of the spectrum. */
var VOICE = .45;
function Waveform() {
	const canvas = T(null);
	const speaking = phase.value === "speaking";
	const analyser = speaking ? speakerAnalyser() : hearing.value ? microphone.value?.analyser ?? null : null;
	A(() => {
		const { current } = canvas;
		if (!current) return;
		if (!analyser || matchMedia("(prefers-reduced-motion: reduce)").matches) {
			draw(current, null);
			return;
		}
		const levels = new Uint8Array(analyser.frequencyBinCount);
		let frame = 0;
		const loop = () => {
			analyser.getByteFrequencyData(levels);
			draw(current, levels);
			frame = requestAnimationFrame(loop);
		};
		loop();
		return () => cancelAnimationFrame(frame);
	}, [analyser]);
	return /* @__PURE__ */ a("canvas", {
		class: `vox-wave ${speaking ? "model" : ""}`,
		ref: canvas,
		width: 320,
		height: 56,
		"aria-hidden": "true"
	});
}
/** Bars from the middle outwards; without sound a quiet line. */
function draw(canvas, levels) {
	const pen = canvas.getContext("2d");
	if (!pen) return;
	const { width, height } = canvas;
	pen.clearRect(0, 0, width, height);
	pen.fillStyle = getComputedStyle(canvas).color;
	const step = width / BARS;
	for (let bar = 0; bar < BARS; bar++) {
		const away = Math.abs(bar - 39 / 2) / (BARS / 2);
		const level = levels ? levels[Math.floor(away * VOICE * levels.length)] / 255 : 0;
		const tall = Math.max(2, level * level * height);
		pen.fillRect(bar * step + 1, (height - tall) / 2, step - 3, tall);
	}
}
// src/pages/vox/stage.tsx
/** The talk button with all that belongs to it: how it stands, what is heard, who answers. */
function Stage() {
	const now = phase.value;
	const busy = now === "speaking" || now === "thinking";
	return /* @__PURE__ */ a("aside", {
		class: "vox-stage",
		"aria-label": "Talk",
		children: [
			/* @__PURE__ */ a(Trouble, {}),
			/* @__PURE__ */ a(TalkButton, {}),
			/* @__PURE__ */ a("p", {
				class: "vox-state",
				role: "status",
				children: stateInWords()
			}),
			/* @__PURE__ */ a(Waveform, {}),
			now === "reconnecting" ? /* @__PURE__ */ a(Button, {
				icon: "refresh",
				onClick: reconnect,
				children: "Try now"
			}) : null,
			prefs.value.captions && now !== "off" && (listening.value || caption.value) ? /* @__PURE__ */ a("p", {
				class: "vox-caption",
				role: "group",
				"aria-label": "Captions",
				children: caption.value
			}) : null,
			/* @__PURE__ */ a("div", {
				class: "vox-buttons",
				children: [/* @__PURE__ */ a(Button, {
					icon: "stop",
					"data-tour": "vox-interrupt",
					disabled: !busy,
					title: "Esc does the same",
					onClick: interrupt,
					children: "Interrupt"
				}), now === "off" ? null : /* @__PURE__ */ a($, { children: [listening.value ? /* @__PURE__ */ a(Button, {
					icon: muted.value ? "mic-off" : "mic",
					"aria-pressed": muted.value,
					onClick: () => setMuted(!muted.value),
					children: muted.value ? "Unmute" : "Mute"
				}) : null, /* @__PURE__ */ a(Button, {
					kind: "danger",
					icon: "close",
					onClick: hangUp,
					children: "Hang up"
				})] })]
			}),
			/* @__PURE__ */ a(Choices, {})
		]
	});
}
function stateInWords() {
	if (blocked.value) return "Paused for now";
	if (current.value) return "Waiting for your answer";
	switch (phase.value) {
		case "off": return trouble.value?.resumable ? "The conversation waits for you" : "Ready when you are";
		case "connecting": return opening.value ? "Allow the microphone in the browser…" : "Connecting…";
		case "reconnecting": return `The line was lost. Getting it back, attempt ${attempt.value} of 20…`;
		case "thinking": return "One moment…";
		case "speaking": return listening.value ? "Cut in whenever you like, or press Esc" : "Esc, or Interrupt, cuts in";
		case "typing": return "Type, or press the button to speak";
		case "listening":
			if (muted.value) return "The microphone is muted";
			if (hearing.value) return "Say something";
			return "Hold Space, or the button, while you speak";
	}
}
function TalkButton() {
	const now = phase.value;
	const push = !prefs.value.handsFree && now !== "off" && microphone.value !== null;
	const press = () => {
		if (now === "off") start({ resume: trouble.value?.resumable ?? false });
		else if (now === "connecting") hangUp();
		else if (!listening.value) start();
		else if (!push) setMuted(!muted.value);
	};
	const [label, does] = button(push);
	return /* @__PURE__ */ a("button", {
		type: "button",
		class: `vox-talk ${now} ${muted.value ? "muted" : ""} ${hearing.value ? "hearing" : ""}`,
		"data-tour": "vox-talk-button",
		disabled: blocked.value !== null && now === "off",
		onClick: press,
		title: does,
		"aria-label": does ? `${label}: ${does}` : void 0,
		onPointerDown: (event) => {
			if (!push) return;
			event.currentTarget.setPointerCapture(event.pointerId);
			hold(true);
		},
		onPointerUp: () => hold(false),
		onPointerCancel: () => hold(false),
		onContextMenu: (event) => push && event.preventDefault(),
		children: [/* @__PURE__ */ a(Icon, {
			name: muted.value && now !== "off" ? "mic-off" : "mic",
			size: 44
		}), /* @__PURE__ */ a("span", { children: label })]
	});
}
/** What is written on it, and what pressing it does where that is something else. */
function button(push) {
	switch (phase.value) {
		case "off": return ["Talk"];
		case "connecting": return ["Connecting", "press to cancel"];
		case "reconnecting": return ["Line lost"];
		case "typing": return ["Speak", "turn on the microphone"];
		case "thinking":
		case "speaking":
		case "listening":
			if (!listening.value) return ["Speak", "turn on the microphone"];
			if (muted.value) return ["Muted", "press to unmute"];
			if (push) return ["Hold to talk"];
			return [{
				thinking: "Thinking",
				speaking: "Speaking",
				listening: "Listening"
			}[phase.value], "press to mute"];
	}
}
/** What is wrong, and the way on. */
function Trouble() {
	const line = trouble.value;
	const ears = trouble$1.value;
	if (!line && !ears) return null;
	return /* @__PURE__ */ a("div", {
		class: `vox-trouble ${line && !line.resumable ? "bad" : ""}`,
		role: "alert",
		children: [
			ears ? /* @__PURE__ */ a("p", { children: ears.message }) : null,
			line ? /* @__PURE__ */ a("p", { children: line.message }) : null,
			line?.resumable ? /* @__PURE__ */ a("div", {
				class: "row",
				children: [/* @__PURE__ */ a(Button, {
					kind: "primary",
					onClick: goOn,
					children: "Go on"
				}), /* @__PURE__ */ a(Button, {
					onClick: clear,
					children: "Start a new one"
				})]
			}) : null
		]
	});
}
// src/pages/vox.tsx
/** Talk: the conversation by voice, or by typing into the same one. */
function Talk() {
	A(() => addShortcuts([
		{
			keys: "Space",
			label: "Hold to talk, with push-to-talk",
			group: "Conversation"
		},
		{
			keys: "Esc",
			label: "Interrupt the answer",
			group: "Conversation"
		},
		{
			keys: "Enter",
			label: "Send what is written",
			group: "Conversation"
		}
	]), []);
	return /* @__PURE__ */ a("div", {
		class: "vox",
		children: [/* @__PURE__ */ a("section", {
			class: "vox-said",
			"aria-label": "Conversation",
			children: [
				/* @__PURE__ */ a(Tools, {}),
				/* @__PURE__ */ a(Entries, {
					transcript,
					label: "Transcript",
					tour: "vox-transcript",
					children: restoring.value ? /* @__PURE__ */ a("div", {
						class: "loading",
						children: /* @__PURE__ */ a(Spinner, { label: "Loading the conversation" })
					}) : /* @__PURE__ */ a(First, {})
				}),
				/* @__PURE__ */ a(Composer, {
					label: "Write instead of speaking",
					placeholder: "Or type here",
					tour: "vox-text-box",
					onSend: sendText,
					disabled: blocked.value !== null
				})
			]
		}), /* @__PURE__ */ a(Stage, {})]
	});
}
/** What can be done with the transcript. */
function Tools() {
	if (entries.value.length === 0) return null;
	const id = setup.value?.conversation ?? kept()?.conversation ?? sessionId.value;
	const inWriting = async () => {
		const { takeOver } = await __vitePreload(async () => {
			const { takeOver } = await import("./written.js");
			return { takeOver };
		}, __vite__mapDeps([0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20]), import.meta.url);
		takeOver(id, entries.value);
		if (phase.value === "off") clear();
		else hangUp();
		go(at("chat", [id]));
	};
	return /* @__PURE__ */ a("div", {
		class: "vox-tools row",
		children: [
			/* @__PURE__ */ a(CopyButton, {
				text: () => toMarkdown(entries.value),
				label: "Copy"
			}),
			/* @__PURE__ */ a(Button, {
				kind: "quiet",
				icon: "download",
				onClick: () => save("conversation.md", toMarkdown(entries.value), "text/markdown"),
				children: "Download"
			}),
			/* @__PURE__ */ a("span", { class: "spring" }),
			id ? /* @__PURE__ */ a(Button, {
				kind: "quiet",
				icon: "chat",
				onClick: () => void inWriting(),
				children: "Go on in writing"
			}) : null,
			phase.value === "off" ? /* @__PURE__ */ a(Button, {
				kind: "quiet",
				icon: "plus",
				onClick: clear,
				children: "New"
			}) : null
		]
	});
}
export { Talk as default };

import { m as $, o as A, t as a } from "./vendor-preact.js";
import { c as said, r as get } from "./http.js";
import { r as useLoad } from "./load.js";
import { c as rich, f as prefer, l as t, p as prefs } from "./app.js";
import { t as TALK_PROFILE } from "./talk.js";
import { r as toast } from "./toasts.js";
import { o as Field, p as Switch, u as Problem } from "./kit.js";
import { a as loadVoices, d as usable, f as voicesOf, i as loadStatus, l as status, n as backendStatus, o as modelFor, s as modelsOf, t as backend, u as statusError } from "./backends.js";
import { C as profile, T as conversationId, d as live, h as restart, p as phase } from "./start.js";
// src/voice/view/menu-panels.tsx
/** What is in the small menus of the composer. */
function ModelPanel() {
	const one = backendStatus.value;
	return /* @__PURE__ */ a($, { children: [
		statusError.value ? /* @__PURE__ */ a(Problem, {
			error: statusError.value,
			retry: () => void loadStatus()
		}) : null,
		/* @__PURE__ */ a(ModelChoice, {}),
		one && !usable(one) ? /* @__PURE__ */ a("p", {
			class: "wrong",
			children: one.why
		}) : null,
		/* @__PURE__ */ a(AgentChoice, {})
	] });
}
/** Backend and model in one list: `gemini/gemini-2.5-flash`. */
function ModelChoice() {
	const found = status.value;
	const mode = live.value ? "voice" : "text";
	const model = modelFor(mode) ?? (mode === "voice" ? backendStatus.value?.voice_model : null) ?? backendStatus.value?.model ?? "";
	const missing = found?.backends.filter((each) => !usable(each)) ?? [];
	const hint = missing.length ? rich("{names}: add a key in {settings}.", {
		names: missing.map((each) => each.label).join(", "),
		settings: /* @__PURE__ */ a("a", {
			href: "#/settings",
			children: t("Settings")
		})
	}) : null;
	const choose = (value) => {
		const cut = value.indexOf("/");
		const chosen = value.slice(0, cut);
		restart({
			backend: chosen,
			model: value.slice(cut + 1),
			voice: chosen === prefs.value.backend ? prefs.value.voice : ""
		});
	};
	return /* @__PURE__ */ a(Field, {
		label: t("Model"),
		hint,
		children: (attributes) => /* @__PURE__ */ a("select", {
			...attributes,
			value: `${backend.value}/${model}`,
			disabled: !found,
			onChange: (event) => choose(event.currentTarget.value),
			children: found?.backends.map((each) => {
				const models = modelsOf(each, mode);
				const usual = (mode === "voice" ? each.voice_model : null) ?? each.model;
				const listed = usual && !models.some(({ id }) => id === usual) ? [{
					id: usual,
					label: usual
				}, ...models] : models;
				return /* @__PURE__ */ a("optgroup", {
					label: usable(each) ? each.label : `${each.label} (${each.configured ? t("not reachable") : t("needs a key")})`,
					disabled: !usable(each),
					children: listed.map(({ id, label }) => /* @__PURE__ */ a("option", {
						value: `${each.name}/${id}`,
						children: label
					}, id))
				}, each.name);
			})
		})
	});
}
/** Other agents than the one that has everything; a conversation keeps the one that it began with. */
function AgentChoice() {
	const found = useLoad((signal) => get("/api/profiles", { signal }), []);
	if (conversationId.value || !found.data || found.data.profiles.length < 2) return null;
	return /* @__PURE__ */ a(Field, {
		label: t("Agent"),
		hint: t("“{name}” knows every database and tool that you may use.", { name: TALK_PROFILE }),
		children: (attributes) => /* @__PURE__ */ a("select", {
			...attributes,
			value: profile.value,
			onChange: (event) => {
				profile.value = event.currentTarget.value;
			},
			children: found.data.profiles.map(({ name, description }) => /* @__PURE__ */ a("option", {
				value: name,
				title: description,
				children: name
			}, name))
		})
	});
}
function VoicePanel() {
	A(() => {
		loadVoices(backend.value).catch((error) => toast(said(error), { kind: "bad" }));
	}, [backend.value]);
	return /* @__PURE__ */ a($, { children: [
		/* @__PURE__ */ a(Switch, {
			label: t("Hands-free"),
			checked: prefs.value.handsFree,
			hint: prefs.value.handsFree ? t("Speak when you like") : t("Push-to-talk: hold Space or the microphone while you speak"),
			onChange: (handsFree) => prefer({ handsFree })
		}),
		/* @__PURE__ */ a(Switch, {
			label: t("Speak answers"),
			checked: prefs.value.speakAnswers,
			hint: prefs.value.speakAnswers ? t("Typed messages are answered aloud too") : t("Typed messages are answered in writing"),
			onChange: (speakAnswers) => prefer({ speakAnswers })
		}),
		/* @__PURE__ */ a(Switch, {
			label: t("Captions"),
			checked: prefs.value.captions,
			onChange: (captions) => prefer({ captions })
		}),
		/* @__PURE__ */ a(VoiceChoice, {})
	] });
}
var HINTS = {
	local: t("The built-in model has one voice. Gemini has sixteen."),
	claude: t("Claude reads and writes. Your browser listens and speaks for it and may send audio to its maker; the built-in voice stays on your server.")
};
function VoiceChoice() {
	const voices = voicesOf(backend.value);
	const chosen = voices.some((voice) => voice.id === prefs.value.voice) ? prefs.value.voice : voices[0]?.id ?? "";
	return /* @__PURE__ */ a(Field, {
		label: t("Voice"),
		hint: phase.value === "connecting" ? t("Changing…") : HINTS[backend.value],
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
	});
}
export { ModelPanel, VoicePanel };

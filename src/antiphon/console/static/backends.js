import { a as y, n as O } from "./vendor-preact.js";
import { r as get } from "./http.js";
import { n as isAway, t as AWAY_MS } from "./load.js";
import { p as prefs } from "./app.js";
import { a as canHear, o as canSpeak } from "./microphone.js";
// src/voice/backends.ts
/** Who can answer: the backends, their models and voices, and what the person chose of them. */
var status = y(null);
var statusError = y(null);
var voices = y({});
/** The one that would answer now. */
var backend = O(() => prefs.value.backend || status.value?.backend || "local");
var backendStatus = O(() => status.value?.backends.find((each) => each.name === backend.value) ?? null);
function usable({ configured, reachable }) {
	return configured && reachable !== false;
}
async function loadStatus() {
	try {
		status.value = await get("/api/vox/status");
		statusError.value = null;
	} catch (error) {
		statusError.value = error;
		clearTimeout(retry);
		if (isAway(error)) retry = setTimeout(() => void loadStatus(), AWAY_MS);
	}
}
var retry;
/** Models for a mode; a model that only reads and writes talks with ears and a voice beside it. */
function modelsOf(one, mode) {
	const wanted = mode === "voice" && one.voice_model === null ? "text" : mode;
	return one.models.filter((model) => model.modes.includes(wanted));
}
/** The model that the person chose, where it can be used in this mode. */
function modelFor(mode) {
	const one = backendStatus.value;
	const { model } = prefs.value;
	if (!prefs.value.backend || !model || !one) return void 0;
	const known = one.models.find((each) => each.id === model);
	return !known || modelsOf(one, mode).includes(known) ? model : void 0;
}
/** The server listens and speaks, with its own voice, for a model that does neither. */
var BUILT_IN = {
	id: "built-in",
	name: "Built-in voice"
};
async function loadVoices(of) {
	if (voices.value[of] || of !== "gemini" && of !== "openai") return;
	const found = await get("/api/vox/voices", { query: { backend: of } });
	voices.value = {
		...voices.value,
		[of]: found.voices
	};
}
function voicesOf(of) {
	if (of === "local") return [BUILT_IN];
	if (of !== "claude") return voices.value[of] ?? [];
	if (!canHear() || !canSpeak()) return [BUILT_IN];
	return [
		{
			id: "",
			name: "This browser's voice"
		},
		...speechSynthesis.getVoices().map(({ voiceURI, name, lang }) => ({
			id: voiceURI,
			name,
			style: lang
		})),
		BUILT_IN
	];
}
/** With this choice the browser listens and speaks. */
function speaksHere() {
	return backend.value === "claude" && canHear() && canSpeak() && prefs.value.voice !== BUILT_IN.id;
}
/** What `start` is told of who is to answer. */
function choice() {
	const mode = prefs.value.backend || void 0;
	const model = modelFor("voice");
	return {
		...mode ? { mode } : {},
		...model ? { model } : {},
		...chosenVoice()
	};
}
function chosenVoice() {
	if (backend.value === "claude") return speaksHere() ? {} : { voice: BUILT_IN.id };
	const { voice } = prefs.value;
	const known = voices.value[backend.value];
	const fits = backend.value !== "local" && (!known || known.some(({ id }) => id === voice));
	return voice && fits ? { voice } : {};
}
export { loadVoices as a, speaksHere as c, usable as d, voicesOf as f, loadStatus as i, status as l, backendStatus as n, modelFor as o, choice as r, modelsOf as s, backend as t, statusError as u };

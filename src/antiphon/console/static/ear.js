import { a as y, i as x, n as O } from "./vendor-preact.js";
import { p as prefs } from "./app.js";
import { n as MicrophoneError, r as BrowserEars, t as Microphone } from "./microphone.js";
// \0rolldown/runtime.js
var __defProp = Object.defineProperty;
var __exportAll = (all, no_symbols) => {
	let target = {};
	for (var name in all) __defProp(target, name, {
		get: all[name],
		enumerable: true
	});
	if (!no_symbols) __defProp(target, Symbol.toStringTag, { value: "Module" });
	return target;
};
// src/voice/ear.ts
/** What we hear of the person: the microphone, whether it is muted, and the talk button. */
var ear_exports = /* @__PURE__ */ __exportAll({
	attach: () => attach,
	close: () => close,
	hearing: () => hearing,
	held: () => held,
	listening: () => listening,
	microphone: () => microphone,
	mute: () => mute,
	muted: () => muted,
	open: () => open,
	opening: () => opening,
	recognise: () => recognise,
	trouble: () => trouble
});
var microphone = y(null);
/** The browser recognises speech by itself, for a model that only reads. */
var recogniser = y(null);
/** The browser asks the person, or opens the device. */
var opening = y(false);
var muted = y(false);
/** The talk button is held, or the space bar is. */
var held = y(false);
/** Why there is no microphone, in words. */
var trouble = y(null);
var listening = O(() => microphone.value !== null || recogniser.value !== null);
/** Somebody who spoke now would be heard. */
var hearing = O(() => listening.value && !muted.value && (prefs.value.handsFree || held.value || microphone.value === null));
var listener = () => {};
var lost = () => {};
/** Counts openings: one that was overtaken by a closing comes to nothing. */
var round = 0;
/** Frames of 20 ms go to `onFrame` while the person is heard. */
function attach(onFrame, onLost) {
	listener = onFrame;
	lost = onLost;
}
/** Opens the microphone. False: there is none, and `trouble` says why. */
async function open() {
	if (microphone.value) return true;
	trouble.value = null;
	opening.value = true;
	const mine = ++round;
	try {
		const opened = await Microphone.open(prefs.value.microphone, (frame) => hearing.value && listener(frame), unplugged);
		if (mine !== round) {
			opened.close();
			return false;
		}
		opened.muted = muted.value;
		microphone.value = opened;
		return true;
	} catch (error) {
		if (mine !== round) return false;
		trouble.value = error instanceof MicrophoneError ? error : new MicrophoneError("busy");
		return false;
	} finally {
		if (mine === round) opening.value = false;
	}
}
/** Lets the browser listen and recognise. */
function recognise(to) {
	recogniser.value ??= new BrowserEars({
		...to,
		failed: (words) => {
			recogniser.value = null;
			to.failed(words);
		}
	});
}
function close() {
	round++;
	opening.value = false;
	microphone.value?.close();
	microphone.value = null;
	recogniser.value?.end();
	recogniser.value = null;
	held.value = false;
}
function mute(on) {
	muted.value = on;
	if (microphone.value) microphone.value.muted = on;
	if (recogniser.value) recogniser.value.muted = on;
}
var device = O(() => prefs.value.microphone);
x(() => {
	device.value;
	if (!microphone.peek()) return;
	close();
	open();
});
function unplugged(error) {
	close();
	trouble.value = error;
	lost();
}
export { held as a, mute as c, recognise as d, trouble as f, hearing as i, open as l, close as n, listening as o, __exportAll as p, ear_exports as r, microphone as s, attach as t, opening as u };

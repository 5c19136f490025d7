import { l as T, o as A, t as a } from "./vendor-preact.js";
import { p as phase, z as speakerAnalyser } from "./start.js";
import { i as hearing, s as microphone } from "./ear.js";
// src/pages/conversation/waveform.tsx
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
export { Waveform };

import { l as t } from "./app.js";
import { a as sentences, i as plain } from "./words.js";
// src/voice/browser-speech.ts
/**
* The ears and the voice of the browser, for models that only read and write. Who made the browser
* may be sent what it hears; the page says so where it is chosen.
*/
function recogniser() {
	const found = window;
	return found.SpeechRecognition ?? found.webkitSpeechRecognition ?? null;
}
var canHear = () => recogniser() !== null;
var canSpeak = () => typeof speechSynthesis !== "undefined";
var TROUBLE = {
	"not-allowed": t("The browser blocks the microphone on this page. Allow it next to the address bar, or type."),
	"service-not-allowed": t("This browser does not allow speech recognition. Type, or choose the server's voice."),
	"audio-capture": t("No microphone found. Connect one, or type."),
	network: t("This browser's speech recognition cannot be reached. Type, or choose the server's voice."),
	"language-not-supported": t("This browser's speech recognition does not support this language. Type instead.")
};
/** Listens until it is stopped: recognisers end by themselves after a pause, and are begun again. */
var BrowserEars = class {
	hearing;
	recognition = null;
	stopped = false;
	constructor(hearing) {
		this.hearing = hearing;
		this.begin();
	}
	/** The microphone is off for now, or on again. */
	set muted(muted) {
		if (muted) this.end();
		else if (!this.recognition) {
			this.stopped = false;
			this.begin();
		}
	}
	end() {
		this.stopped = true;
		this.recognition?.abort();
		this.recognition = null;
	}
	begin() {
		const kind = recogniser();
		if (!kind) return;
		const recognition = this.recognition = new kind();
		recognition.continuous = true;
		recognition.interimResults = true;
		recognition.lang = navigator.language || "en-US";
		recognition.onresult = (event) => this.take(event);
		recognition.onerror = ({ error }) => {
			const words = TROUBLE[error];
			if (!words) return;
			this.end();
			this.hearing.failed(words);
		};
		recognition.onend = () => {
			if (!this.stopped && this.recognition === recognition) this.begin();
		};
		recognition.start();
	}
	take({ resultIndex, results }) {
		let open = "";
		for (let n = resultIndex; n < results.length; n++) {
			const text = results[n][0].transcript.trim();
			if (results[n].isFinal && text) this.hearing.said(text);
			else open = `${open} ${text}`.trim();
		}
		this.hearing.partial(open);
	}
};
/** Says a text that comes in pieces, sentence by sentence. */
var BrowserVoice = class {
	onSounding;
	rest = "";
	waiting = 0;
	round = 0;
	constructor(onSounding) {
		this.onSounding = onSounding;
	}
	say(piece, voice) {
		const { whole, rest } = sentences(this.rest + piece);
		this.rest = rest;
		for (const sentence of whole) this.speak(sentence, voice);
	}
	finish(voice) {
		const { rest } = this;
		this.rest = "";
		this.speak(rest, voice);
	}
	stop() {
		this.rest = "";
		this.waiting = 0;
		this.round++;
		if (canSpeak()) speechSynthesis.cancel();
		this.onSounding(false);
	}
	speak(text, voice) {
		const words = plain(text);
		if (!words || !canSpeak()) return;
		const utterance = new SpeechSynthesisUtterance(words);
		const chosen = speechSynthesis.getVoices().find((each) => each.voiceURI === voice);
		if (chosen) utterance.voice = chosen;
		const mine = this.round;
		const over = () => {
			if (mine === this.round && --this.waiting === 0) this.onSounding(false);
		};
		utterance.onend = over;
		utterance.onerror = over;
		if (this.waiting++ === 0) this.onSounding(true);
		speechSynthesis.speak(utterance);
	}
};
// src/voice/capture-worklet.ts?worker&url
var capture_worklet_default = new URL("capture-worklet.js", import.meta.url).href;
// src/voice/microphone.ts
/** The microphone: whether there is one to be used, and what it hears, in frames for the server. */
var WORDS = {
	insecure: t("Browsers allow the microphone only on https:// pages and on this machine. Open the console at http://localhost, or serve it over https. Typing works here."),
	denied: t("The browser blocks the microphone on this page. Allow it with the icon next to the address bar, then press the microphone again. You can type meanwhile."),
	none: t("No microphone found. Connect one and press the microphone again, or type."),
	busy: t("The microphone cannot be opened: another program may be using it. Close that program and press the microphone again, or type."),
	lost: t("The microphone was disconnected or turned off. The conversation continues; you can type.")
};
var MicrophoneError = class extends Error {
	trouble;
	constructor(trouble, words = WORDS[trouble]) {
		super(words);
		this.trouble = trouble;
		this.name = "MicrophoneError";
	}
};
var Microphone = class Microphone {
	context;
	stream;
	analyser;
	constructor(context, stream, analyser) {
		this.context = context;
		this.stream = stream;
		this.analyser = analyser;
	}
	/** Asks the person where that is needed. Throws MicrophoneError. */
	static async open(device, onFrame, onLost) {
		const stream = await listen(device);
		try {
			const context = new AudioContext({ latencyHint: "interactive" });
			await context.audioWorklet.addModule(capture_worklet_default);
			const node = new AudioWorkletNode(context, "antiphon-capture", { numberOfOutputs: 0 });
			node.port.onmessage = ({ data }) => onFrame(data);
			const analyser = new AnalyserNode(context, {
				fftSize: 512,
				smoothingTimeConstant: .6
			});
			const source = context.createMediaStreamSource(stream);
			source.connect(analyser);
			source.connect(node);
			for (const track of stream.getAudioTracks()) track.addEventListener("ended", () => onLost(new MicrophoneError("lost")));
			await context.resume();
			return new Microphone(context, stream, analyser);
		} catch (error) {
			for (const track of stream.getTracks()) track.stop();
			throw error;
		}
	}
	set muted(muted) {
		for (const track of this.stream.getAudioTracks()) track.enabled = !muted;
	}
	close() {
		for (const track of this.stream.getTracks()) track.stop();
		this.context.close();
	}
};
async function listen(device) {
	if (!window.isSecureContext || !navigator.mediaDevices?.getUserMedia) throw new MicrophoneError("insecure");
	try {
		return await navigator.mediaDevices.getUserMedia({ audio: {
			...device ? { deviceId: { exact: device } } : {},
			channelCount: 1,
			echoCancellation: true,
			noiseSuppression: true,
			autoGainControl: true
		} });
	} catch (error) {
		throw explained(error, device);
	}
}
/** What `getUserMedia` says, in words and with a way on. */
function explained(error, device = "") {
	const name = error instanceof Error || error instanceof DOMException ? error.name : "";
	if (name === "NotAllowedError" || name === "SecurityError") return new MicrophoneError("denied");
	if (name === "OverconstrainedError" || name === "NotFoundError" && device) return new MicrophoneError("none", t("The selected microphone is no longer connected. Choose another one in Settings, or type."));
	if (name === "NotFoundError") return new MicrophoneError("none");
	return new MicrophoneError("busy");
}
export { canHear as a, BrowserVoice as i, MicrophoneError as n, canSpeak as o, BrowserEars as r, Microphone as t };

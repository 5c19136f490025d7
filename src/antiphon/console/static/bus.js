// src/voice/bus.ts
var listeners = /* @__PURE__ */ new Map();
var sender = null;
/** Hears messages of one type; the answer takes it back. */
function on(type, listener) {
	const those = listeners.get(type) ?? /* @__PURE__ */ new Set();
	listeners.set(type, those.add(listener));
	return () => those.delete(listener);
}
function heard(message) {
	for (const listener of listeners.get(message.type) ?? []) listener(message);
}
/** Says something to the server. False: there is no open conversation. */
function say(message) {
	return sender?.(message) ?? false;
}
/** The socket in use; null when there is none. */
function speakThrough(send) {
	sender = send;
}
export { speakThrough as i, on as n, say as r, heard as t };

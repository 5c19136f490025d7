import { p as w, t as a } from "./vendor-preact.js";
import { r as useLoad } from "./load.js";
import { l as t } from "./app.js";
import { d as route } from "./router.js";
import { d as Shown } from "./kit.js";
import { a as fullTime } from "./time.js";
import { R as entriesOf } from "./start.js";
import { t as Transcript } from "./transcript.js";
import { d as Entries, o as readShared } from "./api.js";
// src/pages/shared.tsx
/** A conversation that somebody shares: to be read, by whoever has the link. `#/shared/<token>` */
function SharedConversation() {
	const token = route.value.rest[0] ?? "";
	const found = useLoad((signal) => readShared(token, signal), [token]);
	return /* @__PURE__ */ a(Shown, {
		of: found,
		children: (shared) => /* @__PURE__ */ a(Read, { shared })
	});
}
function Read({ shared }) {
	const transcript = w(() => {
		const made = new Transcript();
		made.restore(entriesOf(shared.entries));
		return made;
	}, [shared]);
	return /* @__PURE__ */ a("article", {
		class: "shared",
		children: [/* @__PURE__ */ a("header", { children: [/* @__PURE__ */ a("h2", { children: shared.title }), /* @__PURE__ */ a("p", {
			class: "hint",
			children: t("Shared, read-only. Last updated {when}.", { when: fullTime(shared.updated_at) })
		})] }), /* @__PURE__ */ a(Entries, {
			transcript,
			label: t("Transcript")
		})]
	});
}
export { SharedConversation as default };

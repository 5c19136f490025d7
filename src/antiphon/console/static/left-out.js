import { v as Icon } from "./kit.js";
import { t as a } from "./vendor-preact.js";
// src/pages/playbooks/left-out.tsx
/** Files of one's own that cannot be used, and why. */
function LeftOutFiles({ files, folder, what }) {
	if (!files.length) return null;
	return /* @__PURE__ */ a("div", {
		class: "problem left-out",
		role: "status",
		children: [/* @__PURE__ */ a(Icon, { name: "warn" }), /* @__PURE__ */ a("div", { children: [/* @__PURE__ */ a("p", { children: [
			files.length === 1 ? "A file is" : `${files.length} files are`,
			" no ",
			what,
			" and left out, in ",
			/* @__PURE__ */ a("code", { children: folder }),
			":"
		] }), /* @__PURE__ */ a("ul", { children: files.map((each) => /* @__PURE__ */ a("li", { children: [
			/* @__PURE__ */ a("strong", { children: each.file }),
			": ",
			each.reason
		] }, each.file)) })] })]
	});
}
export { LeftOutFiles as t };

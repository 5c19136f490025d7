import { s as plural } from "./app.js";
import { n as Icon } from "./icons.js";
import { t as a } from "./vendor-preact.js";
// src/pages/playbooks/left-out.tsx
/** Files of one's own that cannot be used, and why. */
function LeftOutFiles({ files, folder }) {
	if (!files.length) return null;
	return /* @__PURE__ */ a("div", {
		class: "problem left-out",
		role: "status",
		children: [/* @__PURE__ */ a(Icon, { name: "warn" }), /* @__PURE__ */ a("div", { children: [/* @__PURE__ */ a("p", { children: plural(files.length, "{count} file in {folder} is not valid and was skipped:", "{count} files in {folder} are not valid and were skipped:", { folder }) }), /* @__PURE__ */ a("ul", { children: files.map((each) => /* @__PURE__ */ a("li", { children: [
			/* @__PURE__ */ a("strong", { children: each.file }),
			": ",
			each.reason
		] }, each.file)) })] })]
	});
}
export { LeftOutFiles as t };

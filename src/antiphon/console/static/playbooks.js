import { t as Empty } from "./app.js";
import { t as a } from "./vendor-preact.js";
// src/pages/playbooks.tsx
function Page() {
	return /* @__PURE__ */ a(Empty, { title: "playbooks" });
}
export { Page as default };

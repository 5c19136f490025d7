import { t as Empty } from "./app.js";
import { t as a } from "./vendor-preact.js";
// src/pages/audit.tsx
function Page() {
	return /* @__PURE__ */ a(Empty, { title: "audit" });
}
export { Page as default };

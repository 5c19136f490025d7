import { t as Empty } from "./app.js";
import { t as a } from "./vendor-preact.js";
// src/pages/workflows.tsx
function Page() {
	return /* @__PURE__ */ a(Empty, { title: "workflows" });
}
export { Page as default };

import { t as Empty } from "./app.js";
import { t as a } from "./vendor-preact.js";
// src/pages/metrics.tsx
function Page() {
	return /* @__PURE__ */ a(Empty, { title: "metrics" });
}
export { Page as default };

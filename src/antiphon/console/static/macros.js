import { t as Empty } from "./app.js";
import { t as a } from "./vendor-preact.js";
// src/pages/macros.tsx
function Page() {
	return /* @__PURE__ */ a(Empty, { title: "macros" });
}
export { Page as default };

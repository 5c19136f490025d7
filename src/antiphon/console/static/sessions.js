import { t as Empty } from "./app.js";
import { t as a } from "./vendor-preact.js";
// src/pages/sessions.tsx
function Page() {
	return /* @__PURE__ */ a(Empty, { title: "sessions" });
}
export { Page as default };

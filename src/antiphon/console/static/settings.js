import { t as Empty } from "./app.js";
import { t as a } from "./vendor-preact.js";
// src/pages/settings.tsx
function Page() {
	return /* @__PURE__ */ a(Empty, { title: "settings" });
}
export { Page as default };

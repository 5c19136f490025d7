import { t as Empty } from "./app.js";
import { t as a } from "./vendor-preact.js";
// src/pages/tools.tsx
function Page() {
	return /* @__PURE__ */ a(Empty, { title: "tools" });
}
export { Page as default };

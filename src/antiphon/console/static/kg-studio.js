import { t as Empty } from "./app.js";
import { t as a } from "./vendor-preact.js";
// src/pages/kg-studio.tsx
function Page() {
	return /* @__PURE__ */ a(Empty, { title: "kg-studio" });
}
export { Page as default };

import { t as Empty } from "./app.js";
import { t as a } from "./vendor-preact.js";
// src/pages/agents.tsx
function Page() {
	return /* @__PURE__ */ a(Empty, { title: "agents" });
}
export { Page as default };

import { t as Empty } from "./app.js";
import { t as a } from "./vendor-preact.js";
// src/pages/projects.tsx
function Page() {
	return /* @__PURE__ */ a(Empty, { title: "projects" });
}
export { Page as default };

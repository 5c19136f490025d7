import { t as Empty } from "./app.js";
import { t as a } from "./vendor-preact.js";
// src/pages/experts.tsx
function Page() {
	return /* @__PURE__ */ a(Empty, { title: "experts" });
}
export { Page as default };

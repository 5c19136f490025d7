import { t as Empty } from "./app.js";
import { t as a } from "./vendor-preact.js";
// src/pages/vox.tsx
function Page() {
	return /* @__PURE__ */ a(Empty, { title: "vox" });
}
export { Page as default };

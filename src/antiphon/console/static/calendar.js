import { t as Empty } from "./app.js";
import { t as a } from "./vendor-preact.js";
// src/pages/calendar.tsx
function Page() {
	return /* @__PURE__ */ a(Empty, { title: "calendar" });
}
export { Page as default };

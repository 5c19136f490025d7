import { t as Empty } from "./app.js";
import { t as a } from "./vendor-preact.js";
// src/pages/chat.tsx
function Page() {
	return /* @__PURE__ */ a(Empty, { title: "chat" });
}
export { Page as default };

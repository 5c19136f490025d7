import { c as rich, l as t } from "./app.js";
import { t as PipelinePage } from "./pipeline-page.js";
import { t as a } from "./vendor-preact.js";
// src/pages/agents.tsx
var WORDS = {
	kind: "agent",
	list: t("Agents"),
	run: t("Run agent"),
	nothing: t("A run continues in the background, even when you leave this page."),
	missing: (name) => t("There is no agent “{name}”. Choose one from the list.", { name }),
	back: t("All agents"),
	files: (folder) => rich("Add your own: TOML files with {members}, in {folder}.", {
		members: /* @__PURE__ */ a("code", { children: "title, description, input, steps" }),
		folder
	}),
	tours: {
		list: "agents-list",
		input: "agents-input",
		run: "agents-run",
		outcome: "agents-result"
	}
};
function Agents() {
	return /* @__PURE__ */ a(PipelinePage, { words: WORDS });
}
export { Agents as default };

import { c as rich, l as t } from "./app.js";
import { t as PipelinePage } from "./pipeline-page.js";
import { t as a } from "./vendor-preact.js";
// src/pages/workflows.tsx
var WORDS = {
	kind: "workflow",
	list: t("Workflows"),
	run: t("Run workflow"),
	nothing: t("A run continues in the background, even when you leave this page."),
	missing: (name) => t("There is no workflow “{name}”. Choose one from the list.", { name }),
	back: t("All workflows"),
	files: (folder) => rich("Add your own: JSON files with {members}, in {folder}.", {
		members: /* @__PURE__ */ a("code", { children: "title, description, input, steps" }),
		folder
	}),
	tours: {
		list: "workflows-templates",
		input: "workflows-input",
		run: "workflows-run",
		outcome: "workflows-progress"
	}
};
function Workflows() {
	return /* @__PURE__ */ a(PipelinePage, { words: WORDS });
}
export { Workflows as default };

import { t as PipelinePage } from "./pipeline-page.js";
import { t as a } from "./vendor-preact.js";
// src/pages/workflows.tsx
var WORDS = {
	kind: "workflows",
	one: "workflow",
	list: "Workflow templates",
	run: "Run the workflow",
	steps: "What it does, step by step",
	nothing: "Run it, and it goes on in the background. What came of it is kept here for a week.",
	format: "JSON",
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

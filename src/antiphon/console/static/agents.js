import { t as PipelinePage } from "./pipeline-page.js";
import { t as a } from "./vendor-preact.js";
// src/pages/agents.tsx
var WORDS = {
	kind: "agents",
	one: "agent",
	list: "Agents",
	run: "Run the agent",
	steps: "How it works, step by step",
	nothing: "Give it a task. It works in the background, and what it found is kept here for a week.",
	format: "TOML",
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

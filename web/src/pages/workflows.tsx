import { PipelinePage, type Words } from "./workflows/pipeline-page";

const WORDS: Words = {
  kind: "workflows",
  one: "workflow",
  list: "Workflow templates",
  run: "Run the workflow",
  steps: "What it does, step by step",
  nothing: "Run it, and it goes on in the background. What came of it is kept here for a week.",
  format: "JSON",
  tours: { list: "workflows-templates", input: "workflows-input", run: "workflows-run", outcome: "workflows-progress" },
};

export default function Workflows() {
  return <PipelinePage words={WORDS} />;
}

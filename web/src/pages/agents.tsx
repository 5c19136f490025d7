import { PipelinePage, type Words } from "./workflows/pipeline-page";

const WORDS: Words = {
  kind: "agents",
  one: "agent",
  list: "Agents",
  run: "Run the agent",
  steps: "How it works, step by step",
  nothing: "Give it a task. It works in the background, and what it found is kept here for a week.",
  format: "TOML",
  tours: { list: "agents-list", input: "agents-input", run: "agents-run", outcome: "agents-result" },
};

export default function Agents() {
  return <PipelinePage words={WORDS} />;
}

import { rich, t } from "../i18n";
import { PipelinePage, type Words } from "./automations/pipeline-page";

const WORDS: Words = {
  kind: "agent",
  list: t("Agents"),
  run: t("Run agent"),
  nothing: t("A run continues in the background, even when you leave this page."),
  missing: (name) => t("There is no agent “{name}”. Choose one from the list.", { name }),
  back: t("All agents"),
  files: (folder) => rich("Add your own: TOML files with {members}, in {folder}.", { members: <code>title, description, input, steps</code>, folder }),
  tours: { list: "agents-list", input: "agents-input", run: "agents-run", outcome: "agents-result" },
};

export default function Agents() {
  return <PipelinePage words={WORDS} />;
}

import { rich, t } from "../i18n";
import { PipelinePage, type Words } from "./automations/pipeline-page";

const WORDS: Words = {
  kind: "workflow",
  list: t("Workflows"),
  run: t("Run workflow"),
  nothing: t("A run continues in the background, even when you leave this page."),
  missing: (name) => t("There is no workflow “{name}”. Choose one from the list.", { name }),
  back: t("All workflows"),
  files: (folder) => rich("Add your own: JSON files with {members}, in {folder}.", { members: <code>title, description, input, steps</code>, folder }),
  tours: { list: "workflows-templates", input: "workflows-input", run: "workflows-run", outcome: "workflows-progress" },
};

export default function Workflows() {
  return <PipelinePage words={WORDS} />;
}

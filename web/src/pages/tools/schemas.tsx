/** The tool as each provider is told of it, and what that form could not say. */
import { plural, t } from "../../i18n";
import { at, go, route } from "../../router";
import { Badge, Card, CopyButton, Json, Tabs } from "../../ui/kit";
import type { Tool } from "./api";
import { lossInWords } from "./words";

const FORMS = [
  { id: "canonical", title: t("Canonical"), about: t("Calls are validated against this, whatever form the model saw.") },
  { id: "openai", title: "OpenAI", about: t("Chat Completions; the Responses and Realtime APIs get the same, one level flatter.") },
  { id: "openaiStrict", title: "OpenAI strict", about: t("Every member required, every object closed; arguments are converted back before validation.") },
  { id: "geminiNative", title: "Gemini", about: t("The native form, for Live.") },
  { id: "geminiJson", title: "Gemini JSON", about: t("The same as JSON Schema.") },
  { id: "anthropic", title: "Anthropic", about: t("For Claude.") },
  { id: "mcp", title: "MCP", about: t("As a Model Context Protocol server would list it.") },
] as const;
type Form = (typeof FORMS)[number]["id"];

export function Schemas({ tool }: { tool: Tool }) {
  const asked = route.value.query.get("form");
  const form = FORMS.find((each) => each.id === asked) ?? FORMS[0];
  const shown = form.id === "canonical" ? tool.jsonSchema : tool.providerSchemas[form.id];
  const losses = tool.losses?.[form.id] ?? [];
  const characters = JSON.stringify(shown).length;
  const choose = (id: Form) =>
    go(at("tools", [tool.toolId], { ...Object.fromEntries(route.value.query), form: id === "canonical" ? "" : id }), true);
  const tabs = FORMS.map(({ id, title }) => {
    const lost = tool.losses?.[id]?.length;
    return { id, title: lost ? `${title} (${lost})` : title };
  });
  return (
    <Card title={t("Schema by provider")} actions={<CopyButton text={() => JSON.stringify(shown, null, 2)} />}>
      <Tabs label={t("Provider")} tabs={tabs} chosen={form.id} onChoose={choose} />
      <p class="hint">{`${form.about} ${t("About {count} tokens.", { count: Math.ceil(characters / 4) })}`}</p>
      {losses.length ? (
        <div class="tools-losses">
          <p><Badge kind="warn">{plural(losses.length, "{count} loss", "{count} losses")}</Badge> {t("This form cannot express everything. The server still validates all of it.")}</p>
          <ul>
            {losses.map((loss, index) => {
              const { what, where, reason } = lossInWords(loss);
              return <li key={index}>{what} {what.startsWith("That") ? "at" : "of"} <code>{where}</code>: {reason}.</li>;
            })}
          </ul>
        </div>
      ) : form.id === "canonical" ? null : <p class="hint">{t("Nothing is lost in this form.")}</p>}
      <Json value={shown} label={t("Schema: {title}", { title: form.title })} />
    </Card>
  );
}

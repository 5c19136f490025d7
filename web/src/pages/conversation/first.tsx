/** Before anything was said: what this is, three steps to begin with, and things to ask that work right away. */
import { useEffect } from "preact/hooks";

import { get } from "../../api/http";
import { useLoad } from "../../api/load";
import { t } from "../../i18n";
import { at } from "../../router";
import { Icon } from "../../ui/icons";
import { loadStatus, status } from "../../voice/backends";
import { sendText } from "../../voice/conversation";
import { listed } from "./api";
import { EXAMPLES } from "./examples";

/** What each example shows. */
const ABOUT = [
  { icon: "graph", about: t("Looks it up and cites the source") },
  { icon: "book", about: t("Answers from the glossary") },
  { icon: "tool", about: t("Operates this console") },
  { icon: "compass", about: t("Suggests what to try next") },
];

/** The databases that ship. */
const SHIPPED = new Set(["studio", "public", "personal"]);

export function Start() {
  useEffect(() => void loadStatus(), []);
  const asked = useLoad((signal) => listed({ query: "", limit: 1 }, signal), []);
  const bases = useLoad((signal) => get<{ databases: { id: string }[] }>("/api/knowledge", { signal }), []);
  const steps = [
    { title: t("Ask a question"), about: t("Type below, or press the microphone"), href: null, done: (asked.data?.conversations.length ?? 0) > 0 },
    { title: t("Add your own text"), about: t("Paste or upload it, then ask about it"), href: at("kg-studio"), done: bases.data?.databases.some(({ id }) => !SHIPPED.has(id)) ?? false },
    { title: t("Connect a model"), about: t("The built-in one works without a key; others write better"), href: at("settings"), done: status.value?.backends.some(({ name, configured }) => configured && name !== "local") ?? false },
  ];
  return (
    <ol class="first-steps" aria-label={t("First steps")}>
      {steps.map(({ title, about, href, done }, n) => (
        <li key={title} class={done ? "done" : ""}>
          <span class="first-mark">{done ? <Icon name="check" size={14} /> : n + 1}</span>
          <span>{href ? <a href={href}>{title}</a> : <strong>{title}</strong>}{done ? <span class="hidden-visually">{t("done")}</span> : null}<small>{about}</small></span>
        </li>
      ))}
    </ol>
  );
}

export function First() {
  return (
    <div class="first">
      <h2>{t("Ask, and it gets done")}</h2>
      <p class="muted">{t("Antiphon answers from your knowledge and works with your tools. It names its sources, and asks you before it changes anything.")}</p>
      <Start />
      <ul class="first-examples" aria-label={t("Examples")}>
        {EXAMPLES.map((text, n) => (
          <li key={text}>
            <button type="button" class="first-example" onClick={() => sendText(text)}>
              <Icon name={ABOUT[n]!.icon} /><span>{text}<small>{ABOUT[n]!.about}</small></span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

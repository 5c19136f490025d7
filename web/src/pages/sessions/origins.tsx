/** Where the values of a call came from, and what was read before it. */
import { rich, t } from "../../i18n";
import type { CallOrigins } from "./shapes";

const KINDS: Record<string, string> = {
  said: t("the person's words"),
  result: t("a trusted result"),
  untrusted: t("text of others"),
  default: t("default"),
  model: t("chosen by the model"),
};

export function Origins({ origins }: { origins: CallOrigins }) {
  const { values, read, planned, private: kept, secret } = origins;
  const places = Object.entries(values);
  return (
    <>
      <h4>{t("Where the values come from")}</h4>
      {read ? <p class="hint">{rich("Decided after reading {source}.", { source: <strong>{read}</strong> })}{" "}
        {planned ? t("The person's request needs the tool.") : t("The person's request does not need the tool.")}</p> : null}
      {places.length ? (
        <ul class="sessions-origins">
          {places.map(([place, kind]) => (
            <li key={place} class={kind}>
              <code>{place || "/"}</code> {KINDS[kind] ?? kind}
              {origins.new?.includes(place) ? <> · {t("new destination")}</> : null}
              {secret?.includes(place) ? <> · {t("has a secret in it")}</> : kept?.includes(place) ? <> · {t("has private data in it")}</> : null}
            </li>
          ))}
        </ul>
      ) : <p class="hint">{t("It has no values.")}</p>}
    </>
  );
}

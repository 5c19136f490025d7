import { useId } from "preact/hooks";

import { LANGUAGES, language, languageOf, rich, t } from "../../i18n";
import { prefer, prefs, type Theme } from "../../stores/prefs";
import { Field } from "../../ui/kit";
import { Section } from "./section";

const THEMES: { id: Theme; label: string }[] = [
  { id: "system", label: t("System default") },
  { id: "light", label: t("Light") },
  { id: "dark", label: t("Dark") },
  { id: "high-contrast", label: t("High contrast") },
];

/** Every module has said its words by now: the page begins anew. What was typed is kept by whoever it was typed to. */
function speak(chosen: string): void {
  prefer({ language: chosen });
  if (languageOf(chosen, navigator.languages) !== language) location.reload();
}

export function Look() {
  const name = useId();
  return (
    <Section part="theme" title={t("Appearance")}>
      <fieldset class="settings-themes">
        <legend class="hidden-visually">{t("Theme")}</legend>
        {THEMES.map(({ id, label }) => (
          <label key={id} class="settings-theme">
            <input type="radio" name={name} checked={prefs.value.theme === id} onChange={() => prefer({ theme: id })} />
            <span class={`settings-swatch ${id}`} aria-hidden="true"><i /><i /></span>
            {label}
          </label>
        ))}
      </fieldset>
      <p class="hint">{rich("You can also say “switch to the dark theme”, or find themes with {keys}.", { keys: <><kbd>Ctrl</kbd> <kbd>K</kbd></> })}</p>
      <Field label={t("Language")} hint={t("The page reloads in that language. The agent and the server’s messages stay in English.")}>
        {(field) => (
          <select {...field} value={prefs.value.language} onChange={(event) => speak(event.currentTarget.value)}>
            <option value="">{t("Browser default")}</option>
            {Object.entries(LANGUAGES).map(([id, name]) => <option key={id} value={id} lang={id}>{name}</option>)}
          </select>
        )}
      </Field>
    </Section>
  );
}

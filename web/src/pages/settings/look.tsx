import { useId } from "preact/hooks";

import { prefer, prefs, type Theme } from "../../stores/prefs";
import { Section } from "./section";

const THEMES: { id: Theme; label: string }[] = [
  { id: "system", label: "As the system has it" },
  { id: "light", label: "Light" },
  { id: "dark", label: "Dark" },
  { id: "high-contrast", label: "High contrast" },
];

export function Look() {
  const name = useId();
  return (
    <Section part="theme" title="Look">
      <fieldset class="settings-themes">
        <legend class="hidden-visually">Theme</legend>
        {THEMES.map(({ id, label }) => (
          <label key={id} class="settings-theme">
            <input type="radio" name={name} checked={prefs.value.theme === id} onChange={() => prefer({ theme: id })} />
            <span class={`settings-swatch ${id}`} aria-hidden="true"><i /><i /></span>
            {label}
          </label>
        ))}
      </fieldset>
      <p class="hint">You can also say “switch to the dark theme”, or find themes with <kbd>Ctrl</kbd> <kbd>K</kbd>.</p>
    </Section>
  );
}

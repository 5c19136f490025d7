/** A field for a password: it can be shown, pasted into, and filled in by a password manager. */
import { useState } from "preact/hooks";

import { t } from "../i18n";
import { Field, IconButton } from "./kit";

/** The shortest password that the server takes. */
export const SHORTEST = 12;

export function Secret({ label, hint, error, name, autocomplete, value, onType, required = true }: {
  label: string; hint?: string; error?: string | undefined; name: string;
  autocomplete: "current-password" | "new-password"; value: string; onType: (text: string) => void; required?: boolean;
}) {
  const [shown, show] = useState(false);
  return (
    <Field label={label} hint={hint} error={error}>
      {(field) => (
        <div class="secret">
          <input {...field} {...(shown ? { type: "text" as const } : { type: "password" as const })} name={name} autocomplete={autocomplete} autocapitalize="none" spellcheck={false}
            required={required} maxLength={1000} value={value} onInput={(event) => onType(event.currentTarget.value)} />
          <IconButton label={shown ? t("Hide password") : t("Show password")} icon={shown ? "eye-off" : "eye"} aria-pressed={shown} onClick={() => show(!shown)} />
        </div>
      )}
    </Field>
  );
}

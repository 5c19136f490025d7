/** The values of a call that is asked about, in the tool's own form. */
import { useEffect, useRef, useState } from "preact/hooks";

import { get } from "../api/http";
import { useLoad } from "../api/load";
import { t } from "../i18n";
import type { WrongValue } from "../stores/confirmations";
import { Shown } from "../ui/kit";
import { focusWrong, type Schema, SchemaForm, unread, type Wrong } from "../ui/schema-form/form";

export interface ChangeFormProps {
  tool: string;
  value: Record<string, unknown>;
  /** What the server did not take of what was written before. */
  wrong: WrongValue[];
  /** Null while something is written that is no value. */
  onChange: (args: Record<string, unknown> | null) => void;
}

export function ChangeForm({ tool, value, wrong, onChange }: ChangeFormProps) {
  const [written, write] = useState<unknown>(value);
  const form = useRef<HTMLDivElement>(null);
  const loaded = useLoad((signal) => get<{ jsonSchema: Schema }>(`/api/tools/${encodeURIComponent(tool)}`, { signal }), [tool]);
  // What the server found wrong belongs to what was sent, until that is changed.
  const errors = written === value ? (wrong as Wrong[]) : [];
  useEffect(() => {
    if (!loaded.data) return;
    if (wrong.length) focusWrong(form.current);
    else form.current?.querySelector<HTMLElement>("input, textarea, select")?.focus();
  }, [loaded.data !== null]);
  const change = (next: unknown) => {
    write(next);
    const whole = typeof next === "object" && next !== null && !Array.isArray(next) && !unread(next).length;
    onChange(whole ? (next as Record<string, unknown>) : null);
  };
  return (
    <div class="confirm-form" ref={form}>
      <Shown of={loaded}>
        {({ jsonSchema }) => <SchemaForm label={t("Values of {tool}", { tool })} schema={jsonSchema} value={written} onChange={change} errors={errors} />}
      </Shown>
    </div>
  );
}

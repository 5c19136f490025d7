/** What can be done with one message: copied, judged, asked again in other words, branched off. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";

import { t } from "../../i18n";
import { toast } from "../../stores/toasts";
import { IconButton, Button } from "../../ui/kit";
import type { AssistantEntry, Opinion, UserEntry } from "../transcript";

export interface Deeds {
  /** Opens a record beside the conversation. */
  openSource: (id: string) => void;
  askAgain?: (entry: UserEntry, text: string) => Promise<void>;
  branch?: (entry: UserEntry | AssistantEntry) => Promise<void>;
  judge?: (entry: AssistantEntry, opinion: Opinion | null) => Promise<void>;
}

/** There when one points at the message, or comes to it by keyboard. */
export function Actions({ near, entry, deeds, onEdit }: {
  near: boolean; entry: UserEntry | AssistantEntry; deeds: Deeds; onEdit?: () => void;
}) {
  const [open, set] = useState(false);
  const opinion = entry.kind === "assistant" ? entry.opinion.value : null;
  return (
    <div class={`entry-actions ${opinion ? "judged" : ""}`} role="group" aria-label={t("Message actions")}>
      {near || open || opinion ? (
        <>
          <IconButton label={t("Copy")} icon="copy" onClick={() => void copy(entry.text.peek())} />
          {entry.kind === "user" && deeds.askAgain && onEdit ? <IconButton label={t("Edit and ask again")} icon="edit" onClick={onEdit} /> : null}
          {deeds.branch ? <IconButton label={t("Branch from here")} icon="branch" onClick={() => void deeds.branch!(entry)} /> : null}
          {entry.kind === "assistant" && deeds.judge ? (
            <>
              <Thumb entry={entry} judge={deeds.judge} which="up" label={t("Good answer")} />
              <Thumb entry={entry} judge={deeds.judge} which="down" label={t("Bad answer")} />
            </>
          ) : null}
        </>
      ) : <button type="button" class="entry-more" aria-label={t("Message actions")} onFocus={() => set(true)} onClick={() => set(true)}>⋯</button>}
    </div>
  );
}

function Thumb({ entry, judge, which, label }: {
  entry: AssistantEntry; judge: NonNullable<Deeds["judge"]>; which: Opinion; label: string;
}) {
  const on = entry.opinion.value === which;
  return (
    <IconButton label={label} icon={`thumb-${which}`} aria-pressed={on} class={on ? "on" : ""}
      onClick={() => void judge(entry, on ? null : which)} />
  );
}

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(t("Copied."), { kind: "good" });
  } catch {
    toast(t("The browser did not allow copying. Select the text and copy it manually."), { kind: "bad" });
  }
}

/** A message as it would have been better put. */
export function Asking({ text, onAsk, onCancel }: { text: string; onAsk: (text: string) => void; onCancel: () => void }) {
  const [typed, type] = useState(text);
  const box = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    box.current!.focus();
    box.current!.setSelectionRange(text.length, text.length);
  }, []);
  const ask = () => typed.trim() && onAsk(typed.trim());
  return (
    <form class="asking" onSubmit={(event) => { event.preventDefault(); ask(); }}>
      <textarea ref={box} aria-label={t("Edited message")} value={typed} rows={2} onInput={(event) => type(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") { event.preventDefault(); event.stopPropagation(); onCancel(); }
          if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          ask();
        }} />
      <div class="row">
        <span class="hint">{t("This starts a branch. The original conversation stays as it is.")}</span>
        <span class="spring" />
        <Button onClick={onCancel}>{t("Cancel")}</Button>
        <Button kind="primary" type="submit" disabled={!typed.trim()}>{t("Ask again")}</Button>
      </div>
    </form>
  );
}

/** The text box: Enter sends, Shift and Enter make a new line. */
import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";

import { Button } from "../../ui/kit";

export function Composer({ label, placeholder, tour, onSend, onStop, disabled, draft }: {
  label: string; placeholder: string; tour: string;
  onSend: (text: string) => void;
  /** While something is being answered: stops it. */
  onStop?: (() => void) | undefined;
  disabled?: boolean;
  /** What was written and not sent; kept by the caller so that it survives a change of page. */
  draft?: { value: string };
}) {
  const own = useSignal("");
  const text = draft ?? own;
  const id = useId();
  const send = () => {
    if (!text.value.trim() || disabled) return;
    onSend(text.value.trim());
    text.value = "";
  };
  return (
    <form class="composer" data-tour={tour} onSubmit={(event) => { event.preventDefault(); send(); }}>
      <label class="hidden-visually" for={id}>{label}</label>
      <textarea id={id} rows={1} placeholder={placeholder} value={text.value} maxLength={32_000}
        onInput={(event) => { text.value = event.currentTarget.value; }}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          send();
        }} />
      {onStop ? <Button icon="stop" onClick={onStop}>Stop</Button> : null}
      <Button kind="primary" type="submit" icon="send" disabled={disabled || !text.value.trim()}>Send</Button>
    </form>
  );
}

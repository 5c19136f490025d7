/** Talk: the conversation by voice, or by typing into the same one. */
import { useEffect } from "preact/hooks";

import { at, go } from "../router";
import { blocked } from "../stores/blocked";
import { addShortcuts } from "../stores/shortcuts";
import { Button, CopyButton, save, Spinner } from "../ui/kit";
import { clear, entries, hangUp, phase, restoring, sendText, sessionId, setup, transcript } from "../voice/conversation";
import { toMarkdown } from "../voice/export";
import { kept } from "../voice/keeping";
import { Composer } from "../voice/view/composer";
import { Entries } from "../voice/view/entries";
import { First } from "./vox/first";
import { Stage } from "./vox/stage";
import "./vox.css";

export default function Talk() {
  useEffect(() => addShortcuts([
    { keys: "Space", label: "Hold to talk, with push-to-talk", group: "Conversation" },
    { keys: "Esc", label: "Interrupt the answer", group: "Conversation" },
    { keys: "Enter", label: "Send what is written", group: "Conversation" },
  ]), []);
  return (
    <div class="vox">
      <section class="vox-said" aria-label="Conversation">
        <Tools />
        <Entries transcript={transcript} label="Transcript" tour="vox-transcript">
          {restoring.value ? <div class="loading"><Spinner label="Loading the conversation" /></div> : <First />}
        </Entries>
        <Composer label="Write instead of speaking" placeholder="Or type here" tour="vox-text-box"
          onSend={sendText} disabled={blocked.value !== null} />
      </section>
      <Stage />
    </div>
  );
}

/** What can be done with the transcript. */
function Tools() {
  const empty = entries.value.length === 0;
  if (empty) return null;
  const id = setup.value?.conversation ?? kept()?.conversation ?? sessionId.value;
  const inWriting = async () => {
    const { takeOver } = await import("./chat/written");
    takeOver(id!, entries.value);
    if (phase.value === "off") clear();
    else hangUp();
    go(at("chat", [id!]));
  };
  return (
    <div class="vox-tools row">
      <CopyButton text={() => toMarkdown(entries.value)} label="Copy" />
      <Button kind="quiet" icon="download" onClick={() => save("conversation.md", toMarkdown(entries.value), "text/markdown")}>Download</Button>
      <span class="spring" />
      {id ? <Button kind="quiet" icon="chat" onClick={() => void inWriting()}>Go on in writing</Button> : null}
      {phase.value === "off" ? <Button kind="quiet" icon="plus" onClick={clear}>New</Button> : null}
    </div>
  );
}

/** The conversation: by voice or in writing, in one place. `#/chat/<id>` is one of them; `#/vox` opens the same page. */
import { useEffect, useRef, useState } from "preact/hooks";

import { t } from "../../i18n";
import { at, go, route } from "../../router";
import { addShortcuts } from "../../stores/shortcuts";
import { Dialog } from "../../ui/dialog";
import { useNarrow } from "../../ui/drawer";
import { Button, Problem, Spinner } from "../../ui/kit";
import { lazy } from "../../ui/lazy";
import { conversationId, entries, transcript } from "../../voice/conversation";
import { loading, problem, renew, show } from "../../voice/thread";
import { Composer } from "../../voice/view/composer";
import { Entries } from "../../voice/view/entries";
import { announced } from "../../voice/written";
import "./conversation.css";
import { deeds, source } from "./deeds";
import { First } from "./first";
import { Live } from "./live";

const Past = lazy(() => import("./past").then((part) => part.Past));
const SourceDrawer = lazy(() => import("./source").then((part) => part.SourceDrawer));

export default function Conversation() {
  const wanted = route.value.rest[0] ?? null;
  const came = useRef(true);
  useEffect(() => {
    const { page } = route.peek();
    // Who comes back from another page comes back to the conversation that they left.
    if (came.current && wanted === null && conversationId.peek()) go(at(page === "vox" ? "vox" : "chat", [conversationId.peek()!]), true);
    else if (wanted !== conversationId.peek()) void show(wanted);
    came.current = false;
    source.value = null;
  }, [wanted]);
  useEffect(() => addShortcuts([
    { keys: "Space", label: t("Hold to talk, in push-to-talk"), group: t("Conversation") },
    { keys: "Esc", label: t("Interrupt the answer"), group: t("Conversation") },
    { keys: "Enter", label: t("Send the message"), group: t("Conversation") },
  ]), []);
  const narrow = useNarrow();
  return (
    <div class={`talk ${source.value ? "with-source" : ""}`}>
      {narrow ? <PastSheet /> : <div class="talk-past"><Past /></div>}
      <section class="talk-said" aria-label={t("Conversation")}>
        <Entries transcript={transcript} label={t("Transcript")} deeds={deeds}>
          {loading.value ? <div class="loading"><Spinner label={t("Loading conversation")} /></div> : problem.value ? null : <First />}
        </Entries>
        {problem.value ? <Problem error={problem.value} /> : null}
        <p class="hidden-visually" role="status">{announced.value}</p>
        <Live />
        <Composer />
      </section>
      {source.value ? <SourceDrawer id={source.value} onClose={() => (source.value = null)} /> : null}
    </div>
  );
}

/** On a narrow screen the other conversations come over this one. */
function PastSheet() {
  const [open, set] = useState(false);
  return (
    <div class="talk-head" data-tour="chat-past">
      <Button kind="quiet" icon="list" aria-haspopup="dialog" onClick={() => set(true)}>{t("Conversations")}</Button>
      <span class="spring" />
      {entries.value.length ? <Button kind="quiet" icon="plus" onClick={renew}>{t("New")}</Button> : null}
      {open ? <Dialog title={t("Conversations")} class="past-sheet" onClose={() => set(false)}><Past onChosen={() => set(false)} /></Dialog> : null}
    </div>
  );
}

/** How a conversation is taken up again, where that can be done. */
import { said } from "../../api/http";
import { at, go } from "../../router";
import { conversation, talking } from "../../stores/talk";
import { toast } from "../../stores/toasts";
import { Icon } from "../../ui/icons";
import { Button } from "../../ui/kit";
import { waysOn, type Session } from "./shapes";

export function Resume({ session }: { session: Session }) {
  const ways = waysOn(session);
  const open = talking.value;
  if (open && conversation.value?.sessionId.value === session.id) {
    return (
      <div class="row" data-tour="sessions-resume">
        <a class="button primary" href={at("vox")}><Icon name="mic" size={16} />Back to this conversation</a>
        <span class="hint">It is the one that is open in this tab.</span>
      </div>
    );
  }
  if (!ways.length) {
    return (
      <p class="hint" data-tour="sessions-resume">
        Nothing was said here, so there is nothing to take up again.{session.active ? " Calls can still be made over HTTP." : ""}
      </p>
    );
  }
  return (
    <div class="row" data-tour="sessions-resume">
      {ways.map((way, index) => (way.page === "chat" ? (
        <a key={way.page} class="button primary" href={at("chat", [session.id])}><Icon name="chat" size={16} />{way.title}</a>
      ) : (
        <Button key={way.page} kind={index ? "plain" : "primary"} icon="mic" disabled={open} onClick={() => void byVoice(session)}>{way.title}</Button>
      )))}
      <span class="hint">{open ? "Another conversation is open; hang up to take up this one by voice." : ways[0]!.hint}</span>
    </div>
  );
}

async function byVoice({ id, profile, mode }: Session): Promise<void> {
  try {
    const { start } = await import("../../voice/conversation");
    go(at("vox"));
    await start({ conversation: id, ...(profile && mode === "voice" ? { profile } : {}) });
  } catch (error) {
    toast(said(error), { kind: "bad" });
  }
}

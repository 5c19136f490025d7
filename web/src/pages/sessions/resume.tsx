/** How a conversation is continued, where that can be done. */
import { t } from "../../i18n";
import { at } from "../../router";
import { conversation, talking } from "../../stores/talk";
import { Icon } from "../../ui/icons";
import type { Session } from "./shapes";

export function Resume({ session }: { session: Session }) {
  const open = talking.value && conversation.value?.conversationId.value === session.id;
  if (!open && !session.about) {
    return <p class="hint" data-tour="sessions-resume">{t("Nothing was said in this session; it only made calls.")}</p>;
  }
  return (
    <div class="row" data-tour="sessions-resume">
      <a class="button primary" href={at("chat", [session.id])}><Icon name="chat" size={16} />{t("Open conversation")}</a>
      <span class="hint">{open ? t("This conversation is open in this tab.") : t("Read it and continue where you left off.")}</span>
    </div>
  );
}

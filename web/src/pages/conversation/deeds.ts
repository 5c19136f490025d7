/** What can be done with the messages of the conversation that is open. */
import { signal } from "@preact/signals";

import { said } from "../../api/http";
import { t } from "../../i18n";
import { toast } from "../../stores/toasts";
import { conversationId, entries, sendText } from "../../voice/conversation";
import { takeBranch } from "../../voice/thread";
import type { Deeds } from "../../voice/view/actions";
import { branch, judge, turnOf } from "./api";

/** The record that is open beside the conversation. */
export const source = signal<string | null>(null);
/** Counts what the list of conversations has not seen yet. */
export const changes = signal(0);

async function tried(deed: (id: string) => Promise<void>): Promise<void> {
  const id = conversationId.peek();
  if (!id) return;
  try {
    await deed(id);
  } catch (error) {
    toast(said(error), { kind: "bad" });
  }
}

export const deeds: Deeds = {
  openSource: (id) => {
    source.value = id;
  },
  askAgain: (entry, text) => tried(async (id) => {
    const made = await branch(id, await turnOf(id, entry), false);
    takeBranch(made.id, entries.peek().slice(0, entries.peek().indexOf(entry)));
    sendText(text);
  }),
  branch: (entry) => tried(async (id) => {
    const made = await branch(id, await turnOf(id, entry), true);
    takeBranch(made.id, entries.peek().slice(0, entries.peek().indexOf(entry) + 1));
    changes.value++;
    toast(t("This is a branch. The original conversation is unchanged."));
  }),
  judge: (entry, opinion) => {
    const before = entry.opinion.peek();
    entry.opinion.value = opinion;
    return tried(async (id) => {
      try {
        await judge(id, await turnOf(id, entry), opinion);
      } catch (error) {
        entry.opinion.value = before;
        throw error;
      }
    });
  },
};

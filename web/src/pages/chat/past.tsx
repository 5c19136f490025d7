/** Conversations in writing from before. */
import { get } from "../../api/http";
import { useLoad } from "../../api/load";
import { at } from "../../router";
import { ago } from "../../ui/time";
import { answering, sessionId } from "./written";

interface Session {
  id: string;
  about: string | null;
  updated_at: number;
  active: boolean;
}

const SHOWN = 30;

export function Past() {
  // Asked again when a conversation gets its name, and when an answer is over.
  const found = useLoad(
    (signal) => get<{ sessions: Session[] }>("/api/sessions", { query: { mode: "text", limit: 100 }, signal }),
    [sessionId.value, answering.value],
  );
  const those = (found.data?.sessions ?? []).filter((each) => each.about).slice(0, SHOWN);
  if (!those.length) return <nav class="chat-past" aria-label="Conversations" hidden />;
  return (
    <nav class="chat-past" aria-label="Conversations">
      <h2>Conversations</h2>
      <ul class="list">
        {those.map(({ id, about, updated_at: when, active }) => (
          <li key={id}>
            <a class="list-item" href={at("chat", [id])} aria-current={id === sessionId.value ? "page" : undefined}>
              <span class="chat-about">{about}</span>
              <small>{ago(when)}{active ? "" : ", over"}</small>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

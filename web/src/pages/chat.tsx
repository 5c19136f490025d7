/** Chat: the agent in writing. `#/chat/<session>` is one conversation. */
import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

import { at, go, route } from "../router";
import { blocked } from "../stores/blocked";
import { Button, CopyButton, Problem, save, Spinner } from "../ui/kit";
import { toMarkdown } from "../voice/export";
import { Composer } from "../voice/view/composer";
import { Entries } from "../voice/view/entries";
import { ToolCard } from "../voice/view/tool-card";
import { envelopeOutcome, type ToolEntry } from "../voice/transcript";
import { Past } from "./chat/past";
import { Who } from "./chat/who";
import { announced, answering, draft, loading, open, problem, sessionId, stop, toVoice, transcript, write } from "./chat/written";
import "./chat.css";

export default function Chat() {
  const wanted = route.value.rest[0] ?? null;
  const came = useRef(true);
  useEffect(() => {
    // Who comes back from another page comes back to the conversation that they left.
    if (came.current && wanted === null && sessionId.value) go(at("chat", [sessionId.value]), true);
    else if (wanted !== sessionId.value) void open(wanted);
    came.current = false;
  }, [wanted]);
  const send = (text: string) => void write(text);
  return (
    <div class="chat">
      <Past />
      <section class="chat-said" aria-label="Conversation">
        <Tools />
        {loading.value ? <div class="loading"><Spinner label="Loading the conversation" /></div> : (
          <Entries transcript={transcript} label="Messages" tour="chat-messages">{problem.value ? null : <First onSay={send} />}</Entries>
        )}
        {problem.value ? <Problem error={problem.value} /> : null}
        {answering.value ? <p class="chat-busy" role="status"><Spinner /> Answering…</p> : null}
        <p class="hidden-visually" role="status">{announced.value}</p>
        <Composer label="Your message" placeholder="Write a message" tour="chat-input" draft={draft} onSend={send}
          onStop={answering.value ? stop : undefined} disabled={answering.value || blocked.value !== null} />
      </section>
    </div>
  );
}

function Tools() {
  const some = transcript.entries.value.length > 0;
  return (
    <div class="chat-tools">
      <Who />
      <span class="spring" />
      {some ? <CopyButton text={() => toMarkdown(transcript.entries.value)} /> : null}
      {some ? <Button kind="quiet" icon="download" onClick={() => save("conversation.md", toMarkdown(transcript.entries.value), "text/markdown")}>Download</Button> : null}
      {some ? <Button kind="quiet" icon="plus" onClick={() => go(at("chat"))}>New</Button> : null}
      <Button icon="mic" data-tour="chat-to-voice" disabled={blocked.value !== null} onClick={() => void toVoice()}>Talk instead</Button>
    </div>
  );
}

/** Each works with the built-in model and the knowledge that ships. */
const EXAMPLES = ["Who leads Harbor Light?", "What is the budget of Atlas?", "When am I free tomorrow?", "Let's talk instead"];

const EXAMPLE_CARD: ToolEntry = {
  kind: "tool",
  id: 0,
  at: 0,
  callId: null,
  name: "kb_search",
  args: { query: "Who leads Harbor Light?" },
  decision: { outcome: "run", rule: "run" },
  here: false,
  outcome: signal(envelopeOutcome({ ok: true, data: { results: [{ id: "project:harbor_light", title: "Harbor Light" }] }, meta: { duration: 18 } })),
};

function First({ onSay }: { onSay: (text: string) => void }) {
  return (
    <div class="chat-first">
      <h2>Ask in writing</h2>
      <p class="muted">Answers come from your knowledge and your tools, and say what they rest on. Try one of these:</p>
      <ul>{EXAMPLES.map((text) => <li key={text}><Button onClick={() => onSay(text)}>{text}</Button></li>)}</ul>
      <div class="chat-example">
        <p class="hint">When a tool is used, a card like this one says what was asked, by which rule it was allowed or refused, and what came back:</p>
        <ToolCard entry={EXAMPLE_CARD} />
      </div>
    </div>
  );
}

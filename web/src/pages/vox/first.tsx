/** Before anything was said: what this is, and things to say that work right away. */
import { Icon } from "../../ui/icons";
import { sendText } from "../../voice/conversation";

/** Each works with the built-in model and the knowledge that ships. */
export const EXAMPLES = [
  { text: "Who leads Harbor Light?", icon: "graph", about: "Looks it up and cites the record" },
  { text: "What does idempotent mean?", icon: "book", about: "Answers from the glossary" },
  { text: "Open the tools page", icon: "tool", about: "Drives this console" },
  { text: "Show me around", icon: "compass", about: "A tour of this page" },
] as const;

export function First() {
  return (
    <div class="vox-first">
      <h2>Talk to your workspace</h2>
      <p class="muted">Ask about what it knows, have it open pages and run tools. Press Talk and say one of these, or click it:</p>
      <ul>
        {EXAMPLES.map(({ text, icon, about }) => (
          <li key={text}>
            <button type="button" class="vox-example" onClick={() => sendText(text)}>
              <Icon name={icon} /><span>“{text}”<small>{about}</small></span>
            </button>
          </li>
        ))}
      </ul>
      <p class="hint">You are asked before anything of high risk, or that cannot be taken back. Everything that is said and done is kept under <a href="#/sessions">Sessions</a>.</p>
    </div>
  );
}

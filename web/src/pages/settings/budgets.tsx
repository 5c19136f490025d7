import { get } from "../../api/http";
import { useLoad } from "../../api/load";
import { inWords } from "../../overlays/now";
import { TALK_PROFILE } from "../../stores/talk";
import { Badge, Problem, Shown } from "../../ui/kit";
import { duration } from "../../ui/time";
import { Section } from "./section";

interface Budget {
  retrieval_calls: number | null;
  total_calls: number | null;
  write_calls: number | null;
  open_questions: number | null;
  rounds: number | null;
  top_k: number | null;
  tool_time_ms: number | null;
}

interface Side { backend: string; model: string | null; voice: string | null; budget: Budget }

interface Profiles {
  profiles: { name: string; description: string; tools: string[]; text: Side; voice: Side }[];
  default: string;
  limits: { same_call_limit: number; empty_result_limit: number; nested_calls: number; nested_depth: number; confirmation_seconds: number };
  broken: { name: string; problems: string[] }[];
}

const ROWS: { key: keyof Budget; label: string; rule: string }[] = [
  { key: "total_calls", label: "Calls of tools", rule: "budget.calls" },
  { key: "retrieval_calls", label: "Calls that look something up", rule: "budget.retrieval" },
  { key: "write_calls", label: "Calls that change something", rule: "budget.writes" },
  { key: "open_questions", label: "Questions that wait for an answer", rule: "budget.questions" },
  { key: "rounds", label: "Rounds of tool use", rule: "budget.rounds" },
  { key: "top_k", label: "Results asked for at most", rule: "arguments" },
  { key: "tool_time_ms", label: "Time before the agent is told to hurry", rule: "" },
];

export function Budgets() {
  const loaded = useLoad((signal) => get<Profiles>("/api/profiles", { signal }), []);
  return (
    <Section part="budgets" title="Budgets in force">
      <p class="hint">What an agent may use in one turn. They come from its profile; when one is used up, the call is refused and the rule is named.</p>
      <Shown of={loaded}>
        {({ profiles, limits, broken, ...known }) => (
          <>
            {profiles.map((profile) => (
              <div class="stack settings-profile" key={profile.name}>
                <div class="row">
                  <h3>{profile.name}</h3>
                  {profile.name === TALK_PROFILE ? <Badge kind="accent">in this console</Badge> : null}
                  {profile.name === known.default ? <Badge kind="accent">over HTTP and in the terminal by default</Badge> : null}
                  <Badge>{profile.tools.length} tools</Badge>
                  <span class="hint">{profile.description}</span>
                </div>
                <div class="table-box" tabIndex={0} role="region" aria-label={`Budgets of ${profile.name}`}>
                  <table>
                    <thead><tr><th scope="col">In one turn</th><th scope="col" class="number">By voice</th><th scope="col" class="number">In writing</th><th scope="col">Rule</th></tr></thead>
                    <tbody>
                      {ROWS.map(({ key, label, rule }) => (
                        <tr key={key}>
                          <th scope="row">{label}</th>
                          <td class="number">{amount(key, profile.voice.budget[key])}</td>
                          <td class="number">{amount(key, profile.text.budget[key])}</td>
                          <td>{rule ? <code>{rule}</code> : <span class="muted">a warning only</span>}</td>
                        </tr>
                      ))}
                      <tr>
                        <th scope="row">Who answers</th>
                        <td class="number">{profile.voice.backend}</td><td class="number">{profile.text.backend}</td>
                        <td class="muted">unless you choose</td>
                      </tr>
                    </tbody>
                  </table>
                </div>
              </div>
            ))}
            {broken.map(({ name, problems }) => <Problem key={name} error={`The profile ${name} cannot be used. ${problems.join(" ")}`} />)}
            <p class="hint">
              For every profile: the same call at most {limits.same_call_limit - 1} times in a turn, {limits.empty_result_limit} empty
              results of a tool are enough, one call leads to at most {limits.nested_calls} others and {limits.nested_depth} deep, and
              a question that nobody answers within {inWords(limits.confirmation_seconds * 1000)} is a no.
            </p>
          </>
        )}
      </Shown>
    </Section>
  );
}

function amount(key: keyof Budget, value: number | null): string {
  if (value === null) return "no limit";
  return key === "tool_time_ms" ? duration(value) : String(value);
}

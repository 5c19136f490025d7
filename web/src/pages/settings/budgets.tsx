import { get } from "../../api/http";
import { useLoad } from "../../api/load";
import { plural, rich, t } from "../../i18n";
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
  { key: "total_calls", label: t("Calls of tools"), rule: "budget.calls" },
  { key: "retrieval_calls", label: t("Calls that look something up"), rule: "budget.retrieval" },
  { key: "write_calls", label: t("Calls that change something"), rule: "budget.writes" },
  { key: "open_questions", label: t("Questions that wait for an answer"), rule: "budget.questions" },
  { key: "rounds", label: t("Rounds of tool use"), rule: "budget.rounds" },
  { key: "top_k", label: t("Results asked for at most"), rule: "arguments" },
  { key: "tool_time_ms", label: t("Time before the agent is told to hurry"), rule: "" },
];

export function Budgets() {
  const loaded = useLoad((signal) => get<Profiles>("/api/profiles", { signal }), []);
  return (
    <Section part="budgets" title={t("Budgets in force")}>
      <p class="hint">{t("What an agent may use in one turn. They come from its profile; when one is used up, the call is refused and the rule is named.")}</p>
      <Shown of={loaded}>
        {({ profiles, limits, broken, ...known }) => (
          <>
            {profiles.map((profile) => (
              <div class="stack settings-profile" key={profile.name}>
                <div class="row">
                  <h3>{profile.name}</h3>
                  {profile.name === TALK_PROFILE ? <Badge kind="accent">{t("in this console")}</Badge> : null}
                  {profile.name === known.default ? <Badge kind="accent">{t("over HTTP and in the terminal by default")}</Badge> : null}
                  <Badge>{plural(profile.tools.length, "{count} tool", "{count} tools")}</Badge>
                  <span class="hint">{profile.description}</span>
                </div>
                <div class="table-box" tabIndex={0} role="region" aria-label={t("Budgets of {name}", { name: profile.name })}>
                  <table>
                    <thead><tr><th scope="col">{t("In one turn")}</th><th scope="col" class="number">{t("By voice")}</th><th scope="col" class="number">{t("In writing")}</th><th scope="col">{t("Rule")}</th></tr></thead>
                    <tbody>
                      {ROWS.map(({ key, label, rule }) => (
                        <tr key={key}>
                          <th scope="row">{label}</th>
                          <td class="number">{amount(key, profile.voice.budget[key])}</td>
                          <td class="number">{amount(key, profile.text.budget[key])}</td>
                          <td>{rule ? <code>{rule}</code> : <span class="muted">{t("a warning only")}</span>}</td>
                        </tr>
                      ))}
                      <tr>
                        <th scope="row">{t("Who answers")}</th>
                        <td class="number">{profile.voice.backend}</td><td class="number">{profile.text.backend}</td>
                        <td class="muted">{t("unless you choose")}</td>
                      </tr>
                    </tbody>
                  </table>
                </div>
              </div>
            ))}
            {broken.map(({ name, problems }) => <Problem key={name} error={t("The profile {name} cannot be used. {problems}", { name, problems: problems.join(" ") })} />)}
            <p class="hint">
              {rich("For every profile: the same call at most {same_call_limit} times in a turn, {empty_result_limit} empty results of a tool are enough, one call leads to at most {nested_calls} others and {nested_depth} deep, and a question that nobody answers within {confirmation_seconds} is a no.", { same_call_limit: limits.same_call_limit - 1, empty_result_limit: limits.empty_result_limit, nested_calls: limits.nested_calls, nested_depth: limits.nested_depth, confirmation_seconds: inWords(limits.confirmation_seconds * 1000) })}
            </p>
          </>
        )}
      </Shown>
    </Section>
  );
}

function amount(key: keyof Budget, value: number | null): string {
  if (value === null) return t("no limit");
  return key === "tool_time_ms" ? duration(value) : String(value);
}

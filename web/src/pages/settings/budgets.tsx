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
  { key: "total_calls", label: t("Tool calls"), rule: "budget.calls" },
  { key: "retrieval_calls", label: t("Lookups"), rule: "budget.retrieval" },
  { key: "write_calls", label: t("Writes"), rule: "budget.writes" },
  { key: "open_questions", label: t("Open approvals"), rule: "budget.questions" },
  { key: "rounds", label: t("Rounds of tool use"), rule: "budget.rounds" },
  { key: "top_k", label: t("Results per search"), rule: "arguments" },
  { key: "tool_time_ms", label: t("Time before a hurry-up notice"), rule: "" },
];

export function Budgets() {
  const loaded = useLoad((signal) => get<Profiles>("/api/profiles", { signal }), []);
  return (
    <Section part="budgets" title={t("Budgets")}>
      <p class="hint">{t("What an agent may use in one turn: by voice / in writing. A call beyond that is refused, and the rule is named.")}</p>
      <Shown of={loaded}>
        {({ profiles, limits, broken, ...known }) => (
          <>
            <div class="table-box" tabIndex={0} role="region" aria-label={t("Budgets by agent")}>
              <table class="settings-budgets">
                <thead>
                  <tr>
                    <th scope="col">{t("Per turn")}</th>
                    {profiles.map(({ name, description, tools }) => (
                      <th key={name} scope="col" class="number" title={description}>
                        {name} <small>{plural(tools.length, "{count} tool", "{count} tools")}</small>
                        {name === TALK_PROFILE ? <Badge kind="accent">{t("this console")}</Badge> : null}
                        {name === known.default ? <Badge kind="second">{t("HTTP, terminal")}</Badge> : null}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {ROWS.map(({ key, label, rule }) => (
                    <tr key={key}>
                      <th scope="row">{label}{rule ? <code>{rule}</code> : null}</th>
                      {profiles.map(({ name, voice, text }) => <td key={name} class="number">{amount(key, voice.budget[key])} / {amount(key, text.budget[key])}</td>)}
                    </tr>
                  ))}
                  <tr>
                    <th scope="row">{t("Default model")}</th>
                    {profiles.map(({ name, voice, text }) => <td key={name} class="number">{voice.backend === text.backend ? voice.backend : `${voice.backend} / ${text.backend}`}</td>)}
                  </tr>
                </tbody>
              </table>
            </div>
            {broken.map(({ name, problems }) => <Problem key={name} error={t("The agent {name} cannot be used. {problems}", { name, problems: problems.join(" ") })} />)}
            <p class="hint">
              {rich("For every agent: the same call at most {same_call_limit} times per turn, at most {empty_result_limit} empty results per tool, at most {nested_calls} nested calls, {nested_depth} deep; an approval that is not answered within {confirmation_seconds} is denied.", { same_call_limit: limits.same_call_limit - 1, empty_result_limit: limits.empty_result_limit, nested_calls: limits.nested_calls, nested_depth: limits.nested_depth, confirmation_seconds: inWords(limits.confirmation_seconds * 1000) })}
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

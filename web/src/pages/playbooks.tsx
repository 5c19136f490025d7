/** Playbooks: proven ways to do something, found by what one wants to get done, read step by step. */
import { useLoad } from "../api/load";
import { plural, rich, t } from "../i18n";
import { at, go, route } from "../router";
import { Icon } from "../ui/icons";
import { Badge, Empty, Shown } from "../ui/kit";
import { useTyped } from "../ui/typed";
import { listPlaybooks, type Playbook } from "./playbooks/api";
import { LeftOutFiles } from "./playbooks/left-out";
import { Reader } from "./playbooks/reader";
import "./playbooks.css";

export default function Playbooks() {
  const { rest: [id = ""], query } = route.value;
  const q = query.get("q") ?? "";
  const tag = query.get("tag") ?? "";
  const there = (change: { id?: string; q?: string; tag?: string }) =>
    at("playbooks", [change.id ?? id].filter(Boolean), { q: change.q ?? q, tag: change.tag ?? tag });
  const [typed, type] = useTyped(q, (text) => go(there({ q: text }), true));
  const found = useLoad((signal) => listPlaybooks(q, signal), [q]);
  return (
    <div class={`split playbooks ${id ? "reading" : ""}`}>
      <div class="stack playbooks-side">
        <form role="search" data-tour="playbooks-search" onSubmit={(event) => { event.preventDefault(); go(there({ q: typed.trim() })); }}>
          <div class="playbooks-search">
            <Icon name="search" />
            <input type="search" aria-label={t("Search playbooks")} placeholder={t("What do you want to get done?")} value={typed} maxLength={500}
              onInput={(event) => type(event.currentTarget.value)} />
          </div>
        </form>
        <div class="stack" data-tour="playbooks-list" aria-busy={found.loading}>
          <Shown of={found}>{({ playbooks, folder, left_out }) => {
            const shown = playbooks.filter((each) => !tag || each.tags.includes(tag));
            return (
              <>
                <Tags playbooks={playbooks} tag={tag} href={(to) => there({ tag: to })} />
                <p class="hint" role="status">{q ? plural(shown.length, "{count} match", "{count} best matches") : plural(shown.length, "{count} playbook", "{count} playbooks")}</p>
                {shown.length ? (
                  <ul class="list">
                    {shown.map((each) => <li key={each.id}><Row playbook={each} chosen={each.id === id} href={there({ id: each.id })} /></li>)}
                  </ul>
                ) : (
                  <Empty icon="book" title={t("No matching playbooks")}>
                    <p>{q ? <>{t("Try other words.")} <a href={at("playbooks")}>{t("Show all playbooks")}</a></> : t("Write your own, as described below.")}</p>
                  </Empty>
                )}
                <LeftOutFiles files={left_out} folder={folder} />
                <p class="hint">{rich("Add your own: Markdown files with {members} at the top, in {folder}. They are available at once.", { members: <><code>title</code>, <code>summary</code>, <code>tags</code></>, folder: <code>{folder}</code> })}</p>
              </>
            );
          }}</Shown>
        </div>
      </div>
      <div data-tour="playbooks-reader" class="playbooks-reader">
        {id ? <Reader key={id} id={id} back={at("playbooks", [], { q, tag })} tagged={(each) => at("playbooks", [], { tag: each })} /> : (
          <div class="card"><Empty icon="book" title={t("Choose a playbook")}><p>{t("Or search for what you want to do, or for what went wrong.")}</p></Empty></div>
        )}
      </div>
    </div>
  );
}

function Row({ playbook, chosen, href }: { playbook: Playbook; chosen: boolean; href: string }) {
  return (
    <a class="list-item" href={href} aria-current={chosen ? "page" : undefined}>
      <span class="row"><strong>{playbook.title}</strong><span class="spring" />
        {playbook.score === undefined ? null : <Badge kind={playbook.score >= 0.5 ? "good" : "accent"}><span class="hidden-visually">{t("Score")} </span>{playbook.score.toFixed(2)}</Badge>}</span>
      <small>{playbook.snippet ?? playbook.summary}</small>
    </a>
  );
}

function Tags({ playbooks, tag, href }: { playbooks: Playbook[]; tag: string; href: (tag: string) => string }) {
  const counts = new Map<string, number>();
  for (const each of playbooks) for (const name of each.tags) counts.set(name, (counts.get(name) ?? 0) + 1);
  const tags = [...counts].filter(([name, count]) => count > 1 || name === tag).sort((a, b) => b[1] - a[1]);
  if (!tags.length) return null;
  return (
    <nav class="row" aria-label={t("Tags")}>
      {tags.map(([name, count]) => (
        <a key={name} class="playbooks-tag" href={href(name === tag ? "" : name)} aria-current={name === tag ? "true" : undefined}>{name} <span class="number">{count}</span></a>
      ))}
    </nav>
  );
}

/** What belongs to a project: whatever names it, in the graphs, the calendar and among runs. */
import type { ComponentChildren } from "preact";

import { useLoad } from "../../api/load";
import { t } from "../../i18n";
import { at } from "../../router";
import { Icon } from "../../ui/icons";
import { Badge, Empty, Shown } from "../../ui/kit";
import { ago } from "../../ui/time";
import { eventAddress } from "../calendar/address";
import { whenInWords } from "../calendar/words";
import { loadRelated, type Project, type Related } from "./api";

export function Belongings({ project }: { project: Project }) {
  const related = useLoad((signal) => loadRelated(project.id, signal), [project.id, project.name]);
  return <Shown of={related}>{(found) => <Found project={project} found={found} />}</Shown>;
}

function Found({ project, found }: { project: Project; found: Related }) {
  const nothing = !found.records.length && !found.playbooks.length && !found.events.length && !found.runs.length;
  return (
    <div class="stack">
      {found.problems.map((words) => <p key={words} class="wrong">{words}</p>)}
      {nothing && !found.problems.length ? (
        <Empty icon="search" title={t("Nothing mentions {name} yet", { name: project.name })}>
          <p>{t("Records, playbooks, upcoming events and runs that mention the project appear here.")} <a href={at("kg-studio")}>{t("Add text about it")}</a> · <a href={at("calendar", [], { new: "1" })}>{t("Add an event")}</a></p>
        </Empty>
      ) : null}
      <Part icon="graph" title={t("Knowledge")} items={found.records.map((one) => ({
        key: `${one.database_id}/${one.id}`,
        href: at("kg-studio", [one.database_id, "record", one.id]),
        title: one.title,
        more: <>{one.snippet}</>,
        badge: <Badge>{t("{type} in {database}", { type: one.type, database: one.database_id })}</Badge>,
      }))} />
      <Part icon="calendar" title={t("Upcoming")} items={found.events.map((one) => ({
        key: `${one.id}/${one.start}`,
        href: eventAddress(one),
        title: one.title || t("Untitled"),
        more: <>{whenInWords(one)}</>,
      }))} />
      <Part icon="flow" title={t("Runs")} items={found.runs.map((one) => ({
        key: one.task_id,
        href: at(one.kind === "workflow" ? "workflows" : "agents", [], { task: one.task_id }),
        title: one.name,
        more: <>{one.input}</>,
        badge: <Badge>{one.status}, {ago(one.created_at)}</Badge>,
      }))} />
      <Part icon="book" title={t("Playbooks")} items={found.playbooks.map((one) => ({
        key: one.id,
        href: at("playbooks", [one.id]),
        title: one.title,
        more: <>{one.summary}</>,
      }))} />
    </div>
  );
}

interface Item { key: string; href: string; title: string; more: ComponentChildren; badge?: ComponentChildren }

function Part({ icon, title, items }: { icon: string; title: string; items: Item[] }) {
  if (!items.length) return null;
  return (
    <section class="projects-part" aria-label={title}>
      <h3 class="row"><Icon name={icon} size={16} />{title}</h3>
      <ul class="list">
        {items.map((item) => (
          <li key={item.key}>
            <a class="list-item" href={item.href}>
              <span class="row">{item.title}{item.badge}</span>
              <small class="projects-more">{item.more}</small>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

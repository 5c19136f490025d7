/** Projects: what one works on, and everything that names it. */
import { useEffect, useState } from "preact/hooks";

import { said } from "../api/http";
import { useLoad } from "../api/load";
import { t } from "../i18n";
import { at, go, route } from "../router";
import { toast } from "../stores/toasts";
import { Dialog } from "../ui/dialog";
import { Icon } from "../ui/icons";
import { Badge, Button, Card, Empty, Problem, Shown, Spinner } from "../ui/kit";
import { useSome } from "../ui/some";
import { Markdown } from "../ui/markdown";
import { ago, fullTime } from "../ui/time";
import { on } from "../voice/bus";
import { changeProject, deleteProject, loadProjects, type Project, type Status } from "./projects/api";
import { ProjectEditor } from "./projects/editor";
import { Belongings } from "./projects/related";
import "./projects.css";

const STATUS: Record<Status, { said: string; kind: "good" | "warn" | "plain" }> = {
  active: { said: "active", kind: "good" },
  paused: { said: "paused", kind: "warn" },
  done: { said: "done", kind: "plain" },
};
/** Fewer are found at a glance. */
const SEARCH_FROM = 8;

export default function Projects() {
  const projects = useLoad(loadProjects, []);
  // An agent that makes a project makes it here too.
  useEffect(() => on("function_result", (message) => {
    if (message.name === "create_project") projects.reload();
  }), []);
  return <Shown of={projects}>{(found) => <Found projects={found} loading={projects.loading} reload={projects.reload} />}</Shown>;
}

function Found({ projects, loading, reload }: { projects: Project[]; loading: boolean; reload: () => void }) {
  const { rest, query } = route.value;
  const [wanted = ""] = rest;
  const chosen = wanted
    ? projects.find((each) => each.id === wanted || each.name.toLowerCase() === wanted.toLowerCase())
    : projects.find((each) => each.current) ?? projects[0];
  const making = query.has("new");
  const close = () => go(at("projects", rest), true);
  return (
    <div class={`split projects ${wanted ? "has-chosen" : ""}`}>
      <Choices projects={projects} chosen={chosen?.id ?? ""} />
      <div class="stack projects-main">
        {wanted ? <a class="projects-back" href={at("projects")}><Icon name="chevron" size={16} />{t("All projects")}</a> : null}
        {chosen ? <One key={chosen.id} project={chosen} reload={reload} /> : wanted && loading ? (
          <div class="loading"><Spinner label={t("Loading project")} /></div>
        ) : wanted ? (
          <Problem error={new Error(t("This project no longer exists. Choose another one."))} />
        ) : <First />}
      </div>
      {making ? (
        <ProjectEditor onClose={close} onSaved={(made) => {
          reload();
          go(at("projects", [made.id]));
          toast(t("Project {name} created.", { name: made.name }), { kind: "good" });
        }} />
      ) : null}
    </div>
  );
}

function Choices({ projects, chosen }: { projects: Project[]; chosen: string }) {
  const { rest, query } = route.value;
  const said = query.get("q") ?? "";
  const shown = projects.filter((each) => `${each.name} ${each.description}`.toLowerCase().includes(said.trim().toLowerCase()));
  const { some, more } = useSome(shown, (each) => each.id === chosen);
  return (
    <section class="stack projects-side" aria-label={t("Your projects")}>
      <Button needs="workspace.write" kind="primary" icon="plus" data-tour="projects-create"
        onClick={() => go(at("projects", rest, { q: said, new: "1" }))}>{t("New project")}</Button>
      {projects.length >= SEARCH_FROM || said ? (
        <input type="search" aria-label={t("Find a project")} placeholder={t("Find a project")} value={said}
          onInput={(event) => go(at("projects", rest, { q: event.currentTarget.value }), true)} />
      ) : null}
      <ul class="list" data-tour="projects-list">
        {some.map((each) => (
          <li key={each.id}>
            <a class="list-item" href={at("projects", [each.id], { q: said })} aria-current={each.id === chosen ? "true" : undefined}>
              <span class="row"><strong>{each.name}</strong>{each.current ? <Badge kind="accent">{t("my project")}</Badge> : null}</span>
              <small class="row"><Badge kind={STATUS[each.status].kind}>{STATUS[each.status].said}</Badge>{t("updated {when}", { when: ago(each.updated_at) })}</small>
            </a>
          </li>
        ))}
        {shown.length ? null : <li class="hint">{said ? t("No project matches “{said}”.", { said }) : t("No projects yet.")}</li>}
      </ul>
      {more}
    </section>
  );
}

function First() {
  return (
    <Card tour="projects-detail">
      <Empty icon="folder" title={t("Your first project")}
        action={<a class="button primary" href={at("projects", [], { new: "1" })}><Icon name="plus" size={16} />{t("New project")}</a>}>
        <p>{t("A project names what you work on. Everything that mentions it in your databases, calendar and runs is collected here.")}</p>
        <p data-tour="projects-active">{t("You can also say “create a project called Aurora”. Mark one as yours, and agents know what “my project” means.")}</p>
      </Empty>
    </Card>
  );
}

function One({ project, reload }: { project: Project; reload: () => void }) {
  const [editing, edit] = useState(false);
  const [deleting, ask] = useState(false);
  const [busy, set] = useState(false);
  const act = async (work: () => Promise<unknown>, words: string) => {
    set(true);
    try {
      await work();
      toast(words, { kind: "good" });
    } catch (error) {
      toast(said(error), { kind: "bad" });
    } finally {
      set(false);
      reload();
    }
  };
  const current = () => act(() => changeProject(project.id, { current: !project.current }),
    project.current ? t("You have no current project now.") : t("“My project” is now {name}.", { name: project.name }));
  return (
    <>
      <Card tour="projects-detail" title={project.name} actions={
        <>
          <Button needs="workspace.write" icon="edit" onClick={() => edit(true)}>{t("Edit")}</Button>
          <Button needs="workspace.write" kind="danger" icon="trash" onClick={() => ask(true)}>{t("Delete")}</Button>
        </>
      }>
        <div class="row">
          <label class="projects-status">{t("Status")}
            <select value={project.status} disabled={busy}
              onChange={(event) => { const status = event.currentTarget.value as Status; void act(() => changeProject(project.id, { status }), `${project.name} is ${STATUS[status].said}.`); }}>
              {Object.entries(STATUS).map(([status, words]) => <option key={status} value={status}>{words.said}</option>)}
            </select>
          </label>
          <span class="hint" title={fullTime(project.updated_at)}>{t("updated {when}", { when: ago(project.updated_at) })}</span>
          <span class="hint" title={fullTime(project.created_at)}>{t("created {when}", { when: ago(project.created_at) })}</span>
        </div>
        {project.description ? <Markdown text={project.description} /> : (
          <p class="hint">{t("No description.")} <button type="button" class="projects-link" onClick={() => edit(true)}>{t("Add a description")}</button></p>
        )}
        <div class={`projects-current ${project.current ? "is-current" : ""}`} data-tour="projects-active">
          <p>{project.current
            ? t("For the next day, agents take “my project” to mean this one.")
            : t("Mark it as yours, and agents know what “my project” means.")}</p>
          <Button needs="workspace.write" kind={project.current ? "plain" : "primary"} icon={project.current ? "close" : "check"} busy={busy} onClick={current}>
            {project.current ? t("No longer my project") : t("Make it my project")}
          </Button>
        </div>
      </Card>
      <Card title={t("Related")}><Belongings project={project} /></Card>
      {editing ? <ProjectEditor project={project} onClose={() => edit(false)} onSaved={() => { edit(false); reload(); toast(t("Saved."), { kind: "good" }); }} /> : null}
      {deleting ? (
        <Dialog title={t("Delete {name}?", { name: project.name })} onClose={() => ask(false)}>
          <p>{t("This deletes its name, description and status. Records, events and runs that mention it stay.")}</p>
          <div class="row">
            <span class="spring" />
            <Button onClick={() => ask(false)}>{t("Cancel")}</Button>
            <Button kind="danger" icon="trash" busy={busy} onClick={() => {
              ask(false);
              void act(async () => { await deleteProject(project.id); go(at("projects")); }, t("{name} deleted.", { name: project.name }));
            }}>{t("Delete")}</Button>
          </div>
        </Dialog>
      ) : null}
    </>
  );
}

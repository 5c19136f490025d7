/** Making a project, and changing one. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";

import { ApiError, said } from "../../api/http";
import { t } from "../../i18n";
import { at } from "../../router";
import { Dialog } from "../../ui/dialog";
import { Button, Field } from "../../ui/kit";
import { changeProject, createProject, type Project } from "./api";

export const MAX_NAME = 100;
export const MAX_DESCRIPTION = 2000;

export function ProjectEditor({ project, onClose, onSaved }: {
  project?: Project; onClose: () => void; onSaved: (project: Project) => void;
}) {
  const [name, setName] = useState(project?.name ?? "");
  const [description, setDescription] = useState(project?.description ?? "");
  const [busy, set] = useState(false);
  const [problem, tell] = useState<{ words: string; there?: string } | null>(null);
  const first = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => first.current?.focus(), []);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (!name.trim()) {
      tell({ words: t("Enter a name. You and the agents use it to refer to the project.") });
      first.current?.focus();
      return;
    }
    set(true);
    try {
      const body = { name, description };
      onSaved(project ? await changeProject(project.id, body) : await createProject(body));
    } catch (error) {
      const there = error instanceof ApiError ? (error.body as { project_id?: string } | null)?.project_id : undefined;
      tell({ words: said(error), ...(there ? { there } : {}) });
      set(false);
    }
  };
  return (
    <Dialog title={project ? t("Edit project") : t("New project")} onClose={onClose}>
      <form class="stack" onSubmit={submit} noValidate>
        <Field label={t("Name")} error={problem?.words}>
          {(attributes) => (
            <input {...attributes} ref={first} type="text" value={name} maxLength={MAX_NAME} autocomplete="off"
              onInput={(event) => { setName(event.currentTarget.value); tell(null); }} />
          )}
        </Field>
        {problem?.there ? <a href={at("projects", [problem.there])} onClick={onClose}>{t("Open the existing project")}</a> : null}
        <Field label={t("Description")} hint={t("Markdown is supported. Agents can read it.")}>
          {(attributes) => (
            <textarea {...attributes} rows={5} value={description} maxLength={MAX_DESCRIPTION}
              onInput={(event) => setDescription(event.currentTarget.value)} />
          )}
        </Field>
        <div class="row">
          <span class="spring" />
          <Button onClick={onClose}>{t("Cancel")}</Button>
          <Button type="submit" kind="primary" busy={busy}>{project ? t("Save") : t("Create project")}</Button>
        </div>
      </form>
    </Dialog>
  );
}

/** A playbook to read and to follow: its outline, steps to tick off, and the text. */
import { useRef, useState } from "preact/hooks";

import { useLoad } from "../../api/load";
import { t } from "../../i18n";
import { Icon } from "../../ui/icons";
import { Badge, Button, CopyButton, save, Shown } from "../../ui/kit";
import { Markdown } from "../../ui/markdown";
import { headings, plain, type PlaybookDocument, readPlaybook } from "./api";

export function Reader({ id, back, tagged }: { id: string; back: string; tagged: (tag: string) => string }) {
  const found = useLoad((signal) => readPlaybook(id, signal), [id]);
  return (
    <article class="card" aria-label={t("Playbook")}>
      <p class="playbooks-back"><a href={back}><Icon name="left" size={16} /> {t("All playbooks")}</a></p>
      <Shown of={found}>{(playbook) => <Read playbook={playbook} tagged={tagged} />}</Shown>
    </article>
  );
}

function Read({ playbook, tagged }: { playbook: PlaybookDocument; tagged: (tag: string) => string }) {
  const body = useRef<HTMLDivElement>(null);
  const show = (at: number) => {
    const heading = body.current?.querySelectorAll<HTMLElement>("h1, h2, h3, h4")[at];
    if (!heading) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
    heading.scrollIntoView({ block: "start" });
  };
  const sections = headings(playbook.text);
  return (
    <>
      <header class="stack playbooks-head">
        <h2>{playbook.title}</h2>
        {playbook.summary ? <p class="muted">{playbook.summary}</p> : null}
        <div class="row">
          {playbook.tags.map((tag) => <a class="playbooks-tag" key={tag} href={tagged(tag)}>{tag}</a>)}
          <span class="spring" />
          <CopyButton text={() => location.href} label={t("Copy link")} />
          <Button kind="quiet" icon="download" onClick={() => save(`${playbook.id}.md`, `# ${playbook.title}\n\n${playbook.text}\n`, "text/markdown")}>{t("Download")}</Button>
        </div>
      </header>
      <div class="playbooks-body">
        <aside class="stack playbooks-outline" aria-label={t("Outline")}>
          {sections.length > 1 ? (
            <nav aria-label={t("Sections")}>
              <h3>{t("Outline")}</h3>
              <ul>{sections.map(({ title, depth }, at) => (
                <li key={at} class={`depth-${depth}`}><button type="button" class="playbooks-link" onClick={() => show(at)}>{title}</button></li>
              ))}</ul>
            </nav>
          ) : null}
          {playbook.outline.length ? <Steps playbook={playbook} /> : null}
        </aside>
        <div ref={body} class="playbooks-text"><Markdown text={playbook.text} /></div>
      </div>
    </>
  );
}

/** Ticked off as one goes; kept while this window is open. */
function Steps({ playbook: { id, outline } }: { playbook: PlaybookDocument }) {
  const key = `antiphon.playbook.${id}`;
  const [done, mark] = useState<number[]>(() => stored(key));
  const set = (next: number[]) => {
    mark(next);
    try {
      sessionStorage.setItem(key, JSON.stringify(next));
    } catch {
      // A private window may refuse: it holds until the page is left.
    }
  };
  return (
    <section aria-label={t("Steps")}>
      <header class="row"><h3>{t("Steps")}</h3><Badge kind={done.length === outline.length ? "good" : "plain"}>{t("{done} of {count} done", { done: done.length, count: outline.length })}</Badge>
        {done.length ? <Button kind="quiet" onClick={() => set([])}>{t("Start over")}</Button> : null}</header>
      <ol class="playbooks-steps">
        {outline.map((step, at) => (
          <li key={at}>
            <label>
              <input type="checkbox" checked={done.includes(at)}
                onChange={(event) => set(event.currentTarget.checked ? [...done, at] : done.filter((each) => each !== at))} />
              <span title={plain(step)}>{plain(step)}</span>
            </label>
          </li>
        ))}
      </ol>
    </section>
  );
}

function stored(key: string): number[] {
  try {
    const found: unknown = JSON.parse(sessionStorage.getItem(key) ?? "[]");
    return Array.isArray(found) ? found.filter((each) => typeof each === "number") : [];
  } catch {
    return [];
  }
}

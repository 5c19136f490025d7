/** Search with evidence: what was found, how sure that is, and how the score came about. */
import { useEffect, useState } from "preact/hooks";

import { useLoad } from "../../api/load";
import { plural, rich, t } from "../../i18n";
import { go } from "../../router";
import { Icon } from "../../ui/icons";
import { Badge, Button, Empty, Field, IconButton, Shown } from "../../ui/kit";
import { useTyped } from "../../ui/typed";
import { analytics, type Asked, type Evidence, search } from "./api";
import { newRecordAt, type Place, recordAt, searchAt, tabAt } from "./address";
import { Explained } from "./explain";
import { since, whole } from "./databases";
import { parts } from "./highlight";

const FIRST = 10;
const MOST = 100;
/** The types of a larger database would take long to count. */
const COUNTED = 20_000;

export function Search({ place, records, round }: { place: Place; records: number; round: number }) {
  const { database, asked } = place;
  const key = JSON.stringify(asked);
  const [k, more] = useState(FIRST);
  useEffect(() => more(FIRST), [database, key]);
  const found = useLoad((signal) => search(database, asked, k, signal), [database, key, k, round]);
  return (
    <div class="stack">
      <SearchForm place={place} records={records} seen={found.data?.results ?? []} />
      <section class="stack" data-tour="kg-studio-results" aria-label={t("Results")} aria-busy={found.loading}>
        <Shown of={found}>{({ results, query_time_ms }) => results.length ? (
          <>
            <p class="hint" role="status">
              {asked.q ? plural(results.length, "{count} result in {ms} ms, best first", "{count} results in {ms} ms, best first", { ms: Math.max(1, Math.round(query_time_ms)) }) : t("Recently changed: {count}", { count: results.length })}
            </p>
            <ol class="kg-results">
              {results.map((each) => <Result key={each.id} found={each} place={place} />)}
            </ol>
            {results.length >= k && k < MOST ? <div><Button onClick={() => more(Math.min(MOST, k + 20))}>{t("Show more")}</Button></div> : null}
          </>
        ) : <Nothing place={place} records={records} />}</Shown>
      </section>
    </div>
  );
}

function Nothing({ place: { database, asked }, records }: { place: Place; records: number }) {
  if (!records) {
    return (
      <Empty icon="graph" title={t("This database is empty")} action={<a class="button primary" href={tabAt(database, "ingest")}>{t("Add text")}</a>}>
        <p>{rich("Paste text or drop a file; it is split into records that are linked and can be searched. You can also {link}.", { link: <a href={newRecordAt(database)}>{t("create a record")}</a> })}</p>
      </Empty>
    );
  }
  const filtered = asked.types.length + asked.tags.length > 0 || asked.since || asked.until;
  return (
    <Empty icon="search" title={t("No results")}>
      {filtered
        ? <p>{t("No record passes the filters.")} <a href={searchAt(database, { q: asked.q })}>{t("Search without filters")}</a></p>
        : <p>{t("Try other words. The search matches words and meaning.")}</p>}
    </Empty>
  );
}

function SearchForm({ place, records, seen }: { place: Place; records: number; seen: Evidence[] }) {
  const { database, asked, record, editing } = place;
  // Whoever has opened a record meanwhile stays there.
  const ask = (change: Partial<Asked>) => {
    const next = { ...asked, ...change };
    go(record === null ? searchAt(database, next) : recordAt(database, record, next, editing), true);
  };
  const [typed, type] = useTyped(asked.q, (q) => ask({ q }));
  const filters = asked.types.length + asked.tags.length + (asked.since ? 1 : 0) + (asked.until ? 1 : 0);
  const [open, toggle] = useState(filters > 0);
  return (
    <form role="search" class="kg-search" data-tour="kg-studio-search" onSubmit={(event) => {
      event.preventDefault();
      go(searchAt(database, { ...asked, q: typed.trim() }));
    }}>
      <div class="kg-search-box">
        <Icon name="search" />
        <input type="search" aria-label={t("Search {database}", { database })} placeholder={t("Search by words, a question or an ID")} value={typed}
          maxLength={1000} onInput={(event) => type(event.currentTarget.value)} />
        <Button icon={open ? "down" : "chevron"} kind="quiet" aria-expanded={open} onClick={() => toggle(!open)}>
          {filters ? t("Filters ({count})", { count: filters }) : t("Filters")}
        </Button>
      </div>
      {open ? <Filters database={database} records={records} asked={asked} seen={seen} onChange={(change) => ask({ q: typed.trim(), ...change })} /> : null}
    </form>
  );
}

function Filters({ database, records, asked, seen, onChange }: {
  database: string; records: number; asked: Asked; seen: Evidence[]; onChange: (change: Partial<Asked>) => void;
}) {
  const counts = useLoad(
    async (signal) => (records <= COUNTED ? (await analytics(database, signal)).types : null), [database, records],
  );
  const [tag, write] = useState("");
  const known = counts.data ? Object.keys(counts.data) : seen.map((each) => each.type);
  const types = [...new Set([...asked.types, ...known])];
  const addTag = () => {
    const added = tag.split(",").map((each) => each.trim()).filter(Boolean);
    write("");
    if (added.length) onChange({ tags: [...new Set([...asked.tags, ...added])] });
  };
  return (
    <div class="kg-filters">
      <fieldset>
        <legend class="field-label">{t("Types")}</legend>
        <div class="row">
          {types.map((each) => (
            <button type="button" key={each} class="kg-chip" aria-pressed={asked.types.includes(each)}
              onClick={() => onChange({ types: asked.types.includes(each) ? asked.types.filter((one) => one !== each) : [...asked.types, each] })}>
              {each}{counts.data?.[each] ? <span class="number">{counts.data[each]}</span> : null}
            </button>
          ))}
        </div>
      </fieldset>
      <div class="kg-filter-row">
        <Field label={t("Tags")} hint={asked.tags.length ? undefined : t("Records must have all of them.")}>
          {(field) => (
            <div class="row">
              <input {...field} value={tag} placeholder={t("type a tag, press Enter")} onInput={(event) => write(event.currentTarget.value)}
                onBlur={addTag} onKeyDown={(event) => { if (event.key === "Enter") { event.preventDefault(); addTag(); } }} />
              {asked.tags.map((each) => (
                <span class="kg-chip on" key={each}>{each}
                  <IconButton label={t("Remove tag {each}", { each })} icon="close" onClick={() => onChange({ tags: asked.tags.filter((one) => one !== each) })} />
                </span>
              ))}
            </div>
          )}
        </Field>
        <Field label={t("Changed since")}>
          {(field) => <input {...field} type="date" value={asked.since} max={asked.until} onChange={(event) => onChange({ since: event.currentTarget.value })} />}
        </Field>
        <Field label={t("Changed until")}>
          {(field) => <input {...field} type="date" value={asked.until} min={asked.since} onChange={(event) => onChange({ until: event.currentTarget.value })} />}
        </Field>
        {asked.types.length + asked.tags.length || asked.since || asked.until
          ? <Button kind="quiet" icon="close" onClick={() => onChange({ types: [], tags: [], since: "", until: "" })}>{t("Clear filters")}</Button> : null}
      </div>
    </div>
  );
}

function Result({ found, place: { database, asked, record } }: { found: Evidence; place: Place }) {
  const strength = found.score >= 0.5 ? "good" : found.score >= 0.2 ? "accent" : "plain";
  const words = Object.keys(found.explain?.matched ?? {});
  return (
    <li class="kg-result" aria-current={found.id === record ? "true" : undefined}>
      <div class="row kg-result-head">
        <a href={recordAt(database, found.id, asked)}>{found.title}</a>
        <Badge>{found.type}</Badge>
        <span class="spring" />
        {asked.q ? <Badge kind={strength}><span class="hidden-visually">{t("Score")} </span>{found.score.toFixed(2)}</Badge> : null}
      </div>
      <p>{parts(found.snippet, words).map(({ text, hit }, at) => (hit ? <mark key={at}>{text}</mark> : text))}</p>
      <p class="kg-facts hint">
        <code>{found.id}</code>
        {found.source_type ? <span>{rich("from {source_type}", { source_type: found.source_type })}</span> : null}
        {found.last_updated ? <span title={whole(found.last_updated)}>{rich("updated {last_updated}", { last_updated: since(found.last_updated) })}</span> : null}
        {found.url ? <Outside url={found.url} /> : null}
      </p>
      {asked.q && found.explain ? <Explained found={found} database={database} /> : null}
    </li>
  );
}

/** A link that leaves the console; only those that a browser opens without danger. */
export function Outside({ url }: { url: string }) {
  if (!/^(https?|mailto):/i.test(url)) return <span>{url}</span>;
  return <a href={url} target="_blank" rel="noopener noreferrer">{url.replace(/^https?:\/\//, "")}</a>;
}

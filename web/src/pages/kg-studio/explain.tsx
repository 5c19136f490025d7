import { number, rich, t } from "../../i18n";
import type { Evidence, Explain } from "./api";
import { recordAt } from "./address";

/** The share of each side in the value that the score is made from. */
export function shares({ cosine, graph, fused }: Explain): { meaning: number; words: number; graph: number } {
  const meaning = Math.max(0, cosine ?? 0);
  return { meaning, words: Math.max(0, fused - (cosine ?? 0) - graph), graph };
}

/** How the score came about: meaning, words, neighbours. */
export function Explained({ found, database }: { found: Evidence; database: string }) {
  const why = found.explain!;
  const { meaning, words, graph } = shares(why);
  const matched = Object.entries(why.matched);
  return (
    <details class="kg-explain">
      <summary>{rich("Why {score}?", { score: found.score.toFixed(2) })}</summary>
      <div class="stack">
        {why.named ? <p>{t("The query is its ID, so nothing could match better.")}</p> : (
          <table>
            <caption class="hidden-visually">{rich("How {title} got its score", { title: found.title })}</caption>
            <thead><tr><th scope="col">{t("Part")}</th><th scope="col" class="number">{t("Contribution")}</th><th scope="col">{t("Reason")}</th></tr></thead>
            <tbody>
              <Part title={t("Meaning")} value={meaning} of={why.fused}
                why={why.cosine === null ? t("not embedded yet, so only its words count") : t("similarity of its embedding to the query (cosine {cosine})", { cosine: why.cosine.toFixed(2) })} />
              <Part title={t("Words")} value={words} of={why.fused}
                why={matched.length
                  ? t("contains {words}: {covered} of the query, BM25 {bm25}", { words: matched.map(([word, weight]) => `“${word}” (${weight.toFixed(1)})`).join(", "), covered: number(why.covered, { style: "percent", maximumFractionDigits: 0 }), bm25: why.bm25.toFixed(1) })
                  : t("contains none of the query's words")} />
              <Part title={t("Neighbours")} value={graph} of={why.fused} why={why.neighbours.length
                ? <>{rich("linked to {records}, which match well", { records: why.neighbours.map(({ id, relation }, at) => (
                    <>{at ? ", " : ""}<a href={recordAt(database, id)}>{id}</a> ({relation.replaceAll("_", " ")})</>
                  )) })}</>
                : t("no edge to any of the best results")} />
              <tr><th scope="row">{t("Total")}</th><td class="number">{why.fused.toFixed(2)}</td>
                <td>{found.score >= 0.5 ? t("a score of {score}: a strong match", { score: found.score.toFixed(2) }) : found.score >= 0.2 ? t("a score of {score}: a possible match", { score: found.score.toFixed(2) }) : t("a score of {score}: a weak match", { score: found.score.toFixed(2) })}</td></tr>
            </tbody>
          </table>
        )}
      </div>
    </details>
  );
}

function Part({ title, value, of, why }: { title: string; value: number; of: number; why: preact.ComponentChildren }) {
  return (
    <tr>
      <th scope="row">{title}</th>
      <td class="number">{value.toFixed(2)}<span class="kg-bar" style={{ width: `${Math.round((value / Math.max(of, 0.01)) * 100)}%` }} /></td>
      <td>{why}</td>
    </tr>
  );
}

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
      <summary>Why {found.score.toFixed(2)}?</summary>
      <div class="stack">
        {why.named ? <p>The query is its id, so nothing could fit better.</p> : (
          <table>
            <caption class="hidden-visually">What made the score of {found.title}</caption>
            <thead><tr><th scope="col">Part</th><th scope="col" class="number">Adds</th><th scope="col">Because</th></tr></thead>
            <tbody>
              <Part title="Meaning" value={meaning} of={why.fused}
                why={why.cosine === null ? "not embedded yet, so only its words count" : `its embedding is this near to the query's (cosine ${why.cosine.toFixed(2)})`} />
              <Part title="Words" value={words} of={why.fused}
                why={matched.length
                  ? `it has ${matched.map(([word, weight]) => `“${word}” (${weight.toFixed(1)})`).join(", ")}: ${Math.round(why.covered * 100)} % of the query, BM25 ${why.bm25.toFixed(1)}`
                  : "none of the query's words is in it"} />
              <Part title="Neighbours" value={graph} of={why.fused} why={why.neighbours.length
                ? <>linked to {why.neighbours.map(({ id, relation }, at) => (
                    <>{at ? ", " : ""}<a href={recordAt(database, id)}>{id}</a> ({relation.replaceAll("_", " ")})</>
                  ))}, which fit well</>
                : "no edge to one of the best results"} />
              <tr><th scope="row">Together</th><td class="number">{why.fused.toFixed(2)}</td>
                <td>is a score of {found.score.toFixed(2)}: {found.score >= 0.5 ? "a clear connection" : found.score >= 0.2 ? "some connection" : "a guess"}</td></tr>
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

/** Groups of nodes that are closer to each other than to the rest, and the outlines around them. */

const ROUNDS = 12;
export const SMALLEST = 4;

/**
 * The group of each node, by the number of a node in it: each takes the group that most of its neighbours have, until
 * nothing changes. The same graph has the same groups.
 */
export function communities(count: number, links: Uint32Array): Int32Array {
  const around: number[][] = Array.from({ length: count }, () => []);
  for (let at = 0; at < links.length; at += 2) {
    const [from, to] = [links[at]!, links[at + 1]!];
    if (from === to) continue;
    around[from]!.push(to);
    around[to]!.push(from);
  }
  const group = Int32Array.from({ length: count }, (_, at) => at);
  // The best connected decide last: their neighbours have found each other by then.
  const order = [...group].sort((one, two) => around[one]!.length - around[two]!.length || one - two);
  for (let round = 0; round < ROUNDS; round++) {
    let changed = false;
    for (const node of order) {
      const votes = new Map<number, number>();
      // A neighbour with few edges says more about where one belongs.
      for (const other of around[node]!) votes.set(group[other]!, (votes.get(group[other]!) ?? 0) + 1 / Math.sqrt(around[other]!.length));
      let [best, most] = [group[node]!, (votes.get(group[node]!) ?? 0) + 1e-9];
      for (const [one, weight] of votes) if (weight > most + 1e-9 || (weight > most - 1e-9 && one < best)) [best, most] = [one, weight];
      if (best !== group[node]) changed = true;
      group[node] = best;
    }
    if (!changed) break;
  }
  return group;
}

/** The members of each group that is large enough to be seen as one, the largest first. */
export function members(group: Int32Array): number[][] {
  const found = new Map<number, number[]>();
  group.forEach((one, node) => (found.get(one) ?? found.set(one, []).get(one)!).push(node));
  return [...found.values()].filter((those) => those.length >= SMALLEST).sort((one, two) => two.length - one.length);
}

/** The convex outline of some points: `places` has x and y of all nodes. */
export function hull(places: Float32Array, nodes: readonly number[]): [number, number][] {
  const points = nodes.map((node): [number, number] => [places[node * 2]!, places[node * 2 + 1]!]).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  if (points.length < 3) return points;
  const half = (those: [number, number][]) => {
    const line: [number, number][] = [];
    for (const point of those) {
      while (line.length > 1 && turn(line.at(-2)!, line.at(-1)!, point) <= 0) line.pop();
      line.push(point);
    }
    return line.slice(0, -1);
  };
  return [...half(points), ...half(points.toReversed())];
}

const turn = (a: [number, number], b: [number, number], c: [number, number]): number =>
  (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);

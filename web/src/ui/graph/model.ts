/** The part of a knowledge graph that is on the screen: nodes, the edges among them, positions. */
import { communities, members } from "./communities";

export interface GraphNode {
  id: string;
  type: string;
  title: string;
  tags: string[];
  url: string;
  last_updated: string;
  /** How many edges it has in the whole database. */
  degree: number;
}

export interface GraphEdge {
  source: string;
  target: string;
  relation: string;
  weight: number;
  provenance: Record<string, unknown>;
}

export interface Piece {
  nodes: GraphNode[];
  edges: GraphEdge[];
}

/** More cannot be taken in at once, by a person or by the layout. */
export const MOST_NODES = 1000;

export const name = (node: GraphNode): string => node.title || node.id;
export const edgeKey = (edge: GraphEdge): string => JSON.stringify([edge.source, edge.relation, edge.target]);

export class GraphModel {
  readonly nodes: GraphNode[] = [];
  readonly edges: GraphEdge[] = [];
  /** x and y of each node, in the order of `nodes`. */
  positions: Float32Array = new Float32Array(0);
  readonly #index = new Map<string, number>();
  readonly #edges = new Set<string>();
  readonly #around = new Map<string, GraphEdge[]>();
  #links: Uint32Array | null = null;
  #order: number[] | null = null;
  #groups: number[][] | null = null;

  indexOf(id: string): number {
    return this.#index.get(id) ?? -1;
  }
  node(id: string): GraphNode | undefined {
    const at = this.indexOf(id);
    return at < 0 ? undefined : this.nodes[at];
  }
  /** The shown edges at a node. */
  edgesAt(id: string): readonly GraphEdge[] {
    return this.#around.get(id) ?? [];
  }
  /** How many edges of a node lead to what is not shown. */
  hidden(id: string): number {
    return Math.max(0, (this.node(id)?.degree ?? 0) - this.edgesAt(id).length);
  }

  /**
   * Takes in what came from the server, as far as there is room; new nodes begin near the shown
   * node `from`. Answers how many nodes were added and how many had to stay out.
   */
  add(piece: Piece, from?: string): { added: number; left: number } {
    this.#links = this.#order = this.#groups = null;
    const fresh = piece.nodes.filter((node) => !this.#index.has(node.id));
    for (const node of piece.nodes) {
      const at = this.indexOf(node.id);
      if (at >= 0) this.nodes[at] = node;
    }
    const taken = fresh.slice(0, MOST_NODES - this.nodes.length);
    const first = this.nodes.length;
    for (const node of taken) {
      this.#index.set(node.id, this.nodes.length);
      this.nodes.push(node);
    }
    for (const edge of piece.edges) this.#addEdge(edge);
    this.#place(first, from === undefined ? -1 : this.indexOf(from));
    return { added: taken.length, left: fresh.length - taken.length };
  }

  #addEdge(edge: GraphEdge): void {
    const key = edgeKey(edge);
    if (this.#edges.has(key) || !this.#index.has(edge.source) || !this.#index.has(edge.target)) return;
    this.#edges.add(key);
    this.edges.push(edge);
    for (const end of [edge.source, edge.target]) {
      const those = this.#around.get(end);
      if (those) those.push(edge);
      else this.#around.set(end, [edge]);
    }
  }

  /** On a spiral, so that no two begin at the same spot, and the same every time. */
  #place(first: number, from: number): void {
    const before = this.positions;
    const grown = new Float32Array(this.nodes.length * 2);
    grown.set(before);
    const [x, y] = from < 0 ? [0, 0] : [before[from * 2] ?? 0, before[from * 2 + 1] ?? 0];
    for (let at = first; at < this.nodes.length; at++) {
      const step = at - first + 1;
      const radius = (from < 0 ? 14 : 24) * Math.sqrt(step);
      grown[at * 2] = x + radius * Math.cos(step * 2.4);
      grown[at * 2 + 1] = y + radius * Math.sin(step * 2.4);
    }
    this.positions = grown;
  }

  /** A graph without one node and its edges; the others stay where they are. */
  without(id: string): GraphModel {
    const left = new GraphModel();
    const kept = this.nodes.filter((node) => node.id !== id);
    left.add({ nodes: kept, edges: this.edges });
    kept.forEach((node, at) => {
      const was = this.indexOf(node.id);
      left.positions[at * 2] = this.positions[was * 2]!;
      left.positions[at * 2 + 1] = this.positions[was * 2 + 1]!;
    });
    return left;
  }

  /** The numbers of nodes, those with most edges first. */
  byDegree(): readonly number[] {
    this.#order ??= this.nodes
      .map((_, at) => at)
      .sort((a, b) => this.nodes[b]!.degree - this.nodes[a]!.degree || a - b);
    return this.#order;
  }

  /** Numbers of nodes that belong together, the largest group first. */
  groups(): readonly number[][] {
    return (this.#groups ??= members(communities(this.nodes.length, this.links())));
  }

  /** The ends of each edge as numbers of nodes, two by two. */
  links(): Uint32Array {
    if (this.#links) return this.#links;
    const ends = new Uint32Array(this.edges.length * 2);
    this.edges.forEach((edge, at) => {
      ends[at * 2] = this.#index.get(edge.source)!;
      ends[at * 2 + 1] = this.#index.get(edge.target)!;
    });
    return (this.#links = ends);
  }
}

export function radius(node: GraphNode): number {
  return Math.min(15, 5 + 1.6 * Math.sqrt(node.degree));
}

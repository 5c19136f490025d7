/** Forces that arrange a graph. Runs in a worker, so that looking and clicking stay quick. */
import {
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type Simulation,
  type SimulationLinkDatum,
  type SimulationNodeDatum,
} from "d3-force";

import { communities } from "./communities";

/** What the page says to the worker. */
export type Ask =
  | {
      type: "arrange";
      /** Counts arrangements: what comes late for an earlier one is dropped. */
      round: number;
      positions: Float32Array;
      links: Uint32Array;
      radii: Float32Array;
      /** Nodes that a person has put where they are. */
      pinned: number[];
      /** 1: from scratch; less: the nodes are about where they belong. */
      heat: number;
      /** Only the end is wanted: nothing is to move before one's eyes. */
      still: boolean;
    }
  | { type: "hold"; node: number; x: number; y: number }
  /** Lets go of a node; a pinned one stays where it is. */
  | { type: "release"; node: number; pinned: boolean };

/** What the worker answers. */
export interface Moved {
  round: number;
  positions: Float32Array;
  done: boolean;
}

const REHEAT = 0.25;
/** Steps at a time before it looks for new words of the page. */
const STILL_STEPS = 20;

export class Layout {
  #simulation: Simulation<SimulationNodeDatum, SimulationLinkDatum<SimulationNodeDatum>> | null = null;
  #still = false;
  round = 0;

  take(ask: Ask): void {
    if (ask.type === "arrange") this.#arrange(ask);
    else if (ask.type === "hold") this.#hold(ask.node, ask.x, ask.y);
    else this.#release(ask.node, ask.pinned);
  }

  get resting(): boolean {
    const now = this.#simulation;
    return !now || (now.alpha() < now.alphaMin() && now.alphaTarget() === 0);
  }

  /** One step, or some where nobody looks on. Answers what is to be told, if anything. */
  step(): Moved | null {
    const now = this.#simulation;
    if (!now) return null;
    now.tick(this.#still ? STILL_STEPS : 1);
    const done = this.resting;
    if (this.#still && !done) return null;
    const nodes = now.nodes();
    const positions = new Float32Array(nodes.length * 2);
    nodes.forEach((node, at) => {
      positions[at * 2] = node.x!;
      positions[at * 2 + 1] = node.y!;
    });
    return { round: this.round, positions, done };
  }

  #arrange({ round, positions, links, radii, pinned, heat, still }: Extract<Ask, { type: "arrange" }>): void {
    this.round = round;
    this.#still = still;
    const nodes: SimulationNodeDatum[] = Array.from(radii, (_, at) => ({
      x: positions[at * 2]!,
      y: positions[at * 2 + 1]!,
    }));
    const ends = Array.from({ length: links.length / 2 }, (_, at) => ({
      source: links[at * 2]!,
      target: links[at * 2 + 1]!,
    }));
    for (const node of pinned) {
      nodes[node]!.fx = positions[node * 2]!;
      nodes[node]!.fy = positions[node * 2 + 1]!;
    }
    // What belongs together pulls; between groups an edge holds loosely, so that they stand apart.
    const group = communities(nodes.length, links);
    const degree = new Float32Array(nodes.length);
    for (const end of links) degree[end]!++;
    const strength = ends.map(({ source, target }) => (group[source] === group[target] ? 1 : 0.12) / Math.min(degree[source]!, degree[target]!));
    // The more there is, the closer it has to be.
    const room = nodes.length > 300 ? 46 : nodes.length > 60 ? 70 : 105;
    this.#simulation = forceSimulation(nodes)
      .stop()
      .alpha(heat)
      .alphaDecay(nodes.length > 300 ? 0.03 : 0.045)
      .velocityDecay(0.45)
      .force("links", forceLink(ends).distance(room).strength((_, at) => strength[at]!))
      .force("apart", forceManyBody().strength(-2.6 * room).distanceMax(room * 10).theta(1))
      .force("bodies", forceCollide((_, at) => radii[at]! + 3))
      .force("x", forceX(0).strength(0.05))
      .force("y", forceY(0).strength(0.07));
  }

  #hold(node: number, x: number, y: number): void {
    const held = this.#simulation?.nodes()[node];
    if (!held) return;
    held.fx = x;
    held.fy = y;
    this.#still = false;
    this.#simulation!.alphaTarget(REHEAT);
    if (this.#simulation!.alpha() < REHEAT) this.#simulation!.alpha(REHEAT);
  }

  #release(node: number, pinned: boolean): void {
    const held = this.#simulation?.nodes()[node];
    this.#simulation?.alphaTarget(0);
    if (held && !pinned) held.fx = held.fy = null;
  }
}

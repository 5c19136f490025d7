import { describe, expect, it } from "vitest";

import { communities, hull, members } from "../src/ui/graph/communities";
import { kindOf } from "../src/ui/graph/kinds";
import { type Ask, Layout } from "../src/ui/graph/layout";
import { GraphModel, type GraphNode, MOST_NODES } from "../src/ui/graph/model";
import { fitted, nearest, panned, toGraph, toScreen, towards, zoomed } from "../src/ui/graph/view";

const node = (id: string, degree = 1, type = "person"): GraphNode =>
  ({ id, type, title: id.toUpperCase(), tags: [], url: "", last_updated: "", degree });
const edge = (source: string, target: string, relation = "knows") => ({ source, target, relation, weight: 1, provenance: {} });

describe("what is shown of a graph", () => {
  it("takes every node and edge once, and knows what is not shown", () => {
    const model = new GraphModel();
    model.add({ nodes: [node("a", 3), node("b")], edges: [edge("a", "b"), edge("a", "gone")] });
    const again = model.add({ nodes: [node("a", 3), node("c")], edges: [edge("a", "b"), edge("c", "a")] }, "a");
    expect(again).toEqual({ added: 1, left: 0 });
    expect(model.nodes.map((each) => each.id)).toEqual(["a", "b", "c"]);
    expect([...model.links()]).toEqual([0, 1, 2, 0]);
    expect(model.hidden("a")).toBe(1);
    expect(model.hidden("b")).toBe(0);
    expect(model.byDegree()[0]).toBe(0);
  });

  it("begins new nodes around the one that was unfolded, no two at one spot", () => {
    const model = new GraphModel();
    model.add({ nodes: [node("a")], edges: [] });
    model.positions.set([500, -300]);
    model.add({ nodes: [node("b"), node("c")], edges: [] }, "a");
    const [, , bx, by, cx, cy] = model.positions as unknown as number[];
    expect(Math.hypot(bx! - 500, by! + 300)).toBeLessThan(60);
    expect(Math.hypot(bx! - cx!, by! - cy!)).toBeGreaterThan(5);
  });

  it("is full at a thousand, and says how many stayed out", () => {
    const model = new GraphModel();
    const many = Array.from({ length: MOST_NODES + 5 }, (_, at) => node(`n${at}`));
    expect(model.add({ nodes: many, edges: [edge("n0", `n${MOST_NODES + 1}`)] })).toEqual({ added: MOST_NODES, left: 5 });
    expect(model.edges).toEqual([]);
  });

  it("loses a node with its edges, and nothing else moves", () => {
    const model = new GraphModel();
    model.add({ nodes: [node("a"), node("b", 1, "doc"), node("c")], edges: [edge("a", "b"), edge("b", "c")] });
    model.positions.set([1, 2, 3, 4, 5, 6]);
    const left = model.without("a");
    expect([...left.positions]).toEqual([3, 4, 5, 6]);
    expect([...left.links()]).toEqual([0, 1]);
  });
});

describe("where one looks", () => {
  const size = { width: 800, height: 600 };
  const view = { x: 10, y: 20, scale: 0.5 };

  it("goes to the screen and back", () => {
    const there = toScreen(view, size, 110, -30);
    expect(there).toEqual({ x: 450, y: 275 });
    expect(toGraph(view, size, there.x, there.y)).toEqual({ x: 110, y: -30 });
  });

  it("zooms while the point under the pointer stays", () => {
    const at = { x: 100, y: 500 };
    const before = toGraph(view, size, at.x, at.y);
    const near = zoomed(view, size, 2, at);
    const after = toGraph(near, size, at.x, at.y);
    expect(near.scale).toBe(1);
    expect(after.x).toBeCloseTo(before.x);
    expect(after.y).toBeCloseTo(before.y);
    expect(zoomed(view, size, 1e9).scale).toBe(4);
    expect(panned(view, 5, 0).x).toBe(0);
  });

  it("shows everything", () => {
    const positions = new Float32Array([-1000, 0, 1000, 50]);
    const all = fitted(positions, size);
    for (const at of [0, 2]) {
      const { x, y } = toScreen(all, size, positions[at]!, positions[at + 1]!);
      expect(x).toBeGreaterThanOrEqual(40);
      expect(x).toBeLessThanOrEqual(760);
      expect(y).toBeGreaterThan(0);
    }
  });

  it("finds the node at a point and the next one in a direction", () => {
    const positions = new Float32Array([0, 0, 100, 10, 300, 0, 0, 100]);
    expect(nearest(positions, { x: 98, y: 12 }, 5)).toBe(1);
    expect(nearest(positions, { x: 50, y: 50 }, 5)).toBe(-1);
    expect(towards(positions, 0, 1, 0)).toBe(1);
    expect(towards(positions, 1, 1, 0)).toBe(2);
    expect(towards(positions, 0, 0, 1)).toBe(3);
    expect(towards(positions, 0, -1, 0)).toBe(-1);
  });
});

describe("the layout", () => {
  const ask = (more: Partial<Extract<Ask, { type: "arrange" }>> = {}): Ask => ({
    ...{ type: "arrange", round: 1, heat: 1, still: false, pinned: [] },
    positions: new Float32Array([0, 0, 1, 0, 2, 1, 400, 400]),
    links: new Uint32Array([0, 1, 1, 2]),
    radii: new Float32Array([5, 5, 5, 5]),
    ...more,
  });
  const rested = (layout: Layout): Float32Array => {
    for (let step = 0; step < 2000; step++) {
      const moved = layout.step();
      if (moved?.done) return moved.positions;
    }
    throw new Error("it never came to rest");
  };

  it("moves nodes apart and comes to rest", () => {
    const layout = new Layout();
    layout.take(ask());
    const at = rested(layout);
    expect(Math.hypot(at[0]! - at[2]!, at[1]! - at[3]!)).toBeGreaterThan(30);
    expect(layout.resting).toBe(true);
  });

  it("leaves a pinned node where it is, and lets a held one go", () => {
    const layout = new Layout();
    layout.take(ask({ pinned: [3] }));
    expect([...rested(layout).slice(6)]).toEqual([400, 400]);
    layout.take({ type: "hold", node: 0, x: -50, y: 60 });
    const held = layout.step()!;
    expect([...held.positions.slice(0, 2)]).toEqual([-50, 60]);
    expect(held.done).toBe(false);
    layout.take({ type: "release", node: 0, pinned: false });
    expect([...rested(layout).slice(0, 2)]).not.toEqual([-50, 60]);
  });

  it("tells only the end where nothing is to move before one's eyes", () => {
    const layout = new Layout();
    layout.take(ask({ still: true }));
    const told = [];
    while (!layout.resting) {
      const moved = layout.step();
      if (moved) told.push(moved);
    }
    expect(told).toHaveLength(1);
  });
});

describe("types and groups", () => {
  it("gives a type the same look wherever it is, by its name alone", () => {
    expect(kindOf("Person")).toEqual(kindOf("person"));
    expect(kindOf("organisation")).toEqual(kindOf("org"));
    const common = ["person", "org", "project", "event", "doc", "place", "term", "link"].map((type) => kindOf(type).colour);
    expect(new Set(common).size).toBe(8);
    expect(kindOf("vessel")).toEqual(kindOf("vessel"));
    expect(kindOf("vessel")).not.toEqual(kindOf("harbour"));
  });

  it("finds what belongs together, and the outline around it", () => {
    const clique = (from: number) => [0, 1, 2, 3].flatMap((a) => [0, 1, 2, 3].filter((b) => b > a).flatMap((b) => [from + a, from + b]));
    const group = communities(9, Uint32Array.from([...clique(0), ...clique(4), 3, 4]));
    expect(members(group)).toEqual([[0, 1, 2, 3], [4, 5, 6, 7]]);
    const places = Float32Array.from([0, 0, 4, 0, 4, 4, 0, 4, 2, 2]);
    expect(hull(places, [0, 1, 2, 3, 4])).toEqual([[0, 0], [4, 0], [4, 4], [0, 4]]);
  });
});

/** Where one looks: a point of the graph in the middle of the window, and how near. */

export interface View {
  x: number;
  y: number;
  scale: number;
}
export interface Size {
  width: number;
  height: number;
}
export interface Point {
  x: number;
  y: number;
}

export const NEAREST = 4;
export const FARTHEST = 0.05;

export function toScreen(view: View, size: Size, x: number, y: number): Point {
  return { x: (x - view.x) * view.scale + size.width / 2, y: (y - view.y) * view.scale + size.height / 2 };
}

export function toGraph(view: View, size: Size, x: number, y: number): Point {
  return { x: (x - size.width / 2) / view.scale + view.x, y: (y - size.height / 2) / view.scale + view.y };
}

/** By so many pixels of the screen. */
export function panned(view: View, dx: number, dy: number): View {
  return { ...view, x: view.x - dx / view.scale, y: view.y - dy / view.scale };
}

/** Nearer or farther, while what is under `at` stays there. */
export function zoomed(view: View, size: Size, factor: number, at?: Point): View {
  const scale = Math.min(NEAREST, Math.max(FARTHEST, view.scale * factor));
  const point = at ?? { x: size.width / 2, y: size.height / 2 };
  const fixed = toGraph(view, size, point.x, point.y);
  const moved = { ...view, scale };
  const now = toGraph(moved, size, point.x, point.y);
  return { scale, x: view.x + fixed.x - now.x, y: view.y + fixed.y - now.y };
}

/** Everything in sight. */
export function fitted(positions: Float32Array, size: Size, margin = 48): View {
  if (!positions.length) return { x: 0, y: 0, scale: 1 };
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let at = 0; at < positions.length; at += 2) {
    left = Math.min(left, positions[at]!);
    right = Math.max(right, positions[at]!);
    top = Math.min(top, positions[at + 1]!);
    bottom = Math.max(bottom, positions[at + 1]!);
  }
  const scale = Math.min(
    1.2,
    Math.max(1, size.width - 2 * margin) / Math.max(1, right - left),
    Math.max(1, size.height - 2 * margin) / Math.max(1, bottom - top),
  );
  return { x: (left + right) / 2, y: (top + bottom) / 2, scale: Math.max(FARTHEST, scale) };
}

/** The node nearest to a point, if it is no farther than `reach`; -1: none. */
export function nearest(positions: Float32Array, at: Point, reach: number): number {
  let [best, least] = [-1, reach * reach];
  for (let node = 0; node * 2 < positions.length; node++) {
    const dx = positions[node * 2]! - at.x;
    const dy = positions[node * 2 + 1]! - at.y;
    const distance = dx * dx + dy * dy;
    if (distance <= least) [best, least] = [node, distance];
  }
  return best;
}

/** The next node that way from another: near, and rather straight ahead than aside. -1: none. */
export function towards(positions: Float32Array, from: number, dx: number, dy: number): number {
  let [best, least] = [-1, Infinity];
  const x = positions[from * 2]!;
  const y = positions[from * 2 + 1]!;
  for (let node = 0; node * 2 < positions.length; node++) {
    const ax = positions[node * 2]! - x;
    const ay = positions[node * 2 + 1]! - y;
    const ahead = ax * dx + ay * dy;
    if (node === from || ahead <= 0) continue;
    const aside = Math.abs(ax * dy - ay * dx);
    if (aside > ahead * 1.5) continue;
    const cost = ahead + aside * 2;
    if (cost < least) [best, least] = [node, cost];
  }
  return best;
}

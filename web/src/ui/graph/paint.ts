/** Draws a graph on a canvas. Everything of one colour is one path: a thousand nodes in a frame. */
import { hull } from "./communities";
import { COLOURS, kindOf } from "./kinds";
import { type GraphModel, name, radius } from "./model";
import type { Size, View } from "./view";

const LABELS_MOVING = 14;
/** The nearer one looks, the more names there are; from afar only those of the best connected. */
const LABELS_STILL: [scale: number, most: number][] = [[0.45, 10], [0.7, 24], [0.95, 45]];
const LABELS_NEAR = 70;
/** Around a group, beyond its nodes, in pixels. */
const AROUND = 22;
const EDGE_LABELS = 24;
const LONGEST = 26;

export interface Look {
  text: string;
  muted: string;
  ground: string;
  line: string;
  accent: string;
  font: string;
  types: string[];
}

/** The colours in force, from the style sheet. */
export function lookOf(element: Element): Look {
  const style = getComputedStyle(element);
  const value = (name: string) => style.getPropertyValue(name).trim();
  return {
    text: value("--text"),
    muted: value("--muted"),
    ground: value("--surface"),
    line: value("--line-strong"),
    accent: value("--accent"),
    font: style.fontFamily,
    types: Array.from({ length: COLOURS }, (_, at) => value(`--kind-${at}`)),
  };
}

export interface Scene {
  model: GraphModel;
  view: View;
  size: Size;
  /** Pixels of the device in one of the page. */
  density: number;
  look: Look;
  /** Numbers of nodes; -1: none. */
  selected: number;
  hovered: number;
  /** While it moves, fewer names are drawn: they would only flicker. */
  moving: boolean;
  /** Types that are left pale, because others were chosen. */
  pale: ReadonlySet<string>;
  /** Whether what belongs together is outlined. */
  grouped: boolean;
}

export function paint(context: CanvasRenderingContext2D, scene: Scene): void {
  const { size, density, look } = scene;
  context.setTransform(density, 0, 0, density, 0, 0);
  context.fillStyle = look.ground;
  context.fillRect(0, 0, size.width, size.height);
  const places = screenPlaces(scene);
  const lit = neighbours(scene);
  if (scene.grouped) outlines(context, scene, places);
  const told = edges(context, scene, places, lit);
  nodes(context, scene, places, lit);
  const taken = labels(context, scene, places, lit);
  if (!scene.moving) relations(context, look, told, taken);
}

/** A soft ground under each group, in the colour of most of its nodes. */
function outlines(context: CanvasRenderingContext2D, { model, look }: Scene, places: Float32Array): void {
  const groups = model.groups();
  if (groups.length < 2) return;
  context.lineJoin = "round";
  for (const nodes of groups) {
    const counts = new Map<number, number>();
    for (const node of nodes) {
      const { colour } = kindOf(model.nodes[node]!.type);
      counts.set(colour, (counts.get(colour) ?? 0) + 1);
    }
    const [colour] = [...counts].reduce((best, each) => (each[1] > best[1] ? each : best));
    const path = new Path2D();
    for (const [x, y] of hull(places, nodes)) path.lineTo(x, y);
    path.closePath();
    // The wide stroke of the same colour makes the corners round.
    context.globalAlpha = 0.06;
    context.fillStyle = context.strokeStyle = look.types[colour]!;
    context.lineWidth = AROUND * 2;
    context.fill(path);
    context.stroke(path);
  }
  context.globalAlpha = 1;
}

type Box = [left: number, top: number, right: number, bottom: number];

function free([left, top, right, bottom]: Box, taken: Box[]): boolean {
  return taken.every((other) => right < other[0] || left > other[2] || bottom < other[1] || top > other[3]);
}

/** What an edge says, and where. */
interface Told {
  x: number;
  y: number;
  length: number;
  says: string;
}

function screenPlaces({ model, view, size }: Scene): Float32Array {
  const { positions } = model;
  const places = new Float32Array(positions.length);
  for (let at = 0; at < positions.length; at += 2) {
    places[at] = (positions[at]! - view.x) * view.scale + size.width / 2;
    places[at + 1] = (positions[at + 1]! - view.y) * view.scale + size.height / 2;
  }
  return places;
}

/** The chosen node and those at its edges; null: nothing is chosen, all are alike. */
function neighbours({ model, selected, hovered }: Scene): Set<number> | null {
  const centre = selected >= 0 ? selected : hovered;
  const node = model.nodes[centre];
  if (!node) return null;
  const found = new Set([centre]);
  for (const edge of model.edgesAt(node.id)) {
    found.add(model.indexOf(edge.source)).add(model.indexOf(edge.target));
  }
  return found;
}

function edges(context: CanvasRenderingContext2D, scene: Scene, places: Float32Array, lit: Set<number> | null): Told[] {
  const { model, size, look } = scene;
  const links = model.links();
  const centre = scene.selected >= 0 ? scene.selected : scene.hovered;
  const near: number[] = [];
  context.beginPath();
  for (let at = 0; at < links.length; at += 2) {
    const from = links[at]!;
    const to = links[at + 1]!;
    if (lit && (from === centre || to === centre)) {
      near.push(at / 2);
      continue;
    }
    const [x1, y1, x2, y2] = [places[from * 2]!, places[from * 2 + 1]!, places[to * 2]!, places[to * 2 + 1]!];
    if (Math.max(x1, x2) < 0 || Math.min(x1, x2) > size.width || Math.max(y1, y2) < 0 || Math.min(y1, y2) > size.height) continue;
    context.moveTo(x1, y1);
    context.lineTo(x2, y2);
  }
  context.strokeStyle = look.line;
  context.globalAlpha = lit ? 0.35 : model.nodes.length > 60 ? 0.6 : 1;
  context.lineWidth = 1;
  context.stroke();
  context.globalAlpha = 1;
  return near.length ? arrows(context, scene, places, near) : [];
}

/** The edges at the chosen node, with their direction. */
function arrows(context: CanvasRenderingContext2D, scene: Scene, places: Float32Array, near: number[]): Told[] {
  const { model, look, view } = scene;
  const told = new Map<string, Told>();
  context.strokeStyle = context.fillStyle = look.accent;
  context.lineWidth = 1.5;
  context.beginPath();
  const heads = new Path2D();
  for (const at of near) {
    const edge = model.edges[at]!;
    const [from, to] = [model.indexOf(edge.source), model.indexOf(edge.target)];
    const [x1, y1, x2, y2] = [places[from * 2]!, places[from * 2 + 1]!, places[to * 2]!, places[to * 2 + 1]!];
    context.moveTo(x1, y1);
    context.lineTo(x2, y2);
    const length = Math.hypot(x2 - x1, y2 - y1) || 1;
    const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
    const back = radius(model.nodes[to]!) * Math.min(1.4, view.scale) + 2;
    const [tx, ty] = [x2 - dx * back, y2 - dy * back];
    heads.moveTo(tx, ty);
    heads.lineTo(tx - dx * 8 - dy * 4, ty - dy * 8 + dx * 4);
    heads.lineTo(tx - dx * 8 + dy * 4, ty - dy * 8 - dx * 4);
    const pair = from < to ? `${from} ${to}` : `${to} ${from}`;
    const before = told.get(pair);
    const says = edge.relation.replaceAll("_", " ");
    told.set(pair, { x: (x1 + x2) / 2, y: (y1 + y2) / 2, length, says: before ? `${before.says}, ${says}` : says });
  }
  context.stroke();
  context.fill(heads);
  return [...told.values()];
}

/** What the edges at the chosen node say, where there is room for it. */
function relations(context: CanvasRenderingContext2D, look: Look, told: Told[], taken: Box[]): void {
  context.font = `11px ${look.font}`;
  for (const { x, y, length, says } of told.slice(0, EDGE_LABELS)) {
    const half = says.length * 3 + 2;
    const box: Box = [x - half, y - 7, x + half, y + 7];
    if (length < 2 * half + 24 || !free(box, taken)) continue;
    taken.push(box);
    written(context, look, says, x, y + 4, look.muted);
  }
}

function nodes(context: CanvasRenderingContext2D, scene: Scene, places: Float32Array, lit: Set<number> | null): void {
  const { model, size, look, view, pale } = scene;
  const paths = new Map<string, Path2D>();
  const rings = new Path2D();
  const scale = Math.min(1.4, Math.max(0.35, view.scale));
  model.nodes.forEach((node, at) => {
    const [x, y, r] = [places[at * 2]!, places[at * 2 + 1]!, radius(node) * scale];
    if (x < -r || y < -r || x > size.width + r || y > size.height + r) return;
    const faint = (lit && !lit.has(at)) || pale.has(node.type);
    const { colour, shape: form } = kindOf(node.type);
    const key = `${colour} ${faint ? 1 : 0}`;
    let path = paths.get(key);
    if (!path) paths.set(key, (path = new Path2D()));
    shape(path, form, x, y, r);
    // A ring: there is more behind it than is shown.
    if (!faint && node.degree > model.edgesAt(node.id).length) {
      rings.moveTo(x + r + 3, y);
      rings.arc(x, y, r + 3, 0, 2 * Math.PI);
    }
  });
  context.lineWidth = 1;
  context.strokeStyle = look.ground;
  for (const [key, path] of paths) {
    const [colour, faint] = key.split(" ").map(Number) as [number, number];
    context.globalAlpha = faint ? 0.25 : 1;
    context.fillStyle = look.types[colour]!;
    context.fill(path);
    context.stroke(path);
  }
  context.globalAlpha = 0.7;
  context.strokeStyle = look.muted;
  context.stroke(rings);
  context.globalAlpha = 1;
  for (const [at, width] of [[scene.hovered, 1.5], [scene.selected, 3]] as const) {
    const node = model.nodes[at];
    if (!node) continue;
    context.beginPath();
    context.arc(places[at * 2]!, places[at * 2 + 1]!, radius(node) * scale + 5, 0, 2 * Math.PI);
    context.strokeStyle = look.accent;
    context.lineWidth = width;
    context.stroke();
  }
}

/** Circle, square, diamond, triangle: types can be told apart without colours. */
function shape(path: Path2D, kind: number, x: number, y: number, r: number): void {
  if (kind === 0) {
    path.moveTo(x + r, y);
    path.arc(x, y, r, 0, 2 * Math.PI);
  } else if (kind === 1) {
    path.rect(x - r * 0.88, y - r * 0.88, r * 1.76, r * 1.76);
  } else if (kind === 2) {
    path.moveTo(x, y - r * 1.2);
    path.lineTo(x + r * 1.2, y);
    path.lineTo(x, y + r * 1.2);
    path.lineTo(x - r * 1.2, y);
    path.closePath();
  } else {
    path.moveTo(x, y - r * 1.2);
    path.lineTo(x + r * 1.15, y + r * 0.8);
    path.lineTo(x - r * 1.15, y + r * 0.8);
    path.closePath();
  }
}

/** Names, the most important first, each where no other is. */
function labels(context: CanvasRenderingContext2D, scene: Scene, places: Float32Array, lit: Set<number> | null): Box[] {
  const { model, size, look, view } = scene;
  const order = model.byDegree();
  const first = [scene.selected, scene.hovered].filter((at) => at >= 0);
  const wanted = lit ? [...first, ...lit, ...order] : order;
  const most = scene.moving ? LABELS_MOVING : LABELS_STILL.find(([scale]) => view.scale < scale)?.[1] ?? LABELS_NEAR;
  const taken: Box[] = [];
  const done = new Set<number>();
  const scale = Math.min(1.4, Math.max(0.35, view.scale));
  context.textAlign = "center";
  context.font = `12px ${look.font}`;
  for (const at of wanted) {
    if (done.size >= most) break;
    const node = model.nodes[at];
    if (!node || done.has(at) || (lit && !lit.has(at)) || scene.pale.has(node.type)) continue;
    const [x, y] = [places[at * 2]!, places[at * 2 + 1]! + radius(node) * scale + 14];
    if (x < 0 || y < 0 || x > size.width || y > size.height + 14) continue;
    const text = short(name(node));
    const half = widthOf(context, text) / 2 + 4;
    const box: Box = [x - half, y - 12, x + half, y + 4];
    if (!first.includes(at) && !free(box, taken)) continue;
    taken.push(box);
    done.add(at);
    written(context, look, text, x, y, look.text);
  }
  return taken;
}

const widths = new Map<string, number>();
function widthOf(context: CanvasRenderingContext2D, text: string): number {
  let width = widths.get(text);
  if (width === undefined) {
    if (widths.size > 5000) widths.clear();
    widths.set(text, (width = context.measureText(text).width));
  }
  return width;
}

function written(context: CanvasRenderingContext2D, look: Look, text: string, x: number, y: number, colour: string): void {
  context.strokeStyle = look.ground;
  context.lineWidth = 3;
  context.lineJoin = "round";
  context.strokeText(text, x, y);
  context.fillStyle = colour;
  context.fillText(text, x, y);
}

export function short(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1).trimEnd()}…` : text;
}

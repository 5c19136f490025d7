/** The canvas at work: it asks for the layout, and draws when something has changed, never else. */
import { t } from "../../i18n";
import { scriptAddress } from "../../trusted";
import workerUrl from "./graph-worker.ts?worker&url";
import type { Ask, Moved } from "./layout";
import { type GraphModel, radius } from "./model";
import { type Look, lookOf, paint } from "./paint";
import { fitted, nearest, type Point, type Size, toGraph, type View } from "./view";

/** How far beside a node a pointer still means it, in pixels. */
const REACH = { mouse: 6, touch: 14 };

const MANY = 300;
const SETTLED_MS = 120;

export class Stage {
  model: GraphModel;
  view: View = { x: 0, y: 0, scale: 1 };
  size: Size = { width: 0, height: 0 };
  selected = -1;
  hovered = -1;
  pale: ReadonlySet<string> = new Set();
  grouped = false;
  /** Shows all of it as it moves, until the person looks somewhere else. */
  following = true;
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;
  readonly #worker: Worker;
  readonly #pinned = new Set<string>();
  readonly #changed: (moving: boolean) => void;
  #look: Look;
  #density = 1;
  #round = 0;
  #moving = false;
  #frame = 0;
  /** The person is moving the view of a large graph: most names wait until they stop. */
  #hurried = false;
  #settling: ReturnType<typeof setTimeout> | undefined;

  /** `changed` is told when things begin to move and come to rest; `failed`, why they cannot. */
  constructor(
    canvas: HTMLCanvasElement,
    model: GraphModel,
    changed: (moving: boolean) => void,
    failed: (why: string) => void,
  ) {
    this.#canvas = canvas;
    this.#context = canvas.getContext("2d", { alpha: false })!;
    this.#look = lookOf(canvas);
    this.#changed = changed;
    this.model = model;
    this.#worker = new Worker(scriptAddress(workerUrl), { type: "module" });
    this.#worker.onmessage = (event: MessageEvent<Moved>) => this.#moved(event.data);
    this.#worker.onerror = () => failed(t("The graph cannot be arranged: its worker did not start. The table shows the same."));
  }

  /** Arranges the model anew; `heat` 1 is from scratch. */
  arrange(model: GraphModel, heat: number): void {
    this.model = model;
    this.#round++;
    const ask: Ask = {
      type: "arrange",
      round: this.#round,
      positions: model.positions,
      links: model.links(),
      radii: Float32Array.from(model.nodes, radius),
      pinned: [...this.#pinned].map((id) => model.indexOf(id)).filter((at) => at >= 0),
      heat,
      still: matchMedia("(prefers-reduced-motion: reduce)").matches,
    };
    this.#worker.postMessage(ask);
    this.#rest(model.nodes.length === 0);
    this.draw();
  }

  hold(node: number, at: Point): void {
    this.model.positions[node * 2] = at.x;
    this.model.positions[node * 2 + 1] = at.y;
    this.#worker.postMessage({ type: "hold", node, ...at } satisfies Ask);
    this.draw();
  }

  /** Where a person has put a node, it stays. */
  pin(node: number): void {
    this.#pinned.add(this.model.nodes[node]!.id);
    this.#worker.postMessage({ type: "release", node, pinned: true } satisfies Ask);
  }

  get pins(): number {
    return this.#pinned.size;
  }

  unpin(): void {
    this.#pinned.clear();
    this.arrange(this.model, 0.5);
  }

  fit(): void {
    this.following = true;
    this.#follow();
    this.draw();
  }

  look(view: View): void {
    this.following = false;
    this.view = view;
    if (this.model.nodes.length > MANY) {
      clearTimeout(this.#settling);
      this.#hurried = true;
      this.#settling = setTimeout(() => {
        this.#hurried = false;
        this.draw();
      }, SETTLED_MS);
    }
    this.draw();
  }

  /** The node under a point of the canvas; -1: none. */
  at(point: Point, how: "mouse" | "touch"): number {
    const place = toGraph(this.view, this.size, point.x, point.y);
    const scale = this.view.scale;
    const node = nearest(this.model.positions, place, 15 + REACH[how] / scale);
    if (node < 0) return -1;
    const [dx, dy] = [this.model.positions[node * 2]! - place.x, this.model.positions[node * 2 + 1]! - place.y];
    const reach = radius(this.model.nodes[node]!) * Math.min(1, 1.4 / scale) + REACH[how] / scale;
    return Math.hypot(dx, dy) <= reach ? node : -1;
  }

  resize(size: Size): void {
    this.size = size;
    this.#density = Math.min(2, devicePixelRatio || 1);
    this.#canvas.width = Math.round(size.width * this.#density);
    this.#canvas.height = Math.round(size.height * this.#density);
    if (this.following) this.#follow();
    this.draw();
  }

  /** The theme has changed. */
  restyle(): void {
    this.#look = lookOf(this.#canvas);
    this.draw();
  }

  /** At the next frame, once. */
  draw(): void {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      if (!this.size.width) return;
      paint(this.#context, {
        ...{ model: this.model, view: this.view, size: this.size, density: this.#density, look: this.#look },
        ...{ selected: this.selected, hovered: this.hovered, moving: this.#moving || this.#hurried, pale: this.pale, grouped: this.grouped },
      });
    });
  }

  close(): void {
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#settling);
    this.#worker.terminate();
  }

  #moved({ round, positions, done }: Moved): void {
    if (round !== this.#round || positions.length !== this.model.positions.length) return;
    this.model.positions = positions;
    if (this.following) this.#follow();
    this.#rest(done);
    this.draw();
  }

  #rest(done: boolean): void {
    if (this.#moving === !done) return;
    this.#moving = !done;
    this.#changed(this.#moving);
  }

  #follow(): void {
    if (this.size.width) this.view = fitted(this.model.positions, this.size);
  }
}

import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";

import { plural, t } from "../../i18n";
import { shownTheme } from "../../stores/prefs";
import { IconButton, Problem } from "../kit";
import { type GraphModel, name } from "./model";
import { pointing } from "./pointer";
import { Stage } from "./stage";
import { panned, toScreen, towards, zoomed } from "./view";
import "./graph.css";

const PAN = 60;
const ZOOM = 1.25;
const ARROWS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
};

/**
 * A graph that is looked at and unfolded. `version` goes up when the model has changed; the same
 * is to be had as a table, which is what is read out.
 */
export function GraphCanvas({ model, version, selected, pale, grouped, onSelect, onExpand, onOpen, onHide }: {
  model: GraphModel;
  version: number;
  selected: string | null;
  pale: ReadonlySet<string>;
  /** Whether what belongs together is outlined. */
  grouped: boolean;
  onSelect: (id: string | null) => void;
  onExpand: (id: string) => void;
  onOpen: (id: string) => void;
  onHide: (id: string) => void;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const stage = useRef<Stage | null>(null);
  const drawn = useRef<GraphModel | null>(null);
  const [moving, move] = useState(false);
  const [problem, fail] = useState<string | null>(null);
  const help = useId();
  const told = useRef({ onSelect, onExpand, onOpen, onHide });
  told.current = { onSelect, onExpand, onOpen, onHide };
  const idAt = (at: number) => stage.current?.model.nodes[at]?.id ?? null;

  // All of these at once: keys go from the node that the key before them led to.
  useLayoutEffect(() => {
    const element = canvas.current!;
    const made = new Stage(element, model, move, fail);
    stage.current = made;
    const leave = pointing(element, made, {
      onClick: (node) => {
        const id = idAt(node);
        told.current.onSelect(id);
        if (id && made.model.hidden(id)) told.current.onExpand(id);
      },
      onOpen: (node) => told.current.onOpen(idAt(node)!),
    });
    const sizes = new ResizeObserver(([entry]) => {
      const { width, height } = entry!.contentRect;
      made.resize({ width, height });
    });
    sizes.observe(element);
    return () => {
      leave();
      sizes.disconnect();
      made.close();
      stage.current = drawn.current = null;
    };
  }, []);

  useLayoutEffect(() => stage.current!.restyle(), [shownTheme.value]);

  useLayoutEffect(() => {
    stage.current!.arrange(model, drawn.current === model ? 0.5 : 1);
    drawn.current = model;
  }, [model, version]);

  useLayoutEffect(() => {
    const now = stage.current!;
    now.selected = selected === null ? -1 : model.indexOf(selected);
    now.pale = pale;
    now.grouped = grouped;
    now.draw();
  }, [selected, pale, grouped, model, version]);

  const choose = (at: number) => {
    const now = stage.current!;
    const id = idAt(at);
    onSelect(id);
    if (!id) return;
    // Where one goes by keyboard, the window follows.
    const place = toScreen(now.view, now.size, now.model.positions[at * 2]!, now.model.positions[at * 2 + 1]!);
    const margin = 40;
    const out = (value: number, end: number) => (value < margin ? value - margin : value > end - margin ? value - end + margin : 0);
    const [dx, dy] = [out(place.x, now.size.width), out(place.y, now.size.height)];
    if (dx || dy) now.look(panned(now.view, -dx, -dy));
  };

  const centre = () => {
    const now = stage.current!;
    const { selected: at, model: { positions } } = now;
    if (at >= 0) now.look({ ...now.view, x: positions[at * 2]!, y: positions[at * 2 + 1]! });
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const now = stage.current!;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const arrow = ARROWS[event.key];
    if (arrow && event.shiftKey) {
      now.look(panned(now.view, -arrow[0] * PAN, -arrow[1] * PAN));
    } else if (arrow) {
      const from = now.selected;
      const to = from < 0 ? (now.model.byDegree()[0] ?? -1) : towards(now.model.positions, from, ...arrow);
      if (to >= 0) choose(to);
    } else if (event.key === "Enter" && selected) onExpand(selected);
    else if (event.key === "o" && selected) onOpen(selected);
    else if (event.key === "Delete" && selected) onHide(selected);
    else if (event.key === "Escape" && selected) onSelect(null);
    else if (event.key === "c") centre();
    else if (event.key === "0" || event.key === "f") now.fit();
    else if (event.key === "+" || event.key === "=") now.look(zoomed(now.view, now.size, ZOOM));
    else if (event.key === "-") now.look(zoomed(now.view, now.size, 1 / ZOOM));
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const zoom = (factor: number) => {
    const now = stage.current!;
    now.look(zoomed(now.view, now.size, factor));
  };
  const node = selected === null ? undefined : model.node(selected);
  return (
    <div class="graph-frame">
      {problem ? <Problem error={problem} /> : null}
      <div class="graph-tools" role="group" aria-label={t("View")}>
        <IconButton label={t("Zoom in")} icon="plus" onClick={() => zoom(ZOOM)} />
        <IconButton label={t("Zoom out")} icon="minus" onClick={() => zoom(1 / ZOOM)} />
        <IconButton label={t("Fit to view")} icon="fit" onClick={() => stage.current!.fit()} />
        <IconButton label={t("Release all nodes")} icon="refresh" onClick={() => stage.current!.unpin()} />
      </div>
      <canvas ref={canvas} class="graph-canvas" tabIndex={0} role="application" aria-roledescription={t("graph")}
        aria-label={t("Graph: {nodes} nodes, {edges} edges", { nodes: model.nodes.length, edges: model.edges.length })} aria-describedby={help}
        data-moving={moving} onKeyDown={onKeyDown} />
      <p class="hidden-visually" id={help}>
        {t("Arrow keys move between nodes, Enter expands the neighbours, O opens the record, Delete hides the node, Shift with an arrow key pans, plus and minus zoom, 0 fits the view, C centres the node, Escape clears the selection.")}
      </p>
      <p class="hidden-visually" role="status">{node ? spoken(model, node.id) : ""}</p>
    </div>
  );
}

/** What is read out when a node is chosen. */
export function spoken(model: GraphModel, id: string): string {
  const node = model.node(id)!;
  const shown = model.edgesAt(id).slice(0, 5).map((edge) => {
    const relation = edge.relation.replaceAll("_", " ");
    const other = model.node(edge.source === id ? edge.target : edge.source)!;
    return edge.source === id ? `${relation} ${name(other)}` : `${name(other)} ${relation} ${name(node)}`;
  });
  const more = model.hidden(id);
  return [
    `${name(node)}, ${node.type}, ${plural(node.degree, "{count} edge", "{count} edges")}.`,
    shown.length ? `${shown.join("; ")}.` : "",
    more ? plural(more, "{count} neighbour hidden.", "{count} neighbours hidden.") : "",
  ].filter(Boolean).join(" ");
}

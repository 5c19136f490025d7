/** The tour over the page: a light on one thing, and a card that says what it is for. */
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";

import { rich, t } from "../i18n";
import { prefer, prefs } from "../stores/prefs";
import { back, endTour, guided, type Guided, next, sayStep } from "../stores/tour";
import { voiceTrouble } from "../stores/tour-voice";
import { Button, IconButton } from "../ui/kit";
import { place, type Box } from "./place";

export function TourOverlay() {
  return guided.value ? <Running now={guided.value} /> : null;
}

function Running({ now }: { now: Guided }) {
  const { tour, index, target } = now;
  const step = tour.steps[index]!;
  const last = index === tour.steps.length - 1;
  const card = useRef<HTMLDivElement>(null);
  const heading = useId();
  const caption = useId();
  const element = target instanceof Element ? target : null;
  const box = useBox(element);
  const [spot, settle] = useState({ left: 0, top: 0 });
  useLayoutEffect(() => {
    const before = document.activeElement;
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  useLayoutEffect(() => {
    card.current?.querySelector<HTMLElement>(".tour-next")?.focus({ preventScroll: true });
  }, [index, tour]);
  useLayoutEffect(() => {
    const { offsetWidth: width, offsetHeight: height } = card.current!;
    settle(place(box, { width, height }, { width: innerWidth, height: innerHeight }, step.position));
  }, [box, step]);
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === "Escape") endTour();
    else if (event.key === "ArrowRight") next();
    else if (event.key === "ArrowLeft") back();
    else if (event.key === "Tab") keepInside(event, card.current!);
    else return;
    if (event.key !== "Tab") event.preventDefault();
  };
  return (
    <div class="tour" onKeyDown={onKeyDown}>
      <div class="tour-shade" onClick={() => card.current?.querySelector<HTMLElement>(".tour-next")?.focus()} />
      {box && step.highlight ? <div class="tour-light" style={px(box)} /> : <div class="tour-dim" />}
      <div class="tour-card" ref={card} role="dialog" aria-modal="true" aria-labelledby={heading} aria-describedby={caption}
        style={{ left: `${spot.left}px`, top: `${spot.top}px` }}>
        <header>
          <h2 id={heading}>{tour.name}</h2>
          <span class="hint number">{rich("{index} of {count}", { index: index + 1, count: tour.steps.length })}</span>
          <IconButton label={prefs.value.tourSpeech ? t("Do not read aloud") : t("Read aloud")} icon="volume" class={prefs.value.tourSpeech ? "on" : ""}
            aria-pressed={prefs.value.tourSpeech} onClick={() => { prefer({ tourSpeech: !prefs.value.tourSpeech }); sayStep(prefs.value.tourSpeech); }} />
          <IconButton label={t("Close tour")} icon="close" onClick={endTour} />
        </header>
        <p id={caption} aria-live="polite">{step.speech}</p>
        {prefs.value.tourSpeech && voiceTrouble.value ? <p class="hint">{rich("This cannot be read aloud. {voiceTrouble}", { voiceTrouble })}</p> : null}
        {target === null ? <p class="hint">{t("This part is not on the page right now.")}</p> : null}
        <footer>
          <Button kind="quiet" onClick={back} disabled={index === 0}>{t("Back")}</Button>
          <span class="tour-dots" aria-hidden="true">{tour.steps.map((_, at) => <i key={at} class={at === index ? "here" : ""} />)}</span>
          <Button kind="primary" class="tour-next" onClick={next}>{last ? t("Done") : t("Next")}</Button>
        </footer>
      </div>
    </div>
  );
}

const px = (box: Box) => ({
  left: `${box.left}px`,
  top: `${box.top}px`,
  width: `${box.width}px`,
  height: `${box.height}px`,
});

const AROUND = 6;

/** Where the element is in the window, followed as the page scrolls and changes. */
function useBox(element: Element | null): Box | null {
  const [box, set] = useState<Box | null>(null);
  useEffect(() => {
    if (!element) {
      set(null);
      return;
    }
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const tall = element.getBoundingClientRect().height > innerHeight * 0.7;
    element.scrollIntoView({ block: tall ? "start" : "center", behavior: calm ? "auto" : "smooth" });
    // Pages scroll, load their parts and change their size: whatever moves it, the light goes along.
    let frame = 0;
    const follow = () => {
      const now = seen(element);
      set((before) => (before && same(before, now) ? before : now));
      frame = requestAnimationFrame(follow);
    };
    follow();
    return () => cancelAnimationFrame(frame);
  }, [element]);
  return box;
}

/** The element with some room around it; what is taller than the window, as far as it is seen. */
function seen(element: Element): Box {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  const from = { left: Math.max(AROUND, left - AROUND), top: Math.max(AROUND, top - AROUND) };
  return {
    ...from,
    width: Math.max(0, Math.min(innerWidth - AROUND, right + AROUND) - from.left),
    height: Math.max(0, Math.min(innerHeight - AROUND, bottom + AROUND) - from.top),
  };
}

const same = (a: Box, b: Box) => a.left === b.left && a.top === b.top && a.width === b.width && a.height === b.height;

function keepInside(event: KeyboardEvent, card: HTMLElement): void {
  const stops = [...card.querySelectorAll<HTMLElement>("button:not(:disabled)")];
  const at = stops.indexOf(document.activeElement as HTMLElement);
  const to = event.shiftKey ? at - 1 : at + 1;
  event.preventDefault();
  stops.at(to % stops.length)?.focus();
}

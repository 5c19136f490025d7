/** Sound as it is heard: the person's while they speak, the model's while it does. */
import { useEffect, useRef } from "preact/hooks";

import { phase } from "../../voice/conversation";
import { hearing, microphone } from "../../voice/ear";
import { speakerAnalyser } from "../../voice/mouth";

const BARS = 40;
/** Most of what is said lies below this share of the spectrum. */
const VOICE = 0.45;

export function Waveform() {
  const canvas = useRef<HTMLCanvasElement>(null);
  const speaking = phase.value === "speaking";
  const analyser = speaking ? speakerAnalyser() : hearing.value ? (microphone.value?.analyser ?? null) : null;
  useEffect(() => {
    const { current } = canvas;
    if (!current) return;
    if (!analyser || matchMedia("(prefers-reduced-motion: reduce)").matches) {
      draw(current, null);
      return;
    }
    const levels = new Uint8Array(analyser.frequencyBinCount);
    let frame = 0;
    const loop = () => {
      analyser.getByteFrequencyData(levels);
      draw(current, levels);
      frame = requestAnimationFrame(loop);
    };
    loop();
    return () => cancelAnimationFrame(frame);
  }, [analyser]);
  return <canvas class={`vox-wave ${speaking ? "model" : ""}`} ref={canvas} width={320} height={56} aria-hidden="true" />;
}

/** Bars from the middle outwards; without sound a quiet line. */
function draw(canvas: HTMLCanvasElement, levels: Uint8Array | null): void {
  const pen = canvas.getContext("2d");
  if (!pen) return;
  const { width, height } = canvas;
  pen.clearRect(0, 0, width, height);
  pen.fillStyle = getComputedStyle(canvas).color;
  const step = width / BARS;
  for (let bar = 0; bar < BARS; bar++) {
    const away = Math.abs(bar - (BARS - 1) / 2) / (BARS / 2);
    const level = levels ? levels[Math.floor(away * VOICE * levels.length)]! / 255 : 0;
    const tall = Math.max(2, level * level * height);
    pen.fillRect(bar * step + 1, (height - tall) / 2, step - 3, tall);
  }
}

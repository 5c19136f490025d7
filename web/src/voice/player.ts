/** The loudspeaker: hands what the server says to the worklet, and tells how much was played. */
import type { Progress } from "./playback-queue";
import workletUrl from "./playback-worklet.ts?worker&url";

export type PlayerRequest =
  | { type: "play"; turn: number; pcm: ArrayBuffer }
  | { type: "complete"; turn: number }
  | { type: "flush"; id: number; upTo?: number }
  | { type: "reset" };

export type PlayerReport =
  | ({ type: "progress"; done: boolean } & Progress)
  | { type: "flushed"; id: number; stopped: Progress | null }
  | { type: "silent" };

/** The rate of what the server says; the browser brings it to that of the device. */
const RATE = 24_000;
const RESTS_MS = 1000;

export class Player {
  private context: AudioContext | null = null;
  private node: AudioWorkletNode | null = null;
  private opening: Promise<void> | null = null;
  /** What is to be played as soon as the worklet is there. */
  private early: PlayerRequest[] = [];
  private flushes = new Map<number, (stopped: Progress | null) => void>();
  private lastFlush = 0;
  private resting: ReturnType<typeof setTimeout> | undefined;
  analyser: AnalyserNode | null = null;

  constructor(
    private readonly onProgress: (progress: Progress & { done: boolean }) => void,
    private readonly onSilent: () => void,
  ) {}

  /** Call it where the person pressed something: browsers let nothing sound before that. */
  open(speaker: string): Promise<void> {
    clearTimeout(this.resting);
    this.context ??= new AudioContext({ sampleRate: RATE, latencyHint: "interactive" });
    this.opening ??= this.load(this.context);
    void this.context.resume();
    void this.useSpeaker(speaker);
    return this.opening;
  }

  /** Nobody talks any more: the device is let go of, when the last of it has faded. */
  rest(): void {
    clearTimeout(this.resting);
    this.resting = setTimeout(() => void this.context?.suspend(), RESTS_MS);
  }

  /** Where the browser can choose a device. One that is gone is left for the usual one. */
  async useSpeaker(id: string): Promise<void> {
    const context = this.context as (AudioContext & { setSinkId?: (id: string) => Promise<void> }) | null;
    await context?.setSinkId?.(id).catch(() => context.setSinkId?.(""));
  }

  play(turn: number, pcm: ArrayBuffer): void {
    this.send({ type: "play", turn, pcm });
  }

  /** No more of this turn comes: play what is there, however short. */
  complete(turn: number): void {
    this.send({ type: "complete", turn });
  }

  /** Silence at once. The answer is how much of the turn in question was heard; null: none was. */
  flush(upTo?: number): Promise<Progress | null> {
    if (!this.node) {
      this.early = [];
      return Promise.resolve(null);
    }
    const id = ++this.lastFlush;
    return new Promise((resolve) => {
      this.flushes.set(id, resolve);
      this.send({ type: "flush", id, ...(upTo === undefined ? {} : { upTo }) });
    });
  }

  /** Another conversation begins: its turns are counted anew. */
  reset(): void {
    this.early = [];
    if (this.node) this.send({ type: "reset" });
  }

  private async load(context: AudioContext): Promise<void> {
    await context.audioWorklet.addModule(workletUrl);
    const node = new AudioWorkletNode(context, "antiphon-playback", {
      numberOfInputs: 0,
      outputChannelCount: [1],
    });
    node.port.onmessage = ({ data }: MessageEvent<PlayerReport>) => this.take(data);
    this.analyser = new AnalyserNode(context, { fftSize: 512, smoothingTimeConstant: 0.6 });
    node.connect(this.analyser).connect(context.destination);
    this.node = node;
    for (const request of this.early) this.send(request);
    this.early = [];
  }

  private take(report: PlayerReport): void {
    if (report.type === "progress") this.onProgress(report);
    else if (report.type === "silent") this.onSilent();
    else {
      this.flushes.get(report.id)?.(report.stopped);
      this.flushes.delete(report.id);
    }
  }

  private send(request: PlayerRequest): void {
    if (!this.node) this.early.push(request);
    else this.node.port.postMessage(request, request.type === "play" ? [request.pcm] : []);
  }
}

/** Runs beside the loudspeaker: plays what the server says, and tells how far it has come. */
import { fromPcm } from "./frames";
import { PlaybackQueue } from "./playback-queue";
import type { PlayerReport, PlayerRequest } from "./player";

declare const sampleRate: number;
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare function registerProcessor(name: string, kind: unknown): void;

const REPORT_MS = 50;

class Playback extends AudioWorkletProcessor {
  private readonly queue = new PlaybackQueue({ rate: sampleRate });
  private sounding = false;
  private turn = -1;
  private untold = 0;

  constructor() {
    super();
    this.port.onmessage = ({ data }: MessageEvent<PlayerRequest>) => this.take(data);
  }

  private take(request: PlayerRequest): void {
    if (request.type === "play") this.queue.push(request.turn, fromPcm(new Int16Array(request.pcm)));
    else if (request.type === "complete") this.queue.complete(request.turn);
    else if (request.type === "reset") this.queue.reset();
    else {
      const stopped = this.queue.flush(request.upTo);
      this.tell({ type: "flushed", id: request.id, stopped });
      this.silent();
    }
  }

  process(_inputs: unknown, [speakers]: Float32Array[][]): boolean {
    const out = speakers?.[0];
    if (!out) return true;
    const before = this.queue.progress();
    const sounding = this.queue.pull(out);
    const now = this.queue.progress();
    this.untold += out.length;
    if (before && (!now || now.turn !== before.turn) && this.turn === before.turn) {
      // Its last samples were in this block.
      const playedMs = before.playedMs + before.waitingMs;
      this.tell({ type: "progress", turn: before.turn, playedMs, waitingMs: 0, done: true });
      this.turn = -1;
    }
    if (sounding && now && (this.turn !== now.turn || this.untold * 1000 >= REPORT_MS * sampleRate)) {
      this.turn = now.turn;
      this.untold = 0;
      this.tell({ type: "progress", ...now, done: false });
    }
    if (sounding !== this.sounding && !sounding) this.silent();
    this.sounding = sounding;
    return true;
  }

  private silent(): void {
    this.tell({ type: "silent" });
  }

  private tell(report: PlayerReport): void {
    this.port.postMessage(report);
  }
}

registerProcessor("antiphon-playback", Playback);

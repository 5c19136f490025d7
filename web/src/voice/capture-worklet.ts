/** Runs beside the microphone: takes what it gives at its own rate, hands on frames for the server. */
import { Framer } from "./frames";

declare const sampleRate: number;
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare function registerProcessor(name: string, kind: unknown): void;

class Capture extends AudioWorkletProcessor {
  private readonly framer = new Framer(sampleRate);

  process([channels]: Float32Array[][]): boolean {
    const sound = channels?.length ? mono(channels) : null;
    if (sound) {
      for (const frame of this.framer.feed(sound)) this.port.postMessage(frame.buffer, [frame.buffer]);
    }
    return true;
  }
}

function mono(channels: Float32Array[]): Float32Array {
  if (channels.length === 1) return channels[0]!;
  const mixed = new Float32Array(channels[0]!.length);
  for (const channel of channels) {
    for (let n = 0; n < mixed.length; n++) mixed[n]! += channel[n]! / channels.length;
  }
  return mixed;
}

registerProcessor("antiphon-capture", Capture);

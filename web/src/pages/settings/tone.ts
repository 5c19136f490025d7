/** Two notes at a moderate volume, with soft edges, at one loudspeaker. Ends when they are played. */
import { t } from "../../i18n";

export async function playTone(speaker: string): Promise<void> {
  const context = new AudioContext() as AudioContext & { setSinkId?: (id: string) => Promise<void> };
  try {
    if (speaker) {
      await context.setSinkId?.(speaker).catch(() => {
        throw new Error(t("That speaker is no longer connected. Choose another one."));
      });
    }
    await context.resume();
    const begin = context.currentTime + 0.05;
    const last = [523.25, 783.99].map((pitch, index) => note(context, pitch, begin + index * 0.25)).at(-1)!;
    await new Promise((done) => last.addEventListener("ended", done, { once: true }));
  } finally {
    await context.close();
  }
}

function note(context: AudioContext, pitch: number, from: number): OscillatorNode {
  const tone = new OscillatorNode(context, { frequency: pitch });
  const volume = new GainNode(context, { gain: 0 });
  volume.gain.setValueAtTime(0, from);
  volume.gain.linearRampToValueAtTime(0.15, from + 0.02);
  volume.gain.setValueAtTime(0.15, from + 0.2);
  volume.gain.linearRampToValueAtTime(0, from + 0.3);
  tone.connect(volume).connect(context.destination);
  tone.start(from);
  tone.stop(from + 0.3);
  return tone;
}

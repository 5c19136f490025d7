/** The microphone: whether there is one to be used, and what it hears, in frames for the server. */
import { t } from "../i18n";
import workletUrl from "./capture-worklet.ts?worker&url";

export type MicrophoneTrouble = "insecure" | "denied" | "none" | "busy" | "lost";

const WORDS: Record<MicrophoneTrouble, string> = {
  insecure:
    t("Browsers allow the microphone only on https:// pages and on this machine. Open the console at http://localhost, or serve it over https. Typing works here."),
  denied:
    t("The browser blocks the microphone on this page. Allow it with the icon next to the address bar, then press the microphone again. You can type meanwhile."),
  none: t("No microphone found. Connect one and press the microphone again, or type."),
  busy: t("The microphone cannot be opened: another program may be using it. Close that program and press the microphone again, or type."),
  lost: t("The microphone was disconnected or turned off. The conversation continues; you can type."),
};

export class MicrophoneError extends Error {
  constructor(readonly trouble: MicrophoneTrouble, words = WORDS[trouble]) {
    super(words);
    this.name = "MicrophoneError";
  }
}

export class Microphone {
  private constructor(
    private readonly context: AudioContext,
    private readonly stream: MediaStream,
    readonly analyser: AnalyserNode,
  ) {}

  /** Asks the person where that is needed. Throws MicrophoneError. */
  static async open(
    device: string,
    onFrame: (frame: ArrayBuffer) => void,
    onLost: (error: MicrophoneError) => void,
  ): Promise<Microphone> {
    const stream = await listen(device);
    try {
      // At the rate of the device: the way down to 16 kHz is ours, with a filter of its own.
      const context = new AudioContext({ latencyHint: "interactive" });
      await context.audioWorklet.addModule(workletUrl);
      const node = new AudioWorkletNode(context, "antiphon-capture", { numberOfOutputs: 0 });
      node.port.onmessage = ({ data }: MessageEvent<ArrayBuffer>) => onFrame(data);
      const analyser = new AnalyserNode(context, { fftSize: 512, smoothingTimeConstant: 0.6 });
      const source = context.createMediaStreamSource(stream);
      source.connect(analyser);
      source.connect(node);
      for (const track of stream.getAudioTracks()) {
        track.addEventListener("ended", () => onLost(new MicrophoneError("lost")));
      }
      await context.resume();
      return new Microphone(context, stream, analyser);
    } catch (error) {
      for (const track of stream.getTracks()) track.stop();
      throw error;
    }
  }

  set muted(muted: boolean) {
    for (const track of this.stream.getAudioTracks()) track.enabled = !muted;
  }

  close(): void {
    for (const track of this.stream.getTracks()) track.stop();
    void this.context.close();
  }
}

async function listen(device: string): Promise<MediaStream> {
  // Without a secure context there is no `mediaDevices` at all.
  if (!window.isSecureContext || !navigator.mediaDevices?.getUserMedia) throw new MicrophoneError("insecure");
  try {
    return await navigator.mediaDevices.getUserMedia({
      audio: {
        ...(device ? { deviceId: { exact: device } } : {}),
        channelCount: 1,
        // Our own voice must not come back through the microphone and interrupt us.
        echoCancellation: true,
        noiseSuppression: true,
        autoGainControl: true,
      },
    });
  } catch (error) {
    throw explained(error, device);
  }
}

/** What `getUserMedia` says, in words and with a way on. */
export function explained(error: unknown, device = ""): MicrophoneError {
  const name = error instanceof Error || error instanceof DOMException ? error.name : "";
  if (name === "NotAllowedError" || name === "SecurityError") return new MicrophoneError("denied");
  if (name === "OverconstrainedError" || (name === "NotFoundError" && device)) {
    return new MicrophoneError(
      "none",
      t("The selected microphone is no longer connected. Choose another one in Settings, or type."),
    );
  }
  if (name === "NotFoundError") return new MicrophoneError("none");
  return new MicrophoneError("busy");
}

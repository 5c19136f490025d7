/**
 * The ears and the voice of the browser, for models that only read and write. Who made the browser
 * may be sent what it hears; the page says so where it is chosen.
 */
import { t } from "../i18n";
import { plain, sentences } from "./words";

interface RecognitionEvent {
  resultIndex: number;
  results: ArrayLike<ArrayLike<{ transcript: string }> & { isFinal: boolean }>;
}

interface Recognition {
  continuous: boolean;
  interimResults: boolean;
  lang: string;
  onresult: ((event: RecognitionEvent) => void) | null;
  onerror: ((event: { error: string }) => void) | null;
  onend: (() => void) | null;
  start(): void;
  abort(): void;
  stop(): void;
}

type Recogniser = new () => Recognition;

function recogniser(): Recogniser | null {
  const found = window as unknown as { SpeechRecognition?: Recogniser; webkitSpeechRecognition?: Recogniser };
  return found.SpeechRecognition ?? found.webkitSpeechRecognition ?? null;
}

export const canHear = (): boolean => recogniser() !== null;
export const canSpeak = (): boolean => typeof speechSynthesis !== "undefined";

const TROUBLE: Record<string, string> = {
  "not-allowed": t("The browser blocks the microphone on this page. Allow it next to the address bar, or type."),
  "service-not-allowed": t("This browser does not allow speech recognition. Type, or choose the server's voice."),
  "audio-capture": t("No microphone found. Connect one, or type."),
  network: t("This browser's speech recognition cannot be reached. Type, or choose the server's voice."),
  "language-not-supported": t("This browser's speech recognition does not support this language. Type instead."),
};

export interface Hearing {
  /** What is understood so far. */
  partial(text: string): void;
  /** An utterance, to its end. */
  said(text: string): void;
  /** It cannot go on; the words say why. */
  failed(words: string): void;
}

/** Listens until it is stopped: recognisers end by themselves after a pause, and are begun again. */
export class BrowserEars {
  private recognition: Recognition | null = null;
  private stopped = false;

  constructor(private readonly hearing: Hearing) {
    this.begin();
  }

  /** The microphone is off for now, or on again. */
  set muted(muted: boolean) {
    if (muted) this.end();
    else if (!this.recognition) {
      this.stopped = false;
      this.begin();
    }
  }

  end(): void {
    this.stopped = true;
    this.recognition?.abort();
    this.recognition = null;
  }

  private begin(): void {
    const kind = recogniser();
    if (!kind) return;
    const recognition = (this.recognition = new kind());
    recognition.continuous = true;
    recognition.interimResults = true;
    recognition.lang = navigator.language || "en-US";
    recognition.onresult = (event) => this.take(event);
    recognition.onerror = ({ error }) => {
      const words = TROUBLE[error];
      if (!words) return; // a pause, or our own abort
      this.end();
      this.hearing.failed(words);
    };
    recognition.onend = () => {
      if (!this.stopped && this.recognition === recognition) this.begin();
    };
    recognition.start();
  }

  private take({ resultIndex, results }: RecognitionEvent): void {
    let open = "";
    for (let n = resultIndex; n < results.length; n++) {
      const text = results[n]![0]!.transcript.trim();
      if (results[n]!.isFinal && text) this.hearing.said(text);
      else open = `${open} ${text}`.trim();
    }
    this.hearing.partial(open);
  }
}

/** Says a text that comes in pieces, sentence by sentence. */
export class BrowserVoice {
  private rest = "";
  private waiting = 0;
  private round = 0;

  constructor(private readonly onSounding: (sounding: boolean) => void) {}

  say(piece: string, voice: string): void {
    const { whole, rest } = sentences(this.rest + piece);
    this.rest = rest;
    for (const sentence of whole) this.speak(sentence, voice);
  }

  finish(voice: string): void {
    const { rest } = this;
    this.rest = "";
    this.speak(rest, voice);
  }

  stop(): void {
    this.rest = "";
    this.waiting = 0;
    this.round++;
    if (canSpeak()) speechSynthesis.cancel();
    this.onSounding(false);
  }

  private speak(text: string, voice: string): void {
    const words = plain(text);
    if (!words || !canSpeak()) return;
    const utterance = new SpeechSynthesisUtterance(words);
    const chosen = speechSynthesis.getVoices().find((each) => each.voiceURI === voice);
    if (chosen) utterance.voice = chosen;
    const mine = this.round;
    const over = () => {
      if (mine === this.round && --this.waiting === 0) this.onSounding(false);
    };
    utterance.onend = over;
    utterance.onerror = over;
    if (this.waiting++ === 0) this.onSounding(true);
    speechSynthesis.speak(utterance);
  }
}

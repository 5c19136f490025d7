/** One WebSocket to `/ws/vox`, from `start` to its end. */
import { address } from "../api/address";
import { ApiError, post } from "../api/http";
import { hasSession } from "../stores/account";
import type { VoiceMessage } from "./messages";

/** A socket that does not open within this time is taken for one that will not. */
const OPENS_MS = 8000;
/** Before the samples of a binary frame: the turn that they belong to. */
const HEAD_BYTES = 4;

export interface Ends {
  message(message: VoiceMessage): void;
  sound(turn: number, pcm: ArrayBuffer): void;
  /** It is over, for whatever reason, unless we closed it. Comes once. */
  closed(code: number): void;
}

export class Line {
  /** Null: its ticket is on the way. */
  private socket: WebSocket | null = null;
  private over = false;
  private readonly impatient = setTimeout(() => this.end(1006), OPENS_MS);

  constructor(private readonly start: object, private readonly ends: Ends) {
    if (hasSession.peek()) void this.askForTicket();
    else this.open();
  }

  /** Whoever is signed in opens each socket with a ticket of its own. */
  private async askForTicket(): Promise<void> {
    try {
      const { ticket } = await post<{ ticket: string }>("/api/account/ticket");
      if (!this.over) this.open(["antiphon", `ticket.${ticket}`]);
    } catch (error) {
      this.end(error instanceof ApiError && error.status === 401 ? SIGNED_OUT : 1006);
    }
  }

  private open(protocols: string[] = []): void {
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${address("/ws/vox")}`, protocols);
    this.socket = socket;
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      clearTimeout(this.impatient);
      this.say(this.start);
    };
    socket.onmessage = ({ data }) => this.take(data as string | ArrayBuffer);
    socket.onclose = ({ code }) => this.end(code);
  }

  /** False: it is not open. */
  say(message: object): boolean {
    return this.send(JSON.stringify(message));
  }

  /** A frame of the person's speech. */
  sound(frame: ArrayBuffer): boolean {
    return this.send(frame);
  }

  close(): void {
    this.over = true;
    clearTimeout(this.impatient);
    this.socket?.close();
  }

  private send(data: string | ArrayBuffer): boolean {
    if (this.over || this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(data);
    return true;
  }

  private take(data: string | ArrayBuffer): void {
    if (this.over) return;
    if (typeof data === "string") this.ends.message(JSON.parse(data) as VoiceMessage);
    else if (data.byteLength > HEAD_BYTES) {
      this.ends.sound(new DataView(data).getUint32(0, true), data.slice(HEAD_BYTES));
    }
  }

  private end(code: number): void {
    if (this.over) return;
    this.close();
    this.ends.closed(code);
  }
}

export const GOODBYE = 1000;
export const RESTARTING = 1012;
export const TAKEN_OVER = 4001;
/** The server does not know the person any more. */
export const SIGNED_OUT = 4401;
/** After these the same would only happen again. */
export const FINAL = new Set([GOODBYE, TAKEN_OVER, 1008, 1009]);

const FIRST_MS = 250;
const LONGEST_MS = 3000;
export const ATTEMPTS = 20;

/** How long to wait before the so-many-th attempt to get a lost line back; null: it was the last. */
export function patience(attempt: number, chance = Math.random()): number | null {
  if (attempt >= ATTEMPTS) return null;
  // Everybody who lost the same server comes back at another moment.
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** attempt) * (0.75 + chance / 2);
}

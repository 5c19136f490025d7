/**
 * The speech of the model on its way to the ear, turn by turn.
 *
 * A turn begins when enough of it is there to play on without a gap. It fades in and out within a
 * few milliseconds, also around a gap and when it is cut off, so that nothing clicks. What comes of
 * a turn after it was cut off is dropped.
 */

interface Turn {
  id: number;
  pieces: Float32Array[];
  /** Samples that wait, and samples that were played. */
  waiting: number;
  played: number;
  complete: boolean;
  /** Enough has come for it to begin, or to go on after a gap. */
  running: boolean;
  /** Samples that passed since its first piece came and nothing of it was played. */
  held: number;
}

export interface Progress {
  turn: number;
  playedMs: number;
  waitingMs: number;
}

export interface QueueOptions {
  rate?: number;
  prebufferMs?: number;
  /** A turn that stays short without being called complete begins after this long. */
  patienceMs?: number;
  fadeMs?: number;
}

export class PlaybackQueue {
  private readonly rate: number;
  private readonly prebuffer: number;
  private readonly patience: number;
  private readonly step: number;
  private readonly fade: number;
  private turns: Turn[] = [];
  private gain = 0;
  /** What is left of a turn that was cut off, on its way to silence. */
  private tail: Float32Array = new Float32Array(0);
  /** This turn and all before it are not wanted any more. */
  private dropped = -1;

  constructor({ rate = 24_000, prebufferMs = 60, patienceMs = 200, fadeMs = 6 }: QueueOptions = {}) {
    this.rate = rate;
    this.prebuffer = samples(prebufferMs, rate);
    this.patience = samples(patienceMs, rate);
    this.fade = Math.max(1, samples(fadeMs, rate));
    this.step = 1 / this.fade;
  }

  /** More of a turn. False: it was cut off, and this is dropped. */
  push(id: number, sound: Float32Array): boolean {
    if (id <= this.dropped) return false;
    if (!sound.length) return true;
    let turn = this.turns.find((each) => each.id === id);
    if (!turn) {
      turn = { id, pieces: [], waiting: 0, played: 0, complete: false, running: false, held: 0 };
      this.turns.push(turn);
    }
    turn.pieces.push(sound);
    turn.waiting += sound.length;
    return true;
  }

  /** No more of this turn comes. */
  complete(id: number): void {
    for (const turn of this.turns) if (turn.id <= id) turn.complete = true;
  }

  /** Fills `out` with what is to be heard now. True while anything is. */
  pull(out: Float32Array): boolean {
    let filled = this.pullTail(out);
    while (filled < out.length && this.turns.length) {
      const turn = this.turns[0]!;
      if (!turn.waiting && (turn.complete || this.turns.length > 1)) {
        this.turns.shift();
        continue;
      }
      if (!this.ready(turn, out.length - filled)) break;
      filled = this.play(turn, out, filled);
    }
    out.fill(0, filled);
    if (filled < out.length) this.gain = 0;
    return filled > 0;
  }

  /**
   * Silence, after a fade: everything that waits is forgotten. The answer is how much of the turn
   * that was heard last has been played, the fade included; null when there was none.
   */
  flush(upTo?: number): Progress | null {
    const heard = this.turns[0];
    for (const turn of this.turns) this.dropped = Math.max(this.dropped, turn.id);
    if (upTo !== undefined) this.dropped = Math.max(this.dropped, upTo);
    if (heard && this.gain > 0) {
      this.tail = this.cut(heard, Math.ceil(this.gain / this.step));
      heard.played += this.tail.length;
    }
    this.turns = [];
    return heard ? this.told(heard) : null;
  }

  /** Another conversation: its turns are counted anew. */
  reset(): void {
    this.flush();
    this.dropped = -1;
  }

  /** Of the turn that is played, or waits to be; null in silence. */
  progress(): Progress | null {
    const turn = this.turns[0];
    return turn ? this.told(turn) : null;
  }

  private told(turn: Turn): Progress {
    const ms = (count: number) => Math.round((count * 1000) / this.rate);
    return { turn: turn.id, playedMs: ms(turn.played), waitingMs: ms(turn.waiting) };
  }

  private ready(turn: Turn, wanted: number): boolean {
    if (turn.waiting === 0) {
      turn.running = false;
      return false;
    }
    if (!turn.running) {
      const enough = turn.waiting >= this.prebuffer || turn.complete || turn.held >= this.patience;
      if (!enough) {
        turn.held += wanted;
        return false;
      }
      turn.running = true;
      turn.held = 0;
    }
    return true;
  }

  private play(turn: Turn, out: Float32Array, from: number): number {
    let filled = from;
    while (filled < out.length && turn.waiting) {
      const piece = turn.pieces[0]!;
      const count = Math.min(piece.length, out.length - filled);
      for (let n = 0; n < count; n++) {
        // The last samples that are there fade out: whether more will come nobody knows.
        const rising = turn.waiting - n > this.fade;
        this.gain = rising ? Math.min(1, this.gain + this.step) : Math.max(0, this.gain - this.step);
        out[filled + n] = piece[n]! * this.gain;
      }
      if (count === piece.length) turn.pieces.shift();
      else turn.pieces[0] = piece.subarray(count);
      turn.waiting -= count;
      turn.played += count;
      filled += count;
    }
    return filled;
  }

  private cut(turn: Turn, count: number): Float32Array {
    const cut = new Float32Array(Math.min(count, turn.waiting));
    let filled = 0;
    for (const piece of turn.pieces) {
      const part = piece.subarray(0, cut.length - filled);
      cut.set(part, filled);
      filled += part.length;
    }
    return cut;
  }

  private pullTail(out: Float32Array): number {
    const count = Math.min(this.tail.length, out.length);
    for (let n = 0; n < count; n++) {
      this.gain = Math.max(0, this.gain - this.step);
      out[n] = this.tail[n]! * this.gain;
    }
    if (count) this.tail = this.tail.subarray(count);
    return count;
  }
}

function samples(ms: number, rate: number): number {
  return Math.round((ms * rate) / 1000);
}

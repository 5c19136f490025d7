/** A text said by the server's own voice, outside of any conversation. */
import { send, words } from "../api/http";
import { t } from "../i18n";
import { prefs } from "../stores/prefs";
import { Player } from "./player";

const PATH = "/api/vox/speech";
/** What stands before the samples of a WAV file. */
const HEAD_BYTES = 44;

/** Each text is a turn of its own. */
let turn = 0;
let heardOut: (() => void) | null = null;

const player = new Player(
  (progress) => {
    if (progress.done && progress.turn === turn) heardOut?.();
  },
  () => {},
);

/** Ends when it was heard to its end, or was stopped. Throws why it cannot be said. */
export async function serverVoice(text: string, stopped: AbortSignal): Promise<void> {
  const mine = ++turn;
  const over = new Promise<void>((resolve) => {
    heardOut = resolve;
    stopped.addEventListener("abort", () => {
      void player.flush(mine);
      resolve();
    });
  });
  try {
    // Until the sound is there, the way it is played is made ready.
    const [answer] = await Promise.all([send("POST", PATH, { text }, { signal: stopped }), openVoice()]);
    if (!answer.ok) throw new Error(await why(answer));
    const some = await play(answer.body!, mine);
    player.complete(mine);
    if (some) await over;
  } catch (error) {
    if (!stopped.aborted) throw error;
  } finally {
    if (mine === turn) player.rest();
  }
}

/** Call it where something was pressed. Throws where the browser has no way to play. */
export function openVoice(): Promise<void> {
  return player.open(prefs.value.speaker).catch(() => {
    throw new Error(t("This browser cannot play sound."));
  });
}

async function why(answer: Response): Promise<string> {
  const body: unknown = await answer.json().catch(() => null);
  return words(answer.status, body);
}

/** Hands on what comes as it comes, whole samples at a time. False: there was no sound in it. */
async function play(body: ReadableStream<Uint8Array>, mine: number): Promise<boolean> {
  const reader = body.getReader();
  let waiting = new Uint8Array(0);
  let skip = HEAD_BYTES;
  let some = false;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return some;
    const all = new Uint8Array(waiting.length + value.length);
    all.set(waiting);
    all.set(value, waiting.length);
    const from = Math.min(skip, all.length);
    skip -= from;
    const to = all.length - ((all.length - from) % 2);
    if (to > from) {
      player.play(mine, all.slice(from, to).buffer);
      some = true;
    }
    waiting = all.slice(to);
  }
}

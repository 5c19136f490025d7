/** Push-to-talk: what is said while the button, or the space bar, is held is one utterance. */
import { prefs } from "../stores/prefs";
import { say } from "./bus";
import { held, microphone } from "./ear";
import { hush } from "./mouth";

/** The end of a word is still on its way when the button is let go. */
const TAIL_MS = 150;
let letGo: ReturnType<typeof setTimeout> | undefined;

/** Held, or let go of. Does nothing where there is no line, or where nobody has to hold anything. */
export function hold(on: boolean): void {
  if (prefs.value.handsFree || !microphone.value) return;
  clearTimeout(letGo);
  if (on && !held.value) {
    // Silence first: who presses the button is not talked over.
    void hush();
    held.value = say({ type: "activity", active: true });
  } else if (!on && held.value) {
    letGo = setTimeout(() => {
      held.value = false;
      say({ type: "activity", active: false });
    }, TAIL_MS);
  }
}

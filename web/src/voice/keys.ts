/** Keys of an open conversation, on every page: Space talks where it is push-to-talk, Esc cuts in. */
import { prefs } from "../stores/prefs";
import { interrupt, phase } from "./conversation";
import { held, microphone } from "./ear";
import { hold } from "./push";

/** Space means something else there. */
const OWN_SPACE = "input, textarea, select, button:not(.vox-talk), a, summary, [contenteditable], [role='slider']";

function busyElsewhere(): boolean {
  return document.querySelector("dialog:modal, :popover-open, [role='dialog'][aria-modal='true']") !== null;
}

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape" && !busyElsewhere()) interrupt();
  else if (event.code === "Space" && pushes(event.target)) {
    event.preventDefault();
    if (!event.repeat) hold(true);
  }
});

document.addEventListener("keyup", (event) => {
  if (event.code !== "Space" || !held.value) return;
  event.preventDefault(); // else the button that has the focus would be pressed by it
  hold(false);
});

// Whoever leaves the window lets go of every key.
addEventListener("blur", () => hold(false));

function pushes(target: EventTarget | null): boolean {
  if (prefs.value.handsFree || phase.value === "off" || !microphone.value || busyElsewhere()) return false;
  return !(target instanceof Element && target.closest(OWN_SPACE));
}

/** What we hear of the person: the microphone, whether it is muted, and the talk button. */
import { computed, effect, signal } from "@preact/signals";

import { prefs } from "../stores/prefs";
import { BrowserEars, type Hearing } from "./browser-speech";
import { Microphone, MicrophoneError } from "./microphone";

export const microphone = signal<Microphone | null>(null);
/** The browser recognises speech by itself, for a model that only reads. */
const recogniser = signal<BrowserEars | null>(null);
/** The browser asks the person, or opens the device. */
export const opening = signal(false);
export const muted = signal(false);
/** The talk button is held, or the space bar is. */
export const held = signal(false);
/** Why there is no microphone, in words. */
export const trouble = signal<MicrophoneError | null>(null);
export const listening = computed(() => microphone.value !== null || recogniser.value !== null);
/** Somebody who spoke now would be heard. */
export const hearing = computed(
  () => listening.value && !muted.value && (prefs.value.handsFree || held.value || microphone.value === null),
);

let listener: (frame: ArrayBuffer) => void = () => {};
let lost: () => void = () => {};
/** Counts openings: one that was overtaken by a closing comes to nothing. */
let round = 0;

/** Frames of 20 ms go to `onFrame` while the person is heard. */
export function attach(onFrame: (frame: ArrayBuffer) => void, onLost: () => void): void {
  listener = onFrame;
  lost = onLost;
}

/** Opens the microphone. False: there is none, and `trouble` says why. */
export async function open(): Promise<boolean> {
  if (microphone.value) return true;
  trouble.value = null;
  opening.value = true;
  const mine = ++round;
  try {
    const opened = await Microphone.open(prefs.value.microphone, (frame) => hearing.value && listener(frame), unplugged);
    if (mine !== round) {
      opened.close();
      return false;
    }
    opened.muted = muted.value;
    microphone.value = opened;
    return true;
  } catch (error) {
    if (mine !== round) return false;
    trouble.value = error instanceof MicrophoneError ? error : new MicrophoneError("busy");
    return false;
  } finally {
    if (mine === round) opening.value = false;
  }
}

/** Lets the browser listen and recognise. */
export function recognise(to: Hearing): void {
  recogniser.value ??= new BrowserEars({
    ...to,
    failed: (words) => {
      recogniser.value = null;
      to.failed(words);
    },
  });
}

export function close(): void {
  round++;
  opening.value = false;
  microphone.value?.close();
  microphone.value = null;
  recogniser.value?.end();
  recogniser.value = null;
  held.value = false;
}

export function mute(on: boolean): void {
  muted.value = on;
  if (microphone.value) microphone.value.muted = on;
  if (recogniser.value) recogniser.value.muted = on;
}

// Another device, chosen in the middle of a conversation.
const device = computed(() => prefs.value.microphone);
effect(() => {
  void device.value;
  if (!microphone.peek()) return;
  close();
  void open();
});

function unplugged(error: MicrophoneError): void {
  close();
  trouble.value = error;
  lost();
}

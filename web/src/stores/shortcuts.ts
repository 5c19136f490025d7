/** Every key that does something, in one list: it is what the overlay shows and what is heard. */
import { signal } from "@preact/signals";

export interface Shortcut {
  /** As people read it: `Ctrl+K`, `?`, `Space`. Ctrl is also the command key of a Mac. */
  keys: string;
  label: string;
  /** The heading that it stands under. */
  group: string;
  /** Left out: somebody else hears the key, and it is only listed. */
  run?: () => void;
}

export const shortcuts = signal<Shortcut[]>([]);

/** Adds some; the answer takes them away again. For a page: `useEffect(() => addShortcuts([…]), [])`. */
export function addShortcuts(more: Shortcut[]): () => void {
  shortcuts.value = [...shortcuts.value, ...more];
  return () => {
    shortcuts.value = shortcuts.value.filter((each) => !more.includes(each));
  };
}

export function matches(keys: string, event: KeyboardEvent): boolean {
  const parts = keys.split("+");
  const key = parts.pop()!;
  const control = parts.includes("Ctrl");
  if (control !== (event.ctrlKey || event.metaKey) || parts.includes("Alt") !== event.altKey) {
    return false;
  }
  const pressed = event.key === " " ? "Space" : event.key;
  if (pressed.toLowerCase() !== key.toLowerCase()) return false;
  // Which signs need Shift depends on the keyboard; for letters it is part of the shortcut.
  return !/^[a-z]$/i.test(key) || parts.includes("Shift") === event.shiftKey;
}

function typing(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches("input, textarea, select"))
  );
}

/** Listens on the whole page; the answer stops it. */
export function hearShortcuts(): () => void {
  const hear = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return;
    // The last one added is the nearest to what the person is doing.
    const found = shortcuts.value.findLast((each) => each.run && matches(each.keys, event));
    if (!found) return;
    // Plain keys belong to whatever is being typed into, and to an open dialog.
    const plain = !/Ctrl|Alt|^F\d/.test(found.keys);
    if (plain && (typing(event.target) || document.querySelector("dialog:modal"))) return;
    event.preventDefault();
    found.run!();
  };
  document.addEventListener("keydown", hear);
  return () => document.removeEventListener("keydown", hear);
}

/** What the person chose, kept in this browser. */
import { computed, effect, signal } from "@preact/signals";

export type Theme = "system" | "light" | "dark" | "high-contrast";
/** The name of a provider; the server says which there are. */
export type Backend = string;

export interface Prefs {
  theme: Theme;
  /** Empty: the browser's. */
  language: string;
  /** Empty: whatever the server has chosen. */
  backend: Backend | "";
  model: string;
  voice: string;
  handsFree: boolean;
  captions: boolean;
  /** Answers to what is typed into a conversation by voice are spoken too. */
  speakAnswers: boolean;
  microphone: string;
  speaker: string;
  navOpen: boolean;
  /** The conversation's bar below other pages is there, not only its pill. */
  dockOpen: boolean;
  /** Tours are also spoken. */
  tourSpeech: boolean;
  /** Questions that open while the page is hidden are told by the system. */
  notifications: boolean;
}

const KEY = "antiphon.prefs";
const DEFAULTS: Prefs = {
  theme: "system",
  language: "",
  backend: "",
  model: "",
  voice: "",
  handsFree: true,
  captions: true,
  speakAnswers: false,
  microphone: "",
  speaker: "",
  navOpen: true,
  dockOpen: true,
  tourSpeech: true,
  notifications: false,
};

function stored(): Prefs {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Prefs>;
    return { ...DEFAULTS, ...found };
  } catch {
    return DEFAULTS;
  }
}

export const prefs = signal<Prefs>(stored());

export function prefer(change: Partial<Prefs>): void {
  prefs.value = { ...prefs.value, ...change };
}

/** For another person: how it looks stays, the rest is as at first. */
export function resetPrefs(): void {
  const { theme, language } = prefs.peek();
  prefs.value = { ...DEFAULTS, theme, language };
}

const darkness = matchMedia("(prefers-color-scheme: dark)");
const dark = signal(darkness.matches);
darkness.addEventListener("change", () => {
  dark.value = darkness.matches;
});

/** What is seen: the person's choice, or what their system prefers. */
export const shownTheme = computed(() => {
  const { theme } = prefs.value;
  return theme === "system" ? (dark.value ? "dark" : "light") : theme;
});

effect(() => {
  document.documentElement.dataset["theme"] = shownTheme.value;
  try {
    localStorage.setItem(KEY, JSON.stringify(prefs.value));
  } catch {
    // A private window may refuse: the choice holds until the page is closed.
  }
});

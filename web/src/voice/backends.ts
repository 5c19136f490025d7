/** Who can answer: the backends, their models and voices, and what the person chose of them. */
import { computed, signal } from "@preact/signals";

import { get } from "../api/http";
import { AWAY_MS, isAway } from "../api/load";
import { prefs, type Backend } from "../stores/prefs";
import { canHear, canSpeak } from "./browser-speech";

export interface BackendStatus {
  name: Backend;
  label: string;
  configured: boolean;
  reachable: boolean | null;
  why: string | null;
  model: string | null;
  voice_model: string | null;
  models: { id: string; label: string; modes: ("text" | "voice")[] }[];
}

export interface VoxStatus {
  backend: Backend;
  active_sessions: number;
  /** The sound of spoken conversations is kept for so many days; null: it is not recorded. */
  recorded_days: number | null;
  backends: BackendStatus[];
}

export interface VoiceChoice {
  id: string;
  name: string;
  gender?: string;
  style?: string;
}

export const status = signal<VoxStatus | null>(null);
export const statusError = signal<Error | null>(null);
const voices = signal<Partial<Record<Backend, VoiceChoice[]>>>({});

/** The one that would answer now. */
export const backend = computed<Backend>(() => prefs.value.backend || status.value?.backend || "local");
export const backendStatus = computed(
  () => status.value?.backends.find((each) => each.name === backend.value) ?? null,
);

export function usable({ configured, reachable }: BackendStatus): boolean {
  return configured && reachable !== false;
}

export async function loadStatus(): Promise<void> {
  try {
    status.value = await get<VoxStatus>("/api/vox/status");
    statusError.value = null;
  } catch (error) {
    statusError.value = error as Error;
    clearTimeout(retry);
    if (isAway(error)) retry = setTimeout(() => void loadStatus(), AWAY_MS);
  }
}

let retry: ReturnType<typeof setTimeout> | undefined;

/** Models for a mode; a model that only reads and writes talks with ears and a voice beside it. */
export function modelsOf(one: BackendStatus, mode: "text" | "voice"): BackendStatus["models"] {
  const wanted = mode === "voice" && one.voice_model === null ? "text" : mode;
  return one.models.filter((model) => model.modes.includes(wanted));
}

/** The model that the person chose, where it can be used in this mode. */
export function modelFor(mode: "text" | "voice"): string | undefined {
  const one = backendStatus.value;
  const { model } = prefs.value;
  if (!prefs.value.backend || !model || !one) return undefined;
  const known = one.models.find((each) => each.id === model);
  // A name that nobody listed may be one that the provider has all the same.
  return !known || modelsOf(one, mode).includes(known) ? model : undefined;
}

/** The server listens and speaks, with its own voice, for a model that does neither. */
export const BUILT_IN: VoiceChoice = { id: "built-in", name: "Built-in voice" };

export async function loadVoices(of: Backend): Promise<void> {
  if (voices.value[of] || (of !== "gemini" && of !== "openai")) return;
  const found = await get<{ voices: VoiceChoice[] }>("/api/vox/voices", { query: { backend: of } });
  voices.value = { ...voices.value, [of]: found.voices };
}

export function voicesOf(of: Backend): VoiceChoice[] {
  if (of === "local") return [BUILT_IN];
  if (of !== "claude") return voices.value[of] ?? [];
  if (!canHear() || !canSpeak()) return [BUILT_IN];
  const own = speechSynthesis.getVoices().map(({ voiceURI, name, lang }) => ({ id: voiceURI, name, style: lang }));
  return [{ id: "", name: "This browser's voice" }, ...own, BUILT_IN];
}

/** With this choice the browser listens and speaks. */
export function speaksHere(): boolean {
  return backend.value === "claude" && canHear() && canSpeak() && prefs.value.voice !== BUILT_IN.id;
}

/** What `start` is told of who is to answer. */
export function choice(): { mode?: Backend; model?: string; voice?: string } {
  const mode = prefs.value.backend || undefined;
  const model = modelFor("voice");
  return { ...(mode ? { mode } : {}), ...(model ? { model } : {}), ...chosenVoice() };
}

function chosenVoice(): { voice?: string } {
  if (backend.value === "claude") return speaksHere() ? {} : { voice: BUILT_IN.id };
  const { voice } = prefs.value;
  const known = voices.value[backend.value];
  const fits = backend.value !== "local" && (!known || known.some(({ id }) => id === voice));
  return voice && fits ? { voice } : {};
}

/** Who answers: what there is to choose from, and changing it. */
import { get } from "../api/http";
import { prefer, type Backend, prefs } from "../stores/prefs";
import { conversation, talking } from "../stores/talk";
import type { VoxStatus } from "../voice/backends";
import { on } from "../voice/bus";

export interface Choice {
  backend: Backend;
  model: string;
  /** Where something else was taken than what was asked for. */
  note?: string;
}

/** What `provider` and `model` mean for conversations. Throws, in words, what cannot be. */
export function chosen(status: VoxStatus, provider: string, model: string): Choice {
  const backend = status.backends.find((each) => each.name === provider.toLowerCase());
  if (!backend) {
    throw new Error(`There is no provider "${provider}". There are ${status.backends.map((each) => each.name).join(", ")}.`);
  }
  if (!backend.configured || backend.reachable === false) {
    throw new Error(backend.why ?? `${backend.label} cannot be used right now.`);
  }
  const own = [backend.model, backend.voice_model].filter((each) => each !== null);
  const known = [...new Set([...own, ...backend.models.map((each) => each.id)])];
  const found = known.find((each) => each.toLowerCase() === model.toLowerCase());
  if (!found) {
    throw new Error(`${backend.label} has no model "${model}" here. There are ${known.join(", ")}.`);
  }
  const modes = backend.models.find((each) => each.id === found)?.modes;
  // In a conversation a model that only writes would be refused by its provider.
  if (backend.voice_model && found !== backend.voice_model && modes && !modes.includes("voice")) {
    return {
      backend: backend.name,
      model: backend.voice_model,
      note: `${found} only writes; in conversations ${backend.voice_model} answers.`,
    };
  }
  return { backend: backend.name, model: found };
}

/** How long the model may go on speaking before the other one takes over. */
const FAREWELL_MS = 6000;

/** What can be used. A provider that did not answer a while ago is asked once more. */
async function lately(provider: string): Promise<VoxStatus> {
  const known = await get<VoxStatus>("/api/vox/status", { signal: AbortSignal.timeout(2000) });
  const silent = known.backends.some((each) => each.name === provider && each.configured && each.reachable === false);
  return silent ? get("/api/vox/status", { query: { probe: true }, signal: AbortSignal.timeout(5000) }) : known;
}

export async function switchModel(provider: string, model: string): Promise<object> {
  const choice = chosen(await lately(provider), provider, model);
  prefer({ backend: choice.backend, model: choice.model, ...(choice.backend === prefs.value.backend ? {} : { voice: "" }) });
  if (talking.value) {
    const { backend, model: name } = choice;
    // The one that was asked hears the answer first and may say so; then the conversation moves.
    // What goes wrong with that is said where the conversation is.
    afterTurn(() => conversation.value?.restart({ backend, model: name }).catch(() => {}));
  }
  return { provider: choice.backend, model: choice.model, ...(choice.note ? { note: choice.note } : {}) };
}

function afterTurn(go: () => void): void {
  const once = () => {
    stop();
    clearTimeout(timer);
    go();
  };
  const stop = on("turn_complete", once);
  const timer = setTimeout(once, FAREWELL_MS);
}

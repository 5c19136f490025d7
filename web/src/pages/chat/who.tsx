/** Which agent and which model answer. Models can be changed in the middle of a conversation. */
import { useEffect } from "preact/hooks";

import { get } from "../../api/http";
import { useLoad } from "../../api/load";
import { prefer, prefs, type Backend } from "../../stores/prefs";
import { backend, backendStatus, loadStatus, modelFor, modelsOf, status, usable } from "../../voice/backends";
import { answeredBy, profile, sessionId } from "./written";

interface Profiles {
  profiles: { name: string; description: string }[];
}

export function Who() {
  useEffect(() => void loadStatus(), []);
  return <div class="chat-who"><Agent /><Model /></div>;
}

function Agent() {
  const found = useLoad((signal) => get<Profiles>("/api/profiles", { signal }), []);
  const kept = sessionId.value ? answeredBy.value?.profile : undefined;
  if (!found.data || found.data.profiles.length < 2) return null;
  // A conversation keeps the agent that it began with.
  if (sessionId.value) return kept ? <span class="chat-kept">Agent <strong>{kept}</strong></span> : null;
  return (
    <label>
      <span>Agent</span>
      <select value={profile.value} aria-label="Agent" onChange={(event) => { profile.value = event.currentTarget.value; }}>
        {found.data.profiles.map(({ name, description }) => <option key={name} value={name} title={description}>{name}</option>)}
      </select>
    </label>
  );
}

/** Backend and model in one list: `gemini/gemini-2.5-flash`. */
function Model() {
  const found = status.value;
  const now = backendStatus.value;
  const model = modelFor("text") ?? now?.model ?? "";
  const choose = (value: string) => {
    const cut = value.indexOf("/");
    prefer({ backend: value.slice(0, cut) as Backend, model: value.slice(cut + 1), voice: value.startsWith(prefs.value.backend) ? prefs.value.voice : "" });
  };
  return (
    <label data-tour="chat-model">
      <span>Model</span>
      <select value={`${backend.value}/${model}`} aria-label="Model" disabled={!found} onChange={(event) => choose(event.currentTarget.value)}>
        {found?.backends.map((one) => {
          const models = modelsOf(one, "text");
          const listed = one.model && !models.some(({ id }) => id === one.model) ? [{ id: one.model, label: one.model }, ...models] : models;
          return (
            <optgroup key={one.name} label={usable(one) ? one.label : `${one.label} (${one.configured ? "not reachable" : "needs a key"})`} disabled={!usable(one)}>
              {listed.map(({ id, label }) => <option key={id} value={`${one.name}/${id}`}>{label}</option>)}
            </optgroup>
          );
        })}
      </select>
    </label>
  );
}

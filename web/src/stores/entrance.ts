/** Addresses that lead in: `#/link/<secret>` and `#/sign-in?problem=…`. They leave the address bar at once. */
import { signal } from "@preact/signals";

/** The secret of the link that was followed, for as long as it is used; in memory alone. */
export const linkSecret = signal<string | null>(null);
/** Why an identity provider's way in led nowhere; empty: it did not. */
export const providerProblem = signal("");

/** Reads them from the address, before anything else does. */
export function takeEntrance(): void {
  const [path = "", search = ""] = location.hash.replace(/^#\/?/, "").split("?", 2);
  const [place, secret = ""] = path.split("/");
  if (place === "link") linkSecret.value = decoded(secret);
  else if (place === "sign-in") providerProblem.value = new URLSearchParams(search).get("problem") ?? "";
  else return;
  history.replaceState(null, "", "#/");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

addEventListener("popstate", takeEntrance);
addEventListener("hashchange", takeEntrance);

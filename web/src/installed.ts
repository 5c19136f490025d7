/** The console as an application of its own: a service worker opens it without the server, and a system can install it. */
import { signal } from "@preact/signals";

import { address } from "./api/address";
import { scriptAddress } from "./trusted";

interface InstallPrompt extends Event {
  prompt: () => Promise<unknown>;
}

/** What the browser gave to ask the person with; null where it cannot be installed, or is. */
export const installPrompt = signal<InstallPrompt | null>(null);

export function becomeInstallable(): void {
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    installPrompt.value = event as InstallPrompt;
  });
  addEventListener("appinstalled", () => (installPrompt.value = null));
  // Pages over plain HTTP from another machine have none; sources that are worked on need none.
  if (!("serviceWorker" in navigator) || !document.querySelector('meta[name="build"]')) return;
  const register = () =>
    navigator.serviceWorker.register(scriptAddress(address("/console/service-worker.js")), { scope: address("/") }).catch((error: unknown) => {
      // The page works all the same, only not without its server.
      console.info("The console cannot be opened offline:", error);
    });
  // What the page itself needs comes first.
  if (document.readyState === "complete") void register();
  else addEventListener("load", () => void register());
}

/** Addresses of the console's own scripts, as a browser wants them that takes no others (trusted types). */

interface ScriptPolicy {
  createScriptURL(url: string): unknown;
}
interface PolicyMaker {
  createPolicy(name: string, rules: ScriptPolicy): ScriptPolicy;
}

const maker = (globalThis as { trustedTypes?: PolicyMaker }).trustedTypes;
const policy = maker?.createPolicy("antiphon", {
  createScriptURL: (url) => {
    if (new URL(url, document.baseURI).origin !== location.origin) throw new TypeError(url);
    return url;
  },
});

/** The address of a worker that ships with the console. */
export function scriptAddress(url: string): string {
  return (policy?.createScriptURL(url) ?? url) as string;
}

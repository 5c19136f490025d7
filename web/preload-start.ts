import type { Plugin } from "vite";

/** The app is imported when its language is known; the browser may fetch it, and what it imports, before that. */
export function preloadStart(): Plugin {
  return {
    name: "preload-start",
    transformIndexHtml: {
      order: "post",
      handler: (html, { bundle }) => {
        const start = bundle?.["start.js"];
        if (start?.type !== "chunk") return [];
        return [start.fileName, ...start.imports]
          .filter((name) => !html.includes(`"console/${name}"`))
          .map((name) => ({ tag: "link", injectTo: "head", attrs: { rel: "modulepreload", crossorigin: true, href: `console/${name}` } }));
      },
    },
  };
}

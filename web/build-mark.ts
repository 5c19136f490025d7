import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

const ROOT = import.meta.dirname;
const INPUTS = ["build-mark.ts", "index.html", "package-lock.json", "preload-start.ts", "public", "service-worker.js", "src", "tsconfig.json", "vite.config.ts"];

/** Every file that the build is made of, as paths with slashes, in order. */
function files(path: string): string[] {
  if (!statSync(join(ROOT, path)).isDirectory()) return [path];
  return readdirSync(join(ROOT, path)).flatMap((name) => files(`${path}/${name}`));
}

function mark(): string {
  const digest = createHash("sha256");
  for (const name of INPUTS.flatMap(files).sort()) {
    digest.update(`${name}\0`).update(readFileSync(join(ROOT, name))).update("\0");
  }
  return digest.digest("hex");
}

/**
 * Marks a build with a digest of its sources: in `build.json`, which a test compares without needing Node and a page
 * asks for to learn of another version; in the page itself; and in the service worker, with the files it keeps.
 */
export function buildMark(): Plugin {
  return {
    name: "build-mark",
    transformIndexHtml: (_, { server }) => (server ? [] : [{ tag: "meta", attrs: { name: "build", content: mark() }, injectTo: "head" }]),
    writeBundle({ dir }) {
      const write = (name: string, text: string) => writeFileSync(join(dir!, name), text);
      write("build.json", `${JSON.stringify({ sources: mark() })}\n`);
      const kept = readdirSync(dir!).filter((name) => !["build.json", "service-worker.js"].includes(name)).sort();
      const worker = readFileSync(join(ROOT, "service-worker.js"), "utf8");
      write("service-worker.js", worker.replace('"__MARK__"', JSON.stringify(mark())).replace('["__FILES__"]', JSON.stringify(kept)));
    },
  };
}

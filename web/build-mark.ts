import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

const ROOT = import.meta.dirname;
const INPUTS = ["build-mark.ts", "index.html", "package-lock.json", "preload-start.ts", "public", "src", "tsconfig.json", "vite.config.ts"];

/** Every file that the build is made of, as paths with slashes, in order. */
function files(path: string): string[] {
  if (!statSync(join(ROOT, path)).isDirectory()) return [path];
  return readdirSync(join(ROOT, path)).flatMap((name) => files(`${path}/${name}`));
}

/** Writes `build.json` with a digest of the sources: a test compares it without needing Node. */
export function buildMark(): Plugin {
  return {
    name: "build-mark",
    writeBundle({ dir }) {
      const digest = createHash("sha256");
      for (const name of INPUTS.flatMap(files).sort()) {
        digest.update(`${name}\0`).update(readFileSync(join(ROOT, name))).update("\0");
      }
      writeFileSync(join(dir!, "build.json"), `${JSON.stringify({ sources: digest.digest("hex") })}\n`);
    },
  };
}

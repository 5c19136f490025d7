import { defineConfig } from "vitest/config";

import { buildMark } from "./build-mark.ts";
import { preloadStart } from "./preload-start.ts";

// The build is committed under stable names. It is minified: what comes over the wire is a fifth less.
export default defineConfig({
  // Relative addresses: the server may be mounted under any prefix. The page lies one level above its files.
  base: "./",
  experimental: {
    renderBuiltUrl: (file, { hostType }) => (hostType === "html" ? `console/${file}` : { relative: true }),
  },
  publicDir: "public",
  plugins: [preloadStart(), buildMark()],
  build: {
    outDir: "../src/antiphon/console/static",
    emptyOutDir: true,
    target: "es2022",
    minify: true,
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1000,
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        entryFileNames: "app.js",
        chunkFileNames: "[name].js",
        assetFileNames: "[name][extname]",
        codeSplitting: {
          groups: [
            { name: "vendor-preact", test: /node_modules\/(preact|@preact)\// },
            { name: "vendor-markdown", test: /node_modules\/(marked|dompurify)\// },
            { name: "vendor-uplot", test: /node_modules\/uplot\// },
            { name: "vendor-d3", test: /node_modules\/d3-/ },
          ],
        },
      },
    },
  },
  // Audio worklets are fetched by their address, each as one file.
  worker: { format: "es", rolldownOptions: { output: { entryFileNames: "[name].js" } } },
  server: {
    proxy: {
      "/api": "http://127.0.0.1:8080",
      "/metrics": "http://127.0.0.1:8080",
      "/ws": { target: "ws://127.0.0.1:8080", ws: true },
    },
  },
  test: {
    environment: "happy-dom",
    include: ["tests/**/*.test.{ts,tsx}"],
    setupFiles: ["tests/setup.ts"],
    // One document for all files takes a quarter of the time; a file clears the stores it looks at.
    isolate: false,
    maxWorkers: 1,
  },
});

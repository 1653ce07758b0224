import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { defineConfig, type Plugin } from "vite";

const DIST = join(import.meta.dirname, "dist/dashboard");
const PAGES = join(import.meta.dirname, "src/dashboard");

/** It must not wait for the rest of the program. */
const START = /dashboard\/(start|early|pages)\.ts$|words\/language\.ts$|preload-helper|rolldown\/runtime/;

/** Writes a compressed copy beside each text, so that no server compresses it again for each viewer. */
const compressed: Plugin = {
  name: "compressed",
  closeBundle() {
    for (const name of readdirSync(DIST, { recursive: true, encoding: "utf8" })) {
      if (!/\.(js|css|html|svg|webmanifest)$/.test(name)) continue;
      writeFileSync(join(DIST, `${name}.gz`), gzipSync(readFileSync(join(DIST, name)), { level: 9 }));
    }
  },
};

/** Runs `start.ts` as a script of its own: what it asks for is on its way while the program arrives. */
const startFirst: Plugin = {
  name: "start-first",
  transformIndexHtml: {
    order: "post",
    handler(_html, { bundle = {} }) {
      const start = Object.values(bundle).find((one) => one.type === "chunk" && one.name === "start");
      if (start === undefined) throw new Error("start.ts is no chunk of its own");
      const attrs = { type: "module", async: true, crossorigin: true, src: `/${start.fileName}` };
      return [{ tag: "script", attrs, injectTo: "head-prepend" }];
    },
  },
};

/** The dashboard, as the daemon serves it: docs/dev/decisions/0019-the-dashboard.md. */
export default defineConfig({
  root: PAGES,
  base: "/",
  plugins: [startFirst, compressed],
  build: {
    outDir: DIST,
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    // hls.js, which only a player loads, has 578 kB.
    chunkSizeWarningLimit: 600,
    // A page is one file beside the program, which is there already.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_file, files, { hostType }) => (hostType === "html" ? files : []),
    },
    rolldownOptions: {
      input: { start: join(PAGES, "start.ts"), index: join(PAGES, "index.html") },
      output: {
        codeSplitting: {
          groups: [
            { name: "start", test: START, priority: 3 },
            { name: "program", test: /dashboard\/main\.tsx$/, priority: 2 },
            // What pages share that are loaded later.
            { name: "parts", test: /\.(ts|tsx|js|mjs)$/, minShareCount: 2, priority: 1 },
          ],
        },
      },
    },
  },
});

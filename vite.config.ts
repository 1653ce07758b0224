import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { defineConfig, type Plugin } from "vite";

const DIST = join(import.meta.dirname, "dist/dashboard");

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

/** The dashboard, as the daemon serves it: docs/dev/decisions/0019-the-dashboard.md. */
export default defineConfig({
  root: "src/dashboard",
  base: "/",
  plugins: [compressed],
  build: { outDir: "../../dist/dashboard", emptyOutDir: true, target: "es2022", assetsInlineLimit: 0 },
});

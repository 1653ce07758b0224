import { resolve, sep } from "node:path";
import type { Plugin } from "vitest/config";
import { isBuilt } from "../scripts/built.mjs";

const SOURCES = resolve("src") + sep;
const BUILT = resolve("dist") + sep;

/**
 * Loads our modules as they were built, if the build is current. vitest would transform each of them, and its form of an import makes
 * tests that compute take almost twice their processor time. Vite builds the dashboard in one piece: its modules are transformed.
 */
export function builtSources(): Plugin[] {
  if (!isBuilt()) return [];
  return [
    {
      name: "built-sources",
      enforce: "pre",
      config: () => ({ test: { server: { deps: { external: [/\/dist\//] } } } }),
      resolveId(source, importer) {
        if (importer === undefined || !source.startsWith(".")) return undefined;
        const file = resolve(importer, "..", source);
        const isCompiled = file.startsWith(SOURCES) && !file.startsWith(`${SOURCES}dashboard${sep}`);
        return isCompiled ? BUILT + file.slice(SOURCES.length).replace(/\.ts$/, ".js") : undefined;
      },
    },
  ];
}

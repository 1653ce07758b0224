import { basename, join, resolve } from "node:path";
import { rolldown } from "rolldown";

const ROOT = resolve(import.meta.dirname, "../..");

/**
 * Bundles `source` (a path in this repository) and everything that it imports as JavaScript in `folder`, so that a test can run it
 * in a process of its own and kill that.
 *
 * @returns the program
 */
export async function bundledInto(folder: string, source: string): Promise<string> {
  const bundle = await rolldown({
    input: resolve(ROOT, source),
    platform: "node",
    transform: { target: "node20.19" },
  });
  await bundle.write({ dir: folder, entryFileNames: "[name].mjs", chunkFileNames: "[name].mjs" });
  await bundle.close();
  return join(folder, basename(source).replace(/\.ts$/, ".mjs"));
}

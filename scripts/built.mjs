import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";

/** The inputs of `npm run build`, which dates `build/built` to its beginning. */
const BUILT_FROM = [
  "src",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "tsconfig.build.json",
  "rolldown.config.ts",
  "vite.config.ts",
];

/** Whether `dist` was built from the sources in the working directory. A folder is newer than the build if a file of it was removed. */
export function isBuilt() {
  if (!existsSync("dist/main.js") || !existsSync("build/built")) return false;
  return execFileSync("find", [...BUILT_FROM, "-newer", "build/built", "-print", "-quit"]).length === 0;
}

// npm start: the simulator, with the arguments that follow. Before setup there is nothing to start.
import { existsSync } from "node:fs";
import { join } from "node:path";

const MAIN = join(import.meta.dirname, "../dist/main.js");
if (!existsSync(MAIN)) {
  console.error("start: nothing is built yet, run: npm run setup");
  process.exit(1);
}
process.argv.splice(1, 1, MAIN, "simulate");
await import(MAIN);

// npm run cycles [-- --cycles N] [--seed N]: short recordings with failures by chance, and what they leave behind: nothing.
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: { cycles: { type: "string", default: "1000" }, seed: { type: "string", default: "21" } },
});
if (![values.cycles, values.seed].every((value) => /^[1-9]\d*$/.test(value))) {
  process.stderr.write("usage: npm run cycles -- [--cycles N] [--seed N]\n");
  process.exit(2);
}
const env = { ...process.env, CYCLES: values.cycles, CYCLES_SEED: values.seed };
const args = ["run", "--config", "vitest.long.config.ts", "test/main-job/cycles.long.ts"];
const { status } = spawnSync("node_modules/.bin/vitest", args, { env, stdio: "inherit" });
process.exit(status ?? 1);

import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { TARGETS } from "../targets.ts";
import type { CountedModule } from "./coverage.ts";
import { explore } from "./explore.ts";
import { diceOf } from "./mutate.ts";
import type { SharedInput } from "./shared.ts";

/** The order of scripts/fuzz.mjs to a worker. */
interface Order {
  readonly target: string;
  readonly modules: readonly CountedModule[];
  readonly seed: number;
  readonly shared: SharedInput;
  /** Folders of inputs; what is worth keeping is written into the first. */
  readonly folders: readonly string[];
}

const order = workerData as Order;
const target = TARGETS.find(({ name }) => name === order.target);
if (target === undefined) throw new Error(`no target ${order.target}`);
const [kept = "", ...others] = order.folders;
mkdirSync(kept, { recursive: true });
const known = [kept, ...others].flatMap((folder) =>
  readdirSync(folder).map((name) => new Uint8Array(readFileSync(join(folder, name)))),
);
const explored = await explore({
  target,
  known,
  modules: order.modules,
  dice: diceOf(order.seed),
  shared: order.shared,
  keep: (input) =>
    writeFileSync(join(kept, createHash("sha256").update(input).digest("hex").slice(0, 16)), input),
});
parentPort?.postMessage(explored);

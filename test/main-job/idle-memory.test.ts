import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { onSimulator, temporaryFolder, testWorld } from "./recorder.ts";

/** Loaded before all else in the daemon: counts the objects of these kinds that it makes, and writes the counts to a file at the end. */
const WITNESS = `
  const { writeFileSync } = require("node:fs");
  const counts = {};
  const counted = (holder, name) => {
    const Original = holder[name];
    counts[name] = 0;
    holder[name] = new Proxy(Original, {
      construct(target, args) { counts[name] += 1; return new target(...args); },
      apply(target, self, args) { counts[name] += 1; return target.apply(self, args); },
    });
  };
  counted(Intl, "DateTimeFormat");
  counted(Intl, "Segmenter");
  counted(Intl, "Collator");
  counted(require("node:worker_threads"), "Worker");
  require("node:module").syncBuiltinESMExports();
  process.on("exit", () => writeFileSync(process.env.WITNESS, JSON.stringify(counts)));
`;

it("an idle daemon loads neither Node's tables of zones and languages nor another thread", async () => {
  await using folder = await temporaryFolder();
  await using home = await testWorld(folder.path);
  await using recorder = await onSimulator(folder.path, home);
  const witness = join(folder.path, "witness.cjs");
  const seen = join(folder.path, "seen.json");
  await writeFile(witness, WITNESS);
  await recorder.start({ ...process.env, NODE_OPTIONS: `--require ${witness}`, WITNESS: seen });
  await recorder.stop();
  expect(JSON.parse(await readFile(seen, "utf8"))).toEqual({
    DateTimeFormat: 0,
    Segmenter: 0,
    Collator: 0,
    Worker: 0,
  });
});

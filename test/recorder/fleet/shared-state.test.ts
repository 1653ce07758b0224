import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Reign } from "../../../src/recorder/fleet/reign.ts";
import { sharedState } from "../../../src/recorder/fleet/shared-state.ts";
import { Postgres } from "../../postgres/postgres.ts";
import { whyNoPostgres } from "../../postgres/programs.ts";
import { fleetDatabase } from "./fleet-database.ts";

const why = whyNoPostgres();

let postgres: Postgres;
let folder: string;
beforeAll(async () => {
  if (why === undefined) postgres = await Postgres.start();
  folder = await mkdtemp(join(tmpdir(), "recorderd-fleet-"));
});
afterAll(async () => {
  await postgres?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

it.skipIf(why !== undefined)(
  "texts of a fleet begin with those of the first leader, also if it has none, and are what was written last",
  async () => {
    await using database = await fleetDatabase(postgres.url(await postgres.createDatabase()));
    // Term 0 is that of a fleet that nobody has led.
    const state = sharedState(new Reign(database, 0), { before: undefined, at: 0 }, folder);
    const whole = async (name: string) => (await state.text(name).read((text) => text))?.value;
    await writeFile(join(folder, "rules.json"), "mine");
    expect([await whole("rules"), await whole("progress")]).toEqual(["mine", undefined]);
    for (const name of ["rules", "progress"])
      await writeFile(join(folder, `${name}.json`), "of a later leader");
    expect([await whole("rules"), await whole("progress")]).toEqual(["mine", undefined]);
    await state.text("progress").replace(["ne", "w"]);
    expect([await whole("rules"), await whole("progress")]).toEqual(["mine", "new"]);
  },
);

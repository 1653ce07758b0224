import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SECOND } from "../../src/model/time.ts";
import { segmentFile } from "../../src/recorder/capture/files.ts";
import { pause, temporaryFolder, testWorld } from "../main-job/recorder.ts";
import { Postgres } from "../postgres/postgres.ts";
import { whyNoPostgres } from "../postgres/programs.ts";
import { type ApartNode, apartIn, NO_TUNER, together, whyNoMounts } from "./apart.ts";
import { isOver, losePower, recordingOn, says, simOf } from "./nodes.ts";

const why = whyNoPostgres() ?? whyNoMounts();

let postgres: Postgres;
beforeAll(async () => {
  if (why === undefined) postgres = await Postgres.start();
});
afterAll(async () => postgres?.[Symbol.asyncDispose]());

/** The names of segments and finished recordings on a node's disk. */
async function streamsOn({ disk }: ApartNode): Promise<readonly string[]> {
  const names = await readdir(disk, { recursive: true });
  return names.filter((name) => /\.ts(\.part)?$/.test(name)).toSorted();
}

/** The file of a recording on a node's disk, whose path is that of all nodes. */
async function contentOn({ disk }: ApartNode, file = ""): Promise<Buffer> {
  return await readFile(join(disk, basename(file)));
}

function sha256(content: Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}

describe.skipIf(why !== undefined)(
  `nodes with disks of their own${why === undefined ? "" : ` (${why})`}`,
  () => {
    it("bring what they record home while they record it, also across a restart of the home", async () => {
      await using folder = await temporaryFolder();
      await using world = await testWorld(folder.path);
      const install = await apartIn({ folder: folder.path, home: world, postgres }, "cellar");
      await using nodes = await together(
        { cellar: await install("cellar", NO_TUNER), attic: await install("attic", simOf({ home: world })) },
        "cellar",
      );
      const { cellar, attic } = nodes;
      const { show, timerId, tunerId } = await recordingOn(cellar.recorder, world, 24 * SECOND);
      expect(tunerId).toBe("sim@attic");
      await pause(show.start + 6 * SECOND - Date.now());
      const { id } = await cellar.recorder.until(timerId, ({ state }) => state === "recording");
      const here = await readFile(segmentFile(cellar.disk, `${id}.1`));
      const there = await readFile(segmentFile(attic.disk, `${id}.1`));
      expect(here.length).toBeGreaterThan(0);
      expect(there.subarray(0, here.length).equals(here)).toBe(true);
      await cellar.recorder.kill();
      await cellar.recorder.start();
      const { state, attempts, evidence } = await cellar.recorder.until(timerId, isOver);
      expect([state, attempts.length, attempts[0]?.tunerId]).toEqual(["completed", 1, tunerId]);
      expect(evidence).toMatchObject({ verdict: "perfect", continuityErrors: 0, gaps: [] });
      expect(sha256(await contentOn(cellar, evidence?.file))).toBe(evidence?.sha256);
      expect(await streamsOn(attic)).toEqual([]);
    });

    it("hand over to another one when the disk of theirs is full, and the home loses nothing of what they had", async () => {
      await using folder = await temporaryFolder();
      await using world = await testWorld(folder.path);
      const install = await apartIn({ folder: folder.path, home: world, postgres }, "cellar");
      const sim = simOf({ home: world });
      await using nodes = await together(
        {
          cellar: await install("cellar", NO_TUNER),
          attic: await install("attic", sim, "1200k"),
          barn: await install("barn", sim),
        },
        "cellar",
      );
      const { cellar } = nodes;
      const { timerId, tunerId } = await recordingOn(cellar.recorder, world, 24 * SECOND);
      expect(tunerId).toBe("sim@attic");
      const { attempts, evidence } = await cellar.recorder.until(timerId, isOver);
      expect(attempts[0]).toMatchObject({ cause: "CAPTURE_DIED" });
      expect(attempts.at(-1)?.tunerId).toBe("sim@barn");
      expect(evidence?.kept?.[0]).toBe(1);
      expect(evidence?.bytes).toBeGreaterThan(1_300_000);
    });

    it("lead while the home is dead, and the home makes one file of both parts when it is back", async () => {
      await using folder = await temporaryFolder();
      await using world = await testWorld(folder.path);
      const install = await apartIn({ folder: folder.path, home: world, postgres }, "cellar");
      const sim = simOf({ home: world });
      await using nodes = await together(
        { cellar: await install("cellar", sim), attic: await install("attic", sim) },
        "cellar",
      );
      const { cellar, attic } = nodes;
      const { show, timerId, tunerId } = await recordingOn(cellar.recorder, world, 24 * SECOND);
      expect(tunerId).toBe("sim@cellar");
      await pause(show.start + 5 * SECOND - Date.now());
      await losePower(cellar.recorder);
      await attic.recorder.until(timerId, ({ attempts }) => attempts[1]?.flowingAt !== undefined);
      const waits = await attic.recorder.until(
        timerId,
        ({ state, closing }) => state === "closing" && closing?.blocker !== undefined,
      );
      expect(waits.closing?.blocker?.code).toBe("NODE_AWAY");
      cellar.recorder.launch();
      await says(attic.recorder, "this node hands over the lead");
      const { state, evidence } = await cellar.recorder.until(timerId, isOver);
      expect(state).toBe("partial");
      expect(evidence).toMatchObject({ kept: [1, 2], segments: 2, continuityErrors: 0 });
      expect(evidence?.gaps).toHaveLength(1);
      expect(sha256(await contentOn(cellar, evidence?.file))).toBe(evidence?.sha256);
      expect(await streamsOn(attic)).toEqual([]);
    });

    it("keep what they have finished while the home is dead, and the home brings it when it is back", async () => {
      await using folder = await temporaryFolder();
      await using world = await testWorld(folder.path);
      const install = await apartIn({ folder: folder.path, home: world, postgres }, "cellar");
      await using nodes = await together(
        { cellar: await install("cellar", NO_TUNER), attic: await install("attic", simOf({ home: world })) },
        "cellar",
      );
      const { cellar, attic } = nodes;
      await losePower(cellar.recorder);
      await says(attic.recorder, "this node leads the fleet");
      const { timerId } = await recordingOn(attic.recorder, world, 8 * SECOND);
      const { state, evidence } = await attic.recorder.until(timerId, isOver);
      expect([state, evidence?.verdict]).toEqual(["completed", "perfect"]);
      const made = await contentOn(attic, evidence?.file);
      expect(sha256(made)).toBe(evidence?.sha256);
      cellar.recorder.launch();
      await says(cellar.recorder, "a recording of another node is here now");
      expect((await contentOn(cellar, evidence?.file)).equals(made)).toBe(true);
      await expect.poll(() => streamsOn(attic)).toEqual([]);
      expect(cellar.recorder.said).not.toContain("file-gone");
    });
  },
);

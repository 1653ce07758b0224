import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isTerminal } from "../../src/model/recording.ts";
import { SECOND } from "../../src/model/time.ts";
import { withinWire } from "../../src/model/wire-text.ts";
import { SIM_REGION, simTriplet } from "../../src/simulator/world.ts";
import { Recorder, soon, temporaryFolder, testWorld } from "../main-job/recorder.ts";

const MEBI = 2 ** 20;
const TITLES: Readonly<Record<string, string>> = {
  "one byte": "x",
  "what a title may have": "x".repeat(8192),
  "one more": "ä".repeat(8193),
  "more than one argument of a program may have": "y".repeat(131_072),
  "300,000 wide ones": "名".repeat(300_000),
  "16 MB": "z".repeat(16 * MEBI),
  NULs: "a\0".repeat(70_000),
  "halves of characters": "\ud83d".repeat(70_000),
};
/** Each list has all texts: the service takes a while to write one. */
const LEAD_MS = 75 * SECOND;

/** The channels of the world on the air, in a process of their own: the world's stands still while it writes 17 MB. */
async function broadcaster(folder: string): Promise<{ readonly url: string } & AsyncDisposable> {
  const listing = join(folder, "air.xml");
  const hex = (value: number) => value.toString(16).padStart(4, "0");
  const channels = Object.keys(TITLES).map((_, index) => {
    const { onid, tsid, sid } = simTriplet(index + 1);
    return `<channel id="tv.${hex(onid)}${hex(tsid)}${hex(sid)}"><display-name>Sim ${index + 1}</display-name></channel>`;
  });
  await writeFile(listing, `<tv>${channels.join("")}</tv>`);
  const child = spawn(process.execPath, ["dist/main.js", "broadcaster", "--xmltv", listing, "--port", "0"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const [said] = await once(child.stdout, "data");
  return {
    url: String(said).trim(),
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

describe("titles and texts of any length and of any characters", () => {
  it.each(["json", "xml"])(
    "R-42 are recorded with hooks that accept them and with hooks that fail to start: %s",
    async (format) => {
      await using folder = await temporaryFolder();
      await using home = await testWorld(folder.path, Object.keys(TITLES).length);
      await using air = await broadcaster(folder.path);
      const { world, deviceId } = home;
      const on = ["scheduled", "started", "completed", "failed"];
      await using recorder = await Recorder.install({
        folder: folder.path,
        home,
        tuners: [1, 2].map((each) => ({ kind: "mock", id: `sim-${each}`, broadcaster: air.url })),
        more: {
          guide: { url: world.guideUrl, regionId: SIM_REGION, deviceId, sync: "*/10 * * * * *", format },
          hooks: [
            { on, command: ["true"] },
            { on, command: ["/etc/passwd/no-program"] },
          ],
        },
      });
      await recorder.start();
      const start = soon() + LEAD_MS;
      const booked = await Promise.all(
        Object.values(TITLES).map(async (title, at) => {
          const show = {
            channel: at + 1,
            title,
            start,
            durationMs: 10 * SECOND,
            about: { subtitle: title.slice(0, 10_000) },
          };
          return { id: await world.book(show, deviceId), title };
        }),
      );
      const ended = await Promise.all(
        booked.map(({ id }) => recorder.until(id, ({ state }) => isTerminal(state), 300 * SECOND)),
      );
      const outcomes = ended.map(({ state, name }, at) => ({
        state,
        isCut: name === withinWire(booked[at]?.title ?? ""),
      }));
      expect(outcomes).toEqual(booked.map(() => ({ state: "completed", isCut: true })));
      expect(recorder.endedBy).toBeNull();
      expect(recorder.said).toContain("a hook failed; it is not run again");
      expect((await recorder.snapshot())?.setAside).toBeUndefined();
    },
  );
});

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { keepListings } from "../../../src/cli/guide-server/guide-server-listings.ts";
import { parseSource } from "../../../src/guide-server/xmltv/source.ts";
import { parseSchedule } from "../../../src/kit/time/cron.ts";
import { DAY, MINUTE } from "../../../src/model/time.ts";
import { hosted, NOW } from "../../guide-server/hosted.ts";
import { listing } from "../../guide-server/xmltv/listing.ts";

const YEARLY = parseSchedule("0 0 1 1 *", "UTC");

describe("a listing that cannot be read", () => {
  it("is read again within minutes, and no other with it", async () => {
    await using guide = await hosted();
    const folder = join(guide.folder, "sources");
    await mkdir(folder);
    const [file, other] = [join(folder, "late.xml"), join(folder, "other.xml")];
    const slot = (channel: string) => ({ channel, start: NOW + DAY, minutes: 30, title: `From ${channel}` });
    await writeFile(other, listing({ other: "Other TV" }, [slot("other")]));
    await writeFile(join(folder, "grab"), `echo run >> ${folder}/runs\ncat ${other}\n`);
    const ending = new AbortController();
    const io = { clock: guide.clock, signal: ending.signal };
    const sources = [`command:sh ${folder}/grab`, file].flatMap((text) => parseSource(text) ?? []);
    const options = { xmltv: sources, xmltvSchedule: YEARLY, data: guide.folder };
    const ended = keepListings(guide.server, options, { io, table: new Map() });
    const failures = () => guide.server.listings().map(({ facts }) => facts.failure?.code);
    await expect.poll(failures).toEqual([undefined, "FILE_UNREADABLE"]);
    await writeFile(file, listing({ late: "Late TV" }, [slot("late")]));
    const laterFailures = async () => {
      await guide.clock.advance(MINUTE);
      return failures();
    };
    await expect.poll(laterFailures).toEqual([undefined, undefined]);
    expect(guide.clock.now()).toBeLessThan(NOW + DAY);
    const shows = (await guide.ask({ method: "GET", path: "/shows" })).read("shows").shows;
    expect(shows.map(({ title }) => title)).toEqual(expect.arrayContaining(["From other", "From late"]));
    expect(await readFile(join(folder, "runs"), "utf8")).toBe("run\n");
    ending.abort();
    await ended;
  });
});

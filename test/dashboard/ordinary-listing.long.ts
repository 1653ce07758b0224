import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HOUR } from "../../src/model/time.ts";
import { offsetAt } from "../../src/model/zone.ts";
import { listing } from "../guide-server/xmltv/listing.ts";
import { type FakeServer, receivers } from "../recorder/tune/fakes/air.ts";
import { fakeSatip } from "../recorder/tune/fakes/satip.ts";
import { type Browser, goTo, openBrowser, openPage, violations } from "./browser.ts";
import {
  ACCOUNT,
  answerGuide,
  answerRecordings,
  answerTuner,
  answerUser,
  episodesOf,
  Home,
  makeAccount,
  startRecorder,
  unexplained,
} from "./first-steps.ts";

const TITLE = "Harbour & Küste";
const LATE = "Late & far";
/** The zone of the listing's clock times; the listing itself claims UTC. */
const ZONE = "Australia/Sydney";

let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(async () => browser.close());

/** A listing as grabbers write it: ids without triplets, a bare &, Latin-1 labelled as UTF-8, and times of another zone. */
function faultyListing(now: number): Buffer {
  const start = Math.ceil(now / 1000) * 1000;
  // The zone's clock times, as if they were UTC.
  const shown = start + offsetAt(start, ZONE);
  const slots = [
    ...episodesOf({ channel: "ch1.example", title: TITLE, start: shown }),
    { channel: "ch2.example", title: LATE, start: shown + 2 * HOUR, minutes: 60 },
  ];
  const channels = { "ch1.example": "Harbour One", "ch2.example": "Harbour Two" };
  return Buffer.from(listing(channels, slots, '<?xml version="1.0" encoding="UTF-8"?>'), "latin1");
}

/** The broadcast programme, under names of its own. */
const AIR = `<tv>
<channel id="a.example"><display-name>HARBOUR-ONE HD</display-name></channel>
<channel id="b.example"><display-name>Hb2 Television</display-name></channel>
</tv>`;

/** The service ids of the channels of a listing without triplets, as the broadcaster puts them on the air. */
const MULTIPLEX = { onid: 0xfffe, tsid: 0x0221 };
const LIST = ["HARBOUR-ONE HD", "Hb2 Television"].map(
  (name, at) =>
    `${name};Sim:226500:B7C34D0G16I999M64S0T8Y0:T:0:256:257:0:0:${0x0220 + at}:${MULTIPLEX.onid}:${MULTIPLEX.tsid}:0`,
);

/** A SAT>IP server in front of the broadcaster, and a channel list for it. */
async function satipBefore(air: string, folder: Home): Promise<FakeServer> {
  await writeFile(join(folder.path, "channels.conf"), `${LIST.join("\n")}\n`);
  const multiplex = `${air}/multiplex/${MULTIPLEX.onid}/${MULTIPLEX.tsid}`;
  return fakeSatip(receivers({ count: 2, shared: true }), () => multiplex);
}

describe("an ordinary listing", () => {
  it.each(["satip", "mock"])("leads to recordings by clicks alone, despite its flaws: %s", async (kind) => {
    await using folder = await Home.open();
    await writeFile(join(folder.path, "guide.xml"), faultyListing(Date.now()));
    await writeFile(join(folder.path, "air.xml"), AIR);
    const { guide, air, recorder } = await folder.runAll("air.xml");

    // At the guide server: the faults of the listing, and the zone of its times.
    const { page: home, errors: homeErrors } = await openPage(browser, { base: guide });
    await makeAccount(home, folder);
    await goTo(home, "Channels");
    const listed = home.getByRole("region", { name: "Listing guide.xml" });
    await listed.getByText(/^A bare &, 81 times\./).waitFor();
    await listed.getByText(/^Line 5: a byte that is not UTF-8 is read as Windows-1252/).waitFor();
    expect(await violations(home)).toEqual([]);
    await listed.getByLabel("Times of guide.xml").selectOption(ZONE);
    await listed.getByRole("button", { name: "Apply" }).click();
    await expect
      .poll(async () => {
        await home.reload();
        await listed.getByText(/programmes, read/).waitFor();
        return await listed.getByRole("status").count();
      })
      .toBe(0);

    // At the recorder: setup finds the one channel whose name is on the air.
    const { page, errors } = await openPage(browser, { base: new URL(recorder).origin });
    await page.goto(recorder);
    await answerGuide(page, { url: guide, account: ACCOUNT });
    await using satip = kind === "satip" ? await satipBefore(air, folder) : undefined;
    const where =
      satip === undefined
        ? { address: air }
        : { address: `127.0.0.1:${satip.port}`, channelList: join(folder.path, "channels.conf") };
    await answerTuner(page, { kind, ...where, offers: "1 of the 2" });
    await answerRecordings(page, { folder: join(folder.path, "recordings"), before: 1, after: 1 });
    await answerUser(page);
    await startRecorder(page);

    // The series is on the channel that was found. Booking a show on the other channel says at once that no tuner receives it.
    await goTo(page, "Guide");
    const search = page.getByLabel("Search titles and descriptions");
    const found = page.getByRole("list", { name: "Search results" });
    const choose = async (title: string) => {
      await search.fill(title);
      await found.getByRole("button", { name: title }).first().click();
    };
    await choose(TITLE);
    await page.getByRole("button", { name: "Record the whole series", exact: true }).click();
    await page.keyboard.press("Escape");
    await choose(LATE);
    await page.getByRole("button", { name: "Record", exact: true }).click();
    await page.getByText(/^Booked, but no tuner receives Harbour Two/).waitFor();
    await page.keyboard.press("Escape");

    // One click assigns the service, and the timer gets it.
    await goTo(page, "Tuners");
    const missing = page.getByRole("list", { name: "Channels that no tuner receives" });
    await missing.getByRole("option", { name: /Hb2 Television/ }).waitFor({ state: "attached" });
    expect(await violations(page)).toEqual([]);
    await missing.getByRole("button", { name: "Assign Harbour Two" }).click();
    await page.getByText("All 2 channels of the guide are received.").waitFor();
    await goTo(page, "Timeline");
    await page.getByRole("link", { name: new RegExp(`^${LATE}.*, planned$`) }).waitFor();
    const whole = page.getByRole("link", { name: new RegExp(`^${TITLE}.*, (perfect|good)$`) }).first();
    await whole.waitFor({ timeout: 150_000 });
    const files = await readdir(join(folder.path, "recordings"), { recursive: true });
    expect(files.filter((name) => name.endsWith(".ts"))).not.toEqual([]);

    expect(unexplained([...errors, ...homeErrors])).toEqual([]);
  });
});

import { chmod, readdir, utimes, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { ListingOutcome } from "../../../src/guide-server/xmltv/listings.ts";
import { parseSource } from "../../../src/guide-server/xmltv/source.ts";
import type { Show } from "../../../src/guide-wire/records.ts";
import { type Log, silentLog } from "../../../src/kit/log.ts";
import { DAY, HOUR, MINUTE } from "../../../src/model/time.ts";
import { GUIDE, type Hosted, hosted, NOW } from "../hosted.ts";
import { listing, type Slot } from "./listing.ts";
import { readListings } from "./read-listings.ts";

const START = NOW + DAY;
const A = "a.example";
const CHANNELS = { [A]: "Salt TV" };

/** An evening on one channel: an hour each, one after the other. */
function evening(titles: readonly string[], { from = START, channel = A } = {}): readonly Slot[] {
  return titles.map((title, index) => ({ channel, start: from + index * HOUR, minutes: 60, title }));
}

async function withGuide(work: (guide: Hosted) => Promise<void>): Promise<void> {
  await using guide = await hosted();
  await work(guide);
}

/** Writes a listing, later than any before. */
let written = 0;
async function write(guide: Hosted, text: string | Buffer, name = "listing.xml"): Promise<string> {
  const file = join(guide.folder, name);
  await writeFile(file, text);
  written += 1;
  await utimes(file, written, written);
  return file;
}

async function shown(guide: Hosted, query = ""): Promise<readonly Show[]> {
  const { channels } = (await guide.ask({ method: "GET", path: "/regions/channels" })).read("channels");
  const id = channels.find(({ name }) => name === "Salt TV")?.id;
  const path = `/shows?channel_id=${id}${query}`;
  return (await guide.ask({ method: "GET", path })).read("shows").shows;
}

const summary = (shows: readonly Show[]) =>
  shows.map(({ start_unix = 0, title }) => [(start_unix * 1000 - START) / HOUR, title]);
const kinds = (outcomes: readonly ListingOutcome[]) =>
  outcomes.map((each) => (each.kind === "failed" ? each.error.code : each.kind));

describe("a listing", () => {
  it("becomes channels and shows; its programmes keep their ids, and timers follow them", () =>
    withGuide(async (guide) => {
      const file = await write(guide, listing(CHANNELS, evening(["News", "Salt Road", "Film"])));
      expect(kinds(await readListings(guide, file))).toEqual(["read"]);
      const before = await shown(guide);
      expect(summary(before)).toEqual([
        [0, "News"],
        [1, "Salt Road"],
        [2, "Film"],
      ]);
      const road = before[1]?.id ?? 0;
      const timerId = await guide.server.addTimer(guide.email, {
        device_id: guide.deviceId,
        show_id: road,
      });

      const late = evening(["News", "Salt Road", "Film"], { from: START + 20 * MINUTE });
      await write(guide, listing(CHANNELS, [{ ...evening(["Debate"])[0], minutes: 20 } as Slot, ...late]));
      const [outcome] = await readListings(guide, file);
      expect(outcome).toMatchObject({ kind: "read", report: { added: 1, changed: 3, gone: 0 } });
      const after = await shown(guide);
      expect(after.map(({ id }) => id).slice(1)).toEqual(before.map(({ id }) => id));
      expect(await guide.server.timers(guide.email)).toMatchObject([
        { id: timerId, show_id: road, name: "Salt Road", start_time: "2026-11-21T10:20:00+00:00" },
      ]);
    }));

  it("gives its icons to the channels that it created, and to those without one, each time it has others", () =>
    withGuide(async (guide) => {
      const own = { id: 900, name: "Chosen", icon_src: "https://a.example/own.png" };
      await guide.server.seed({ ...GUIDE, channels: [own] });
      const iconOf = async (wanted: string) => {
        const { channels } = (await guide.ask({ method: "GET", path: "/regions/channels" })).read("channels");
        return channels.find(({ name }) => name === wanted)?.icon_src;
      };
      const inside = (name: string, icon: string) =>
        `<display-name>${name}</display-name>${icon === "" ? "" : `<icon src="https://a.example/${icon}"/>`}`;
      const channels = (icon: string) => ({ [A]: inside("New TV", icon), c: inside("Chosen", "theirs.png") });
      for (const [icon, shownIcon] of [
        ["", undefined],
        ["1.png", "1.png"],
        ["2.png", "2.png"],
        ["", "2.png"],
      ] as const) {
        await readListings(guide, await write(guide, listing(channels(icon), evening(["News"]))));
        const wanted = shownIcon === undefined ? undefined : `https://a.example/${shownIcon}`;
        expect([await iconOf("New TV"), await iconOf("Chosen")]).toEqual([wanted, own.icon_src]);
      }
    }));

  it("is logged with a warning about each uncertain match, and about no channel that it adds", async () => {
    const warnings: unknown[] = [];
    const log: Log = { ...silentLog, warn: (text, facts) => void warnings.push([text, facts?.["listed"]]) };
    await using guide = await hosted({ log });
    const channels = { ...CHANNELS, "b.example": "No triplet", "c.example": "No triplet" };
    await readListings(guide, await write(guide, listing(channels, evening(["News"]))));
    expect(await shown(guide)).toHaveLength(1);
    expect(warnings).toEqual([["a channel of a listing has no certain match", "c.example"]]);
  });

  it("is not read again if it is unchanged", () =>
    withGuide(async (guide) => {
      const file = await write(guide, listing(CHANNELS, evening(["News"])));
      expect(kinds(await readListings(guide, file))).toEqual(["read"]);
      expect(kinds(await readListings(guide, file))).toEqual(["unchanged"]);
      await write(guide, listing(CHANNELS, evening(["News"])));
      const [again] = await readListings(guide, file);
      expect(again).toMatchObject({ kind: "read", report: { added: 0, changed: 0, gone: 0 } });
    }));

  it("reports removed shows to clients", () =>
    withGuide(async (guide) => {
      const file = await write(guide, listing(CHANNELS, evening(["News", "Salt Road", "Film"])));
      await readListings(guide, file);
      await guide.clock.advance(HOUR);
      await write(guide, listing(CHANNELS, evening(["News", "Football", "Film"])));
      await readListings(guide, file);
      const since = `&last_update_time=${(NOW + HOUR) / 1000}`;
      const changes = await shown(guide, since);
      expect(changes.map(({ title, deleted_record }) => [title, deleted_record]).sort()).toEqual([
        ["Football", 0],
        ["Salt Road", 1],
      ]);
      expect(summary(await shown(guide))).toEqual([
        [0, "News"],
        [1, "Football"],
        [2, "Film"],
      ]);
    }));

  it("leaves the guide unchanged if it is malformed, truncated, of another type or missing", () =>
    withGuide(async (guide) => {
      const whole = listing(CHANNELS, evening(["News", "Salt Road"]));
      const file = await write(guide, whole);
      await readListings(guide, file);
      const before = await shown(guide);
      const bad = whole.replaceAll("Salt Road", "Other").replaceAll("News", "Other");
      for (const text of [
        bad.slice(0, -9),
        bad.replace("<tv>", "<html>").replace("</tv>", "</html>"),
        bad.replaceAll(/start="\d+/g, 'start="x'),
        "",
      ]) {
        await write(guide, text);
        expect(kinds(await readListings(guide, file))).toEqual(["LISTING_MALFORMED"]);
      }
      expect(kinds(await readListings(guide, join(guide.folder, "none.xml")))).toEqual(["FILE_UNREADABLE"]);
      await write(guide, bad.slice(0, -9));
      const [outcome] = await readListings(guide, file);
      expect(outcome).toMatchObject({ error: { facts: { line: 6, reason: "unclosed tag: programme" } } });
      expect(await shown(guide)).toEqual(before);
    }));

  it("that has lost most of its programmes is accepted only after a day", () =>
    withGuide(async (guide) => {
      const file = await write(guide, listing(CHANNELS, evening(["One", "Two", "Three", "Four", "Five"])));
      await readListings(guide, file);
      await write(guide, listing(CHANNELS, evening(["One", "Two"])));
      expect(kinds(await readListings(guide, file))).toEqual(["LISTING_SHRUNKEN"]);
      await guide.clock.advance(23 * HOUR);
      expect(kinds(await readListings(guide, file))).toEqual(["LISTING_SHRUNKEN"]);
      expect(await shown(guide)).toHaveLength(5);
      await guide.clock.advance(HOUR);
      expect(kinds(await readListings(guide, file))).toEqual(["read"]);
    }));

  it("that gives nothing says why", () =>
    withGuide(async (guide) => {
      const textOf = async (text: string) => {
        const [outcome] = await readListings(guide, await write(guide, text));
        if (outcome?.kind === "failed") return outcome.error.message;
        return outcome?.kind === "read" ? outcome.report.flaws.map(({ first }) => first[0]?.reason) : [];
      };
      expect(await textOf("")).toContain("it is empty, not a listing");
      expect(await textOf("<tv></tv>")).toContain("neither a <channel> nor a <programme>");
      expect(await textOf(listing(CHANNELS, []))).toContain("no <programme>, only channels (1)");
      expect(await textOf(listing(CHANNELS, evening(["Old"], { from: NOW - DAY })))).toContainEqual(
        expect.stringContaining("all of its programmes are over, the last one at 2026-11-19T10:00:00"),
      );
    }));

  it("keeps the shows and timers of a channel that is missing once", () =>
    withGuide(async (guide) => {
      const B = "b.example";
      const both = { ...CHANNELS, [B]: "Harbour" };
      const other = evening(["One", "Two", "Three", "Four"], { channel: B });
      const titles = ["News", "Salt Road", "Film"];
      const file = await write(guide, listing(both, [...evening(titles), ...other]));
      await readListings(guide, file);
      const before = await shown(guide);
      const show_id = before[1]?.id ?? 0;
      await guide.server.addTimer(guide.email, { device_id: guide.deviceId, show_id });
      await write(guide, listing({ [B]: "Harbour" }, other));
      expect(kinds(await readListings(guide, file))).toEqual(["read"]);
      expect(await shown(guide)).toEqual(before);
      const late = evening(titles, { from: START + 20 * MINUTE });
      await write(guide, listing(both, [...late, ...other]));
      await readListings(guide, file);
      expect((await shown(guide)).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
      expect(await guide.server.timers(guide.email)).toMatchObject([
        { show_id, start_time: "2026-11-21T10:20:00+00:00" },
      ]);
    }));

  it("keeps shows and timers that it leaves out without others in their place, for a day", () =>
    withGuide(async (guide) => {
      const titles = ["News", "Salt Road", "Film", "Debate", "Weather"];
      const [news, , , debate, weather] = evening(titles) as [Slot, Slot, Slot, Slot, Slot];
      const torn = [news, debate, weather];
      const file = await write(guide, listing(CHANNELS, evening(titles)));
      await readListings(guide, file);
      const before = await shown(guide);
      const [, { id: road = 0 } = {}, { id: film = 0 } = {}] = before;
      for (const show_id of [road, film])
        await guide.server.addTimer(guide.email, { device_id: guide.deviceId, show_id });
      await guide.clock.advance(HOUR);
      await write(guide, listing(CHANNELS, torn));
      const [outcome] = await readListings(guide, file);
      expect(outcome).toMatchObject({ kind: "read", report: { gone: 0 } });
      expect(await shown(guide)).toEqual(before);

      // One of them comes again, and the other stays away.
      await guide.clock.advance(23 * HOUR);
      const late = { ...(evening(titles)[1] as Slot), start: START + HOUR + 20 * MINUTE, minutes: 40 };
      await write(guide, listing(CHANNELS, [...torn, late]));
      await readListings(guide, file);
      expect((await shown(guide)).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
      expect((await guide.server.timers(guide.email))[0]).toMatchObject({
        show_id: road,
        start_time: "2026-11-21T10:20:00+00:00",
      });
      await guide.clock.advance(HOUR);
      await write(guide, listing(CHANNELS, [...torn, late]));
      await readListings(guide, file);
      expect(summary(await shown(guide)).map(([, title]) => title)).toEqual(
        titles.filter((title) => title !== "Film"),
      );
    }));

  it("leaves a show that it has left out to a worse one that has another in its place", () =>
    withGuide(async (guide) => {
      const good = await write(guide, listing(CHANNELS, evening(["News", "Salt Road", "Film"])), "good.xml");
      await readListings(guide, good);
      const [news, , film] = evening(["News", "", "Film"]) as [Slot, Slot, Slot];
      await write(guide, listing(CHANNELS, [news, film]), "good.xml");
      const worse = listing(CHANNELS, evening(["Other", "Football", "Other"]));
      const other = await write(guide, worse, "other.xml");
      await readListings(guide, good, other);
      expect(summary(await shown(guide))).toEqual([
        [0, "News"],
        [1, "Football"],
        [2, "Film"],
      ]);
    }));

  it("fills the gaps of a better listing, and overrides nothing of it", () =>
    withGuide(async (guide) => {
      const good = await write(guide, listing(CHANNELS, evening(["News", "Salt Road"])), "good.xml");
      const from = START - HOUR;
      const worse = listing(CHANNELS, evening(["Early", "Guess", "Guess", "Late"], { from }));
      const other = await write(guide, worse, "other.xml");
      expect(kinds(await readListings(guide, good, other))).toEqual(["read", "read"]);
      const wanted = [
        [-1, "Early"],
        [0, "News"],
        [1, "Salt Road"],
        [2, "Late"],
      ];
      expect(summary(await shown(guide))).toEqual(wanted);
      // The better listing now begins later: the worse one is read again, although it has not changed.
      await write(
        guide,
        listing(CHANNELS, evening(["Salt Road", "Film"], { from: START + HOUR })),
        "good.xml",
      );
      expect(kinds(await readListings(guide, good, other))).toEqual(["read", "read"]);
      expect(summary(await shown(guide))).toEqual([
        [-1, "Early"],
        [0, "News"],
        [1, "Salt Road"],
        [2, "Film"],
      ]);
    }));

  it("adds its channels if the guide lacks them, each once", () =>
    withGuide(async (guide) => {
      const channels = {
        "tv.101002210220": "Other name",
        "tv.101002210fff": "New HD",
        [A]: "Salt TV",
        "b.example": "No triplet",
      };
      const slots = Object.keys(channels).flatMap((channel) => evening(["News"], { channel }));
      const file = await write(guide, listing(channels, slots));
      const [first] = await readListings(guide, file);
      await write(guide, listing({ ...channels, [A]: "Salt TV renamed" }, slots));
      const [second] = await readListings(guide, file);
      const ways = (outcome: ListingOutcome | undefined) =>
        outcome?.kind === "read"
          ? outcome.report.channels.map(({ by, channelId }) => [by, channelId])
          : outcome;
      expect(ways(first)).toEqual([
        ["triplet", 7],
        ["new", 1],
        ["new", 2],
        ["name", 8],
      ]);
      expect(ways(second)).toEqual([
        ["triplet", 7],
        ["triplet", 1],
        ["before", 2],
        ["name", 8],
      ]);
      const all = (await guide.ask({ method: "GET", path: "/regions/channels" })).read("channels").channels;
      expect(all.find(({ id }) => id === 1)).toMatchObject({
        name: "New HD",
        is_hd: 1,
        region_id: 1,
        dvb: [{ original_network_id: 0x1010, transport_stream_id: 0x221, service_id: 0xfff }],
      });
      expect(all).toHaveLength(GUIDE.channels.length + 2);
    }));
});

describe("a source of listings", () => {
  it("may be compressed by gzip, and is skipped if the compression is damaged", () =>
    withGuide(async (guide) => {
      const packed = gzipSync(listing(CHANNELS, evening(["News"])));
      const file = await write(guide, packed, "listing.xml.gz");
      expect(kinds(await readListings(guide, file))).toEqual(["read"]);
      await write(guide, packed.subarray(0, -12), "listing.xml.gz");
      expect(kinds(await readListings(guide, file))).toEqual(["FILE_UNREADABLE"]);
      expect(summary(await shown(guide))).toEqual([[0, "News"]]);
    }));

  it("may be an address, packed by brotli too: it is fetched only after a change, and redirects are followed", () =>
    withGuide(async (guide) => {
      const asked: unknown[] = [];
      const server = createServer(({ url, headers }, answer) => {
        asked.push([url, headers["if-none-match"], headers["if-modified-since"], headers.authorization]);
        if (url === "/old") answer.writeHead(302, { location: "/new?key=1" }).end();
        else if (headers["if-none-match"] === '"v1"') answer.writeHead(304).end();
        else {
          const validators = { etag: '"v1"', "last-modified": "Fri, 20 Nov 2026 09:00:00 GMT" };
          answer.writeHead(200, { ...validators, "content-encoding": "br" });
          answer.end(brotliCompressSync(listing(CHANNELS, evening(["News"]))));
        }
      });
      await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
      const { port } = server.address() as AddressInfo;
      const address = `http://me:secret@127.0.0.1:${port}/old`;
      expect(kinds(await readListings(guide, address))).toEqual(["read"]);
      expect(kinds(await readListings(guide, address))).toEqual(["unchanged"]);
      server.close();
      server.closeAllConnections();
      expect(kinds(await readListings(guide, address))).toEqual(["LISTING_UNREACHABLE"]);
      const basic = `Basic ${Buffer.from("me:secret").toString("base64")}`;
      const date = "Fri, 20 Nov 2026 09:00:00 GMT";
      expect(asked).toEqual([
        ["/old", undefined, undefined, basic],
        ["/new?key=1", undefined, undefined, basic],
        ["/old", '"v1"', date, basic],
        ["/new?key=1", '"v1"', date, basic],
      ]);
      expect(parseSource(address)?.name).toBe(`127.0.0.1:${port}`);
    }));

  it("follows no redirect from the network to this machine's link, such as the metadata of a cloud", () =>
    withGuide(async (guide) => {
      const location = "http://169.254.169.254/latest/meta-data/";
      const server = createServer((_, answer) => answer.writeHead(302, { location }).end());
      await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
      const { port } = server.address() as AddressInfo;
      const [outcome] = await readListings(guide, `http://127.0.0.1:${port}/tv.xml`);
      server.close();
      server.closeAllConnections();
      expect(outcome).toMatchObject({
        error: {
          code: "LISTING_UNREACHABLE",
          facts: { why: "a redirect leads to an address of this machine or its network" },
        },
      });
    }));

  it("may be an address that wants Digest authentication, which is answered once", () =>
    withGuide(async (guide) => {
      const asked: (string | undefined)[] = [];
      const server = createServer(({ headers: { authorization } }, answer) => {
        asked.push(authorization?.split(" ")[0]);
        const isKnown = /^Digest username="me".*uri="\/tv\?days=7"/.test(authorization ?? "");
        if (isKnown) answer.end(listing(CHANNELS, evening(["News"])));
        else answer.writeHead(401, { "www-authenticate": 'Digest realm="tv", nonce="n", qop="auth"' }).end();
      });
      await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
      const { port } = server.address() as AddressInfo;
      const read = (user: string) => readListings(guide, `http://${user}:secret@127.0.0.1:${port}/tv?days=7`);
      expect(kinds(await read("me"))).toEqual(["read"]);
      expect(kinds(await read("another"))).toEqual(["LISTING_UNREACHABLE"]);
      expect(asked).toEqual(["Basic", "Digest", "Basic", "Digest"]);
      server.close();
      server.closeAllConnections();
    }));

  it("may be a command, whose arguments and addresses appear in no error", () =>
    withGuide(async (guide) => {
      const says =
        '#!/bin/sh\necho "no answer from $2, $3 and http://a.example/?key=k3y; GET /xml?token=s3cret" >&2\nexit 1\n';
      const grabber = await write(guide, says, "grab");
      await chmod(grabber, 0o755);
      const secrets = "--days p4ss --url=https://me:p4ssw0rd@grab.example/xml?token=s3cret";
      const [outcome] = await readListings(guide, `command:${grabber} ${secrets}`);
      expect(outcome).toMatchObject({
        error: { message: expect.stringContaining("exited with 1: no answer from …, --url=… and …; GET …") },
      });
    }));

  it("may be a command, which runs without a shell; a failed one leaves no file", () =>
    withGuide(async (guide) => {
      const file = await write(guide, listing(CHANNELS, evening(["News"])), "my guide.xml");
      expect(kinds(await readListings(guide, `command:cat -- '${file}'`))).toEqual(["read"]);
      expect(kinds(await readListings(guide, pathToFileURL(file).href))).toEqual(["read"]);
      const grabber = await write(guide, '#!/bin/sh\necho "<tv>"\necho no network >&2\nexit 3\n', "grab");
      await chmod(grabber, 0o755);
      const [outcome] = await readListings(guide, `command:${grabber} --days 7`);
      expect(outcome).toMatchObject({
        error: { code: "LISTING_UNREACHABLE", message: expect.stringContaining("exited with 3: no network") },
      });
      expect(kinds(await readListings(guide, "command:no-such-program-at-all"))).toEqual([
        "LISTING_UNREACHABLE",
      ]);
      expect((await readdir(guide.folder)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
    }));
});

describe("a fault in a listing", () => {
  const kept = ({ server }: Hosted) => server.listings().map(({ facts }) => facts);

  it("is counted by kind with the first lines, and the readable rest is used", () =>
    withGuide(async (guide) => {
      const slots = evening(["R & B", "News", "News", "Film"]);
      const text = listing(CHANNELS, [...slots, ...slots.slice(3)]);
      const [outcome] = await readListings(guide, await write(guide, text));
      expect(outcome?.kind).toBe("read");
      expect((await shown(guide)).map(({ title }) => title)).toEqual(["R & B", "News", "News", "Film"]);
      expect(kept(guide)[0]?.flaws).toEqual([
        { kind: "ampersand", count: 1, leftOut: 0, first: [{ line: 5, reason: "a bare & is read as text" }] },
        {
          kind: "duplicate",
          count: 1,
          leftOut: 1,
          first: [{ line: 9, reason: '"Film" is listed twice at that time' }],
        },
      ]);
    }));

  it("leaves the guide unchanged if the listing is truncated, and is reported until the next success", () =>
    withGuide(async (guide) => {
      const text = listing(CHANNELS, evening(["News", "Film"]));
      const file = await write(guide, text);
      await readListings(guide, file);
      await write(guide, text.slice(0, -20));
      expect(kinds(await readListings(guide, file))).toEqual(["LISTING_MALFORMED"]);
      expect((await shown(guide)).map(({ title }) => title)).toEqual(["News", "Film"]);
      expect(kept(guide)).toMatchObject([{ programmes: 2, failure: { code: "LISTING_MALFORMED" } }]);
      await write(guide, text);
      await readListings(guide, file);
      expect(kept(guide)[0]?.failure).toBeUndefined();
    }));

  it("in the time zone is corrected by the configured zone at the next reading", () =>
    withGuide(async (guide) => {
      const file = await write(guide, listing(CHANNELS, evening(["News"])));
      await readListings(guide, file);
      const [id = ""] = guide.server.listings().map((one) => one.id);
      expect(await guide.server.setListingZone(id, "Etc/GMT+3")).toBe(true);
      expect(await guide.server.setListingZone("none", "Etc/GMT+3")).toBe(false);
      await readListings(guide, file);
      expect(summary(await shown(guide))).toEqual([[3, "News"]]);
      expect(kinds(await readListings(guide, file))).toEqual(["unchanged"]);
    }));
});

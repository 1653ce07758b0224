import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { silentLog } from "../../../src/kit/log.ts";
import type { KnownService } from "../../../src/model/channel-match.ts";
import type { GuideAccount } from "../../../src/model/ports.ts";
import type { Channel } from "../../../src/model/service.ts";
import type { TunerFacts } from "../../../src/model/tuner.ts";
import { ChannelDesk } from "../../../src/recorder/sync/channel-desk.ts";

const SERVICE = { onid: 1, tsid: 2, sid: 3 };
const OTHER = { onid: 1, tsid: 2, sid: 4 };
const CHANNEL: Channel = { id: "7", name: "Sea HD", nameShort: "", knownNames: [], triplets: [], lcns: [] };

let folder: string;
const desks: ChannelDesk[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "desk-"));
});
afterEach(async () => {
  for (const desk of desks.splice(0)) await desk[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

function tuner(offers: readonly KnownService[] | undefined): TunerFacts {
  const services = offers === undefined ? ("any" as const) : new Set(["1/2/3", "1/2/4"]);
  const facts = { id: "t", kind: "mock", services, servicesAtOnce: () => 1, warmUpMs: 0 };
  return offers === undefined ? facts : { ...facts, offers };
}

async function deskOf(offers: readonly KnownService[] | undefined, channels: readonly Channel[] = [CHANNEL]) {
  const tuners = [tuner(offers)];
  const desk = await ChannelDesk.open({ folder, tuners: () => tuners, held: () => [], log: silentLog });
  desks.push(desk);
  const told = await desk
    .withServices({ channels: async () => channels } as unknown as GuideAccount)
    .channels(new AbortController().signal);
  return { desk, told };
}

const sids = (channels: readonly Channel[]) => channels.map(({ triplets }) => triplets[0]?.sid);

it("the channel desk matches channels without a triplet to the service of the same name on a tuner", async () => {
  const { told } = await deskOf([{ triplet: SERVICE, name: "SEA" }]);
  expect(sids(told)).toEqual([3]);
});

it("the channel desk keeps a match while a tuner's server is unreachable, even over a restart", async () => {
  const { desk } = await deskOf([{ triplet: SERVICE, name: "SEA" }]);
  // Written after what was learnt on the way.
  await desk.assign("none", OTHER);
  const { told } = await deskOf(undefined);
  expect(sids(told)).toEqual([3]);
});

it("the channel desk uses the broadcast name of a service that a tuner lists without one", async () => {
  const { desk, told } = await deskOf([{ triplet: SERVICE, name: "" }]);
  expect([sids(told), desk.isInDoubt()]).toEqual([[undefined], true]);
  expect(desk.learn([{ triplet: SERVICE, name: "Sea" }])).toBe(true);
  expect([sids(desk.channels()), desk.isInDoubt()]).toEqual([[3], false]);
  expect(desk.learn([{ triplet: SERVICE, name: "Sea" }])).toBe(false);
});

it("the channel desk remembers that a service is radio, even if a tuner's offer does not say so", async () => {
  const offers = [{ triplet: SERVICE, name: "Sea" }];
  const { desk } = await deskOf(offers);
  desk.learn([{ triplet: SERVICE, name: "Sea", isRadio: true }]);
  desk.learn(offers);
  expect(desk.services()).toEqual([{ triplet: SERVICE, name: "Sea", isRadio: true }]);
  await desk[Symbol.asyncDispose]();
  expect((await deskOf(offers)).desk.services()).toEqual(desk.services());
});

it("the channel desk prefers a manual mapping, stores it, and can remove it", async () => {
  const offers = [{ triplet: SERVICE, name: "Sea" }];
  const { desk } = await deskOf(offers);
  await desk.assign("7", OTHER);
  expect(sids(desk.channels())).toEqual([4]);
  expect(desk.nameFor(OTHER)).toBe("Sea HD");
  const { desk: next, told } = await deskOf(offers);
  expect(sids(told)).toEqual([4]);
  await next.assign("7", undefined);
  expect(sids(next.channels())).toEqual([3]);
});

it("the channel desk keeps no mapping that could not be written, even after simultaneous tries", async () => {
  await mkdir(join(folder, "services.json"));
  const other = { ...CHANNEL, id: "8", name: "Lake" };
  const { desk } = await deskOf([{ triplet: SERVICE, name: "Sea" }], [CHANNEL, other]);
  const tries = [desk.assign("7", OTHER), desk.assign("8", OTHER)];
  for (const { status } of await Promise.allSettled(tries)) expect(status).toBe("rejected");
  expect(sids(desk.channels())).toEqual([3, undefined]);
});

it("the channel desk starts empty if its file is damaged", async () => {
  await writeFile(join(folder, "services.json"), "{");
  const { told } = await deskOf([{ triplet: SERVICE, name: "Sea" }]);
  expect(sids(told)).toEqual([3]);
});

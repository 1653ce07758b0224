import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Recording } from "../../src/model/recording.ts";
import { HOUR, MINUTE } from "../../src/model/time.ts";
import { type InProcess, inProcess, simTuners } from "./in-process.ts";
import { type TestWorld, temporaryFolder, testWorld } from "./recorder.ts";

const EPISODE = { title: "The pilot", seriesId: "78", episodeId: "1", subtitle: "Hammerbarn" };

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let world: TestWorld;
let recorder: InProcess;
beforeAll(async () => {
  folder = await temporaryFolder();
  world = await testWorld(folder.path, 8);
  recorder = await inProcess(folder.path, world, { tuners: simTuners(world, 1), repeats: "book" });
}, 120_000);
afterAll(async () => {
  await recorder[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const stepOf = (step: string) => (recording: Recording) => recording.healing?.step === step;

describe("a recorder that books repeats", () => {
  it("books the repeat of a recording without a tuner at the guide server, once, and follows its cancellation", async () => {
    const start = Math.ceil(Date.now() / MINUTE) * MINUTE + 4 * HOUR;
    const durationMs = 30 * MINUTE;
    await world.world.book({ channel: 2, title: "The race", start, durationMs }, world.deviceId);
    const booked = { channel: 5, start, durationMs, about: EPISODE, title: EPISODE.title };
    const timerId = await world.world.book(booked, world.deviceId);
    const again = start + 24 * HOUR;
    await world.world.guide.addShow({ ...EPISODE, channelId: 4, start: again, durationMinutes: 30 });
    const isLinked = ({ healing }: Recording) =>
      healing?.step === "booked" && healing.recordingId !== undefined;
    const { id, healing } = await recorder.until(timerId, isLinked);
    const { recordings } = recorder.daemon.snapshot();
    const repeats = recordings.filter(({ event }) => event.start === again);
    expect(repeats).toMatchObject([{ id: healing?.recordingId, heals: id, state: "planned" }]);
    await recorder.daemon.guide.cancel(repeats[0]?.timerId ?? "");
    const { healing: after } = await recorder.until(timerId, stepOf("given-up"));
    expect(after).toMatchObject({ isFinal: true, tried: [healing?.repeat.showId] });
  });
});

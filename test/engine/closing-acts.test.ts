import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parseNameTemplate } from "../../src/capture/name-template.ts";
import { createPresence } from "../../src/capture/presence.ts";
import { createShelf } from "../../src/capture/shelf.ts";
import { createClosing } from "../../src/engine/closing-acts.ts";
import { openInspection } from "../../src/inspect/file-inspection.ts";
import { sharedInspections } from "../../src/inspect/shared.ts";
import type { Attempt } from "../../src/model/recording.ts";
import { SECOND } from "../../src/model/time.ts";
import { layOut } from "../../src/sim/broadcaster/lane.ts";
import { Multiplex } from "../../src/sim/broadcaster/multiplex.ts";
import { everyMinute, testClip } from "../sim/air.ts";
import { Brain, EIGHT, timer, tripletOf, WHOLE } from "./world.ts";

function closingIn(folder: string) {
  return createClosing({
    shelf: createShelf({
      folder,
      template: parseNameTemplate("{title}", "UTC"),
      ownership: { fileMode: 0o640, folderMode: 0o750 },
    }),
    inspections: sharedInspections(openInspection),
    presence: createPresence({ folder, isKnown: () => true }),
    sidecars: { json: true, nfo: true, timeZone: "UTC", writtenBy: "recorderd" },
  });
}

it("writes nothing any more once it is disposed: the folder may belong to another daemon then", async () => {
  const folder = await mkdtemp(join(tmpdir(), "recorderd-closing-"));
  try {
    await mkdir(join(folder, ".recorderd"));
    const file = join(folder, "Show.ts");
    await writeFile(file, "");
    const closing = closingIn(folder);
    const recording = {
      ...new Brain().fetch(timer("1")).of("1"),
      state: "completed" as const,
      endedAt: EIGHT,
      evidence: { ...WHOLE, file },
    };
    const { signal } = new AbortController();
    const first = closing.annotate(recording, signal);
    const second = closing.annotate(recording, signal);
    await closing[Symbol.asyncDispose]();
    const left = (await readdir(folder)).sort();
    expect(left).toEqual([".recorderd", "Show.json", "Show.nfo", "Show.ts"]);
    await Promise.all([first, second]);
    expect((await readdir(folder)).sort()).toEqual(left);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

it("R-07 dates what a failed disk has left of a segment by when it began, not by writes that are lost", async () => {
  const folder = await mkdtemp(join(tmpdir(), "recorderd-closing-"));
  try {
    await mkdir(join(folder, ".recorderd"));
    const service = tripletOf(1);
    const pids = { pmt: 0x100, picture: 0x101, sound: 0x102 };
    const air = { lane: layOut(await testClip()), schedule: everyMinute };
    const stream = new Multiplex([{ triplet: service, name: "One", pids }], air);
    const left = { start: EIGHT, stop: EIGHT + 10 * SECOND };
    const brain = new Brain().fetch(timer("1"));
    const planned = brain.of("1");
    const attempt = {
      number: 1,
      tunerId: "a",
      startedAt: EIGHT,
      flowingAt: EIGHT,
      endedAt: EIGHT + 30 * SECOND,
    };
    const file = join(folder, ".recorderd", `${planned.id}.1.ts.part`);
    await writeFile(file, stream.packets(stream.indexAt(left.start), stream.indexAt(left.stop)));
    await utimes(file, new Date(EIGHT + 30 * SECOND), new Date(EIGHT + 30 * SECOND));
    await using closing = closingIn(folder);
    const found = async (cause: Attempt["cause"]) => {
      const attempts = [{ ...attempt, ...(cause === undefined ? {} : { cause }) }];
      const seen = await closing.inspect(
        { ...planned, state: "closing", attempts },
        new AbortController().signal,
      );
      return seen.kind === "inspected" ? seen.evidence.lastAt : undefined;
    };
    expect(Math.abs(((await found("WRITE_FAILED")) ?? 0) - left.stop)).toBeLessThan(100);
    expect(await found("STREAM_ENDED")).toBe(EIGHT + 30 * SECOND);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

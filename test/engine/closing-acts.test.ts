import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parseNameTemplate } from "../../src/capture/name-template.ts";
import { createPresence } from "../../src/capture/presence.ts";
import { createShelf } from "../../src/capture/shelf.ts";
import { createClosing } from "../../src/engine/closing-acts.ts";
import { openInspection } from "../../src/inspect/file-inspection.ts";
import { sharedInspections } from "../../src/inspect/shared.ts";
import { Brain, EIGHT, timer, WHOLE } from "./world.ts";

it("writes nothing any more once it is disposed: the folder may belong to another daemon then", async () => {
  const folder = await mkdtemp(join(tmpdir(), "recorderd-closing-"));
  try {
    await mkdir(join(folder, ".recorderd"));
    const file = join(folder, "Show.ts");
    await writeFile(file, "");
    const closing = createClosing({
      shelf: createShelf({
        folder,
        template: parseNameTemplate("{title}", "UTC"),
        ownership: { fileMode: 0o640, folderMode: 0o750 },
      }),
      inspections: sharedInspections(openInspection),
      presence: createPresence({ folder, isKnown: () => true }),
      sidecars: { json: true, nfo: true, timeZone: "UTC", writtenBy: "recorderd" },
    });
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

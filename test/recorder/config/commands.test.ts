import { expect, it } from "vitest";
import { commandsIn } from "../../../src/recorder/config/commands.ts";
import { configJsonSchema } from "../../../src/recorder/config/schema.ts";
import { checkConfig } from "../../../src/recorder/config/write.ts";

/** A configuration in which every key that names a program names one that no other recorder runs. */
const BROUGHT = {
  guide: { url: "https://guide.example", regionId: 1 },
  recordings: { folder: "/srv/recordings" },
  tuners: [{ kind: "file", id: "try", path: "/srv/a.ts" }],
  hooks: [{ on: ["completed"], command: ["hooks.command"] }],
  capture: { ffmpegPath: "capture.ffmpegPath" },
  jobs: { comskipPath: "jobs.comskipPath" },
};

/** The keys of a JSON Schema whose description or name speaks of a program. */
function* programKeys(schema: unknown, path: readonly string[] = []): Generator<string> {
  if (typeof schema !== "object" || schema === null) return;
  for (const [key, value] of Object.entries(schema)) {
    if (key === "properties") {
      for (const [name, property] of Object.entries(value as Record<string, { description?: string }>)) {
        const at = [...path, name];
        if (/^a? ?program\b/i.test(property.description ?? "")) yield at.join(".");
        else yield* programKeys(property, at);
      }
    } else yield* programKeys(value, path);
  }
}

it("names the program of every key that has one", () => {
  const keys = [...programKeys(configJsonSchema())].sort();
  expect(keys).toEqual(["capture.ffmpegPath", "hooks.command", "jobs.comskipPath"]);
  expect([...commandsIn(checkConfig(BROUGHT))].sort()).toEqual(keys);
});

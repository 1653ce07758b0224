import { describe, expect, it } from "vitest";
import { changeText, reloaded } from "../../../src/recorder/config/difference.ts";
import { Config } from "../../../src/recorder/config/schema.ts";

const TUNER = { kind: "mock", id: "sim-1", broadcaster: "http://127.0.0.1:1" };

function configuration(more: object = {}): Config {
  return Config.parse({
    guide: { url: "https://guide.example/api", regionId: 1 },
    recordings: { folder: "/srv/recordings" },
    tuners: [TUNER],
    ...more,
  });
}

describe("a reloaded configuration", () => {
  it("changes nothing if it is the same", () => {
    expect(reloaded(configuration(), configuration())).toMatchObject({ changed: [], kept: [] });
  });

  it("names each changed key with both values", () => {
    const more = {
      tuners: [TUNER, { ...TUNER, id: "sim-2" }],
      log: { level: "debug" },
      timeZone: "Europe/Berlin",
    };
    const { config, changed, kept } = reloaded(configuration(), configuration(more));
    expect(changed.map(changeText)).toEqual([
      expect.stringMatching(/^tuners\[1\]: \(not set\) → \{"kind":"mock","id":"sim-2",/),
      'log.level: "info" → "debug"',
      'timeZone: (not set) → "Europe/Berlin"',
    ]);
    expect(kept).toEqual([]);
    expect(config).toEqual(configuration(more));
  });

  it("keeps the current folders, and names the keys that need a restart", () => {
    const more = {
      recordings: { folder: "/srv/other", completeFrom: 0.9 },
      data: { folder: "/var/lib/other" },
    };
    const { config, changed, kept } = reloaded(configuration(), configuration(more));
    expect(changed.map(changeText)).toEqual(["recordings.completeFrom: 0.98 → 0.9"]);
    expect(kept.map(({ key }) => key).sort()).toEqual(["data.folder", "recordings.folder"]);
    expect(config).toEqual(configuration({ recordings: { folder: "/srv/recordings", completeFrom: 0.9 } }));
  });

  it("R-39 shows only scheme, host and port of an address", () => {
    const more = { guide: { url: "https://other.example/api/SECRET", regionId: 1 } };
    const texts = reloaded(configuration(), configuration(more)).changed.map(changeText);
    expect(texts).toEqual(['guide.url: "https://guide.example/…" → "https://other.example/…"']);
  });
});

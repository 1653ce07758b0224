import { expect, it } from "vitest";
import { notFollowed } from "../../../src/cli/daemon/not-followed.ts";
import { Config } from "../../../src/recorder/config/schema.ts";

const SERVICES = [
  { service: "1/1/1", url: "http://tuner.example/1" },
  { service: "1/1/2", url: "http://tuner.example/all", programme: "multi" },
  { service: "1/1/3", url: "rtsp://camera.example/3" },
];

function remarks(more: object): readonly string[] {
  return notFollowed(
    Config.parse({
      guide: { url: "https://guide.example", regionId: 1, deviceId: 1 },
      recordings: { folder: "/srv/recordings" },
      tuners: [{ kind: "url", id: "streams", services: SERVICES }],
      ...more,
    }),
  );
}

it("R-41 recorderd names the tuners whose event tables ffmpeg drops, and the reason", () => {
  expect(remarks({ capture: { engine: "ffmpeg" } })).toEqual([
    "tuner streams: ffmpeg drops the event tables of 2 of its services, so recordings there cannot follow an event that overruns. " +
      "With capture.engine: auto, the capture host keeps the event tables of 1.",
  ]);
  expect(remarks({})).toEqual([
    "tuner streams: ffmpeg drops the event tables of 1 of its services, so recordings there cannot follow an event that overruns.",
  ]);
});

it("recorderd prints nothing if it follows no recording, or can follow all", () => {
  expect(remarks({ follow: { extendMinutes: 0 } })).toEqual([]);
  const single = { tuners: [{ kind: "url", id: "streams", services: SERVICES.slice(0, 1) }] };
  expect(remarks(single)).toEqual([]);
});

import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { Inspector } from "../../src/recorder/evidence/inspector.ts";
import { loopedCapture } from "./looped-capture.ts";
import { SERVICE } from "./service-script.ts";
import { join } from "./ts-builder.ts";

it("a looped capture has no seam at its loop, and lacks removed packets from a given instant", () => {
  const parts = {
    service: SERVICE,
    map: {
      pcrPid: 520,
      streams: [
        { type: 0x02, pid: 520 },
        { type: 0x04, pid: 690 },
      ],
    },
    picturePid: 520,
    captureMs: (20_000 * 188 * 8) / 22_400,
    durationMs: 10_000,
  };
  const inspect = (more: object = {}) => {
    const portions = loopedCapture(readFileSync("test/fixtures/ts/rai-dvbt-mux.ts"), { ...parts, ...more });
    const inspector = new Inspector(SERVICE);
    inspector.push(join(portions.map(({ bytes }) => bytes)));
    inspector.settle();
    return inspector.inspection();
  };
  const whole = inspect();
  expect(whole).toMatchObject({ continuityErrors: 0, clockBreaks: [], junkBytes: 0 });
  expect(whole.spans).toEqual([{ start: 0, stop: whole.streamMs }]);
  const lacking = inspect({ gone: { pid: 520, fromMs: 5000 } });
  expect(lacking).toMatchObject({ continuityErrors: 0, clockBreaks: [] });
  expect(lacking.lacks).toEqual([
    { kind: "picture", start: expect.closeTo(5000, -3), stop: lacking.streamMs },
  ]);
});

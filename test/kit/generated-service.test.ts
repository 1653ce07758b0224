import { describe, expect, it } from "vitest";
import { Inspector } from "../../src/recorder/evidence/inspector.ts";
import { casesOf } from "../lane.ts";
import { fc } from "../properties.ts";
import { encodedContent } from "./encoded.ts";
import { generateService, portionsOf } from "./generated-service.ts";
import { plainService as script, plainStream as stream } from "./plain-service.ts";
import { scriptOf } from "./service-from-wish.ts";
import { SERVICE } from "./service-script.ts";
import { truthOf } from "./service-truth.ts";
import { serviceWishes } from "./service-wishes.ts";
import { told } from "./tool.ts";
import { join } from "./ts-builder.ts";

const SEED = 20_261_122;

const PICTURE = 0x100;
const SOUND = 0x200;
const TV = [stream(PICTURE, "h264"), stream(SOUND, "mp2", { unitMs: 24 })];

describe("a generated service", () => {
  it("is read by ffprobe without complaint, with its formats and length", async () => {
    const formats = ["h264", "mpeg2", "hevc", "mp2", "aac", "ac3"] as const;
    const content = await encodedContent(formats);
    const pictures = (["h264", "mpeg2", "hevc"] as const).map((format, index) =>
      stream(PICTURE + index, format, { reorders: format !== "hevc" }),
    );
    const sounds = [
      stream(SOUND, "mp2", { unitMs: 96 }),
      stream(SOUND + 1, "aac", { unitMs: 1024 / 48 }),
      stream(SOUND + 2, "ac3", { unitMs: 480 }),
    ];
    const input = Buffer.from(generateService(script([...pictures, ...sounds]), content));
    const show = ["-show_entries", "stream=codec_name,duration:packet=codec_type,dts_time"];
    const args = ["-v", "warning", "-f", "mpegts", "-of", "json", ...show, "pipe:0"];
    const { out, err } = await told("ffprobe", { args, input });
    expect(err).toBe("");
    const found = JSON.parse(out);
    const names = found.streams.map((each: { codec_name: string }) => each.codec_name);
    expect(names).toEqual(["h264", "mpeg2video", "hevc", "mp2", "aac", "ac3"]);
    const times = found.packets.map((each: { dts_time: string }) => Number(each.dts_time));
    const first = Math.min(...times);
    // The first unit that is sent is the first whose lead lies behind the start.
    expect(first).toBeGreaterThan(5.4);
    expect(Math.max(...times) - first).toBeGreaterThan(19);
    expect(Math.max(...times) - first).toBeLessThan(21);
  });

  it("consists of whole packets without gaps unless some are dropped", () => {
    const property = fc.property(serviceWishes, (wish) => {
      const inspector = new Inspector(SERVICE);
      inspector.push(generateService(scriptOf({ ...wish, seconds: 20, losses: [], jumps: [] })));
      inspector.settle();
      const { junkBytes, continuityErrors, transportErrors, scrambledPackets, undecidedPackets, services } =
        inspector.inspection();
      const flaws = [junkBytes, continuityErrors, transportErrors, scrambledPackets, undecidedPackets];
      return flaws.every((flaw) => flaw === 0) && services.every(({ triplet }) => triplet !== undefined);
    });
    fc.assert(property, { numRuns: casesOf({ sample: 40, all: 100 }), seed: SEED });
  });

  it("is the same in portions", () => {
    const property = fc.property(serviceWishes, (wish) => {
      const described = scriptOf({ ...wish, seconds: 20 });
      const portions = [...portionsOf(described)];
      const inOrder = portions.every(
        ({ atMs }, index) => index === 0 || atMs >= (portions[index - 1]?.atMs ?? 0),
      );
      const whole = Buffer.from(join(portions.map(({ bytes }) => bytes)));
      return inOrder && whole.equals(generateService(described));
    });
    fc.assert(property, { numRuns: 20, seed: SEED });
  });
});

describe("the expected coverage of a description", () => {
  const whole = { start: 0, stop: 19_960 };

  it("is complete without an interruption", () => {
    expect(truthOf(script(TV))).toMatchObject({ clock: "pcr", streamMs: 19_960, spans: [whole] });
  });

  it("lacks the picture while that is interrupted, and everything during a total loss", () => {
    const steady = { meanMs: 700, swingMs: 0, periodMs: 8000 };
    const picture = stream(PICTURE, "h264", { lead: steady, outages: [{ start: 8000, stop: 10_000 }] });
    const { spans, lacks } = truthOf(
      script([picture, ...TV.slice(1)], { losses: [{ start: 15_000, stop: 16_000 }] }),
    );
    // Placed where its packets were sent: before their DTS by their lead.
    expect(lacks).toEqual({ picture: [{ start: 7300, stop: 9300 }], sound: [] });
    expect(spans).toEqual([
      { start: 0, stop: 7300 },
      { start: 9300, stop: 15_000 },
      { start: 16_000, stop: 19_960 },
    ]);
  });

  it("is empty if the only picture is never sent, and complete if another one is", () => {
    const never = stream(PICTURE + 1, "hevc", { neverSent: true });
    expect(truthOf(script([never, ...TV.slice(1)])).spans).toEqual([]);
    const second = truthOf(script([never, ...TV]));
    expect(second.spans).toEqual([whole]);
    expect(second.streams.map(({ isMain }) => isMain)).toEqual([false, true, true]);
  });

  it("ignores a change of the PMT and an interrupted second sound", () => {
    const others = [
      stream(SOUND + 1, "ac3", { unitMs: 32 }),
      stream(SOUND + 2, "aac", { outages: [{ start: 4000, stop: 9000 }] }),
    ];
    const pcr = { pcrPid: PICTURE, pcrsOn: PICTURE };
    const maps = [
      { fromMs: 0, streams: [0, 1, 3], ...pcr },
      { fromMs: 8000, streams: [0, 2, 3], ...pcr },
      { fromMs: 12_000, streams: [0, 1], ...pcr },
    ];
    expect(truthOf(script([...TV, ...others], { maps })).spans).toEqual([whole]);
  });

  it("lacks the picture while the PMT lists none", () => {
    const maps = [
      { fromMs: 0, streams: [0, 1], pcrPid: PICTURE, pcrsOn: PICTURE },
      { fromMs: 8000, streams: [1], pcrPid: SOUND, pcrsOn: SOUND },
      { fromMs: 12_000, streams: [0, 1], pcrPid: PICTURE, pcrsOn: PICTURE },
    ];
    const spans = [
      { start: 0, stop: 8000 },
      { start: 12_000, stop: whole.stop },
    ];
    expect(truthOf(script(TV, { maps })).spans).toEqual(spans);
  });

  it.each([5000, -5000])("misses nothing if its clock jumps by %i ms", (byMs) => {
    const jumps = [{ atMs: 10_000, byMs, signalled: false }];
    expect(truthOf(script(TV, { jumps }))).toMatchObject({
      streamMs: 19_920,
      spans: [{ start: 0, stop: 19_920 }],
    });
  });
});

import { describe, expect, it } from "vitest";
import type { Inspection, Lack } from "../../../src/model/inspection.ts";
import type { Triplet } from "../../../src/model/service.ts";
import { SECOND } from "../../../src/model/time.ts";
import {
  doubtOf,
  endWithoutPayload,
  initialProgress,
  type Progress,
  progressAfter,
  troubleOf,
} from "../../../src/recorder/capture/progress.ts";
import { Inspector } from "../../../src/recorder/evidence/inspector.ts";

const SERVICE = { onid: 4112, tsid: 545, sid: 1056 };
const NOTHING = new Inspector(undefined).inspection();
const LIMITS = {
  doubtMs: 3 * SECOND,
  steadyMs: 10 * SECOND,
  doubtFlawsPercent: 1,
  wrongServiceMs: 3 * SECOND,
  stallMs: 10 * SECOND,
};

type More = Partial<
  Pick<Inspection, "payloadPackets" | "scrambledPackets" | "continuityErrors" | "junkBytes">
> & { readonly tablePid?: number };

/** Looks once a second at the new packets, a thousand each time by default. @returns the looks after which the capture is doubted */
function doubts(...looks: readonly (More | "nothing")[]): readonly number[] {
  let progress: Progress = initialProgress(0);
  let found: Inspection = NOTHING;
  const doubted: number[] = [];
  for (const [index, more] of looks.entries()) {
    const nowMs = (index + 1) * SECOND;
    found = grown(found, more);
    progress = progressAfter(progress, { found, service: SERVICE, limits: LIMITS, nowMs });
    if (doubtOf(progress, LIMITS, nowMs) !== undefined) doubted.push(index + 1);
  }
  return doubted;
}

function grown(found: Inspection, more: More | "nothing"): Inspection {
  if (more === "nothing") return found;
  const { payloadPackets = 900, scrambledPackets = 0, continuityErrors = 0, junkBytes = 0 } = more;
  const { tablePid: pid } = more;
  const errors = found.continuityErrors + continuityErrors;
  const facts = {
    packets: 0,
    continuityErrors: errors,
    transportErrors: 0,
    scrambledPackets: 0,
    duplicates: 0,
  };
  return {
    ...found,
    bytes: found.bytes + 188_000,
    packets: found.packets + 1000,
    payloadPackets: found.payloadPackets + payloadPackets,
    scrambledPackets: found.scrambledPackets + scrambledPackets,
    continuityErrors: found.continuityErrors + continuityErrors,
    junkBytes: found.junkBytes + junkBytes,
    ...(pid === undefined ? {} : { pids: [{ pid, ...facts }] }),
  };
}

function times<T>(count: number, look: T): readonly T[] {
  return new Array<T>(count).fill(look);
}

describe("R-20 a capture is in doubt", () => {
  it("after three seconds without data, until data returns", () => {
    expect(doubts(...times(12, {}), ...times(4, "nothing" as const), {})).toEqual([15, 16]);
  });

  it("if all data was scrambled", () => {
    const closed = { payloadPackets: 0, scrambledPackets: 900 };
    expect(doubts(...times(12, {}), ...times(3, closed))).toEqual([15]);
  });

  it("if damaged data comes in portions, with empty checks between them", () => {
    const flawed = { continuityErrors: 10 };
    const portions = [flawed, "nothing" as const, flawed, "nothing" as const];
    expect(doubts(...times(12, {}), ...portions, {})).toEqual([16]);
  });

  it("if at least one packet in a hundred is damaged in each check for three seconds", () => {
    expect(doubts(...times(12, {}), ...times(5, { continuityErrors: 10 }))).toEqual([16, 17]);
    expect(doubts(...times(12, {}), ...times(5, { junkBytes: 12 * 188 }))).toEqual([16, 17]);
    expect(doubts(...times(12, {}), ...times(5, { continuityErrors: 9 }))).toEqual([]);
    const ofTables = { continuityErrors: 50, tablePid: 0 };
    expect(doubts(...times(12, {}), ...times(5, ofTables))).toEqual([]);
    const atTimes = [{ continuityErrors: 50 }, { continuityErrors: 50 }, {}];
    expect(doubts(...times(12, {}), ...times(4, atTimes).flat())).toEqual([]);
  });

  it("only after it delivered data for a while", () => {
    expect(doubts(...times(9, {}), ...times(9, "nothing" as const))).toEqual([]);
  });

  it("not during the usual pauses of a source that sends in portions", () => {
    const portion = ["nothing", "nothing", "nothing", {}] as const;
    expect(doubts({}, ...times(5, portion).flat(), ...times(7, "nothing" as const))).toEqual([]);
    expect(doubts({}, ...times(5, portion).flat(), ...times(8, "nothing" as const))).toEqual([29]);
  });
});

describe("a source without usable data", () => {
  const said = (found: Partial<Inspection>): string =>
    endWithoutPayload({ ...initialProgress(0), inspection: { ...NOTHING, bytes: 4096, ...found } }, SERVICE)
      .text;

  it("is described by the size of its packets", () => {
    expect(said({ foreignPacketBytes: 192 })).toMatch(
      /^The source sent M2TS: 192-byte packets.* convert with ffmpeg /,
    );
    expect(said({ foreignPacketBytes: 204 })).toMatch(
      /^The source sent 204-byte packets.* convert with ffmpeg /,
    );
  });

  it("is described by its kind of content if that is known", () => {
    expect(said({ foreignContent: "a web page" })).toBe(
      "The source sent a web page of 4096 bytes instead of a transport stream.",
    );
  });

  it("is reported as no transport stream if no size fits", () => {
    expect(said({})).toBe("The source sent 4096 bytes that are not a transport stream.");
  });
});

describe("R-05 a source with the service's number on another transport stream", () => {
  const onAir = (tsid: number, triplet?: Triplet): Inspection => ({
    ...NOTHING,
    transportStreamId: tsid,
    payloadPackets: 900,
    services: [
      { sid: SERVICE.sid, pmtPid: 0x100, streams: [], ...(triplet === undefined ? {} : { triplet }) },
    ],
  });
  /** After which looks, one a second, it is taken to flow. */
  const flows = (...looks: readonly Inspection[]): readonly boolean[] => {
    let progress: Progress = initialProgress(0);
    return looks.map((found, index) => {
      progress = progressAfter(progress, {
        found,
        service: SERVICE,
        limits: LIMITS,
        nowMs: (index + 1) * SECOND,
      });
      return progress.flowing;
    });
  };

  it("delivers no payload before an SDT names it, nor if it names another", () => {
    const elsewhere = { ...SERVICE, tsid: 546 };
    expect(flows(onAir(546), onAir(546), onAir(546, elsewhere), onAir(546, elsewhere))).not.toContain(true);
  });

  it("delivers payload if the SDT names it, whatever the PAT lists, and at once if the PAT is right", () => {
    expect(flows(onAir(1), onAir(1, SERVICE))).toEqual([false, true]);
    expect(flows(onAir(SERVICE.tsid))).toEqual([true]);
    expect(flows(onAir(SERVICE.tsid, { ...SERVICE, tsid: 1 }))).toEqual([true]);
  });

  it("delivers payload if the SDT names a network for private use, as that of ffmpeg does: it says nothing", () => {
    const relayed = { onid: 0xff01, tsid: 1, sid: SERVICE.sid };
    expect(flows(onAir(1, relayed), onAir(1), onAir(1, relayed), onAir(1, relayed)).at(-1)).toBe(true);
    expect(flows(onAir(SERVICE.tsid, { ...relayed, onid: 0x2114 }))).toEqual([false]);
  });

  it("delivers payload if no SDT comes, because its ids were lost on the way", () => {
    expect(flows(onAir(1), onAir(1), onAir(1), onAir(1))).toEqual([false, false, false, true]);
  });
});

describe("a capture without picture or sound", () => {
  const ALL = { ...LIMITS, firstPayloadMs: 15 * SECOND, stallMs: 10 * SECOND };

  /** Looks once a second for so long at a stream that lacks something. @returns the first look that doubts it, and the first that ends it */
  function judged(lacks: readonly Lack[], seconds: number, closedAfter = Number.POSITIVE_INFINITY) {
    let progress: Progress = initialProgress(0);
    let doubted: number | undefined;
    for (let second = 1; second <= seconds; second += 1) {
      const nowMs = second * SECOND;
      const streamMs = nowMs;
      const there = lacks.flatMap((lack) =>
        lack.start < streamMs ? [{ ...lack, stop: Math.min(lack.stop, streamMs) }] : [],
      );
      const packets = second * 1000;
      const scrambledPackets = 10 * Math.max(0, second - closedAfter);
      const found = {
        ...NOTHING,
        bytes: packets * 188,
        packets,
        payloadPackets: packets - scrambledPackets,
        scrambledPackets,
        streamMs,
        lacks: there,
      };
      progress = progressAfter(progress, { found, service: SERVICE, limits: ALL, nowMs });
      if (doubtOf(progress, ALL, nowMs) !== undefined) doubted ??= second;
      const trouble = troubleOf(progress, { service: SERVICE, limits: ALL, nowMs });
      if (trouble !== undefined) return { doubted, ended: second, ...trouble };
    }
    return { doubted };
  }

  it.each(["picture", "sound"] as const)("is doubted and then ended if its %s disappears", (kind) => {
    expect(judged([{ kind, start: 20_000, stop: 100_000 }], 60)).toEqual({
      doubted: 23,
      ended: 30,
      cause: "STREAM_STALLED",
      text: `The source has sent the service without ${kind} for 10 s.`,
      details: { silentMs: 10 * SECOND },
    });
  });

  it("is ended as scrambled if its picture is scrambled and its sound is not", () => {
    expect(judged([{ kind: "picture", start: 20_000, stop: 100_000 }], 60, 20)).toEqual({
      doubted: 23,
      ended: 30,
      cause: "STREAM_SCRAMBLED",
      text: "The picture of the service has been scrambled for 10 s.",
      details: { silentMs: 10 * SECOND },
    });
  });

  it("is doubted and continues if it never had a picture, because another capture would not have one either", () => {
    expect(judged([{ kind: "picture", start: 0, stop: 100_000 }], 60)).toEqual({ doubted: 3 });
  });

  it("is neither doubted nor ended if the picture returns soon", () => {
    const twice = [
      { kind: "picture", start: 20_000, stop: 22_000 },
      { kind: "picture", start: 30_000, stop: 32_000 },
    ] as const;
    expect(judged(twice, 60)).toEqual({});
  });
});

describe("R-06 a capture that ffmpeg writes as fast as the source sends", () => {
  /** Looks once a second at a file that grows by so many MB. @returns the look that ends it, and why */
  function flooded(megabytes: readonly number[], first = 0) {
    let progress: Progress = initialProgress(0);
    let bytes = first * 1e6;
    for (const [index, more] of megabytes.entries()) {
      const nowMs = (index + 1) * SECOND;
      bytes += more * 1e6;
      const found = { ...NOTHING, bytes, packets: bytes / 188, payloadPackets: bytes / 188 };
      const limits = { ...LIMITS, firstPayloadMs: 60 * SECOND, stallMs: 60 * SECOND };
      progress = progressAfter(progress, { found, service: SERVICE, limits, nowMs });
      const trouble = troubleOf(progress, { service: SERVICE, limits, nowMs });
      if (trouble !== undefined) return [index + 1, trouble.cause];
    }
    return "goes on";
  }

  it("is ended before it fills the disk", () => {
    expect(flooded([0, ...times(10, 400)])).toEqual([4, "STREAM_EXCESSIVE"]);
    expect(flooded(times(600, 27))).toEqual([377, "STREAM_EXCESSIVE"]);
  });

  it("continues at the rate of a multiplex, after a burst, and with hours on disk when adopted", () => {
    expect(flooded(times(600, 24))).toBe("goes on");
    expect(flooded([0, 700, ...times(600, 3)])).toBe("goes on");
    expect(flooded(times(600, 3), 50_000)).toBe("goes on");
  });
});

describe("R-06 a source that stalls", () => {
  /** Looks once a second at a file that has got portions of so many seconds, each at its second. @returns the second that ends it */
  function stalls(portions: Readonly<Record<number, number>>, { seconds = 200, isAdopted = false } = {}) {
    let progress: Progress = initialProgress(0, isAdopted);
    let played = 0;
    const limits = { ...LIMITS, firstPayloadMs: 15 * SECOND };
    for (let second = 1; second <= seconds; second += 1) {
      played += portions[second] ?? 0;
      const found = {
        ...NOTHING,
        spans: [{ start: 0, stop: played * SECOND }],
        streamMs: played * SECOND,
        bytes: played * 1000,
        payloadPackets: played,
      };
      const nowMs = second * SECOND;
      progress = progressAfter(progress, { found, service: SERVICE, limits, nowMs });
      const trouble = troubleOf(progress, { service: SERVICE, limits, nowMs });
      if (trouble !== undefined) return [second, trouble.cause];
    }
    return "goes on";
  }
  const every = (step: number, from: number, to: number) =>
    Object.fromEntries(
      Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => [from + index * step, step]),
    );

  it("is ended after ten seconds", () => {
    expect(stalls(every(1, 1, 30))).toEqual([40, "STREAM_STALLED"]);
    expect(stalls({ 1: 3600, ...every(1, 2, 30) }, { isAdopted: true })).toEqual([40, "STREAM_STALLED"]);
  });

  it("is none if it sends segments of twelve seconds at once, as a relay of HLS does", () => {
    expect(stalls(every(12, 4, 300))).toBe("goes on");
    expect(stalls({ 4: 36, ...every(12, 16, 300) })).toBe("goes on");
    expect(stalls({ 4: 12, ...every(12, 15, 90), ...every(12, 100, 300) })).toBe("goes on");
  });

  it("is ended ten seconds after what it brought is over, and never later than after twenty", () => {
    expect(stalls(every(12, 4, 52))).toEqual([70, "STREAM_STALLED"]);
    expect(stalls({ 2: 50, ...every(1, 3, 30) })).toEqual([50, "STREAM_STALLED"]);
  });
});

describe("R-04 a source that is not live", () => {
  /** Looks once a second at a file in which so many seconds of picture and sound are. @returns the look that ends it, and why */
  function paced(seconds: readonly number[], { isAdopted = false, jumpS = 0 } = {}) {
    let progress: Progress = initialProgress(0, isAdopted);
    for (const [index, played] of seconds.entries()) {
      const nowMs = (index + 1) * SECOND;
      const spans = [{ start: jumpS * SECOND, stop: (jumpS + played) * SECOND }];
      const streamMs = (jumpS + played) * SECOND;
      const found = { ...NOTHING, spans, streamMs, bytes: played * 1000, payloadPackets: played };
      progress = progressAfter(progress, { found, service: SERVICE, limits: LIMITS, nowMs });
      const limits = { ...LIMITS, firstPayloadMs: 60 * SECOND, stallMs: 60 * SECOND };
      const trouble = troubleOf(progress, { service: SERVICE, limits, nowMs });
      if (trouble !== undefined) return [index + 1, trouble.cause, trouble.text];
    }
    return "goes on";
  }
  const live = (count: number, more = 0) => Array.from({ length: count }, (_, index) => index + 1 + more);

  it("ends as soon as it outruns every broadcast", () => {
    expect(paced([50, 100])).toEqual([
      2,
      "STREAM_EXCESSIVE",
      "The source is not live: it sent 1 min 40 s of picture and sound within 2 s.",
    ]);
  });

  it("is no source that begins with a burst, catches up after a pause, or jumps", () => {
    expect(paced(live(300, 45))).toBe("goes on");
    expect(paced([...live(30), ...Array.from({ length: 50 }, () => 30), ...live(60, 80)])).toBe("goes on");
    expect(paced(live(100), { jumpS: 500 })).toBe("goes on");
  });

  it("is found after an adoption, where hours are on disk, by what comes then", () => {
    expect(paced(live(100, 7200), { isAdopted: true })).toBe("goes on");
    expect(paced([7200, 7250, 7300], { isAdopted: true })).toContain("STREAM_EXCESSIVE");
  });
});

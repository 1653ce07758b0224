import { describe, expect, it } from "vitest";
import { HOST_LIMITS } from "../../../src/recorder/capture/host/limits.ts";
import { levelOf, type Share, Shares } from "../../../src/recorder/capture/host/shares.ts";
import { fc } from "../../properties.ts";

const PIECE_BYTES = 256 * 1024;
const LOOK_MS = 100;

/** Looks `looks` times, a tenth of a second apart; `between` is what the sources do. */
function run(shares: Shares, looks: number, between: () => void): void {
  shares.look(0);
  for (let look = 1; look <= looks; look += 1) {
    between();
    shares.look(look * LOOK_MS);
  }
}

/** Brings as much as it may, in pieces that take so long each. @returns its bytes */
function flood(share: Share, pieceMs = 0): number {
  let bytes = 0;
  while (share.isOpen) {
    bytes += PIECE_BYTES;
    share.spend(PIECE_BYTES, pieceMs);
  }
  return bytes;
}

describe("the shares of sources", () => {
  it("allow a single source all of its 190 Mbit/s", () => {
    const shares = new Shares();
    const share = shares.join();
    const bytes = 2_375_000;
    run(shares, 600, () => expect(share.spend(bytes, 1)).toBe(true));
    expect(share.floodedMs).toBe(0);
  });

  it("limit all sources with higher rates to one rate, after a burst", () => {
    const shares = new Shares();
    const floods = Array.from({ length: 30 }, () => shares.join());
    let bytes = 0;
    run(shares, 10, () => {
      for (const share of floods) flood(share);
    });
    for (let look = 11; look <= 110; look += 1) {
      for (const share of floods) bytes += flood(share);
      shares.look(look * LOOK_MS);
    }
    const most = 10 * HOST_LIMITS.sourceBytesPerSecond + floods.length * PIECE_BYTES;
    expect(bytes).toBeLessThanOrEqual(most);
    expect(bytes).toBeGreaterThan(5 * HOST_LIMITS.sourceBytesPerSecond);
  });

  it("measure how long a source has flooded, until its rate drops", () => {
    const shares = new Shares();
    const share = shares.join();
    run(shares, 300, () => flood(share));
    expect(share.floodedMs).toBe(HOST_LIMITS.floodMs);
    shares.look(310 * LOOK_MS);
    shares.look(320 * LOOK_MS);
    expect(share.floodedMs).toBe(0);
  });

  it("throttle sources that keep the thread busy, and never small ones", () => {
    const shares = new Shares();
    const cheap = Array.from({ length: 8 }, () => shares.join());
    const dear = Array.from({ length: 30 }, () => shares.join());
    const busyMs: number[] = [];
    run(shares, 100, () => {
      let ms = 0;
      for (const share of dear) {
        // Each piece takes a millisecond, and there are twenty in each look for those that may.
        for (let piece = 0; piece < 20 && share.isOpen; piece += 1) {
          share.spend(1000, 1);
          ms += 1;
        }
      }
      for (const share of cheap) {
        expect(share.isOpen).toBe(true);
        expect(share.spend(100_000, 0.5)).toBe(true);
        ms += 0.5;
      }
      busyMs.push(ms);
    });
    const later = busyMs.slice(1);
    // Six tenths of each look for all, and a piece more of each.
    const mean = later.reduce((sum, ms) => sum + ms, 0) / later.length;
    expect(mean).toBeLessThan(0.6 * LOOK_MS + dear.length);
    expect(mean).toBeGreaterThan(0.3 * LOOK_MS);
  });

  it("throttle no source once the thread has room again", () => {
    const shares = new Shares();
    const share = shares.join();
    share.spend(1, 1000);
    run(shares, 20, () => {});
    for (let piece = 0; piece < 500; piece += 1) expect(share.spend(1, 1)).toBe(true);
  });
});

it("shares leave sources below the level alone, and limit the others to the available rate", () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0, max: 100, noNaN: true }), { maxLength: 50 }),
      fc.double({ min: 1, max: 500, noNaN: true }),
      (used, room) => {
        const level = levelOf(used, room);
        const all = used.reduce((sum, each) => sum + each, 0);
        const cut = used.reduce((sum, each) => sum + Math.min(level, each), 0);
        return all <= room ? cut > all - 1e-6 : Math.abs(cut - room) < 1e-6;
      },
    ),
  );
});

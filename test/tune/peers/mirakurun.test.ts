import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tripletKey } from "../../../src/model/service.ts";
import type { TunerDriver } from "../../../src/ports.ts";
import { ELSEWHERE, ONE, TWO } from "../fakes/air.ts";
import { recordedFrom } from "../recorded.ts";
import { openAll } from "../server-contract.ts";
import { startMirakurun } from "./mirakurun.ts";
import { installed } from "./program.ts";

const program = installed("mirakurun", "RECORDERD_MIRAKURUN");
const signal = () => AbortSignal.timeout(60_000);

describe.skipIf(program === undefined)(
  "a mirakurun tuner on a real Mirakurun (needs the npm package mirakurun)",
  () => {
    let folder = "";
    let server: Awaited<ReturnType<typeof startMirakurun>> | undefined;
    let driver: TunerDriver | undefined;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "recorderd-mirakurun-"));
      server = await startMirakurun(program ?? "", join(folder, "server"));
      [driver] = await openAll({ kind: "mirakurun", id: "t", address: server.address });
    });
    afterAll(async () => {
      await driver?.[Symbol.asyncDispose]();
      await server?.[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    });

    it("knows the services that it found by original network and service id", () => {
      const services = driver?.facts.services;
      expect(
        [ONE, TWO, ELSEWHERE].map((each) => services !== "any" && services?.has(tripletKey(each))),
      ).toEqual([true, true, true]);
    });

    it("R-22 records two services of one multiplex at once from its only tuner", async () => {
      if (driver === undefined) throw new Error("no driver was opened");
      const found = await recordedFrom(driver, [ONE, TWO], folder);
      for (const { service, payloadPackets, named } of found) {
        expect(payloadPackets).toBeGreaterThan(0);
        expect(named).toEqual(service);
      }
    });

    it("R-20 says TUNER_BUSY where another multiplex holds its only tuner", async () => {
      const other = new AbortController();
      const url = `${server?.address}/api/services/${ELSEWHERE.onid * 100_000 + ELSEWHERE.sid}/stream`;
      try {
        const stream = await fetch(url, { headers: { "X-Mirakurun-Priority": "2" }, signal: other.signal });
        expect(stream.status).toBe(200);
        await using session = await driver?.open(ONE, signal());
        expect((await session?.explain?.(signal()))?.code).toBe("TUNER_BUSY");
      } finally {
        other.abort();
      }
    });

    it("R-27 takes its tuner from a lower priority, whose stream ends", async () => {
      const url = `${server?.address}/api/services/${ELSEWHERE.onid * 100_000 + ELSEWHERE.sid}/stream`;
      const viewer = await fetch(url, { headers: { "X-Mirakurun-Priority": "1" }, signal: signal() });
      const ended = viewer.arrayBuffer();
      await using session = await driver?.open(ONE, signal());
      expect(await session?.explain?.(signal())).toBeUndefined();
      expect((await ended).byteLength).toBeGreaterThan(0);
    });
  },
);

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TunerDriver } from "../../../../src/model/ports.ts";
import { tripletKey } from "../../../../src/model/service.ts";
import { outOfPatience } from "../../../patience.ts";
import { answerOf, recordedExchanges } from "../exchanges.ts";
import { ELSEWHERE, ONE, TWO } from "../fakes/air.ts";
import { recordedFrom } from "../recorded.ts";
import { openAll } from "../server-contract.ts";
import { startMirakurun, untilFree } from "./mirakurun.ts";
import { installed } from "./program.ts";

const program = installed("mirakurun", "RECORDERD_MIRAKURUN");
const signal = outOfPatience;

const exchanges = await recordedExchanges("mirakurun");

describe.skipIf(program === undefined)(
  "a mirakurun tuner on a real Mirakurun (needs the npm package mirakurun)",
  () => {
    let folder = "";
    let server: Awaited<ReturnType<typeof startMirakurun>>;
    let driver: TunerDriver;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "recorderd-mirakurun-"));
      server = await startMirakurun(program ?? "", join(folder, "server"));
      const drivers = await openAll({ kind: "mirakurun", id: "t", address: server.address });
      expect(drivers).toHaveLength(1);
      [driver] = drivers as [TunerDriver];
    });
    afterAll(async () => {
      await driver?.[Symbol.asyncDispose]();
      await server?.[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    });

    it.each(exchanges)("gives the recorded answers of the fake: $request $when", async (exchange) => {
      {
        await using _viewer = exchange.when === "busy" ? await viewed("2") : undefined;
        const said = await answerOf({ address: server.address, names: {} }, exchange);
        expect(said).toEqual(exchange.answer);
      }
      await untilFree(server.address, signal());
    });

    it("identifies its services by original network and service id", () => {
      const services = driver.facts.services;
      expect(
        [ONE, TWO, ELSEWHERE].map((each) => services !== "any" && services?.has(tripletKey(each))),
      ).toEqual([true, true, true]);
    });

    it("R-22 records two services of one multiplex at once from its only tuner", async () => {
      const found = await recordedFrom(driver, [ONE, TWO], folder);
      for (const { service, payloadPackets, named } of found) {
        expect(payloadPackets).toBeGreaterThan(0);
        expect(named).toEqual(service);
      }
    });

    it("R-20 gives TUNER_IN_USE while another multiplex uses its only tuner", async () => {
      await using _viewer = await viewed("2");
      await using session = await driver.open(ONE, signal());
      expect((await session.explain?.(signal()))?.code).toBe("TUNER_IN_USE");
    });

    it("R-27 takes its tuner from a lower priority, whose stream ends", async () => {
      await using viewer = await viewed("1");
      await using session = await driver.open(ONE, signal());
      expect(await session.explain?.(signal())).toBeUndefined();
      expect(await viewer.ended()).toBeGreaterThan(0);
    });

    it("R-20 is unreachable while the server is dead, and records again once it is back", async () => {
      await server.kill();
      await expect(driver.open(ONE, signal())).rejects.toMatchObject({ code: "TUNER_UNREACHABLE" });
      await server.restart();
      const [found] = await recordedFrom(driver, [ONE], join(folder, "back"));
      expect(found).toMatchObject({ named: ONE });
    });

    /** Somebody else's stream of the other multiplex. */
    async function viewed(priority: string) {
      const over = new AbortController();
      const url = `${server.address}/api/services/${ELSEWHERE.onid * 100_000 + ELSEWHERE.sid}/stream`;
      const headers = { "X-Mirakurun-Priority": priority };
      const stream = await fetch(url, { headers, signal: AbortSignal.any([signal(), over.signal]) });
      expect(stream.status).toBe(200);
      return {
        /** @returns how many bytes it had when the server ended it */
        ended: async () => (await stream.arrayBuffer()).byteLength,
        async [Symbol.asyncDispose]() {
          over.abort();
        },
      };
    }
  },
);

import { afterEach, describe, expect, it } from "vitest";
import type { Credentials } from "../../../src/kit/http/http-auth.ts";
import { silentLog } from "../../../src/kit/log.ts";
import { systemClock } from "../../../src/kit/time/clock.ts";
import type { ErrorCode } from "../../../src/model/errors.ts";
import type { TunerDriver } from "../../../src/model/ports.ts";
import type { Triplet } from "../../../src/model/service.ts";
import type { Reception } from "../../../src/model/tuner.ts";
import { openTuners, TunerConfig } from "../../../src/recorder/tune/registry.ts";
import { freePort } from "../../free-port.ts";
import { Kept } from "../../kept.ts";
import { outOfPatience } from "../../patience.ts";
import { keepsTunerDriverContract, readHttp } from "./driver-contract.ts";
import {
  ELSEWHERE,
  type FakeServer,
  ONE,
  type Receivers,
  receivers,
  type Trouble,
  TWO,
  USER,
} from "./fakes/air.ts";

export interface ServerUnderTest {
  readonly kind: string;
  /** A fake that speaks its protocol strictly. */
  readonly fake: (receivers: Receivers, options?: { readonly trouble?: Trouble }) => Promise<FakeServer>;
  readonly config: (server: Pick<FakeServer, "address" | "port">) => object;
  /** It shares one tuner among the services of a multiplex. */
  readonly shares: boolean;
  /** How many tuners the fake says it has; absent where the server does not say. */
  readonly tuners?: number;
  readonly hasPasswords: boolean;
  /** The meaning of its answer 403; the user's rights by default. */
  readonly forbidden?: ErrorCode;
  /** The reception that the server reports for the tuner that the fake holds for ONE alone. */
  readonly reception: Reception;
  readonly read?: (url: string, headers?: Readonly<Record<string, string>>) => Promise<Uint8Array>;
}

const signal = outOfPatience;

export async function openAll(
  config: object,
  credentials: Credentials | undefined = USER,
): Promise<readonly TunerDriver[]> {
  const parts = { clock: systemClock(), log: silentLog, folder: "/nowhere", credentials: () => credentials };
  return await openTuners([TunerConfig.parse(config)], parts);
}

/** The contract of every tuner behind a server, in addition to the contract of all drivers. */
export function keepsServerContract(under: ServerUnderTest): void {
  const { kind, fake, config, shares, tuners, hasPasswords, forbidden, reception, read = readHttp } = under;
  const opened = new Kept();
  const kept = opened.keep;
  afterEach(async () => {
    await opened[Symbol.asyncDispose]();
  });

  async function driverOf(
    options: { readonly trouble?: Trouble; readonly count?: number } = {},
    credentials: Credentials | undefined = USER,
  ): Promise<{ readonly driver: TunerDriver; readonly air: Receivers; readonly server: FakeServer }> {
    const air = receivers({ count: options.count ?? 1, shared: shares });
    const server = kept(await fake(air, options.trouble === undefined ? {} : { trouble: options.trouble }));
    const [driver] = (await openAll(config(server), credentials)).map(kept);
    if (driver === undefined) throw new Error("no driver was opened");
    return { driver, air, server };
  }

  /** The code of a failure that the daemon sees: from opening the tuner, or from the session that gives no stream. */
  async function whyNot(driver: TunerDriver, service: Triplet): Promise<string | undefined> {
    try {
      await using session = await driver.open(service, signal());
      return (await session.explain?.(signal()))?.code;
    } catch (error) {
      return error instanceof Error && "code" in error ? String(error.code) : String(error);
    }
  }

  keepsTunerDriverContract({
    name: kind,
    config: () => config({ address: "http://192.0.2.1", port: 80 }),
    services: [ONE, TWO],
    read: (url) => read(url, { "X-Mirakurun-Priority": "1" }),
    build: async () => {
      const server = await fake(receivers({ count: 2, shared: shares }));
      const drivers = await openAll(config(server));
      const [driver] = drivers;
      if (driver === undefined) throw new Error("no driver was opened");
      return {
        get facts() {
          return driver.facts;
        },
        open: (service, aborted) => driver.open(service, aborted),
        async [Symbol.asyncDispose]() {
          for (const each of drivers) await each[Symbol.asyncDispose]();
          await server[Symbol.asyncDispose]();
        },
      };
    },
  });

  describe(`${kind}, a kind behind a server,`, () => {
    it("provides as many tuners as the server or the configuration states", async () => {
      const server = kept(await fake(receivers({ count: 1, shared: shares })));
      const drivers = (await openAll(config(server))).map(kept);
      expect(drivers.map(({ facts }) => facts.id)).toEqual(
        Array.from({ length: tuners ?? 1 }, (_, index) => (index === 0 ? "t" : `t#${index + 1}`)),
      );
      const three = (await openAll({ ...config(server), count: 3 })).map(kept);
      expect(three).toHaveLength(3);
    });

    it("uses no tuner of the server before it opens a session", async () => {
      const { driver, air } = await driverOf();
      await using _session = await driver.open(ONE, signal());
      expect(air.inUse()).toBe(0);
    });

    it("R-20 gives TUNER_IN_USE while another multiplex uses the only tuner, and nothing once it is free", async () => {
      const { driver, air } = await driverOf();
      const release = air.take(ELSEWHERE, "somebody");
      expect(await whyNot(driver, ONE)).toBe("TUNER_IN_USE");
      release?.();
      expect(await whyNot(driver, ONE)).toBeUndefined();
    });

    it("gives TUNER_NO_LOCK or TUNER_IN_USE without reception", async () => {
      const { driver } = await driverOf({ trouble: "no lock" });
      expect(await whyNot(driver, ONE)).toMatch(/^TUNER_(NO_LOCK|BUSY)$/);
    });

    it(`gives ${forbidden ?? "TUNER_FORBIDDEN"} if the server forbids the stream`, async () => {
      const { driver } = await driverOf({ trouble: "forbidden" });
      expect(await whyNot(driver, ONE)).toBe(forbidden ?? "TUNER_FORBIDDEN");
    });

    it("reports the reception of its own services, and of no other", async () => {
      const { driver, air } = await driverOf({ count: 2 });
      air.take(ELSEWHERE, "somebody");
      expect(await driver.reception?.(ONE, signal())).toBeUndefined();
      air.take(ONE, "recorderd");
      expect(await driver.reception?.(ONE, signal())).toEqual(reception);
    });

    it("gives TUNER_UNREACHABLE without a server, and may then have any service", async () => {
      const port = await freePort();
      const [driver] = (await openAll(config({ address: `http://127.0.0.1:${port}`, port }))).map(kept);
      expect(driver?.facts.services).toBe("any");
      expect(driver === undefined ? "" : await whyNot(driver, ONE)).toBe("TUNER_UNREACHABLE");
      await expect(driver?.reception?.(ONE, signal())).rejects.toMatchObject({ code: "TUNER_UNREACHABLE" });
    });

    if (!hasPasswords) return;
    it("gives TUNER_CREDENTIALS_WRONG if user or password are wrong, without naming them", async () => {
      const { driver } = await driverOf({}, { user: "rec@order", password: "old secret" });
      const refusal = await driver.open(ONE, signal()).catch((error: unknown) => error);
      expect(refusal).toMatchObject({ code: "TUNER_CREDENTIALS_WRONG" });
      expect(JSON.stringify(refusal) + String(refusal)).not.toContain("secret");
    });
  });
}

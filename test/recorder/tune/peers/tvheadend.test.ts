import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Credentials } from "../../../../src/kit/http/http-auth.ts";
import { systemClock } from "../../../../src/kit/time/clock.ts";
import type { TunerDriver } from "../../../../src/model/ports.ts";
import { multiplexKey, type Triplet, tripletKey } from "../../../../src/model/service.ts";
import { freePort } from "../../../free-port.ts";
import { Kept } from "../../../kept.ts";
import { outOfPatience } from "../../../patience.ts";
import { broadcast } from "../../../simulator/air.ts";
import { answerOf, recordedExchanges } from "../exchanges.ts";
import { ELSEWHERE, ON_AIR, ONE, TWO, USER, vdrList } from "../fakes/air.ts";
import { recordedFrom } from "../recorded.ts";
import { conversationWith, recordedConversations } from "../satip-exchanges.ts";
import { openAll } from "../server-contract.ts";
import { tvheadendNames } from "../tvheadend-names.ts";
import { installed, running } from "./program.ts";
import { viewed } from "./satip-viewer.ts";
import { startTvheadend } from "./tvheadend.ts";

/** The account that gets each answer; every other account gets the answers of `USER`. */
const USERS: Readonly<Record<string, Credentials>> = {
  "wrong password": { ...USER, password: "wrong" },
  "no rights": { user: "viewer", password: "viewer" },
  limit: { user: "limited", password: "limited" },
};
const program = installed("tvheadend", "RECORDERD_TVHEADEND");
const signal = outOfPatience;

const conversations = await recordedConversations("tvheadend");
const exchanges = await recordedExchanges("tvheadend");

describe.skipIf(program === undefined)(
  "a tvheadend tuner on a real, stock Tvheadend (needs tvheadend)",
  () => {
    const opened = new Kept();
    const kept = opened.keep;
    let folder = "";
    let rtspPort = 0;
    let server: Awaited<ReturnType<typeof startTvheadend>>;
    const driverOf = async (as = USER, more: object = {}): Promise<TunerDriver> => {
      const config = { kind: "tvheadend", id: "t", address: server.address, ...more };
      const [driver] = (await openAll(config, as)).map(kept);
      if (driver === undefined) throw new Error("no driver was opened");
      return driver;
    };

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "recorderd-tvheadend-"));
      const air = kept(await broadcast(ON_AIR));
      const multiplexAt = (service: (typeof ON_AIR)[number]) =>
        `${air.baseUrl}/multiplex/${multiplexKey(service)}`;
      rtspPort = await freePort();
      const options = { folder: join(folder, "server"), multiplexAt, inputs: 1, rtspPort };
      server = kept(await startTvheadend(program ?? "", options));
    }, 180_000);
    afterAll(async () => {
      await opened[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    });

    it.each(exchanges)("gives the recorded answers of the fake: $request $when", async (exchange) => {
      const { when = "", answer } = exchange;
      const { address } = server;
      const names = await tvheadendNames(address);
      const as = when === "no user" ? undefined : (USERS[when] ?? USER);
      {
        await using _state = await broughtTo(when);
        expect(await answerOf({ address, names, ...(as && { as }) }, exchange)).toEqual(answer);
      }
      await idle();
    });

    it("identifies its services by their triplets", async () => {
      const { services } = (await driverOf()).facts;
      const has = ON_AIR.map((each) => services !== "any" && services.has(tripletKey(each)));
      expect(has).toEqual([true, true, true]);
    });

    it("R-22 records two services of one multiplex at once, each with its broadcast ids", async () => {
      const found = await recordedFrom(await driverOf(), [ONE, TWO], join(folder, "one"));
      for (const { service, payloadPackets, continuityErrors, named, reception } of found) {
        expect(payloadPackets).toBeGreaterThan(0);
        expect(continuityErrors).toBe(0);
        expect(named).toEqual(service);
        expect(reception).toMatchObject({ input: "IPTV #1", users: 2 });
      }
    });

    it("R-20 gives TUNER_IN_USE while another multiplex uses its only input", async () => {
      const driver = await driverOf();
      await using _viewer = await watched(ELSEWHERE);
      await using session = await driver.open(ONE, signal());
      expect(await session.explain?.(signal())).toMatchObject({ code: "TUNER_IN_USE" });
    });

    it("distinguishes a wrong password from a missing right", async () => {
      const codeOf = async (user: string, password: string) => {
        const driver = await driverOf({ user, password });
        return await driver.open(ONE, signal()).catch((error: { readonly code?: string }) => error.code);
      };
      expect(await codeOf("viewer", "viewer")).toBe("TUNER_FORBIDDEN");
      expect(await codeOf("viewer", "wrong")).toBe("TUNER_CREDENTIALS_WRONG");
      expect(await codeOf("nobody", "wrong")).toBe("TUNER_CREDENTIALS_WRONG");
    });

    it("refuses the stock profile, which changes the broadcast ids", async () => {
      const driver = await driverOf(USER, { profile: "pass" });
      await expect(driver.open(ONE, signal())).rejects.toMatchObject({ code: "TUNER_SERVICE_UNKNOWN" });
    });

    it.each(conversations)("gives the recorded SAT>IP answers of the fake: $name", async (conversation) => {
      {
        await using _viewer = conversation.when === "busy" ? await viewed(rtspPort, ELSEWHERE) : undefined;
        expect(await conversationWith(rtspPort, conversation)).toEqual(conversation.steps);
      }
      await idle();
    });

    it.each(["all", "listed"] as const)(
      "R-22 records as a SAT>IP server, too: two services of one multiplex at once, with %s PIDs",
      async (pids) => {
        // Asked for whole multiplexes and for lists in one life, Tvheadend may hang or die.
        await server.restart();
        const driver = await satipDriver(pids);
        const found = await recordedFrom(driver, [ONE, TWO], join(folder, pids));
        for (const { service, payloadPackets, continuityErrors, named } of found) {
          expect(payloadPackets).toBeGreaterThan(0);
          expect(continuityErrors).toBe(0);
          expect(named).toEqual(service);
        }
        await idle();
      },
    );

    it("R-20 gives TUNER_IN_USE as a SAT>IP server, too, although it answers 200 and sends nothing", async () => {
      const driver = await satipDriver("listed");
      {
        await using _viewer = await viewed(rtspPort, ELSEWHERE);
        const refusal = await driver.open(ONE, signal()).catch((error: unknown) => error);
        expect(refusal).toMatchObject({ code: "TUNER_IN_USE" });
      }
      await idle();
    });

    it("R-20 is unreachable while the server is dead, and records again once it is back", async () => {
      const driver = await driverOf();
      await server.kill();
      await expect(driver.open(ONE, signal())).rejects.toMatchObject({ code: "TUNER_UNREACHABLE" });
      await server.restart();
      const [found] = await recordedFrom(driver, [ONE], join(folder, "back"));
      expect(found).toMatchObject({ named: ONE, continuityErrors: 0 });
    });

    async function satipDriver(pids: "all" | "listed"): Promise<TunerDriver> {
      const channelList = join(folder, "channels.conf");
      await writeFile(channelList, vdrList(ON_AIR));
      const config = { kind: "satip", id: "s", host: "127.0.0.1", rtspPort, channelList, pids };
      const [driver] = (await openAll({ ...config, sharesMultiplex: true })).map(kept);
      if (driver === undefined) throw new Error("no driver was opened");
      return driver;
    }

    /** Brings the server into the state in which it answers this way. */
    async function broughtTo(when: string | undefined): Promise<AsyncDisposable | undefined> {
      if (when === "busy") return await watched(ELSEWHERE);
      return when === "limit" ? await watched(ONE, USERS["limit"]) : undefined;
    }

    /** Somebody else's stream, for which its input is taken. */
    async function watched(service: Triplet, as = USER): Promise<AsyncDisposable> {
      const driver = await driverOf(as, { weight: 900 });
      const { source } = await driver.open(service, signal());
      const viewer = running("ffmpeg", `-nostdin -i ${source.url} -map 0 -c copy -f null -`.split(" "));
      await until(driver, service, "received");
      return viewer;
    }

    async function idle(): Promise<void> {
      const driver = await driverOf();
      for (const service of [ONE, ELSEWHERE]) await until(driver, service, "not received");
    }

    async function until(
      driver: TunerDriver,
      service: Triplet,
      state: "received" | "not received",
    ): Promise<void> {
      const patience = signal();
      while (((await driver.reception?.(service, patience)) !== undefined) !== (state === "received")) {
        await systemClock().sleep(100, patience);
      }
    }
  },
);

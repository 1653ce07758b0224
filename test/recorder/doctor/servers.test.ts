import { describe, expect, it } from "vitest";
import { systemClock } from "../../../src/kit/time/clock.ts";
import type { CheckContext } from "../../../src/recorder/doctor/check.ts";
import { lookAtServers } from "../../../src/recorder/doctor/servers.ts";
import { TunerConfig } from "../../../src/recorder/tune/registry.ts";
import { outOfPatience } from "../../patience.ts";
import { ELSEWHERE, type FakeServer, json, receivers, serve, type Trouble, USER } from "../tune/fakes/air.ts";
import { fakeHdhomerun } from "../tune/fakes/hdhomerun.ts";
import { fakeTvheadend } from "../tune/fakes/tvheadend.ts";

interface Look {
  readonly kind?: string;
  readonly password?: string;
  readonly version?: string;
  readonly more?: object;
}

async function look(server: FakeServer, { kind = "tvheadend", password, version, more = {} }: Look = {}) {
  const tuner = TunerConfig.parse({ kind, id: "t", address: server.address, ...more });
  const patient = {
    config: { tuners: [tuner], data: { folder: "/nowhere" } },
    secrets: { tuners: { t: { ...USER, password: password ?? USER.password } } },
    clock: systemClock(),
    daemon: async () => (version === undefined ? {} : { version }),
  };
  const [said] = await lookAtServers(patient as unknown as CheckContext, outOfPatience());
  return said;
}

const air = () => receivers({ count: 1, shared: true });

describe("doctor's check of a tuner's server", () => {
  it("requests a stream with a weight that displaces no viewer", async () => {
    await using server = await fakeTvheadend(air());
    expect(await look(server)).toMatchObject({ verdict: "good", found: expect.stringContaining("a stream") });
    const streams = server.requests.filter((request) => request.includes("/stream/"));
    expect(streams[0]).toMatch(/^GET \/stream\/mux\/.*&weight=1$/);
  });

  it.each<[Trouble, string, RegExp]>([
    ["no lock", "TUNER_NO_LOCK", /aerial/],
    ["forbidden", "TUNER_FORBIDDEN", /rights/],
    ["no rights", "TUNER_FORBIDDEN", /rights/],
  ])("names the true cause: %s", async (trouble, code, todo) => {
    await using server = await fakeTvheadend(air(), { trouble });
    expect(await look(server)).toMatchObject({ verdict: "bad", code, todo: expect.stringMatching(todo) });
  });

  it("reports a wrong password, and a profile that records nothing", async () => {
    await using server = await fakeTvheadend(air());
    expect(await look(server, { password: "old" })).toMatchObject({ code: "TUNER_CREDENTIALS_WRONG" });
    const found = expect.stringContaining("remove profile");
    expect(await look(server, { more: { profile: "pass" } })).toMatchObject({ verdict: "bad", found });
  });

  it("reports no fault if the server is busy", async () => {
    const held = air();
    held.take(ELSEWHERE, "a viewer");
    await using server = await fakeTvheadend(held);
    expect(await look(server)).toMatchObject({
      verdict: "unknown",
      found: expect.stringContaining("no free tuner"),
    });
  });

  it.each([
    [
      "names no ids, like many imitations",
      [{ GuideNumber: "1", GuideName: "One", URL: "http://h/stream/1" }],
    ],
    ["has found no channels", []],
  ])("reports a server that %s: nothing of it can be recorded", async (_, lineup) => {
    await using server = await serve((_request, response, path) =>
      json(response, path.startsWith("/lineup") ? lineup : { TunerCount: 2 }),
    );
    for (const version of [{}, { version: "0.1.0" }])
      expect(await look(server, { kind: "hdhomerun", ...version })).toMatchObject({
        verdict: "bad",
        found: expect.stringContaining("no service"),
        todo: expect.stringMatching(/Scan.*kind url/),
      });
  });

  it("requests no stream from a server without priorities while a daemon runs", async () => {
    await using server = await fakeHdhomerun(air());
    const isAsked = async (version?: string) => {
      const before = server.requests.length;
      const said = await look(server, { kind: "hdhomerun", ...(version === undefined ? {} : { version }) });
      expect(said?.verdict).toBe("good");
      return server.requests.slice(before).some((request) => !/discover|lineup|status/.test(request));
    };
    expect(await isAsked("0.1.0")).toBe(false);
    expect(await isAsked()).toBe(true);
  });
});

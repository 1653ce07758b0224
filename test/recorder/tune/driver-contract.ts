import { describe, expect, it } from "vitest";
import { authorizationFor } from "../../../src/kit/http/http-auth.ts";
import { silentLog } from "../../../src/kit/log.ts";
import { systemClock } from "../../../src/kit/time/clock.ts";
import { RecorderdError } from "../../../src/model/errors.ts";
import type { TunerDriver } from "../../../src/model/ports.ts";
import { type Triplet, tripletKey } from "../../../src/model/service.ts";
import { schemeOf } from "../../../src/model/source.ts";
import { MINUTE } from "../../../src/model/time.ts";
import { canReceive } from "../../../src/model/tuner.ts";
import { createCapture } from "../../../src/recorder/capture/capture.ts";
import { segmentFile } from "../../../src/recorder/capture/files.ts";
import { openInspection } from "../../../src/recorder/evidence/file-inspection.ts";
import { kindOf, TunerConfig } from "../../../src/recorder/tune/registry.ts";
import { temporaryFolder } from "../../main-job/recorder.ts";
import { outOfPatience } from "../../patience.ts";
import { SHORT, watch } from "../capture/capture-contract.ts";

export interface DriverUnderTest {
  readonly name: string;
  /** A driver whose source is there; its disposal ends the source too. */
  readonly build: () => Promise<TunerDriver>;
  /** An entry of the configuration as `build` uses it; its addresses may be others. */
  readonly config: () => object;
  /** Two services of one multiplex that it can deliver; one where the multiplex has no other. */
  readonly services: readonly [Triplet, Triplet?];
  /** The first bytes of a source, as anybody would read it. */
  readonly read: (url: string) => Promise<Uint8Array>;
}

const clock = systemClock();
const NOT_ON_AIR: Triplet = { onid: 1, tsid: 1, sid: 1 };

export function keepsTunerDriverContract({ name, build, config, services, read }: DriverUnderTest): void {
  const [service, sibling] = services;
  const signal = outOfPatience;

  describe(`${name} keeps the tuner driver contract`, () => {
    it("lists its services", async () => {
      await using driver = await build();
      expect(canReceive(driver.facts, tripletKey(service))).toBe(true);
      expect(driver.facts.servicesAtOnce("1/1")).toBeGreaterThanOrEqual(1);
      expect(driver.facts.warmUpMs).toBeGreaterThanOrEqual(0);
    });

    it("gives a source that delivers a transport stream", async () => {
      await using driver = await build();
      await using session = await driver.open(service, signal());
      const bytes = await read(session.source.url);
      expect([bytes[0], bytes[188]]).toEqual([0x47, 0x47]);
    });

    it("gives a source of the form that its kind declares", async () => {
      await using driver = await build();
      await using session = await driver.open(service, signal());
      const { url, programme } = session.source;
      const checked = TunerConfig.parse(config());
      expect(kindOf(checked).sources(checked)).toContainEqual({ scheme: schemeOf(url), programme });
    });

    it("gives a source that a capture can read", async () => {
      await using driver = await build();
      await using session = await driver.open(service, signal());
      await using folder = await temporaryFolder();
      const id = "contract.1";
      // By ffmpeg, which serves viewers as well: a source that only the capture host reads is not enough.
      const capture = createCapture({
        owner: folder.path,
        ffmpegPath: "ffmpeg",
        clock,
        log: silentLog,
        openInspection,
        limits: SHORT,
      });
      const file = segmentFile(folder.path, id);
      const order = { id, service, source: session.source, file, endsBy: clock.now() + MINUTE };
      await capture.start(order);
      const { end, flowing } = watch(capture, order);
      await flowing();
      await capture.stop(id);
      expect(await end).toMatchObject({ cause: "asked" });
    });

    it("can be opened again after its session is disposed twice", async () => {
      await using driver = await build();
      const session = await driver.open(service, signal());
      await session[Symbol.asyncDispose]();
      await session[Symbol.asyncDispose]();
      await using again = await driver.open(service, signal());
      expect((await read(again.source.url)).length).toBeGreaterThan(0);
    });

    it("R-22 delivers a second service of the multiplex together with the first, if the driver supports it", async () => {
      await using driver = await build();
      if (sibling === undefined || driver.facts.servicesAtOnce(`${service.onid}/${service.tsid}`) < 2) return;
      await using first = await driver.open(service, signal());
      await using second = await driver.open(sibling, signal());
      // A whole multiplex has one address for all its services.
      if (second.source.programme === "single") expect(second.source.url).not.toBe(first.source.url);
      else expect(second.source).toEqual(first.source);
    });

    it("refuses an unknown service with TUNER_SERVICE_UNKNOWN", async () => {
      await using driver = await build();
      const refusal = await driver.open(NOT_ON_AIR, signal()).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(RecorderdError);
      expect(refusal).toMatchObject({ code: "TUNER_SERVICE_UNKNOWN" });
    });

    it("opens nothing after an abort", async () => {
      await using driver = await build();
      const reason = new Error("called off");
      await expect(driver.open(service, AbortSignal.abort(reason))).rejects.toBe(reason);
    });

    it("can be disposed twice", async () => {
      const driver = await build();
      await driver[Symbol.asyncDispose]();
      await driver[Symbol.asyncDispose]();
    });
  });
}

/** The first 376 bytes of an HTTP stream, with the user and password that its address holds. */
export async function readHttp(
  address: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Uint8Array> {
  const ended = new AbortController();
  const url = new URL(address);
  const as = { user: decodeURIComponent(url.username), password: decodeURIComponent(url.password) };
  url.username = "";
  url.password = "";
  let response = await fetch(url, { headers, signal: ended.signal });
  const challenge = response.headers.get("www-authenticate");
  if (response.status === 401 && challenge !== null) {
    const uri = `${url.pathname}${url.search}`;
    const authorization = authorizationFor({ challenge, method: "GET", uri }, as) ?? "";
    response = await fetch(url, { headers: { ...headers, authorization }, signal: ended.signal });
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    if (Buffer.concat(chunks).length >= 376) break;
  }
  ended.abort();
  return Buffer.concat(chunks);
}

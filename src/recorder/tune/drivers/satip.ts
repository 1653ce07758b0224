import { z } from "zod";
import { acceptsConnections } from "../../../kit/http/accepts.ts";
import { createHttpClient } from "../../../kit/http/http.ts";
import { connectRtsp, type RtspAnswer } from "../../../kit/net/rtsp.ts";
import { withDeadline } from "../../../kit/time/clock.ts";
import type { KnownService } from "../../../model/channel-match.ts";
import { type ErrorCode, RecorderdError } from "../../../model/errors.ts";
import type { Source, TunerDriver } from "../../../model/ports.ts";
import { isUnknownMultiplex, type Triplet } from "../../../model/service.ts";
import { type DurationMs, SECOND } from "../../../model/time.ts";
import { readChannelList } from "../channel-lists/read.ts";
import { ChannelListFile, TABLE_PIDS, TunerId, WarmUpMs } from "../config-parts.ts";
import type { OpenParts, TunerKind } from "../kind.ts";
import { TUNE_LIMITS } from "../limits.ts";
import { pmtPidIn, streamPidsIn } from "../pat.ts";
import { SATIP_DISCOVERY } from "../satip-discovery.ts";
import { inAddress, satipPlaces, satipSource } from "../satip-places.ts";
import { satipInputs } from "../satip-reception.ts";
import { type SatipOutcome, type SatipRequest, trySatip } from "../satip-stream.ts";
import { type Lineup, type Refusal, type ServerInput, serverTuners, serverWords } from "../server-tuners.ts";

/** A SAT>IP server (1.2). It knows frequencies, not services: those come from a channel list. */
const SatipTunerConfig = z.strictObject({
  kind: z.literal("satip"),
  id: TunerId,
  host: z
    .string()
    .regex(/^[\w.:-]+$/, "expected a host name or an address")
    .describe("Name or address of the server."),
  rtspPort: z.int().min(1).max(65_535).default(554),
  description: z
    .url({ protocol: /^http$/, error: "expected an address such as http://192.0.2.9:8080/desc.xml" })
    .optional()
    .describe("Address of its description, which lists its tuners."),
  channelList: ChannelListFile,
  sources: z
    .array(z.number().min(-180).max(180))
    .max(16)
    .default([])
    .describe(
      "Orbital positions of its inputs in order, degrees east: [19.2, 13]. Without them, every satellite is on input 1.",
    ),
  pids: z
    .enum(["all", "listed"])
    .default("all")
    .describe(
      "all: the server sends the whole multiplex, and recorderd extracts the service. listed: the server sends the PIDs of the channel list and of the PMT.",
    ),
  sharesMultiplex: z
    .boolean()
    .default(false)
    .describe("Whether several streams of one multiplex share one of its tuners."),
  count: z
    .int()
    .min(1)
    .max(64)
    .optional()
    .describe("How many of its tuners to use; without it, all in the description."),
  warmUpMs: WarmUpMs.default(5 * SECOND),
});
type SatipTunerConfig = z.infer<typeof SatipTunerConfig>;

export const satip: TunerKind<SatipTunerConfig> = {
  kind: "satip",
  name: "SAT>IP server",
  schema: SatipTunerConfig,
  open: satipTuners,
  sources: ({ pids }) => [{ scheme: "satip", programme: pids === "all" ? "multi" : "single" }],
  hosts: ({ host }) => [host],
  address: {
    label: "Name or address of the server",
    example: "192.0.2.9",
    // The port is written unless it is the RTSP default: 192.0.2.9:8554.
    parse: (text) => {
      const [, host, port] = /^([^:]+):(\d{1,5})$/.exec(text) ?? [];
      return host === undefined ? { host: text } : { host, rtspPort: Number(port) };
    },
    format: ({ host, rtspPort }) => (rtspPort === undefined ? String(host) : `${host}:${rtspPort}`),
    channelList: "required",
  },
  check: async ({ channelList }) => void (await readChannelList(channelList)),
  discovery: SATIP_DISCOVERY,
  // Some servers hang if both ways to request PIDs meet on one multiplex.
  clash: ({ host, rtspPort, pids }, earlier) => {
    const first = earlier.find((other) => other.host === host && other.rtspPort === rtspPort);
    if (first === undefined || first.pids === pids) return undefined;
    return { key: "pids", message: `expected ${first.pids}, as tuner ${first.id} of the same server has it` };
  },
  keepsEventsWith: "With pids: listed, its event tables are kept.",
};

/** Wait for a first packet when a failure is explained. */
const EXPLAIN_MS = 3 * SECOND;
/** Wait for a PAT or PMT: time to lock to a satellite, then ten tables a second. */
const TABLES_MS = 8 * SECOND;
const DESCRIPTION_BYTES_MAX = 256 * 1024;

/** @throws RecorderdError FILE_UNREADABLE or CHANNEL_LIST_UNKNOWN for the channel list */
async function satipTuners(config: SatipTunerConfig, parts: OpenParts): Promise<readonly TunerDriver[]> {
  const { id, host, rtspPort } = config;
  let places = satipPlaces(config, await readChannelList(config.channelList), parts.scanned);
  const readList = async () => {
    places = satipPlaces(config, await readChannelList(config.channelList), parts.scanned);
  };
  const sourceOf = (service: Triplet) => satipSource(config, places, service);
  const offered = () => ({
    ids: places.services.keys(),
    services: places.services,
    example: places.example,
    ...places.facts,
  });
  const http = createHttpClient();
  const failure = (code: ErrorCode, what: string) =>
    new RecorderdError(code, `Tuner ${id}: ${what}.`, { tunerId: id });
  const late = () => failure("TUNER_UNREACHABLE", `${host} does not answer in time`);

  /** Number of multiplexes received at once. */
  let count = config.count ?? 1;

  async function lineup(outer: AbortSignal): Promise<Lineup> {
    return withDeadline(
      parts.clock,
      { ms: TUNE_LIMITS.answerMs, signal: outer, timeoutError: late },
      async (signal) => {
        await request("OPTIONS", signal);
        const tuners =
          config.description === undefined ? undefined : await tunersOf(new URL(config.description), signal);
        count = config.count ?? tuners ?? 1;
        return {
          ...offered(),
          sourceOf,
          ...(tuners === undefined ? {} : { tuners }),
        };
      },
    );
  }

  /** A request about the server as a whole, without a session. */
  async function request(method: "OPTIONS" | "DESCRIBE", signal: AbortSignal): Promise<RtspAnswer> {
    try {
      await using client = await connectRtsp({ host, port: rtspPort }, signal);
      const url = `rtsp://${inAddress(host)}:${rtspPort}/`;
      return await client.request({ method, url, headers: { Accept: "application/sdp" } }, signal);
    } catch {
      signal.throwIfAborted();
      throw failure("TUNER_UNREACHABLE", `no SAT>IP server answers at ${host}, port ${rtspPort}`);
    }
  }

  /** `DVBT-2,DVBS2-4`: the sum of the tuners. */
  async function tunersOf(url: URL, signal: AbortSignal): Promise<number | undefined> {
    const request = { method: "GET", url, headers: {}, bodyBytesMax: DESCRIPTION_BYTES_MAX } as const;
    const answer = await http.request(request, signal);
    const text = answer.kind === "answer" && answer.status === 200 ? answer.body.toString("utf8") : "";
    const capabilities = /X_SATIPCAP[^>]{0,200}>([^<]*)</.exec(text)?.[1] ?? "";
    const tuners = [...capabilities.matchAll(/-(\d+)/g)].reduce((sum, [, digits]) => sum + Number(digits), 0);
    return tuners === 0 ? undefined : Math.min(64, tuners);
  }

  async function inputs(outer: AbortSignal): Promise<readonly ServerInput[]> {
    return withDeadline(
      parts.clock,
      { ms: TUNE_LIMITS.answerMs, signal: outer, timeoutError: late },
      async (signal) => {
        const { status, body } = await request("DESCRIBE", signal);
        // 404: no stream is active.
        return status === 200 ? satipInputs(body, sourceOf) : [];
      },
    );
  }

  async function tryQuery(
    url: string,
    { ms, isEnough }: { readonly ms: DurationMs } & Pick<SatipRequest, "isEnough">,
    signal: AbortSignal,
  ): Promise<SatipOutcome> {
    const over = new AbortController();
    const ended = new AbortController();
    const patience = parts.clock.sleep(ms, AbortSignal.any([signal, ended.signal])).then(() => over.abort());
    patience.catch(() => {});
    const deadline = { ms: ms + TUNE_LIMITS.answerMs, signal, timeoutError: late };
    try {
      return await withDeadline(parts.clock, deadline, (both) =>
        trySatip(url, { patience: over.signal, ...(isEnough && { isEnough }) }, both),
      );
    } finally {
      ended.abort();
    }
  }

  /** Completes the PIDs of a channel list: the PMT's from the PAT, missing streams from the PMT. */
  async function completed(source: Source, service: Triplet, signal: AbortSignal): Promise<Source> {
    const { sid } = service;
    const [base = "", listed = ""] = source.url.split("&pids=");
    if (listed === "all" || isUnknownMultiplex(service)) return source;
    const pidsFrom = <T>(pids: string, read: (payload: Uint8Array) => T | undefined) =>
      readTables({ url: `${base}&pids=${pids}`, service, read }, signal);
    const pmtPid = await pidsFrom("0", (payload) => pmtPidIn(payload, sid));
    const named = listed.split(",").map(Number);
    const own =
      named.length > TABLE_PIDS.length
        ? []
        : await pidsFrom(`0,${pmtPid}`, (payload) => streamPidsIn(payload, { pmtPid, sid }));
    return { ...source, url: `${base}&pids=${[...new Set([...named, pmtPid, ...own])].join(",")}` };
  }

  /** Receives tables until `read` returns a value. */
  async function readTables<T>(
    {
      url,
      service,
      read,
    }: {
      readonly url: string;
      readonly service: Triplet;
      readonly read: (payload: Uint8Array) => T | undefined;
    },
    signal: AbortSignal,
  ): Promise<T> {
    const isEnough = (payload: Uint8Array) => read(payload) !== undefined;
    const outcome = await tryQuery(url, { ms: TABLES_MS, isEnough }, signal);
    const code = await meaningOf(outcome, service, signal);
    if (code !== undefined) throw failure(code, serverWords(code));
    const found = outcome.kind === "flows" ? read(outcome.payload) : undefined;
    if (found !== undefined) return found;
    throw failure("TUNER_SERVICE_UNKNOWN", `the multiplex does not name the service ${service.sid} there`);
  }

  async function whyNot(
    { url }: Source,
    signal: AbortSignal,
    service: Triplet,
  ): Promise<Refusal | undefined> {
    const code = await meaningOf(await tryQuery(url, { ms: EXPLAIN_MS }, signal), service, signal);
    return code === undefined ? undefined : { code };
  }

  /**
   * Some servers answer 200 without a free tuner and send nothing. Their other active streams distinguish that from missing
   * reception.
   */
  async function meaningOf(
    outcome: SatipOutcome,
    service: Triplet,
    signal: AbortSignal,
  ): Promise<ErrorCode | undefined> {
    if (outcome.kind !== "silent") return codeOf(outcome);
    const others = (await inputs(signal)).filter(({ isLocked, holds }) => isLocked && !holds(service));
    return others.length < count ? "TUNER_NO_LOCK" : "TUNER_IN_USE";
  }

  const learn = async (heard: Triplet, services: readonly KnownService[]) =>
    (await places.learn(heard, services)) ? offered() : undefined;
  const answers = (signal: AbortSignal) =>
    acceptsConnections({ host, port: rtspPort }, { clock: parts.clock, signal });
  const server = { tunerId: id, failure, answers, [Symbol.asyncDispose]: () => http.close() };
  const servicesAtOnce = config.sharesMultiplex ? Number.POSITIVE_INFINITY : 1;
  return serverTuners(
    { config, server, servicesAtOnce, lineup, readList, learn, completed, whyNot, inputs },
    parts,
  );
}

/**
 * SAT>IP 1.2 §3.5.12: 503 means that no tuner is free; some servers answer 404 to PLAY instead. 403 means forbidden, 400 an
 * impossible request. Tvheadend answers 405 to an unknown frequency.
 */
function codeOf(outcome: SatipOutcome): ErrorCode | undefined {
  switch (outcome.kind) {
    case "unreachable":
      return "TUNER_UNREACHABLE";
    case "silent":
      return "TUNER_NO_LOCK";
    case "flows":
      return undefined;
    case "refused":
      if (outcome.status === 401) return "TUNER_CREDENTIALS_WRONG";
      if (outcome.status === 400 || outcome.status === 405) return "TUNER_SERVICE_UNKNOWN";
      return outcome.status === 403 ? "TUNER_FORBIDDEN" : "TUNER_IN_USE";
  }
}

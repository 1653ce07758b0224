import { stat } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { portionsOf } from "../../../kit/files/steady-fs.ts";
import { unreadableFile } from "../../../kit/files/unreadable-file.ts";
import type { Log } from "../../../kit/log.ts";
import type { KnownService } from "../../../model/channel-match.ts";
import { type ErrorCode, RecorderdError } from "../../../model/errors.ts";
import type { TunerDriver, TunerSession } from "../../../model/ports.ts";
import { type Triplet, tripletKey } from "../../../model/service.ts";
import { SECOND } from "../../../model/time.ts";
import type { TunerFacts } from "../../../model/tuner.ts";
import { u8 } from "../../../mpeg-ts/bytes.ts";
import { PacketReader } from "../../../mpeg-ts/packet-reader.ts";
import { pidAt } from "../../../mpeg-ts/packets.ts";
import { StreamTables } from "../../../mpeg-ts/tables/stream-tables.ts";
import { TunerId, WarmUpMs } from "../config-parts.ts";
import { addressAt, type TunerKind } from "../kind.ts";

/** A transport stream file, played in a loop. */
const FileTunerConfig = z.strictObject({
  kind: z.literal("file"),
  id: TunerId,
  path: z
    .string()
    .regex(/^\//, "expected an absolute path")
    .describe(
      "A transport stream file. Each recording plays it from the beginning, in a loop, at its own speed.",
    ),
  warmUpMs: WarmUpMs.default(2 * SECOND),
});
type FileTunerConfig = z.infer<typeof FileTunerConfig>;

export const file: TunerKind<FileTunerConfig> = {
  kind: "file",
  name: "transport stream file",
  schema: FileTunerConfig,
  open: async (config, { log }) => {
    const tuner = new FileTuner(config);
    await tuner.readFirst(log);
    return [tuner];
  },
  sources: () => [{ scheme: "file", programme: "multi" }],
  hosts: () => [],
  address: addressAt("path", { label: "Path of the file", example: "/srv/example.ts" }),
  check: async ({ path }) => void (await servicesIn(path)),
  advice: {
    FILE_UNREADABLE:
      "Name a transport stream that the recorder's user may read: recorderd inspect FILE shows one.",
  },
};

class FileTuner implements TunerDriver {
  readonly #config: FileTunerConfig;
  #services: readonly KnownService[] = [];

  constructor(config: FileTunerConfig) {
    this.#config = config;
  }

  get facts(): TunerFacts {
    const { id, kind, warmUpMs } = this.#config;
    return {
      id,
      kind,
      warmUpMs,
      services: new Set(this.#services.map(({ triplet }) => tripletKey(triplet))),
      offers: this.#services,
      servicesAtOnce: () => Number.POSITIVE_INFINITY,
    };
  }

  /** Reads the file at the start. An unreadable file must not stop other tuners, so it offers nothing until `lookAgain` succeeds. */
  async readFirst(log: Log): Promise<void> {
    try {
      this.#services = await servicesIn(this.#config.path);
    } catch (error) {
      if (!(error instanceof RecorderdError)) throw error;
      const { code, message: text } = error;
      log.warn("the file of a tuner cannot be played", { tunerId: this.#config.id, code, text });
    }
  }

  /** @see TunerDriver.lookAgain */
  async lookAgain(): Promise<boolean> {
    const before = JSON.stringify(this.#services);
    this.#services = await servicesIn(this.#config.path);
    return JSON.stringify(this.#services) !== before;
  }

  async open(service: Triplet, signal: AbortSignal): Promise<TunerSession> {
    signal.throwIfAborted();
    const { path } = this.#config;
    const services = await servicesIn(path).catch((error: unknown) => {
      if (!(error instanceof RecorderdError)) throw error;
      throw this.#failure("TUNER_UNREACHABLE", error.message);
    });
    signal.throwIfAborted();
    const key = tripletKey(service);
    if (services.every(({ triplet }) => tripletKey(triplet) !== key)) {
      throw this.#failure("TUNER_SERVICE_UNKNOWN", `${path} has no service ${key}.`);
    }
    const source = { url: pathToFileURL(path).href, programme: "multi" } as const;
    return { source, async [Symbol.asyncDispose]() {} };
  }

  example(): Triplet | undefined {
    return this.#services[0]?.triplet;
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  #failure(code: ErrorCode, what: string): RecorderdError {
    const { id } = this.#config;
    return new RecorderdError(code, `Tuner ${id}: ${what}`, { tunerId: id });
  }
}

/** An SDT comes at least every two seconds (TR 101 211 §4.4); this is more data than the fastest multiplex sends in that time. */
const HEAD_BYTES_MAX = 32 * 1024 * 1024;
/** Placeholder for the original network if there is no SDT. */
const NO_NETWORK = 0;

/**
 * The services of a file's PAT, with names from its SDT.
 *
 * @throws RecorderdError FILE_UNREADABLE if it cannot be read, or names no service near its beginning
 */
async function servicesIn(path: string): Promise<readonly KnownService[]> {
  const tables = new StreamTables({ programmesChanged: () => {}, timePassed: () => {} });
  const reader = new PacketReader({
    packet: (bytes, at) => {
      const pid = pidAt(bytes, at);
      if (isReadable(bytes, at) && tables.pids.includes(pid)) tables.packet(pid, bytes, at);
    },
    release: () => {},
  });
  try {
    if (!(await stat(path)).isFile()) throw new Error("not a regular file");
    for await (const chunk of portionsOf(path, { end: HEAD_BYTES_MAX - 1 })) {
      reader.push(chunk);
      if (isComplete(tables)) break;
    }
  } catch (error) {
    throw unreadableFile(path, error);
  }
  reader.settle();
  const services = offersOf(tables);
  if (services.length > 0) return services;
  const text = `${path} is not a transport stream, or names no service near its beginning.`;
  throw new RecorderdError("FILE_UNREADABLE", text, { file: path });
}

/** Whether a packet is undamaged, clear, and has payload. */
function isReadable(packet: Uint8Array, at: number): boolean {
  return (u8(packet, at + 1) & 0x80) === 0 && (u8(packet, at + 3) & 0xd0) === 0x10;
}

/** Whether every service of the PAT has a name. */
function isComplete(tables: StreamTables): boolean {
  const offers = offersOf(tables);
  return offers.length > 0 && offers.every(({ name }) => name !== "");
}

function offersOf(tables: StreamTables): readonly KnownService[] {
  const { transportStreamId: tsid = 0, originalNetworkId: onid = NO_NETWORK, services } = tables;
  return services.flatMap(({ sid, pmtPid, name = "" }) =>
    pmtPid === undefined ? [] : [{ triplet: { onid, tsid, sid }, name }],
  );
}

import { resolve } from "node:path";
import { Command, InvalidArgumentError } from "commander";
import { systemClock, waitWithin } from "../../kit/time/clock.ts";
import { foreignPacketText } from "../../model/foreign-packets.ts";
import type { Inspection } from "../../model/inspection.ts";
import { parseTriplet, type Triplet } from "../../model/service.ts";
import { excerptDecoder } from "../../recorder/evidence/excerpt.ts";
import { type FileIntegrity, integrityOfFile } from "../../recorder/evidence/file-integrity.ts";
import { withoutHollowParts } from "../../recorder/evidence/hollow-parts.ts";
import { inspectWhole, type WholeInspection, type WholeOrder } from "../../recorder/evidence/whole-file.ts";
import { sizeOf } from "../../recorder/subsystems/library/removal.ts";
import type { CliIo } from "../io.ts";
import { progressOf } from "../progress.ts";
import { NETWORKS_OPTION, networksIn } from "../tuners/networks.ts";
import { describeInspection } from "./inspection-text.ts";

/** EX_DATAERR of sysexits.h: the file was read, and is no transport stream. */
const EXIT_NO_TRANSPORT_STREAM = 65;

/** Interval of progress updates. */
const LOOK_MS = 200;

export type InspectIo = Pick<CliIo, "print" | "exitCode"> &
  Partial<Pick<CliIo, "clock" | "signal" | "transient" | "columns">>;

interface InspectOptions {
  readonly config?: string;
  readonly json?: boolean;
  readonly service?: Triplet;
}

/**
 * `recorderd inspect FILE`: the content of a transport stream file.
 *
 * @throws RecorderdError FILE_UNREADABLE from `parseAsync`
 */
export function inspectCommand(io: InspectIo): Command {
  return new Command("inspect")
    .description("show what is in a transport stream file: services, events, errors, gaps")
    .argument("<file>", "the file to read; it may still grow")
    .option(
      "--service <onid/tsid/sid>",
      "follow the clock and count the payload of this service",
      readTriplet,
    )
    .option(...NETWORKS_OPTION)
    .option("--json", "print the full result as JSON")
    .action(async (file: string, options: InspectOptions) => {
      const networks = await networksIn(options.config);
      const { inspection: looked, digest } = await readThrough(
        file,
        { service: options.service, networks },
        io,
      );
      const { clock = systemClock(), signal = new AbortController().signal } = io;
      const decodesExcerpt = excerptDecoder({ ffmpegPath: "ffmpeg", clock });
      const found = await withoutHollowParts(looked, { file: resolve(file), decodesExcerpt }, signal);
      const integrity = integrityOfFile(found, digest);
      io.print(
        options.json === true
          ? JSON.stringify({ ...found, integrity }, undefined, 2)
          : describe(file, found, integrity),
      );
      if (found.packets === 0) io.exitCode(EXIT_NO_TRANSPORT_STREAM);
    });
}

async function readThrough(
  file: string,
  order: Pick<WholeOrder, "service" | "networks">,
  { clock, signal = new AbortController().signal, transient, columns }: InspectIo,
): Promise<WholeInspection> {
  let readBytes = 0;
  const onRead = (soFar: number) => {
    readBytes = soFar;
  };
  const bytes = await sizeOf(file);
  const reading = inspectWhole(file, { ...order, givesUp: true, onRead }, signal);
  if (clock === undefined || transient === undefined || bytes === undefined) return reading;
  const shown = columns === undefined ? {} : { columns };
  using progress = progressOf({ clock, transient, ...shown }, { label: "reading", bytes });
  const draw = async (over: AbortSignal) => {
    for (;;) {
      await clock.sleep(LOOK_MS, over);
      progress.set(readBytes);
    }
  };
  await waitWithin(signal, (over) => Promise.race([reading, draw(over)]));
  return reading;
}

function describe(file: string, found: Inspection, integrity: FileIntegrity): string {
  const { foreignPacketBytes, foreignContent } = found;
  if (foreignPacketBytes !== undefined) return `${file}: ${foreignPacketText(foreignPacketBytes)}`;
  if (found.packets === 0 && foreignContent !== undefined)
    return `${file}: not a transport stream, but ${foreignContent}`;
  if (found.packets === 0) return `${file}: not a transport stream (no packet found in ${found.bytes} bytes)`;
  return describeInspection(file, found, integrity);
}

function readTriplet(text: string): Triplet {
  const triplet = parseTriplet(text);
  if (triplet !== undefined) return triplet;
  throw new InvalidArgumentError(
    "Expected three numbers up to 65535: onid/tsid/sid, such as 318/18432/3401.",
  );
}

import { Command, InvalidArgumentError } from "commander";
import { inspecting } from "../inspect/file-inspection.ts";
import { type FileIntegrity, integrityOfFile } from "../inspect/file-integrity.ts";
import { waitWithin } from "../kit/clock.ts";
import { sizeOf } from "../library/removal.ts";
import { foreignPacketText } from "../model/foreign-packets.ts";
import type { Inspection } from "../model/inspection.ts";
import { parseTriplet, type Triplet } from "../model/service.ts";
import type { FileInspection } from "../ports.ts";
import { describeInspection } from "./inspection-text.ts";
import type { CliIo } from "./io.ts";
import { NETWORKS_OPTION, networksIn } from "./networks.ts";
import { progressOf } from "./progress.ts";

/** EX_DATAERR of sysexits.h: the file was read, and is no transport stream. */
const EXIT_NO_TRANSPORT_STREAM = 65;

/** How often it is looked how far the reading is. */
const LOOK_MS = 200;

export type InspectIo = Pick<CliIo, "print" | "exitCode"> &
  Partial<Pick<CliIo, "clock" | "signal" | "transient" | "columns">>;

interface InspectOptions {
  readonly config?: string;
  readonly json?: boolean;
  readonly service?: Triplet;
}

/**
 * `recorderd inspect FILE`: what is in a transport stream file.
 *
 * @throws RecorderdError FILE_UNREADABLE out of `parseAsync`
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
      const open = inspecting({ networks: await networksIn(options.config) });
      await using inspection = open(file, options.service);
      const found = await readThrough(inspection, file, io);
      const integrity = integrityOfFile(found, inspection.digest());
      io.print(
        options.json === true
          ? JSON.stringify({ ...found, integrity }, undefined, 2)
          : describe(file, found, integrity),
      );
      if (found.packets === 0) io.exitCode(EXIT_NO_TRANSPORT_STREAM);
    });
}

async function readThrough(
  inspection: FileInspection,
  file: string,
  { clock, signal = new AbortController().signal, transient, columns }: InspectIo,
): Promise<Inspection> {
  const reading = inspection.advance(signal);
  const bytes = await sizeOf(file);
  if (clock === undefined || transient === undefined || bytes === undefined) return reading;
  const shown = columns === undefined ? {} : { columns };
  using progress = progressOf({ clock, transient, ...shown }, { label: "reading", bytes });
  const draw = async (over: AbortSignal) => {
    for (;;) {
      await clock.sleep(LOOK_MS, over);
      progress.set(inspection.digest().bytes);
    }
  };
  await waitWithin(signal, (over) => Promise.race([reading, draw(over)]));
  return reading;
}

function describe(file: string, found: Inspection, integrity: FileIntegrity): string {
  const { foreignPacketBytes } = found;
  if (foreignPacketBytes !== undefined) return `${file}: ${foreignPacketText(foreignPacketBytes)}`;
  if (found.packets === 0) return `${file}: no transport stream (no packet found in ${found.bytes} bytes)`;
  return describeInspection(file, found, integrity);
}

function readTriplet(text: string): Triplet {
  const triplet = parseTriplet(text);
  if (triplet !== undefined) return triplet;
  throw new InvalidArgumentError("Expected three numbers up to 65535: onid/tsid/sid, as in 318/18432/3401.");
}

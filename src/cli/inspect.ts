import { Command, InvalidArgumentError } from "commander";
import { openInspection } from "../inspect/file-inspection.ts";
import { type FileIntegrity, integrityOfFile } from "../inspect/file-integrity.ts";
import type { Inspection } from "../model/inspection.ts";
import { parseTriplet, type Triplet } from "../model/service.ts";
import { describeInspection } from "./inspection-text.ts";

/** EX_DATAERR of sysexits.h: the file was read, and is no transport stream. */
const EXIT_NO_TRANSPORT_STREAM = 65;

export interface InspectIo {
  readonly print: (text: string) => void;
  readonly exitCode: (code: number) => void;
}

interface InspectOptions {
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
    .option("--json", "print the full result as JSON")
    .action(async (file: string, options: InspectOptions) => {
      await using inspection = openInspection(file, options.service);
      const found = await inspection.advance(new AbortController().signal);
      const integrity = integrityOfFile(found, inspection.digest());
      io.print(
        options.json === true
          ? JSON.stringify({ ...found, integrity }, undefined, 2)
          : describe(file, found, integrity),
      );
      if (found.packets === 0) io.exitCode(EXIT_NO_TRANSPORT_STREAM);
    });
}

function describe(file: string, found: Inspection, integrity: FileIntegrity): string {
  if (found.packets === 0) return `${file}: no transport stream (no packet found in ${found.bytes} bytes)`;
  return describeInspection(file, found, integrity);
}

function readTriplet(text: string): Triplet {
  const triplet = parseTriplet(text);
  if (triplet !== undefined) return triplet;
  throw new InvalidArgumentError("Expected three numbers up to 65535: onid/tsid/sid, as in 318/18432/3401.");
}

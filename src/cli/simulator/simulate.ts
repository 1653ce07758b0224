import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Command, InvalidArgumentError, Option } from "commander";
import type { WireFormat } from "../../guide-wire/codec.ts";
import { createLog, type LogLevel } from "../../kit/log.ts";
import { FLEET_FAULTS } from "../../simulator/fleet/fleet-faults.ts";
import { isWhole, type SimulationResult, simulate } from "../../simulator/simulate.ts";
import { FAULTS } from "../../simulator/weeks/script.ts";
import { usageError } from "../guide/guide-access.ts";
import type { CliIo } from "../io.ts";
import { type DaysFlags, simulatedDays } from "./simulate-days.ts";
import { faultsFrom } from "./wanted-faults.ts";

interface SimulateFlags extends Omit<DaysFlags, "days"> {
  readonly days?: number;
  readonly once: boolean;
  readonly data?: string;
  readonly seconds: number;
  readonly channels: number;
  readonly recordings: number;
  readonly wire: WireFormat;
  readonly web?: number;
  readonly log: LogLevel;
}

/** Options that would change nothing without `--days`. */
const WITH_DAYS = ["nodes", "repeats", "steps", "minutes"] as const;

export function simulateCommand(io: CliIo): Command {
  return new Command("simulate")
    .description("run a simulation: a guide service, a broadcaster and the recorder, all on this machine")
    .option(
      "--once",
      "end after the first round; exit 0 only if every recording is complete and verified",
      false,
    )
    .option("--json", "print only one JSON document, at the end (implies --once)", false)
    .option("--data <folder>", "folder for all files (default: a new temporary folder)")
    .option("--seconds <number>", "length of the event", numberFrom(1, 3600), 20)
    .option("--channels <number>", "number of channels, four to a multiplex", numberFrom(1, 64), 4)
    .option("--recordings <number>", "number of simultaneous recordings", numberFrom(1, 64), 1)
    .addOption(
      new Option("--wire <format>", "format between guide and recorder")
        .choices(["json", "xml"])
        .default("json"),
    )
    .option("--web <port>", "serve the dashboard and the API on this loopback port", numberFrom(0, 65_535))
    .addOption(
      new Option("--log <level>", "log of all parts, to standard error")
        .choices(["debug", "info", "warn", "error", "silent"])
        .default("warn"),
    )
    .option(
      "--days <number>",
      "instead, simulate this many days of a household on a virtual clock",
      numberFrom(1, 366),
    )
    .option("--seed <number>", "with --days: seed of the events", numberFrom(0, 2 ** 31 - 1), 1)
    .addOption(
      new Option("--faults <kinds>", `with --days: all, none, some of ${FAULTS.join(", ")}, or PLAN.yaml`)
        .argParser(faultsFrom)
        .default("all"),
    )
    .option(
      "--nodes <number>",
      `with --days: simulate a fleet of so many recorders, with other faults: ${FLEET_FAULTS.join(", ")}`,
      numberFrom(2, 16),
    )
    .addOption(
      new Option(
        "--repeats <how>",
        "with --days: what the recorder does with repeats of lost events",
      ).choices(["offer", "book"]),
    )
    .option("--steps <number>", "with --days: run only the first steps", numberFrom(0, 1_000_000))
    .option(
      "--minutes <number>",
      "with --days: run one seed after another, for this long",
      numberFrom(1, 60 * 24 * 7),
    )
    .action(({ days, ...flags }: SimulateFlags) => {
      if (days !== undefined) return simulatedDays({ ...flags, days }, io);
      for (const name of WITH_DAYS)
        if (flags[name] !== undefined) throw usageError(io, `--${name} needs --days`);
      return rounds(flags, io);
    });
}

/** Repeats rounds until asked to end; with --once or --json a single one. */
async function rounds(flags: Omit<SimulateFlags, "days">, io: CliIo): Promise<void> {
  const folder = flags.data === undefined ? await mkdtemp(join(tmpdir(), "recorderd-")) : resolve(flags.data);
  const { once, json, seconds, channels, recordings, wire, web } = flags;
  const progress = json ? () => {} : io.print;
  do {
    const result = await simulate(
      { folder, seconds, channels, recordings, wire, ...(web === undefined ? {} : { web }) },
      { clock: io.clock, log: createLog(flags.log), signal: io.signal, progress },
    );
    // An interrupted run has shown nothing, so it is no success.
    if (result === undefined) {
      progress(`stopped         recordings are in ${join(folder, "recordings")}`);
      return io.exitCode(once || json ? 1 : 0);
    }
    io.exitCode(isWhole(result) ? 0 : 1);
    if (json) io.print(JSON.stringify(result, null, 2));
    else for (const line of files(result)) io.print(line);
  } while (!once && !json);
}

function files({ recordings }: SimulationResult): readonly string[] {
  return recordings.map(({ name, file, state }) => file ?? `“${name}” ${state}: no file`);
}

function numberFrom(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < min || value > max) {
      throw new InvalidArgumentError(`expected a whole number from ${min} to ${max}`);
    }
    return value;
  };
}

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command, Option } from "commander";
import { createLog } from "../../kit/log.ts";
import { startBroadcaster } from "../../simulator/broadcaster/broadcaster.ts";
import { type Clip, loadClip } from "../../simulator/broadcaster/clip.ts";
import { demoAir } from "../../simulator/demo-air.ts";
import { type ListedAir, listedAir } from "../../simulator/listed-air.ts";
import { usageError } from "../guide/guide-access.ts";
import { wholeNumber } from "../guide/guide-values.ts";
import type { CliIo } from "../io.ts";

interface Flags {
  readonly xmltv?: string;
  readonly demo?: boolean;
  readonly seed: number;
  readonly channels: number;
  readonly port: number;
  readonly clips?: string;
}

/**
 * `recorderd broadcaster`: runs only the simulator's tuners, until asked to end.
 *
 * @throws RecorderdError from `parseAsync`: ADDRESS_IN_USE, FILE_UNREADABLE, LISTING_MALFORMED
 */
export function broadcasterCommand(io: CliIo): Command {
  return new Command("broadcaster")
    .description(
      "broadcast the channels of a listing, or of `guide-server --demo`, to tuners of kind mock, to try a recorder without an aerial",
    )
    .option("--xmltv <file>", "listing with the channels and the events for their event tables")
    .addOption(
      new Option(
        "--demo",
        "the invented channels and programmes of `guide-server --demo`, instead of a listing",
      ).conflicts("xmltv"),
    )
    .option("--seed <number>", "with --demo: the guide server's seed", wholeNumber(0, 2 ** 31), 1)
    .option(
      "--channels <number>",
      "with --demo: the guide server's number of channels",
      wholeNumber(1, 100),
      8,
    )
    .option("--port <number>", "port to listen on; 0: the system chooses", wholeNumber(0, 65_535), 8090)
    .option(
      "--clips <folder>",
      "keep the generated picture in this folder (default: generate it in each run)",
    )
    .action(async ({ port, clips, ...flags }: Flags) => {
      const { clock, signal } = io;
      const air = await airOf(io, flags);
      const clip = await clipIn(clips, signal);
      const parts = { clip, clock, log: createLog("warn") };
      await using broadcaster = await startBroadcaster({ ...air, ...parts, port });
      io.print(broadcaster.baseUrl);
      io.note(`${air.services.length} channels are on the air, until Ctrl-C`);
      await new Promise<void>((resolve) => {
        if (signal.aborted) resolve();
        else signal.addEventListener("abort", () => resolve(), { once: true });
      });
    });
}

async function airOf(
  io: CliIo,
  { xmltv, demo, seed, channels }: Omit<Flags, "port" | "clips">,
): Promise<ListedAir> {
  if (demo === true) return demoAir({ seed, now: io.clock.now(), channels });
  if (xmltv === undefined) throw usageError(io, "choose what to broadcast: --xmltv FILE or --demo");
  return await listedAir(xmltv);
}

async function clipIn(kept: string | undefined, signal: AbortSignal): Promise<Clip> {
  if (kept !== undefined) return loadClip({ folder: kept, signal });
  const folder = await mkdtemp(join(tmpdir(), "recorderd-clip-"));
  try {
    return await loadClip({ folder, signal });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

import { homedir } from "node:os";
import { Command, InvalidArgumentError } from "commander";
import type { GuideServerAdmin } from "../../guide-server/admin.ts";
import { type Country, countryOfCode } from "../../guide-server/domain/countries.ts";
import { readChannelTable } from "../../guide-server/xmltv/channel-table.ts";
import type { ChannelTable } from "../../guide-server/xmltv/channels.ts";
import { checkListing } from "../../guide-server/xmltv/check.ts";
import { type ListingOutcome, type ListingPlace, mayPass } from "../../guide-server/xmltv/listings.ts";
import { type ListingSource, parseSource } from "../../guide-server/xmltv/source.ts";
import { whyNothing } from "../../guide-server/xmltv/why-nothing.ts";
import { plainText } from "../../kit/files/plain-file.ts";
import { createHttpClient } from "../../kit/http/http.ts";
import { systemZone } from "../../kit/machine/machine.ts";
import { waitUntil, waitWithin } from "../../kit/time/clock.ts";
import { parseSchedule, type Schedule } from "../../kit/time/cron.ts";
import { TIME_LIMITS } from "../../kit/time/limits.ts";
import { RecorderdError } from "../../model/errors.ts";
import { doublingPauseMs, type EpochMs, HOUR, MINUTE, SECOND } from "../../model/time.ts";
import { withoutUndefined } from "../../model/without-undefined.ts";
import type { CliIo } from "../io.ts";
import { plainJson, plainLine } from "../plain-text.ts";

/** EX_DATAERR of sysexits.h. */
const EXIT_LISTING_BAD = 65;
const PATH = "/usr/local/bin:/usr/bin:/bin";
const DEFAULT_SCHEDULE = "15 */4 * * *";
/** A larger file is no table of channels. */
const TABLE_BYTES_MAX = 16 * 1024 * 1024;
/** One of several servers that start to read listings within this time reads them. */
const LISTINGS_APART_MS = 30 * SECOND;
/** After a failure a listing is read again before its time: the network was not up yet, or the file was just being written. */
const LISTING_RETRIES = { firstMs: 5 * MINUTE, maxMs: 4 * HOUR } as const;

export interface ListingOptions {
  readonly xmltv?: readonly ListingSource[];
  readonly xmltvSchedule?: Schedule;
  readonly xmltvChannels?: string;
  readonly city?: string;
  readonly state?: string;
  readonly country?: Country;
}

/** Adds the options for listings as the guide server's programme source. */
export function withListingOptions(command: Command): Command {
  return command
    .option(
      "--xmltv <source>",
      "read programmes from an XMLTV listing: a file, an http(s) address, or command:PROGRAM ARGUMENTS; repeat for several, the best first",
      source,
    )
    .option(
      "--xmltv-schedule <cron>",
      `when to read listings again, in the system's time zone (default: "${DEFAULT_SCHEDULE}")`,
      schedule,
    )
    .option(
      "--xmltv-channels <file>",
      "file that maps channels of listings to channels of the guide, one per line",
    )
    .option("--city <name>", "city of the region in a guide made from listings (default: the time zone's)")
    .option("--state <name>", "state of the region (default: the city)")
    .option("--country <code>", "country of the region, by ISO 3166-1 (default: the time zone's)", country);
}

function country(code: string): Country {
  const found = countryOfCode(code);
  if (found !== undefined) return found;
  throw new InvalidArgumentError("Expected an ISO 3166-1 code, such as DE or DEU.");
}

function placeOf({ city, state, country }: ListingOptions): ListingPlace {
  return {
    ...withoutUndefined({ city, state }),
    ...(country === undefined ? {} : { country: country.name, country_code_3: country.code3 }),
  };
}

function source(text: string, before: readonly ListingSource[] = []): readonly ListingSource[] {
  const parsed = parseSource(text);
  if (parsed !== undefined) return [...before, parsed];
  throw new InvalidArgumentError("Expected a file, an http(s) address, or command:PROGRAM ARGUMENTS.");
}

function schedule(text: string): Schedule {
  try {
    return parseSchedule(text, systemZone());
  } catch (error) {
    if (!(error instanceof RecorderdError)) throw error;
    throw new InvalidArgumentError(error.message);
  }
}

/** @throws RecorderdError FILE_UNREADABLE, CONFIG_INVALID naming the line */
export async function channelTableOf({ xmltvChannels: file }: ListingOptions): Promise<ChannelTable> {
  if (file === undefined) return new Map();
  const text = await plainText(file, TABLE_BYTES_MAX);
  const { table, mistakes } = readChannelTable(text);
  const [first] = mistakes;
  if (first === undefined) return table;
  throw new RecorderdError(
    "CONFIG_INVALID",
    `${file}, line ${first.line}: expected ID = ONID/TSID/SID, lcn N, channel N, name NAME or ignore.`,
    { file, line: first.line },
  );
}

/** Reads the listings at once and then on schedule, after a failure earlier, until asked to end. */
export async function keepListings(
  inside: GuideServerAdmin,
  options: ListingOptions & { readonly data: string },
  {
    io: { clock, signal },
    table,
  }: { readonly io: Pick<CliIo, "clock" | "signal">; readonly table: ChannelTable },
): Promise<void> {
  const { xmltv: sources = [], xmltvSchedule = schedule(DEFAULT_SCHEDULE), data } = options;
  if (sources.length === 0) return;
  await using http = createHttpClient();
  const env = { PATH, HOME: homedir(), LANG: "C.UTF-8" };
  const fetching = { http, clock, folder: data, env, signal };
  const order = { sources, table, fetching, place: placeOf(options) };
  let [failures, isRetry] = [0, false];
  for (let isWoken = false; !signal.aborted; ) {
    let outcomes: readonly ListingOutcome[] = [];
    const read = async () => {
      outcomes = await inside.readListings({ ...order, isRetry });
    };
    const isOurs: boolean | undefined = await inside
      .once("listings", LISTINGS_APART_MS, read)
      .catch(unlessEnding(signal));
    failures = outcomes.some(mayPass) ? failures + 1 : 0;
    const now = clock.now();
    const scheduledAt = xmltvSchedule.next(now);
    const retryAt = failures === 0 ? scheduledAt : now + doublingPauseMs(failures, LISTING_RETRIES);
    // Another server may have read them just before a person changed a mapping.
    const at: EpochMs =
      isOurs === false && isWoken ? now + LISTINGS_APART_MS : Math.min(scheduledAt, retryAt);
    await waitWithin(signal, (over) =>
      Promise.race([
        inside.mappingsChanged.wait(over),
        waitUntil(clock, at, { sliceMs: TIME_LIMITS.waitSliceMs, signal: over }).catch(() => {}),
      ]),
    );
    isWoken = clock.now() < at;
    isRetry = !isWoken && at === retryAt && at < scheduledAt;
  }
}

function unlessEnding(signal: AbortSignal): (error: unknown) => undefined {
  return (error) => {
    if (!signal.aborted) throw error;
    return undefined;
  };
}

/** `recorderd check-xmltv FILE` @throws RecorderdError FILE_UNREADABLE from `parseAsync` */
export function checkXmltvCommand(io: CliIo): Command {
  return new Command("check-xmltv")
    .description("list, line by line, where a listing differs from the XMLTV format; changes nothing")
    .argument("<file>", "the listing, plain or compressed with gzip, xz, bzip2, zstd, brotli or zip")
    .option("--json", "print the complaints as one JSON document", false)
    .action(async (file: string, { json }: { readonly json: boolean }) => {
      const said: object[] = [];
      let isWhole = true;
      const found = await checkListing(file, (complaint) => {
        const { line, reason, leftOut, isGuess } = complaint;
        isWhole &&= !leftOut;
        const what = leftOut ? " (left out)" : isGuess ? " (a guess)" : "";
        if (json) said.push(complaint);
        else io.print(plainLine(`${file}:${line}: ${reason}${what}`));
      });
      const { channels, programmes, complaints, flaw } = found;
      isWhole &&= flaw === undefined;
      const nothing = isWhole ? whyNothing(found, io.clock.now()) : undefined;
      if (complaints > 0 || flaw !== undefined) io.exitCode(EXIT_LISTING_BAD);
      if (json) return io.print(plainJson({ ...found, said }));
      if (flaw !== undefined) io.print(plainLine(`${file}:${flaw.line}: ${flaw.reason} (not read)`));
      if (nothing !== undefined) io.note(plainLine(`${file}: ${nothing}`));
      io.note(`${channels} channels, ${programmes} programmes, ${complaints} complaints`);
    });
}

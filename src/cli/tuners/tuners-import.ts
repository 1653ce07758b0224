import { basename, dirname, join, resolve } from "node:path";
import { Command, InvalidArgumentError } from "commander";
import { guideAccount } from "../../guide-wire/account.ts";
import { DurableFile } from "../../kit/files/durable-file.ts";
import { makeNamedFolder } from "../../kit/files/make-folder.ts";
import { type Channel, tripletKey } from "../../model/service.ts";
import { loadConfig } from "../../recorder/config/load.ts";
import type { ListedService, ListMistake } from "../../recorder/tune/channel-lists/list.ts";
import { readChannelList } from "../../recorder/tune/channel-lists/read.ts";
import { writtenList } from "../../recorder/tune/channel-lists/written.ts";
import { completeTriplet, type MatchResult, matchChannels, withTriplets } from "../../recorder/tune/match.ts";
import { withGuide } from "../guide/guide-access.ts";
import type { CliIo } from "../io.ts";
import { plainJson, plainLine } from "../plain-text.ts";
import { tableText } from "../table.ts";

/** EX_DATAERR of sysexits.h: the list has no usable entry. */
const EXIT_NO_SERVICES = 65;
const MISTAKES_SHOWN = 20;

interface ImportOptions {
  readonly config?: string;
  readonly name?: string;
  readonly out?: string;
  readonly check: boolean;
  readonly json: boolean;
}

/**
 * `recorderd tuners import FILE`: reads a channel list, matches it with the guide's channels, and stores it for the drivers.
 */
export function tunersImportCommand(io: CliIo): Command {
  return new Command("import")
    .description("read a channel list, match it with the guide's channels, and store it for the tuners")
    .argument(
      "<file>",
      "enigma2 lamedb or bouquet, VDR or zap channels.conf (w_scan), dvbv5 file, M3U, PLS or XSPF list",
    )
    .option(
      "--config <file>",
      "configuration that names the guide service and the data folder, which receives the list",
    )
    .option("--name <name>", "name of the stored list (default: the name of the file)", listName)
    .option("--out <file>", "write the list to this file instead")
    .option("--check", "show the content of the list, without writing it", false)
    .option("--json", "print one JSON document", false)
    .action(async (file: string, options: ImportOptions) => {
      const list = await readChannelList(file);
      if (!options.json) sayMistakes(io, file, list.mistakes);
      if (list.services.length === 0) io.exitCode(EXIT_NO_SERVICES);
      const matching = matchChannels(await channelsOf(io, options), list.services);
      const services = withTriplets(list.services, matching.matches);
      const written = list.services.length === 0 ? undefined : await write(services, file, options);
      io.print(
        options.json
          ? plainJson({
              ...summary(list.format, services, list.mistakes),
              ...matchingJson(matching),
              written,
            })
          : [
              headline({ file, format: list.format, services, mistakes: list.mistakes }),
              ...(options.config === undefined ? [] : [matchingText(matching, io.columns)]),
              ...(written === undefined ? [] : [`wrote ${written}: ${useOf(services)}`]),
            ].join("\n"),
      );
    });
}

async function channelsOf(io: CliIo, { config }: ImportOptions): Promise<readonly Channel[]> {
  if (config === undefined) return [];
  let channels: readonly Channel[] = [];
  await withGuide(io, { config }, async ({ client, place }) => {
    channels = await guideAccount(client, { regionId: place.regionId ?? 0 }).channels(io.signal);
  });
  return channels;
}

/** @throws RecorderdError DISK_FULL or WRITE_FAILED */
async function write(
  services: readonly ListedService[],
  file: string,
  { config, name, out, check }: ImportOptions,
): Promise<string | undefined> {
  if (check || (config === undefined && out === undefined)) return undefined;
  const target = out === undefined ? await placeIn(config ?? "", name ?? basename(file)) : resolve(out);
  await makeNamedFolder(dirname(target), 0o750);
  // Readable by us alone: stream addresses may hold a provider's secrets.
  await new DurableFile({ file: target, mode: 0o600, keepsPrevious: false }).replace(writtenList(services));
  return target;
}

async function placeIn(config: string, name: string): Promise<string> {
  const { data } = await loadConfig(config);
  // Short enough for the archive of a backup, and not hidden.
  return join(data.folder, "channel-lists", `${name.replace(/[^\w.-]|^\./g, "_").slice(0, 64)}.json`);
}

function listName(text: string): string {
  if (/^\w[\w.-]{0,63}$/.test(text)) return text;
  throw new InvalidArgumentError("Expected letters, digits, dots, dashes and underscores.");
}

function sayMistakes(io: CliIo, file: string, mistakes: readonly ListMistake[]): void {
  for (const { line, text } of mistakes.slice(0, MISTAKES_SHOWN))
    io.note(plainLine(`${file}:${line}: ${text}`));
  if (mistakes.length > MISTAKES_SHOWN)
    io.note(`… and ${mistakes.length - MISTAKES_SHOWN} more lines that are not used`);
}

/** Tuners with a channel list tune by it; a list of addresses has nothing to tune to. */
function useOf(services: readonly ListedService[]): string {
  return services.some(({ tuning, namespace }) => tuning !== undefined || namespace !== undefined)
    ? "set it as channelList of a tuner"
    : "it has addresses only: set it as channelList of a tuner of the kind url";
}

function summary(format: string, services: readonly ListedService[], mistakes: readonly ListMistake[]) {
  const whole = services.filter(({ ids }) => completeTriplet(ids) !== undefined).length;
  return { format, services: services.length, withTriplet: whole, mistakes };
}

function headline({
  file,
  format,
  services,
  mistakes,
}: {
  readonly file: string;
  readonly format: string;
  readonly services: readonly ListedService[];
  readonly mistakes: readonly ListMistake[];
}): string {
  const { withTriplet } = summary(format, services, mistakes);
  const unread = mistakes.length === 0 ? "all lines read" : `${mistakes.length} lines not used`;
  return plainLine(
    `${file} (${format}): ${services.length} services, ${withTriplet} with a whole triplet; ${unread}`,
  );
}

function matchingJson({ matches, unmatched }: MatchResult) {
  return {
    matches: matches.map(({ channel, service, by }) => ({
      channel: channel.id,
      name: channel.name,
      by,
      service,
    })),
    unmatched: unmatched.map(({ channel, why }) => ({ channel: channel.id, name: channel.name, why })),
  };
}

function matchingText({ matches, unmatched }: MatchResult, columns: number | undefined): string {
  const rows = [
    ...matches.map(({ channel, service, by }) => [channel.name, `by ${by}`, service.name, idsText(service)]),
    ...unmatched.map(({ channel, why }) => [channel.name, "NOT FOUND", why, ""]),
  ];
  return tableText({ head: ["CHANNEL", "FOUND", "SERVICE", "IDS"], rows }, columns);
}

function idsText({ ids }: ListedService): string {
  const triplet = completeTriplet(ids);
  if (triplet !== undefined) return tripletKey(triplet);
  return [ids.onid, ids.tsid, ids.sid].map((id) => id ?? "?").join("/");
}

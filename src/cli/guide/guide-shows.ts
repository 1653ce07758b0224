import type { Command } from "commander";
import type { Document } from "../../guide-wire/documents.ts";
import type { Show } from "../../guide-wire/records.ts";
import type { GuideAnswer } from "../../guide-wire/requests.ts";
import { type EpochMs, formatDuration, parseWireInstant, SECOND } from "../../model/time.ts";
import type { CliIo } from "../io.ts";
import { type GuideOptions, guideLeaf, withGuide } from "./guide-access.ts";
import { listText, localTime, printAnswer } from "./guide-output.ts";
import { filled, numberId } from "./guide-values.ts";

interface ShowsOptions extends GuideOptions {
  readonly channel?: number;
  readonly series?: string;
  readonly title?: string;
}

/** Finds the id for `timers add --show`, from a series of `popular` or `new-shows` or from a title. */
export function showsCommand(io: CliIo): Command {
  return guideLeaf("shows", "list current and upcoming shows by start time")
    .option("--channel <id>", "only this channel (default: all channels of the account's region)", numberId)
    .option("--series <id>", "only this series, from the lists `popular` and `new-shows`", filled)
    .option("--title <text>", "only shows with this text in the title, ignoring case", filled)
    .action((options: ShowsOptions) =>
      withGuide(io, options, async ({ client, place }) => {
        const channelIds = options.channel === undefined ? [] : [options.channel];
        const answer = await client.shows({ channelIds, hideTimers: true }, io.signal);
        const wanted = withShows(answer, chosen(answer.value.shows, options, io.clock.now()));
        printAnswer(io, { answer: wanted, options }, (value) =>
          listText(io, showTable(value, place.timeZone)),
        );
      }),
    );
}

function withShows(answer: GuideAnswer<"shows">, shows: readonly Show[]): GuideAnswer<"shows"> {
  return { ...answer, value: { ...answer.value, shows } };
}

/** Services also publish past shows, which cannot be booked. */
function chosen(shows: readonly Show[], { series, title }: ShowsOptions, now: EpochMs): readonly Show[] {
  const sought = title?.toLowerCase();
  return shows
    .filter((show) => show.deleted_record !== 1 && (stopOf(show) ?? now + 1) > now)
    .filter((show) => series === undefined || show.series_id === series)
    .filter((show) => sought === undefined || show.title.toLowerCase().includes(sought))
    .sort((a, b) => (startOf(a) ?? 0) - (startOf(b) ?? 0) || a.id - b.id);
}

function startOf({ start, start_unix }: Show): EpochMs | undefined {
  return parseWireInstant(start) ?? inMs(start_unix);
}

function stopOf({ stop, stop_unix }: Show): EpochMs | undefined {
  return parseWireInstant(stop) ?? inMs(stop_unix);
}

function inMs(seconds: number | undefined): EpochMs | undefined {
  return seconds === undefined ? undefined : seconds * SECOND;
}

function showTable({ shows, channels }: Document<"shows">, timeZone: string) {
  const names = new Map(channels.map(({ id, name }) => [id, name]));
  return {
    head: ["id", `start (${timeZone})`, "length", "channel", "title"],
    rows: shows.map((show) => [
      String(show.id),
      localTime(show.start, timeZone),
      lengthOf(show),
      `${show.channel_id} ${names.get(show.channel_id) ?? ""}`.trimEnd(),
      show.subtitle === undefined || show.subtitle === "" ? show.title : `${show.title}: ${show.subtitle}`,
    ]),
  };
}

function lengthOf(show: Show): string {
  const [start, stop] = [startOf(show), stopOf(show)];
  return start === undefined || stop === undefined ? "" : formatDuration(stop - start);
}

import { Command, InvalidArgumentError, Option } from "commander";
import {
  type Keyword,
  plainText,
  RECORDING_QUALITIES,
  type SeriesRecording,
} from "../../guide-wire/records.ts";
import { seriesChannels } from "../../guide-wire/series-channels.ts";
import { withoutUndefined } from "../../model/without-undefined.ts";
import type { CliIo } from "../io.ts";
import { type GuideOptions, guideLeaf, usageError, withGuide, withOrders } from "./guide-access.ts";
import { changedText, listText, printAnswer, printDone } from "./guide-output.ts";
import { noteUnreceived } from "./guide-unreceived.ts";
import { filled, numberId } from "./guide-values.ts";

/** Series that the guide service books episode by episode. */
export function seriesCommand(io: CliIo): Command {
  return new Command("series")
    .description("series that the guide service has recorded, every episode once")
    .addCommand(listCommand(io))
    .addCommand(searchCommand(io))
    .addCommand(addCommand(io))
    .addCommand(setCommand(io))
    .addCommand(removeCommand(io))
    .addCommand(favouritesCommand(io));
}

/** Keywords: every show with the words in its title is booked. */
export function keywordsCommand(io: CliIo): Command {
  return new Command("keywords")
    .description("words: the guide service has whatever has them in its title recorded, every episode once")
    .addCommand(listKeywordsCommand(io))
    .addCommand(addKeywordCommand(io))
    .addCommand(setKeywordCommand(io))
    .addCommand(removeKeywordCommand(io));
}

interface AiringOptions extends GuideOptions {
  readonly device?: number;
  readonly channel?: number | "any";
  readonly at?: number | "any";
  readonly quality?: string;
}

function withAirings(command: Command): Command {
  return command
    .option("--device <id>", "which recorder is to do it (default: the configuration's)", numberId)
    .option("--channel <id>", "only from this channel, or any", channelOrAny)
    .option(
      "--at <time>",
      "only what begins within half an hour of this time of day, as 20:15, or any",
      timeOrAny,
    )
    .addOption(
      new Option("--quality <words>", "from which of several channels").choices([...RECORDING_QUALITIES]),
    );
}

function channelOrAny(text: string): number | "any" {
  return text === "any" ? text : numberId(text);
}

function timeOrAny(text: string): number | "any" {
  if (text === "any") return text;
  const [, hours, minutes] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  if (hours !== undefined && minutes !== undefined) return Number(hours) * 60 + Number(minutes);
  throw new InvalidArgumentError("Expected a time of day, as 20:15, or any.");
}

const ANY = -1;
const wire = (value: number | "any") => (value === "any" ? ANY : value);

function airingsOf({ channel, at, quality }: AiringOptions) {
  return {
    ...(channel === undefined ? {} : { channel_id: wire(channel) }),
    ...(at === undefined ? {} : { start_minutes: wire(at) }),
    ...(quality === undefined ? {} : { recording_quality: quality }),
  };
}

/** @throws CommanderError when no change is given */
function changeOf(io: CliIo, options: AiringOptions & { readonly words?: string }) {
  const { device, words } = options;
  const change = {
    ...airingsOf(options),
    ...withoutUndefined({ device_id: device, keyword: words }),
  };
  if (Object.keys(change).length > 0) return change;
  throw usageError(io, "nothing to change: give --channel, --at, --quality or --device");
}

function deviceOf(io: CliIo, options: AiringOptions, configured: number | undefined): number {
  const device = options.device ?? configured;
  if (device === undefined) throw usageError(io, "say which recorder is to do it: --device ID");
  return device;
}

const AIRING_HEAD = ["channel", "at", "quality", "device"];

function airingCells({
  channel_id = ANY,
  start_minutes = ANY,
  recording_quality = "",
  device_id,
}: SeriesRecording | Keyword): readonly string[] {
  const two = (number: number) => String(number).padStart(2, "0");
  const at = start_minutes < 0 ? "any" : `${two(Math.floor(start_minutes / 60))}:${two(start_minutes % 60)}`;
  return [channel_id > 0 ? String(channel_id) : "any", at, recording_quality, String(device_id)];
}

function listCommand(io: CliIo): Command {
  return guideLeaf("list", "list the series that are recorded").action((options: GuideOptions) =>
    withGuide(io, options, async ({ client }) => {
      const answer = await client.series.recordings(io.signal);
      printAnswer(io, { answer, options }, ({ series_recordings }) =>
        listText(io, {
          head: ["id", "title", "series", ...AIRING_HEAD],
          rows: series_recordings.map((one) => [
            String(one.id),
            one.name ?? "",
            one.series_id,
            ...airingCells(one),
          ]),
        }),
      );
    }),
  );
}

function searchCommand(io: CliIo): Command {
  return guideLeaf("search", "look for series of the guide")
    .argument("<words...>", "words of the title, all of them")
    .action((words: readonly string[], options: GuideOptions) =>
      withGuide(io, options, async ({ client }) => {
        const answer = await client.series.list(words.join(" "), io.signal);
        printAnswer(io, { answer, options }, ({ series_info }) =>
          listText(io, {
            head: ["series", "title", "episodes"],
            rows: series_info.map(({ id, title = "", episode_count }) => [
              id,
              plainText(title),
              String(episode_count ?? ""),
            ]),
          }),
        );
      }),
    );
}

function addCommand(io: CliIo): Command {
  const command = guideLeaf("add", "have every episode of a series recorded")
    .argument("<series>", "its identifier: recorderd series search says it", filled)
    .option("--only-show <id>", "only the episode of this show, whenever it is on the air", numberId);
  return withAirings(command).action((series: string, options: AiringOptions & { onlyShow?: number }) =>
    withOrders(io, options, async ({ client, place }) => {
      const order = {
        series_id: series,
        device_id: deviceOf(io, options, place.deviceId),
        ...airingsOf(options),
        ...(options.onlyShow === undefined ? {} : { show_id: options.onlyShow }),
      };
      const answer = await client.series.addRecording(order, io.signal);
      printAnswer(io, { answer, options }, (value) => changedText(io, value.series_recordings, "added"));
      if (place.controlSocket === undefined) return;
      for (const one of answer.value.series_recordings) {
        const channelIds = await seriesChannels(one, client, io.signal);
        await noteUnreceived(io, { channelIds, deviceId: one.device_id, place });
      }
    }),
  );
}

function setCommand(io: CliIo): Command {
  const command = guideLeaf("set", "change how a series is recorded").argument("<id>", ID_WORDS, numberId);
  return withAirings(command).action((id: number, options: AiringOptions) => {
    const change = changeOf(io, options);
    return withOrders(io, options, async ({ client }) => {
      const answer = await client.series.setRecording(id, change, io.signal);
      printAnswer(io, { answer, options }, (value) => changedText(io, value.series_recordings, "changed"));
    });
  });
}

const ID_WORDS = "its identifier: list says it";

function removeCommand(io: CliIo): Command {
  return guideLeaf("remove", "withdraw a series recording with its timers; what was recorded stays")
    .argument("<id>", ID_WORDS, numberId)
    .action((id: number, options: GuideOptions) =>
      withOrders(io, options, async ({ client }) => {
        await client.series.deleteRecording(id, io.signal);
        printDone(io, options, `series recording ${id}: withdrawn`);
      }),
    );
}

function favouritesCommand(io: CliIo): Command {
  return guideLeaf("favourites", "list the favourites, or change them; nothing is recorded for them")
    .addOption(new Option("--add <series>", "add this series").conflicts("remove"))
    .option("--remove <series>", "take this series from them")
    .action((options: GuideOptions & { readonly add?: string; readonly remove?: string }) =>
      withGuide(io, options, async ({ client }) => {
        if (options.remove !== undefined) await client.series.deleteFavourite(options.remove, io.signal);
        if (options.add !== undefined) await client.series.addFavourite(options.add, io.signal);
        const answer = await client.series.favourites(io.signal);
        printAnswer(io, { answer, options }, ({ favourites }) =>
          listText(io, {
            head: ["series", "title"],
            rows: favourites.map(({ series_id, name = "" }) => [series_id, name]),
          }),
        );
      }),
    );
}

function listKeywordsCommand(io: CliIo): Command {
  return guideLeaf("list", "list them").action((options: GuideOptions) =>
    withGuide(io, options, async ({ client }) => {
      const answer = await client.series.keywords(io.signal);
      printAnswer(io, { answer, options }, ({ keywords }) =>
        listText(io, {
          head: ["id", "words", ...AIRING_HEAD],
          rows: keywords.map((one) => [String(one.id), one.keyword, ...airingCells(one)]),
        }),
      );
    }),
  );
}

function addKeywordCommand(io: CliIo): Command {
  const command = guideLeaf("add", "have whatever has these words in its title recorded").argument(
    "<words...>",
    "words of the title, all of them",
  );
  return withAirings(command).action((words: readonly string[], options: AiringOptions) =>
    withOrders(io, options, async ({ client, place }) => {
      const device_id = deviceOf(io, options, place.deviceId);
      const order = { keyword: words.join(" "), device_id, ...airingsOf(options) };
      const answer = await client.series.addKeyword(order, io.signal);
      printAnswer(io, { answer, options }, (value) => changedText(io, value.keywords, "added"));
    }),
  );
}

function setKeywordCommand(io: CliIo): Command {
  const command = guideLeaf("set", "change one of them")
    .argument("<id>", ID_WORDS, numberId)
    .option("--words <text>", "other words", filled);
  return withAirings(command).action((id: number, options: AiringOptions & { readonly words?: string }) => {
    const change = changeOf(io, options);
    return withOrders(io, options, async ({ client }) => {
      const answer = await client.series.setKeyword(id, change, io.signal);
      printAnswer(io, { answer, options }, (value) => changedText(io, value.keywords, "changed"));
    });
  });
}

function removeKeywordCommand(io: CliIo): Command {
  return guideLeaf("remove", "withdraw one of them with its timers; what was recorded stays")
    .argument("<id>", ID_WORDS, numberId)
    .action((id: number, options: GuideOptions) =>
      withOrders(io, options, async ({ client }) => {
        await client.series.deleteKeyword(id, io.signal);
        printDone(io, options, `keyword ${id}: withdrawn`);
      }),
    );
}

import { Command, InvalidArgumentError, Option } from "commander";
import { plainText } from "../../guide-wire/records.ts";
import { seriesChannels } from "../../guide-wire/series-channels.ts";
import type { Keyword, SeriesRecording } from "../../guide-wire/series-records.ts";
import { RecorderdError } from "../../model/errors.ts";
import { QUALITIES } from "../../model/rule.ts";
import { withoutUndefined } from "../../model/without-undefined.ts";
import type { CliIo } from "../io.ts";
import {
  type GuideOptions,
  guideLeaf,
  orderDevice,
  usageError,
  withGuide,
  withOrders,
} from "./guide-access.ts";
import { changedText, listText, printAnswer, printDone } from "./guide-output.ts";
import { noteUnreceived } from "./guide-unreceived.ts";
import { filled, numberId } from "./guide-values.ts";

/** Series that the guide service books episode by episode. */
export function seriesCommand(io: CliIo): Command {
  return new Command("series")
    .description("manage series recordings: the guide service books every episode once")
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
    .description(
      "manage keywords: the guide service books every show with these words in its title, every episode once",
    )
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
    .option("--device <id>", "recorder to use (default: the configuration's)", numberId)
    .option("--channel <id>", "record only from this channel, or any", channelOrAny)
    .option(
      "--at <time>",
      "record only shows that start within half an hour of this time of day, such as 20:15, or any",
      timeOrAny,
    )
    .addOption(
      new Option("--quality <words>", "preferred quality, if several channels broadcast a show").choices([
        ...QUALITIES,
      ]),
    );
}

function channelOrAny(text: string): number | "any" {
  return text === "any" ? text : numberId(text);
}

function timeOrAny(text: string): number | "any" {
  if (text === "any") return text;
  const [, hours, minutes] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  if (hours !== undefined && minutes !== undefined) return Number(hours) * 60 + Number(minutes);
  throw new InvalidArgumentError("Expected a time of day, such as 20:15, or any.");
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
  return guideLeaf("list", "list series recordings").action((options: GuideOptions) =>
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
  return guideLeaf("search", "search the guide for series")
    .argument("<words...>", "words, all of which must be in the title")
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
  const command = guideLeaf("add", "record every episode of a series")
    .argument("<series>", "id of the series, from recorderd series search", filled)
    .option("--only-show <id>", "record only the episode of this show, at any broadcast of it", numberId);
  return withAirings(command).action((series: string, options: AiringOptions & { onlyShow?: number }) =>
    withOrders(io, options, async ({ client, place }) => {
      const order = {
        series_id: series,
        device_id: await orderDevice(io, { client, place }, options.device),
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

/** A service takes any id for deleted, also one that was mistyped. */
function mustHave(
  records: readonly { readonly id: number }[],
  { id, what }: { readonly id: number; readonly what: string },
): void {
  if (!records.some((record) => record.id === id))
    throw new RecorderdError("GUIDE_NOT_FOUND", `There is no ${what} ${id}.`);
}

const ID_WORDS = "id of the series recording, from `list`";
const KEYWORD_ID_WORDS = "id of the keyword, from `list`";

function removeCommand(io: CliIo): Command {
  return guideLeaf("remove", "remove a series recording and its timers; finished recordings stay")
    .argument("<id>", ID_WORDS, numberId)
    .action((id: number, options: GuideOptions) =>
      withOrders(io, options, async ({ client }) => {
        const { value } = await client.series.recordings(io.signal);
        mustHave(value.series_recordings, { id, what: "series recording" });
        await client.series.deleteRecording(id, io.signal);
        printDone(io, options, `series recording ${id}: removed`);
      }),
    );
}

function favouritesCommand(io: CliIo): Command {
  return guideLeaf("favourites", "list or change the favourites; a favourite alone records nothing")
    .addOption(new Option("--add <series>", "add this series").conflicts("remove"))
    .option("--remove <series>", "remove this series")
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
  return guideLeaf("list", "list keywords").action((options: GuideOptions) =>
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
  const command = guideLeaf("add", "record every show with these words in its title").argument(
    "<words...>",
    "words, all of which must be in the title",
  );
  return withAirings(command).action((words: readonly string[], options: AiringOptions) =>
    withOrders(io, options, async ({ client, place }) => {
      const device_id = await orderDevice(io, { client, place }, options.device);
      const order = { keyword: words.join(" "), device_id, ...airingsOf(options) };
      const answer = await client.series.addKeyword(order, io.signal);
      printAnswer(io, { answer, options }, (value) => changedText(io, value.keywords, "added"));
    }),
  );
}

function setKeywordCommand(io: CliIo): Command {
  const command = guideLeaf("set", "change a keyword")
    .argument("<id>", KEYWORD_ID_WORDS, numberId)
    .option("--words <text>", "new words", filled);
  return withAirings(command).action((id: number, options: AiringOptions & { readonly words?: string }) => {
    const change = changeOf(io, options);
    return withOrders(io, options, async ({ client }) => {
      const answer = await client.series.setKeyword(id, change, io.signal);
      printAnswer(io, { answer, options }, (value) => changedText(io, value.keywords, "changed"));
    });
  });
}

function removeKeywordCommand(io: CliIo): Command {
  return guideLeaf("remove", "remove a keyword and its timers; finished recordings stay")
    .argument("<id>", KEYWORD_ID_WORDS, numberId)
    .action((id: number, options: GuideOptions) =>
      withOrders(io, options, async ({ client }) => {
        const { value } = await client.series.keywords(io.signal);
        mustHave(value.keywords, { id, what: "keyword" });
        await client.series.deleteKeyword(id, io.signal);
        printDone(io, options, `keyword ${id}: removed`);
      }),
    );
}

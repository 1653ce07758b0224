import { type Command, InvalidArgumentError } from "commander";
import type { Document } from "../../guide-wire/documents.ts";
import { type Channel, plainText, type SeriesSummary } from "../../guide-wire/records.ts";
import type { CliIo } from "../io.ts";
import { type GuideOptions, guideLeaf, withGuide } from "./guide-access.ts";
import { listText, printAnswer, recordsText, requireOne } from "./guide-output.ts";
import { filled, numberId } from "./guide-values.ts";

/** The service's published lists; `popular` and `new-shows` need a sign-in. */
export function listCommands(io: CliIo): readonly Command[] {
  return [
    regionsCommand(io),
    regionCommand(io),
    channelsCommand(io),
    manufacturersCommand(io),
    deviceTypesCommand(io),
    popularCommand(io),
    newShowsCommand(io),
  ];
}

function regionsCommand(io: CliIo): Command {
  return guideLeaf("regions", "list the regions of the guide").action((options: GuideOptions) =>
    withGuide(io, options, async ({ client }) => {
      const answer = await client.regions(io.signal);
      printAnswer(io, { answer, options }, ({ regions }) =>
        listText(io, {
          head: ["id", "name", "city", "state", "country", "time zone"],
          rows: regions.map(({ id, name, city = "", state = "", country = "", timezone = "" }) => [
            String(id),
            ...[name, city, state, country, timezone],
          ]),
        }),
      );
    }),
  );
}

function regionCommand(io: CliIo): Command {
  return guideLeaf("region", "show one region")
    .argument("<id>", "id of the region", numberId)
    .action((id: number, options: GuideOptions) =>
      withGuide(io, options, async ({ client }) => {
        const answer = await client.region(id, io.signal);
        requireOne(answer, answer.value.regions, `region ${id}`);
        printAnswer(io, { answer, options }, ({ regions }) => recordsText(io, regions));
      }),
    );
}

function channelsCommand(io: CliIo): Command {
  return guideLeaf("channels", "list the channels of a region")
    .argument(
      "[region]",
      "id of the region, or all (default: the configuration's region, or all)",
      regionOrAll,
    )
    .action((region: number | "all" | undefined, options: GuideOptions) =>
      withGuide(io, options, async ({ client, place }) => {
        const wanted = region ?? place.regionId ?? "all";
        const answer =
          wanted === "all"
            ? await client.channels(io.signal)
            : await client.regionChannels(wanted, io.signal);
        printAnswer(io, { answer, options }, ({ channels }) => listText(io, channelTable(channels)));
      }),
    );
}

function regionOrAll(text: string): number | "all" {
  if (text === "all") return text;
  try {
    return numberId(text);
  } catch {
    throw new InvalidArgumentError("Expected the numeric id of a region, or all.");
  }
}

function channelTable(channels: readonly Channel[]) {
  return {
    head: ["id", "number", "name", "HD", "hidden", "region", "network", "triplets"],
    rows: channels.map(
      ({ id, lcns = "", name, is_hd, is_hidden, region_name, region_id, network_name = "", dvb = [] }) => [
        String(id),
        lcns,
        name,
        is_hd === 1 ? "HD" : "",
        is_hidden === 1 ? "hidden" : "",
        region_name ?? String(region_id ?? ""),
        network_name,
        dvb.map((one) => `${one.original_network_id}/${one.transport_stream_id}/${one.service_id}`).join(" "),
      ],
    ),
  };
}

function manufacturersCommand(io: CliIo): Command {
  return guideLeaf("manufacturers", "list manufacturers of recording devices, or show one")
    .argument("[id]", "id of the manufacturer", filled)
    .action((id: string | undefined, options: GuideOptions) =>
      withGuide(io, options, async ({ client }) => {
        const answer =
          id === undefined ? await client.manufacturers(io.signal) : await client.manufacturer(id, io.signal);
        if (id !== undefined) requireOne(answer, answer.value.manufacturers, `manufacturer ${id}`);
        printAnswer(io, { answer, options }, ({ manufacturers }) =>
          id === undefined
            ? listText(io, {
                head: ["id", "name", "address"],
                rows: manufacturers.map((one) => [one.id, one.name, one.url ?? ""]),
              })
            : recordsText(io, manufacturers),
        );
      }),
    );
}

function deviceTypesCommand(io: CliIo): Command {
  return guideLeaf("device-types", "list the types of recording devices").action((options: GuideOptions) =>
    withGuide(io, options, async ({ client }) => {
      const answer = await client.deviceTypes(io.signal);
      printAnswer(io, { answer, options }, ({ types }) =>
        listText(io, {
          head: ["id", "model", "manufacturer", "notes"],
          rows: types.map(({ id, model = "", manufacturer_name = "", notes = "" }) => [
            String(id),
            ...[model, manufacturer_name, notes],
          ]),
        }),
      );
    }),
  );
}

function popularCommand(io: CliIo): Command {
  return guideLeaf("popular", "list the most popular series").action((options: GuideOptions) =>
    withGuide(io, options, async ({ client }) => {
      const answer = await client.mostPopular(io.signal);
      printAnswer(io, { answer, options }, (value) => listText(io, popularTable(value)));
    }),
  );
}

function popularTable({ series_info, most_popular }: Document<"popular">) {
  const titles = titlesOf(series_info);
  return {
    head: ["place", "series", "title", "votes", "ratio"],
    rows: most_popular.map(({ series_id, num_votes, popularity_ratio }, index) => [
      String(index + 1),
      series_id,
      titles.get(series_id) ?? "",
      String(num_votes),
      popularity_ratio.toFixed(2),
    ]),
  };
}

function newShowsCommand(io: CliIo): Command {
  return guideLeaf("new-shows", "list new series and when they begin").action((options: GuideOptions) =>
    withGuide(io, options, async ({ client }) => {
      const answer = await client.newShows(io.signal);
      printAnswer(io, { answer, options }, ({ series_info, new_shows }) => {
        const titles = titlesOf(series_info);
        return listText(io, {
          head: ["series", "title", "begins", "channel"],
          rows: new_shows.map(({ series_id, start_date, channel_id = 0 }) => [
            series_id,
            titles.get(series_id) ?? "",
            start_date,
            channel_id === 0 ? "" : String(channel_id),
          ]),
        });
      });
    }),
  );
}

/** Some series lack the summary or its title. */
function titlesOf(summaries: readonly SeriesSummary[]): ReadonlyMap<string, string> {
  return new Map(summaries.map(({ id, title = "" }) => [id, plainText(title)]));
}

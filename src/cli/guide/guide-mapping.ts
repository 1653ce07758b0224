import type { Command } from "commander";
import { z } from "zod";
import { createHttpClient } from "../../kit/http/http.ts";
import { parseJson } from "../../kit/text/parse-json.ts";
import { withDeadline } from "../../kit/time/clock.ts";
import { RecorderdError } from "../../model/errors.ts";
import { SECOND } from "../../model/time.ts";
import { trustOf } from "../../recorder/config/authorities.ts";
import { readSecretsFile } from "../../recorder/config/secrets.ts";
import type { CliIo } from "../io.ts";
import { plainJson, plainLine } from "../plain-text.ts";
import { tableText } from "../table.ts";
import { type GuideOptions, type GuidePlace, guideLeaf, placeOf, usageError } from "./guide-access.ts";

interface MappingOptions extends GuideOptions {
  readonly missing?: boolean;
  readonly set?: string;
  readonly unset?: string;
}

const ANSWER_MS = 30 * SECOND;
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;

const Channels = z.object({
  channels: z.array(z.object({ id: z.number(), name: z.string(), triplets: z.array(z.string()) })),
  listed: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      by: z.string(),
      channelId: z.number().optional(),
      note: z.string().optional(),
      isPending: z.boolean(),
    }),
  ),
});
const Said = z.object({ message: z.string() });

/** `recorderd guide mapping`: maps channels of listings to channels of the guide, on a recorderd guide server. */
export function mappingCommand(io: CliIo): Command {
  return guideLeaf(
    "mapping",
    "show which listing channel feeds which guide channel, and what is not matched; needs recorderd's own guide server",
  )
    .option("--missing", "show only channels without a match")
    .option(
      "--set <mapping>",
      "map a channel of a listing: 'ID = ONID/TSID/SID', lcn N, channel N, name NAME or ignore",
    )
    .option("--unset <id>", "match a channel of a listing automatically again")
    .action(async (options: MappingOptions) => {
      const place = await placeOf(io, options);
      const { set, unset } = options;
      if (set !== undefined || unset !== undefined) {
        const [, id = "", target] = /^(.+?)\s*=\s*(.+)$/.exec(set ?? `${unset} = null`) ?? [];
        if (id === "") throw usageError(io, "--set needs ID = TARGET, such as 'c4.example = lcn 4'");
        const body = { target: unset === undefined ? target : null };
        await ask(io, place, { method: "PUT", path: `v1/channels/mappings/${encodeURIComponent(id)}`, body });
        return io.print(
          options.json === true ? "null" : plainLine(`${id}: set; the server reads the listings again`),
        );
      }
      const told = Channels.parse(await ask(io, place, { method: "GET", path: "v1/channels" }));
      const fed = new Set(told.listed.map(({ channelId }) => channelId));
      const tuned = new Set(told.channels.filter(({ triplets }) => triplets.length > 0).map(({ id }) => id));
      const listed = told.listed.filter(
        ({ channelId }) => options.missing !== true || channelId === undefined || !tuned.has(channelId),
      );
      const unfed = told.channels.filter(({ id }) => !fed.has(id));
      if (options.json === true) return io.print(plainJson({ listed, unfed }));
      const names = new Map(told.channels.map((one) => [one.id, one]));
      const rows = listed.map(({ id, name, by, channelId, note = "", isPending }) => {
        const channel = channelId === undefined ? undefined : names.get(channelId);
        const is = channel === undefined ? "" : `${channel.id} ${channel.name}`;
        const how = isPending ? "to be read again" : by;
        return [id, name, how, is, channel?.triplets.join(" ") ?? "", note];
      });
      const head = ["in the listing", "name", "found by", "channel", "triplets", "note"];
      io.print(tableText({ head, rows }, io.columns));
      if (unfed.length === 0) return;
      io.print(`\nWithout a listing:`);
      const unfedRows = unfed.map(({ id, name, triplets }) => [String(id), name, triplets.join(" ")]);
      io.print(tableText({ head: ["id", "name", "triplets"], rows: unfedRows }, io.columns));
    });
}

/** Asks as the account signed in with `recorderd login`. */
async function ask(
  { clock, signal: outer }: CliIo,
  { url, secretsPath, caFile }: GuidePlace,
  { method, path, body }: { readonly method: "GET" | "PUT"; readonly path: string; readonly body?: object },
): Promise<unknown> {
  const secrets = secretsPath === undefined ? undefined : await readSecretsFile(secretsPath);
  const token = secrets?.account?.token;
  if (token === undefined) {
    throw new RecorderdError("GUIDE_SIGN_IN_NEEDED", "Nobody is signed in: run recorderd login EMAIL.");
  }
  await using http = createHttpClient(await trustOf(caFile));
  const timeoutError = () => new RecorderdError("GUIDE_TIMEOUT", "The guide server does not answer.");
  const answer = await withDeadline(clock, { ms: ANSWER_MS, signal: outer, timeoutError }, (signal) =>
    http.request(
      {
        method,
        url: new URL(path, url.endsWith("/") ? url : `${url}/`),
        headers: {
          accept: "application/json",
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: Buffer.from(JSON.stringify(body)) }),
        bodyBytesMax: ANSWER_BYTES_MAX,
      },
      signal,
    ),
  );
  if (answer.kind === "failed") {
    throw new RecorderdError("GUIDE_UNREACHABLE", `The guide server cannot be reached (${answer.cause}).`);
  }
  const value = parseJson(answer.body.toString("utf8"));
  if (answer.status === 200) return value;
  const message = Said.safeParse(value).data?.message ?? `The guide server answered ${answer.status}.`;
  if (answer.status === 401) throw new RecorderdError("GUIDE_SIGN_IN_NEEDED", message);
  if (answer.status === 403) throw new RecorderdError("GUIDE_FORBIDDEN", message);
  if (answer.status === 404 && Said.safeParse(value).data === undefined) {
    const text = "That service has no such page: it is not recorderd's guide server, or an older version.";
    throw new RecorderdError("GUIDE_NOT_FOUND", text);
  }
  throw new RecorderdError("GUIDE_NOT_ACCEPTABLE", message);
}

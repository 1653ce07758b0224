import { z } from "zod";
import { parseJson } from "../../../kit/text/parse-json.ts";
import { type ChannelList, defined, ListBuilder, type ListedService } from "./list.ts";

/*
 * The list that `recorderd tuners import` writes: JSON, one service per line with all known data, its triplet first. All other
 * formats are converted to it after the guide's channels have been matched.
 */

const Id = z.int().min(0).max(0xffff);
const Words = z.string().max(200);

const WrittenTuning = z.strictObject({
  system: z.enum(["DVB-T", "DVB-T2", "DVB-C", "DVB-S", "DVB-S2", "ATSC", "ISDB-T", "ISDB-S", "DTMB"]),
  frequencyHz: z.int().min(1),
  bandwidthHz: z.int().min(1).optional(),
  symbolRate: z.int().min(1).optional(),
  modulation: Words.optional(),
  polarization: z.enum(["H", "V", "L", "R"]).optional(),
  orbit: z.int().min(-1800).max(1800).optional(),
  fec: Words.optional(),
  fecLow: Words.optional(),
  transmissionMode: Words.optional(),
  guardInterval: Words.optional(),
  hierarchy: Words.optional(),
  inversion: z.boolean().optional(),
  rollOff: z.int().min(0).max(100).optional(),
  pilot: z.boolean().optional(),
  streamId: z.int().min(0).max(255).optional(),
});

const WrittenService = z.strictObject({
  name: z.string(),
  ids: z.strictObject({ onid: Id.optional(), tsid: Id.optional(), sid: Id.optional() }),
  shortName: z.string().optional(),
  provider: z.string().optional(),
  lcn: z.int().min(0).optional(),
  serviceType: z.int().min(0).max(255).optional(),
  tuning: WrittenTuning.optional(),
  pids: z.array(z.int().min(0).max(0x1fff)).max(256).optional(),
  caIds: z.array(Id).max(256).optional(),
  namespace: z.int().min(0).max(0xffffffff).optional(),
  url: z.url().optional(),
  headers: z.record(Words, Words).optional(),
  group: z.string().optional(),
});

const WrittenList = z.object({ format: z.literal("recorderd"), services: z.array(z.unknown()) });

export function parseWritten(text: string): ChannelList {
  const builder = new ListBuilder();
  const list = WrittenList.safeParse(parseJson(text));
  if (!list.success) builder.mistake(1, 'expected {"format": "recorderd", "services": […]} as JSON');
  for (const [index, each] of (list.data?.services ?? []).entries()) {
    const service = WrittenService.safeParse(each);
    if (service.success) {
      builder.add(defined<ListedService>({ ...service.data, line: index + 2 } as ListedService));
      continue;
    }
    const places = service.error.issues.map(({ path }) => path.join(".") || "the entry");
    builder.mistake(index + 2, `the service has invalid fields (${[...new Set(places)].join(", ")})`);
  }
  return builder.list("recorderd");
}

/** One service per line, so that line numbers and diffs are useful. */
export function writtenList(services: readonly ListedService[]): string {
  const lines = services.map(({ line: _, ...service }) => JSON.stringify(service));
  return `{"format":"recorderd","services":[\n${lines.join(",\n")}\n]}\n`;
}

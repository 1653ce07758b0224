import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { z } from "zod";
import type { TunerDriver } from "../../../model/ports.ts";
import { SECOND } from "../../../model/time.ts";
import { readChannelList } from "../channel-lists/read.ts";
import { ChannelListFile, TunerId, WarmUpMs } from "../config-parts.ts";
import { dvbPlaces } from "../dvb-places.ts";
import { DvbTuner } from "../dvb-tuner.ts";
import { dvblast } from "../dvblast.ts";
import type { OpenParts, PresentDevice, TunerKind } from "../kind.ts";
import { TUNE_LIMITS } from "../limits.ts";
import { type LoopbackGroups, loopbackGroups } from "../loopback-group.ts";

const Satellite = z.strictObject({
  orbit: z.number().min(-180).max(180).describe("Degrees east: 19.2; west is negative."),
  diseqc: z
    .union([z.literal([1, 2, 3, 4]), z.enum(["A", "B"])])
    .optional()
    .describe("Position of a DiSEqC 1.0 switch, 1 to 4, or tone burst A or B."),
  uncommitted: z
    .int()
    .min(1)
    .max(16)
    .optional()
    .describe("Position of a DiSEqC 1.1 switch before it, 1 to 16."),
});

/** A DVB card or stick of this machine, or a stream that carries a whole multiplex; dvblast tunes and splits it. */
const DvbTunerConfig = z.strictObject({
  kind: z.literal("dvb"),
  id: TunerId,
  adapter: z.int().min(0).max(255).default(0).describe("/dev/dvb/adapterN"),
  frontend: z.int().min(0).max(15).default(0).describe("/dev/dvb/adapterN/frontendM"),
  stream: z
    .string()
    .regex(
      /^(udp|rtp):\/\/(\[[\da-f:]+\]|[\w.-]+):\d{1,5}$/i,
      "expected an address with a port, such as udp://239.1.2.3:5004",
    )
    .optional()
    .describe("Instead of a card: the address at which a whole multiplex arrives."),
  channelList: ChannelListFile,
  systems: z
    .array(z.enum(["DVB-T", "DVB-T2", "DVB-C", "DVB-S", "DVB-S2", "ATSC", "ISDB-T"]))
    .min(1)
    .optional()
    .describe("Services of the list that the card receives; without it, all."),
  satellites: z
    .array(Satellite)
    .max(16)
    .default([])
    .describe("The satellites of the dish; without them, every satellite of the list, without a switch."),
  lnb: z.enum(["universal", "old-sky"]).default("universal"),
  warmUpMs: WarmUpMs.default(8 * SECOND),
});
type DvbTunerConfig = z.infer<typeof DvbTunerConfig>;

export const dvb: TunerKind<DvbTunerConfig> = {
  kind: "dvb",
  name: "DVB card of the recorder's machine",
  schema: DvbTunerConfig,
  open: dvbTuners,
  sources: () => [{ scheme: "udp", programme: "single" }],
  hosts: () => [],
  address: {
    label: "Number of the card",
    example: "0",
    parse: (text) => ({ adapter: Number(text) }),
    format: ({ adapter, stream }) => String(stream ?? `/dev/dvb/adapter${adapter ?? 0}`),
    channelList: "required",
  },
  check: async ({ channelList }) => void (await readChannelList(channelList)),
  present: cardsHere,
  program: {
    command: "dvblast",
    purpose: "tunes DVB cards",
    install: "Install it (on Debian: apt install dvblast).",
  },
  card: ({ adapter, frontend, stream }) => (stream === undefined ? { adapter, frontend } : undefined),
};

async function cardsHere(): Promise<readonly PresentDevice[]> {
  const names = await readdir("/dev/dvb").catch(() => []);
  return names.sort().flatMap((name) => {
    const address = /^adapter(\d+)$/.exec(name)?.[1];
    return address === undefined ? [] : [{ text: `DVB card /dev/dvb/${name}`, address }];
  });
}

const CARD_PORT = 20_000;
const STREAM_PORT = 21_000;
const STREAM_PORTS = 9000;

/** @throws RecorderdError FILE_UNREADABLE or CHANNEL_LIST_UNKNOWN for the channel list */
async function dvbTuners(
  config: DvbTunerConfig,
  { clock, folder, scanned, limits = TUNE_LIMITS }: OpenParts,
): Promise<readonly TunerDriver[]> {
  const readPlaces = async () => dvbPlaces(config, await readChannelList(config.channelList), scanned);
  const places = await readPlaces();
  const groups = groupsOf(config, folder);
  const blast = dvblast({ tunerId: config.id, folder, groups, clock, limits });
  return [new DvbTuner({ config, places, readPlaces, groups, blast, clock, limits })];
}

/** A card has one tuner process on the machine; each configured stream has its own. */
function groupsOf({ id, adapter, frontend, stream }: DvbTunerConfig, folder: string): LoopbackGroups {
  if (stream === undefined) return loopbackGroups({ octet: adapter, port: CARD_PORT + frontend });
  const hash = createHash("sha256").update(`${folder}/${id}`).digest();
  return loopbackGroups({
    octet: hash.readUInt8(4),
    port: STREAM_PORT + (hash.readUInt32BE(0) % STREAM_PORTS),
  });
}

import { readdir } from "node:fs/promises";
import type { Clock } from "../../kit/time/clock.ts";
import type { SetupOffer } from "../../model/setup.ts";
import { SECOND } from "../../model/time.ts";
import { pathText } from "../config/mistakes.ts";
import { readChannelList } from "../tune/channel-lists/read.ts";
import { discoverServers } from "../tune/discover.ts";
import { TunerConfig } from "../tune/registry.ts";
import { noAnswer } from "./refusal.ts";

const LISTEN_MS = 4 * SECOND;

/** Cards of this machine, and servers that answer on its networks. */
export async function offers({
  clock,
  signal,
}: {
  readonly clock: Clock;
  readonly signal: AbortSignal;
}): Promise<readonly SetupOffer[]> {
  const [cards, servers] = await Promise.all([
    readdir("/dev/dvb").catch(() => []),
    discoverServers({ clock, forMs: LISTEN_MS }, signal),
  ]);
  return [
    ...cards.sort().flatMap((name) => {
      const adapter = /^adapter(\d+)$/.exec(name)?.[1];
      return adapter === undefined
        ? []
        : [{ text: `DVB card /dev/dvb/${name}`, kind: "dvb", place: adapter, wantsList: true }];
    }),
    ...servers.map(({ kind, address, name }) => ({
      text: `${kind} ${address} ${name}`.trim(),
      kind,
      place: kind === "satip" ? new URL(address).hostname : address,
      wantsList: kind === "satip",
    })),
  ];
}

/** A tuner as a person names it. */
export interface TunerWords {
  readonly kind: string;
  readonly place: string;
  readonly channelList?: string | undefined;
}

/** One entry of the configuration, as it will be written. */
export type TunerEntry = Readonly<Record<string, unknown>> & { readonly id: string; readonly kind: string };

/** @throws RecorderdError CONFIG_INVALID where that is no tuner, or its channel list cannot be read */
export async function tunerOf(
  words: TunerWords | object,
  before: readonly TunerEntry[],
): Promise<TunerEntry> {
  const entry = isWords(words)
    ? { kind: words.kind, id: freeId(words.kind, before), ...placeOf(words) }
    : words;
  const parsed = TunerConfig.safeParse(entry);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where =
      issue === undefined ? "" : `${pathText(issue.path).replace("the file", "tuner")}: ${issue.message}`;
    throw noAnswer(`That is no tuner (${where}): docs/tuners.md.`);
  }
  if ("channelList" in parsed.data && parsed.data.channelList !== undefined) {
    await readChannelList(parsed.data.channelList).catch((error: unknown) => {
      throw noAnswer(`${error instanceof Error ? error.message : error}`);
    });
  }
  const { id, kind } = parsed.data;
  return { ...entry, id, kind };
}

function isWords(words: TunerWords | object): words is TunerWords {
  return "place" in words;
}

function freeId(kind: string, before: readonly TunerEntry[]): string {
  for (let number = before.length + 1; ; number += 1) {
    const id = `${kind}${number}`;
    if (before.every((tuner) => tuner.id !== id)) return id;
  }
}

function placeOf({ kind, place, channelList = "" }: TunerWords): object {
  const list = channelList === "" ? {} : { channelList };
  if (kind === "satip") return { ...hostOf(place), ...list };
  if (kind === "dvb") return { adapter: Number(place), ...list };
  if (kind === "mock") return { broadcaster: place };
  return { address: place, ...list };
}

/** `192.0.2.9`, or `192.0.2.9:8554` where its port is another one than RTSP's own. */
function hostOf(place: string): object {
  const [, host, port] = /^([^:]+):(\d{1,5})$/.exec(place) ?? [];
  return host === undefined ? { host: place } : { host, rtspPort: Number(port) };
}

/** Where it is, as a person named it. */
export function placeText(entry: TunerEntry): string {
  const { host, rtspPort, adapter, broadcaster, address } = entry;
  return String(
    (rtspPort === undefined ? host : `${host}:${rtspPort}`) ??
      broadcaster ??
      address ??
      (adapter === undefined ? "" : `/dev/dvb/adapter${adapter}`),
  );
}

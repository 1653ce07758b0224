import { readdir } from "node:fs/promises";
import { pathText } from "../config/mistakes.ts";
import { SECOND } from "../model/time.ts";
import { readChannelList } from "../tune/channel-lists/read.ts";
import { discoverServers } from "../tune/discover.ts";
import { TunerConfig } from "../tune/registry.ts";
import { type Interview, noAnswer } from "./interview.ts";
import type { CliIo } from "./io.ts";
import { plainLine } from "./plain-text.ts";

const LISTEN_MS = 4 * SECOND;

interface Options {
  /** As --tuner has them. */
  readonly given: readonly string[];
  readonly discover: boolean;
}

/** The tuners that are named by options, else those that a person chooses of what is there, or names. */
export async function askTuners(
  io: CliIo,
  interview: Interview,
  { given, discover }: Options,
): Promise<readonly object[]> {
  const chosen: object[] = [];
  for (const text of given) {
    const named = { question: "Tuner", option: "--tuner", given: text };
    chosen.push(await interview.about({ ...named, read: (typed) => tunerOf(typed, chosen) }));
  }
  if (chosen.length > 0) return chosen;
  const found = discover ? await offers(io) : [];
  for (const [at, { text }] of found.entries()) io.note(`  ${at + 1}  ${plainLine(text)}`);
  io.note(
    `A tuner is ${found.length === 0 ? "" : "one of these numbers, or "}KIND PLACE [CHANNEL LIST], such as:\n` +
      "  hdhomerun http://192.0.2.5    tvheadend http://192.0.2.6:9981    enigma2 http://192.0.2.8\n" +
      "  satip 192.0.2.9 /etc/recorderd/channels.conf    dvb 0 /etc/recorderd/channels.conf    mirakurun http://192.0.2.7:40772\n" +
      "A table of addresses (kind url) is written into the configuration by hand: docs/tuners.md.",
  );
  for (;;) {
    const next = await interview.about({
      question: chosen.length === 0 ? "Tuner" : "Another tuner (Enter: no more)",
      option: "--tuner",
      ...(chosen.length === 0 ? {} : { fallback: "" }),
      read: async (text) => {
        if (text === "") return undefined;
        const offer = /^\d+$/.test(text) ? found[Number(text) - 1] : undefined;
        if (offer === undefined) return tunerOf(text, chosen);
        if (!offer.wantsList) return tunerOf(offer.words, chosen);
        const list = { question: `Channel list for ${offer.text} (a file)`, option: "--tuner" };
        return interview.about({ ...list, read: (file) => tunerOf(`${offer.words} ${file}`, chosen) });
      },
    });
    if (next === undefined) return chosen;
    chosen.push(next);
  }
}

interface Offer {
  readonly text: string;
  /** As a person would name it, without its channel list. */
  readonly words: string;
  readonly wantsList: boolean;
}

async function offers(io: CliIo): Promise<readonly Offer[]> {
  io.note("Looking for DVB cards, and for tuners on the network …");
  const [cards, servers] = await Promise.all([
    readdir("/dev/dvb").catch(() => []),
    discoverServers({ clock: io.clock, forMs: LISTEN_MS }, io.signal),
  ]);
  return [
    ...cards.sort().flatMap((name) => {
      const adapter = /^adapter(\d+)$/.exec(name)?.[1];
      return adapter === undefined
        ? []
        : [{ text: `DVB card /dev/dvb/${name}`, words: `dvb ${adapter}`, wantsList: true }];
    }),
    ...servers.map(({ kind, address, name }) => ({
      text: `${kind} ${address} ${name}`.trim(),
      words: kind === "satip" ? `satip ${new URL(address).hostname}` : `${kind} ${address}`,
      wantsList: kind === "satip",
    })),
  ];
}

/** A tuner in a few words, or as an entry of the configuration in JSON. */
async function tunerOf(text: string, before: readonly object[]): Promise<object> {
  const [kind = "", place = "", list = ""] = text.split(/\s+/);
  const entry = text.startsWith("{")
    ? jsonOf(text)
    : { kind, id: `${kind}${before.length + 1}`, ...placeOf(kind, place, list) };
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
  return entry;
}

function placeOf(kind: string, place: string, list: string): object {
  const channelList = list === "" ? {} : { channelList: list };
  if (kind === "satip") return { host: place, ...channelList };
  if (kind === "dvb") return { adapter: Number(place), ...channelList };
  return { address: place, ...channelList };
}

function jsonOf(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value;
  } catch {
    // Said below.
  }
  throw noAnswer("That begins like JSON and is none.");
}

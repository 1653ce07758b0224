import { readFileSync } from "node:fs";
import { parseLamedb } from "../../../src/recorder/tune/channel-lists/enigma2.ts";
import type { ChannelList } from "../../../src/recorder/tune/channel-lists/list.ts";
import { parseM3u } from "../../../src/recorder/tune/channel-lists/m3u.ts";
import { parseChannelList } from "../../../src/recorder/tune/channel-lists/read.ts";
import { parseWritten, writtenList } from "../../../src/recorder/tune/channel-lists/written.ts";
import { BUDGET, law, type Target } from "../target.ts";

const fixtures = (...names: readonly string[]) =>
  names.map((name) => readFileSync(`test/fixtures/channel-lists/${name}`).subarray(0, 16 * 1024));
const COMMON = { bytesMax: 64 * 1024, budget: BUDGET };

export const m3u: Target = {
  ...COMMON,
  name: "m3u",
  seeds: () => fixtures("list.m3u"),
  run: (input) => sound(parseM3u(textOf(input))),
};

export const lamedb: Target = {
  ...COMMON,
  name: "lamedb",
  seeds: () => fixtures("lamedb", "lamedb5"),
  run: (input) => sound(parseLamedb(textOf(input))),
};

/** Any list, its format found by its content: VDR, zap and dvbv5 too. */
export const channelLists: Target = {
  ...COMMON,
  name: "channel-lists",
  seeds: () => fixtures("dvbv5.conf", "vdr-channels.conf", "zap-channels.conf", "list.m3u", "lamedb"),
  run: (input) => {
    const list = parseChannelList(textOf(input));
    return list === undefined ? undefined : sound(list);
  },
};

function textOf(input: Uint8Array): string {
  return Buffer.from(input).toString("utf8");
}

/** Checks that `tuners import` writes everything in a list in a form that drivers can read. @returns the list */
function sound(list: ChannelList): ChannelList {
  const again = parseWritten(writtenList(list.services));
  law(`what is written is read: ${again.mistakes[0]?.text}`, again.mistakes.length === 0);
  law("no service is lost", again.services.length === list.services.length);
  for (const { name, shortName = "", provider = "", group = "", url } of list.services) {
    law("texts have one line", ![name, shortName, provider, group].some((text) => /[\r\n]/.test(text)));
    law("an address is one", url === undefined || URL.canParse(url));
  }
  return list;
}

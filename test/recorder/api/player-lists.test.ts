import { describe, expect, it } from "vitest";
import { liveList, type Station } from "../../../src/recorder/api/player-lists.ts";
import { anyText, fc } from "../../properties.ts";
import { readChannelList } from "./m3u-rules.ts";

const BASE = "http://token:a%20b@recorder:8790";
const ONE: Station = {
  channelId: "7",
  name: "One",
  number: 12,
  service: { onid: 4112, tsid: 545, sid: 544 },
  tuners: ["a"],
};
const list = (station: Station, extras = {}) =>
  readChannelList(liveList([station], { base: BASE, extras: () => ({ hasLogo: false, ...extras }) }));

describe("the rules of pvr.iptvsimple", () => {
  const read = (info: string) => readChannelList(`#EXTM3U\n${info}\nhttp://a/b\n`);

  it("accept the examples of its README", () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the specifiers are Kodi's.
    const source = 'catchup-source="http://a/c?at={Y}-{m}-{d}T{H}:{M}:{S}&for={duration:60}&to=${end:YmdHM}"';
    const info = `#EXTINF:-1 tvg-id="b" group-title="Films;HD" catchup="default" ${source} catchup-days="3",Channel B`;
    expect(read(`${info}\n#KODIPROP:key=val`)).toMatchObject({
      mistakes: [],
      entries: [{ name: "Channel B", properties: ["key=val"], url: "http://a/b" }],
    });
  });

  it.each([
    ['#EXTINF:-1 tvg-id="",One', /empty/],
    ['#EXTINF:-1 colour="red",One', /unknown attribute/],
    ['#EXTINF:-1 catchup="default" catchup-days="1",One', /without/],
    ['#EXTINF:-1 catchup="default" catchup-days="1" catchup-source="http://a/{when}",One', /specifier/],
    ['#EXTINF:-1 catchup="default" catchup-days="0" catchup-source="http://a/{utc}",One', /catchup-days/],
    ['#EXTINF:-1 tvg-logo="one.png",One', /tvg-logo/],
    ['#EXTINF:-1 radio="yes",One', /radio/],
    ['#EXTINF:-1 tvg-name="a"b",One', /not readable/],
    ["#EXTINF:-1,", /not readable/],
  ])("are broken by %s", (info, reason) => {
    expect(read(info).mistakes.join()).toMatch(reason);
  });
});

describe("the channel list for players", () => {
  it("has every known attribute in the form that pvr.iptvsimple documents", () => {
    const station = { ...ONE, network: "Sea; Sky", isRadio: true } as const;
    const { head, entries, mistakes } = list(station, { hasLogo: true, catchUpDays: 3 });
    expect(mistakes).toEqual([]);
    expect(head["x-tvg-url"]).toBe(`${BASE}/v1/guide.xml`);
    expect(entries).toEqual([
      {
        attributes: {
          "tvg-id": "7",
          "tvg-chno": "12",
          "tvg-name": "One",
          "tvg-logo": `${BASE}/v1/channels/7/logo`,
          "group-title": "Sea, Sky",
          radio: "true",
          catchup: "default",
          "catchup-days": "3",
          "catchup-source": `${BASE}/v1/catchup/7/{utc}?seconds={duration}`,
        },
        name: "One",
        properties: ["inputstream=inputstream.ffmpeg"],
        url: `${BASE}/v1/live/4112-545-544`,
      },
    ]);
  });

  it("offers no logo, group or catch-up that does not exist", () => {
    const [entry] = list(ONE).entries;
    expect(Object.keys(entry?.attributes ?? {})).toEqual(["tvg-id", "tvg-chno", "tvg-name"]);
    expect(entry?.properties).toEqual([]);
  });

  it("has names without commas for Jellyfin, which reads only the text after the last one", () => {
    const [entry] = list({ ...ONE, name: "News, Sport" }).entries;
    expect([entry?.name, entry?.attributes["tvg-name"]]).toEqual(["News Sport", "News, Sport"]);
  });

  it.each([
    'a "quoted" name',
    "two\nlines\r#EXTINF:-1,fake",
    "left\u202eright\u2066",
    "nul\u0000\u001b[2J",
    "\ud800 half",
  ])("has one entry for a channel, whatever its name: %j", (name) => {
    const { entries, mistakes } = list({ ...ONE, name, network: name }, { hasLogo: true, catchUpDays: 1 });
    expect(mistakes).toEqual([]);
    expect(entries).toHaveLength(1);
  });

  it("is readable for every name", () => {
    fc.assert(
      fc.property(anyText({ minLength: 1 }), (name) => {
        const { entries, mistakes } = list({ ...ONE, name: `x${name}x` });
        expect([entries.length, mistakes]).toEqual([1, []]);
      }),
    );
  });
});

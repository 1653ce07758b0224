import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { segmentFile, sidecarFile } from "../../../src/recorder/capture/files.ts";
import {
  NAME_BYTES_MAX,
  type NameFacts,
  nameOf,
  parseNameTemplate,
  plainName,
} from "../../../src/recorder/capture/name-template.ts";
import { casesOf } from "../../lane.ts";
import { anyText, fc } from "../../properties.ts";

const START = Date.UTC(2026, 10, 20, 9, 30);
const FACTS: NameFacts = {
  title: "News",
  channel: "ABC TV",
  start: START,
  recordingId: "r000001",
  timerId: "17",
};
const DEFAULT = "{title} - {channel} - {start}";
const RICH = "{title}/[Season {season}]/{title}[ S{season}E{episode}][ - {subtitle}] - {start}";

function named(template: string, facts: Partial<NameFacts> = {}, zone = "UTC"): string {
  return nameOf(parseNameTemplate(template, zone), { ...FACTS, ...facts }).join("/");
}

/** Any text: also halves of characters, control characters, and what file systems refuse. */
const HOSTILE = [
  "/",
  "\\",
  "..",
  ".",
  " ",
  "\0",
  ":",
  "*",
  "?",
  "CON",
  "é",
  "👩‍👩‍👧",
  "\ud83d",
  "ß",
  "\u202e",
  "名",
  "~",
  "-",
];
const hostileText = fc.oneof(
  anyText({ maxLength: 400 }),
  fc.array(fc.constantFrom(...HOSTILE)).map((parts) => parts.join("")),
  fc.string({ unit: "grapheme", maxLength: 400 }),
);
const anyFacts = fc.record(
  {
    title: hostileText,
    subtitle: hostileText,
    season: fc.nat(9999),
    episode: fc.nat(99_999),
    channel: hostileText,
    start: fc.integer({ min: 0, max: Date.UTC(2100, 0) }),
    recordingId: fc.constant("r000001"),
    timerId: hostileText,
    showId: hostileText,
    seriesId: hostileText,
    folder: hostileText,
  },
  { requiredKeys: ["title", "channel", "start", "recordingId", "timerId"] },
);
const anyTemplate = fc
  .array(
    fc.constantFrom(
      "{title}",
      "{subtitle}",
      "[ - {subtitle}]",
      "{channel}",
      "{timerId}",
      "{time}",
      "/",
      ".",
      " ",
      "..",
      "x:",
      "con",
    ),
    {
      minLength: 1,
      maxLength: 7,
    },
  )
  .map((parts) => `a${parts.join("")}b`.replace(/\/+/g, "/"));
const anyZone = fc.constantFrom("UTC", "Europe/Berlin", "Australia/Lord_Howe", "America/St_Johns");

describe("the name of a recording", () => {
  it.each([
    ["News", "News - ABC TV - 2026-11-20T0930Z"],
    ["7.30", "7.30 - ABC TV - 2026-11-20T0930Z"],
    ["Who Do You Think You Are?", "Who Do You Think You Are - ABC TV - 2026-11-20T0930Z"],
    ["CSI: Miami / NY", "CSI- Miami - NY - ABC TV - 2026-11-20T0930Z"],
    ["../../etc/passwd", "-..-etc-passwd - ABC TV - 2026-11-20T0930Z"],
    ["Nul.", "Nul - ABC TV - 2026-11-20T0930Z"],
    ["con.air", "_con.air - ABC TV - 2026-11-20T0930Z"],
    ["...", "- ABC TV - 2026-11-20T0930Z"],
    ["Line\none\u0000", "Line one - ABC TV - 2026-11-20T0930Z"],
  ])("from %j is %j", (title, expected) => {
    expect(named(DEFAULT, { title })).toBe(expected);
  });

  it.each([
    [RICH, {}, "News/News - 2026-11-20T0930Z"],
    [
      RICH,
      { season: 2, episode: 5, subtitle: "Home" },
      "News/Season 02/News S02E05 - Home - 2026-11-20T0930Z",
    ],
    [RICH, { season: 2 }, "News/Season 02/News - 2026-11-20T0930Z"],
    ["{channel}/{year}-{month}-{day} {time} {title}", {}, "ABC TV/2026-11-20 0930 News"],
    ["{title} {recordingId}[ {showId}]", { showId: "88" }, "News r000001 88"],
    ["../{title}", {}, "News"],
    [".recorderd/{title}", {}, "recorderd/News"],
    ["{title}/{subtitle}", {}, "News/Recording"],
    ["{title}/aux", {}, "News/_aux"],
  ])("with the template %j and %j is %j", (template, facts, expected) => {
    expect(named(template, facts)).toBe(expected);
  });

  it.each([
    ["Kids", "Kids/News/News"],
    ["Kids/Films: old", "Kids/Films- old/News/News"],
    [" Kids ./con", "Kids/_con/News/News"],
    // None of these is a place below the folder of recordings.
    ["/etc", "News/News"],
    ["../other", "News/News"],
    ["Kids/../../other", "News/News"],
    ["Kids//Films", "News/News"],
    ["Kids/", "News/News"],
    [".", "News/News"],
    ["", "News/News"],
    ["a/b/c/d/e/f/g/h/i", "News/News"],
    [".recorderd", "recorderd/News/News"],
  ])("below the rule's folder %j is %j", (folder, expected) => {
    expect(named("{title}/{title}", { folder })).toBe(expected);
  });

  it.each([
    ["{titel}", "expected one of title, subtitle"],
    ["[ - ]", "expected a field within brackets"],
    ["{title", "pairs of brackets"],
    ["[{title}/{start}]", "before a"],
    ["{title}//{start}", "no empty name"],
    ["a/b/c/d/e/f/g/h/i", "at most 7 folders"],
  ])("rejects the template %j", (template, why) => {
    expect(() => parseNameTemplate(template, "UTC")).toThrow(why);
  });

  it("keeps letters of every script, and combined characters", () => {
    expect(named(DEFAULT, { title: "世界遺産 می‌خواهم 👩‍👩‍👧 Ä" })).toContain("世界遺産 می‌خواهم 👩‍👩‍👧 Ä");
  });

  it("is cut between characters, and keeps its distinguishing part", () => {
    const name = named(DEFAULT, { title: "👩‍👩‍👧".repeat(40) });
    expect(name.replace(" - ABC TV - 2026-11-20T0930Z", "").replaceAll("👩‍👩‍👧", "")).toBe("");
    expect(Buffer.byteLength(name)).toBeGreaterThan(NAME_BYTES_MAX - 20);
  });

  it("R-33 is valid on ext4, NTFS, SMB and NFS for any guide text and any template", () => {
    fc.assert(
      fc.property(anyFacts, anyTemplate, anyZone, (facts, template, zone) => {
        const names = nameOf(parseNameTemplate(template, zone), facts);
        return names.every(
          (name) =>
            name !== "" &&
            // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is about
            !/[/\\:*?"<>|\u0000-\u001f\u007f-\u009f]|^[. ]|[. ]$|\p{Cs}/u.test(name) &&
            !/^(con|prn|aux|nul|com\d|lpt\d) *(\.|$)/i.test(name) &&
            Buffer.byteLength(`${name} (1000)-thumbnail.jpg`) <= 255 &&
            Buffer.from(name).toString() === name,
        );
      }),
      { numRuns: casesOf({ sample: 400, all: 1500 }) },
    );
  });

  it("never leaves its folder, and never enters the hidden one", () => {
    fc.assert(
      fc.property(anyFacts, anyTemplate, (facts, template) => {
        const names = nameOf(parseNameTemplate(template, "UTC"), facts);
        const path = join("/srv/rec", ...names);
        return path === `/srv/rec/${names.join("/")}` && !path.startsWith("/srv/rec/.");
      }),
    );
  });

  it("is cut only between user-perceived characters", () => {
    const characters = fc.constantFrom("👩‍👩‍👧", "é", "名", "a", "🇩🇪", "क्षि", "ş̌");
    fc.assert(
      fc.property(fc.array(characters, { minLength: 80, maxLength: 120 }), (title) => {
        const name = named("{title}", { title: title.join("") });
        const cuts = title.map((_, index) =>
          title
            .slice(0, index + 1)
            .join("")
            .normalize("NFC"),
        );
        return cuts.includes(name);
      }),
    );
  });

  it("has a plain form for file systems that refuse the full one", () => {
    expect(plainName(FACTS)).toBe("Recording - 2026-11-20T0930Z");
  });
});

describe("R-35 in the night in which clocks are set back", () => {
  // The first instant of the hour (on Lord Howe Island: half an hour) that comes again, and how long it is.
  it.each([
    ["Europe/Berlin", Date.UTC(2026, 9, 25, 0, 30), 60, "2026-10-25T0230+0200", "2026-10-25T0230+0100"],
    ["Australia/Sydney", Date.UTC(2026, 3, 4, 15, 30), 60, "2026-04-05T0230+1100", "2026-04-05T0230+1000"],
    ["America/New_York", Date.UTC(2026, 10, 1, 5, 30), 60, "2026-11-01T0130-0400", "2026-11-01T0130-0500"],
    ["Australia/Lord_Howe", Date.UTC(2026, 3, 4, 14, 45), 30, "2026-04-05T0145+1100", "2026-04-05T0145+1030"],
  ])("names in %s distinguish both hours", (zone, first, minutes, one, two) => {
    const second = first + minutes * 60_000;
    expect(named("{start}", { start: first }, zone)).toBe(one);
    expect(named("{start}", { start: second }, zone)).toBe(two);
    expect(named("{date} {time}", { start: first }, zone)).toBe(one.replace("T", " "));
    expect(named("{date} {time}", { start: second }, zone)).toBe(two.replace("T", " "));
    expect(named("{time}", { start: first + 12 * 3_600_000 }, zone)).toMatch(/^\d{4}$/);
  });

  it.each([
    ["Europe/Berlin", Date.UTC(2026, 2, 29, 1, 0), "2026-03-29 0159", "2026-03-29 0300"],
    ["Australia/Sydney", Date.UTC(2026, 9, 3, 16, 0), "2026-10-04 0159", "2026-10-04 0300"],
    ["America/New_York", Date.UTC(2026, 2, 8, 7, 0), "2026-03-08 0159", "2026-03-08 0300"],
  ])("names in %s have no addition when clocks are set forward", (zone, at, before, after) => {
    expect(named("{date} {time}", { start: at - 60_000 }, zone)).toBe(before);
    expect(named("{date} {time}", { start: at }, zone)).toBe(after);
  });

  it("a day and a time always name one instant", () => {
    const minutes = fc
      .integer({ min: 0, max: 60 * 24 * 365 })
      .map((minute) => Date.UTC(2026, 0) + minute * 60_000);
    fc.assert(
      fc.property(anyZone, minutes, fc.integer({ min: 1, max: 180 }), (zone, start, later) => {
        const other = start + later * 60_000;
        return named("{date} {time}", { start }, zone) !== named("{date} {time}", { start: other }, zone);
      }),
      { numRuns: casesOf({ sample: 150, all: 500 }) },
    );
  });
});

it("a segment is hidden in the folder of its recording", () => {
  expect(segmentFile("/srv/rec", "r000001.2")).toBe("/srv/rec/.recorderd/r000001.2.ts.part");
});

it("a sidecar has the name of its recording", () => {
  expect(sidecarFile("/srv/rec/A.B/7.30 - x.ts", ".nfo")).toBe("/srv/rec/A.B/7.30 - x.nfo");
  expect(dirname(sidecarFile("/srv/rec/x.ts", ".json"))).toBe("/srv/rec");
});

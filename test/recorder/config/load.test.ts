import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { NEWS_KINDS } from "../../../src/model/news.ts";
import { loadConfig } from "../../../src/recorder/config/load.ts";
import { configJsonSchema } from "../../../src/recorder/config/schema.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-config-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const EXAMPLE = "config/recorderd.example.yaml";
const MINIMAL = `
guide:
  url: https://guide.example/api
  regionId: 1
recordings:
  folder: /srv/recordings
tuners:
  - kind: url
    id: network
    services:
      - { service: 318/18432/3401, name: Rai 1, url: "http://192.0.2.1/1" }
`;

async function load(text: string) {
  const file = join(folder, "recorderd.yaml");
  await writeFile(file, text);
  return loadConfig(file);
}

async function messageOf(text: string): Promise<string> {
  const error = await load(text).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ code: "CONFIG_INVALID", remedy: "stop-daemon" });
  return error instanceof Error ? error.message : "";
}

/** The minimal file with one thing replaced. */
const but = (from: string, to: string) => {
  expect(MINIMAL).toContain(from);
  return MINIMAL.replace(from, to);
};

describe("a configuration file", () => {
  it("needs few keys, and the others have stated defaults", async () => {
    expect(await load(MINIMAL)).toEqual({
      guide: {
        url: "https://guide.example/api",
        broadcast: true,
        idleTuners: true,
        format: "json",
        regionId: 1,
        sync: "*/5 * * * *",
        vocabulary: "observed",
        quarantine: { shareMin: 0.5, confirmPolls: 3, confirmMinutes: 10 },
      },
      recordings: {
        folder: "/srv/recordings",
        name: "{title} - {channel} - {start}",
        nameTimeZone: "UTC",
        owner: { fileMode: "0640", folderMode: "0750" },
        sidecars: { json: true, nfo: true },
        padding: { beforeSeconds: 60, afterSeconds: 180 },
        completeFrom: 0.98,
      },
      space: { lowBytes: 2e9, stopBytes: 200e6 },
      time: { toleranceSeconds: 30 },
      playback: { liveBufferMinutes: 60, liveBufferBytes: 8_000_000_000, hardware: true },
      power: { wakeMinutesBefore: 2, wakeAlarm: false, inhibitSleep: false },
      repeats: "offer",
      retention: {},
      hooks: [],
      profile: { kind: "verbatim" },
      priorities: [],
      jobs: {
        keepOriginal: true,
        thumbnail: false,
        chapters: false,
        commercials: false,
        comskipPath: "comskip",
        whileRecording: false,
        verify: "off",
        quietMinutes: 5,
      },
      tuners: [
        {
          kind: "url",
          id: "network",
          count: 1,
          warmUpMs: 3000,
          services: [
            {
              service: { onid: 318, tsid: 18432, sid: 3401 },
              name: "Rai 1",
              url: "http://192.0.2.1/1",
              programme: "single",
            },
          ],
        },
      ],
      notify: [],
      networks: [],
      follow: { extendMinutes: 60, endEarly: false },
      data: { folder: "/var/lib/recorderd" },
      control: { socket: "/run/recorderd/control.sock" },
      capture: { ffmpegPath: "ffmpeg", engine: "auto" },
      language: "en",
      log: { level: "info" },
    });
  });

  it("is valid in the example", async () => {
    expect(await loadConfig(EXAMPLE)).toMatchObject({ tuners: [{ kind: "url", count: 2 }] });
  });

  it("may name the capture host for addresses that it reads", async () => {
    const text = `${but("http://192.0.2.1/1", "udp://192.0.2.1:5000?localaddr=192.0.2.2")}\ncapture: { engine: host }`;
    expect(await load(text)).toMatchObject({ capture: { engine: "host" } });
  });

  it("has the same meaning with the example's commented keys", async () => {
    const text = await readFile(EXAMPLE, "utf8");
    // A commented key is `# key:` or, below one, `#   key:`; prose has no colon after its first word.
    const full = text.replace(/^( *)# ( *)([a-zA-Z]+:( |$))/gm, "$1$2$3");
    expect(Object.keys(parse(full))).toHaveLength(26);
    const example = await loadConfig(EXAMPLE);
    const given = await load(full);
    expect(given).toEqual({
      ...example,
      guide: { ...example.guide, deviceId: 12, caFile: "/etc/recorderd/guide-ca.pem" },
      recordings: {
        ...example.recordings,
        mountPoint: "/srv/recordings",
        libraryFolder: "/mnt/library",
        owner: { ...example.recordings.owner, user: "media", group: "media" },
      },
      notify: [
        {
          kind: "webhook",
          id: "home",
          url: "https://hooks.example/recorder",
          on: ["completed", "failed"],
        },
      ],
      networks: [{ id: 0x20fa, text: "iso-8859-9", utcOffsetMinutes: 0 }],
      playback: { ...example.playback, liveFolder: "/mnt/ssd", conversions: 2 },
      hdhomerun: { host: "127.0.0.1", port: 5004, name: "recorderd", deviceId: "10ABCDE1" },
      hooks: [
        {
          on: ["completed", "failed"],
          command: ["/usr/local/bin/tell-me", "--tv"],
          shell: false,
          timeoutSeconds: 60,
        },
      ],
      priorities: [{ match: { title: "News*", time: { from: "19:00", until: "21:00" } }, priority: 80 }],
      retention: { days: 365, watchedDays: 14, keepPerSeries: 10, freeBytes: 50_000_000_000 },
      traces: { url: "http://127.0.0.1:4318/v1/traces" },
      site: { url: "https://www.example.org", check: "40 4 * * *", count: 3 },
      timeZone: "Australia/Sydney",
    });
  });

  it("accepts the example of each kind of tuner", async () => {
    const text = await readFile(EXAMPLE, "utf8");
    const full = text.replace(/^ {2}# - \{/gm, "  - {");
    const { tuners } = await load(full);
    expect(tuners.map(({ kind }) => kind)).toEqual([
      "url",
      "dvb",
      "satip",
      "hdhomerun",
      "tvheadend",
      "enigma2",
      "mirakurun",
      "file",
    ]);
  });

  it("is not overridden by the environment", async () => {
    process.env["RECORDERD_GUIDE_URL"] = "https://other.example";
    try {
      expect((await load(MINIMAL)).guide.url).toBe("https://guide.example/api");
    } finally {
      delete process.env["RECORDERD_GUIDE_URL"];
    }
  });

  it("gives FILE_UNREADABLE if it is missing, and setup is named", async () => {
    const loading = loadConfig(join(folder, "gone.yaml"));
    await expect(loading).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
    await expect(loading).rejects.toThrow(`run recorderd setup --config ${join(folder, "gone.yaml")}.`);
    await expect(loadConfig(folder)).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
  });
});

describe("an invalid configuration file", () => {
  it("is reported with all mistakes at once, in file order, each with line, path, expected and found", async () => {
    const message = await messageOf(`guide:
  url: guide.example
  sync: every five minutes
  vocabluary: field
recordings:
  folder: recordings
  padding: { beforeSeconds: -1 }
  completeFrom: "98 %"
tuners:
  - kind: url
    id: network
    count: 0
    services: []
  - kind: pigeon
    id: roof
log: { level: loud }
`);
    expect(message.split("\n").slice(1)).toEqual([
      "  line 1: guide.regionId: expected a number, but it is missing",
      '  line 2: guide.url: expected an address such as https://guide.example/api, found "guide.example"',
      '  line 3: guide.sync: expected a cron expression that occurs, such as "*/5 * * * *", found "every five minutes"',
      "  line 4: guide.vocabluary: unknown key, did you mean vocabulary?",
      '  line 6: recordings.folder: expected an absolute path, found "recordings"',
      "  line 7: recordings.padding.beforeSeconds: expected at least 0, found -1",
      '  line 8: recordings.completeFrom: expected a number, found "98 %"',
      "  line 12: tuners[0].count: expected at least 1, found 0",
      "  line 13: tuners[0].services: expected at least one service, or a channelList, found a list of 0",
      '  line 14: tuners[1].kind: expected one of hdhomerun, satip, tvheadend, enigma2, mirakurun, dvb, url, file, mock, found "pigeon"',
      '  line 16: log.level: expected one of debug, info, warn, error, found "loud"',
    ]);
    expect(message).toContain("recorderd.yaml has 11 mistakes:");
  });

  it.each([
    { what: "a triplet", text: but("318/18432/3401", "318/18432"), says: "three numbers up to 65535" },
    { what: "a triplet's range", text: but("3401", "70000"), says: "line 11: tuners[0].services[0].service" },
    { what: "an address", text: but("http://192", "ftp://192"), says: "http, https, udp, rtp or rtsp" },
    {
      what: "a list",
      text: but("regionId: 1", "regionId: [1]"),
      says: "expected a number, found a list of 1",
    },
    {
      what: "a group",
      text: but("guide:", "guide: 5\nx:"),
      says: "guide: expected a group of keys, found 5",
    },
    { what: "nothing", text: but("id: network", "id:"), says: "expected a text, found nothing" },
    { what: "a share", text: `${MINIMAL}\ncontrol: {socket: /${"x".repeat(200)}}`, says: "at most 107" },
    { what: "zero", text: but("recordings:", "recordings:\n  completeFrom: 0"), says: "more than 0" },
    { what: "a language", text: `${MINIMAL}\nlanguage: tlh`, says: "en" },
    ...[
      {
        entry: "kind: satip\n    id: network\n    host: 192.0.2.9\n    channelList: /srv/channels.conf",
        address: "read satip: addresses",
      },
      { entry: "kind: file\n    id: network\n    path: /srv/example.ts", address: "read file: addresses" },
    ].map(({ entry, address }) => ({
      what: `an engine that does not ${address}`,
      text: `${MINIMAL.split("  - kind")[0]}  - ${entry}\ncapture: { engine: host }`,
      says: `capture.engine: expected auto or ffmpeg, as the capture host does not ${address}, which tuner network has, found "host"`,
    })),
    ...["rtsp://192", "udp://192.0.2.1:5000?pkt_size=1316#"].map((url) => ({
      what: `an engine that cannot read ${url}`,
      text: `${but("http://192", url)}\ncapture: { engine: host }`,
      says: "line 13: capture.engine: expected auto or ffmpeg, as the capture host does not",
    })),
    { what: "a zone", text: `${MINIMAL}\ntimeZone: Mars/Base`, says: "Europe/Berlin" },
    {
      what: "key if a tuner's key is misspelt",
      text: but("id: network", "id: n\n    cuont: 1"),
      says: "did you mean count?",
    },
    {
      what: "keys if a key resembles none",
      text: but("regionId: 1", "regionId: 1\n  zebra: 1"),
      says: "known here: url, format",
    },
    {
      what: "a site that holds a password",
      text: `${MINIMAL}\nsite: { url: "https://me:word@www.example.org/a?b=c" }`,
      says: 'without user and query, found "https://www.example.org/…"',
    },
    { what: "an empty file", text: "# nothing\n", says: "line 1: the file: expected a group of keys" },
  ])("is reported with the expected $what", async ({ text, says }) => {
    expect(await messageOf(text)).toContain(says);
  });

  it("may not request whole multiplexes and PID lists from one SAT>IP server", async () => {
    const tuner = (id: string, pids: string) =>
      `  - { kind: satip, id: ${id}, host: sat, channelList: /c.conf, pids: ${pids} }\n`;
    const message = await messageOf(MINIMAL + tuner("a", "listed") + tuner("b", "all"));
    expect(message).toContain(
      "line 13: tuners[2].pids: expected listed, as tuner a of the same server has it",
    );
  });

  it("may not have two tuners with one id", async () => {
    const message = await messageOf(`${MINIMAL}  - { kind: mock, id: network, broadcaster: x }\n`);
    expect(message).toContain('line 12: tuners[1].id: expected an id of its own, found "network"');
  });

  it.each([
    {
      what: "an unclosed list",
      text: "a: 1\nb: [1,\n",
      says: "line 3: bad indent: indent the keys of one group alike, and close every bracket above",
    },
    {
      what: "a duplicate key",
      text: "a: 1\nb: 2\na: 3\n",
      says: "line 3: duplicate key: remove one of the two",
    },
    { what: "a tag of another program", text: "a: !vault x\n", says: "line 1: tag resolve failed" },
  ])("is refused with the line if it is not YAML: $what", async ({ text, says }) => {
    expect(await messageOf(text)).toContain(says);
  });

  it("R-42 is refused if it is too large", async () => {
    expect(await messageOf(`# ${"x".repeat(1024 * 1024)}\n${MINIMAL}`)).toContain("larger than");
  });

  it("R-42 is refused if its aliases expand without end", async () => {
    const bomb = Array.from({ length: 12 }, (_, level) =>
      level === 0 ? "a0: &a0 [x]" : `a${level}: &a${level} [${`*a${level - 1},`.repeat(9)}]`,
    );
    expect(await messageOf(`${bomb.join("\n")}\n${MINIMAL}`)).toContain("expands to too much data");
  });

  it("R-42 is refused if it is nested too deeply, with one error", async () => {
    expect(await messageOf(`a: ${"[".repeat(5000)}${"]".repeat(5000)}`)).toContain("resource exhaustion");
    const message = await messageOf(`a: ${"[\n".repeat(5000)}`);
    expect(message.split("\n").length).toBeLessThan(20);
  });

  it("is reported at the mistake behind an alias", async () => {
    const text = but("tuners:", "data: &here\n  foldr: /a\ncontrol: *here\ntuners:");
    expect(await messageOf(text)).toContain("line 8: control.foldr: unknown key");
  });

  it("R-39 is reported without secrets: no value of an unknown key, no user or query of an address", async () => {
    const message = await messageOf(`guide:
  url: "ftp://user:hunter2@guide.example/api?token=hunter2"
  apiKey: hunter2
  token: { value: hunter2 }
`);
    expect(message).not.toContain("hunter2");
    expect(message).toContain("guide.apiKey: unknown key: secrets belong in a separate file");
    expect(message).toContain('found "ftp://guide.example/…"');
    expect(await messageOf("token: [hunter2, hunter2")).not.toContain("hunter2");
    expect(await messageOf("token: !hunter2 hunter2")).not.toContain("hunter2");
    expect(await messageOf("hunter2: 1\nhunter2: 2")).not.toContain("hunter2");
  });
});

describe("the texts of the configuration", () => {
  const pagesIn = (text: string) =>
    Promise.all([...text.matchAll(/\bdocs\/[\w-]+\.md\b/g)].map(([page]) => readFile(page, "utf8")));
  const missing = async (text: string, keys: readonly string[]) => {
    const pages = (await pagesIn(text)).join("\n");
    return pages === "" ? [] : keys.filter((key) => !new RegExp(`\\b${key}\\b`).test(pages));
  };

  it("name pages that have every key of the group", async () => {
    const groups = Object.entries(configJsonSchema().properties ?? {});
    const lacking = groups.map(async ([key, group]) => {
      if (typeof group !== "object") return [];
      return missing(group.description ?? "", [key, ...Object.keys(group.properties ?? {})]);
    });
    expect((await Promise.all(lacking)).flat()).toEqual([]);
  });

  it("name pages that have every key of a group in the example", async () => {
    const paragraphs = (await readFile(EXAMPLE, "utf8"))
      .split("\n\n")
      .filter((text) => text.startsWith("# "));
    const lacking = paragraphs.map((text) => {
      const keys = [...text.matchAll(/^(?:# ?)? *(?:- )?([a-z]\w+):(?= |$)/gm)];
      return missing(
        text,
        keys.map(([, key = ""]) => key),
      );
    });
    expect((await Promise.all(lacking)).flat()).toEqual([]);
  });

  it("state which news a target gets without `on`", async () => {
    const [target] = (await load(`${MINIMAL}\nnotify: [{ kind: ntfy, id: phone, topic: tv }]`)).notify;
    const others = NEWS_KINDS.filter((kind) => target?.on.includes(kind) === false);
    const text = `Without \`on\`: all kinds except ${others.join(" and ")}.`;
    expect((await readFile(EXAMPLE, "utf8")).replaceAll("\n# ", " ")).toContain(text);
  });
});

describe("config/recorderd.schema.json", () => {
  it("matches the schema: npm run build && node scripts/make-schema.mjs", async () => {
    const committed = await readFile("config/recorderd.schema.json", "utf8");
    expect(committed).toBe(`${JSON.stringify(configJsonSchema(), null, 2)}\n`);
  });
});

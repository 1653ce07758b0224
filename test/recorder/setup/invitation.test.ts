import { describe, expect, it } from "vitest";
import type { RecorderdError } from "../../../src/model/errors.ts";
import { commandsIn } from "../../../src/recorder/config/commands.ts";
import { checkConfig } from "../../../src/recorder/config/write.ts";
import { invitationFrom, type NodeConfig, readInvitation } from "../../../src/recorder/setup/invitation.ts";
import { fleetEntryOf } from "../../../src/recorder/setup/join-step.ts";

const CONFIG = {
  guide: { url: "https://guide.example/api", regionId: 3, deviceId: 7 },
  recordings: { folder: "/srv/recordings", padding: { beforeSeconds: 30, afterSeconds: 90 } },
  fleet: {
    database: "postgres://recorderd@db.example/recorder",
    node: "cellar",
    listen: { host: "192.0.2.5" },
  },
  tuners: [
    { kind: "hdhomerun", id: "roof", address: "http://192.0.2.9" },
    { kind: "hdhomerun", id: "here", address: "http://127.0.0.1:5004" },
  ],
  language: "de" as const,
  web: { host: "192.0.2.5", port: 80 },
  data: { folder: "/var/lib/cellar" },
  log: { level: "debug" as const },
};
const SECRETS = {
  apiKey: "key",
  account: { email: "anna@example.org", token: "token" },
  tuners: { roof: { user: "u", password: "p" }, here: { user: "v", password: "q" } },
  web: { users: [{ name: "anna", passwordHash: "hash" }] },
  fleet: { password: "of the database", secret: "shared-by-all-nodes-of-it" },
};

/** The configuration as `readConfig` gives it. */
function nodeOf(keys: NodeConfig["keys"]): NodeConfig {
  return { config: checkConfig(keys), keys };
}
const NODE = nodeOf(CONFIG);

function refusalOf(text: string): RecorderdError {
  try {
    readInvitation(text);
  } catch (error) {
    return error as RecorderdError;
  }
  throw new Error("it was accepted");
}

describe("an invitation to a fleet", () => {
  it("carries what all nodes have alike, and nothing of one machine", () => {
    const { keys, config, tuners, secrets, database } = readInvitation(invitationFrom(NODE, SECRETS));
    expect(keys).toEqual({
      guide: CONFIG.guide,
      recordings: CONFIG.recordings,
      fleet: { database: CONFIG.fleet.database },
      language: "de",
    });
    expect(config.recordings.padding).toEqual(CONFIG.recordings.padding);
    expect(tuners.map(({ id }) => id)).toEqual(["roof"]);
    expect(secrets).toEqual({ ...SECRETS, tuners: { roof: SECRETS.tuners.roof } });
    expect(database).toBe(CONFIG.fleet.database);
  });

  it("tells the commands that it brings along, which run on the machine of whoever takes it", () => {
    const hooks = [{ on: ["completed" as const], command: ["/bin/sh", "-c", "id"] }];
    const [capture, jobs] = [{ ffmpegPath: "/tmp/ffmpeg" }, { comskipPath: "/tmp/comskip" }];
    const brought = readInvitation(invitationFrom(nodeOf({ ...CONFIG, hooks, capture, jobs }), SECRETS));
    expect(commandsIn(brought.config)).toEqual(["/bin/sh -c id", "/tmp/ffmpeg", "/tmp/comskip"]);
    expect(commandsIn(readInvitation(invitationFrom(NODE, SECRETS)).config)).toEqual([]);
  });

  it("brings only tuners that this version knows and every machine reaches, whatever is written in it", () => {
    const [head = "", stored = ""] = invitationFrom(NODE, SECRETS).split(":");
    const content = JSON.parse(Buffer.from(stored, "base64url").toString("utf8")) as object;
    const withTuners = (...tuners: readonly object[]) =>
      `${head}:${Buffer.from(JSON.stringify({ ...content, tuners })).toString("base64url")}`;
    const [roof = {}, here = {}] = CONFIG.tuners;
    expect(readInvitation(withTuners(here, roof)).tuners).toEqual([roof]);
    for (const strange of [
      { ...roof, kind: "laser" },
      { ...roof, address: 7 },
      { ...roof, beams: 3 },
    ]) {
      const { code, message } = refusalOf(withTuners(roof, strange));
      expect(code).toBe("CONFIG_INVALID");
      expect(message).toMatch(/tuners.*1.*install the same version/s);
    }
  });

  it("may have been broken into lines on its way", () => {
    const broken = invitationFrom(NODE, SECRETS).replace(/.{60}/g, "$&\r\n  ");
    expect(readInvitation(broken).database).toBe(CONFIG.fleet.database);
  });

  it("is refused unless it is whole, and the message repeats nothing of it", () => {
    const whole = invitationFrom(NODE, SECRETS);
    const [head = ""] = /^[^:]+:/.exec(whole) ?? [];
    const other = (value: unknown) => head + Buffer.from(JSON.stringify(value)).toString("base64url");
    const cases: readonly [string, RegExp][] = [
      ["", /begins with recorderd-fleet-1:/],
      ["postgres://db/x", /recorderd fleet invite/],
      [head + "a".repeat(60_000), /recorderd fleet invite/],
      [whole.slice(0, -20), /not whole/],
      [head, /not whole/],
      [other(null), /not whole/],
      [other({ keys: { fleet: { database: "postgres://a@b/c" } }, tuners: [], secrets: {} }), /not whole/],
      [
        other({ keys: { fleet: { database: "x" } }, tuners: [], secrets: { apiKey: "k" } }),
        /guide.*install the same version/s,
      ],
      [other({ keys: { __proto__: { a: 1 } }, tuners: [], secrets: { apiKey: "k" } }), /not whole/],
    ];
    for (const [text, expected] of cases) {
      const { code, message } = refusalOf(text);
      expect([code, message]).toEqual(["CONFIG_INVALID", expect.stringMatching(expected)]);
      expect(message).not.toContain(SECRETS.fleet.password);
    }
  });

  it("comes only from a recorder that is in a fleet", () => {
    const { fleet: _fleet, ...alone } = CONFIG;
    expect(() => invitationFrom(nodeOf(alone), SECRETS)).toThrow("This recorder is in no fleet");
  });
});

describe("a node's entry", () => {
  const database = "postgres://recorderd@127.0.0.1/recorder";
  const secret = SECRETS.fleet.secret;

  it("listens on the way to the database if the fleet has a secret, unless told where", async () => {
    expect((await fleetEntryOf({ database, secret })).config.listen).toEqual({ host: "127.0.0.1" });
    expect((await fleetEntryOf({ database })).config.listen).toBeUndefined();
    const told = await fleetEntryOf({ database, secret, node: "attic", listen: "192.0.2.7" });
    expect(told).toEqual({
      config: { database, node: "attic", listen: { host: "192.0.2.7" } },
      secrets: { secret },
    });
  });

  it.each([
    [{ database: "recorder" }, "must be postgres://"],
    [{ database, secret: "short" }, "at least 24 characters"],
    [{ database, node: "two words" }, "fleet.node"],
    [{ database: "postgres://a:password@h/n" }, "leave it out"],
  ])("is refused for %j", async (answer, words) => {
    await expect(fleetEntryOf(answer)).rejects.toThrow(words);
  });
});

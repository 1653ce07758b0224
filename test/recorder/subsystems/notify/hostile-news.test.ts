import { describe, expect, it } from "vitest";
import { TargetConfig } from "../../../../src/recorder/subsystems/notify/config.ts";
import { openTargets } from "../../../../src/recorder/subsystems/notify/registry.ts";
import type { Notification } from "../../../../src/recorder/subsystems/notify/target.ts";
import { fc } from "../../../properties.ts";
import { broker, mailReceiver } from "./receivers.ts";

const ACCOUNT = { user: "pvr", password: "corr3ct horse" };
/** Text in titles that means something to a header, an address, a topic or a terminal. */
const PIECES = [
  ...[
    "\r\nBcc: all@example.org",
    "\n\n<html>",
    "\r\n.\r\nQUIT\r\n",
    "\0",
    "\u202egpj.exe",
    "\ud83d",
    "\u2028",
    "\x1b[2J",
  ],
  ...[
    "=?utf-8?q?=0D=0ABcc:_x@example.org?=",
    '"<a@b.c>',
    "a@b.c, d@e.f;",
    "+/#",
    "$SYS/",
    "é".repeat(300),
    "plain",
    " ",
  ],
];
const TEXT = fc.array(fc.constantFrom(...PIECES), { maxLength: 6 }).map((pieces) => pieces.join(""));
const NEWS: fc.Arbitrary<Notification> = fc.record({
  id: TEXT,
  kind: fc.constant("failed" as const),
  at: fc.constant(Date.UTC(2026, 10, 20)),
  title: TEXT,
  text: TEXT,
  recordingId: TEXT,
  labels: fc.record({ subject: TEXT.map((text) => `recorderd: ${text}`), time: TEXT, entity: TEXT }),
});

async function sent(config: object, news: readonly Notification[]): Promise<void> {
  const [target] = openTargets([TargetConfig.parse({ id: "it", ...config })], {
    credentials: () => ACCOUNT,
    version: "1",
  });
  if (target === undefined) throw new Error("no target");
  await using _closed = target;
  for (const each of news) await target.send(each, new AbortController().signal);
}

/** The same ones in each run, all pieces among them. */
const ALL = [
  ...PIECES.map((piece) => ({
    ...fc.sample(NEWS, { seed: 1, numRuns: 1 })[0],
    title: piece,
    id: piece,
    text: piece,
    labels: { subject: `recorderd: ${piece}`, time: piece, entity: piece },
  })),
  ...fc.sample(NEWS, { seed: 18, numRuns: 60 }),
] as readonly Notification[];

describe("notifications with any text", () => {
  it("are mails with only our headers, to the configured receivers", async () => {
    await using server = await mailReceiver(ACCOUNT);
    const from = { from: "pvr@example.org", to: ["you@example.org"] };
    await sent({ kind: "email", host: "127.0.0.1", port: server.port, security: "none", ...from }, ALL);
    expect(server.received).toHaveLength(ALL.length);
    for (const { body } of server.received) {
      const [head = ""] = body.split("\r\n\r\n");
      const names = head
        .split("\r\n")
        .filter((line) => !/^[ \t]/.test(line))
        .map((line) => line.split(":")[0]?.toLowerCase() ?? "");
      expect([...names].sort()).toEqual([
        "content-transfer-encoding",
        "content-type",
        "date",
        "from",
        "message-id",
        "mime-version",
        "subject",
        "to",
      ]);
      // Only ASCII that prints, encoded where it is anything else.
      expect(head).toMatch(/^[\r\n\t\x20-\x7e]*$/);
      expect(head).toMatch(/^Message-ID:\s+<[\w.-]{0,200}@example\.org>$/m);
    }
  });

  it("are published only under the configured topics, as JSON with the same text", async () => {
    await using server = await broker(ACCOUNT);
    await sent({ kind: "mqtt", url: `mqtt://127.0.0.1:${server.port}`, discovery: "" }, ALL);
    expect(new Set(server.received.map(({ topic }) => topic))).toEqual(new Set(["recorderd/news"]));
    const told = server.received.map(({ body }) => (JSON.parse(body) as Notification).title);
    expect(told).toEqual(ALL.map(({ title }) => title));
  });
});

describe("a configuration", () => {
  const mqtt = { kind: "mqtt", id: "it", url: "mqtt://127.0.0.1:1" };
  const mail = { kind: "email", id: "it", host: "127.0.0.1", from: "a@b.c", to: ["a@b.c"] };
  it.each([
    ...["a/#", "a/+/b", "a b", "a\0b", "a\nb", "a\x07", ""].map((topic) => ({ ...mqtt, topic })),
    ...["a/#", "a\0b", "a\nb"].map((discovery) => ({ ...mqtt, discovery })),
    ...["a@b.c\r\nBcc: d@e.f", "a@b.c\0", "a\x01@b.c", "a@b.c,d@e.f", "<a@b.c>", "\u202ea@b.c"].map((to) => ({
      ...mail,
      to: [to],
    })),
    ...["a@b.c\nX: y", "a\x7f@b.c"].map((from) => ({ ...mail, from })),
    ...["a\nb", "a/b", "+", "a#"].map((id) => ({ ...mqtt, id })),
  ])("is refused if an address, a topic or an id contains special characters: %j", (config) => {
    expect(TargetConfig.safeParse(config).success).toBe(false);
  });
});

import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { columnsOf } from "../../src/cli/plain-text.ts";
import { isTerminal, type Recording } from "../../src/model/recording.ts";
import { SECOND } from "../../src/model/time.ts";
import { readSecrets, writeSecrets } from "../../src/recorder/config/secrets.ts";
import { SIM_REGION, simTriplet } from "../../src/simulator/world.ts";
import { commandLine } from "../cli/command-line.ts";
import { openBrowser, openPage } from "../dashboard/browser.ts";
import { told } from "../kit/tool.ts";
import { IS_LONG } from "../lane.ts";
import { broker, mailReceiver, webReceiver } from "../recorder/subsystems/notify/receivers.ts";
import { portOf } from "./planted.ts";
import { onSimulator, type Recorder, soon, type TestWorld, temporaryFolder, testWorld } from "./recorder.ts";

/** Guide texts meant for something other than a reader: paths, control characters, markup, commands. */
const HOSTILE = [
  "../../../../../../tmp/recorderd-escaped",
  "/etc/cron.d/recorderd-evil\\..\\..",
  'Esc \u001b[2J\u001b]0;owned\u0007\u009b31m\r\nBcc: all@example.org\u0000\u2028{"level":50}',
  "long ".repeat(2048),
  "名\u0301".repeat(3500),
  "\u202egpj.exe\u202c שלום \u2066\u200fx 👩‍👩‍👧🇩🇪 \ud83d",
  '<script>window.owned=1</script><img src=x onerror="window.owned=1">]]>&lt;"\'',
  "#EXTINF:-1,evil\nhttp://127.0.0.1:9/evil.ts\n$(touch /tmp/recorderd-ran)`{title}`%00",
] as const;
const NOT_THERE = ["/tmp/recorderd-escaped", "/etc/cron.d/recorderd-evil", "/tmp/recorderd-ran"];
/** Control characters, ends of lines of Unicode's own, and what reorders text. */
const COMMANDING = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u;
const ACCOUNT = { user: "me", password: "a password" };

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let world: TestWorld;
let recorder: Recorder;
let base: string;
let recordings: readonly Recording[];
const closing: AsyncDisposable[] = [];
let hook: Awaited<ReturnType<typeof webReceiver>>;
let mail: Awaited<ReturnType<typeof mailReceiver>>;
let mqtt: Awaited<ReturnType<typeof broker>>;

beforeAll(async () => {
  folder = await temporaryFolder();
  world = await testWorld(folder.path, HOSTILE.length);
  const { world: sim, deviceId } = world;
  const others = { regions: [], manufacturers: [], types: [], series: [], shows: [] };
  await sim.guide.seed({
    ...others,
    channels: HOSTILE.map((name, at) => {
      const { onid, tsid, sid } = simTriplet(at + 1);
      const dvb = [{ original_network_id: onid, transport_stream_id: tsid, service_id: sid }];
      return { id: at + 1, name, region_id: SIM_REGION, lcns: String(at + 1), dvb };
    }),
  });
  hook = await webReceiver(() => 200);
  mail = await mailReceiver(ACCOUNT);
  mqtt = await broker(ACCOUNT);
  const target = { on: ["completed", "damaged", "failed"] };
  const [from, host] = ["a@example.org", "127.0.0.1"];
  recorder = await onSimulator(folder.path, world, {
    tuners: 2,
    more: {
      web: { port: 0, signIn: "where-needed" },
      notify: [
        { ...target, kind: "webhook", id: "hook", url: `http://127.0.0.1:${hook.port}` },
        { ...target, kind: "ntfy", id: "ntfy", url: `http://127.0.0.1:${hook.port}`, topic: "pvr" },
        { ...target, kind: "email", id: "mail", host, port: mail.port, security: "none", from, to: [from] },
        { ...target, kind: "mqtt", id: "mqtt", url: `mqtt://127.0.0.1:${mqtt.port}` },
      ],
    },
  });
  const secrets = await readSecrets(recorder.data);
  if (secrets !== undefined) await writeSecrets(recorder.data, { ...secrets, notify: { mqtt: ACCOUNT } });
  closing.push(recorder, hook, mail, mqtt, world, folder);
  await recorder.start();
  base = `http://127.0.0.1:${await portOf(recorder.pid)}`;
  const start = soon();
  const booked = HOSTILE.map((title, at) =>
    sim.book(
      {
        channel: at + 1,
        title,
        start,
        durationMs: 2 * SECOND,
        about: { subtitle: title },
      },
      deviceId,
    ),
  );
  const ids = await Promise.all(booked);
  recordings = await Promise.all(ids.map((id) => recorder.until(id, ({ state }) => isTerminal(state))));
  // Some are to come, so that plans and programmes show them.
  for (const [at, title] of HOSTILE.entries())
    await sim.book(
      { channel: at + 1, title, start: start + 3600 * SECOND, durationMs: 60 * SECOND },
      deviceId,
    );
});

afterAll(async () => {
  for (const each of closing) await each[Symbol.asyncDispose]();
});

async function answer(path: string): Promise<string> {
  return (await fetch(`${base}${path}`)).text();
}

/** The texts as an XML parser of its own reads them. @throws if the text is no XML */
async function xmlTexts(xml: string): Promise<string> {
  const program = "import sys, xml.dom.minidom as m; print(m.parseString(sys.stdin.buffer.read()).toxml())";
  const { out, err } = await told("python3", { args: ["-c", program], input: Buffer.from(xml) });
  expect(err).toBe("");
  return out;
}

describe("hostile texts of a guide", () => {
  it("become safe, displayable file names within the length limit", async () => {
    const files = await readdir(recorder.recordings, { recursive: true });
    for (const name of files) {
      expect(name).not.toMatch(COMMANDING);
      expect(Buffer.from(name).toString()).toBe(name);
      for (const part of name.split("/")) expect(Buffer.byteLength(part)).toBeLessThanOrEqual(255);
    }
    expect(recordings.map(({ state }) => state)).not.toContain("failed");
    for (const { evidence } of recordings) {
      expect(relative(recorder.recordings, evidence?.file ?? "")).not.toMatch(/^\.\.|^$/);
      expect((await stat(evidence?.file ?? "")).size).toBe(evidence?.bytes);
    }
    for (const path of NOT_THERE) await expect(stat(path)).rejects.toThrow("ENOENT");
  });

  it("stay data in sidecars, playlists and listings", async () => {
    const named = async (end: string) =>
      (await readdir(recorder.recordings)).filter((name) => name.endsWith(end));
    // A sidecar is written after the end of its recording is committed.
    for (const end of [".json", ".nfo"]) await expect.poll(() => named(end)).toHaveLength(HOSTILE.length);
    const [json, nfo] = [await named(".json"), await named(".nfo")];
    for (const name of json) JSON.parse(await readFile(join(recorder.recordings, name), "utf8"));
    for (const name of nfo) await xmlTexts(await readFile(join(recorder.recordings, name), "utf8"));
    expect(await xmlTexts(await answer("/v1/guide.xml"))).toContain("&lt;script&gt;");
    for (const path of ["/v1/recordings.m3u", "/v1/live.m3u"]) {
      const lines = (await answer(path)).trimEnd().split("\n");
      expect(lines.filter((line) => COMMANDING.test(line))).toEqual([]);
      const addresses = lines.filter((line) => !line.startsWith("#"));
      expect(addresses).toHaveLength(HOSTILE.length);
      for (const address of addresses) expect(new URL(address).origin).toBe(base);
    }
  });

  it("stay data in the log, metrics, answers and events", async () => {
    await writeFile(join(folder.path, "log"), recorder.said);
    for (const line of recorder.said.trimEnd().split("\n")) {
      JSON.parse(line);
      expect(line).not.toMatch(COMMANDING);
    }
    for (const line of (await answer("/metrics")).split("\n").filter((text) => text !== ""))
      expect(line).toMatch(/^(# (HELP|TYPE) \w+ .*|\w+(\{(\w+="[^"\\\n]*",?)*\})? \S+)$/);
    JSON.parse(await answer("/v1/snapshot"));
    const ending = new AbortController();
    const { body } = await fetch(`${base}/v1/events`, { signal: ending.signal });
    let events = "";
    const decoder = new TextDecoder();
    for await (const part of body ?? []) {
      events += decoder.decode(part, { stream: true });
      if (events.includes("\n\n")) break;
    }
    ending.abort();
    const [event = ""] = events.split("\n\n");
    const lines = event.split("\n");
    for (const line of lines) expect(line).toMatch(/^((id|event|data|retry): ?|:)/);
    for (const line of lines) if (line.startsWith("data:")) JSON.parse(line.slice(5));
  });

  it("stay data in notifications: a title cannot become a header, a topic or another message", async () => {
    const all = () => [hook.received.length, mail.received.length, mqtt.received.length];
    await expect.poll(all).toEqual([2 * HOSTILE.length, HOSTILE.length, 2 * HOSTILE.length]);
    for (const { body } of [...hook.received, ...mqtt.received]) JSON.parse(body);
    expect(new Set(mqtt.received.map(({ topic }) => topic)).size).toBe(2);
    for (const { body } of mail.received) {
      const [headers = ""] = body.split("\r\n\r\n");
      expect(headers).not.toMatch(/^Bcc:/im);
      expect(headers.match(/^Subject:/gim)).toHaveLength(1);
    }
  });

  it("control no terminal, and break no table", async () => {
    const { config, socket } = recorder;
    const [bySocket, byConfig] = [
      ["--socket", socket],
      ["--config", config],
    ];
    for (const label of HOSTILE.filter(({ length }) => length < 200)) {
      const device = ["--label", label, "--type", "1", "--uid", label];
      // Our own guide refuses such labels; another service may not (test/cli/guide/guide-errors.test.ts).
      const code = COMMANDING.test(label) ? 65 : 0;
      expect(await commandLine(["guide", "devices", "add", ...device, ...byConfig]), label).toMatchObject({
        code,
      });
    }
    const tables = [
      ...[
        ["status"],
        ["timers", "--all"],
        ["plan"],
        ["recordings", "list"],
        ["jobs"],
        ["tuners", "channels"],
      ].map((args) => [...args, ...bySocket]),
      ...recordings.map(({ id }) => ["recordings", "show", id, ...bySocket]),
      ...recordings.map(({ timerId }) => ["why", timerId, ...byConfig]),
      ["guide", "timers", "list", ...byConfig],
      ["guide", "channels", ...byConfig],
      ["guide", "devices", "list", ...byConfig],
      ["logs", "--file", join(folder.path, "log")],
    ];
    for (const args of tables) {
      for (const columns of [undefined, 80]) {
        const { out, err, code } = await commandLine(args, columns === undefined ? {} : { columns });
        expect([args, code]).toEqual([args, 0]);
        for (const line of `${out}\n${err}`.split("\n")) {
          expect(line, args.join(" ")).not.toMatch(COMMANDING);
          if (columns !== undefined && args[1] === "list")
            expect(columnsOf(line)).toBeLessThanOrEqual(columns);
        }
      }
    }
  });

  it.runIf(IS_LONG)(
    "run no script in a browser, contact no other host, and stay within the page",
    async () => {
      await using browser = await openBrowser();
      for (const width of [1280, 380]) {
        const { page, strangers, errors } = await openPage(browser, { base, width });
        for (const path of ["/", "/timers", "/guide", "/recordings", "/log"]) {
          await page.goto(path);
          await page.getByText("live", { exact: true }).waitFor();
          expect([path, await page.evaluate("window.owned")]).toEqual([path, undefined]);
          const wider = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
          expect([path, width, await page.evaluate(wider)]).toEqual([path, width, 0]);
        }
        expect([strangers, errors]).toEqual([[], []]);
        await page.close();
      }
    },
  );
});

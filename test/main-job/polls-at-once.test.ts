import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { HOUR, MINUTE } from "../../src/model/time.ts";
import { commandLine } from "../cli/command-line.ts";
import { Recorder, type TestWorld, temporaryFolder, testWorld } from "./recorder.ts";

/** The recorder polls such a service only at the scheduled times, or when somebody asks it to. */
interface SilentService extends AsyncDisposable {
  readonly url: string;
  /** The paths that were requested. */
  readonly asked: readonly string[];
}

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let home: TestWorld;
let service: SilentService;
let recorder: Recorder;
beforeAll(async () => {
  folder = await temporaryFolder();
  home = await testWorld(folder.path, 1);
  service = await silentBefore(home.world.guideUrl);
  const { token, deviceId } = home;
  recorder = await Recorder.install({
    folder: folder.path,
    home: { token, deviceId, world: { guideUrl: service.url } },
    tuners: [{ kind: "mock", id: "sim-1", broadcaster: home.world.broadcaster.baseUrl }],
    // The next scheduled poll is on New Year's Day.
    more: { guide: { url: service.url, regionId: 1, deviceId, sync: "0 0 1 1 *" } },
  });
  await recorder.start();
});
afterAll(async () => {
  for (const each of [recorder, service, home, folder]) await each?.[Symbol.asyncDispose]();
});

/** Passes all requests on, except those for the stream of changes: a service without one. */
async function silentBefore(target: string): Promise<SilentService> {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    const { method = "GET", url = "/", headers } = request;
    const { pathname } = new URL(url, target);
    asked.push(pathname);
    if (pathname.endsWith("/changes")) {
      response.writeHead(404).end();
      return;
    }
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { accept = "", "content-type": type = "application/json" } = headers;
    const answer = await fetch(new URL(url, target), {
      method,
      headers: { accept, "content-type": type },
      ...(parts.length === 0 ? {} : { body: Buffer.concat(parts) }),
    });
    const kind = answer.headers.get("content-type") ?? "";
    response.writeHead(answer.status, { "content-type": kind }).end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

it("a booking on the command line makes the recorder poll at once, whatever the service announces", async () => {
  const start = Date.now() + HOUR;
  const show = { channelId: 1, title: "Soon", start, durationMinutes: 30 };
  const showId = await home.world.guide.addShow(show);
  const order = ["--show", String(showId), "--device", String(home.deviceId), "--config", recorder.config];
  const { out, err, code } = await commandLine(["guide", "timers", "add", ...order, "--json"]);
  expect({ err, code }).toEqual({ err: "", code: 0 });
  const { window } = await recorder.until(JSON.parse(out).timers[0].id, ({ state }) => state === "planned");
  expect(Math.abs(window.start - start)).toBeLessThanOrEqual(MINUTE);
});

it("recorderd status says when the recorder polls again", async () => {
  const { out } = await commandLine(["status", "--socket", recorder.socket]);
  expect(out).toMatch(/^guide: answered at .+, next poll at \S/m);
});

it.each([
  ["SIGHUP", () => recorder.signal("SIGHUP")],
  ["recorderd sync", () => commandLine(["sync", "--socket", recorder.socket])],
])(
  "%s makes the recorder request the guide's channels, also without a new configuration",
  async (_how, ask) => {
    const isChannels = (path: string) => path.includes("channels");
    expect(service.asked.filter(isChannels)).not.toEqual([]);
    const before = service.asked.length;
    await ask();
    await expect.poll(() => service.asked.slice(before).filter(isChannels).length).toBeGreaterThan(0);
  },
);

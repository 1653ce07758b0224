import { once } from "node:events";
import { request } from "node:http";
import { expect, it } from "vitest";
import { createWebServer } from "../../../../src/kit/http/web-server.ts";
import { systemClock } from "../../../../src/kit/time/clock.ts";
import { admission } from "../../../../src/recorder/subsystems/hdhomerun/http-routes.ts";

const clock = systemClock();

async function statusFor(port: number, host: string): Promise<readonly [number | undefined, string]> {
  const asked = request({ host: "127.0.0.1", port, path: "/lineup.json", headers: { host } }).end();
  const [answer] = await once(asked, "response");
  let text = "";
  for await (const chunk of answer) text += String(chunk);
  return [answer.statusCode, text];
}

it("the lineup is refused to a page that has pointed its own name at the recorder", async () => {
  const admit = admission(clock, ["tv.owner.example"]);
  const route = {
    method: "GET",
    path: "/lineup.json",
    admit,
    handle: async () => ({ status: 200 }),
  } as const;
  await using server = createWebServer({
    routes: [route],
    refuse: () => ({ status: 500 }),
    bodyBytesMax: 1000,
    clock,
  });
  const { port } = await server.listen({ host: "127.0.0.1", port: 0 });
  const hosts = ["192.168.1.9:5004", "[fe80::1]:5004", "localhost", "Recorder:5004", "recorder.local."];
  for (const host of [...hosts, "a.lan", "nas.home.arpa:80", "127.1", "TV.owner.example:5004"])
    expect([host, ...(await statusFor(port, host))]).toEqual([host, 200, ""]);
  const strangers = ["evil.example", "evil.example:5004", "192.168.1.9.evil.example", "local.evil.example"];
  for (const host of [...strangers, "evil.example.", "[evil.example]", "x.tv.owner.example", "a.localx"]) {
    const [status, text] = await statusFor(port, host);
    expect([host, status]).toEqual([host, 403]);
    expect(text).toContain("add the name to web.names");
  }
});

import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { statusCommand } from "../../src/cli/daemon/status.ts";
import { silentLog } from "../../src/kit/log.ts";
import { systemClock } from "../../src/kit/time/clock.ts";
import { Config } from "../../src/recorder/config/schema.ts";
import { openDaemon } from "../../src/recorder/daemon.ts";
import { EDITOR } from "./site.ts";
import { startSiteServer } from "./site-server.ts";

const NOBODY = "http://127.0.0.1:9";

it("recorderd status shows the announcements of the configured site without control sequences, while the guide service is unreachable", async () => {
  const folder = await mkdtemp(join(tmpdir(), "recorderd-site-status-"));
  const clock = systemClock();
  const stop = new AbortController();
  try {
    await mkdir(join(folder, "recordings"));
    const post = (id: number, title: string) => ({ id, title, date: `2026-01-0${id}T10:00:00` });
    await using site = await startSiteServer({
      clock,
      ...EDITOR,
      collections: {
        posts: [post(1, "Old"), post(2, "Rock &amp; <b>Roll</b>"), post(3, "\u001b[2JGone\u202e")],
      },
      redirects: [],
    });
    const socket = join(folder, "control.sock");
    const config = Config.parse({
      guide: { url: NOBODY, regionId: 1 },
      recordings: { folder: join(folder, "recordings") },
      tuners: [{ kind: "mock", id: "sim", broadcaster: NOBODY }],
      data: { folder },
      control: { socket },
      site: { url: site.content.url, count: 2 },
    });
    await using daemon = await openDaemon(config, { clock, log: silentLog });
    const status = async (...args: readonly string[]) => {
      let printed = "";
      const command = statusCommand({
        clock,
        signal: stop.signal,
        print: (text) => {
          printed = text;
        },
        note: () => {},
        exitCode: () => {},
        readStdin: async () => "",
        questions: () => {
          throw new Error("nobody is asked here");
        },
      });
      await command.parseAsync(["--socket", socket, ...args], { from: "user" });
      return printed;
    };
    expect(await status()).toContain("\nAnnouncements of the content site:\n  not fetched yet");
    const running = daemon.run(stop.signal);
    const asked = () => {
      const { guide, site: found } = daemon.snapshot();
      return guide.failure !== undefined && found?.lastGoodAt !== undefined;
    };
    for (let tries = 0; tries < 1000 && !asked(); tries += 1) await clock.sleep(20, stop.signal);
    const text = await status();
    expect(text).toContain("guide: not usable since");
    expect(text.split("\nAnnouncements of the content site:\n")[1]?.split("\n")).toEqual([
      "  2026-01-03T10:00:00+00:00  [2JGone",
      expect.stringContaining(`      ${site.content.url}/`),
      "  2026-01-02T10:00:00+00:00  Rock & Roll",
      expect.stringContaining(`      ${site.content.url}/`),
    ]);
    expect(JSON.parse(await status("--json")).site.announcements).toHaveLength(2);
    stop.abort();
    await running;
  } finally {
    stop.abort();
    await rm(folder, { recursive: true, force: true });
  }
});

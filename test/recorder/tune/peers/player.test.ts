import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SECOND } from "../../../../src/model/time.ts";
import { told } from "../../../kit/tool.ts";
import { type InProcess, inProcess, simTuners } from "../../../main-job/in-process.ts";
import { soon, type TestWorld, temporaryFolder, testWorld } from "../../../main-job/recorder.ts";

/** The player, which only `npm run test:peers` names: half a minute that `npm test` need not take. */
const program = process.env["RECORDERD_MPV"] || undefined;

/** The player's report of each thing that it plays: its format, whether it can seek in it, and the second at which it begins. */
async function played(address: string, more: readonly string[]): Promise<readonly string[]> {
  const quiet = ["--no-config", "--vo=null", "--ao=null", "--untimed", "--msg-level=all=no"];
  const says = [
    // biome-ignore lint/suspicious/noTemplateCurlyInString: these are the player's own.
    "--term-playing-msg=PLAYS ${video-format} ${seekable} ${=time-pos}",
    "--msg-level=cplayer=info",
  ];
  const { out } = await told(program ?? "", { args: [...quiet, ...says, ...more, address] });
  return out.split("\n").filter((line) => line.startsWith("PLAYS "));
}

describe.skipIf(program === undefined)("a real player (needs mpv: npm run test:peers)", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let world: TestWorld;
  let recorder: InProcess;
  let base: string;

  beforeAll(async () => {
    folder = await temporaryFolder();
    world = await testWorld(folder.path);
    recorder = await inProcess(folder.path, world, {
      tuners: simTuners(world, 1),
      web: { port: 0, signIn: "where-needed" },
    });
    base = `http://127.0.0.1:${recorder.daemon.webPort}`;
    const show = { channel: 1, title: "A show", start: soon(), durationMs: 10 * SECOND };
    const timerId = await world.world.book(show, world.deviceId);
    await recorder.until(timerId, ({ state }) => state === "completed");
  });

  afterAll(async () => {
    await recorder[Symbol.asyncDispose]();
    await world[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  it("plays a finished recording from the list, and seeks in it", async () => {
    const list = `${base}/v1/recordings.m3u`;
    expect(await played(list, ["--frames=10"])).toEqual([expect.stringMatching(/^PLAYS \S+ yes [01]\./)]);
    expect(await played(list, ["--start=6", "--frames=10"])).toEqual([
      expect.stringMatching(/^PLAYS \S+ yes [567]\./),
    ]);
  });

  it("plays each channel of the list of live services", async () => {
    const plays = await played(`${base}/v1/live.m3u`, ["--frames=5"]);
    expect(plays).toHaveLength(4);
  });
});

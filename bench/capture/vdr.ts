import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { systemClock } from "../../src/kit/time/clock.ts";
import { lookAt, type Order, type Running, until } from "./contender.ts";
import { watchFirstBytes } from "./first-bytes.ts";
import { freePort } from "./free-port.ts";
import { tripletOf } from "./loop.ts";
import { FIRST_MHZ, STEP_MHZ } from "./satip.ts";
import { familyOf } from "./usage.ts";

/** Files of Debian's packages vdr and vdr-plugin-satip. */
export const VDR_FILES = ["/usr/bin/vdr", "/usr/lib/vdr/plugins/libvdr-satip.so.2.6.0"] as const;
/** ffmpeg's PIDs in the broadcast stream (loop.ts). */
const [VIDEO_PID, AUDIO_PID] = [256, 257];
const ANSWER_MS = 60_000;
const MINUTE_MS = 60_000;
/** It changes nothing of what it was told, looks for nothing, and keeps a recording in one file. */
const SETUP = [
  "UpdateChannels = 0",
  "EPGScanTimeout = 0",
  "MarginStart = 0",
  "MarginStop = 0",
  "EmergencyExit = 0",
  "InitialVolume = 0",
  "satip.OperatingMode = 1",
  "satip.TransportMode = 0",
  "satip.EnableEITScan = 0",
];
const clock = systemClock();

/** VDR with a SAT>IP tuner for each recording, and a timer for each that has begun. */
export async function recordWithVdr({ folder, urls, air }: Order): Promise<Running> {
  const own = await mkdtemp(join(folder, "vdr-"));
  const [config, video] = [join(own, "config"), join(own, "video")];
  for (const each of [config, video, join(own, "cache")]) await mkdir(each);
  await writeFile(join(config, "setup.conf"), `${SETUP.join("\n")}\n`);
  await writeFile(join(config, "svdrphosts.conf"), "127.0.0.1\n");
  await writeFile(join(config, "sources.conf"), "T Terrestrial\n");
  await writeFile(join(config, "channels.conf"), urls.map((_, nth) => channelLine(nth)).join(""));
  const port = await freePort();
  // One tuner more: it keeps one on the channel that would be on the screen.
  const tuners = urls.length + 1;
  const vdr = spawn("vdr", argumentsOf({ own, config, video, port, tuners, satipPort: air.satipPort }), {
    stdio: "ignore",
    env: { PATH: "/usr/bin:/bin", LANG: "C.UTF-8", TZ: "UTC" },
  });
  const failed = new Promise<never>((_, reject) => vdr.once("error", reject));
  failed.catch(() => {});
  const files = () => filesIn(video);
  const firstBytes = watchFirstBytes(files);
  await Promise.race([
    failed,
    until(async () => (await answers(port, [])) !== undefined, "VDR does not listen"),
  ]);
  const now = clock.now();
  const orderedAt = clock.now();
  await answers(
    port,
    urls.map((_, nth) => timerCommand(nth, now)),
  );
  // It tunes one after the other, which takes seconds for each.
  await until(() => firstBytes.count() === urls.length, "VDR does not record everything");
  return {
    processes: () => familyOf(vdr.pid ?? 0),
    end: async () => {
      const gone = once(vdr, "exit");
      vdr.kill("SIGTERM");
      await gone;
      const found = await lookAt(await files());
      const seen = await firstBytes.end();
      await rm(own, { recursive: true });
      return { ...found, firstByteMs: [...seen.values()].map((at) => at - orderedAt) };
    },
  };
}

function argumentsOf({
  own,
  config,
  video,
  port,
  tuners,
  satipPort,
}: {
  readonly own: string;
  readonly config: string;
  readonly video: string;
  readonly port: number;
  readonly tuners: number;
  readonly satipPort: number;
}): readonly string[] {
  return [
    ...["--config", config, "--video", video, "--cachedir", join(own, "cache"), "--epgfile", "-"],
    ...["--device", "-", "--no-kbd", "--port", String(port), "--user", "root", "--log", "1"],
    `--plugin=satip --devices=${tuners} --portrange=${20_000}-${20_000 + 2 * tuners} --server=127.0.0.1:${satipPort}|DVBT-${tuners}|bench`,
  ];
}

/** vdr(5): channels.conf. */
function channelLine(nth: number): string {
  const { onid, tsid, sid } = tripletOf(nth);
  const khz = (FIRST_MHZ + nth * STEP_MHZ) * 1000;
  const pids = `${VIDEO_PID}=27:${AUDIO_PID}=eng@15`;
  return `Service ${nth + 1}:${khz}:B8C23D0G8M64S0T8Y0:T:0:${pids}:0:0:${sid}:${onid}:${tsid + nth}:0\n`;
}

/** vdr(5): timers.conf. From a minute ago for an hour: it records at once. */
function timerCommand(nth: number, now: number): string {
  const at = (ms: number) => new Date(ms).toISOString();
  const day = at(now - MINUTE_MS).slice(0, 10);
  const time = (ms: number) => at(ms).slice(11, 16).replace(":", "");
  return `NEWT 1:${nth + 1}:${day}:${time(now - MINUTE_MS)}:${time(now + 60 * MINUTE_MS)}:50:99:Show ${nth + 1}:`;
}

async function filesIn(video: string): Promise<readonly string[]> {
  const names = await readdir(video, { recursive: true }).catch(() => []);
  return names.filter((name) => name.endsWith(".ts")).map((name) => join(video, name));
}

/** The answer to SVDRP commands; `undefined` while the server does not listen. */
async function answers(port: number, commands: readonly string[]): Promise<string | undefined> {
  const socket = connect(port, "127.0.0.1");
  socket.setEncoding("utf8");
  let text = "";
  try {
    await once(socket, "connect");
    socket.on("data", (chunk: string) => {
      text += chunk;
    });
    socket.write([...commands, "QUIT"].map((command) => `${command}\r\n`).join(""));
    await once(socket, "close", { signal: AbortSignal.timeout(ANSWER_MS) });
  } catch {
    return undefined;
  } finally {
    socket.destroy();
  }
  const refused = text.split("\r\n").find((line) => /^[45]\d\d/.test(line));
  if (refused !== undefined) throw new Error(`VDR says: ${refused}`);
  return text;
}

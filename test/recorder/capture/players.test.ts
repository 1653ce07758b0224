import { execFileSync } from "node:child_process";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PACKET_BYTES, pidAt } from "../../../src/mpeg-ts/packets.ts";
import { told } from "../../kit/tool.ts";
import { filtered, RAI, RAI_SIDS } from "./filtered.ts";

const PAT_PID = 0x00;
const SDT_PID = 0x11;
/** Two services of 20 seconds, told apart by the width of their pictures. */
const WIDTHS = { 101: 128, 102: 192 } as const;
const LASTS = 20;
const SEEK = 10;

function isThere(program: string): boolean {
  try {
    execFileSync("which", [program], { stdio: "ignore" });
    return true;
  } catch {
    // Said here: a skipped test says nothing.
    process.stderr.write(`skipped, nothing is played with it: ${program} is not installed\n`);
    return false;
  }
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-players-"));
  // For players that refuse to be root.
  await chmod(folder, 0o777);
  const file = join(folder, "multiplex.ts");
  const pictures = (width: number) => ["-f", "lavfi", "-i", `testsrc=s=${width}x96:r=25:d=${LASTS}`];
  const tone = (hertz: number) => ["-f", "lavfi", "-i", `sine=f=${hertz}:d=${LASTS}`];
  const codecs = ["-c:v", "mpeg2video", "-g", "25", "-b:v", "200k", "-c:a", "mp2"];
  const inputs = [...pictures(WIDTHS[101]), ...tone(440), ...pictures(WIDTHS[102]), ...tone(880)];
  const maps = ["-map", "0", "-map", "1", "-map", "2", "-map", "3"];
  const services = ["-program", "program_num=101:st=0:st=1", "-program", "program_num=102:st=2:st=3"];
  const { err } = await told("ffmpeg", {
    args: ["-v", "error", ...inputs, ...maps, ...codecs, ...services, "-f", "mpegts", file],
  });
  expect(err).toBe("");
  const multiplex = await readFile(file);
  for (const sid of [101, 102]) {
    const service = filtered(multiplex, sid);
    await writeFile(join(folder, `${sid}.ts`), service);
    await writeFile(join(folder, `${sid}-names-first.ts`), withNamesFirst(service));
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The service with the SDT in front: a recording may begin with that table, before any PMT. */
function withNamesFirst(service: Buffer): Buffer {
  const first = (wanted: number) => {
    for (let at = 0; at < service.length; at += PACKET_BYTES) {
      if (pidAt(service, at) === wanted) return service.subarray(at, at + PACKET_BYTES);
    }
    throw new Error(`no packet of PID ${wanted}`);
  };
  return Buffer.concat([first(PAT_PID), first(SDT_PID), service]);
}

const FILES = [101, 102].flatMap((sid) =>
  ["", "-names-first"].map((order) => ({
    name: `${sid}${order}.ts`,
    width: WIDTHS[sid as keyof typeof WIDTHS],
  })),
);

async function widthOf(file: string): Promise<string> {
  const what = ["-select_streams", "v", "-show_entries", "stream=width"];
  const args = ["-v", "error", ...what, "-of", "csv=p=0", file];
  const { out } = await told("ffprobe", { args });
  return [...new Set(out.split("\n").map((line) => line.replace(/\D/g, "")))].filter(Boolean).join(" ");
}

describe("a service that the capture host extracted from a multiplex, with the tables of all services", () => {
  it.each(RAI_SIDS)("is one programme with streams for ffprobe, from a real multiplex: %d", async (sid) => {
    const file = join(folder, `real-${sid}.ts`);
    await writeFile(file, filtered(RAI, sid));
    const entries = ["-show_entries", "program=program_id,nb_streams", "-of", "json"];
    const { out } = await told("ffprobe", { args: ["-v", "quiet", ...entries, file] });
    const { programs } = JSON.parse(out) as {
      readonly programs: readonly { readonly program_id: number; readonly nb_streams: number }[];
    };
    expect(programs.filter(({ nb_streams }) => nb_streams > 0).map(({ program_id }) => program_id)).toEqual([
      sid,
    ]);
  });

  it.each(FILES)("plays and seeks in ffmpeg: $name", async ({ name, width }) => {
    expect(await widthOf(join(folder, name))).toBe(String(width));
    const part = join(folder, `part-${name}`);
    const seek = ["-ss", String(SEEK), "-i", join(folder, name), "-t", "2", "-c", "copy", part];
    expect((await told("ffmpeg", { args: ["-v", "error", ...seek] })).err).toBe("");
    expect(await widthOf(part)).toBe(String(width));
  });

  const hasMpv = isThere("mpv");
  it.skipIf(!hasMpv).each(FILES)("plays and seeks in mpv: $name", async ({ name, width }) => {
    const quiet = ["--no-config", "--vo=null", "--ao=null", "--untimed", "--frames=5", `--start=${SEEK}`];
    const says = [
      "--msg-level=all=no",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: these are the player's own.
      "--term-playing-msg=PLAYS ${width} ${seekable} ${=time-pos}",
      "--msg-level=cplayer=info",
    ];
    const { out } = await told("mpv", { args: [...quiet, ...says, join(folder, name)] });
    expect(out).toMatch(new RegExp(`PLAYS ${width} yes ${SEEK}\\.`));
  });

  const hasVlc = isThere("cvlc");
  it.skipIf(!hasVlc).each(FILES)("plays and seeks in VLC: $name", async ({ name, width }) => {
    const played = join(folder, `vlc-${name}`);
    const sink = `#std{access=file,mux=ts,dst=${played}}`;
    const vlc = [
      "cvlc",
      "-I",
      "dummy",
      `--start-time=${SEEK}`,
      "--sout",
      sink,
      join(folder, name),
      "vlc://quit",
    ];
    // It refuses to be root.
    const [command = "", ...args] =
      process.getuid?.() === 0 ? ["runuser", "-u", "nobody", "--", ...vlc] : vlc;
    await told(command, { args });
    expect(await widthOf(played)).toBe(String(width));
  });

  const hasGstreamer = isThere("gst-discoverer-1.0");
  it.skipIf(!hasGstreamer).each(FILES)("is recognised by GStreamer: $name", async ({ name, width }) => {
    const { out } = await told("gst-discoverer-1.0", {
      args: ["--verbose", `file://${join(folder, name)}`],
    });
    expect(out.match(/Width: \d+/g)).toEqual([`Width: ${width}`]);
    expect(out).toContain("Seekable: yes");
    expect(out).toMatch(/Duration: 0:00:(19|20)\./);
  });
});

import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { vdrReader } from "../../../src/migration/vdr/reader.ts";
import { installed } from "../../recorder/tune/peers/program.ts";
import { readOrigin } from "../origin.ts";
import { realFolders } from "../vdr/real-folders.ts";

const PLUGINS = "/usr/lib/vdr/plugins";
const hasReceiver = (): boolean => {
  try {
    return readdirSync(PLUGINS).some((name) => name.startsWith("libvdr-satip.so"));
  } catch {
    return false;
  }
};
const isHere = ["vdr", "svdrpsend", "unshare", "ip"].every((name) => installed(name, "")) && hasReceiver();

/** In a network of its own, for VDR looks for others. It wants a receiver to start, and never tunes this one. */
const SCRIPT = `
ip link set lo up
vdr --no-kbd -l 0 -p 6419 -c "$PWD/settings" -v "$PWD/video" --cachedir="$PWD" --resdir="$PWD" \\
  -L ${PLUGINS} -P 'satip -d 1 -s 127.0.0.1:9|DVBT-1|none' &
vdr=$!
# It finds its recordings in the background.
tries=0
until [ "$(svdrpsend -d 127.0.0.1 LSTR 2>/dev/null | grep -c '^250')" -ge "$RECORDINGS" ]; do
  tries=$((tries + 1)); [ $tries -lt 300 ] || break
  sleep 0.1
done
svdrpsend -d 127.0.0.1 LSTT
for number in $(svdrpsend -d 127.0.0.1 LSTR | sed -n 's/^250[ -]\\([0-9]*\\) .*/\\1/p'); do
  svdrpsend -d 127.0.0.1 "LSTR $number path"
done
kill $vdr
wait
`;

describe.skipIf(!isHere)("a real VDR (needs vdr, vdr-plugin-satip)", () => {
  it("lists the recordings and timers that we read", async () => {
    await using folders = await realFolders();
    const found = await readOrigin(vdrReader, [folders.settings, folders.video]);
    await writeFile(join(folders.settings, "svdrphosts.conf"), "127.0.0.1\n");
    await writeFile(join(folders.settings, "sources.conf"), "S19.2E Astra 1\nT Terrestrial\n");
    await mkdir(join(folders.settings, "themes"));
    const { stdout } = await promisify(execFile)("unshare", ["-rn", "sh", "-c", SCRIPT], {
      cwd: folders.base,
      env: { ...process.env, RECORDINGS: "7", TZ: "Europe/Berlin", LANG: "C.UTF-8", LC_ALL: "C.UTF-8" },
      timeout: 120_000,
    });
    const paths = stdout.match(/^250 \/.*\.rec$/gm)?.map((line) => relative(folders.video, line.slice(4)));
    expect(paths?.sort()).toEqual(
      [
        ...found.recordings.map(({ id }) => id),
        // Listed by VDR, and left out by us: without picture, and not a transport stream.
        "Alt/2005-03-19.20.58.50.99.rec",
        "Das_Erste_HD/_/2026-11-25.23.50.1-0.rec",
      ].sort(),
    );
    const timers = stdout.match(/^250[ -]\d+ \d+:.*$/gm) ?? [];
    for (const { title } of found.timers) expect(timers.join("\n")).toContain(title);
    expect(timers).toHaveLength(7);
  });
});

import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { CLONED_MOUNTS, whyNotHere } from "../../../house/rights.ts";
import { temporaryFolder } from "../../../main-job/recorder.ts";

const WHY_NOT = whyNotHere({
  only: "make networks",
  programs: ["ip", "unshare", "hdhomerun_config"],
  unshare: ["--net", "--mount", "--pid", "--fork"],
});
const DIST = join(import.meta.dirname, "../../../../dist");

/** An emulation without a recorder, until its parent ends it. */
const EMULATION = `
  const { openHdhomerun } = await import("${DIST}/recorder/subsystems/hdhomerun/open.js");
  const { systemClock } = await import("${DIST}/kit/time/clock.js");
  const { silentLog } = await import("${DIST}/kit/log.js");
  const [host, folder] = process.argv.slice(1);
  const config = { host, port: 5004, name: "recorderd", deviceId: "10A5C0DF" };
  const guide = () => ({ method: "GET", path: "/v1/guide.xml", handle: async () => ({ status: 200 }) });
  const parts = { folder, names: [], reach: () => [], tunerCount: () => 2, guide, clock: systemClock(), log: silentLog };
  const emulation = await openHdhomerun(config, { ...parts, live: () => Promise.reject(new Error("nobody watches")) });
  emulation.run(new AbortController().signal);
`;

/** Two networks with one client: a private one, and one of public addresses. */
const NETWORK = `
  set -eu
  mount -t tmpfs none /run
  mkdir /run/netns
  ip netns add client
  ip link set dev lo up
  ip -n client link set dev lo up
  for net in 192.168.77 203.0.113; do
    near=n\${net%%.*}
    ip link add "$near" type veth peer name far netns client
    ip addr add "$net.1/24" brd + dev "$near"
    ip link set dev "$near" up
    ip -n client link set dev far name "f\${net%%.*}"
    ip -n client addr add "$net.2/24" brd + dev "f\${net%%.*}"
    ip -n client link set dev "f\${net%%.*}" up
  done
  "$NODE" --input-type=module -e "$EMULATION" "$HOST" "$FOLDER" &
  trap 'kill -KILL $!' EXIT
  at() { ip netns exec client "$@" || true; }
  found=
  # Until it has started, and the networks have.
  until case "$found" in *10A5C0DF*) true;; *) false;; esac; do
    sleep 0.1
    found=$(at hdhomerun_config discover 2>&1)
  done
  echo "$found"
  at hdhomerun_config discover 203.0.113.1
  at hdhomerun_config 192.168.77.1 get /sys/model
  for base in http://192.168.77.1:5004 http://203.0.113.1:5004; do
    at "$NODE" -e "fetch('$base/lineup.json').then((a) => console.log(a.status), () => console.log('none'))"
    at "$NODE" -e "fetch('$base/else').then((a) => console.log(a.status), () => console.log('none'))"
  done
`;

it.skipIf(WHY_NOT !== undefined).each([
  ["0.0.0.0", ["403", "403"]],
  ["192.168.77.1", ["none", "none"]],
])(
  "at %s a broadcast finds the recorder, and a public address is refused (needs ip and root)",
  async (host, publicAnswers) => {
    await using folder = await temporaryFolder();
    const env = {
      ...process.env,
      NODE: process.execPath,
      HOST: host,
      FOLDER: folder.path,
      EMULATION,
    };
    const { stdout } = await promisify(execFile)(
      "unshare",
      ["--net", "--mount", ...CLONED_MOUNTS, "--pid", "--fork", "--kill-child", "sh", "-c", NETWORK],
      { env, timeout: 150_000 },
    );
    expect(stdout.trim().split("\n")).toEqual([
      "hdhomerun device 10A5C0DF found at 192.168.77.1",
      "no devices found",
      "recorderd",
      ...["200", "404"],
      ...publicAnswers,
    ]);
  },
);

import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../main-job/recorder.ts";
import { installed } from "./program.ts";

const MAIN = join(import.meta.dirname, "../../../../dist/main.js");
const minisatip = installed("minisatip", "RECORDERD_MINISATIP");
const tvheadend = installed("tvheadend", "RECORDERD_TVHEADEND");
const ADDRESS = "192.0.2.9";

/** A network of its own, which nobody else can be asked on: SSDP needs multicast, and loopback has none. */
const NETWORK = `
  set -eu
  ip link set lo up
  ip link add d0 type veth peer name d1
  ip link set d1 up
  ip addr add ${ADDRESS}/24 dev d0
  ip link set d0 up multicast on
  ip route add 224.0.0.0/4 dev d0
  "$MINISATIP" -f -N -V ${ADDRESS} -x 8875 -y 5554 -z "$FOLDER" -s dvbt:127.0.0.1:5999 >/dev/null 2>&1 &
  first=$!
  "$TVHEADEND" -C -c "$FOLDER/tvheadend" -b ${ADDRESS} --http_port 9981 --htsp_port 9982 \\
    --satip_bindaddr ${ADDRESS} --satip_rtsp 9983 -a -1 >/dev/null 2>&1 &
  second=$!
  trap 'kill -KILL $first $second' EXIT
  found=nobody
  # Until both have started.
  for try in 1 2 3 4 5 6 7 8; do
    found=$("$NODE" "$MAIN" tuners discover --json || true)
    case "$found" in *:8875/*:9981/*|*:9981/*:8875/*) break;; esac
  done
  echo "$found"
`;

it.skipIf(minisatip === undefined || tvheadend === undefined || process.getuid?.() !== 0)(
  "recorderd tuners discover finds a real minisatip and the SAT>IP server of a real Tvheadend (needs both, and root)",
  async () => {
    await using folder = await temporaryFolder();
    const env = {
      ...process.env,
      ...{ FOLDER: folder.path, MINISATIP: minisatip, TVHEADEND: tvheadend, NODE: process.execPath, MAIN },
    };
    const { stdout } = await promisify(execFile)(
      "unshare",
      ["--net", "--pid", "--fork", "sh", "-c", NETWORK],
      { env },
    );
    const { servers } = JSON.parse(stdout) as { readonly servers: readonly object[] };
    expect(servers).toMatchObject([
      {
        kind: "satip",
        address: `http://${ADDRESS}:8875/desc.xml`,
        name: expect.stringMatching(/minisatip/i),
      },
      {
        kind: "satip",
        address: expect.stringContaining(`http://${ADDRESS}:9981/`),
        name: expect.stringMatching(/tvheadend/i),
      },
    ]);
  },
);

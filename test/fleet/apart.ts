import { execFileSync } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { onSimulator, type Recorder } from "../main-job/recorder.ts";
import { SECURED } from "../postgres/postgres.ts";
import { endNodes, type FleetPlace, SECRET, says, tellFleet, withDisk } from "./nodes.ts";

/** Why machines with a folder of their own at one path cannot run here; `undefined`: they can. */
export function whyNoMounts(): string | undefined {
  try {
    execFileSync("unshare", ["--mount", "true"], { stdio: "ignore" });
    return undefined;
  } catch {
    return "folders of a process's own need root";
  }
}

/** A recorder whose recordings are on a disk of its own. */
export interface ApartNode {
  readonly recorder: Recorder;
  /** Its disk, as others see it. */
  readonly disk: string;
}

/** Makes one database for a fleet whose recordings are at home on the node of that name. @returns installs a node */
export async function apartIn({ folder, home: world, postgres }: FleetPlace, home: string) {
  const database = postgres.url(await postgres.createDatabase(), SECURED.user);
  const path = join(folder, "recordings");
  await mkdir(path);
  /** @param size of the disk, as mount takes it; absent: there is room */
  return async (node: string, tuner: object, size?: string): Promise<ApartNode> => {
    const disk = join(folder, `disk of ${node}`);
    await mkdir(disk);
    const recordings = { folder: path, padding: { beforeSeconds: 1, afterSeconds: 1 } };
    const recorder = await onSimulator(join(folder, node), world, {
      more: { recordings, tuners: [tuner], fleet: { database, node, home } },
      within:
        size === undefined
          ? withDisk('mount --bind "$1" "$2"', disk, path)
          : withDisk('mount -t tmpfs -o size="$1" tmpfs "$2"', size, path),
    });
    await tellFleet(recorder, { password: SECURED.password, secret: SECRET });
    return { recorder, disk };
  };
}

/** A tuner that receives nothing. */
export const NO_TUNER = {
  kind: "url",
  id: "none",
  services: [{ service: "1/1/1", url: "http://127.0.0.1:1/", programme: "single" }],
};

export type ApartNodes<Name extends string> = Readonly<Record<Name, ApartNode>> & AsyncDisposable;

/** Starts the home first, and waits until the others record for it. */
export async function together<Name extends string>(
  nodes: Readonly<Record<Name, ApartNode>>,
  home: NoInfer<Name>,
): Promise<ApartNodes<Name>> {
  const { recorder } = nodes[home];
  await recorder.start();
  for (const [name, node] of Object.entries<ApartNode>(nodes)) {
    if (name === home) continue;
    node.recorder.launch();
    await says(recorder, `"node":"${name}","msg":"a node of the fleet records for this one"`);
  }
  const all = Object.values<ApartNode>(nodes).map((each) => each.recorder);
  return { ...nodes, [Symbol.asyncDispose]: () => endNodes(all) };
}

import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { findMarked, type MarkedProcess, signalProcess } from "../../src/kit/process/marked-process.ts";
import { isTerminal, type Recording } from "../../src/model/recording.ts";
import { commandLine } from "../cli/command-line.ts";
import { onSimulator, type Recorder, soon, type TestWorld } from "../main-job/recorder.ts";
import { type Postgres, SECURED } from "../postgres/postgres.ts";

export interface FleetPlace {
  readonly folder: string;
  readonly home: TestWorld;
  readonly postgres: Postgres;
}

/** A program that mounts the shared disk at its argument, and the folder that is shared (docs/dev/fleet.md, "A network disk"). */
const { FLEET_MOUNT: MOUNT, FLEET_SHARE: SHARE } = process.env;

/**
 * Runs a command with a disk that no other process sees. The process keeps its id.
 *
 * @param mount a command of the shell that mounts `what` ($1) at `path` ($2)
 */
export function withDisk(mount: string, what: string, path: string): readonly string[] {
  return ["unshare", "--mount", "sh", "-c", `${mount} && shift 2 && exec "$@"`, "sh", what, path];
}

/** Makes one folder of recordings and one database. @returns installs a recorder that uses them */
export async function nodesIn({ folder, home, postgres }: FleetPlace) {
  const database = postgres.url(await postgres.createDatabase(), SECURED.user);
  const shared = await mkdtemp(join(SHARE ?? folder, "recordings-"));
  const recordings = { folder: shared, padding: { beforeSeconds: 1, afterSeconds: 1 } };
  const within = MOUNT === undefined || SHARE === undefined ? [] : withDisk('"$1" "$2"', MOUNT, SHARE);
  return async (node: string, more: object = {}): Promise<Recorder> => {
    const recorder = await onSimulator(join(folder, node), home, {
      more: { recordings, fleet: { database, node }, ...more },
      within,
    });
    await tellFleet(recorder, { password: SECURED.password });
    return recorder;
  };
}

export const SECRET = "shared-by-all-nodes-of-it";

/** Three recorders: the leader has a tuner that receives nothing, each of the others one of the broadcaster. */
export interface Trio extends AsyncDisposable {
  readonly one: Recorder;
  readonly two: Recorder;
  readonly three: Recorder;
}

export async function trio(place: FleetPlace): Promise<Trio> {
  const installed = await nodesIn(place);
  const install = async (node: string, tuner: object) => {
    const recorder = await installed(node, { tuners: [tuner] });
    await tellFleet(recorder, { secret: SECRET });
    return recorder;
  };
  const sim = simOf(place);
  const services = [{ service: "1/1/1", url: "http://127.0.0.1:1/", programme: "single" }];
  const nodes = {
    one: await install("one", { kind: "url", id: "none", services }),
    two: await install("two", sim),
    three: await install("three", sim),
  };
  await nodes.one.start();
  nodes.two.launch();
  nodes.three.launch();
  for (const name of ["two", "three"])
    await says(nodes.one, `"node":"${name}","msg":"a node of the fleet records for this one"`);
  return { ...nodes, [Symbol.asyncDispose]: () => endNodes(Object.values(nodes)) };
}

/** A tuner of the broadcaster, which is a node's own: it is at a loopback address. */
export function simOf({ home }: Pick<FleetPlace, "home">): object {
  return { kind: "mock", id: "sim", broadcaster: home.world.broadcaster.baseUrl };
}

/** Stores secrets of the fleet, as a person does on the command line. */
export async function tellFleet({ config }: Recorder, told: Readonly<Record<string, string>>): Promise<void> {
  for (const [what, line] of Object.entries(told))
    await commandLine(["fleet", what, "--config", config], { stdin: `${line}\n` });
}

export async function endNodes(nodes: readonly Recorder[]): Promise<void> {
  for (const node of nodes) {
    await node.stop();
    await commandLine(["end-captures", "--config", node.config]);
  }
}

export async function says(recorder: Recorder, text: string): Promise<void> {
  await expect.poll(() => recorder.said).toContain(text);
}

export async function hostsOf({ data }: Recorder): Promise<readonly MarkedProcess[]> {
  return (await findMarked("RECORDERD_CAPTURE_HOST")).filter(({ mark }) => mark === data);
}

/** The machine of a node loses its power. */
export async function losePower(node: Recorder): Promise<void> {
  await node.kill();
  for (const host of await hostsOf(node)) await signalProcess(host, "SIGKILL");
}

export function isOver({ state, sidecarDue }: Recording): boolean {
  return isTerminal(state) && sidecarDue === undefined;
}

/** Books a show of this length, and waits until a node records it. */
export async function recordingOn(leader: Recorder, home: TestWorld, durationMs: number) {
  const show = { channel: 1, title: "Survivor", start: soon(), durationMs };
  const timerId = await home.world.book(show, home.deviceId);
  const { attempts } = await leader.until(timerId, ({ state }) => state === "recording");
  return { show, timerId, tunerId: attempts[0]?.tunerId };
}

import { execFile, execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { promisify } from "node:util";
import { endWithFile } from "../../left-by-tests.ts";

const run = promisify(execFile);
/** Names of what a run makes contain the id of its process. */
const PREFIX = "rdfleet";
const NAMESPACES = "/run/netns";
/** Runs at the same time have different networks. */
const NETWORK = `10.213.${process.pid % 250}`;

/** Why there can be no network segment here; `undefined` where there can. */
export function whyNoSegment(): string | undefined {
  const probe = `${PREFIX}-${process.pid}-probe`;
  try {
    execFileSync("ip", ["netns", "add", probe], { stdio: "pipe" });
    execFileSync("ip", ["netns", "del", probe], { stdio: "pipe" });
    return undefined;
  } catch (error) {
    return `network namespaces cannot be made here, which takes root and iproute2 (${String(error).split("\n")[1]})`;
  }
}

/** A bridge on this machine, at which machines in namespaces of their own are connected. */
export class Segment implements AsyncDisposable {
  static readonly network = `${NETWORK}.0/24`;
  readonly #bridge = `${PREFIX}${process.pid}`;
  readonly #machines: Machine[] = [];
  readonly #ended = endWithFile(() => this.#remove());

  static async open(): Promise<Segment> {
    await removeLeftovers();
    const segment = new Segment();
    await ip("link", "add", segment.#bridge, "type", "bridge");
    // Without one of its own it has that of a cable, and another one when that is gone: neighbours would talk to nobody.
    await ip("link", "set", segment.#bridge, "address", "02:00:00:00:00:01");
    await ip("link", "set", segment.#bridge, "up");
    return segment;
  }

  static address(host: number): string {
    return `${NETWORK}.${host}`;
  }

  /** Gives this machine an address in the segment. */
  async take(host: number): Promise<string> {
    await ip("addr", "add", `${Segment.address(host)}/24`, "dev", this.#bridge);
    return Segment.address(host);
  }

  /** Clients of the address get no answer any more, not even a refusal. */
  async leave(host: number): Promise<void> {
    await ip("addr", "del", `${Segment.address(host)}/24`, "dev", this.#bridge);
  }

  async machine(host: number): Promise<Machine> {
    const machine = new Machine(host, this.#bridge);
    this.#machines.push(machine);
    await machine.boot();
    return machine;
  }

  async #remove(): Promise<void> {
    for (const machine of this.#machines) await machine.losePower();
    await ip("link", "del", this.#bridge).catch(() => {});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended();
    await this.#remove();
  }
}

/** A namespace with a cable to the segment. */
export class Machine {
  readonly address: string;
  readonly #host: number;
  readonly #bridge: string;
  readonly #namespace: string;
  readonly #plug: string;

  constructor(host: number, bridge: string) {
    this.#host = host;
    this.address = Segment.address(host);
    this.#bridge = bridge;
    this.#namespace = `${PREFIX}-${process.pid}-${host}`;
    this.#plug = `rdv${process.pid}p${host}`;
  }

  /** The words before a command that is to run on the machine. */
  get within(): readonly string[] {
    return ["nsenter", `--net=${NAMESPACES}/${this.#namespace}`, "--"];
  }

  async boot(): Promise<void> {
    const inside = ["-n", this.#namespace] as const;
    await ip("netns", "add", this.#namespace);
    await ip("link", "add", this.#plug, "type", "veth", "peer", "name", "eth0", "netns", this.#namespace);
    await ip(...inside, "addr", "add", `${Segment.address(this.#host)}/24`, "dev", "eth0");
    await ip(...inside, "link", "set", "lo", "up");
    await ip(...inside, "link", "set", "eth0", "up");
    await ip("link", "set", this.#plug, "master", this.#bridge, "up");
  }

  async pullCable(): Promise<void> {
    await ip("link", "set", this.#plug, "down");
  }

  async plugIn(): Promise<void> {
    await ip("link", "set", this.#plug, "up");
  }

  /** Nothing that runs there says a last word, and its connections are never ended. */
  async losePower(): Promise<void> {
    await this.pullCable().catch(() => {});
    await removeNamespace(this.#namespace);
    await ip("link", "del", this.#plug).catch(() => {});
  }
}

async function ip(...words: readonly string[]): Promise<void> {
  await run("ip", words);
}

async function removeNamespace(name: string): Promise<void> {
  if (!existsSync(`${NAMESPACES}/${name}`)) return;
  for (;;) {
    const { stdout } = await run("ip", ["netns", "pids", name]);
    const pids = stdout.split("\n").filter((line) => line !== "");
    if (pids.length === 0) break;
    for (const pid of pids) {
      try {
        process.kill(Number(pid), "SIGKILL");
      } catch {
        // It has ended.
      }
    }
  }
  await ip("netns", "del", name);
}

/** A run that was killed could not remove what it had made. */
async function removeLeftovers(): Promise<void> {
  const isLeft = (pid: string | undefined) => pid !== undefined && !existsSync(`/proc/${pid}`);
  for (const name of existsSync(NAMESPACES) ? readdirSync(NAMESPACES) : [])
    if (isLeft(new RegExp(`^${PREFIX}-(\\d+)-`).exec(name)?.[1])) await removeNamespace(name);
  for (const name of readdirSync("/sys/class/net"))
    if (isLeft(new RegExp(`^${PREFIX}(\\d+)$`).exec(name)?.[1])) await ip("link", "del", name);
}

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { whyNotHere } from "../house/rights.ts";

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, "../..");
/** Images and their sources stay here: a second run is quick. */
const HOME = join(ROOT, "build/container");
const AUTHORITIES = "/etc/ssl/certs/ca-certificates.crt";
const BUILD_MS = 25 * 60_000;
const COMMAND_MS = 240_000;
const PULL_MS = 120_000;

/** Why no image can be built and run here; `undefined` where one can. */
export function whyNoContainers(): string | undefined {
  return whyNotHere({
    only: "import a base system",
    programs: ["podman", "runc", "debootstrap"],
    unshare: ["--mount", "--pid", "--fork"],
  });
}

export interface Answer {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Podman with settings and images of its own: it neither uses nor changes others on the machine. */
export class Podman {
  readonly #env: NodeJS.ProcessEnv;

  private constructor(env: NodeJS.ProcessEnv) {
    this.#env = env;
  }

  static async open(): Promise<Podman> {
    await mkdir(HOME, { recursive: true });
    const containers = join(HOME, "containers.conf");
    const storage = join(HOME, "storage.conf");
    // Limits that also a container may set which may not raise any; cgroups also where systemd does not keep them.
    await writeFile(
      containers,
      '[containers]\ndefault_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]\n' +
        '[engine]\nruntime = "runc"\ncgroup_manager = "cgroupfs"\nevents_logger = "file"\n',
    );
    await writeFile(
      storage,
      `[storage]\ndriver = "overlay"\ngraphroot = "${HOME}/storage"\nrunroot = "${HOME}/run"\n`,
    );
    return new Podman({ ...process.env, CONTAINERS_CONF: containers, CONTAINERS_STORAGE_CONF: storage });
  }

  async ask(args: readonly string[], timeoutMs = COMMAND_MS): Promise<Answer> {
    try {
      const { stdout, stderr } = await run("podman", args, {
        cwd: ROOT,
        env: this.#env,
        timeout: timeoutMs,
        maxBuffer: 64 * 1024 * 1024,
      });
      return { code: 0, out: stdout.trim(), err: stderr.trim() };
    } catch (error) {
      const {
        code,
        stdout = "",
        stderr = "",
      } = error as { readonly code?: unknown; readonly stdout?: string; readonly stderr?: string };
      return { code: typeof code === "number" ? code : -1, out: stdout.trim(), err: stderr.trim() };
    }
  }

  /** Runs a command that must succeed. @returns its output */
  async do(args: readonly string[], timeoutMs?: number): Promise<string> {
    const { code, out, err } = await this.ask(args, timeoutMs);
    if (code !== 0) throw new Error(`podman ${args.join(" ")}: ${code}\n${out}\n${err}`);
    return out;
  }

  /** Builds the Dockerfile as it is. */
  async build(tag: string): Promise<void> {
    const authorities = existsSync(AUTHORITIES)
      ? ["--build-arg", "NODE_EXTRA_CA_CERTS=/ca.crt", "--volume", `${AUTHORITIES}:/ca.crt:ro`]
      : [];
    await this.do(
      ["build", "--format", "docker", "--network", "host", ...authorities, "-t", tag, "."],
      BUILD_MS,
    );
  }

  /**
   * Sees that the images are there that the Dockerfile begins with: from the registry, or where it cannot be reached made here of
   * Debian's packages and, where the image has it, this machine's Node.js.
   *
   * @returns where each came from
   */
  async bases(dockerfile: string): Promise<readonly string[]> {
    const lines = [...dockerfile.matchAll(/^FROM (\S+)(?: AS (\S+))?$/gm)];
    const stages = lines.map(([, , stage]) => stage);
    const names = new Set(lines.map(([, name = ""]) => name).filter((name) => !stages.includes(name)));
    const said: string[] = [];
    // Debian first: the image with Node.js builds on it.
    for (const name of [...names].sort((a, b) => Number(isNode(a)) - Number(isNode(b)))) {
      said.push(`${name}: ${await this.#base(name)}`);
    }
    return said;
  }

  async #base(name: string): Promise<string> {
    if ((await this.ask(["image", "exists", name])).code === 0) return "was here";
    if ((await this.ask(["pull", "--quiet", name], PULL_MS)).code === 0) return "from the registry";
    if (isNode(name)) {
      await this.#nodeBase(name);
      return `made here, with this machine's Node.js ${process.versions.node}`;
    }
    await this.#debianBase(name);
    return "made here, by debootstrap";
  }

  async #debianBase(name: string): Promise<void> {
    const [, suite] = /:(\w+)-slim$/.exec(name) ?? [];
    if (suite === undefined) throw new Error(`${name} is no image of Debian, and cannot be made here`);
    const tree = join(HOME, suite);
    const archive = `${tree}.tar`;
    await rm(tree, { recursive: true, force: true });
    await run("debootstrap", ["--variant=minbase", suite, tree], {
      timeout: BUILD_MS,
      maxBuffer: 64 * 1024 * 1024,
    });
    await makeSlim(tree);
    await run("tar", ["-C", tree, "-cf", `${archive}.part`, "."], { timeout: COMMAND_MS });
    await rename(`${archive}.part`, archive);
    await this.do(["import", "--quiet", archive, name]);
    await rm(tree, { recursive: true, force: true });
    await rm(archive);
  }

  /** The image that the Dockerfile builds in: Debian with Node.js and npm in it. */
  async #nodeBase(name: string): Promise<void> {
    const context = join(HOME, "node");
    const modules = join(context, "usr/lib/node_modules");
    const bin = join(context, "usr/bin");
    await rm(context, { recursive: true, force: true });
    await mkdir(modules, { recursive: true });
    await mkdir(bin);
    await cp(process.execPath, join(bin, "node"));
    const { stdout } = await run("npm", ["root", "--global"]);
    await cp(join(stdout.trim(), "npm"), join(modules, "npm"), { recursive: true });
    await symlink("../lib/node_modules/npm/bin/npm-cli.js", join(bin, "npm"));
    const debian = name.replace(/node:\d+-/, "debian:");
    await writeFile(join(context, "Dockerfile"), `FROM ${debian}\nCOPY usr /usr\n`);
    await this.do(["build", "--format", "docker", "--network", "none", "-t", name, context], BUILD_MS);
    await rm(context, { recursive: true, force: true });
  }
}

/** Without what the published image of Debian goes without too, now and when packages are installed: the sizes compare. */
async function makeSlim(tree: string): Promise<void> {
  for (const name of ["var/lib/apt/lists", "var/cache/apt"]) await rm(join(tree, name), { recursive: true });
  const left = ["usr/share/doc", "usr/share/man", "usr/share/locale", "usr/share/info"];
  for (const name of left) {
    const unwanted = ["-mindepth", "1", "!", "-type", "d", "!", "-name", "copyright", "-delete"];
    await run("find", [join(tree, name), ...unwanted]);
  }
  const excluded = left.map((name) => `path-exclude /${name}/*\n`).join("");
  await writeFile(
    join(tree, "etc/dpkg/dpkg.cfg.d/slim"),
    `${excluded}path-include /usr/share/doc/*/copyright\n`,
  );
}

function isNode(name: string): boolean {
  return /\/node:/.test(name);
}

/** The keys of a Compose service that compose.yaml uses. */
export interface ComposeService {
  readonly network_mode: string;
  readonly read_only: boolean;
  readonly tmpfs: readonly string[];
  readonly cap_drop: readonly string[];
  readonly security_opt: readonly string[];
  readonly ulimits: Readonly<Record<string, number>>;
  readonly volumes: readonly string[];
  readonly devices?: readonly string[];
  readonly group_add?: readonly string[];
  readonly stop_grace_period?: string;
  readonly command?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
}

/**
 * The same service as arguments of `podman run`.
 *
 * @param places what stands for each folder, file, volume and device of the service
 */
export function runArguments(
  service: ComposeService,
  places: Readonly<Record<string, string>>,
): readonly string[] {
  const placed = (mapping: string) => {
    const [from = "", ...rest] = mapping.split(":");
    const place = places[from];
    if (place === undefined) throw new Error(`nothing stands for ${from} of compose.yaml`);
    return [place, ...rest].join(":");
  };
  const each = (flag: string, values: readonly string[] = []) => values.flatMap((value) => [flag, value]);
  const { stop_grace_period: grace, healthcheck } = service;
  return [
    ...["--network", service.network_mode],
    // Docker's behaviour: podman would mount further file systems in memory over the image, /run among them.
    ...(service.read_only ? ["--read-only", "--read-only-tmpfs=false"] : []),
    ...each("--tmpfs", service.tmpfs),
    ...each("--cap-drop", service.cap_drop),
    ...each("--security-opt", service.security_opt),
    ...each("--group-add", service.group_add),
    ...each("--volume", service.volumes.map(placed)),
    ...each("--device", service.devices?.map(placed)),
    // Podman's own would raise limits, which a machine that is a container itself may not.
    ...each("--ulimit", ["nofile=4096:4096", "nproc=4096:4096"]),
    ...each(
      "--ulimit",
      Object.entries(service.ulimits).map(([name, value]) => `${name}=${value}`),
    ),
    ...(grace === undefined ? [] : ["--stop-timeout", String(Number.parseInt(grace, 10))]),
    ...(healthcheck === undefined ? [] : ["--health-cmd", JSON.stringify(healthcheck.test)]),
  ];
}

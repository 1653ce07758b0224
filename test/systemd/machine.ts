import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { whyNotHere } from "../house/rights.ts";
import { pause } from "../main-job/recorder.ts";

const run = promisify(execFile);
const BOOT_MS = 60_000;
const COMMAND_MS = 120_000;

/**
 * Why no systemd can be booted here; `undefined` where one can. Needs root, systemd-nspawn and the right to mount, which a
 * container mostly has not.
 */
export function whyNoMachine(): string | undefined {
  return whyNotHere({
    only: "boot a systemd (systemd-nspawn)",
    programs: ["systemd-nspawn", "nsenter", "dpkg"],
    unshare: ["--mount"],
  });
}

export interface Answer {
  readonly code: number;
  readonly out: string;
}

/**
 * A real systemd over the file system of this one, or of a folder, whose changes are gone with it. It shares loopback with us, so
 * that a simulated broadcaster of the test can be heard in it.
 */
export class Machine implements AsyncDisposable {
  readonly #folder: string;
  readonly #shared: readonly string[];
  #nspawn: ChildProcess | undefined;
  #leader = 0;
  #said = "";

  private constructor(folder: string, shared: readonly string[]) {
    this.#folder = folder;
    this.#shared = shared;
  }

  /**
   * @param shared folders of this file system that are the same in the machine
   * @param base what is its file system before anything is changed in it
   */
  static async boot(shared: readonly string[], base = "/"): Promise<Machine> {
    const folder = await mkdtemp(join(tmpdir(), "recorderd-machine-"));
    const machine = new Machine(folder, shared);
    try {
      await run("mount", ["-t", "tmpfs", "recorderd-machine", folder]);
      const parts = ["upper", "work", "root"].map((name) => join(folder, name));
      for (const part of parts) await mkdir(part);
      const [upper, work, root = ""] = parts;
      const options = `lowerdir=${base},upperdir=${upper},workdir=${work}`;
      await run("mount", ["-t", "overlay", "recorderd-machine", "-o", options, root]);
      await machine.#quieten(root);
      await machine.start();
      return machine;
    } catch (error) {
      await machine[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Stops the host's periodic jobs, which disturb tests; keeps logs across a boot. */
  async #quieten(root: string): Promise<void> {
    await mkdir(join(root, "var/log/journal"), { recursive: true });
    const units = join(root, "etc/systemd/system");
    await mkdir(units, { recursive: true });
    for (const unit of ["timers.target", "systemd-tmpfiles-clean.service", "podman.socket"]) {
      await rm(join(units, unit), { force: true });
      await symlink("/dev/null", join(units, unit));
    }
  }

  /** Boots it, for the first time or again. */
  async start(): Promise<void> {
    const root = join(this.#folder, "root");
    const binds = this.#shared.map((folder) => `--bind=${folder}`);
    // Without all capabilities and the cgroups of version 2 the rules for devices are silently not enforced.
    const options = [
      "--register=no",
      "--keep-unit",
      "--capability=all",
      "--system-call-filter=bpf",
      ...binds,
    ];
    const child = spawn(
      "systemd-nspawn",
      [...options, "-M", "recorderd", "-D", root, "-b", "--", "--unit=basic.target"],
      {
        stdio: ["ignore", "pipe", "pipe"],
        env: { ...process.env, SYSTEMD_NSPAWN_UNIFIED_HIERARCHY: "1" },
      },
    );
    this.#nspawn = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        this.#said = (this.#said + text).slice(-20_000);
      });
    }
    const deadline = Date.now() + BOOT_MS;
    for (;;) {
      this.#leader = await childOf(child.pid ?? 0);
      if (this.#leader > 0 && /^(running|degraded)/.test((await this.ask("systemctl is-system-running")).out))
        return;
      if (Date.now() > deadline || child.exitCode !== null)
        throw new Error(`it does not boot:\n${this.#said}`);
      await pause(100);
    }
  }

  /** Runs a line of shell in it, as root. */
  async ask(line: string, timeoutMs = COMMAND_MS): Promise<Answer> {
    const args = ["-t", String(this.#leader), "-a", "--", "/bin/sh", "-c", line];
    const path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
    try {
      const { stdout } = await run("nsenter", args, {
        timeout: timeoutMs,
        env: { PATH: path, LC_ALL: "C.UTF-8", DEBIAN_FRONTEND: "noninteractive" },
        maxBuffer: 64 * 1024 * 1024,
      });
      return { code: 0, out: stdout.trim() };
    } catch (error) {
      const {
        code,
        stdout = "",
        stderr = "",
      } = error as {
        readonly code?: number;
        readonly stdout?: string;
        readonly stderr?: string;
      };
      return { code: typeof code === "number" ? code : -1, out: `${stdout}${stderr}`.trim() };
    }
  }

  /** Runs a command that must succeed. */
  async do(line: string, timeoutMs?: number): Promise<string> {
    const { code, out } = await this.ask(line, timeoutMs);
    if (code !== 0) throw new Error(`${line}: ${code}\n${out}\n${await this.journal()}`);
    return out;
  }

  async write(path: string, text: string): Promise<void> {
    await writeFile(this.seen(path), text);
  }

  /** The path of the machine's file on this host. */
  seen(path: string): string {
    return join(this.#folder, "root", path);
  }

  async journal(unit = "recorderd"): Promise<string> {
    return (await this.ask(`journalctl --no-pager -n 60 -u ${unit}`)).out;
  }

  async property(unit: string, name: string): Promise<string> {
    return await this.do(`systemctl show ${unit} --property=${name} --value`);
  }

  /** Asks until it holds. */
  async until(what: string, holds: () => Promise<boolean>, patienceMs = COMMAND_MS): Promise<void> {
    const deadline = Date.now() + patienceMs;
    while (!(await holds())) {
      if (Date.now() > deadline)
        throw new Error(`it did not come to be that ${what}\n${await this.journal()}`);
      await pause(100);
    }
  }

  /** Shuts it down as a person would; returns when it is off. */
  async powerOff(): Promise<void> {
    const child = this.#nspawn;
    if (child === undefined || child.exitCode !== null) return;
    const off = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    await this.ask("systemctl --no-block poweroff");
    await off;
    this.#nspawn = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const child = this.#nspawn;
    if (child !== undefined && child.exitCode === null) {
      const off = new Promise<void>((resolve) => child.once("exit", () => resolve()));
      child.kill("SIGTERM");
      const late = pause(20_000).then(() => child.kill("SIGKILL"));
      await Promise.race([off, late]);
      await off;
    }
    for (const path of [join(this.#folder, "root"), this.#folder]) {
      await run("umount", ["--lazy", path]).catch(() => {});
    }
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function childOf(pid: number): Promise<number> {
  const { stdout } = await run("ps", ["--ppid", String(pid), "-o", "pid="]).catch(() => ({ stdout: "" }));
  return Number(stdout.trim().split("\n")[0]);
}

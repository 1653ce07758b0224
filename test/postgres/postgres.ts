import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, copyFile, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "../free-port.ts";
import { RUN_MARK } from "../leftovers.ts";
import { commandOf, serverUser } from "./programs.ts";
import { Said } from "./said.ts";

const run = promisify(execFile);
const CERTIFICATE = join(import.meta.dirname, "../fixtures/guide/self-signed.crt");
const KEY = join(import.meta.dirname, "../fixtures/guide/self-signed.key");

/** The user of databases, without a password. */
const OWNER = "guide";
/** A user with the same rights, who needs a password. */
export const SECURED = { user: "secured", password: "a long password" } as const;

const ROLES = `CREATE ROLE ${OWNER} LOGIN; CREATE ROLE ${SECURED.user} LOGIN PASSWORD '${SECURED.password}' IN ROLE ${OWNER};`;

const ACCESS = `local all all trust
host all ${SECURED.user} 127.0.0.1/32 scram-sha-256
host all all 127.0.0.1/32 trust
host replication all 127.0.0.1/32 trust
`;

export interface PostgresOptions {
  /** Whether commits reach the disk: without it, they survive every end of the server, but not of the machine. */
  readonly isDurable?: boolean;
  /** Offers TLS, with a certificate that nobody has signed. */
  readonly withTls?: boolean;
  /** Further addresses at which it listens, and the network that they are in. */
  readonly beyond?: { readonly addresses: readonly string[]; readonly network: string };
  /** Parameters, as in postgresql.conf. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** How a server ends: `fast` ends sessions first, `immediate` leaves recovery to the next start, `killed` is SIGKILL. */
export type End = "fast" | "immediate" | "killed";
const SIGNALS = { fast: "SIGINT", immediate: "SIGQUIT", killed: "SIGKILL" } as const;

/** A real PostgreSQL in a folder of its own, on a port of loopback. It ends with this process. */
export class Postgres implements AsyncDisposable {
  readonly port: number;
  readonly #folder: string;
  readonly #options: PostgresOptions;
  readonly #log = new Said();
  readonly #replicas: Postgres[] = [];
  #child: ChildProcess | undefined;
  #ended: Promise<unknown> = Promise.resolve();
  #databases = 0;

  private constructor(folder: string, port: number, options: PostgresOptions) {
    this.#folder = folder;
    this.port = port;
    this.#options = options;
  }

  static async start(options: PostgresOptions = {}): Promise<Postgres> {
    const server = new Postgres(await ownFolder(), await freePort(), options);
    return server.#opened(async (data) => {
      await copyCluster(data);
      const { beyond } = options;
      const more = beyond && `host all ${SECURED.user} ${beyond.network} scram-sha-256\n`;
      await writeFile(join(data, "pg_hba.conf"), `${ACCESS}${more ?? ""}`);
    });
  }

  async #opened(fill: (data: string) => Promise<void>): Promise<Postgres> {
    try {
      await fill(this.#data);
      if (this.#options.withTls === true) await giveCertificate(this.#data);
      await this.start();
      return this;
    } catch (error) {
      await this[Symbol.asyncDispose]();
      throw error;
    }
  }

  get #data(): string {
    return join(this.#folder, "data");
  }

  /** The process id; `undefined` while it does not run. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** The latest lines of its log. */
  get log(): string {
    return this.#log.text;
  }

  url(database = "postgres", user: string = OWNER): string {
    return `postgres://${user}@127.0.0.1:${this.port}/${database}`;
  }

  /** Starts it again, on the same data and port. */
  async start(): Promise<void> {
    const [command, args] = commandOf("postgres", this.#arguments());
    const ready = this.#log.next(/ready to accept (read-only )?connections/);
    const child = spawn(command, args, { cwd: this.#folder, stdio: ["ignore", "ignore", "pipe"] });
    child.stderr.setEncoding("utf8").on("data", this.#log.add);
    this.#child = child;
    // "close", not "exit": its children have the pipe, too, and a next start needs them gone.
    this.#ended = once(child, "close");
    const failed = this.#ended.then(() => Promise.reject(new Error(`PostgreSQL ended: ${this.log}`)));
    failed.catch(() => {});
    await Promise.race([ready, failed]);
  }

  #arguments(): readonly string[] {
    const { isDurable = false, withTls = false, beyond, settings = {} } = this.#options;
    const all: Readonly<Record<string, string>> = {
      listen_addresses: ["127.0.0.1", ...(beyond?.addresses ?? [])].join(","),
      unix_socket_directories: this.#folder,
      fsync: isDurable ? "on" : "off",
      full_page_writes: isDurable ? "on" : "off",
      shared_buffers: "32MB",
      max_connections: "200",
      // A replica finds its primary again as soon as that has started.
      wal_retrieve_retry_interval: "100ms",
      ssl: withTls ? "on" : "off",
      ...settings,
    };
    const words = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    return ["-D", this.#data, "-p", String(this.port), ...words];
  }

  /** Ends it; the data stays. Nothing happens where it does not run. */
  async end(how: End): Promise<void> {
    if (this.#child === undefined) return;
    this.#child.kill(SIGNALS[how]);
    await this.#ended;
    this.#child = undefined;
  }

  async restart(how: End): Promise<void> {
    await this.end(how);
    await this.start();
  }

  /** Runs statements as the administrator. @returns the rows, their fields separated by tabs */
  async sql(text: string, database = "postgres"): Promise<readonly string[]> {
    const { stdin, outcome } = this.psql(database);
    stdin.end(text);
    return outcome;
  }

  /** The same with statements that are streamed, such as COPY. */
  psql(database: string): {
    readonly stdin: NodeJS.WritableStream;
    readonly outcome: Promise<readonly string[]>;
  } {
    const words = ["-X", "-q", "-A", "-t", "-F", "\t", "-v", "ON_ERROR_STOP=1"];
    const [command, args] = commandOf("psql", [...words, "-d", this.url(database, "postgres")]);
    // The home of the user who runs the tests is not readable for the server's user.
    const env = { ...process.env, HOME: this.#folder };
    const child = spawn(command, args, { cwd: this.#folder, env, stdio: "pipe" });
    let out = "";
    let complaints = "";
    child.stdout.setEncoding("utf8").on("data", (part: string) => {
      out += part;
    });
    child.stderr.setEncoding("utf8").on("data", (part: string) => {
      complaints += part;
    });
    // A psql that ends early says why; that its input is closed then says nothing.
    child.stdin.on("error", () => {});
    const outcome = once(child, "close").then(([code]) => {
      if (code !== 0) throw new Error(`psql: ${complaints}`);
      return out.split("\n").slice(0, -1);
    });
    return { stdin: child.stdin, outcome };
  }

  /** A new database of `OWNER`: empty, or a copy of another one that nobody uses. @returns its name */
  async createDatabase(template = "template0"): Promise<string> {
    this.#databases += 1;
    const name = `guide_${this.#databases}`;
    await this.sql(`CREATE DATABASE ${name} OWNER ${OWNER} TEMPLATE ${template}`);
    return name;
  }

  /** A replica that follows by streaming. From now on, commits wait for it. It is disposed of with its primary. */
  async replica(): Promise<Postgres> {
    const replica = new Postgres(await ownFolder(), await freePort(), this.#options);
    this.#replicas.push(replica);
    const from = ["-d", `host=127.0.0.1 port=${this.port} user=postgres application_name=replica`];
    const [command, args] = commandOf("pg_basebackup", [
      ...[...from, "-D", replica.#data],
      ...["--write-recovery-conf", "--checkpoint=fast", "--no-sync"],
    ]);
    await replica.#opened(() => run(command, args, { cwd: replica.#folder }).then(() => {}));
    const isSynchronous = this.#log.next(/standby "replica" is now a synchronous standby/);
    await this.sql("ALTER SYSTEM SET synchronous_standby_names = 'replica'");
    await this.sql("SELECT pg_reload_conf()");
    await isSynchronous;
    return replica;
  }

  /** Makes a replica the primary. Its former primary must have ended. */
  async promote(): Promise<void> {
    const [isPrimary] = await this.sql("SELECT pg_promote(wait => true)");
    if (isPrimary !== "t") throw new Error(`the replica was not promoted: ${this.log}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const replica of this.#replicas.splice(0)) await replica[Symbol.asyncDispose]();
    await this.end("immediate");
    await removeSegment(this.#data);
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** A folder for the server's user alone. */
async function ownFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "recorderd-postgres-"));
  await own(folder);
  return folder;
}

async function own(path: string): Promise<void> {
  const user = serverUser();
  if (user !== undefined) await chown(path, user, user);
}

/** Fills a new data folder. The first one of a run takes a second, the others are copies of it. */
async function copyCluster(data: string): Promise<void> {
  const runFolder = process.env[RUN_MARK];
  if (runFolder === undefined) return initialize(data);
  const kept = join(runFolder, "postgres");
  if (!(await exists(kept))) {
    const first = join(await ownFolder(), "data");
    await initialize(first);
    // Another process of the run may have been faster.
    await rename(join(first, ".."), kept).catch(() => {});
  }
  const [command, args] = commandOf("cp", ["-R", join(kept, "data"), data]);
  await run(command, args, { cwd: join(data, "..") });
}

async function initialize(data: string): Promise<void> {
  const words = ["--no-sync", "--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8"];
  const [command, args] = commandOf("initdb", [...words, "-D", data]);
  await run(command, args, { cwd: join(data, "..") });
  const [single, more] = commandOf("postgres", ["--single", "-D", data, "-c", "fsync=off", "postgres"]);
  const child = spawn(single, more, { cwd: join(data, ".."), stdio: ["pipe", "ignore", "ignore"] });
  child.stdin.end(`${ROLES.replaceAll("; ", ";\n")}\n`);
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error("PostgreSQL cannot create its users");
}

async function giveCertificate(data: string): Promise<void> {
  for (const [from, name] of [
    [CERTIFICATE, "server.crt"],
    [KEY, "server.key"],
  ] as const) {
    const path = join(data, name);
    await copyFile(from, path);
    await chmod(path, 0o600);
    await own(path);
  }
}

/** A server that was killed leaves a segment of shared memory, which its last start noted. */
async function removeSegment(data: string): Promise<void> {
  const note = await readFile(join(data, "postmaster.pid"), "utf8").catch(() => "");
  const id = /^ *\d+ +(\d+) *$/m.exec(note)?.[1];
  if (id !== undefined) await run("ipcrm", ["--shmem-id", id]).catch(() => {});
}

async function exists(path: string): Promise<boolean> {
  return readFile(join(path, "data/PG_VERSION")).then(
    () => true,
    () => false,
  );
}

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Debian keeps the programs of each version in a folder of its own, outside the PATH. */
const VERSIONS = "/usr/lib/postgresql";
/** The user of the server where the tests run as root, which PostgreSQL refuses. */
const NOBODY = 65_534;

const PROGRAMS = ["initdb", "postgres", "pg_basebackup", "pg_dump", "pg_restore", "psql"] as const;
type Program = (typeof PROGRAMS)[number];

/** Why there is no PostgreSQL here; `undefined` where there is one. */
export function whyNoPostgres(): string | undefined {
  const folder = newest();
  const missing = PROGRAMS.filter((name) => folder === undefined || !existsSync(join(folder, name)));
  if (missing.length === 0) return undefined;
  return `PostgreSQL is missing (${missing.join(", ")}): npm run setup:tests installs it`;
}

/** The folder with the programs of the newest version. */
function newest(): string | undefined {
  if (!existsSync(VERSIONS)) return undefined;
  const versions = readdirSync(VERSIONS).filter((name) => existsSync(join(VERSIONS, name, "bin/postgres")));
  const version = versions.sort((a, b) => Number(b) - Number(a))[0];
  return version === undefined ? undefined : join(VERSIONS, version, "bin");
}

/** The user that owns the server's files; `undefined`: the one of this process. */
export function serverUser(): number | undefined {
  return process.getuid?.() === 0 ? NOBODY : undefined;
}

/**
 * The command of a program as an ordinary user. It gets SIGQUIT when the process that started it ends, however that ends: a server
 * then shuts down at once.
 */
export function commandOf(
  program: Program | "cp",
  args: readonly string[],
): readonly [string, readonly string[]] {
  const user = serverUser();
  const rights = user === undefined ? [] : [`--reuid=${user}`, `--regid=${user}`, "--clear-groups"];
  const path = program === "cp" ? program : join(newest() ?? "", program);
  return ["setpriv", ["--pdeathsig=QUIT", ...rights, "--", path, ...args]];
}

import type { PoolConfig } from "pg";
import { RecorderdError } from "../../model/errors.ts";
import type { DurationMs } from "../../model/time.ts";
import { plainText } from "../files/plain-file.ts";
import { HTTP_LIMITS } from "../http/limits.ts";
import { isLocal } from "../net/loopback.ts";

/** A PostgreSQL database: `postgres://user@host:port,host:port/name?sslmode=…&sslrootcert=…`. */
export interface DatabaseAddress {
  /** For messages: it has no password. */
  readonly text: string;
  readonly user: string;
  readonly name: string;
  /** Servers of one cluster, of which one accepts changes. */
  readonly hosts: readonly { readonly host: string; readonly port: number }[];
  /** Whether the connection is encrypted and the server proves its name; by default unless the server is this machine. */
  readonly isProven: boolean;
  /** A file with the certificates of trusted authorities; absent: those of the system. */
  readonly rootFile?: string;
}

const FORM = "postgres://USER@HOST:PORT/NAME, with several HOST:PORT for a cluster";
const PORT = 5432;

/**
 * @param passwordPlace names where the password belongs, for messages
 * @throws RecorderdError CONFIG_INVALID saying what is wrong and what to do
 */
export function parseDatabaseAddress(text: string, passwordPlace = "PGPASSFILE"): DatabaseAddress {
  const [, user, password, hosts = "", name = "", query = ""] =
    /^postgres(?:ql)?:\/\/(?:([^:@/]+)(:[^@/]*)?@)?([^/?]*)\/([^/?]+)(?:\?(.*))?$/.exec(text) ?? [];
  if (password !== undefined) {
    throw invalid(
      `The address of the database has a password, which everybody on this machine could read: leave it out, and use ${passwordPlace}.`,
    );
  }
  const servers = hosts.split(",").map(serverOf);
  if (user === undefined || servers.includes(undefined))
    throw invalid(`The address of the database must be ${FORM}.`);
  const options = new URLSearchParams(query);
  const isHere = servers.every((server) => server !== undefined && isLocal(server.host));
  const mode = options.get("sslmode") ?? (isHere ? "disable" : "verify-full");
  if (mode !== "disable" && mode !== "verify-full") {
    throw invalid(
      `The sslmode of the database is "${mode}": use verify-full, or disable on a network that you trust.`,
    );
  }
  const rootFile = options.get("sslrootcert");
  return {
    text: `postgres://${user}@${hosts}/${name}`,
    user: decodeURIComponent(user),
    name: decodeURIComponent(name),
    hosts: servers.filter((server) => server !== undefined),
    isProven: mode === "verify-full",
    ...(rootFile === null ? {} : { rootFile }),
  };
}

function serverOf(text: string): DatabaseAddress["hosts"][number] | undefined {
  const [, six, name, port = String(PORT)] =
    /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = six ?? name;
  return host === undefined || Number(port) > 65_535 ? undefined : { host, port: Number(port) };
}

function invalid(text: string): RecorderdError {
  return new RecorderdError("CONFIG_INVALID", text);
}

/** A database, and how to use it. */
export interface DatabaseAccess {
  readonly address: DatabaseAddress;
  /** Without one, the driver asks PGPASSFILE. */
  readonly password?: string | undefined;
  readonly limits: DatabaseLimits;
}

export interface DatabaseLimits {
  /** Connections of this process. */
  readonly databaseConnections: number;
  /** Connecting that takes longer has failed. */
  readonly databaseConnectMs: DurationMs;
  /** A statement that takes longer is ended. */
  readonly databaseStatementMs: DurationMs;
  /** Waiting for another transaction that takes longer ends the statement. */
  readonly databaseLockMs: DurationMs;
}

/** How to connect to each server. @throws RecorderdError FILE_UNREADABLE */
export async function poolConfigs({
  address,
  password,
  limits,
}: DatabaseAccess): Promise<readonly PoolConfig[]> {
  const { user, name, hosts, isProven, rootFile } = address;
  const ca = rootFile === undefined ? undefined : await plainText(rootFile, HTTP_LIMITS.pemBytes);
  const { databaseConnections, databaseConnectMs, databaseStatementMs, databaseLockMs } = limits;
  return hosts.map(({ host, port }) => ({
    ...{ host, port, user, database: name, application_name: "recorderd" },
    ...(password === undefined ? {} : { password }),
    ssl: isProven ? { rejectUnauthorized: true, ...(ca === undefined ? {} : { ca }) } : false,
    max: databaseConnections,
    connectionTimeoutMillis: databaseConnectMs,
    statement_timeout: databaseStatementMs,
    lock_timeout: databaseLockMs,
    idle_in_transaction_session_timeout: databaseStatementMs,
    keepAlive: true,
    allowExitOnIdle: true,
  }));
}

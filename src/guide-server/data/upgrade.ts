import { normalName } from "./user-name.ts";

type Entry = readonly [kind: unknown, table: unknown, value: unknown];
type Fields = Readonly<Record<string, unknown>>;

/**
 * Converts journal lines of an earlier version to this one, in order. In version 1 each account had a password and
 * no users: the account becomes its owner, with the account's sessions.
 *
 * A line that is not in that version's form stays unchanged and is refused on reading.
 */
export function upgradeFrom(version: number | undefined): (line: unknown) => unknown {
  if (version !== 1) return (line) => line;
  const owners = new Map<unknown, string>();
  return (line) => (Array.isArray(line) ? line.flatMap((entry) => upgraded(entry, owners)) : line);
}

function upgraded(entry: unknown, owners: Map<unknown, string>): readonly unknown[] {
  if (!isPut(entry)) return [entry];
  const [, table, fields] = entry;
  if (table === "tokens") return [["put", "tokens", { ...fields, userId: owners.get(fields["accountId"]) }]];
  if (table !== "accounts") return [entry];
  const { password, ...account } = fields;
  const owner = {
    id: normalName(String(account["email"])),
    accountId: account["id"],
    password: hashText(password as OldHash),
    rights: "owner",
    createdAt: account["createdAt"],
  };
  owners.set(account["id"], owner.id);
  return [
    ["put", "accounts", account],
    ["put", "users", owner],
  ];
}

function isPut(entry: unknown): entry is Entry & readonly ["put", string, Fields] {
  return Array.isArray(entry) && entry[0] === "put" && typeof entry[2] === "object" && entry[2] !== null;
}

/** Salt and hash were in base64. */
interface OldHash {
  readonly cost: number;
  readonly blockSize: number;
  readonly parallelization: number;
  readonly salt: string;
  readonly hash: string;
}

/** Formats a hash as kit/http/password.ts does. */
function hashText({ cost, blockSize, parallelization, salt, hash }: OldHash): string {
  const url = (text: string) => Buffer.from(text, "base64").toString("base64url");
  return ["scrypt", cost, blockSize, parallelization, url(salt), url(hash)].join("$");
}

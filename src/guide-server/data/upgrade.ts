import { normalName } from "./user-name.ts";

type Entry = readonly [kind: unknown, table: unknown, value: unknown];
type Fields = Readonly<Record<string, unknown>>;

/**
 * Makes lines of a journal what this version writes, in their order. Up to version 1 each account had a password and no users: it
 * becomes its owner's, whose sessions those of the account are.
 *
 * What is not as that version wrote it stays as it is, and is refused when it is read.
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

/** The same hash as kit/http/password.ts writes it. */
function hashText({ cost, blockSize, parallelization, salt, hash }: OldHash): string {
  const url = (text: string) => Buffer.from(text, "base64").toString("base64url");
  return ["scrypt", cost, blockSize, parallelization, url(salt), url(hash)].join("$");
}

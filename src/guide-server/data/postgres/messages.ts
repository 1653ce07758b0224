import { randomBytes } from "node:crypto";
import { type Kysely, sql } from "kysely";
import type { Others } from "../store.ts";
import { MESSAGES_CHANNEL } from "./announcements.ts";
import { guarded } from "./guarded.ts";
import type { SharedTables } from "./schema.ts";

/** Messages between the processes of a database. A process does not hear its own. */
export class Messages implements Others {
  readonly #db: Kysely<SharedTables>;
  readonly #quietly: (work: () => Promise<unknown>) => void;
  readonly #sender = randomBytes(9).toString("base64url");
  #listener: (message: string) => void = () => {};

  /** @param quietly runs work for which nobody waits */
  constructor(db: Kysely<SharedTables>, quietly: (work: () => Promise<unknown>) => void) {
    this.#db = db;
    this.#quietly = quietly;
  }

  tell(message: string): void {
    const note = JSON.stringify([this.#sender, message]);
    this.#quietly(() => guarded(() => sql`SELECT pg_notify(${MESSAGES_CHANNEL}, ${note})`.execute(this.#db)));
  }

  hear(listener: (message: string) => void): void {
    this.#listener = listener;
  }

  told(sender: string, message: string): void {
    if (sender !== this.#sender) this.#listener(message);
  }
}

import { z } from "zod";
import type { Cluster, PoolClient } from "../../../kit/postgres/cluster.ts";
import { type Clock, onAbort } from "../../../kit/time/clock.ts";
import { RecorderdError } from "../../../model/errors.ts";
import { SECOND } from "../../../model/time.ts";
import { SERVER_LIMITS } from "../../limits.ts";

/** Names the owners that have changed, as a JSON list. */
export const CHANNEL = "recorderd_owners";
/** The shows have changed. */
export const SHOWS_CHANNEL = "recorderd_shows";

/** Processes tell each other something, as a JSON list of the sender and the text. */
export const MESSAGES_CHANNEL = "recorderd_messages";

const Owners = z.array(z.string());
const Message = z.tuple([z.string(), z.string()]);
const AGAIN_MS = SECOND;
/** The server is asked this often whether it is there. */
const BEAT_MS = 5 * SECOND;

export interface Listener {
  changed(owners: readonly string[]): void;
  showsChanged(): void;
  told(sender: string, message: string): void;
  /** Changes may have been missed: everything may have changed. */
  resumed(): void;
}

/** Hears of the changes of all processes, over a connection of its own that is made again when it ends. */
export class Announcements implements AsyncDisposable {
  readonly #cluster: Cluster;
  readonly #clock: Clock;
  readonly #listener: Listener;
  readonly #over = new AbortController();
  readonly #running: Promise<void>;

  constructor(cluster: Cluster, { clock, listener }: { readonly clock: Clock; readonly listener: Listener }) {
    this.#cluster = cluster;
    this.#clock = clock;
    this.#listener = listener;
    this.#running = this.#run();
  }

  async #run(): Promise<void> {
    const { signal } = this.#over;
    while (!signal.aborted) {
      try {
        await this.#listen(await this.#cluster.connect());
      } catch (error) {
        if (!(error instanceof RecorderdError)) throw error;
      }
      if (!signal.aborted) await this.#clock.sleep(AGAIN_MS, signal).catch(() => {});
    }
  }

  /** Resolves when the connection has ended. */
  async #listen(client: PoolClient): Promise<void> {
    const { signal } = this.#over;
    let unfollow = () => {};
    const ended = new Promise<void>((resolve) => {
      client.once("end", resolve).once("error", () => resolve());
      // It may have been aborted while the connection was made.
      unfollow = onAbort(signal, resolve);
    });
    client.on("notification", ({ channel, payload = "" }) => {
      if (channel === SHOWS_CHANNEL) this.#listener.showsChanged();
      else if (channel === MESSAGES_CHANNEL) this.#listener.told(...Message.parse(JSON.parse(payload)));
      else this.#listener.changed(Owners.parse(JSON.parse(payload)));
    });
    const watching = new AbortController();
    try {
      const listening = client.query(
        `LISTEN ${CHANNEL}; LISTEN ${SHOWS_CHANNEL}; LISTEN ${MESSAGES_CHANNEL}`,
      );
      const watched = this.#watch(client, watching.signal);
      await Promise.race([listening, watched]);
      this.#listener.resumed();
      await Promise.race([ended, watched]);
    } catch {
      // The connection has ended already.
    } finally {
      unfollow();
      watching.abort();
      client.release(true);
    }
  }

  /**
   * Asks the server whether it is there. One that has vanished ends no connection, so a client would wait for minutes,
   * and nobody would hear of changes. @throws Error when a question fails
   */
  async #watch(client: PoolClient, signal: AbortSignal): Promise<void> {
    const silent = () => this.#cluster.abandon();
    for (;;) {
      await this.#clock.sleep(BEAT_MS, signal);
      const callOff = this.#clock.after(SERVER_LIMITS.databaseStatementMs, silent);
      await client.query("SELECT 1").finally(callOff);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#over.abort();
    await this.#running;
  }
}

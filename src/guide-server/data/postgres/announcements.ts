import type { PoolClient } from "pg";
import { z } from "zod";
import type { Clock } from "../../../kit/time/clock.ts";
import { RecorderdError } from "../../../model/errors.ts";
import { SECOND } from "../../../model/time.ts";
import type { Cluster } from "./cluster.ts";

/** Names the owners that have changed, as a JSON list. */
export const CHANNEL = "recorderd_owners";
/** The shows have changed. */
export const SHOWS_CHANNEL = "recorderd_shows";

const Owners = z.array(z.string());
const AGAIN_MS = SECOND;

export interface Listener {
  changed(owners: readonly string[]): void;
  showsChanged(): void;
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
    const ended = new Promise<void>((resolve) => {
      client.once("end", resolve).once("error", () => resolve());
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
    client.on("notification", ({ channel, payload = "" }) => {
      if (channel === SHOWS_CHANNEL) this.#listener.showsChanged();
      else this.#listener.changed(Owners.parse(JSON.parse(payload)));
    });
    try {
      await client.query(`LISTEN ${CHANNEL}; LISTEN ${SHOWS_CHANNEL}`);
      this.#listener.resumed();
      await ended;
    } catch {
      // The connection has ended already.
    } finally {
      client.release(true);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#over.abort();
    await this.#running;
  }
}
